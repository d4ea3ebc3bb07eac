"""Comparisons of distances, from triplets or from pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.constraints import Pairs

Ints = NDArray[np.int64]

NO_TRIPLETS: Ints = np.empty((0, 3), np.int64)


def as_triplets(triplets: ArrayLike | None, n: int) -> Ints:
    """Check triplets (a, b, c), "a is nearer to b than to c", and return them as an (m, 3) array.

    Examples
    --------
    >>> as_triplets([(0, 1, 2)], 3)
    array([[0, 1, 2]])
    """
    if triplets is None:
        return NO_TRIPLETS
    array: NDArray[Any] = np.asarray(triplets)
    if array.size == 0:
        return NO_TRIPLETS
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"triplets must be of shape (m, 3), got {array.shape}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"triplets must be integer indices, got {array.dtype}")
    outside = (array < 0) | (array >= n)
    if outside.any():
        raise ValueError(f"triplets hold index {array[outside][0]}, but there are {n} items (0 to {n - 1})")
    if (array[:, 0] == array[:, 1]).any() or (array[:, 0] == array[:, 2]).any():
        raise ValueError("triplets compare an item with itself")
    return array.astype(np.int64)


def triplets_of_pairs(must: Pairs, cannot: Pairs) -> Ints:
    """Every (a, b, c) with a must-link (a, b) and a cannot-link (a, c), either way round, (m, 3)."""
    if len(must) == 0 or len(cannot) == 0:
        return NO_TRIPLETS
    near = np.unique(np.concatenate([must, must[:, ::-1]]), axis=0)
    far = np.unique(np.concatenate([cannot, cannot[:, ::-1]]), axis=0)
    first, last = np.searchsorted(far[:, 0], near[:, 0]), np.searchsorted(far[:, 0], near[:, 0], side="right")
    count = last - first
    row = np.repeat(np.arange(len(near)), count)
    position = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + first[row]
    return np.column_stack([near[row], far[position, 1]])


def triplets_of_labels(X: NDArray[np.float64], y: Any, n_neighbors: int, n_impostors: int) -> NDArray[np.int64]:
    """Every item beside its nearest ones of the same label, and its nearest ones of others, (m, 3).

    - `X` (n, d): Vectors.
    - `y` (n,): Labels; -1, NaN or None where none is known.
    - `n_neighbors`, `n_impostors`: How many of each.

    Examples
    --------
    >>> triplets_of_labels(np.array([[0.0], [1.0], [3.0], [9.0]]), [0, 0, 1, -1], 2, 2).tolist()
    [[0, 1, 2], [1, 0, 2]]
    """
    from scipy.spatial.distance import cdist

    labels = np.asarray(y, object)
    if labels.shape != (len(X),):
        raise ValueError(f"y must have one label for each of the {len(X)} items, got {labels.shape}")
    known = np.flatnonzero([not (each is None or each == -1 or each != each) for each in labels.tolist()])
    found = [NO_TRIPLETS]
    for a in known.tolist():
        others = known[known != a]
        same = labels[others] == labels[a]
        order = np.argsort(cdist(X[[a]], X[others])[0], kind="stable")
        near = others[order][same[order]][:n_neighbors]
        far = others[order][~same[order]][:n_impostors]
        b, c = (each.ravel() for each in np.meshgrid(near, far, indexing="ij"))
        found.append(np.column_stack([np.full(len(b), a), b, c]).astype(np.int64))
    return np.concatenate(found)
