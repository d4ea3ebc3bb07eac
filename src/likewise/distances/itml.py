"""ITML: the metric nearest to a prior, by information, that keeps must-links short and cannot-links long."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Pairs
from likewise.distances.learner import MetricLearner, differences
from likewise.distances.matrix import pairwise
from likewise.kernels.metric.bregman import project_pairs

Floats = NDArray[np.float64]


class ITML(MetricLearner):
    """Information-theoretic metric learning.

    Parameters
    ----------
    gamma : float, default=1
        Price of missing the bounds; infinite makes them hard.
    bounds : pair of float, optional
        Squared distances that must-links should stay below and cannot-links above; by default the 5th and 95th
        percentile of the squared distances of the items named in the pairs.
    prior : "identity" or "covariance"
        The metric to stay near to: Euclidean, or the inverse of the covariance of X.
    max_iter : int, default=1000
        Sweeps over the pairs at most.
    tol : float, default=1e-4
        Stop when the multipliers change less than this share of their sum in a sweep.

    Attributes
    ----------
    components_ : ndarray of shape (d, d)
        Matrix of the transform.
    metric_ : ndarray of shape (d, d)
        The metric.
    bounds_ : tuple of float
        The bounds that were used.
    n_iter_ : int
        Sweeps.

    References
    ----------
    J. Davis, B. Kulis, P. Jain, S. Sra, I. Dhillon, *Information-theoretic metric learning*, ICML 2007, algorithm 1.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.0, 5.0], [1.0, 0.0], [1.0, 5.0]]
    >>> model = ITML(bounds=(1.0, 4.0)).fit(X, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (1, 3)])
    >>> bool(model.metric_[0, 0] > 1 > model.metric_[1, 1])
    True
    """

    def __init__(
        self,
        gamma: float = 1.0,
        *,
        bounds: tuple[float, float] | None = None,
        prior: str = "identity",
        max_iter: int = 1000,
        tol: float = 1e-4,
    ) -> None:
        self.gamma = gamma
        self.bounds = bounds
        self.prior = prior
        self.max_iter = max_iter
        self.tol = tol

    def _learn(self, X: Floats, must: Pairs, cannot: Pairs) -> None:
        if not self.gamma > 0:
            raise ValueError(f"gamma must be positive, got {self.gamma!r}")
        A = self._prior(X)
        pairs = np.concatenate([must, cannot])
        self.bounds_ = self._bounds(X, pairs)
        self.n_iter_ = 1
        if len(pairs):
            sign = np.repeat([1.0, -1.0], [len(must), len(cannot)])
            bound = np.repeat(np.array(self.bounds_), [len(must), len(cannot)])
            V = np.ascontiguousarray(differences(X, pairs))
            given = (V, sign, bound, np.zeros(len(pairs)), float(self.gamma))
            self.n_iter_ = int(project_pairs(A, *given, self.max_iter, self.tol))
        values, vectors = np.linalg.eigh((A + A.T) / 2.0)
        self.components_ = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T

    def _prior(self, X: Floats) -> Floats:
        d = X.shape[1]
        if self.prior == "identity":
            return np.eye(d)
        if self.prior != "covariance":
            raise ValueError(f"prior must be 'identity' or 'covariance', got {self.prior!r}")
        return np.ascontiguousarray(np.linalg.pinv(np.atleast_2d(np.cov(X, rowvar=False)), hermitian=True))

    def _bounds(self, X: Floats, pairs: Pairs) -> tuple[float, float]:
        if self.bounds is not None:
            low, high = self.bounds
            if not (low > 0 and high > 0):
                raise ValueError(f"bounds must be positive, got {self.bounds!r}")
            return float(low), float(high)
        named = X[np.unique(pairs)] if len(pairs) else X
        squares = pairwise(named)[np.triu_indices(len(named), 1)] ** 2
        squares = squares[squares > 0]
        if len(squares) == 0:
            return 1.0, 1.0
        low, high = np.percentile(squares, (5, 95))
        return float(low), float(high)
