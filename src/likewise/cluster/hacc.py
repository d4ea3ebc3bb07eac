"""HACC: hierarchical agglomerative clustering with constraints, as a minimum spanning forest."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from likewise.cluster.base import ConstrainedClusterer
from likewise.cluster.constrained_forest import spanning_forest
from likewise.constraints import Constraints
from likewise.distances import pairwise
from likewise.distances.sparse_rows import is_sparse


class HACC(ConstrainedClusterer):
    """Join the two closest clusters that may join, must-links first, until `n_clusters` are left.

    Kruskal's algorithm over all pairs in the order (distance, i, j), single linkage; an edge is refused
    when any cannot-link joins the two trees. It may end with more clusters (`dead_end_`: no two of them
    may join) or fewer (must-links alone leave fewer). Of sparse X all distances are held, a number for every pair.

    Parameters
    ----------
    n_clusters : int or None, default=8
        Number of clusters; None with a `distance_threshold`.
    metric : "euclidean", "precomputed", another name of :func:`likewise.distances.pairwise`, or callable
        How far two items are from each other.
    distance_threshold : float, optional
        Never join over a longer distance.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Clusters, numbered in order of their first item.
    n_clusters_ : int
        How many there are.
    dead_end_ : bool
        Whether it had to stop above `n_clusters` because a cannot-link lies between every two clusters.
    edges_ : ndarray of shape (m, 2)
        The pairs that were joined, in order (must-links not among them).
    distances_ : ndarray of shape (m,)
        Their distances.

    References
    ----------
    A. Biswas, *Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans*, 2014,
    §3.2.2.2. Edges come in chunks of growing distance instead of one full sort; the result is the same.

    Examples
    --------
    >>> X = [[0.0], [1.0], [3.0], [9.0]]
    >>> HACC(2).fit_predict(X).tolist()
    [0, 0, 0, 1]
    >>> HACC(2).fit_predict(X, cannot_link=[(0, 1)]).tolist()
    [0, 1, 1, 1]
    """

    takes_sparse = True

    def __init__(
        self, n_clusters: int | None = 8, *, metric: Any = "euclidean", distance_threshold: float | None = None
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.distance_threshold = distance_threshold

    def _fit(self, X: NDArray[np.float64], constraints: Constraints) -> None:
        if self.n_clusters is None and self.distance_threshold is None:
            raise ValueError("give n_clusters, or a distance_threshold, or both")
        n_stop = 1 if self.n_clusters is None else self._check_n_clusters(self.n_clusters, X.shape[0])
        threshold = np.inf if self.distance_threshold is None else float(self.distance_threshold)
        metric = self.metric
        if is_sparse(X):
            X, metric = pairwise(X, metric=metric), "precomputed"
        forest = spanning_forest(X, metric, constraints, n_stop, threshold)
        self.labels_ = forest.labels
        self.n_clusters_ = forest.n_trees
        self.dead_end_ = bool(np.isposinf(threshold)) and forest.n_trees > n_stop
        if self.dead_end_:
            text = f"the cannot-links allow no fewer than {forest.n_trees} clusters here; n_clusters is {n_stop}"
            warnings.warn(text, ConvergenceWarning, stacklevel=4)
        self.edges_ = forest.edges
        self.distances_ = forest.distances
