"""Sonar in the paper's protocol, where some end above URASC+N and +P: what the gradient leaves to the end.

``LIKEWISE_DATA=… python -m benchmarks.papers.xiong2014_urasc.ends [--seeds 20]`` adds seeds to ``ends.json``: Jaccard's
coefficient at the paper's counts of answers, and after the last how many samples no question was about and how many of them
are in the wrong cluster; for the published product of gradient and step with the gradients of the samples of largest step, with
all gradients, with the root, for the step alone, and for the two active learners.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.papers.xiong2014_urasc.__main__ import COUNTS, vectors
from benchmarks.papers.xiong2014_urasc.protocol import methods
from benchmarks.record import keep
from likewise import Session, simulate

HERE = Path(__file__).parent
SET = "sonar"
VARIANTS = {
    "URASC+N": ("URASC+N", {}),
    "URASC+N, all gradients": ("URASC+N", {"n_best": None}),
    "URASC+N, root": ("URASC+N", {"score": "root"}),
    "URASC-NO": ("URASC-NO", {}),
    "URASC+P": ("URASC+P", {}),
    "URASC+P, all gradients": ("URASC+P", {"n_best": None}),
    "URASC+P, root": ("URASC+P", {"score": "root"}),
    "URASC-PO": ("URASC-PO", {}),
    "pKNN+AL": ("pKNN+AL", {}),
    "QUIRE": ("QUIRE", {}),
}
CONFIG = {"set": SET, "counts": COUNTS[SET], "methods": list(VARIANTS)}


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
    those = methods(data[0])
    how = {name: (those[of][0], those[of][1] | changed) for name, (of, changed) in VARIANTS.items()}
    for seed in map(str, range(given.seeds)):
        if seed not in runs:
            runs[seed] = {name: run(*data, each, int(seed)) for name, each in how.items()}
            print(seed, runs[seed], flush=True)
            keep(path, config=CONFIG, results=runs, adds=True)


if __name__ == "__main__":
    main()
