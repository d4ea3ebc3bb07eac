"""Subclusters: the nearest items of a block, what lists and subclusters share, and the best swap of centres."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def insert_sorted(gap, item, row, kept, values):
    """Put an item, nearer than the last, into a row of kept (r, m) and values (r, m), after its ties. O(m)."""
    k = kept.shape[1] - 1
    while k > 0 and values[row, k - 1] > gap:
        values[row, k] = values[row, k - 1]
        kept[row, k] = kept[row, k - 1]
        k -= 1
    values[row, k] = gap
    kept[row, k] = item


@njit(cache=True, nogil=True)
def keep_nearest(gaps, kept, values):
    """Columns of the lowest entries of every row of gaps (r, b), into kept (r, m) int64 and values (r, m). O(rb + rm²).

    Lowest first, ties by column; -1 and inf where b < m.
    """
    n_rows, n_columns = gaps.shape
    m = kept.shape[1]
    if m == 0:
        return
    for r in range(n_rows):
        for k in range(m):
            kept[r, k] = -1
            values[r, k] = np.inf
        worst = np.inf
        for j in range(n_columns):
            gap = gaps[r, j]
            if gap < worst:
                insert_sorted(gap, j, r, kept, values)
                worst = values[r, m - 1]


@njit(cache=True, nogil=True)
def list_nearest(gaps, shift, listed, first, kept, values):
    """Rows of gaps (r, b) with the lowest entries of every column, into kept (b, m) int32; O(rb) and O(m) an entry kept.

    An entry counts gaps + shift (r,); rows not in listed (r,) bool count not at all; first is the number of
    the first row. values (b, m), lowest first, and kept go on from the rows before; inf where there are fewer.
    """
    m = kept.shape[1]
    worst = values[:, m - 1].copy()
    for r in range(gaps.shape[0]):
        if not listed[r]:
            continue
        for j in range(gaps.shape[1]):
            gap = gaps[r, j] + shift[r]
            if gap < worst[j]:
                insert_sorted(gap, first + r, j, kept, values)
                worst[j] = values[j, m - 1]


@njit(cache=True)
def count_shared(own, lists, marks):
    """How many entries of own (m,) are in every row of lists (r, m) int32, (r,) int64. O(rm).

    marks, bool, longer than any entry, is all False, before and after.
    """
    for entry in own:
        marks[entry] = True
    both = np.zeros(lists.shape[0], np.int64)
    for r in range(lists.shape[0]):
        for entry in lists[r]:
            both[r] += marks[entry]
    for entry in own:
        marks[entry] = False
    return both


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
def find_swap(spread, losses, clash, n_clashes, centres, margin):
    """(row, index, cost): the valid swap that lowers the cost most, by more than margin times it; row -1 if none. O(rk).

    spread (r,): first part of the cost of every candidate; losses (k, r): second part between a centre and every
    candidate, 0 for itself; clash (k, r) bool, n_clashes (r,) its sums; centres (k,) int64 rows. A pair of
    centres counts twice, as in eq. 4.2. cost is that before the swap.
    """
    k, n_rows = losses.shape
    whole = spread.copy()
    for index in range(k):
        for r in range(n_rows):
            whole[r] += 2.0 * losses[index, r]
    cost = 0.0
    for index in range(k):
        cost += (whole[centres[index]] + spread[centres[index]]) / 2.0
    is_centre = np.zeros(n_rows, np.bool_)
    is_centre[centres] = True
    best, best_index, best_change = -1, -1, -margin * max(1.0, abs(cost))
    for index in range(k):
        saved = whole[centres[index]]
        allowed = n_clashes[centres[index]]
        row = losses[index]
        for r in range(n_rows):
            if whole[r] - 2.0 * row[r] - saved >= best_change or is_centre[r]:
                continue
            if n_clashes[r] - clash[index, r] > allowed:
                continue
            # Added up again: a loss that is taken away and far above the others leaves little of their digits.
            change = spread[r]
            for other in range(k):
                if other != index:
                    change += 2.0 * losses[other, r]
            change -= saved
            if change < best_change:
                best, best_index, best_change = r, index, change
    return best, best_index, cost
