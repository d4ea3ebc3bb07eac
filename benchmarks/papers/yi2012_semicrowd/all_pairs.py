"""Times of the learners from every pair of a matrix of 1,000 items, as many as RDML sees: ``python -m benchmarks.papers.yi2012_semicrowd.all_pairs``."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.record import keep
from likewise.distances import DCA, MMC, RCA, RDML

HERE = Path(__file__).parent
CONFIG = {"n": 1000, "dimensions": 100, "classes": 17, "seed": 0, "of": "the faster of two, processor seconds"}


def drawn() -> tuple[np.ndarray, np.ndarray]:
    """Vectors of 17 classes, and the classes."""
    rng = np.random.default_rng(CONFIG["seed"])
    truth = rng.integers(CONFIG["classes"], size=CONFIG["n"])
    centres = rng.normal(size=(CONFIG["classes"], CONFIG["dimensions"]))
    return centres[truth] + rng.normal(size=(CONFIG["n"], CONFIG["dimensions"])), truth


def seconds_of(fit, repeats: int) -> float:
    found = []
    for _ in range(repeats):
        start = process_time()
        fit()
        found.append(process_time() - start)
    return round(min(found), 4)


def main() -> None:
    X, truth = drawn()
    i, j = np.triu_indices(len(X), 1)
    same = truth[i] == truth[j]
    said = {"must_link": np.column_stack([i[same], j[same]]), "cannot_link": np.column_stack([i[~same], j[~same]])}
    similarity = (truth[:, None] == truth).astype(np.float64)
    RDML().fit(X[:50], similarity=similarity[:50, :50])  # imports
    seconds = {
        "RDML": seconds_of(lambda: RDML("auto").fit(X, similarity=similarity), 2),
        "DCA": seconds_of(lambda: DCA().fit(X, **said), 2),
        "RCA": seconds_of(lambda: RCA().fit(X, **said), 2),
        "GDM": seconds_of(lambda: MMC(max_iter=100).fit(X, **said), 1),
    }
    print(seconds)
    keep(HERE / "all_pairs.json", config=CONFIG | {"pairs": len(i)}, results=seconds)


if __name__ == "__main__":
    main()
