"""HACC on a precomputed matrix beside one ``numpy.argsort`` of the same distances."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.record import keep
from likewise.cluster import HACC
from likewise.distances import pairwise

CONFIG = {"n": 4000, "d": 16, "classes": 40, "n_constraints": [0, 500, 4000], "repeats": 5, "seed": 0}


def best_time(run, repeats):
    times = []
    for _ in range(repeats):
        start = perf_counter()
        result = run()
        times.append(perf_counter() - start)
    return min(times), result


def main() -> None:
    rng = np.random.default_rng(CONFIG["seed"])
    truth = rng.integers(0, CONFIG["classes"], CONFIG["n"])
    X = rng.normal(size=(CONFIG["n"], CONFIG["d"])) + 2 * rng.normal(size=(CONFIG["classes"], CONFIG["d"]))[truth]
    D = pairwise(X)
    distances = D[np.triu_indices(CONFIG["n"], 1)]
    HACC(CONFIG["classes"], metric="precomputed").fit(D[:50, :50], cannot_link=[(0, 1)])  # compile
    sort_seconds, _ = best_time(lambda: np.argsort(distances), CONFIG["repeats"])
    rows = []
    for m in CONFIG["n_constraints"]:
        pairs = rng.integers(0, CONFIG["n"], (m, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        same = truth[pairs[:, 0]] == truth[pairs[:, 1]]

        def fit(must=pairs[same], cannot=pairs[~same]):
            return HACC(CONFIG["classes"], metric="precomputed").fit(D, must_link=must, cannot_link=cannot)

        seconds, model = best_time(fit, CONFIG["repeats"])
        broken = int((model.labels_[pairs[:, 0]] == model.labels_[pairs[:, 1]]).astype(bool)[~same].sum())
        rows.append(
            {
                "constraints": len(pairs),
                "seconds": seconds,
                "argsort_seconds": sort_seconds,
                "ratio": seconds / sort_seconds,
                "n_clusters": model.n_clusters_,
                "broken_constraints": broken,
            }
        )
        print(f"{len(pairs):5d} constraints: {seconds:.3f} s, {rows[-1]['ratio']:.2f} × argsort ({sort_seconds:.3f} s)")
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=rows)


if __name__ == "__main__":
    main()
