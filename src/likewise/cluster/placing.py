"""Clusters of new items, for clusterers that have a centre or a density of each cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp
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
        accepted = "csr" if getattr(self, "takes_sparse", False) and self.metric != "precomputed" else False
        checked = validate_data(self, X, dtype=np.float64, reset=False, accept_sparse=accepted)
        return np.asarray(self._gaps_to_centres(checked).argmin(axis=1), np.int64)

    def _gaps_to_centres(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far every item is from every centre, (m, k)."""
        fitted: Any = self
        if isinstance(self.metric, str) and self.metric == "precomputed":
            return np.asarray(X[:, fitted.medoid_indices_])
        return pairwise(X, fitted.cluster_centers_, metric=self.metric)


class MixtureClusterer:
    """Adds ``predict`` and ``predict_proba`` to a clusterer that has a density of each cluster."""

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """P(cluster | x) of new vectors under the densities and shares of the clusters, (m, k).

        Constraints have no say in it.

        Parameters
        ----------
        X : array-like of shape (m, d)
            New vectors.
        """
        check_is_fitted(self)
        scores = self._log_densities(validate_data(self, X, dtype=np.float64, reset=False))
        return np.asarray(np.exp(scores - logsumexp(scores, axis=1, keepdims=True)))

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """The likeliest cluster of new vectors, the first of equally likely ones, (m,).

        Parameters
        ----------
        X : array-like of shape (m, d)
            New vectors.
        """
        return np.asarray(self.predict_proba(X).argmax(axis=1), np.int64)

    def _log_densities(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log of share times density of every cluster, but for what is the same for all, (m, k)."""
        raise NotImplementedError
