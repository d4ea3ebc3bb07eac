"""What every clusterer shares: how vectors, distances and constraints come in."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from likewise.constraints import ConflictError, Constraints
from likewise.distances import check_distances
from likewise.distances.convergence import warn_unsettled
from likewise.distances.sparse_rows import SPARSE_KINDS


class ConstrainedClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the estimators: ``fit(X, y=None, *, must_link=None, cannot_link=None)``."""

    metric: Any = "euclidean"
    takes_sparse = False
    """Whether X may be sparse: of those that know vectors by their distances alone."""

    def fit(
        self, X: ArrayLike, y: Any = None, *, must_link: ArrayLike | None = None, cannot_link: ArrayLike | None = None
    ) -> Self:
        """Cluster X under the constraints.

        Parameters
        ----------
        X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
            Vectors, or distances between all items.
        y : ignored
            Present for scikit-learn.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of indices into X that people called same, and different.
        """
        checked = self._check_input(X)
        n = len(checked) if not self.takes_sparse else checked.shape[0]
        constraints = consistent_constraints(n, must_link, cannot_link)
        self._fit(checked, constraints)
        warn_unsettled(self)
        return self

    def fit_predict(self, X: ArrayLike, y: Any = None, **known: Any) -> NDArray[np.int64]:
        """Cluster X and return the labels; constraints and other side information as in :meth:`fit`."""
        return self.fit(X, y, **known).labels_

    labels_: NDArray[np.int64]
    n_clusters_: int

    def _fit(self, X: NDArray[np.float64], constraints: Constraints) -> None:
        """Set labels_ and n_clusters_; X is checked, the constraints do not contradict each other."""
        raise NotImplementedError

    def _check_input(self, X: ArrayLike) -> NDArray[np.float64]:
        accepted = "csr" if self.takes_sparse and self.metric != "precomputed" else False
        checked: NDArray[np.float64] = validate_data(
            self, X, dtype=np.float64, ensure_min_samples=1, accept_sparse=accepted
        )
        return check_distances(checked) if self.metric == "precomputed" else checked

    def _check_n_clusters(self, n_clusters: Any, n: int) -> int:
        if not isinstance(n_clusters, int | np.integer) or isinstance(n_clusters, bool) or n_clusters < 1:
            raise ValueError(f"n_clusters must be a positive integer, got {n_clusters!r}")
        if n_clusters > n:
            raise ValueError(f"n_clusters is {n_clusters}, but there are only n_samples={n}")
        return int(n_clusters)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.sparse = self.takes_sparse and self.metric in SPARSE_KINDS
        return tags


def consistent_constraints(n: int, must_link: ArrayLike | None, cannot_link: ArrayLike | None) -> Constraints:
    """Constraints that can all hold; :class:`ConflictError` otherwise."""
    constraints = Constraints(n, must_link=must_link, cannot_link=cannot_link)
    if constraints.conflicts():
        raise ConflictError(constraints.conflicts())
    return constraints
