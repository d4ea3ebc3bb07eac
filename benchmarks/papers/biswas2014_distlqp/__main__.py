"""Figure 3 and the constraints of table 2.2: ``python -m benchmarks.papers.biswas2014_distlqp``.

Leaves (χ² distances) and ORL faces (embeddings) stand in for Leafsnap and PubFig. Distances are divided by the largest, as
the bounds and prices of the program are for distances of that size. Every method starts once a fit (``n_init=1``); scores are
means over starts and sets of constraints. ``--starts`` (``--others`` for the methods that DistLQP is not part of) and ``--sets``
bound the run; what was run is kept. What is learned from a set of constraints, and their closure, is shared by all starts.
Tracks: must-links join neighbours of a run of one class, cannot-links two runs seen at the same time.
"""

from __future__ import annotations

import argparse
import itertools
from collections import defaultdict
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.papers.biswas2014_active.sets import load
from benchmarks.papers.curves import plot_sets
from benchmarks.record import keep
from likewise.cluster import HMRF, COPKMeans, KMedoids
from likewise.cluster.feasible import FeasibleAssignment
from likewise.constraints import Constraints
from likewise.distances import ITML, MDS, NPKL, DistLQP
from likewise.metrics import jaccard

HERE = Path(__file__).parent
CONFIG = {
    "leaf-990": {"constraints": [1000, 3000, 5000], "alpha": 8.0},
    "faces-400": {"constraints": [400, 1200, 2000], "alpha": 3.0},
    "share of must-links": 0.2,
    "n_neighbors": 20,
    "mds": 60,
    "tracks": 5,
    "seeds": "sets of constraints from 0; starts 100 times the set's and up",
}
LEARNED = ("COP-KMeans", "COP-KMeans + DistLQP", "K-medoids", "K-medoids + DistLQP")


def draw(truth: np.ndarray, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Random constraints, a fifth of them must-links."""
    i, j = np.triu_indices(len(truth), 1)
    same = np.flatnonzero(truth[i] == truth[j])
    different = np.flatnonzero(truth[i] != truth[j])
    n_must = int(count * CONFIG["share of must-links"])
    chosen = [rng.choice(same, n_must, replace=False), rng.choice(different, count - n_must, replace=False)]
    return tuple(np.column_stack([i[c], j[c]]) for c in chosen)


def draw_tracks(truth: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Runs of up to `tracks` items of a class; neighbours in a run are the same, overlapping runs different."""
    runs = []
    for c in np.unique(truth):
        members = rng.permutation(np.flatnonzero(truth == c))
        runs += [members[s : s + CONFIG["tracks"]] for s in range(0, len(members), CONFIG["tracks"])]
    must = [(a, b) for run in runs for a, b in itertools.pairwise(run)]
    order = rng.permutation(len(runs))
    overlapping = [(runs[a], runs[b]) for a, b in itertools.pairwise(order)]
    cannot = [(r[0], s[0]) for r, s in overlapping if truth[r[0]] != truth[s[0]]]
    return np.array(must), np.array(cannot)


def with_constraints(D: np.ndarray, must: np.ndarray, cannot: np.ndarray) -> np.ndarray:
    """Step 2 of §2.3: must-links at 0, cannot-links at the largest distance."""
    changed = D.copy()
    for pairs, value in ((must, 0.0), (cannot, D.max())):
        changed[pairs[:, 0], pairs[:, 1]] = changed[pairs[:, 1], pairs[:, 0]] = value
    return changed


def prepare(D: np.ndarray, k: int, alpha: float, must: np.ndarray, cannot: np.ndarray) -> tuple[dict, dict]:
    """What each method clusters, and the processor seconds it took to learn."""
    sides = {"must_link": must, "cannot_link": cannot}
    seconds = {}
    start = process_time()
    learned = DistLQP(CONFIG["n_neighbors"], alpha=alpha).fit_transform(D, **sides)
    seconds["DistLQP"] = process_time() - start
    start = process_time()
    kernel = NPKL(CONFIG["n_neighbors"]).fit_transform(D, **sides)
    seconds["NPKL"] = process_time() - start
    start = process_time()
    vectors = MDS(CONFIG["mds"]).fit_transform(D)
    seconds["MDS"] = process_time() - start
    start = process_time()
    moved = ITML(max_iter=100).fit_transform(vectors, **sides)
    seconds["ITML"] = process_time() - start
    plain, better = (with_constraints(M, must, cannot) for M in (D, learned))
    closure = FeasibleAssignment(Constraints(len(D), **sides), k)
    given = {"plain": plain, "learned": better, "kernel": kernel, "vectors": vectors, "itml": moved}
    return {**given, "closure": closure}, seconds


def cluster(name: str, given: dict, k: int, seed: int, sides: dict) -> np.ndarray:
    """Labels of one start of one method."""
    one = {"n_init": 1, "random_state": seed}
    cop = COPKMeans(k, metric="precomputed", **one)

    def constrained(D: np.ndarray) -> np.ndarray:
        return cop._by_medoids(D, given["closure"]).labels

    medoids = KMedoids(k, metric="precomputed", method="alternate", **one)
    by_name = {
        "COP-KMeans": lambda: constrained(given["plain"]),
        "COP-KMeans + DistLQP": lambda: constrained(given["learned"]),
        "K-medoids": lambda: medoids.fit_predict(given["plain"]),
        "K-medoids + DistLQP": lambda: medoids.fit_predict(given["learned"]),
        "COP-KMeans + NPKL": lambda: constrained(given["kernel"]),
        "ITML + MDS": lambda: COPKMeans(k, **one).fit_predict(given["itml"]),
        "HMRF-com + MDS": lambda: HMRF(k, **one).fit_predict(given["vectors"], **sides),
    }
    return by_name[name]()


METHODS = (*LEARNED, "COP-KMeans + NPKL", "ITML + MDS", "HMRF-com + MDS")


def run_set(name: str, n_sets: int, n_starts: int, n_others: int) -> list[dict]:
    found = load(name)
    if found is None:
        return []
    D, truth, k = found.D / found.D.max(), found.truth, len(np.unique(found.truth))
    rows = []
    for count in [*CONFIG[name]["constraints"], "tracks"]:
        scores, times = defaultdict(list), defaultdict(list)
        for seed in range(n_sets):
            rng = np.random.default_rng(seed)
            must, cannot = draw_tracks(truth, rng) if count == "tracks" else draw(truth, count, rng)
            sides = {"must_link": must, "cannot_link": cannot}
            given, seconds = prepare(D, k, CONFIG[name]["alpha"], must, cannot)
            for method, value in seconds.items():
                times[method].append(value)
            for method in METHODS:
                found = [
                    jaccard(truth, cluster(method, given, k, 100 * seed + start, sides))
                    for start in range(n_starts if method in LEARNED else n_others)
                ]
                scores[method].append(np.mean(found))
        gains = np.subtract(scores["COP-KMeans + DistLQP"], scores["COP-KMeans"])
        row = {
            "set": name,
            "constraints": count,
            "jaccard": {m: float(np.mean(s)) for m, s in scores.items()},
            "gain of COP-KMeans by DistLQP on every set of constraints": gains.tolist(),
        }
        row["seconds to learn"] = {m: float(np.mean(s)) for m, s in times.items()}
        rows.append(row)
        print(name, count, {m: round(s, 4) for m, s in row["jaccard"].items()}, gains.round(3), flush=True)
    return rows


def plot(rows: list[dict]) -> None:
    scores: dict[str, dict] = {row["set"]: {} for row in rows}
    for row in rows:
        if row["constraints"] != "tracks":
            scores[row["set"]][row["constraints"]] = row["jaccard"]
    plot_sets(HERE / "figure3.png", scores, "constraints", "Jaccard's coefficient")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", type=int, default=5)
    parser.add_argument("--starts", type=int, default=25)
    parser.add_argument("--others", type=int, default=25)
    options = parser.parse_args()
    counts = (options.sets, options.starts, options.others)
    rows = [row for name in ("leaf-990", "faces-400") for row in run_set(name, *counts)]
    if rows:
        names = ("sets of constraints", "starts", "starts of NPKL, ITML and HMRF")
        config = {**CONFIG, **dict(zip(names, counts, strict=True))}
        keep(HERE / "results.json", config=config, results=rows)
        plot(rows)


if __name__ == "__main__":
    main()
