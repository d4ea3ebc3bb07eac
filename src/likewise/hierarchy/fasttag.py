"""FastTag: a linear map from vectors to tags, and one from incomplete to complete tags. A baseline for comparison."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from likewise.distances.convergence import warn_unsettled
from likewise.hierarchy.tags import check_tags

Reals = NDArray[np.float64]


class FastTag(MultiOutputMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn from incomplete tags by enriching them: ‖Z B - X W‖² + λ n ‖W‖² + γ E‖Z - Z̃ B‖².

    A baseline for comparison with :class:`LabelHierarchy`. Z̃ is Z with every tag dropped with probability p, so B
    learns to restore tags; the expectation has a closed form, and so have B given W and W given B, which alternate.

    Parameters
    ----------
    dropped : float, default=0.5
        p, the share of tags dropped.
    gamma : float, default=1.0
        Weight of restoring tags.
    regularization : float, default=1e-3
        λ.
    max_iter : int, default=100
        Maximum number of alternations.
    tol : float, default=1e-6
        Stop when no weight of B changes by more.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (k, d) and (k,)
        W, for vectors as they are given.
    enrichment_ : ndarray of shape (k, k)
        B.
    threshold_ : float
        Score from which a tag is given: that of the highest F1-micro on the tags of the fit.
    classes_ : list of ndarray
        0 and 1, for every tag.
    n_iter_ : int
        Turns.

    References
    ----------
    M. Chen, A. Zheng, K. Weinberger, *Fast image tagging*, ICML 2013, eq. 1-8. Deviations: one round, without
    the paper's repeated rounds for rare tags; labels by a threshold where the paper ranks.

    Examples
    --------
    >>> model = FastTag().fit([[-2.0], [-1.0], [1.0], [2.0]], [[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> model.predict([[-3.0], [3.0]]).tolist()
    [[1, 0], [0, 1]]
    """

    def __init__(
        self,
        dropped: float = 0.5,
        *,
        gamma: float = 1.0,
        regularization: float = 1e-3,
        max_iter: int = 100,
        tol: float = 1e-6,
    ) -> None:
        self.dropped = dropped
        self.gamma = gamma
        self.regularization = regularization
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: ArrayLike, Z: Any) -> Self:
        """Fit to vectors (n, d) and tags (n, k)."""
        check_scalar(self.dropped, "dropped", Real, min_val=0, max_val=1, include_boundaries="neither")
        for name in ("gamma", "regularization"):
            check_scalar(getattr(self, name), name, Real, min_val=0, include_boundaries="neither")
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        vectors = validate_data(self, X, dtype=np.float64)
        tags = check_tags(Z)
        check_consistent_length(vectors, tags)
        middle = vectors.mean(axis=0)
        wide = np.column_stack([vectors - middle, np.ones(len(vectors))])
        weights = self._alternate(wide, tags.astype(np.float64))
        self.coef_ = weights[:-1].T.copy()
        self.intercept_ = weights[-1] - self.coef_ @ middle
        self.threshold_ = best_threshold(tags, vectors @ self.coef_.T + self.intercept_)
        self.classes_ = [np.array([0, 1])] * tags.shape[1]
        warn_unsettled(self)
        return self

    def decision_function(self, X: ArrayLike) -> Reals:
        """Scores (n, k) of the tags."""
        check_is_fitted(self)
        vectors = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(vectors @ self.coef_.T + self.intercept_)

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Tags (n, k), 0 or 1."""
        return (self.decision_function(X) >= self.threshold_).astype(np.int64)

    def _alternate(self, X: Reals, Z: Reals) -> Reals:
        """W (d + 1, k) after the turns; B is kept."""
        gram = X.T @ X
        gram[np.diag_indices_from(gram)] += self.regularization * len(X)
        onto = np.linalg.solve(gram, X.T @ Z)  # vectors to tags as they are; W is this times B
        q = 1.0 - self.dropped
        together = Z.T @ Z
        kept = q * q * together
        np.fill_diagonal(kept, q * np.diag(together))
        left = self.gamma * kept + together
        left[np.diag_indices_from(left)] += 1e-8  # a tag that is never there has an empty row
        fitted = (X.T @ Z).T @ onto
        B: Reals = np.eye(Z.shape[1])
        self.n_iter_ = 0
        while self.n_iter_ < self.max_iter:
            there: Reals = np.asarray(np.linalg.solve(left, self.gamma * q * together + fitted @ B), np.float64)
            moved = np.abs(there - B).max()
            B = there
            self.n_iter_ += 1
            if moved <= self.tol:
                break
        self.enrichment_ = B
        return np.asarray(onto @ B)


def best_threshold(tags: NDArray[np.bool_], scores: Reals) -> float:
    """The score from which on calling everything a tag has the highest F1-micro.

    Examples
    --------
    >>> best_threshold(np.array([[True, False, True]]), np.array([[0.9, 0.2, 0.4]]))
    0.4
    """
    order = np.argsort(-scores, axis=None, kind="stable")
    hits = np.cumsum(tags.ravel()[order])
    f1 = 2.0 * hits / (np.arange(1, len(order) + 1) + tags.sum())
    return float(scores.ravel()[order[int(f1.argmax())]])
