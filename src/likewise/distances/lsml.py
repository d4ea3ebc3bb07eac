"""LSML: comparisons of distances by least squares of what they miss, near to a prior."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from likewise.constraints import Pairs
from likewise.distances.comparisons import NO_TRIPLETS
from likewise.distances.descent import minimise_transform
from likewise.distances.learner import TripletLearner

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class LSML(TripletLearner):
    """Metric learning from relative comparisons by minimising squared residuals.

    Of pairs, every must-link is to be shorter than one cannot-link; the shorter list is gone through again and
    again, in an order drawn by `random_state`.

    Parameters
    ----------
    prior : "identity" or "covariance"
        The metric to stay near to: Euclidean, or the inverse of the covariance of X.
    weight : float, default=1
        Weight of the comparisons against the prior.
    max_iter : int, default=1000
        Steps at most.
    tol : float, default=1e-10
        Stop when a step gains less than this share.
    random_state : int, RandomState or None
        Seed of the order in which must-links and cannot-links are compared.

    Attributes
    ----------
    components_ : ndarray of shape (d, d)
        Matrix of the transform.
    metric_ : ndarray of shape (d, d)
        The metric.
    objective_ : float
        What was minimised.
    n_iter_ : int
        Steps.

    References
    ----------
    E. Liu, Z. Guo, X. Zhang, V. Jojic, W. Wang, *Metric learning from relative comparisons by minimizing squared
    residual*, ICDM 2012, eq. 4-5. Deviation: L-BFGS on the transform, which keeps the metric positive definite.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.0, 2.0], [1.0, 0.0], [1.0, 2.0]]
    >>> model = LSML().fit(X, triplets=[(0, 2, 1)])  # already so: nothing to learn
    >>> model.metric_.round(3).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def __init__(
        self,
        prior: str = "identity",
        *,
        weight: float = 1.0,
        max_iter: int = 1000,
        tol: float = 1e-10,
        random_state: Any = None,
    ) -> None:
        self.prior = prior
        self.weight = weight
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _learn(self, X: Floats, must: Pairs, cannot: Pairs, triplets: Ints = NO_TRIPLETS) -> None:
        if self.prior not in ("identity", "covariance"):
            raise ValueError(f"prior must be 'identity' or 'covariance', got {self.prior!r}")
        if not self.weight >= 0:
            raise ValueError(f"weight must not be negative, got {self.weight!r}")
        quads = np.concatenate([triplets[:, [0, 1, 0, 2]], self._compare_pairs(must, cannot)])
        d = X.shape[1]
        inverse = np.eye(d)
        if self.prior == "covariance":
            inverse = np.atleast_2d(np.cov(X, rowvar=False)) if len(X) > 1 else np.eye(d)
            inverse = inverse + 1e-9 * max(np.trace(inverse) / d, 1e-300) * np.eye(d)
        start = np.linalg.inv(np.linalg.cholesky(inverse))
        loss = ResidualLoss(X, quads, inverse, self.weight)
        L, self.objective_, self.n_iter_ = minimise_transform(loss, start, self.max_iter, self.tol)
        self.components_ = L

    def _compare_pairs(self, must: Pairs, cannot: Pairs) -> Ints:
        """(a, b, c, e): the must-link (a, b) beside the cannot-link (c, e), (m, 4)."""
        if len(must) == 0 or len(cannot) == 0:
            return np.empty((0, 4), np.int64)
        count = max(len(must), len(cannot))
        order = check_random_state(self.random_state).permutation(count)
        return np.column_stack([np.resize(must, (count, 2)), np.resize(cannot, (count, 2))[order]])


class ResidualLoss:
    """weight · Σ max(0, d(a, b) - d(c, e))² + tr(M P) - log det M for M = LᵀL, P the inverse prior; and its gradient.

    - `X` (n, d): Vectors.
    - `quads` (m, 4): (a, b, c, e): a and b are nearer to each other than c and e.
    - `inverse` (d, d): Inverse of the prior metric.
    - `weight`: Weight of the comparisons.
    """

    def __init__(self, X: Floats, quads: Ints, inverse: Floats, weight: float) -> None:
        self.near = X[quads[:, 0]] - X[quads[:, 1]]
        self.far = X[quads[:, 2]] - X[quads[:, 3]]
        self.inverse, self.weight = inverse, weight

    def __call__(self, L: Floats) -> tuple[float, Floats]:
        """Value and gradient at L."""
        near, far = (np.sqrt(((gaps @ L.T) ** 2).sum(axis=1)) for gaps in (self.near, self.far))
        missed = near - far
        active = missed > 0
        value = self.weight * float((missed[active] ** 2).sum())
        slope = np.zeros_like(L)
        for gaps, lengths, sign in ((self.near, near, 1.0), (self.far, far, -1.0)):
            push = sign * missed[active] / np.maximum(lengths[active], 1e-12)
            slope += (gaps[active] * push[:, None]).T @ gaps[active]
        sign, log_det = np.linalg.slogdet(L)
        if sign == 0:
            return 1e300, np.zeros_like(L)
        value += float((self.inverse * (L.T @ L)).sum()) - 2.0 * float(log_det)
        return value, 2.0 * (self.weight * L @ slope + L @ self.inverse - np.linalg.inv(L).T)
