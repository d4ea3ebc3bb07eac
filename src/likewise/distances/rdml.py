"""RDML: a metric by regression on similarities, positive semi-definite without being made so."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from likewise.constraints import ConflictError, Constraints, Pairs
from likewise.distances.learner import MetricLearner

Floats = NDArray[np.float64]

CANDIDATES = 10.0 ** np.arange(-4.0, 2.5, 0.5)
"""Values of λ that "auto" tries, times the mean eigenvalue of XᵀX / n."""


class RDML(MetricLearner):
    """Regression-based metric learning: x'My as near as possible to given similarities.

    Parameters
    ----------
    regularization : float or "auto", default=1
        λ, which smooths the metric, times the number of items. 1 is meant for vectors of length at most 1. "auto" takes
        the λ that predicts the similarities of left-out items best.

    Attributes
    ----------
    regularization_ : float
        The λ that was used; none when there was nothing to learn from.
    components_ : ndarray of shape (r, d)
        Matrix of the transform; r is the rank of the metric.
    metric_ : ndarray of shape (d, d)
        M, symmetric and positive semi-definite when the similarities are.

    References
    ----------
    J. Yi et al., *Semi-Crowdsourced Clustering: Generalizing Crowd Labeling by Robust Distance Metric Learning*,
    NIPS 2012, eq. 5, through a thin singular value decomposition. Deviations: m in eq. 5 is the number of items, as
    in the theorem; "auto", which the paper has not: with A = FFᵀ the metric is the ridge regression of F on X, whose
    leave-one-out error has a closed form; the transform leaves out directions in which similarities that are not
    positive semi-definite make the metric negative (`metric_` is then that of the transform).

    Examples
    --------
    >>> X = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [0.6, -0.8]])
    >>> model = RDML().fit(X, must_link=[(0, 1)], cannot_link=[(0, 2)])
    >>> Z = model.transform(X)
    >>> bool(Z[0] @ Z[1] > Z[0] @ Z[2])  # 0 and 1 are more similar
    True
    """

    def __init__(self, regularization: float | Literal["auto"] = 1.0) -> None:
        self.regularization = regularization

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        similarity: ArrayLike | None = None,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
    ) -> Self:
        """Learn the metric.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors.
        y : ignored
            Present for scikit-learn.
        similarity : array-like of shape (n, n), optional
            Similarities of all pairs, as of :func:`likewise.crowd.complete_matrix`.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Used when there is no `similarity`: of the items named in them, those joined by must-links are similar.
        """
        if similarity is None:
            return super().fit(X, y, must_link=must_link, cannot_link=cannot_link)
        checked = self._check_vectors(X)
        A = check_array(similarity, dtype=np.float64, input_name="similarity")
        if A.shape != (len(checked), len(checked)):
            raise ValueError(f"similarity must be of shape ({len(checked)}, {len(checked)}), got {A.shape}")
        self._regress(checked, A)
        return self

    def _learn(self, X: Floats, must: Pairs, cannot: Pairs) -> None:
        constraints = Constraints(len(X), must_link=must, cannot_link=cannot)
        if constraints.conflicts():
            raise ConflictError(constraints.conflicts())
        named = np.unique(np.concatenate([must, cannot]))
        if len(named) == 0:
            self.components_ = np.eye(X.shape[1])
            return
        group = constraints.labels()[named]
        self._regress(X[named], (group[:, None] == group).astype(np.float64))

    def _regress(self, X: Floats, A: Floats) -> None:
        automatic = self.regularization == "auto"
        if not automatic and (isinstance(self.regularization, str) or not self.regularization >= 0):
            raise ValueError(f"regularization must be 'auto' or a number not below 0, got {self.regularization!r}")
        U, s, Vt = np.linalg.svd(X, full_matrices=False)
        kept = s > max(X.shape) * np.finfo(float).eps * s[0]
        U, s, Vt = U[:, kept], s[kept], Vt[kept]
        AU = A @ U
        self.regularization_ = least_left_out(U, s, A, AU) if automatic else float(self.regularization)
        gain = s / (s**2 + self.regularization_ * len(X))
        inner = gain[:, None] * (U.T @ AU) * gain
        values, vectors = np.linalg.eigh((inner + inner.T) / 2.0)
        positive = values > len(values) * np.finfo(float).eps * values.max(initial=0.0)
        root = vectors[:, positive] * np.sqrt(values[positive])
        self.components_ = np.ascontiguousarray((root.T @ Vt)[::-1])


def least_left_out(U: Floats, s: Floats, A: Floats, AU: Floats) -> float:
    """The λ with the least leave-one-out error of ridge regression of F on X, where A = FFᵀ; F itself is not needed.

    - `U`, `s` (n, r) and (r,): Left singular vectors and singular values of X.
    - `A`, `AU` (n, n) and (n, r): Similarities, and their product with U.
    """
    if len(s) == 0:
        return 1.0
    inner = U.T @ AU
    candidates = CANDIDATES * float((s**2).sum()) / (len(U) * len(s))
    errors = []
    for candidate in candidates:
        gain = s**2 / (s**2 + candidate * len(U))
        smooth = U * gain
        missed = np.diagonal(A) - 2.0 * (smooth * AU).sum(axis=1) + ((smooth @ inner) * smooth).sum(axis=1)
        errors.append((missed / (1.0 - (smooth * U).sum(axis=1)) ** 2).sum())
    return float(candidates[np.argmin(errors)])
