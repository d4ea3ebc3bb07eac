"""Subclusters: the nearest items of a block, which subclusters share an item, and the best swap of centres."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def keep_nearest(gaps, kept, values):
    """Columns of the lowest entries of every row of gaps (r, b), into kept (r, m) int64 and values (r, m). O(rb + rm²).

    Lowest first, ties by column; -1 and inf where b < m.
    """
    n_rows, n_columns = gaps.shape
    m = kept.shape[1]
    for r in range(n_rows):
        for k in range(m):
            kept[r, k] = -1
            values[r, k] = np.inf
        worst = np.inf
        for j in range(n_columns):
            gap = gaps[r, j]
            if gap < worst:
                k = m - 1
                while k > 0 and values[r, k - 1] > gap:
                    values[r, k] = values[r, k - 1]
                    kept[r, k] = kept[r, k - 1]
                    k -= 1
                values[r, k] = gap
                kept[r, k] = j
                worst = values[r, m - 1]


@njit(cache=True)
def find_clashes(members, chosen, marks, clash):
    """Which rows of members (r, n) share an item with row chosen, into clash (r,) bool; itself does not. O(rn).

    marks (n_items,) bool is all False, before and after.
    """
    for j in range(members.shape[1]):
        marks[members[chosen, j]] = True
    for r in range(members.shape[0]):
        clash[r] = False
        for j in range(members.shape[1]):
            if marks[members[r, j]]:
                clash[r] = True
                break
    clash[chosen] = False
    for j in range(members.shape[1]):
        marks[members[chosen, j]] = False


@njit(cache=True)
def find_swap(spread, losses, clash, centres, margin):
    """The valid swap (row, place, change) that lowers the cost most, by more than margin; row -1 if none. O(rk).

    spread (r,): first part of the cost of every candidate; losses (k, r): second part between a centre and every
    candidate, 0 for itself; clash (k, r) bool; centres (k,) int64 rows. A pair of centres counts twice, as in eq. 4.2.
    """
    k, n_rows = losses.shape
    total = np.zeros(n_rows)
    clashes = np.zeros(n_rows, np.int64)
    for place in range(k):
        for r in range(n_rows):
            total[r] += losses[place, r]
            clashes[r] += clash[place, r]
    is_centre = np.zeros(n_rows, np.bool_)
    for place in range(k):
        is_centre[centres[place]] = True
    best, best_place, best_change = -1, -1, -margin
    for place in range(k):
        centre = centres[place]
        saved = spread[centre] + 2.0 * total[centre]
        allowed = clashes[centre]
        for r in range(n_rows):
            change = spread[r] + 2.0 * (total[r] - losses[place, r]) - saved
            if change < best_change and not is_centre[r] and clashes[r] - clash[place, r] <= allowed:
                best, best_place, best_change = r, place, change
    return best, best_place, best_change
