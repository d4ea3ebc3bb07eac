"""Exact distances by direct differences: equal rows are at exactly 0, and no sum depends on thread count.

Each sum runs over the columns in order, in float64, whatever the type of the vectors or of the result.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from likewise.kernels.kernel import kernel
from likewise.kernels.threads import BLOCK, run_blocks

GIVEN, SQEUCLIDEAN, EUCLIDEAN, CHI2, ROBUST = range(5)
"""Kinds of distance; with GIVEN the rows are distances already."""


class Tile(NamedTuple):
    """Rows of Y as columns (d, BLOCK), the distances to them (BLOCK,), and work space (d,)."""

    columns: NDArray[np.float64]
    row: NDArray[np.float64]
    spare: NDArray[np.float64]


def compute_sqeuclidean(X: NDArray[Any], Y: NDArray[Any] | None = None) -> NDArray[np.float64]:
    """Squared Euclidean distances (n, m) float64 between rows of X (n, d) and Y (m, d), or X. O(nmd)."""
    return compute_distances(X, Y, SQEUCLIDEAN)


def compute_distances(
    X: NDArray[Any], Y: NDArray[Any] | None, kind: int, dtype: DTypeLike = np.float64
) -> NDArray[Any]:
    """Distances (n, m) between rows of X (n, d) and Y (m, d), or of X when Y is None. O(nmd)."""
    symmetric = Y is None or Y is X
    X, Y = _as_rows(X, X if symmetric else Y)
    n, m = X.shape[0], Y.shape[0]
    out = np.empty((n, m), dtype)

    def fill(start, stop):
        fill_distances(X, Y, kind, symmetric, start, stop, out)

    def fill_few(start, stop):
        across = np.empty((m, stop - start), dtype)
        fill_distances(Y, X[start:stop], kind, False, 0, m, across)
        out[start:stop] = across.T

    if m < BLOCK <= n:  # the inner loop runs along the longer side
        run_blocks(fill_few, n, n * Y.size, 16 * BLOCK)
    else:
        run_blocks(fill, n, n * Y.size)
    return out


def _as_rows(*arrays):
    # One layout and one type, or every mixture would be compiled anew.
    dtype = np.float32 if all(a.dtype == np.float32 for a in arrays) else np.float64
    return tuple(np.ascontiguousarray(a, dtype) for a in arrays)


@kernel(nogil=True)
def fill_distances(X, Y, kind, symmetric, start, stop, out):
    """Rows start … stop of the distances out (n, m); if symmetric, from the diagonal on and mirrored. O(nmd).

    Blocks of a symmetric matrix must start at multiples of BLOCK: the tile on the diagonal is then whole.
    """
    n_columns = Y.shape[0]
    tile = new_tile(Y, kind)
    for left in range(start if symmetric else 0, n_columns, BLOCK):
        width = min(BLOCK, n_columns - left)
        load_tile(Y, left, width, tile)
        for i in range(start, stop):
            compute_row(X, i, Y, kind, left, width, tile)
            for j in range(width):
                out[i, left + j] = tile.row[j]
        if symmetric and left > start:
            for j in range(left, left + width):
                for i in range(start, stop):
                    out[j, i] = out[i, j]


@kernel(nogil=True)
def new_tile(Y, kind):
    """An empty Tile for :func:`compute_row`. O(d)."""
    n_tiled = 0 if kind in (GIVEN, ROBUST) else Y.shape[1]
    return Tile(np.empty((n_tiled, BLOCK)), np.empty(BLOCK), np.empty(Y.shape[1]))


@kernel(nogil=True)
def load_tile(Y, left, width, tile):
    """The rows left … left + width of Y (m, d) into the columns of a tile. O(d)."""
    columns = tile.columns
    for j in range(width):
        for k in range(columns.shape[0]):
            columns[k, j] = Y[left + j, k]


@kernel(nogil=True)
def compute_row(X, i, Y, kind, left, width, tile):
    """Distances from X[i] to the rows of a loaded tile into its row. O(d)."""
    columns, row, spare = tile
    if kind == GIVEN:
        for j in range(width):
            row[j] = X[i, left + j]
    elif kind == ROBUST:
        for j in range(width):
            row[j] = compute_robust(X[i], Y[left + j], spare)
    elif kind == CHI2:
        sum_chi2(X[i], columns, width, row)
    else:
        sum_squares(X[i], columns, width, row)
        if kind == EUCLIDEAN:
            for j in range(width):
                row[j] = np.sqrt(row[j])


@kernel(nogil=True)
def sum_squares(x, columns, width, row):
    """Sum of (x - y)² over the d entries of x (d,), for every column y of columns (d, BLOCK). O(d)."""
    row[:width] = 0.0
    for k in range(x.shape[0]):
        value = np.float64(x[k])
        y = columns[k]
        for j in range(width):
            diff = value - y[j]
            row[j] += diff * diff


@kernel(nogil=True, error_model="numpy")
def sum_chi2(x, columns, width, row):
    """Half the sum of (x - y)² / (x + y), 0/0 being 0, for every column y of columns (d, BLOCK). O(d)."""
    row[:width] = 0.0
    for k in range(x.shape[0]):
        value = np.float64(x[k])
        y = columns[k]
        for j in range(width):
            diff = value - y[j]
            total = value + y[j]
            # Divided first: the square of a small difference could vanish.
            row[j] += diff * (diff / (total if total > 0.0 else 1.0))
    for j in range(width):
        row[j] *= 0.5


@kernel(nogil=True)
def compute_robust(x, y, squares):
    """Root of the sum of the smallest 4/5 (rounded) of the squared differences of x and y (d,). O(d).

    The largest square that counts is found by bisection on the bits, which order floats that are not
    negative as they order integers: no branch to mispredict, at most 63 passes, about 6 as a rule.
    """
    n = x.shape[0]
    n_kept = (4 * n + 2) // 5
    for k in range(n):
        diff = np.float64(x[k]) - np.float64(y[k])
        squares[k] = diff * diff
    bits = squares.view(np.int64)
    beyond = np.int64(0x7FFFFFFFFFFFFFFF)
    low, high = beyond, np.int64(0)
    for k in range(n):
        low = min(low, bits[k])
        high = max(high, bits[k])
    while low < high:
        middle = low + ((high - low) >> 1)
        count, below, above = 0, np.int64(0), beyond
        for k in range(n):
            inside = bits[k] <= middle
            count += inside
            below = max(below, bits[k] if inside else np.int64(0))
            above = min(above, beyond if inside else bits[k])
        if count >= n_kept:
            high = below
        if count <= n_kept:
            low = high if count == n_kept else above
    total, count, last = 0.0, 0, 0.0
    for k in range(n):
        smaller = bits[k] < low
        count += smaller
        total += squares[k] if smaller else 0.0
        last = squares[k] if bits[k] == low else last
    return np.sqrt(total + (n_kept - count) * last)
