"""Swaps of medoids.

cost (r, u) float64: price of every unit (an item, or a must-link group as a whole) at every candidate;
medoids (k,) int64: rows of cost. nearest (u,), first (u,), second (u,): which medoid each unit is closest to,
and its price at the closest and at the second closest (infinite with one medoid).
"""

import numpy as np
from numba import njit

# A swap must gain more than rounding can feign.
MARGIN = 1e-12


@njit(cache=True)
def find_two_nearest(cost, medoids):
    """(nearest, first, second) of every unit, ties to the earlier medoid. O(uk)."""
    n_units = cost.shape[1]
    nearest = np.zeros(n_units, np.int64)
    first = np.full(n_units, np.inf)
    second = np.full(n_units, np.inf)
    for k in range(medoids.shape[0]):
        row = cost[medoids[k]]
        for u in range(n_units):
            if row[u] < first[u]:
                second[u] = first[u]
                first[u] = row[u]
                nearest[u] = k
            elif row[u] < second[u]:
                second[u] = row[u]
    return nearest, first, second


@njit(cache=True)
def _best_removal(row, nearest, first, second, removal, change):
    """The medoid to give up for the candidate with prices row (u,), and the change of the total. O(u + k)."""
    change[:] = removal
    shared = 0.0
    for u in range(row.shape[0]):
        if row[u] < first[u]:
            shared += row[u] - first[u]
            change[nearest[u]] += first[u] - second[u]
        elif row[u] < second[u]:
            change[nearest[u]] += row[u] - second[u]
    k = np.argmin(change)
    return k, shared + change[k]


@njit(cache=True)
def swap_best(cost, medoids, max_iter):
    """Make the best of all swaps until none gains; medoids change in place; (total, swaps made). O(ru) a swap.

    The swaps are those of PAM: each candidate is priced against all k removals in one pass.
    """
    n_candidates = cost.shape[0]
    n_medoids = medoids.shape[0]
    if n_medoids == 1:  # with one medoid nothing is second closest
        totals = np.empty(n_candidates)
        for c in range(n_candidates):
            totals[c] = cost[c].sum()
        best = np.argmin(totals)
        swaps = int(totals[best] < totals[medoids[0]])
        if swaps:
            medoids[0] = best
        return totals[medoids[0]], swaps
    change = np.empty(n_medoids)
    swaps = 0
    while True:
        nearest, first, second = find_two_nearest(cost, medoids)
        total = first.sum()
        if swaps == max_iter:
            return total, swaps
        removal = np.zeros(n_medoids)
        for u in range(nearest.shape[0]):
            removal[nearest[u]] += second[u] - first[u]
        is_medoid = np.zeros(n_candidates, np.bool_)
        is_medoid[medoids] = True
        best, best_k, best_change = -1, -1, -MARGIN * total
        for c in range(n_candidates):
            if is_medoid[c]:
                continue
            k, gained = _best_removal(cost[c], nearest, first, second, removal, change)
            if gained < best_change:
                best, best_k, best_change = c, k, gained
        if best < 0:
            return total, swaps
        medoids[best_k] = best
        swaps += 1


@njit(cache=True)
def swap_first(cost, medoids, candidates, places):
    """Make the first of the swaps (candidates[t] for medoids[places[t]]) that gains, in place; whether one did.

    candidates (t,) rows of cost, places (t,) positions in medoids, both int64. O(uk) and O(u) a trial.
    """
    nearest, first, second = find_two_nearest(cost, medoids)
    total = first.sum()
    is_medoid = np.zeros(cost.shape[0], np.bool_)
    is_medoid[medoids] = True
    for t in range(candidates.shape[0]):
        k, row = places[t], cost[candidates[t]]
        if is_medoid[candidates[t]]:
            continue
        change = 0.0
        for u in range(row.shape[0]):
            without = second[u] if nearest[u] == k else first[u]
            change += min(row[u], without) - first[u]
        if change < -MARGIN * total:
            medoids[k] = candidates[t]
            return True
    return False
