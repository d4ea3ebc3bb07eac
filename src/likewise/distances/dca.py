"""DCA: directions that separate groups, whitened by the variation inside them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Pairs
from likewise.distances.learner import MetricLearner
from likewise.distances.rca import within_scatter

Floats = NDArray[np.float64]


class DCA(MetricLearner):
    """Discriminative component analysis.

    Parameters
    ----------
    n_components : int, optional
        Directions that are kept; by default all in which groups known to be different differ.
    regularization : float, default=1e-6
        Share of the mean variance of X that is added to the scatter inside groups.

    Attributes
    ----------
    components_ : ndarray of shape (k, d)
        Matrix of the transform.
    metric_ : ndarray of shape (d, d)
        The metric, of rank k.

    References
    ----------
    S. Hoi, W. Liu, M. Lyu, W.-Y. Ma, *Learning distance metrics with contextual constraints for image retrieval*,
    CVPR 2006, §3.2. Deviations: an item that only cannot-links name is a group of its own; the regularization.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.0, 2.0], [5.0, 0.0], [5.0, 2.0]]
    >>> DCA().fit(X, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2)]).components_.shape
    (1, 2)
    """

    def __init__(self, n_components: int | None = None, *, regularization: float = 1e-6) -> None:
        self.n_components = n_components
        self.regularization = regularization

    def _learn(self, X: Floats, must: Pairs, cannot: Pairs) -> None:
        if not self.regularization >= 0:
            raise ValueError(f"regularization must not be negative, got {self.regularization!r}")
        if self.n_components is not None and self.n_components < 1:
            raise ValueError(f"n_components must be positive, got {self.n_components!r}")
        within, between = scatters(X, must, cannot)
        values, vectors = np.linalg.eigh(between)
        kept = values > 1e-10 * max(values[-1], 0.0)
        if not kept.any():
            self.components_ = np.eye(X.shape[1])
            return
        Z = vectors[:, kept] / np.sqrt(values[kept])
        ridge = self.regularization * max(float(X.var(axis=0).mean()), 1e-300)
        spread, turn = np.linalg.eigh(Z.T @ (within + ridge * np.eye(len(within))) @ Z)
        # Smallest spread first: there groups differ the most against what varies inside them.
        count = len(spread) if self.n_components is None else min(self.n_components, len(spread))
        spread = np.maximum(spread[:count], np.finfo(float).eps * spread[-1])
        self.components_ = (Z @ (turn[:, :count] / np.sqrt(spread))).T


def scatters(X: Floats, must: Pairs, cannot: Pairs) -> tuple[Floats, Floats]:
    """Scatter inside groups, and between the means of groups with a cannot-link; each (d, d)."""
    within, means, group = within_scatter(X, must)
    alone = np.flatnonzero(group < 0)
    number = group.copy()
    number[alone] = len(means) + np.arange(len(alone))
    centres = np.concatenate([means, X[alone]])
    different = np.unique(np.sort(number[cannot], axis=1), axis=0) if len(cannot) else cannot
    gaps = centres[different[:, 0]] - centres[different[:, 1]]
    return within, gaps.T @ gaps / max(len(gaps), 1)
