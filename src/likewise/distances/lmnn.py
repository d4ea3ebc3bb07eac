"""LMNN: must-links short, and by a margin shorter than cannot-links of the same item."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Pairs
from likewise.distances.comparisons import NO_TRIPLETS, triplets_of_labels, triplets_of_pairs
from likewise.distances.descent import minimise_transform
from likewise.distances.learner import TripletLearner, differences

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class LMNN(TripletLearner):
    """Large-margin nearest neighbours, from labels, pairs or triplets.

    With labels, ``fit(X, y)``, every item is to be nearer to its `n_neighbors` nearest of the same label than to the
    `n_impostors` nearest of other labels; -1 is no label. Every must-link (a, b) with a cannot-link (a, c) is a
    triplet, both ways round; must-links, and the a and b of triplets, are pulled together.

    Parameters
    ----------
    push : float, default=0.5
        Weight of the margins; the lengths of must-links have 1 - push.
    n_neighbors, n_impostors : int, default=3 and 10
        With labels: neighbours of the same label, and of others, that each item is compared with.
    max_iter : int, default=200
        Steps at most, of each start.
    tol : float, default=1e-7
        Stop when a step gains less than this share.

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
    K. Weinberger, L. Saul, *Distance metric learning for large margin nearest neighbor classification*, JMLR 2009,
    eq. 11-13. Deviations: neighbours and impostors may come from pairs or triplets, and the impostors of labels are
    the nearest at the start, not all; L-BFGS on the transform, with
    the hinge as it is, started again where it stops.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.0, 2.0], [1.0, 0.0], [1.0, 2.0]]
    >>> model = LMNN().fit(X, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (1, 3)])
    >>> bool(model.metric_[0, 0] > model.metric_[1, 1])
    True
    """

    def __init__(
        self, push: float = 0.5, *, n_neighbors: int = 3, n_impostors: int = 10, max_iter: int = 200, tol: float = 1e-7
    ) -> None:
        self.push = push
        self.n_neighbors = n_neighbors
        self.n_impostors = n_impostors
        self.max_iter = max_iter
        self.tol = tol

    def _triplets_of_labels(self, X: Floats, y: Any) -> Ints:
        return triplets_of_labels(X, y, self.n_neighbors, self.n_impostors)

    def _learn(self, X: Floats, must: Pairs, cannot: Pairs, triplets: Ints = NO_TRIPLETS) -> None:
        if not 0 <= self.push <= 1:
            raise ValueError(f"push must be between 0 and 1, got {self.push!r}")
        compared = np.unique(np.concatenate([triplets, triplets_of_pairs(must, cannot)]), axis=0)
        pulled = np.unique(np.concatenate([triplets[:, :2], must, must[:, ::-1]]), axis=0)
        L = np.eye(X.shape[1])
        self.n_iter_, self.objective_ = 1, 0.0
        if len(pulled):
            loss = MarginLoss(X, pulled, compared, self.push)
            value, left = np.inf, self.max_iter
            while left > 0:
                L, found, steps = minimise_transform(loss, L, left, self.tol)
                left -= max(steps, 1)
                if found >= value * (1.0 - self.tol):
                    break
                value = found
            self.n_iter_ = self.max_iter - left
            self.objective_ = float(loss(L)[0])
        self.components_ = L


class MarginLoss:
    """(1 - push) Σ d²(a, b) + push Σ max(0, 1 + d²(a, b) - d²(a, c)), and its gradient in L.

    - `X` (n, d): Vectors.
    - `pulled` (p, 2): Pairs of the first sum.
    - `compared` (m, 3): Triplets of the second.
    - `push`: Weight of the second.
    """

    def __init__(self, X: Floats, pulled: Ints, compared: Ints, push: float) -> None:
        self.X, self.push = X, push
        n = len(X)
        self.near, self.near_of = _unique_pairs(compared[:, 0], compared[:, 1], n)
        self.far, self.far_of = _unique_pairs(compared[:, 0], compared[:, 2], n)
        self.near_gaps, self.far_gaps = differences(X, self.near), differences(X, self.far)
        gaps = differences(X, pulled)
        self.pull = (1.0 - push) * gaps.T @ gaps

    def __call__(self, L: Floats) -> tuple[float, Floats]:
        """Value and gradient at L."""
        near = ((self.near_gaps @ L.T) ** 2).sum(axis=1)
        far = ((self.far_gaps @ L.T) ** 2).sum(axis=1)
        margin = 1.0 + near[self.near_of] - far[self.far_of]
        active = margin > 0
        value = float((self.pull * (L.T @ L)).sum() + self.push * margin[active].sum())
        weight = np.bincount(self.near_of[active], minlength=len(near)).astype(np.float64)
        against = np.bincount(self.far_of[active], minlength=len(far)).astype(np.float64)
        slope = self.pull + self.push * (
            (self.near_gaps * weight[:, None]).T @ self.near_gaps - (self.far_gaps * against[:, None]).T @ self.far_gaps
        )
        return value, 2.0 * L @ slope


def _unique_pairs(a: Ints, b: Ints, n: int) -> tuple[Ints, Ints]:
    codes, inverse = np.unique(a * n + b, return_inverse=True)
    return np.column_stack([codes // n, codes % n]), inverse.reshape(-1)
