"""Purity of PCKMeans with the number of clusters that PCCA found: what is owed to being told a larger one.

``LIKEWISE_DATA=… python -m benchmarks.papers.grira2005_pcca.same_number`` keeps ``same_number.json``, of the numbers in ``results/eight-uneven.json``. Purity rises
with the number of clusters, whatever they are.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from benchmarks.papers.grira2005_pcca.__main__ import HERE, SETS, draw_pairs, load, told
from benchmarks.papers.seeds import mean_and_interval
from benchmarks.record import keep
from likewise.cluster import PCKMeans
from likewise.metrics import purity

SET = "eight-uneven"
OURS = "PCCA, number by answers"


def with_numbers(X: np.ndarray, truth: np.ndarray, count: int, numbers: list[int]) -> list[float]:
    """Purity of every seed, with its number of clusters."""
    found = []
    for seed, number in enumerate(numbers):
        labels = PCKMeans(number, random_state=seed).fit_predict(X, **told(truth, draw_pairs(len(X), count, seed)))
        found.append(round(float(purity(truth, labels)), 4))
    return found


def main() -> None:
    data = load(SETS[SET])
    if data is None:
        return
    rows: list[dict[str, Any]] = []
    for row in json.loads((HERE / "results" / f"{SET}.json").read_text())["results"]:
        if row["constraints"] < 100:
            continue
        numbers = row[f"{OURS}: clusters by_seed"]
        by_seed = with_numbers(*data, row["constraints"], numbers)
        mean, interval = mean_and_interval(by_seed)
        rows.append({"constraints": row["constraints"], "mean": mean, "interval_95": interval, "by_seed": by_seed})
        print(rows[-1], flush=True)
    keep(HERE / "same_number.json", config={"set": SET, "numbers of": OURS}, results=rows)


if __name__ == "__main__":
    main()
