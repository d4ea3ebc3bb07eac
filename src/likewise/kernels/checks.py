"""Checks of whole matrices in one pass."""

import numpy as np
from numba import njit, prange

_TILE = 64


@njit(cache=True, parallel=True)
def find_asymmetry(D, rtol, atol):
    """Largest gap |D[i, j] - D[j, i]| beyond rtol·max(|·|) + atol: (gap or 0, i, j). D (n, n). O(n²), tiled."""
    n = D.shape[0]
    n_tiles = (n + _TILE - 1) // _TILE
    worst = np.zeros(n_tiles)
    where = np.zeros((n_tiles, 2), np.int64)
    for t in prange(n_tiles):
        for u in range(t + 1):
            for i in range(t * _TILE, min(n, (t + 1) * _TILE)):
                for j in range(u * _TILE, min(i, (u + 1) * _TILE)):
                    gap = abs(D[i, j] - D[j, i])
                    if gap > atol + rtol * max(abs(D[i, j]), abs(D[j, i])) and gap > worst[t]:
                        worst[t] = gap
                        where[t, 0] = j
                        where[t, 1] = i
    best = np.argmax(worst)
    return worst[best], where[best, 0], where[best, 1]
