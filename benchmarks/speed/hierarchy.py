"""One round of EM beside one gradient of as many logistic regressions, with the quality of the same run."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from scipy.special import expit

from benchmarks.record import keep
from likewise.hierarchy.em import Features, Search, attach
from likewise.hierarchy.start import count_tree
from likewise.hierarchy.trees import edges_of, top_down
from likewise.metrics import robinson_foulds

CONFIG = {"n": 10_000, "d": 100, "k": 30, "missing": 0.3, "n_steps": 3, "regularization": 1.0, "repeats": 15, "seed": 0}


def made() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vectors, incomplete tags and the tree they come from."""
    rng = np.random.default_rng(CONFIG["seed"])
    n, d, k = CONFIG["n"], CONFIG["d"], CONFIG["k"]
    X = rng.normal(size=(n, d))
    parents = np.array([-1 if c < 4 else rng.integers(0, c) for c in range(k)])
    Y = X @ rng.normal(size=(d, k)) / np.sqrt(d) + rng.normal(size=(n, k)) / 2 > 0
    for c in top_down(parents):
        if parents[c] >= 0:
            Y[:, c] &= Y[:, parents[c]]
    return X, Y & (rng.random(Y.shape) >= CONFIG["missing"]), parents


def gradient(X: np.ndarray, Z: np.ndarray, W: np.ndarray) -> np.ndarray:
    """The gradient of k one-vs-rest logistic regressions by two products."""
    return X.T @ (expit(X @ W) - Z)


def timed(call) -> float:
    times = []
    for _ in range(CONFIG["repeats"]):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return median(times)


def main() -> None:
    X, Z, parents = made()
    search = Search(
        Features.turn(X), np.ascontiguousarray(Z.T), CONFIG["regularization"], CONFIG["n_steps"], learn_tree=True
    )
    fixed = Search(search.features, search.tags, search.penalty, search.n_steps, learn_tree=False)
    rounds = fixed.rounds(attach(search.flat(0.2, 20), count_tree(Z, CONFIG["missing"])), 0.05, 1.0)
    model = [next(rounds) for _ in range(10)][-1].model
    numbers = Z.astype(float)
    W = np.random.default_rng(1).normal(size=(CONFIG["d"], CONFIG["k"])) / 10
    search.step(model, 0.05)  # compile
    one_gradient = timed(lambda: gradient(X, numbers, W))
    one_round = timed(lambda: search.step(model, 0.05))
    tracemalloc.start()
    search.step(model, 0.05)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    for _, each in zip(range(20), search.rounds(model, 0.05, 0.98), strict=False):
        last = each
    results = {
        "gradient_seconds": one_gradient,
        "round_seconds": one_round,
        "ratio": one_round / one_gradient,
        "peak_megabytes_of_a_round": peak / 1e6,
        "megabytes_of_all_pairs": 8 * CONFIG["n"] * CONFIG["k"] ** 2 / 1e6,
        "alpha_after_20_rounds": last.model.alpha,
        "rf_after_20_rounds": robinson_foulds(edges_of(parents), edges_of(last.model.parents)),
    }
    print("\n".join(f"{key}: {value:.4g}" for key, value in results.items()))
    keep(Path(__file__).with_suffix(".json"), config=CONFIG, results=results)


if __name__ == "__main__":
    main()
