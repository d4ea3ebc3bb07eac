"""Bayesian active clustering beside MinMax and NPU with MPCKMeans and ITML (Fig. 4.1, 4.2).

``LIKEWISE_DATA=… python -m benchmarks.papers.pei2015_bayesian [SET ...] [--seeds 20] [--methods M ...]`` keeps ``results/SET.json``
and draws ``results/SET.png``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans

from benchmarks.askers.sets import load
from benchmarks.record import keep
from likewise import Session
from likewise.cluster import BayesianClustering, MPCKMeans
from likewise.distances import ITML
from likewise.metrics import pairwise_f

HERE = Path(__file__).parent
SETS = ("sonar", "balance-scale", "letters-IJ", "digits-389")
COUNTS = [10, 20, 40, 60]


class ITMLMeans(BaseEstimator):
    """K-means under the metric that ITML learns, as in the thesis."""

    def __init__(self, n_clusters=2, random_state=None):
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit_predict(self, X, y=None, *, must_link=None, cannot_link=None):
        """Labels under the pairs."""
        learned = ITML().fit(X, must_link=must_link, cannot_link=cannot_link).transform(X)
        return KMeans(self.n_clusters, n_init=10, random_state=self.random_state).fit_predict(learned)


METHODS = {
    "Info+BC": ("bayesian", {}),
    "Uncertain+BC": ("bayesian", {"criterion": "uncertain"}),
    "random+BC": ("random", {"clusterer": BayesianClustering()}),
    "MinMax+MPCKMeans": ("minmax", {"clusterer": MPCKMeans()}),
    "MinMax+ITML": ("minmax", {"clusterer": ITMLMeans()}),
    "NPU+MPCKMeans": ("npu", {"clusterer": MPCKMeans()}),
    "NPU+ITML": ("npu", {"clusterer": ITMLMeans()}),
}


def vectors(name: str):
    """Vectors scaled to variance 1 a column, and classes."""
    chosen = {"letters-IJ": ("letter-recognition", [8, 9]), "digits-389": ("pendigits", [3, 8, 9])}
    table, classes = chosen.get(name, (name, None))
    found = load(table)
    if found is None:
        return None
    X, truth = found
    if classes is not None:
        kept = np.isin(truth, classes)
        X, truth = X[kept], truth[kept]
    return (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0), truth


def run(X, truth, method: str, seed: int) -> dict:
    strategy, options = METHODS[method]
    session = Session(X, strategy=strategy, n_clusters=len(np.unique(truth)), random_state=seed, **options)
    curve = {}
    start = perf_counter()
    for answers in range(1, COUNTS[-1] + 1):
        question = session.ask()
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
        if answers in COUNTS:
            curve[answers] = pairwise_f(truth, session.labels_)
    return {"f": curve, "seconds": perf_counter() - start}


def summary(name: str, runs: dict[str, list[dict]]) -> list[dict]:
    table = []
    for method, seeds in runs.items():
        for count in COUNTS:
            values = [r["f"][count] for r in seeds]
            spread = 1.96 * np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("nan")
            table.append(
                {
                    "method": method,
                    "answers": count,
                    "pairwise_f": round(float(np.mean(values)), 4),
                    "interval_95": round(float(spread), 4),
                    "seeds": len(values),
                    "seconds_a_run": round(float(np.mean([r["seconds"] for r in seeds])), 2),
                }
            )
        print(
            name,
            method,
            [row["pairwise_f"] for row in table[-len(COUNTS) :]],
            f"{table[-1]['seconds_a_run']} s",
            flush=True,
        )
    return table


def draw(name: str, table: list[dict]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4.5), layout="constrained")
    axes = figure.subplots()
    for method in dict.fromkeys(row["method"] for row in table):
        rows = [row for row in table if row["method"] == method]
        axes.errorbar(
            [row["answers"] for row in rows],
            [row["pairwise_f"] for row in rows],
            yerr=[row["interval_95"] for row in rows],
            label=method,
            lw=2.5 if "BC" in method else 1,
            capsize=2,
        )
    axes.set(xlabel="answers", ylabel="pairwise F", title=name)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)
    figure.savefig(HERE / "results" / f"{name}.png", dpi=90)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    given = parser.parse_args()
    for name in given.sets:
        found = vectors(name)
        if found is None:
            continue
        runs = {m: [run(*found, m, seed) for seed in range(given.seeds)] for m in given.methods}
        table = summary(name, runs)
        config = {"set": name, "n": len(found[0]), "seeds": given.seeds, "seeds_of_the_thesis": 30}
        keep(HERE / "results" / f"{name}.json", config=config, results=table)
        draw(name, table)


if __name__ == "__main__":
    main()
