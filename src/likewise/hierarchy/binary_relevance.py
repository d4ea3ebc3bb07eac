"""Binary relevance: an independent logistic regression for every tag. A baseline for comparison."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from likewise.distances.convergence import warn_unsettled
from likewise.hierarchy.logistic import Features, climb
from likewise.hierarchy.tags import check_tags


class BinaryRelevance(MultiOutputMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit an independent logistic regression to every tag.

    A baseline for comparison with :class:`LabelHierarchy`.

    Parameters
    ----------
    regularization : float, default=1.0
        Weight of half the squared length of the weights, intercepts among them.
    max_iter : int, default=200
        Maximum number of L-BFGS steps.
    tol : float, default=1e-7
        Stop when a step gains less than this share of the objective.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (k, d) and (k,)
        The weights.
    classes_ : list of ndarray
        0 and 1, for every tag.
    n_iter_ : int
        Steps.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, 2017, §5.5.2, "BR".

    Examples
    --------
    >>> model = BinaryRelevance().fit([[-2.0], [-1.0], [1.0], [2.0]], [[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> model.predict([[-3.0], [3.0]]).tolist()
    [[1, 0], [0, 1]]
    """

    def __init__(self, regularization: float = 1.0, *, max_iter: int = 200, tol: float = 1e-7) -> None:
        self.regularization = regularization
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: ArrayLike, Z: Any) -> Self:
        """Fit to vectors (n, d) and tags (n, k)."""
        check_scalar(self.regularization, "regularization", Real, min_val=0, include_boundaries="neither")
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        vectors = validate_data(self, X, dtype=np.float64)
        tags = check_tags(Z)
        check_consistent_length(vectors, tags)
        features = Features.turn(vectors)
        target = np.ascontiguousarray(tags.T, np.float64)
        W = np.zeros((len(target), features.X.shape[1]))
        weight = np.ones_like(target)
        W, _, _, self.n_iter_ = climb(
            features, W, np.zeros_like(target), weight, target, self.regularization, self.max_iter, self.tol
        )
        self.coef_, self.intercept_ = features.unturn(W)
        self.classes_ = [np.array([0, 1])] * len(target)
        warn_unsettled(self)
        return self

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Probability (n, k) of every tag."""
        check_is_fitted(self)
        vectors = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(expit(vectors @ self.coef_.T + self.intercept_))

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Tags (n, k), 0 or 1: those more probable than not."""
        return (self.predict_proba(X) > 0.5).astype(np.int64)
