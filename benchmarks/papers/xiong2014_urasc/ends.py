"""Sonar in the paper's reading, where URASC-PO ends above URASC+P: what the gradient leaves to the end.

``LIKEWISE_DATA=… python -m benchmarks.papers.xiong2014_urasc.ends [--seeds 20]`` adds seeds to ``ends.json``: Jaccard's
coefficient at the paper's counts of answers, and after the last how many samples no question was about and how many of them
are in the wrong cluster; for the published product of gradient and step, its root, and the step alone.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.papers.xiong2014_urasc.__main__ import COUNTS, PAPER_METHODS, READ, vectors
from benchmarks.record import keep
from likewise import Session, simulate

HERE = Path(__file__).parent
SET = "sonar"
METHODS = {
    "URASC+P": PAPER_METHODS["URASC+P"],
    "URASC+P, root": ("urasc", {**READ, "step": "parametric", "score": "root"}),
    "URASC-PO": PAPER_METHODS["URASC-PO"],
}
CONFIG = {"set": SET, "counts": COUNTS[SET], "methods": list(METHODS)}


def wrong_of(labels: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Samples in the wrong one of two clusters, whichever way round fewer are."""
    return min((labels != truth, labels == truth), key=np.count_nonzero)


def run(X: np.ndarray, truth: np.ndarray, how: tuple, seed: int) -> dict:
    """The coefficient at every count, and what is unsettled and wrong at the last."""
    strategy, options = how
    session = Session(X, strategy=strategy, n_clusters=2, random_state=seed, **options)
    found = []
    for budget in np.diff([0, *CONFIG["counts"]]).tolist():
        curve = simulate(session, truth, budget, every=budget)
        found.append(round(float(curve.jaccard.iloc[-1]), 4) if len(curve) else found[-1])
    asked = np.zeros(len(X), bool)
    asked[[item for answer in session.history for item in answer.items]] = True
    wrong = wrong_of(np.asarray(session.labels_), truth)
    return {
        "jaccard": found,
        "not asked about": int((~asked).sum()),
        "of these wrong": int((wrong & ~asked).sum()),
        "wrong": int(wrong.sum()),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=20)
    given = parser.parse_args()
    data = vectors(SET, None)
    if data is None:
        return
    path = HERE / "ends.json"
    runs = json.loads(path.read_text())["results"] if path.exists() else {}
    for seed in map(str, range(given.seeds)):
        if seed not in runs:
            runs[seed] = {name: run(*data, how, int(seed)) for name, how in METHODS.items()}
            print(seed, runs[seed], flush=True)
            keep(path, config=CONFIG, results=runs, adds=True)


if __name__ == "__main__":
    main()
