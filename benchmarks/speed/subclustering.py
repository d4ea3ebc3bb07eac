"""Subclustering at 51,418 × 128, K = 200, R = 4,000: seconds beside one blocked R × N computation by scikit-learn."""

from __future__ import annotations

import resource
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.metrics import pairwise_distances_chunked

from benchmarks.papers.biswas2014_subclustering.sets import generated
from benchmarks.record import keep
from likewise.cluster import Subclustering
from likewise.metrics import subclustering_jaccard

CONFIG = {"n": 51_418, "n_clusters": 200, "d": 128, "restricted": 4000, "size": 10, "seed": 0, "runs": 1}


def main() -> None:
    data = generated(CONFIG["n"], CONFIG["n_clusters"], CONFIG["d"])
    X = data.X.astype(np.float64)
    options = {"size": CONFIG["size"], "random_state": CONFIG["seed"]}
    Subclustering(5, **options).fit(X[:500])  # compile
    started = perf_counter()
    model = Subclustering(CONFIG["n_clusters"], restricted=CONFIG["restricted"], **options).fit(X)
    seconds = perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    started = perf_counter()
    for _ in pairwise_distances_chunked(X[: CONFIG["restricted"]], X, working_memory=256):
        pass
    plain = perf_counter() - started
    score = subclustering_jaccard(data.truth, model.subclusters_)
    print(
        f"{seconds:.1f} s, {seconds / plain:.2f} × scikit-learn's distances ({plain:.1f} s), {memory:.2f} GiB, SJC {score:.3f}"
    )
    results = {
        "seconds": seconds,
        "sklearn_seconds": plain,
        "ratio": seconds / plain,
        "peak_gib": memory,
        "sjc": score,
    }
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=results)


if __name__ == "__main__":
    main()
