"""Matrix completion and RDML at n = 1,000: seconds as multiples of one eigendecomposition and of one thin SVD, and their errors."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.record import keep
from likewise.crowd import complete_matrix
from likewise.distances import RDML

CONFIG = {
    "n": 1000, "clusters": 5, "seen": 0.2, "flipped": 0.05, "features": 200, "seed": 0,
    "seconds": "processor time, one thread",
}  # fmt: skip


def partly_seen(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    n = CONFIG["n"]
    truth = np.arange(n) % CONFIG["clusters"]
    A = (truth[:, None] == truth).astype(float)
    seen = np.triu(rng.random((n, n)) < CONFIG["seen"], 1)
    flipped = rng.random((n, n)) < CONFIG["flipped"]
    said = np.where(seen, np.where(flipped, 1 - A, A), np.nan)
    return A, np.where(np.tri(n, dtype=bool), said.T, said)


def timed(call):
    start = process_time()
    result = call()
    return process_time() - start, result


def main() -> None:
    rng = np.random.default_rng(CONFIG["seed"])
    A, seen = partly_seen(rng)
    complete_matrix(seen[:50, :50])  # compile
    X = rng.normal(size=(CONFIG["n"], CONFIG["features"])) / np.sqrt(CONFIG["features"])
    eigh = min(timed(lambda: np.linalg.eigh(np.nan_to_num(seen)))[0] for _ in range(3))
    svd = min(timed(lambda: np.linalg.svd(X, full_matrices=False))[0] for _ in range(3))
    seconds, completed = timed(lambda: complete_matrix(seen))
    rdml, model = min((timed(lambda: RDML().fit(X, similarity=completed)) for _ in range(3)), key=lambda t: t[0])
    results = {
        "eigh seconds": eigh,
        "completion seconds": seconds,
        "completion / eigh": seconds / eigh,
        "largest error": float(np.abs(completed - A).max()),
        "svd seconds": svd,
        "RDML seconds": rdml,
        "RDML / svd": rdml / svd,
        "smallest eigenvalue of the metric": float(np.linalg.eigvalsh(model.metric_)[0]),
    }
    print(results)
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=results)


if __name__ == "__main__":
    main()
