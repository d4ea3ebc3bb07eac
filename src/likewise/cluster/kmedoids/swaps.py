"""Searches by swaps of medoids: the best of all, every one that gains, or random ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.kmedoids.candidate_distances import UnitDistances
from likewise.kernels.assignment.medoids import (
    MARGIN,
    find_best_swap,
    find_first_swap,
    find_two_nearest,
    price_removals,
    swap_block,
)

Labels = NDArray[np.int64]

TRIALS = 128
"""Random swaps whose distances are held at a time."""


def swap_best(distances: UnitDistances, medoids: Labels, max_iter: int) -> tuple[int, bool]:
    """Make the best of all swaps until none gains: those of PAM.

    Medoids change in place; swaps made, and whether none is left.
    """
    if len(medoids) == 1:
        return _take_best(distances, medoids)
    for swaps in range(max_iter):
        nearest, _, first, second = find_two_nearest(distances.rows(medoids))
        removal = price_removals(nearest, first, second, len(medoids))
        is_medoid = _marks(distances, medoids)
        best, index, least = -1, -1, -MARGIN * first.sum()
        for start, rows in distances.blocks():
            marks = is_medoid[start : start + len(rows)]
            found = find_best_swap(rows, marks, nearest, first, second, removal, least)
            if found[0] >= 0:
                best, index, least = start + found[0], found[1], found[2]
        if best < 0:
            return swaps, True
        medoids[index] = best
    return max_iter, False


def swap_eager(distances: UnitDistances, medoids: Labels, max_iter: int) -> tuple[int, bool]:
    """Make every swap that gains as soon as it is seen, in turn over all candidates until none does.

    Medoids change in place; swaps made, in max_iter passes over the candidates at most, and whether none is left.
    """
    if len(medoids) == 1:
        return _take_best(distances, medoids)
    held = np.array(distances.rows(medoids))
    state = find_two_nearest(held)
    is_medoid = _marks(distances, medoids)
    swaps = idle = 0
    for _ in range(max_iter):
        for start, rows in distances.blocks():
            made, idle = swap_block(rows, start, is_medoid, medoids, held, state, idle, len(distances))
            swaps += int(made)
            if idle >= len(distances):
                return swaps, True
    return swaps, False


def swap_random(
    distances: UnitDistances, medoids: Labels, max_iter: int, trials: int, random: np.random.RandomState
) -> tuple[int, bool]:
    """Make random swaps that gain, until so many in a row gain nothing.

    Medoids change in place; swaps made, and whether so many gained nothing.
    """
    for swaps in range(max_iter):
        candidates = random.randint(len(distances), size=trials)
        indices = random.randint(len(medoids), size=trials)
        nearest, _, first, second = find_two_nearest(distances.rows(medoids))
        for top in range(0, trials, TRIALS):
            some = slice(top, top + TRIALS)
            t = find_first_swap(distances.rows(candidates[some]), indices[some], nearest, first, second)
            if t >= 0:
                medoids[indices[top + t]] = candidates[top + t]
                break
        else:
            return swaps, True
    return max_iter, False


def _take_best(distances: UnitDistances, medoids: Labels) -> tuple[int, bool]:
    """With one medoid nothing is second closest: the lowest total of all."""
    totals = np.concatenate([rows.sum(axis=1, dtype=np.float64) for _, rows in distances.blocks()])
    best = int(np.argmin(totals))
    if not totals[best] < totals[medoids[0]]:
        return 0, True
    medoids[0] = best
    return 1, True


def _marks(distances: UnitDistances, medoids: Labels) -> NDArray[np.bool_]:
    is_medoid = np.zeros(len(distances), bool)
    is_medoid[medoids] = True
    return is_medoid
