"""Fig. 5 of ch. 4: SJC as the size of the restricted set changes, and as the size of the subclusters does.

``LIKEWISE_DATA=… python -m benchmarks.papers.biswas2014_subclustering.sweeps [SET ...]`` keeps ``sweeps-SET.json``. The thesis leaves
Fast-PAM out of the second, as it was slow.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.papers.biswas2014_subclustering.__main__ import (
    SETS,
    bubbles,
    closest,
    subclusterings,
    whole_clusterings,
)
from benchmarks.papers.biswas2014_subclustering.sets import Set
from benchmarks.record import keep
from likewise.distances import pairwise
from likewise.metrics import subclustering_jaccard

SWEPT = ("digits", "flowers-17")  # the leaves have too few of a class
RESTRICTED = (5, 10, 20, 30, 40)  # candidates for a centre, for each cluster
SIZES = (5, 10, 15, 20, 25)
RUNS = 10  # as in the thesis


def sweep(data: Set, D: np.ndarray, seed: int) -> list[dict]:
    """Every point of the figure, of one seed."""
    k, rows = int(data.truth.max()) + 1, []

    def add(what: str, value: int, method: str, subclusters, seconds: float | None = None) -> None:
        found = {"what": what, "value": value, "method": method}
        rows.append({**found, "sjc": subclustering_jaccard(data.truth, subclusters), "seconds": seconds})

    for times in RESTRICTED:
        for method, find in subclusterings(data, D, seed, restricted=times * k).items():
            start = process_time()
            subclusters = find()
            add("restricted", times, method, subclusters, process_time() - start)
    labels = {method: find() for method, find in whole_clusterings(data, D, seed).items()}  # whatever the size
    for size in SIZES:
        add("size", size, "BBC-S", bubbles(D, k, size, seed))
        for method, found in labels.items():
            add("size", size, method, closest(D, found, size))
        for method, find in subclusterings(data._replace(size=size), D, seed).items():
            add("size", size, method, find())
    return rows


def summary(runs: list[list[dict]]) -> list[dict]:
    """A row a point and method, with what every seed gave."""
    table = []
    for rows in zip(*runs, strict=True):
        point = {key: rows[0][key] for key in ("what", "value", "method")}
        times = [row["seconds"] for row in rows if row["seconds"] is not None]
        seconds = {"seconds": round(float(np.median(times)), 4)} if times else {}
        table.append({**point, "sjc_by_seed": [round(row["sjc"], 4) for row in rows], **seconds})
    return table


def main(names: list[str]) -> None:
    for name in names:
        data = SETS[name]()
        if data is None:
            continue
        D = pairwise(data.X, metric=data.metric)
        table = summary([sweep(data, D, seed) for seed in range(RUNS)])
        for row in table:
            print(name, row["what"], row["value"], row["method"], np.mean(row["sjc_by_seed"]).round(3), flush=True)
        config = {"set": name, "size": data.size, "metric": data.metric, "runs": RUNS}
        keep(Path(__file__).parent / f"sweeps-{name}.json", config=config, results=table)


if __name__ == "__main__":
    main(sys.argv[1:] or list(SWEPT))
