"""Consensus clustering: how often two items share a cluster over many runs with random starts."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from likewise.cluster import KMedoids
from likewise.distances.memory import require_square
from likewise.kernels.active_hacc.agreement import count_together

MAX_ITER = 50


def consensus_probability(
    X: NDArray[np.float64], n_clusters: int, *, metric: Any, n_runs: int = 100, random_state: int = 0
) -> NDArray[np.float64]:
    """Share of clusterings in which two items are together, for all pairs.

    Each run starts from items drawn at random: k-means on Euclidean vectors, alternating k-medoids on distances.

    - `X` (n, d), or (n, n) with ``metric="precomputed"``: Vectors or distances.
    - `n_clusters`: Number of clusters of each run.
    - `metric`, "euclidean" or "precomputed": What X holds.
    - `n_runs`: Number of runs.
    - `random_state`: Seed of the draws.
    - Returns ndarray of shape (n, n): Symmetric, 1 on the diagonal.

    References
    ----------
    A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans*, 2014,
    §3.2.2.1, equation 3.2.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [9.0], [9.1]])
    >>> consensus_probability(X, 2, metric="euclidean", n_runs=5).tolist()[0]
    [1.0, 1.0, 0.0, 0.0]
    """
    if n_runs < 1:
        raise ValueError(f"the consensus needs at least one run, got {n_runs}")
    require_square(len(X), 1.25, "a consensus of clusterings")
    together = np.zeros((len(X), len(X)), np.uint8 if n_runs < 256 else np.uint16)
    seeds = np.random.default_rng(random_state).integers(2**31, size=n_runs)
    # one thread: sums must not depend on how many there are
    with threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer different items than clusters
        for seed in seeds.tolist():
            count_together(_cluster(X, n_clusters, metric, seed), together)
    return together / n_runs


def _cluster(X: NDArray[np.float64], n_clusters: int, metric: Any, seed: int) -> NDArray[np.int64]:
    if metric == "euclidean":
        model = KMeans(n_clusters, init="random", n_init=1, max_iter=MAX_ITER, random_state=seed)
        return np.asarray(model.fit_predict(X), np.int64)
    medoids = KMedoids(n_clusters, metric="precomputed", method="alternate", max_iter=MAX_ITER, random_state=seed)
    return medoids.fit_predict(X)
