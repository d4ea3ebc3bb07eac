"""Bayesian active clustering beside MinMax and NPU with MPCKMeans and ITML (Fig. 4.1, 4.2, Table 4.2).

``LIKEWISE_DATA=… python -m benchmarks.papers.pei2015_bayesian [SET ...] [--seeds 20] [--npu-seeds 20] [--first-seed 0]`` adds
what is missing to ``results/SET.json`` and draws ``results/SET.png``: random pairs on the left (4.1), chosen ones on the right (4.2).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans

from benchmarks.papers.curves import draw_panels, scaled_vectors
from benchmarks.papers.seeds import Runs, kept_runs, mean_and_interval
from benchmarks.record import keep
from likewise import Session
from likewise.cluster import BayesianClustering, MPCKMeans
from likewise.cluster.logistic.answer_forest import acyclic
from likewise.distances import ITML
from likewise.kernels.inference.forest_messages import send_down, send_up
from likewise.metrics import pairwise_f

HERE = Path(__file__).parent
SETS = ("sonar", "balance-scale", "letters-IJ", "digits-389")
CHOSEN = {"letters-IJ": ("letter-recognition", [8, 9]), "digits-389": ("pendigits", [3, 8, 9])}
COUNTS = [10, 20, 30, 40, 50, 60]


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
    "MinMax+MPCKMeans": ("minmax", {"clusterer": MPCKMeans()}),
    "MinMax+ITML": ("minmax", {"clusterer": ITMLMeans()}),
    "NPU+MPCKMeans": ("npu", {"clusterer": MPCKMeans()}),
    "NPU+ITML": ("npu", {"clusterer": ITMLMeans()}),
}
PASSIVE = {
    "BC+tree": (BayesianClustering, True),
    "ITML": (ITMLMeans, False),
    "ITML+tree": (ITMLMeans, True),
    "MPCKMeans": (MPCKMeans, False),
    "MPCKMeans+tree": (MPCKMeans, True),
}


def run(X, truth, method: str, seed: int, **more) -> dict:
    """One asker: F after so many answers, and how many pairs a cycle ruled out before the one that was asked."""
    strategy, options = METHODS[method]
    k = len(np.unique(truth))
    session = Session(X, strategy=strategy, n_clusters=k, random_state=seed, **options, **more)
    curve, dropped = {}, {}
    start = perf_counter()
    for answers in range(1, COUNTS[-1] + 1):
        question = session.ask()
        if "BC" in method and answers in COUNTS:
            dropped[str(answers)] = n_dropped(session, question.score)
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
        if answers in COUNTS:
            curve[str(answers)] = pairwise_f(truth, session.labels_)
    return {"f": curve, "dropped": dropped, "seconds": perf_counter() - start}


def n_dropped(session, score: float) -> int:
    """How many pairs that would close a cycle score above the one that is asked (Table 4.2)."""
    strategy = session.strategy
    particles = strategy.posterior(session.state)
    same = same_in_trees(particles)
    epsilon = particles.prior.epsilon
    same = epsilon + (1.0 - 2.0 * epsilon) * same
    mean = same.mean(axis=0)
    value = entropy(mean)
    if strategy.criterion == "info":
        value = value - entropy(same).mean(axis=0)
    # Pairs that were asked already are not candidates: only cycles count.
    return int((value > score).sum())


def entropy(t):
    return -t * np.log(t) - (1.0 - t) * np.log(1.0 - t)


def same_in_trees(particles) -> np.ndarray:
    """P(same | answers, W) of every particle and pair of items of one tree that was not asked, (s, c).

    Nodes come parents before children; given its parent a node does not depend on any that comes before it.
    """
    forest, epsilon = particles.forest, particles.prior.epsilon
    scores = particles.scores[:, forest.nodes]
    p = np.exp(scores - scores.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    s, m, k = p.shape
    belief, q = np.empty_like(p), np.empty_like(p)
    for a in range(s):
        send_up(p[a], forest, epsilon, belief[a])
        send_down(belief[a], forest, epsilon, q[a])
    joint = np.zeros((m, m, s, k, k))
    tree = np.arange(m)
    found = []
    for v in range(m):
        up = forest.parent[v]
        joint[v, v] = q[:, v, :, None] * np.eye(k)
        if up < 0:
            continue
        tree[v] = tree[up]
        off = epsilon if forest.is_same[v] else 1.0 - epsilon
        step = np.where(np.eye(k) > 0, 1.0 - off, off) * belief[:, v, None, :]
        step /= step.sum(axis=2, keepdims=True)
        for u in np.flatnonzero(tree[:v] == tree[v]):
            joint[u, v] = joint[u, up] @ step
            joint[v, u] = joint[u, v].transpose(0, 2, 1)
            if u != up:
                found.append(np.trace(joint[u, v], axis1=1, axis2=2))
    return np.array(found).reshape(-1, s).T


def listen(X, truth, method: str, seed: int, **more) -> dict:
    """One clusterer under random pairs: F after so many."""
    model, is_tree = PASSIVE[method]
    rng = np.random.default_rng(seed)
    pairs = [rng.choice(len(X), 2, replace=False).tolist() for _ in range(4 * COUNTS[-1])]
    said = [(i, j, "same" if truth[i] == truth[j] else "different") for i, j in pairs]
    said = acyclic(said, len(X))[0] if is_tree else said
    k = len(np.unique(truth))
    curve = {}
    start = perf_counter()
    for count in COUNTS:
        links = {
            name: np.array([(i, j) for i, j, r in said[:count] if r == relation]).reshape(-1, 2).astype(int)
            for name, relation in (("must_link", "same"), ("cannot_link", "different"))
        }
        labels = model(k, random_state=seed, **more).fit_predict(X, **links)
        curve[str(count)] = pairwise_f(truth, labels)
    return {"f": curve, "dropped": {}, "seconds": perf_counter() - start}


def summary(runs: Runs) -> list[dict]:
    table = []
    for method, seeds in runs.items():
        for count in map(str, COUNTS):
            mean, interval = mean_and_interval([r["f"][count] for r in seeds.values()])
            row = {"method": method, "answers": int(count), "pairwise_f": mean, "interval_95": interval}
            row["seeds"] = len(seeds)
            row["seconds_a_run"] = round(float(np.mean([r["seconds"] for r in seeds.values()])), 2)
            if "BC" in method and "tree" not in method:
                row["dropped_pairs"] = float(np.mean([r["dropped"][count] for r in seeds.values()]))
            table.append(row)
    return table


def draw(name: str, table: list[dict]) -> None:
    draw_panels(
        HERE / "results" / f"{name}.png",
        table,
        {"random pairs": list(PASSIVE), "chosen pairs": list(METHODS)},
        along="answers",
        xlabel="answers",
        width=11,
        is_ours=lambda method: "BC" in method,
        label=lambda row: f"{row['method']} ({row['seeds']} seeds)",
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--npu-seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    given = parser.parse_args()
    sets = {name: found for name in given.sets if (found := scaled_vectors(name, CHOSEN)) is not None}
    for at in range(given.seeds):
        for name, (X, truth) in sets.items():
            path = HERE / "results" / f"{name}.json"
            runs = kept_runs(path)
            for method in (*PASSIVE, *METHODS):
                seed = str(given.first_seed + at)
                if seed in runs.get(method, {}) or (method.startswith("NPU") and at >= given.npu_seeds):
                    continue
                one = listen if method in PASSIVE else run
                runs.setdefault(method, {})[seed] = one(X, truth, method, int(seed))
            table = summary(runs)
            config = {"set": name, "n": len(X), "seeds": "in every row", "seeds_of_the_thesis": 30}
            keep(path, config=config, results={"table": table, "runs": runs}, adds=True)
            draw(name, table)
            print(name, [(r["method"], r["pairwise_f"], r["seeds"]) for r in table if r["answers"] == 60], flush=True)


if __name__ == "__main__":
    main()
