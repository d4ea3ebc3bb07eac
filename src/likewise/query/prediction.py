"""Clusters of items that were not there, from their nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.distances import nearest

N_NEIGHBORS = 5


def predict_labels(X: NDArray[Any], labels: NDArray[np.int64], new: NDArray[Any], metric: Any) -> NDArray[np.int64]:
    """Of each new item, the label of most weight among its five nearest; ties to the label of the nearest.

    The weight of a neighbour at distance d is :math:`e^{-(d/s)^2}`, with s the distance of the farthest of the five.

    - `X` (n, d), `labels` (n,): Items with their labels.
    - `new` (m, d): The others.
    - `metric`: As in :func:`likewise.distances.nearest`.
    """
    found = nearest(new, X, n_neighbors=min(N_NEIGHBORS, len(X)), metric=metric)
    scale = np.where(found.distances[:, -1:] > 0, found.distances[:, -1:], 1.0)
    weight = np.exp(-((found.distances / scale) ** 2))
    near = labels[found.indices]
    total = np.einsum("mkj,mj->mk", near[:, :, None] == near[:, None, :], weight)
    best = total.argmax(axis=1)  # the first of equal ones, which is the nearest
    return np.asarray(near[np.arange(len(near)), best])
