"""What every learner of a linear metric shares: pairs of indices in, a transform out."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from likewise.constraints import Pairs, as_pairs
from likewise.distances.comparisons import NO_TRIPLETS, as_triplets
from likewise.distances.convergence import warn_unsettled
from likewise.distances.matrix import pairwise

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class MetricLearner(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Base: ``fit(X, y=None, *, must_link=None, cannot_link=None)`` sets `components_`, the matrix of the transform.

    Without anything to learn from, vectors stay as they are.
    """

    components_: Floats

    def fit(
        self, X: ArrayLike, y: Any = None, *, must_link: ArrayLike | None = None, cannot_link: ArrayLike | None = None
    ) -> Self:
        """Learn the metric.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors.
        y : ignored
            Present for scikit-learn.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of indices into X that people called same, and different.
        """
        checked = self._check_vectors(X)
        must = as_pairs(must_link, len(checked), "must_link")
        cannot = as_pairs(cannot_link, len(checked), "cannot_link")
        self._learn(checked, must, cannot)
        warn_unsettled(self)
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Vectors whose Euclidean distances are the learned ones; float32 stays float32.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors, those of the fit or others.
        """
        check_is_fitted(self)
        checked: Floats = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return (checked @ self.components_.T).astype(checked.dtype, copy=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    @property
    def metric_(self) -> Floats:
        """The learned matrix M: the squared distance of x and y is (x - y)ᵀ M (x - y), (d, d)."""
        check_is_fitted(self, "components_")
        return self.components_.T @ self.components_

    def _learn(self, X: Floats, must: Pairs, cannot: Pairs) -> None:
        """Set components_."""
        raise NotImplementedError

    def _check_vectors(self, X: ArrayLike) -> Floats:
        checked: Floats = validate_data(self, X, dtype=np.float64, ensure_min_samples=1)
        return checked


class TripletLearner(MetricLearner):
    """Base of those that learn from triplets too: ``fit`` has one more keyword, `triplets`."""

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        triplets: ArrayLike | None = None,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
    ) -> Self:
        """Learn the metric.

        - `X` (n, d): Vectors.
        - `y` (n,): Labels where the method takes them, -1 where none is known; ignored by the others.
        - `triplets` (m, 3): (a, b, c): a is nearer to b than to c. Beside what the pairs give.
        - `must_link`, `cannot_link` (m, 2): Pairs of indices into X that people called same, and different.
        """
        checked = self._check_vectors(X)
        must = as_pairs(must_link, len(checked), "must_link")
        cannot = as_pairs(cannot_link, len(checked), "cannot_link")
        compared = as_triplets(triplets, len(checked))
        if y is not None:
            compared = np.concatenate([compared, self._triplets_of_labels(checked, y)])
        self._learn(checked, must, cannot, compared)
        warn_unsettled(self)
        return self

    def _triplets_of_labels(self, X: Floats, y: Any) -> Ints:
        """What labels say, where the method learns from them."""
        return NO_TRIPLETS

    def _learn(self, X: Floats, must: Pairs, cannot: Pairs, triplets: Ints = NO_TRIPLETS) -> None:
        """Set components_."""
        raise NotImplementedError


class DistanceLearner(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Base of those that learn the distances between the items they are fitted on, and nothing for others.

    A subclass has a parameter `metric`; its `fit` sets `distances_`, and `_initial` to the distances it began with.
    """

    metric: Any
    distances_: Floats
    _initial: Floats

    def fit(
        self, X: ArrayLike, y: Any = None, *, must_link: ArrayLike | None = None, cannot_link: ArrayLike | None = None
    ) -> Self:
        """Learn distances."""
        raise NotImplementedError

    def fit_transform(
        self, X: ArrayLike, y: Any = None, *, must_link: ArrayLike | None = None, cannot_link: ArrayLike | None = None
    ) -> Floats:
        """Learn distances and return them, (n, n); see :meth:`fit`."""
        return self.fit(X, y, must_link=must_link, cannot_link=cannot_link).distances_

    def transform(self, X: ArrayLike) -> Floats:
        """The learned distances of the items that were fitted; other items have none.

        - `X`, array-like: What was given to `fit`.
        """
        check_is_fitted(self)
        if not np.array_equal(pairwise(X, metric=self.metric), self._initial):
            raise ValueError(f"{type(self).__name__} learns distances between the items it was fitted on only")
        return self.distances_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags


def differences(X: Floats, pairs: Pairs) -> Floats:
    """Vectors between the two ends of every pair, (m, d)."""
    return X[pairs[:, 0]] - X[pairs[:, 1]]


def chunklets(must: Pairs, n: int) -> NDArray[np.int64]:
    """Group of every item that must-links join to another, -1 for the others, (n,)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = must.T.astype(np.int32)  # older SciPy finds nothing in graphs with longer indices
    graph = coo_array((np.ones(len(must)), pairs), shape=(n, n))
    _, group = connected_components(graph, directed=False)
    large = np.bincount(group) > 1
    number = np.where(large, np.cumsum(large) - 1, -1)
    return np.asarray(number[group], np.int64)


def inverse_root(S: Floats, rtol: float = 1e-10) -> Floats:
    """S to the power -1/2; directions with less than ``rtol`` of the largest eigenvalue are left out."""
    values, vectors = np.linalg.eigh(S)
    kept = values > rtol * max(values[-1], 0.0)
    return np.asarray((vectors[:, kept] / np.sqrt(values[kept])) @ vectors[:, kept].T)
