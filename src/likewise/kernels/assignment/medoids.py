"""Swaps of medoids.

Units are items, or must-link groups as a whole. prices (k, u) float: price of every unit at every medoid; rows (b, u)
float: the same at a block of candidates. nearest, runner_up (u,) int64: the closest and second closest medoid of
each unit (k ≥ 2); first, second (u,) float64: its prices there; removal (k,): what giving up each medoid costs.
"""

import numpy as np
from numba import njit

# A swap must gain more than rounding can feign.
MARGIN = 1e-12


@njit(cache=True)
def find_two_nearest(prices):
    """(nearest, runner_up, first, second) of every unit, ties to the earlier medoid. O(uk)."""
    n_medoids, n_units = prices.shape
    nearest = np.zeros(n_units, np.int64)
    runner_up = np.zeros(n_units, np.int64)
    first = np.full(n_units, np.inf)
    second = np.full(n_units, np.inf)
    for k in range(n_medoids):
        row = prices[k]
        for u in range(n_units):
            if row[u] < first[u]:
                second[u], runner_up[u] = first[u], nearest[u]
                first[u], nearest[u] = row[u], k
            elif row[u] < second[u]:
                second[u], runner_up[u] = row[u], k
    return nearest, runner_up, first, second


@njit(cache=True)
def price_removals(nearest, first, second, n_medoids):
    """What the total rises by when each medoid is given up, (k,). O(u)."""
    removal = np.zeros(n_medoids)
    for u in range(nearest.shape[0]):
        removal[nearest[u]] += second[u] - first[u]
    return removal


@njit(cache=True)
def _best_removal(row, nearest, first, second, removal, change):
    """The medoid to give up for the candidate with prices row (u,), and the change of the total. O(u + k)."""
    change[:] = removal
    shared = 0.0
    for u in range(row.shape[0]):
        if row[u] < second[u]:
            if row[u] < first[u]:
                shared += row[u] - first[u]
                change[nearest[u]] += first[u] - second[u]
            else:
                change[nearest[u]] += row[u] - second[u]
    k = np.argmin(change)
    return k, shared + change[k]


@njit(cache=True)
def find_best_swap(rows, is_medoid, nearest, first, second, removal, least):
    """The best swap of a block (candidate, index, change) if it changes the total by less than least; else -1. O(bu).

    Each candidate is priced against all removals in one pass. is_medoid (b,) bool.
    """
    change = np.empty(removal.shape[0])
    best, best_index = -1, -1
    for c in range(rows.shape[0]):
        if is_medoid[c]:
            continue
        index, gained = _best_removal(rows[c], nearest, first, second, removal, change)
        if gained < least:
            best, best_index, least = c, index, gained
    return best, best_index, least


@njit(cache=True)
def swap_block(rows, start, is_medoid, medoids, prices, state, idle, n_candidates):
    """Make every swap of a block that gains, at once; (swaps, candidates since the last). O(bu), and O(u) a swap.

    start: number of the block's first candidate; is_medoid (r,) bool, medoids (k,) int64, prices (k, u) and the four
    arrays of state (nearest, runner_up, first, second) change in place; it stops when n_candidates
    in a row, idle of them before this block, have gained nothing.
    """
    nearest, _, first, second = state
    removal = price_removals(nearest, first, second, medoids.shape[0])
    change = np.empty(medoids.shape[0])
    total = first.sum()
    swaps = 0
    for c in range(rows.shape[0]):
        if idle >= n_candidates:
            break
        idle += 1
        if is_medoid[start + c]:
            continue
        index, gained = _best_removal(rows[c], nearest, first, second, removal, change)
        if gained < -MARGIN * total:
            is_medoid[medoids[index]], is_medoid[start + c] = False, True
            medoids[index] = start + c
            prices[index] = rows[c]
            _move_units(rows[c], index, prices, state)
            removal = price_removals(nearest, first, second, medoids.shape[0])
            total = first.sum()
            swaps += 1
            idle = 0
    return swaps, idle


@njit(cache=True)
def _move_units(row, index, prices, state):
    """Bring state up to date with a new medoid at a index, whose prices are row (u,). O(u + k · units that lost one)."""
    nearest, runner_up, first, second = state
    for u in range(row.shape[0]):
        if nearest[u] == index or runner_up[u] == index:
            first[u] = second[u] = np.inf
            nearest[u] = runner_up[u] = 0
            for k in range(prices.shape[0]):
                price = prices[k, u]
                if price < first[u]:
                    second[u], runner_up[u] = first[u], nearest[u]
                    first[u], nearest[u] = price, k
                elif price < second[u]:
                    second[u], runner_up[u] = price, k
        elif row[u] < first[u]:
            second[u], runner_up[u] = first[u], nearest[u]
            first[u], nearest[u] = row[u], index
        elif row[u] < second[u]:
            second[u], runner_up[u] = row[u], index


@njit(cache=True)
def find_first_swap(rows, indices, nearest, first, second):
    """Which swap (rows[t] for the medoid indices[t]) is the first that gains; -1 if none. O(u) a trial.

    indices (t,) int64.
    """
    total = first.sum()
    for t in range(rows.shape[0]):
        k, row = indices[t], rows[t]
        change = 0.0
        for u in range(row.shape[0]):
            without = second[u] if nearest[u] == k else first[u]
            change += min(row[u], without) - first[u]
        if change < -MARGIN * total:
            return t
    return -1
