"""The nearest of an item among its neighbours and theirs."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from likewise.kernels.metric.neighbours import insert_sorted
from likewise.kernels.threads import run_blocks


def nearest_among(
    X: NDArray[np.float32], neighbours: NDArray[np.int64], n_nearer: int, n_wanted: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The nearest vectors of X (n, d) among the neighbours (n, k) of each, and those of the first n_nearer of them.

    Returns indices (n, n_wanted) int64 and distances (n, n_wanted) float64, by (distance, index). O(n k n_nearer d).
    """
    n, k = neighbours.shape
    indices, distances = np.full((n, n_wanted), -1, np.int64), np.full((n, n_wanted), np.inf)
    run_blocks(
        lambda start, stop: look_around(X, neighbours, n_nearer, start, stop, indices, distances),
        n,
        n * k * n_nearer * X.shape[1],
    )
    return indices, np.sqrt(distances)


@njit(cache=True, nogil=True)
def look_around(X, neighbours, n_nearer, start, stop, indices, squares):
    """What nearest_among finds for the items start … stop, with squared distances."""
    k = neighbours.shape[1]
    around = np.empty(k * (1 + n_nearer), np.int64)
    for i in range(start, stop):
        around[:k] = neighbours[i]
        for s in range(min(n_nearer, k)):
            around[k * (s + 1) : k * (s + 2)] = neighbours[neighbours[i, s]]
        chosen = np.sort(around[: k * (1 + min(n_nearer, k))])
        for c in range(len(chosen)):
            j = chosen[c]
            if j == i or (c > 0 and chosen[c - 1] == j):
                continue
            total = np.float32(0.0)
            for t in range(X.shape[1]):
                gap = X[i, t] - X[j, t]
                total += gap * gap
            if total < squares[i, -1]:
                insert_sorted(np.float64(total), j, squares[i], indices[i])
