"""One step of matrix completion between two eigendecompositions."""

import numpy as np
from numba import njit


@njit(cache=True)
def settle_entries(M, L, Z, Y, price, mu, T):
    """Move the entries between what was observed, [0, 1] and the low-rank matrix; in place.

    M (n, n) what was observed, NaN elsewhere; L (n, n) the low-rank matrix; Z, Y (n, n) the entries' copy in [0, 1] and its multiplier;
    T (n, n) takes the next matrix to decompose. Returns ‖Z - L‖² and the squared change of Z. O(n²).
    """
    total = 0.0
    moved = 0.0
    n = M.shape[0]
    width = price / mu
    for i in range(n):
        for j in range(n):
            value = L[i, j] - Y[i, j] / mu
            if not np.isnan(M[i, j]):
                off = value - M[i, j]
                value = M[i, j] + max(off - width, 0.0) + min(off + width, 0.0)
            value = min(max(value, 0.0), 1.0)
            moved += (value - Z[i, j]) ** 2
            Z[i, j] = value
            gap = value - L[i, j]
            Y[i, j] += mu * gap
            total += gap * gap
            T[i, j] = value + Y[i, j] / mu
    return total, moved
