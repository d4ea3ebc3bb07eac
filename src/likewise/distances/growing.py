"""Neighbours of a set of vectors that grows: only what the new ones change is looked at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.distances.metric import Floats
from likewise.distances.neighbours import Neighbours, nearest


def extend_neighbours(X: Floats, found: Neighbours) -> tuple[Neighbours, NDArray[np.int64]]:
    """The nearest of all vectors, from those of the first, and the nearest of each new one among the first.

    As :func:`nearest` finds them, where it compares all with all. O(n m d) for m new ones.

    - `X` (n + m, d): Vectors, m at least 1.
    - `found`: The nearest of the first n among themselves.

    Examples
    --------
    >>> X = np.array([[0.0], [4.0], [1.0]])
    >>> both, before = extend_neighbours(X, nearest(X[:2], n_neighbors=1))
    >>> both.indices.ravel().tolist(), before.tolist()
    ([2, 2, 0], [0])
    """
    n, k = found.indices.shape
    first, new = X[:n], X[n:]
    m = len(new)
    back = nearest(first, new, n_neighbors=min(k, m))
    forth = nearest(new, first, n_neighbors=k)
    indices, distances = (np.concatenate(both) for both in zip(found, forth, strict=True))
    changed = np.flatnonzero(back.distances[:, 0] < found.distances[:, -1])
    indices[changed], distances[changed] = _merge(
        Neighbours(found.indices[changed], found.distances[changed]),
        Neighbours(back.indices[changed] + n, back.distances[changed]),
    )
    if m > 1:
        among = nearest(new, n_neighbors=min(k, m - 1))
        indices[n:], distances[n:] = _merge(forth, Neighbours(among.indices + n, among.distances))
    return Neighbours(indices, distances), forth.indices[:, 0].copy()


def _merge(some: Neighbours, others: Neighbours) -> Neighbours:
    """As many of both as there are of the first, nearest first, ties by index."""
    indices = np.concatenate([some.indices, others.indices], axis=1)
    distances = np.concatenate([some.distances, others.distances], axis=1)
    order = np.lexsort((indices, distances))[:, : some.indices.shape[1]]
    return Neighbours(np.take_along_axis(indices, order, 1), np.take_along_axis(distances, order, 1))
