"""RCA: whitening of what varies inside groups of items known to be the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Pairs
from likewise.distances.learner import MetricLearner, chunklets, inverse_root

Floats = NDArray[np.float64]


class RCA(MetricLearner):
    """Relevant component analysis. Cannot-links are not used.

    Parameters
    ----------
    regularization : float, default=1e-6
        Share of the mean variance of X that is added in every direction, so that directions which never vary inside a
        group are stretched by much and not without bound.

    Attributes
    ----------
    components_ : ndarray of shape (d, d)
        Matrix of the transform, the inverse root of the scatter.
    metric_ : ndarray of shape (d, d)
        Inverse of the scatter inside groups.

    References
    ----------
    A. Bar-Hillel, T. Hertz, N. Shental, D. Weinshall, *Learning a Mahalanobis metric from equivalence constraints*,
    JMLR 2005, §2. Deviation: the regularization, in place of first reducing the dimension.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.0, 2.0], [5.0, 0.0], [5.0, 2.0]]
    >>> RCA(regularization=0.0).fit(X, must_link=[(0, 1), (2, 3)]).metric_.round(3).tolist()
    [[0.0, 0.0], [0.0, 1.0]]
    """

    def __init__(self, regularization: float = 1e-6) -> None:
        self.regularization = regularization

    def _learn(self, X: Floats, must: Pairs, cannot: Pairs) -> None:
        if not self.regularization >= 0:
            raise ValueError(f"regularization must not be negative, got {self.regularization!r}")
        scatter, _, _ = within_scatter(X, must)
        if not scatter.any():
            self.components_ = np.eye(X.shape[1])
            return
        ridge = self.regularization * X.var(axis=0).mean()
        self.components_ = inverse_root(scatter + ridge * np.eye(len(scatter)))


def within_scatter(X: Floats, must: Pairs) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Mean outer square of items around the mean of their group (d, d), the means (g, d), and the groups (n,)."""
    group = chunklets(must, len(X))
    inside = group >= 0
    n_groups = int(group.max(initial=-1)) + 1
    means = np.zeros((n_groups, X.shape[1]))
    np.add.at(means, group[inside], X[inside])
    means /= np.maximum(np.bincount(group[inside], minlength=n_groups), 1)[:, None]
    centred = X[inside] - means[group[inside]]
    return centred.T @ centred / max(len(centred), 1), means, group


def shrunk_components(X: Floats, must: Pairs) -> Floats | None:
    """Relevant components shrunk towards equal directions, as if every dimension had been seen once more, (d, d).

    None where items known to be the same do not differ, or there are none.
    """
    scatter, means, group = within_scatter(X, must)
    n_inside, d = int((group >= 0).sum()), X.shape[1]
    freedom = n_inside - len(means)
    total = n_inside * scatter
    if np.trace(total) <= 0:
        return None
    return inverse_root((total + np.trace(total) / freedom * np.eye(d)) / (freedom + d))
