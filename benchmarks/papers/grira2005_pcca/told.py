"""PCCA that is told the number of clusters and starts from PCKMeans, beside PCKMeans: what memberships add on four classes.

``python -m benchmarks.papers.grira2005_pcca.told`` keeps ``told.json``.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from benchmarks.papers.grira2005_pcca.__main__ import HERE, SETS, draw_pairs, load, told
from benchmarks.papers.seeds import mean_and_interval
from benchmarks.record import keep
from likewise.cluster import PCCA, PCKMeans
from likewise.metrics import well_categorized

SET = "four-classes"
CONFIG = {"constraints": [100, 200, 400], "seeds": 10, "prices": [0.3, 1.0, 3.0], "set": SET}


class Told(PCCA):
    """PCCA with a given number of clusters, from where constrained k-means ends."""

    def _fit_weighed(self, X: np.ndarray, constraints: Any) -> None:
        search = self._from_kmeans(
            X, constraints, constraints.levels(), self.max_clusters, check_random_state(self.random_state)
        )
        search.alpha = self._price(search.scale)
        search.compete(0.0, self.tau, self.max_iter)
        self._keep(search)


def measure(X: np.ndarray, truth: np.ndarray, count: int) -> dict[str, list[float]]:
    """Share of well-categorised pictures of each seed; prices are times the variance of the items."""
    k, scale = len(np.unique(truth)), float(X.var(axis=0).sum())
    found: dict[str, list[float]] = {}
    for seed in range(CONFIG["seeds"]):
        said = told(truth, draw_pairs(len(X), count, seed))
        models = {f"PCCA, told, alpha {a:g}": Told(k, alpha=a * scale, random_state=seed) for a in CONFIG["prices"]}
        for name, model in ({"PCKMeans": PCKMeans(k, random_state=seed)} | models).items():
            found.setdefault(name, []).append(round(float(well_categorized(truth, model.fit_predict(X, **said))), 4))
    return found


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    found = load(SETS[SET])
    if found is None:
        return
    rows = []
    for count in CONFIG["constraints"]:
        for name, values in measure(*found, count).items():
            mean, interval = mean_and_interval(values)
            rows.append(
                {"method": name, "constraints": count, "mean": mean, "interval_95": interval, "by_seed": values}
            )
            print(count, name, mean, interval, flush=True)
    keep(HERE / "told.json", config=CONFIG, results=rows)


if __name__ == "__main__":
    main()
