"""PCCA on normal clusters from 10³ to 10⁶ items: seconds, the exponent of N, and the number of clusters found."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from benchmarks.record import keep
from likewise.cluster import PCCA

CONFIG = {
    "n": [1000, 10_000, 100_000, 1_000_000],
    "d": 4,
    "clusters": 5,
    "max_clusters": 15,
    "constraints": 200,
    "seed": 0,
}


def main() -> None:
    rng = np.random.default_rng(CONFIG["seed"])
    centres = 12.0 * np.eye(CONFIG["clusters"], CONFIG["d"])
    rows = []
    for n in [100, *CONFIG["n"]]:  # the first compiles
        truth = rng.integers(0, CONFIG["clusters"], n)
        X = centres[truth] + rng.normal(size=(n, CONFIG["d"]))
        pairs = rng.permutation(n)[: min(n // 2, CONFIG["constraints"]) * 2].reshape(-1, 2)
        same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
        started, cpu = perf_counter(), process_time()
        model = PCCA(CONFIG["max_clusters"], random_state=0).fit(X, must_link=pairs[same], cannot_link=pairs[~same])
        row = {"n": n, "seconds": perf_counter() - started, "cpu_seconds": process_time() - cpu}
        row |= {"rounds": model.n_iter_, "clusters": model.n_clusters_}
        rows.append(row)
        print(
            f"{n:8d} items: {row['seconds']:.2f} s, {row['cpu_seconds']:.2f} s of a core, {model.n_iter_} rounds, {model.n_clusters_} clusters",
            flush=True,
        )
    rows = rows[1:]
    sizes = np.log([row["n"] for row in rows])
    slopes = {
        key: float(np.polyfit(sizes, np.log([row[key] for row in rows]), 1)[0]) for key in ("seconds", "cpu_seconds")
    }
    print(f"exponent of N: {slopes['seconds']:.3f} in seconds, {slopes['cpu_seconds']:.3f} in seconds of a core")
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results={"rows": rows, "exponent": slopes})


if __name__ == "__main__":
    main()
