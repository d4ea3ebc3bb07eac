"""QUIRE and pKNN+AL in the paper's protocol by the width of the kernel they ask with, the clusters being read alike; and by the reading.

``LIKEWISE_DATA=… python -m benchmarks.papers.xiong2014_urasc.learners [SET ...] [--seeds 5]`` adds seeds to ``learners.json``. The
protocol gives them the kernel that suits URASC; the paper does not say which they had, and prints lower figures of them. Beside them
URASC, all with another reading: -1 written for pairs that differ, and the median of the distances as width ("wide").
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from scipy.spatial.distance import pdist

from benchmarks.papers.xiong2014_urasc.__main__ import COUNTS, FULL, TWO_CLASSES, vectors
from benchmarks.papers.xiong2014_urasc.protocol import WIDE, measured, methods
from benchmarks.record import keep
from likewise.distances import gaussian_affinity

PATH = Path(__file__).parent / "learners.json"
SETS = ("sonar", "bupa", "balance-scale")
LEARNERS = ("QUIRE", "pKNN+AL")
WIDTHS = (1.0, 0.5)  # in medians of the distances; the third width is that of the protocol
READ_WIDE = "wide"
CONFIG = {"sets": SETS, "widths of the kernel they ask with, in medians of the distances": WIDTHS, READ_WIDE: WIDE}


def ways(X: np.ndarray, width: float | str) -> dict[str, tuple]:
    """The learners with another kernel to ask with, clusters being found as all others' are; or all with another reading."""
    if isinstance(width, str):
        return {m: how for m, how in methods(X, *WIDE).items() if m in (*FULL, *LEARNERS)}
    those = methods(X)
    W = gaussian_affinity(X, sigma=width * float(np.median(pdist(X))))
    reading = those["Random"][1]["clusterer"]
    return {m: (those[m][0], those[m][1] | {"affinity": W, "clusterer": reading}) for m in LEARNERS}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    runs = json.loads(PATH.read_text())["results"] if PATH.exists() else {}
    for name in given.sets:
        X, truth = vectors(name, None)
        two = len(np.unique(truth)) == 2
        for width in (*WIDTHS, READ_WIDE):
            how = {m: each for m, each in ways(X, width).items() if two or m not in TWO_CLASSES}
            kept = runs.setdefault(name, {}).setdefault(width if isinstance(width, str) else f"{width:g}", {})
            for seed in map(str, range(given.seeds)):
                if seed not in kept:
                    kept[seed] = {m: measured(X, truth, each, COUNTS[name], int(seed)) for m, each in how.items()}
                    print(name, width, seed, [r["jaccard"] for r in kept[seed].values()], flush=True)
        keep(PATH, config=CONFIG, results=runs, adds=True)


if __name__ == "__main__":
    main()
