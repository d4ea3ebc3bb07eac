"""The nearest rows, exactly, without a matrix of distances; ties go to the lower index."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.kernel import kernel
from likewise.kernels.metric.distances import GIVEN, compute_row, load_tile, new_tile
from likewise.kernels.threads import BLOCK, run_blocks


def find_neighbours(
    X: NDArray[Any], Y: NDArray[Any] | None, kind: int, n_neighbors: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Nearest rows of Y (m, d) to each row of X (n, d), of the other rows of X when Y is None. O(nmd).

    Returns indices (n, k) int64 and distances (n, k) float64, nearest first, by (distance, index).
    """
    alone = Y is None
    Y = X if alone else Y
    return _share_rows(X, Y, kind, alone, n_neighbors, X.shape[0] * Y.size)


def select_neighbours(D: NDArray[Any], n_neighbors: int, alone: bool) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Columns of the smallest entries in each row of D (n, m), off the diagonal if alone. O(nm).

    Returns as :func:`find_neighbours`.
    """
    return _share_rows(D, D, GIVEN, alone, n_neighbors, D.size)


def _share_rows(X, Y, kind, alone, n_neighbors, work):
    n = X.shape[0]
    indices = np.full((n, n_neighbors), -1, np.int64)
    distances = np.full((n, n_neighbors), np.inf)
    run_blocks(lambda start, stop: keep_nearest(X, Y, kind, alone, start, stop, indices, distances), n, work)
    return indices, distances


@kernel(nogil=True)
def keep_nearest(X, Y, kind, alone, start, stop, indices, distances):
    """Nearest rows of Y to the rows start … stop of X, into indices and distances (n, k). O(md) a row."""
    n_columns = X.shape[1] if kind == GIVEN else Y.shape[0]
    tile = new_tile(Y, kind)
    for left in range(0, n_columns, BLOCK):
        width = min(BLOCK, n_columns - left)
        load_tile(Y, left, width, tile)
        for i in range(start, stop):
            compute_row(X, i, Y, kind, left, width, tile)
            for j in range(width):
                if tile.row[j] < distances[i, -1] and not (alone and left + j == i):
                    insert_sorted(tile.row[j], left + j, distances[i], indices[i])


@kernel(nogil=True)
def insert_sorted(distance, index, distances, indices):
    """Put a distance (k,) and its index (k,) in place, behind equal ones, and drop the last. O(k)."""
    at = distances.shape[0] - 1
    while at > 0 and distances[at - 1] > distance:
        distances[at] = distances[at - 1]
        indices[at] = indices[at - 1]
        at -= 1
    distances[at] = distance
    indices[at] = index


def order_candidates(
    X: NDArray[Any], Y: NDArray[Any], kind: int, candidates: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Exact distances to candidate rows (n, c) int64 of Y, ordered by (distance, index). O(ncd).

    X (n, d), Y (m, d). A candidate of -1 is none: it comes last, with index -1 and distance inf.
    """
    n, c = candidates.shape
    indices = np.full((n, c), -1, np.int64)
    distances = np.full((n, c), np.inf)
    run_blocks(
        lambda start, stop: sort_candidates(X, Y, kind, candidates, start, stop, indices, distances),
        n,
        n * c * X.shape[1],
    )
    return indices, distances


@kernel(nogil=True)
def sort_candidates(X, Y, kind, candidates, start, stop, indices, distances):
    """Order the candidates of the rows start … stop into indices and distances (n, c). O(cd) a row."""
    tile = new_tile(Y, kind)
    for i in range(start, stop):
        chosen = np.sort(candidates[i])
        chosen = chosen[np.searchsorted(chosen, 0) :]
        rows = Y[chosen]
        for left in range(0, len(chosen), BLOCK):
            width = min(BLOCK, len(chosen) - left)
            load_tile(rows, left, width, tile)
            compute_row(X, i, rows, kind, left, width, tile)
            for j in range(width):
                insert_sorted(tile.row[j], chosen[left + j], distances[i], indices[i])
