"""One step of matrix completion between two eigendecompositions."""

import numpy as np
from numba import njit


@njit(cache=True)
def settle_entries(M, L, Z, Y, price, mu, T):
    """Move the seen entries between what was seen and the low-rank matrix; in place.

    M (n, n) what was seen, NaN elsewhere; L (n, n) the low-rank matrix; Z, Y (n, n) the entries' copy and multiplier (0 where nothing
    was seen); T (n, n) takes the next matrix to decompose. Returns ‖Z - L‖² and the squared change of Z. O(n²).
    """
    apart = 0.0
    moved = 0.0
    n = M.shape[0]
    width = price / mu
    for i in range(n):
        for j in range(n):
            old = Z[i, j]
            if np.isnan(M[i, j]):
                Z[i, j] = L[i, j]
            else:
                off = L[i, j] - Y[i, j] / mu - M[i, j]
                if off > width:
                    off -= width
                elif off < -width:
                    off += width
                else:
                    off = 0.0
                Z[i, j] = M[i, j] + off
                gap = Z[i, j] - L[i, j]
                Y[i, j] += mu * gap
                apart += gap * gap
            T[i, j] = Z[i, j] + Y[i, j] / mu
            moved += (Z[i, j] - old) ** 2
    return apart, moved
