"""COBRAS on the sets of our askers: ``LIKEWISE_DATA=… python -m benchmarks.peers.cobras --sets digits orl-faces``.

Same vectors, perfect answers (or a share of wrong ones), no number of clusters; the adjusted Rand index after 25, 50, 100, …
questions goes to ``results.json`` beside this file, like that of our askers to ``benchmarks/askers/trial.json``.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.askers.sets import load
from benchmarks.askers.trial import CHECKPOINTS, SETS
from benchmarks.peers.environment import peer_python
from benchmarks.record import keep
from likewise.metrics import ari

HERE = Path(__file__).parent


def run(X: np.ndarray, truth: np.ndarray, *, seed: int, budget: int, error_rate: float) -> dict:
    """One run of the peer: ARI at the checkpoints and seconds a question."""
    with tempfile.TemporaryDirectory() as folder:
        cases, answers = Path(folder, "case.npz"), Path(folder, "labels.npz")
        np.savez(cases, X=X, truth=truth, seed=seed, budget=budget, error_rate=error_rate, steps=CHECKPOINTS)
        subprocess.run(
            [peer_python("cobras"), "-W", "ignore", HERE / "peer.py", cases, answers], check=True, cwd=folder
        )
        found = np.load(answers)
        curve = {
            str(step): ari(truth, labels)
            for step, labels in zip(found["steps"], found["labels"], strict=True)
        }
        return {"ari": curve, "questions": int(found["steps"][-1]), "seconds": float(found["seconds"])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--budget", type=int, default=1600)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--error-rate", type=float, default=0.0)
    parser.add_argument("--kept", type=Path, help="folder in which embeddings are kept")
    parser.add_argument("--out", type=Path, default=HERE / "results.json")
    given = parser.parse_args()
    results = []
    for name in given.sets:
        found = load(name, given.kept)
        if found is None:
            continue
        options = {"budget": given.budget, "error_rate": given.error_rate}
        runs = [run(*found, seed=seed, **options) for seed in range(given.seeds)]
        steps = [step for step in runs[0]["ari"] if all(step in one["ari"] for one in runs)]
        curve = " ".join(f"{np.mean([one['ari'][step] for one in runs]):.3f}@{step}" for step in steps)
        print(f"{name:18} COBRAS {curve}", flush=True)
        results.append({"set": name, "n": len(found[0]), "runs": runs})
    config = {"budget": given.budget, "seeds": given.seeds, "error_rate": given.error_rate}
    keep(given.out, config=config, results=results)


if __name__ == "__main__":
    main()
