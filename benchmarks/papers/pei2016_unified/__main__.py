"""Discriminative clustering from pairs and from triplets beside metric learners and constrained EM (Fig. 3.2 to 3.5).

``LIKEWISE_DATA=… python -m benchmarks.papers.pei2016_unified [SET ...] [--seeds 20] [--shares 0.1 0.3 0.6] [--methods M ...]``
keeps ``results/SET.json`` and draws ``results/SET.png``. Triplets are half as many as pairs, as in the thesis.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.cluster import KMeans

from benchmarks.askers.sets import load
from benchmarks.record import keep
from benchmarks.speed.discriminative import questions
from likewise.cluster import ConstrainedEM, DiscriminativeClustering
from likewise.distances import ITML, LSML, MMC
from likewise.metrics import pairwise_f

HERE = Path(__file__).parent
SETS = ("ionosphere", "diabetes", "balance-scale", "digits-389", "letters-IJLT")
CHOSEN = {"letters-IJLT": ("letter-recognition", [8, 9, 11, 19]), "digits-389": ("pendigits", [3, 8, 9])}


def vectors(name: str):
    """Vectors scaled to variance 1 a column, and classes."""
    table, classes = CHOSEN.get(name, (name, None))
    found = load(table)
    if found is None:
        return None
    X, truth = found
    if classes is not None:
        kept = np.isin(truth, classes)
        X, truth = X[kept], truth[kept]
    return (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0), truth


def under_metric(learner, X, k, seed, **given):
    return KMeans(k, n_init=10, random_state=seed).fit_predict(learner.fit(X, **given).transform(X))


def nearer(triplets):
    """(a, b, c), a nearer to b than to c: two comparisons a triplet that is not *none*."""
    out = []
    for a, b, c, value in triplets:
        if value != "none":
            x, y, z = {"ab": (a, b, c), "ac": (a, c, b), "bc": (b, c, a)}[value]
            out += [(x, y, z), (y, x, z)]
    return np.array(out).reshape(-1, 3)


def told(triplets):
    return [t for t in triplets if t[3] != "none"]


METHODS = {
    "DC-P": lambda X, k, s, p, t: DiscriminativeClustering(k, random_state=s).fit_predict(X, **p),
    "DC-P hard": lambda X, k, s, p, t: DiscriminativeClustering(k, epsilon=0.0, random_state=s).fit_predict(
        X, **p
    ),
    "ITML": lambda X, k, s, p, t: under_metric(ITML(), X, k, s, **p),
    "MMC": lambda X, k, s, p, t: under_metric(MMC(), X, k, s, **p),
    "ConstrainedEM": lambda X, k, s, p, t: ConstrainedEM(k, random_state=s).fit_predict(X, **p),
    "DC-R": lambda X, k, s, p, t: DiscriminativeClustering(k, random_state=s).fit_predict(X, triplets=t),
    "DC-R-C": lambda X, k, s, p, t: DiscriminativeClustering(k, random_state=s).fit_predict(
        X, triplets=told(t)
    ),
    "DC-R hard": lambda X, k, s, p, t: DiscriminativeClustering(k, epsilon=0.0, random_state=s).fit_predict(
        X, triplets=t
    ),
    "LSML": lambda X, k, s, p, t: under_metric(LSML(random_state=s), X, k, s, triplets=nearer(t)),
}


def run(X, truth, share: float, seed: int, methods: list[str]) -> list[dict]:
    rng = np.random.default_rng(seed)
    m = int(share * len(X))
    pairs, triplets = questions(rng, truth, m)
    rows = []
    for method in methods:
        start = perf_counter()
        labels = METHODS[method](X, len(np.unique(truth)), seed, pairs, triplets["triplets"][: m // 2])
        rows.append(
            {
                "method": method,
                "share": share,
                "f": pairwise_f(truth, labels),
                "seconds": perf_counter() - start,
            }
        )
    return rows


def summary(name: str, rows: list[dict], shares: list[float], methods: list[str]) -> list[dict]:
    table = []
    for method in methods:
        for share in shares:
            found = [r for r in rows if r["method"] == method and r["share"] == share]
            values = [r["f"] for r in found]
            spread = 1.96 * np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("nan")
            table.append(
                {
                    "method": method,
                    "share": share,
                    "pairwise_f": round(float(np.mean(values)), 4),
                    "interval_95": round(float(spread), 4),
                    "seconds": round(float(np.mean([r["seconds"] for r in found])), 3),
                    "seeds": len(values),
                }
            )
        print(name, method, [row["pairwise_f"] for row in table[-len(shares) :]], flush=True)
    return table


def draw(name: str, table: list[dict]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4.5), layout="constrained")
    axes = figure.subplots()
    for method in dict.fromkeys(row["method"] for row in table):
        rows = [row for row in table if row["method"] == method]
        axes.errorbar(
            [row["share"] for row in rows],
            [row["pairwise_f"] for row in rows],
            yerr=[row["interval_95"] for row in rows],
            label=method,
            lw=2.5 if method in ("DC-P", "DC-R") else 1,
            capsize=2,
        )
    axes.set(xlabel="pairs an item (triplets: half)", ylabel="pairwise F", title=name)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)
    figure.savefig(HERE / "results" / f"{name}.png", dpi=90)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--shares", type=float, nargs="*", default=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    given = parser.parse_args()
    for name in given.sets:
        found = vectors(name)
        if found is None:
            continue
        rows = [
            row
            for seed in range(given.seeds)
            for share in given.shares
            for row in run(*found, share, seed, given.methods)
        ]
        table = summary(name, rows, given.shares, given.methods)
        config = {
            "set": name,
            "n": len(found[0]),
            "seeds": given.seeds,
            "seeds_of_the_thesis": 20,
            "parameters": "defaults: not chosen by held-out answers",
        }
        keep(HERE / "results" / f"{name}.json", config=config, results=table)
        draw(name, table)


if __name__ == "__main__":
    main()
