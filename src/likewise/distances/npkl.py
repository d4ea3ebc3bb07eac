"""NPKL: a kernel matrix of its own for the items, from constraints and the neighbourhood graph."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.constraints import as_pairs
from likewise.distances.learner import DistanceLearner
from likewise.distances.matrix import pairwise
from likewise.distances.memory import LINEAR, count_rows, require_square
from likewise.distances.neighbours import knn_graph

Floats = NDArray[np.float64]


class NPKL(DistanceLearner):
    """Non-parametric kernel learning: distances from the kernel that agrees most with constraints and neighbours.

    Parameters
    ----------
    n_neighbors : int, default=5
        Neighbours of the graph.
    weight : float, default=1
        Weight of a constraint against the graph.
    metric : "precomputed", a name of :func:`likewise.distances.pairwise`, or callable
        What `fit` is given: distances, or vectors to compute them from.

    Attributes
    ----------
    kernel_ : ndarray of shape (n, n)
        Positive semi-definite, of Frobenius norm n.
    distances_ : ndarray of shape (n, n)
        Distances that the kernel makes.

    References
    ----------
    J. Zhuang, I. Tsang, S. Hoi, *A family of simple non-parametric kernel learning algorithms*, JMLR 2011, §4 (linear
    loss, p = 2: a closed form), of the program of S. Hoi, R. Jin, M. Lyu, *Learning nonparametric kernel matrices from
    pairwise constraints*, ICML 2007.

    Examples
    --------
    >>> D = np.abs(np.subtract.outer([0.0, 1.0, 5.0, 6.0], [0.0, 1.0, 5.0, 6.0]))
    >>> learned = NPKL(1).fit_transform(D, must_link=[(0, 2)], cannot_link=[(0, 3)])
    >>> bool(learned[0, 2] < learned[0, 3])
    True
    """

    def __init__(self, n_neighbors: int = 5, *, weight: float = 1.0, metric: Any = "precomputed") -> None:
        self.n_neighbors = n_neighbors
        self.weight = weight
        self.metric = metric

    def fit(
        self, X: ArrayLike, y: Any = None, *, must_link: ArrayLike | None = None, cannot_link: ArrayLike | None = None
    ) -> Self:
        """Learn the kernel.

        Parameters
        ----------
        X : array-like of shape (n, n), or (n, d) with a `metric` of vectors
            Initial distances.
        y : ignored
            Present for scikit-learn.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of indices that people called same, and different.
        """
        require_square(count_rows(X), 9, "NPKL", LINEAR)
        D = pairwise(X, metric=self.metric)
        if not self.weight >= 0:
            raise ValueError(f"weight must not be negative, got {self.weight!r}")
        n = len(D)
        goal = -graph_laplacian(D, min(self.n_neighbors, n - 1))
        for pairs, value in (
            (as_pairs(must_link, n, "must_link"), self.weight),
            (as_pairs(cannot_link, n, "cannot_link"), -self.weight),
        ):
            np.add.at(goal, (pairs[:, 0], pairs[:, 1]), value)
            np.add.at(goal, (pairs[:, 1], pairs[:, 0]), value)
        self.kernel_ = best_kernel(goal, float(n))
        size = np.diagonal(self.kernel_)
        squares = np.maximum(size[:, None] + size - 2.0 * self.kernel_, 0.0)
        np.fill_diagonal(squares, 0.0)
        self.distances_ = np.sqrt((squares + squares.T) / 2.0)
        self.n_features_in_ = np.shape(X)[1]
        self._initial = D
        return self


def graph_laplacian(D: Floats, n_neighbors: int) -> Floats:
    """Normalised Laplacian of the graph of nearest neighbours, (n, n)."""
    n = len(D)
    if n_neighbors < 1:
        if n == 1:
            return np.zeros((1, 1))
        raise ValueError(f"n_neighbors must be positive, got {n_neighbors}")
    graph = knn_graph(D, n_neighbors=n_neighbors, metric="precomputed", symmetric="union")
    joined = np.zeros((n, n))
    joined[np.repeat(np.arange(n), np.diff(graph.indptr)), graph.indices] = 1.0
    root = 1.0 / np.sqrt(joined.sum(axis=1))
    return np.asarray(np.eye(n) - root[:, None] * joined * root)


def best_kernel(goal: Floats, size: float) -> Floats:
    """The positive semi-definite K of Frobenius norm at most `size` with the largest <goal, K>: a scaled projection."""
    values, vectors = np.linalg.eigh(goal)
    kept = np.maximum(values, 0.0)
    norm = np.linalg.norm(kept)
    if norm == 0.0:
        return np.zeros_like(goal)
    return np.asarray((vectors * (size / norm * kept)) @ vectors.T)
