"""Clusters by their means."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def cluster_means(X: NDArray[np.float64], labels: NDArray[np.int64], n_clusters: int) -> NDArray[np.float64]:
    """Mean of every cluster, (k, d); every cluster must have an item.

    - `X` (n, d): Vectors.
    - `labels` (n,): Cluster of each.
    - `n_clusters`: Number of clusters.
    """
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels, minlength=n_clusters)
    begin = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return np.asarray(np.add.reduceat(X[order], begin, axis=0) / sizes[:, None])


def check_vectors_only(estimator: Any) -> None:
    """Refuse a metric that has no means."""
    if not isinstance(estimator.metric, str) or estimator.metric != "euclidean":
        raise ValueError(
            f"{type(estimator).__name__} takes means, so it needs vectors and metric='euclidean', not "
            f"{estimator.metric!r}; COPKMeans, KMedoids and HACC take other distances"
        )
