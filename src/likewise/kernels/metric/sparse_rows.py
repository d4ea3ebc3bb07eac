"""Exact distances between sparse rows, by direct differences over the columns that either of two rows has."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.kernel import kernel
from likewise.kernels.metric.distances import CHI2, EUCLIDEAN


class SparseRows(NamedTuple):
    """Rows as in a CSR matrix: row i has columns[starts[i]:starts[i + 1]], in order and each once, with values."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float64]


@kernel(nogil=True)
def fill_sparse_distances(X, Y, kind, start, stop, out):
    """Rows start … stop of the distances out (n, m) between SparseRows X and Y. O(m) times the entries of two rows.

    Columns that neither row has would add 0: the sums are those of dense rows, to the last bit.
    """
    for i in range(start, stop):
        for j in range(Y.starts.shape[0] - 1):
            out[i, j] = sum_sparse(X, i, Y, j, kind)


@kernel(nogil=True, error_model="numpy")
def sum_sparse(X, i, Y, j, kind):
    """Distance of one kind between row i of X and row j of Y, both SparseRows. O(entries of both)."""
    a, b = X.starts[i], Y.starts[j]
    a_end, b_end = X.starts[i + 1], Y.starts[j + 1]
    total = 0.0
    while a < a_end or b < b_end:
        x, y = 0.0, 0.0
        from_x = b == b_end or (a < a_end and X.columns[a] <= Y.columns[b])
        from_y = a == a_end or (b < b_end and Y.columns[b] <= X.columns[a])
        if from_x:
            x = X.values[a]
            a += 1
        if from_y:
            y = Y.values[b]
            b += 1
        diff = x - y
        if kind == CHI2:
            both = x + y
            total += diff * (diff / (both if both > 0.0 else 1.0))
        else:
            total += diff * diff
    if kind == CHI2:
        return total * 0.5
    return np.sqrt(total) if kind == EUCLIDEAN else total
