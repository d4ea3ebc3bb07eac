"""The nearest neighbours of all items: seconds, recall and memory on one machine and on a Dask cluster of two processes of it.

``python -m benchmarks.speed.neighbours [NUMBER …]``: those of CONFIG that are named, all by default, each in a process of its own.
"""

from __future__ import annotations

import json
import resource
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from benchmarks.record import keep
from benchmarks.speed.large_loop import draw

PATH = Path(__file__).with_suffix(".json")
CONFIG: dict[str, Any] = {
    "numbers": [10_000, 30_000, 100_000],
    "n_neighbors": 15,
    "n_probe": 16,
    "data": "as benchmarks.speed.large_loop draws it: 64 dimensions, 1,000 classes, spread 1",
    "recall": "share of the exact neighbours of 1,000 items that are found",
    "dask": "two processes of the same machine, the vectors in a file",
    "seconds": "by the clock; cpu_seconds of all threads, which other programs on the machine change less",
}
LOOKED_UP = 1000


def recall_of(found: Any, exact: Any, some: np.ndarray) -> float:
    """Share of the exact neighbours of some items that were found."""
    pairs = zip(exact.indices, found.indices[some], some, strict=True)
    return float(np.mean([len((set(a) - {i}) & set(b)) / len(b) for a, b, i in pairs]))


def measure(n: int) -> dict[str, Any]:
    """Seconds, recall and memory of n items."""
    import tempfile

    from likewise.distances import nearest, nearest_on_dask
    from likewise.distances.neighbours import choose_method
    from likewise.machines import connect, open_cluster

    X, _ = draw(n, 1_000, 1.0)
    options = {"n_neighbors": CONFIG["n_neighbors"], "n_probe": CONFIG["n_probe"]}
    for method in ("exact", "faiss", "ivf"):  # compiled and loaded before anything is measured
        nearest(X[:4000], method=method, **options)
    start, busy = perf_counter(), process_time()
    found = nearest(X, **options)
    here, cpu = perf_counter() - start, process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    some = np.random.default_rng(1).choice(n, LOOKED_UP, replace=False)
    exact = nearest(X[some], X, n_neighbors=CONFIG["n_neighbors"] + 1, method="faiss")
    with tempfile.TemporaryDirectory() as folder, open_cluster("2") as address, connect(address) as client:
        np.save(Path(folder) / "x.npy", X)
        mapped = np.load(Path(folder) / "x.npy", mmap_mode="r")
        nearest_on_dask(X[:4000], client, **options)
        start = perf_counter()
        there = nearest_on_dask(mapped, client, **options)
        on_dask = perf_counter() - start
    return {
        "n": n,
        "method": choose_method("auto", "euclidean", X.size * n),
        "seconds": here,
        "cpu_seconds": cpu,
        "recall": recall_of(found, exact, some),
        "peak_mb": peak,
        "dask_seconds": on_dask,
        "dask_recall": recall_of(there, exact, some),
        "equal_rows": float(np.mean((found.indices == there.indices).all(axis=1))),
    }


def main() -> None:
    kept = json.loads(PATH.read_text())["results"] if PATH.exists() else {}
    for n in [int(each) for each in sys.argv[1:]] or CONFIG["numbers"]:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            kept[f"{n:,}"] = pool.submit(measure, n).result()
        print(n, kept[f"{n:,}"])
        keep(PATH, config=CONFIG, results=kept, adds=True)


if __name__ == "__main__":
    main()
