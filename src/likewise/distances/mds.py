"""Classical multidimensional scaling: vectors from distances, for methods that need vectors."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from likewise.distances.matrix import check_distances
from likewise.distances.memory import count_rows, require_square

Floats = NDArray[np.float64]


class MDS(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Vectors whose Euclidean distances come near to given ones.

    Parameters
    ----------
    n_components : int, default=60
        Dimensions; fewer when the distances need fewer.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        The vectors, centred, the widest direction first.
    eigenvalues_ : ndarray of shape (k,)
        Squared widths.

    References
    ----------
    T. Cox, M. Cox, *Multidimensional Scaling*, 2000, §2.2 (Torgerson's classical scaling); new items after J. Gower,
    *Adding a point to vector diagrams in multivariate analysis*, Biometrika 1968.

    Examples
    --------
    >>> D = [[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]]
    >>> V = MDS().fit_transform(D)
    >>> V.shape, np.linalg.norm(V[1] - V[2]).round(6).item()
    ((3, 2), 5.0)
    """

    embedding_: Floats
    eigenvalues_: Floats

    def __init__(self, n_components: int = 60) -> None:
        self.n_components = n_components

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the vectors.

        Parameters
        ----------
        X : array-like of shape (n, n)
            Distances.
        y : ignored
            Present for scikit-learn.
        """
        if self.n_components < 1:
            raise ValueError(f"n_components must be positive, got {self.n_components!r}")
        require_square(count_rows(X), 7, "MDS", "give vectors instead of distances")
        squares = check_distances(X) ** 2
        self._row_means = squares.mean(axis=1)
        inner = -0.5 * (squares - self._row_means[:, None] - self._row_means + self._row_means.mean())
        values, vectors = np.linalg.eigh(inner)
        kept = np.flatnonzero(values > 1e-10 * max(values[-1], 0.0))[::-1][: self.n_components]
        kept = kept if values[-1] > 0 else kept[:0]
        self.eigenvalues_ = values[kept]
        self.embedding_ = vectors[:, kept] * np.sqrt(self.eigenvalues_)
        if not len(kept):
            self.eigenvalues_, self.embedding_ = np.zeros(1), np.zeros((len(squares), 1))
        self.n_features_in_ = len(squares)
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> Floats:
        """Find the vectors and return them, (n, k); see :meth:`fit`."""
        return self.fit(X, y).embedding_

    def transform(self, X: ArrayLike) -> Floats:
        """Vectors of items from their distances to those of the fit.

        Parameters
        ----------
        X : array-like of shape (m, n)
            Distances to the fitted items.
        """
        check_is_fitted(self)
        squares: Floats = check_array(X, dtype=np.float64) ** 2
        if squares.shape[1] != len(self.embedding_):
            raise ValueError(f"X has {squares.shape[1]} features, MDS expects {len(self.embedding_)}")
        width = np.where(self.eigenvalues_ > 0, self.eigenvalues_, 1.0)
        return np.asarray(-0.5 * (squares - self._row_means) @ (self.embedding_ / width))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags
