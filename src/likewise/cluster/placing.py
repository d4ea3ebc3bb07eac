"""Clusters of new items, for clusterers that have a centre of each cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from likewise.distances import pairwise


class PlacingClusterer:
    """Adds ``predict`` to a clusterer with ``cluster_centers_``, or ``medoid_indices_`` where distances are given."""

    metric: Any

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """The cluster whose centre is nearest to each item, the first of equally near ones.

        Constraints have no say in it.

        Parameters
        ----------
        X : array-like of shape (m, d), or (m, n) with ``metric="precomputed"``
            New vectors, or the distances of new items to those the clusterer was fitted to.

        Returns
        -------
        ndarray of shape (m,)
            Numbers of clusters, as in ``labels_``.
        """
        check_is_fitted(self)
        checked = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(self._gaps_to_centres(checked).argmin(axis=1), np.int64)

    def _gaps_to_centres(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far every item is from every centre, (m, k)."""
        fitted: Any = self
        if isinstance(self.metric, str) and self.metric == "precomputed":
            return np.asarray(X[:, fitted.medoid_indices_])
        return pairwise(X, fitted.cluster_centers_, metric=self.metric)
