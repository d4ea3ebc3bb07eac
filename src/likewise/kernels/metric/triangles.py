"""Triangles of a distance matrix that are no triangles."""

import numpy as np
from numba import njit

# Maxima may be taken in any order when there is no NaN, which lets the compiler take eight at a time.
ANY_ORDER = {"nnan", "nsz"}


@njit(cache=True, nogil=True)
def measure_excess(a, b, c, tolerance):
    """How far the longest side exceeds the other two together, 0 within tolerance × the longest. O(1)."""
    excess = max(a - (b + c), max(b - (a + c), c - (a + b)))
    return excess if excess > tolerance * max(a, max(b, c)) else 0.0


@njit(cache=True, nogil=True, fastmath=ANY_ORDER)
def scan_row(D, i, j, tolerance):
    """Triangles i, j, k with k > j > i: number violated and largest excess. D (n, n). O(n)."""
    side, count, worst = D[i, j], 0, 0.0
    first, second = D[i], D[j]
    for k in range(j + 1, D.shape[0]):
        excess = measure_excess(side, first[k], second[k], tolerance)
        count += excess > 0.0
        worst = max(worst, excess)
    return count, worst


@njit(cache=True, nogil=True)
def check_all_triangles(D, tolerance):
    """Over all i < j < k: number violated, largest excess, its triangle (3,) int64. D (n, n). O(n³)."""
    n = D.shape[0]
    count, worst = 0, 0.0
    where = np.full(3, -1, np.int64)
    for i in range(n):
        for j in range(i + 1, n):
            in_row, excess = scan_row(D, i, j, tolerance)
            count += in_row
            if excess > worst:
                worst = excess
                where[0], where[1], where[2] = i, j, j + 1
                while measure_excess(D[i, j], D[i, where[2]], D[j, where[2]], tolerance) < worst:
                    where[2] += 1
    return count, worst, where


@njit(cache=True, nogil=True)
def check_triangles(D, triples, tolerance):
    """Over the rows of triples (t, 3) int64: number violated, largest excess, row of the latter. O(t)."""
    count, worst, where = 0, 0.0, -1
    for t in range(triples.shape[0]):
        i, j, k = triples[t, 0], triples[t, 1], triples[t, 2]
        excess = measure_excess(D[i, j], D[i, k], D[j, k], tolerance)
        if excess > 0.0:
            count += 1
            if excess > worst:
                worst = excess
                where = t
    return count, worst, where
