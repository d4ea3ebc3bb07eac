"""The k-means family on digits: seconds and score, beside scikit-learn's KMeans with as many starts."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from benchmarks.record import keep
from likewise.cluster import COPKMeans, KMedoids, MPCKMeans, PCKMeans

CONFIG = {"data": "digits", "n_constraints": [0, 500, 5000], "n_init": 5, "repeats": 3, "seed": 0}
MODELS = {
    "COPKMeans": (COPKMeans, {}),
    "PCKMeans": (PCKMeans, {}),
    "MPCKMeans": (MPCKMeans, {}),
    "MPCKMeans, full": (MPCKMeans, {"full": True}),
    "KMedoids, fastpam": (KMedoids, {"method": "fastpam"}),
    "KMedoids, alternate": (KMedoids, {"method": "alternate"}),
}


def timed(fit):
    """Median seconds of the repeats, and the last model."""
    times = []
    for _ in range(CONFIG["repeats"]):
        start = perf_counter()
        model = fit()
        times.append(perf_counter() - start)
    return median(times), model


def main() -> None:
    X, truth = load_digits(return_X_y=True)
    rng = np.random.default_rng(CONFIG["seed"])
    common = {"n_init": CONFIG["n_init"], "random_state": CONFIG["seed"]}
    plain_seconds, plain = timed(lambda: KMeans(10, **common).fit(X))
    plain_ari = adjusted_rand_score(truth, plain.labels_)
    print(f"scikit-learn's KMeans: {plain_seconds:.3f} s, ARI {plain_ari:.3f}")
    rows = [{"model": "scikit-learn KMeans", "seconds": plain_seconds, "ari": plain_ari}]
    for count in CONFIG["n_constraints"]:
        pairs = rng.integers(0, len(X), (2 * count, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]][:count]
        same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
        sides = {"must_link": pairs[same], "cannot_link": pairs[~same]}
        for name, (kind, options) in MODELS.items():
            kind(10, **{**common, "n_init": 1}, **options).fit(X, **sides)  # compile
            seconds, model = timed(lambda k=kind, o=options, s=sides: k(10, **common, **o).fit(X, **s))
            row = {
                "model": name,
                "constraints": count,
                "seconds": seconds,
                "ratio": seconds / plain_seconds,
                "ari": adjusted_rand_score(truth, model.labels_),
            }
            rows.append(row)
            print(f"{count:5d} constraints, {name}: {seconds:.3f} s, {row['ratio']:.1f} ×, ARI {row['ari']:.3f}")
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=rows)


if __name__ == "__main__":
    main()
