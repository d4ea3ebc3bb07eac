"""Where HMRF or NPKL is ahead of DistLQP: what is owed to means of vectors in the place of medoids.

``LIKEWISE_DATA=… python -m benchmarks.papers.biswas2014_distlqp.vectors [--sets 3] [--starts 5]`` keeps ``vectors.json``: Jaccard's coefficient, with
the fewest constraints and with those of tracks, of clusterers that take means of the vectors that scaling makes of the distances: k-means that
hears no constraint, COP-KMeans, and COP-KMeans on the vectors of the distances that DistLQP learned; beside COP-KMeans by medoids, as in
``results.json``. Besides, the correlation of the distances with those between the vectors.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import KMeans

from benchmarks.papers.biswas2014_active.sets import load
from benchmarks.papers.biswas2014_distlqp.__main__ import CONFIG, HERE, draw, draw_tracks, with_constraints
from benchmarks.papers.seeds import mean_and_interval
from benchmarks.record import keep
from likewise.cluster import HMRF, COPKMeans
from likewise.distances import MDS, DistLQP
from likewise.metrics import jaccard

SETS = ("faces-400", "leaf-990")
PLAIN, LEARNED = "COP-KMeans", "COP-KMeans + DistLQP"


def likeness(D: np.ndarray, vectors: np.ndarray) -> float:
    """Correlation of the distances with those between the vectors."""
    return float(np.corrcoef(squareform(D, checks=False), pdist(vectors))[0, 1])


def one_set(
    D: np.ndarray,
    truth: np.ndarray,
    alpha: float,
    sides: dict[str, np.ndarray],
    seeds: range,
    n_components: int = CONFIG["mds"],
) -> dict[str, float]:
    """Mean coefficient of every method over the starts of one set of constraints."""
    k = len(np.unique(truth))
    learned = DistLQP(CONFIG["n_neighbors"], alpha=alpha).fit_transform(D, **sides)
    pairs = sides["must_link"], sides["cannot_link"]
    plain, better = (with_constraints(M, *pairs) for M in (D, learned))
    vectors, moved = (MDS(n_components).fit_transform(M) for M in (D, better))
    found = defaultdict(list)
    for seed in seeds:
        one: dict[str, Any] = {"n_init": 1, "random_state": seed}
        labels = {
            PLAIN: COPKMeans(k, metric="precomputed", **one).fit_predict(plain, **sides),
            LEARNED: COPKMeans(k, metric="precomputed", **one).fit_predict(better, **sides),
            "HMRF-com + MDS": HMRF(k, **one).fit_predict(vectors, **sides),
            "k-means + MDS, no constraint": KMeans(k, **one).fit_predict(vectors),
            f"{PLAIN} + MDS": COPKMeans(k, **one).fit_predict(vectors, **sides),
            f"{LEARNED} + MDS": COPKMeans(k, **one).fit_predict(moved, **sides),
        }
        for method, each in labels.items():
            found[method].append(jaccard(truth, each))
    return {m: float(np.mean(v)) for m, v in found.items()} | {"correlation": likeness(D, vectors)}


def run(name: str, count: int | str, n_sets: int, n_starts: int) -> dict[str, Any] | None:
    """Every method at one number of constraints: the mean of every set of constraints, and their mean."""
    data = load(name)
    if data is None:
        return None
    D, rows = data.D / data.D.max(), defaultdict(list)
    for number in range(n_sets):
        rng = np.random.default_rng(number)
        must, cannot = draw_tracks(data.truth, rng) if count == "tracks" else draw(data.truth, int(count), rng)
        sides = {"must_link": must, "cannot_link": cannot}
        starts = range(100 * number, 100 * number + n_starts)
        for method, value in one_set(D, data.truth, CONFIG[name]["alpha"], sides, starts).items():
            rows[method].append(round(value, 4))
        print(name, count, number, {m: v[-1] for m, v in rows.items()}, flush=True)
    likes = rows.pop("correlation")
    jaccards = {m: {"mean": mean_and_interval(v)[0], "by set": v} for m, v in rows.items()}
    return {"set": name, "constraints": count, "jaccard": jaccards, "correlation": likes[0]}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", type=int, default=3)
    parser.add_argument("--starts", type=int, default=5)
    given = parser.parse_args()
    places = [(name, count) for name in SETS for count in (CONFIG[name]["constraints"][0], "tracks")]
    rows = [row for place in places if (row := run(*place, given.sets, given.starts)) is not None]
    if rows:
        keep(
            HERE / "vectors.json",
            config={**CONFIG, "sets of constraints": given.sets, "starts": given.starts},
            results=rows,
        )


if __name__ == "__main__":
    main()
