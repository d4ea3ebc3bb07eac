"""MMC: must-links short on the whole, cannot-links long on the whole (Xing's metric, GDM)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Pairs
from likewise.distances.descent import minimise_transform
from likewise.distances.learner import MetricLearner, differences

Floats = NDArray[np.float64]


class MMC(MetricLearner):
    """Mahalanobis metric for clustering: the largest sum of cannot-link distances for a unit sum of squared must-links.

    Parameters
    ----------
    regularization : float, default=1e-6
        Share of the mean variance of X added to the must-links' squares in every direction: without it a direction in
        which must-links do not vary would get infinite weight.
    diagonal : bool, default=False
        Whether only the columns are weighed, without turning them: fewer numbers to learn from few pairs.
    max_iter : int, default=1000
        Steps at most.
    tol : float, default=1e-10
        Stop when a step gains less than this.

    Attributes
    ----------
    components_ : ndarray of shape (d, d)
        Matrix of the transform; diagonal with `diagonal`.
    metric_ : ndarray of shape (d, d)
        The metric.
    objective_ : float
        Sum of the cannot-link distances where the squared must-link distances sum to 1.
    n_iter_ : int
        Steps.

    References
    ----------
    E. Xing, A. Ng, M. Jordan, S. Russell, *Distance metric learning with application to clustering with
    side-information*, NIPS 2002, eq. 3-5 (diagonal) and 6-8. Deviations: the scale is divided out, which leaves the
    ratio of the two sums to be maximised over LᵀL by L-BFGS in place of alternating projections; the regularization.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.1, 2.0], [1.0, 0.0], [1.1, 2.0]]
    >>> model = MMC().fit(X, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (1, 3)])
    >>> bool(model.metric_[0, 0] > 10 * model.metric_[1, 1])
    True
    """

    def __init__(
        self, *, regularization: float = 1e-6, diagonal: bool = False, max_iter: int = 1000, tol: float = 1e-10
    ) -> None:
        self.regularization = regularization
        self.diagonal = diagonal
        self.max_iter = max_iter
        self.tol = tol

    def _learn(self, X: Floats, must: Pairs, cannot: Pairs) -> None:
        if not self.regularization >= 0:
            raise ValueError(f"regularization must not be negative, got {self.regularization!r}")
        near, far = differences(X, must), differences(X, cannot)
        far = far[far.any(axis=1)]
        squares = near.T @ near + self.regularization * X.var(axis=0).mean() * max(len(near), 1) * np.eye(X.shape[1])
        self.n_iter_, self.objective_ = 1, 0.0
        if self.diagonal:
            values, vectors = np.diagonal(squares).copy(), np.eye(X.shape[1])
        else:
            values, vectors = np.linalg.eigh(squares)
        kept = values > 1e-13 * max(values.max(), 0.0)
        if len(near) == 0 or len(far) == 0 or not kept.any():
            self.components_ = np.eye(X.shape[1])
            return
        white = (vectors[:, kept] / np.sqrt(values[kept])).T  # the must-links' squares become the identity
        U = far @ white.T
        start = np.eye(len(white)) / np.sqrt(len(white))
        ratio = _ratio_of_columns if self.diagonal else negative_log_ratio
        start = np.diagonal(start).copy() if self.diagonal else start
        L, least, self.n_iter_ = minimise_transform(lambda L: ratio(L, U), start, self.max_iter, self.tol)
        self.objective_ = float(np.exp(-least))
        L = np.diag(np.abs(L)) if self.diagonal else L
        self.components_ = L / np.linalg.norm(L) @ white


def negative_log_ratio(L: Floats, U: Floats) -> tuple[float, Floats]:
    """-log of Σ‖Lu‖ / ‖L‖ over the rows u of U, and its gradient."""
    moved = U @ L.T
    lengths = np.sqrt((moved**2).sum(axis=1))
    total, size = lengths.sum(), (L**2).sum()
    pull = (moved / np.maximum(lengths, 1e-300)[:, None]).T @ U
    return float(0.5 * np.log(size) - np.log(total)), L / size - pull / total


def _ratio_of_columns(w: Floats, U: Floats) -> tuple[float, Floats]:
    """The same for L = diag(w), and its gradient by w."""
    value, gradient = negative_log_ratio(np.diag(w), U)
    return value, np.diagonal(gradient).copy()
