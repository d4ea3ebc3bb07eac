"""Active-HACC beside CAC1 on halves of the ORL people: whether one run tells them apart, and what CAC1 owes to its parameter.

``LIKEWISE_DATA=… python -m benchmarks.papers.biswas2014_active.halves [--draws 10]`` adds draws to ``halves.json``: Jaccard's
coefficient of twenty people's pictures, drawn by seed, at half the questions of ``results/faces-400.json``. With P of the truth
the asker knows which answer it will get, so that what is left is its criterion: the largest change of the next clustering.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.papers.biswas2014_active.sets import load
from benchmarks.record import keep
from likewise import Session, simulate
from likewise.cluster import COPKMeans

HERE = Path(__file__).parent
PEOPLE, STEP, LAST = 20, 50, 450
CONFIG = {
    "set": "faces-400",
    "people": PEOPLE,
    "questions": list(range(STEP, LAST + 1, STEP)),
    "P of the truth": [0.02, 0.98],
}


def methods(truth: np.ndarray) -> dict[str, tuple[str, dict]]:
    """Strategies by name."""
    low, high = CONFIG["P of the truth"]
    told = np.where(truth[:, None] == truth, high, low)
    return {
        "Active-HACC": ("active-hacc", {}),
        "Active-HACC, P of the truth": ("active-hacc", {"probability": told}),
        "CAC1": ("cac1", {}),
        "CAC1, sizes to the power 0.5": ("cac1", {"size_power": 0.5}),
        "CAC1, sizes to the power 1": ("cac1", {"size_power": 1.0}),
        "Random + COP-KMeans": ("random", {"clusterer": COPKMeans()}),
    }


def run(X: np.ndarray, truth: np.ndarray, seed: int) -> dict[str, list[float]]:
    """The coefficient at every number of questions, of every method, on one draw of people."""
    people = np.random.default_rng(seed).permutation(truth.max() + 1)[:PEOPLE]
    drawn = np.isin(truth, people)
    X, truth = X[drawn], np.unique(truth[drawn], return_inverse=True)[1]
    found = {}
    for name, (strategy, options) in methods(truth).items():
        session = Session(X, strategy=strategy, n_clusters=PEOPLE, random_state=seed, **options)
        curve = simulate(session, truth, LAST, every=STEP)
        values = dict(zip(curve.answers.tolist(), curve.jaccard.tolist(), strict=True))
        last = float(curve.jaccard.iloc[-1])  # a curve that is over stays where it ended
        found[name] = [round(float(values.get(n, last)), 4) for n in CONFIG["questions"]]
        print(seed, name, found[name], flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=10)
    given = parser.parse_args()
    data = load(CONFIG["set"])
    if data is None:
        return
    path = HERE / "halves.json"
    runs = json.loads(path.read_text())["results"] if path.exists() else {}
    for seed in range(given.draws):
        if str(seed) not in runs:
            runs[str(seed)] = run(data.X, data.truth, seed)
            keep(path, config=CONFIG, results=runs, adds=True)


if __name__ == "__main__":
    main()
