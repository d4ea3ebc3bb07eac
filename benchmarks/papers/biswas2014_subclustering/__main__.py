"""Fig. 4 and Table 4.1: SJC and seconds of subclustering and of whole clusterings cut to their closest items."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.cluster import SpectralClustering

from benchmarks.papers.biswas2014_subclustering.sets import Set, digits, flowers, leaves
from benchmarks.record import keep
from likewise.cluster import KMedoids, Subclustering
from likewise.distances import pairwise
from likewise.metrics import subclustering_jaccard

SETS = {"leaf-99": leaves, "digits": digits, "flowers-17": flowers}


def closest(D: np.ndarray, labels: np.ndarray, size: int) -> list[np.ndarray]:
    """Every cluster's medoid and the items of the cluster nearest to it."""
    found = []
    for k in np.unique(labels):
        members = np.flatnonzero(labels == k)
        inside = D[np.ix_(members, members)]
        found.append(members[np.argsort(inside[np.argmin(inside.sum(axis=1))], kind="stable")[:size]])
    return found


def bubbles(D: np.ndarray, k: int, size: int, seed: int) -> list[np.ndarray]:
    """BBC-S: medoids and the k · size items closest to any of them, in turn until the medoids rest."""
    rng = np.random.default_rng(seed)
    medoids = rng.permutation(len(D))[:k]
    for _ in range(100):
        nearest = np.argmin(D[medoids], axis=0)
        kept = np.argsort(D[medoids].min(axis=0), kind="stable")[: k * size]
        groups = [kept[nearest[kept] == j] for j in range(k)]
        new = np.array(
            [g[np.argmin(D[np.ix_(g, g)].sum(axis=1))] if len(g) else m for g, m in zip(groups, medoids, strict=True)]
        )
        if (new == medoids).all():
            break
        medoids = new
    return [g[np.argsort(D[m, g], kind="stable")[:size]] for g, m in zip(groups, medoids, strict=True)]


def whole_clusterings(data: Set, D: np.ndarray, seed: int) -> dict:
    """Who clusters everything, and is cut to the closest items of every cluster: labels when called."""
    k = int(data.truth.max()) + 1
    affinity = np.exp(-((D / np.median(np.sort(D, axis=1)[:, 7])) ** 2))
    given = {"metric": "precomputed", "random_state": seed}
    return {
        "K-medoids": lambda: KMedoids(k, method="alternate", **given).fit_predict(D),
        "normalised cut": lambda: SpectralClustering(
            k, affinity="precomputed", random_state=seed, n_init=1
        ).fit_predict(affinity),
        "Fast-PAM": lambda: KMedoids(k, restricted=min(20 * k, len(D)), **given).fit_predict(D),
    }


def subclusterings(data: Set, D: np.ndarray, seed: int, **options) -> dict:
    """Who makes subclusters straight away; options are those of Subclustering."""
    k, given = int(data.truth.max()) + 1, {"metric": "precomputed", "random_state": seed, "size": data.size, **options}
    return {
        "Subclustering, as published": lambda: Subclustering(k, probability="exponential", **given).fit(D).subclusters_,
        "Subclustering": lambda: Subclustering(k, **given).fit(D).subclusters_,
    }


def methods(data: Set, D: np.ndarray, seed: int) -> dict:
    k, size = int(data.truth.max()) + 1, data.size
    whole = whole_clusterings(data, D, seed)
    cut = {name: lambda labels=labels: closest(D, labels(), size) for name, labels in whole.items()}
    return {"BBC-S": lambda: bubbles(D, k, size, seed), **cut, **subclusterings(data, D, seed)}


def main(names: list[str], runs: int = 10) -> None:
    for name in names:
        data = SETS[name]()
        if data is None:
            continue
        D = pairwise(data.X, metric=data.metric)
        found: dict[str, list[tuple[float, float]]] = {}
        for seed in range(runs):
            for method, run in methods(data, D, seed).items():
                started = perf_counter()
                subclusters = run()
                seconds = perf_counter() - started
                found.setdefault(method, []).append((subclustering_jaccard(data.truth, subclusters), seconds))
        rows = []
        for method, pairs in found.items():
            scores, times = np.array(pairs).T
            rows.append(
                {"method": method, "sjc": scores.mean(), "deviation": scores.std(), "seconds": float(np.median(times))}
            )
            print(
                f"{name}, {method}: SJC {scores.mean():.4f} ± {scores.std():.4f}, {np.median(times):.2f} s", flush=True
            )
        config = {"set": name, "size": data.size, "metric": data.metric, "runs": runs}
        keep(Path(__file__).parent / "results" / f"{name}.json", config=config, results=rows)


if __name__ == "__main__":
    main(sys.argv[1:] or list(SETS))
