"""QUIRE and pKNN+AL in the paper's protocol by the width of the kernel they ask with, the clusters being read alike.

``LIKEWISE_DATA=… python -m benchmarks.papers.xiong2014_urasc.learners [SET ...] [--seeds 5]`` adds seeds to ``learners.json``. The
protocol gives them the kernel that suits URASC; the paper does not say which they had, and prints lower figures of them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from scipy.spatial.distance import pdist

from benchmarks.papers.xiong2014_urasc.__main__ import COUNTS, vectors
from benchmarks.papers.xiong2014_urasc.protocol import measured, methods
from benchmarks.record import keep
from likewise.distances import gaussian_affinity

PATH = Path(__file__).parent / "learners.json"
SETS = ("sonar", "bupa")
LEARNERS = ("QUIRE", "pKNN+AL")
WIDTHS = (1.0, 0.5)  # in medians of the distances; the third width is that of the protocol
CONFIG = {"sets": SETS, "widths of the kernel they ask with, in medians of the distances": WIDTHS}


def ways(X: np.ndarray, width: float) -> dict[str, tuple]:
    """The learners with another kernel to ask with; clusters are found as all others' are."""
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
        for width in WIDTHS:
            how = ways(X, width)
            kept = runs.setdefault(name, {}).setdefault(f"{width:g}", {})
            for seed in map(str, range(given.seeds)):
                if seed not in kept:
                    kept[seed] = {m: measured(X, truth, how[m], COUNTS[name], int(seed)) for m in LEARNERS}
                    print(name, width, seed, [r["jaccard"] for r in kept[seed].values()], flush=True)
        keep(PATH, config=CONFIG, results=runs, adds=True)


if __name__ == "__main__":
    main()
