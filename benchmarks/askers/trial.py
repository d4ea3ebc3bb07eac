"""Askers side by side: ``LIKEWISE_DATA=… python -m benchmarks.askers.trial --sets digits iris --strategies dendrogram``.

Every strategy asks a simulated person about every set; the adjusted Rand index of its clusters is taken after 25, 50,
100, … answers, and the time it took to choose each question. The figures go to ``trial.json`` beside this file, or to
``--out``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.askers.sets import load
from benchmarks.record import keep
from likewise import Session
from likewise.metrics import ari
from likewise.simulate import SimulatedAnnotator

CHECKPOINTS = (25, 50, 100, 200, 400, 800, 1200, 1600)
SETS = (
    "digits",
    "orl-faces",
    "flowers-17",
    "scene-300",
    "leaf-99",
    "leaf-99-features",
    "iris",
    "wine:z",
    "sonar:z",
)


def run(X, truth, strategy: str, *, budget: int, seed: int, n_clusters=None, error_rate=0.0) -> dict:
    """One session: ARI at the checkpoints and seconds a question."""
    start = perf_counter()
    session = Session(X, strategy=strategy, n_clusters=n_clusters, random_state=seed)
    person = SimulatedAnnotator(truth, error_rate=error_rate, random_state=seed)
    curve, times = {"0": ari(truth, session.labels_)}, []
    set_up = perf_counter() - start
    for answers in range(1, budget + 1):
        start = perf_counter()
        question = session.ask()
        times.append(perf_counter() - start)
        if question is None:
            break
        session.answer(question, person.answer(question))
        if answers in CHECKPOINTS or answers == budget:
            curve[str(answers)] = ari(truth, session.labels_)
    return {
        "ari": curve,
        "answers": len(session.history),
        "final_ari": ari(truth, session.labels_),
        "finished": session.finished,
        "n_clusters": session.n_clusters_,
        "set_up_seconds": set_up,
        "median_seconds": float(np.median(times)) if times else 0.0,
        "slowest_seconds": float(np.max(times)) if times else 0.0,
    }


def show(name: str, strategy: str, runs: list[dict]) -> None:
    steps = [step for step in runs[0]["ari"] if all(step in r["ari"] for r in runs)]
    curve = " ".join(f"{np.mean([r['ari'][step] for r in runs]):.3f}@{step}" for step in steps)
    ended = [r["answers"] for r in runs if r["finished"]]
    seconds = np.median([r["median_seconds"] for r in runs])
    slowest = np.max([r["slowest_seconds"] for r in runs])
    end = f" all known after {np.mean(ended):.0f}" if len(ended) == len(runs) else ""
    print(
        f"{name:18} {strategy:20} {curve}{end}  {1e3 * seconds:.0f} ms, slowest {slowest:.2f} s", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--strategies", nargs="+", default=["dendrogram", "random"])
    parser.add_argument("--budget", type=int, default=400)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--error-rate", type=float, default=0.0)
    parser.add_argument("--give-k", action="store_true", help="tell the number of classes")
    parser.add_argument("--kept", type=Path, help="folder in which embeddings are kept")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    given = parser.parse_args()
    results = []
    for name in given.sets:
        found = load(name, given.kept)
        if found is None:
            continue
        X, truth = found
        k = len(np.unique(truth)) if given.give_k else None
        for strategy in given.strategies:
            options = {"budget": given.budget, "n_clusters": k, "error_rate": given.error_rate}
            runs = [run(X, truth, strategy, seed=seed, **options) for seed in range(given.seeds)]
            show(name, strategy, runs)
            results.append(
                {
                    "set": name,
                    "n": len(X),
                    "classes": len(np.unique(truth)),
                    "strategy": strategy,
                    "runs": runs,
                }
            )
    config = {key: str(value) if isinstance(value, Path) else value for key, value in vars(given).items()}
    config.pop("kept"), config.pop("out")
    keep(given.out, config=config, results=results)


if __name__ == "__main__":
    main()
