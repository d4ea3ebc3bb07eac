"""The parts of joining along a tree that are made fast: they say what the slow ones say."""

from typing import NamedTuple

import numpy as np
import pytest

from likewise.kernels.graphs.joined_sets import KnownSets, join_sets, start_sets
from likewise.kernels.graphs.tree_joins import (
    LONG,
    N_MEASURED,
    Samples,
    _is_at_home,
    _some_items,
    gap_below,
    gap_between,
)
from likewise.kernels.graphs.union_find import find_root


@pytest.mark.parametrize("d", [1, 7, 8, 9, 64])
def test_a_gap_below_a_bound_is_exact_and_no_other_is_below_it(d):
    rng = np.random.default_rng(d)
    points = rng.integers(0, 4, (30, d)).astype(np.float32)  # many ties
    for i, j in rng.integers(0, 30, (200, 2)).tolist():
        gap = gap_between(points, False, i, j)
        other = gap_between(points, False, *rng.integers(0, 30, 2).tolist())
        for bound in (np.inf, 0.0, gap, np.nextafter(gap, np.inf), np.nextafter(gap, 0.0), other):
            found = gap_below(points, False, i, j, bound)
            assert (found < bound) == (gap < bound)
            assert found == gap or gap >= bound


def test_given_distances_are_read():
    points = np.array([[0.0, 2.0], [2.0, 0.0]])
    assert gap_below(points, True, 0, 1, 1.0) == gap_between(points, True, 0, 1) == 2.0


class Tree(NamedTuple):
    """Leaves alone, each at its own place."""

    leaves: np.ndarray
    first: np.ndarray
    size: np.ndarray


def alone(n):
    tree = Tree(np.arange(n), np.arange(n), np.ones(n, np.int64))
    nothing = np.empty(0, np.int64)
    return tree, start_sets(tree, np.arange(n), KnownSets(nothing, nothing, nothing, np.zeros(1, np.int64), nothing))


def empty_samples(n):
    return Samples(np.empty((n, 2 * N_MEASURED), np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64))


def members(sets, root):
    return {u for u in range(len(sets.parent)) if find_root(sets.parent, u) == root}


@pytest.mark.parametrize("seed", range(3))
def test_samples_are_of_the_set_and_as_if_chosen_anew_where_it_is_small(seed):
    n = 4 * LONG * N_MEASURED
    rng = np.random.default_rng(seed)
    tree, sets = alone(n)
    samples, largest = empty_samples(n), 0
    for step, u in enumerate(rng.permutation(n)[:-1].tolist()):
        root, other = find_root(sets.parent, u), find_root(sets.parent, n - 1 if step < n // 2 else (u + 1) % n)
        if root != other:
            join_sets(sets, root, other)
        root = find_root(sets.parent, u)
        found, weight = _some_items(tree, root, sets, samples).tolist(), int(sets.weight[root])
        largest = max(largest, weight)
        if step % 97 == 0:
            assert set(found) <= members(sets, root)
        if weight < LONG * N_MEASURED:
            assert found == _some_items(tree, root, sets, empty_samples(n)).tolist()
        else:
            assert N_MEASURED - 1 <= len(set(found)) < 2 * N_MEASURED
    assert largest > LONG * N_MEASURED


@pytest.mark.parametrize("seed", range(20))
def test_a_set_is_at_home_where_most_of_it_is(seed):
    rng = np.random.default_rng(seed)
    n = 30
    tree, sets = alone(n)
    for u, w in rng.integers(0, n, (15, 2)).tolist():
        a, b = find_root(sets.parent, u), find_root(sets.parent, w)
        if a != b:
            join_sets(sets, a, b)
    for root in {find_root(sets.parent, u) for u in range(n)}:
        inside = members(sets, root)
        for _ in range(40):
            low, high = np.sort(rng.integers(0, n + 1, 2)).tolist()
            here = sum(low <= u < high for u in inside)
            first = low <= min(inside) < high
            wanted = 2 * here > len(inside) or (2 * here == len(inside) and first)
            assert _is_at_home(tree, root, sets, (low, high)) == wanted
