"""The loop at 100,000 and a million vectors: what comes before the first question beside the neighbour search alone, every question, memory.

``python -m benchmarks.speed.large_loop [NAME …]``: those of CONFIG that are named, all by default, each in a process of its own.
"""

from __future__ import annotations

import json
import resource
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.record import keep

PATH = Path(__file__).with_suffix(".json")
CONFIG: dict[str, Any] = {
    "runs": {
        "10,000 in 100 classes": {"n": 10_000, "classes": 100, "spread": 1.0, "answers": 1_000},
        "100,000 in 1,000 classes": {"n": 100_000, "classes": 1_000, "spread": 1.0, "answers": 1_000},
        "100,000 in 20,000 classes": {"n": 100_000, "classes": 20_000, "spread": 0.5, "answers": 1_000},
        "100,000 in 1,000 classes, 200 answers": {"n": 100_000, "classes": 1_000, "spread": 1.0, "answers": 200},
        "1,000,000 in 1,000 classes": {"n": 1_000_000, "classes": 1_000, "spread": 1.0, "answers": 200},
    },
    "d": 64,
    "data": "normal classes around normal centres; spread: deviation of a class, that of the centres being 1",
    "seconds": "by the clock, asking only",
    "seed": 0,
}
LOOKED_UP = 1000  # items whose exact neighbours are found, to see how many of them the graph has


def draw(n: int, classes: int, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Vectors in float32 and their classes."""
    rng = np.random.default_rng(CONFIG["seed"])
    truth = rng.integers(0, classes, n)
    centres = rng.normal(size=(classes, CONFIG["d"])).astype(np.float32)
    X = rng.standard_normal((n, CONFIG["d"]), np.float32)
    X *= np.float32(spread)
    X += centres[truth]
    return X, truth


def measure(n: int, classes: int, spread: float, answers: int) -> dict[str, float]:
    """Seconds of everything, while a person who is always right answers."""
    from likewise import Session
    from likewise.distances import nearest
    from likewise.metrics import ari
    from likewise.query.dendrogram.structure import N_NEIGHBORS, N_PROBE

    compile_all()
    X, truth = draw(n, classes, spread)
    start = perf_counter()
    found = nearest(X, n_neighbors=N_NEIGHBORS, n_probe=N_PROBE)
    alone = perf_counter() - start
    some = np.random.default_rng(1).choice(n, LOOKED_UP, replace=False)
    exact = nearest(X[some], X, n_neighbors=N_NEIGHBORS + 1, method="faiss").indices
    recall = np.mean([len(set(a) & set(b)) / N_NEIGHBORS for a, b in zip(exact, found.indices[some], strict=True)])
    del found
    start = perf_counter()
    session = Session(X, random_state=0)
    waits, scores = [], {}
    for k in range(answers + 1):
        if k in (0, 100, 1_000, answers):
            scores[str(k)] = ari(truth, session.labels_)
        begin = perf_counter()
        question = session.ask()
        waits.append(perf_counter() - (start if k == 0 else begin))
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    rest = np.array(waits[1:])
    return {
        "n": n,
        "neighbours_seconds": alone,
        "recall": float(recall),
        "first_seconds": waits[0],
        "first_ratio": waits[0] / alone,
        "median_seconds": float(np.median(rest)),
        "p99_seconds": float(np.quantile(rest, 0.99)),
        "longest_seconds": float(rest.max()),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "ari": scores,
    }


def compile_all() -> None:
    """Have every kernel compiled before anything is measured."""
    from likewise import Session

    X, truth = draw(6000, 20, 0.5)
    session = Session(X, random_state=0)
    for _ in range(60):
        question = session.ask()
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")


def main() -> None:
    kept = json.loads(PATH.read_text())["results"] if PATH.exists() else {}
    for name in sys.argv[1:] or CONFIG["runs"]:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            kept[name] = pool.submit(measure, **CONFIG["runs"][name]).result()
        print(name, kept[name])
        keep(PATH, config=CONFIG, results=kept, adds=True)


if __name__ == "__main__":
    main()
