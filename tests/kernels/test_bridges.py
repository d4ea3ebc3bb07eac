"""Bridges and what is around the sides of them, against removing every edge and looking."""

import numpy as np
import pytest

from likewise.kernels.graphs.bridges import find_bridges, share_around


def parts_of(n, edges):
    """The connected part of every node, by spreading."""
    part = np.arange(n)
    for _ in range(n):
        for i, j in edges:
            part[i] = part[j] = min(part[i], part[j])
    return part


def draw(rng):
    n = int(rng.integers(1, 12))
    m = int(rng.integers(0, 14)) if n > 1 else 0
    pairs = [rng.choice(n, 2, replace=False) for _ in range(m)]
    return n, np.array(pairs, np.int64).reshape(-1, 2)


@pytest.mark.parametrize("seed", range(300))
def test_bridges_are_the_edges_without_which_parts_fall_apart(seed):
    n, edges = draw(np.random.default_rng(seed))
    order, head, size, first, count = find_bridges(n, edges[:, 0].copy(), edges[:, 1].copy())
    assert sorted(order.tolist()) == list(range(n))
    part = parts_of(n, edges)
    for v in range(n):
        assert set(order[head[v] : head[v] + size[v]].tolist()) == set(np.flatnonzero(part == part[v]).tolist())
    for e, (i, j) in enumerate(edges):
        without = parts_of(n, np.delete(edges, e, axis=0))
        assert (count[e] > 0) == (without[i] != without[j])
        if count[e]:
            beyond = set(order[first[e] : first[e] + count[e]].tolist())
            assert beyond in [set(np.flatnonzero(without == without[v]).tolist()) for v in (i, j)]


@pytest.mark.parametrize("seed", range(100))
def test_what_is_around_a_side_is_counted_from_outside(seed):
    rng = np.random.default_rng(seed)
    n, edges = draw(rng)
    order, head, size, first, count = find_bridges(n, edges[:, 0].copy(), edges[:, 1].copy())
    labels = rng.integers(0, 3, n)
    starts = np.concatenate([[0], np.cumsum(rng.integers(0, 4, n))])
    ends, weights = rng.integers(0, n, starts[-1]), rng.random(starts[-1])
    bridges = np.flatnonzero(count)
    for sign in (1, -1):
        wanted = rng.integers(0, 3, len(bridges))
        sides = (first[bridges], sign * count[bridges], wanted)
        found = share_around((starts, ends, weights), labels, (order, head, size), *sides, n)
        for k, e in enumerate(bridges):
            beyond = set(order[first[e] : first[e] + count[e]].tolist())
            v = edges[e, 0]
            whole = set(order[head[v] : head[v] + size[v]].tolist())
            side = beyond if sign > 0 else whole - beyond
            around = [
                (labels[ends[a]], weights[a])
                for v in side
                for a in range(starts[v], starts[v + 1])
                if ends[a] not in side
            ]
            total = sum(weight for _, weight in around)
            expected = sum(w for label, w in around if label == wanted[k]) / total if total else 0.5
            assert found[k] == pytest.approx(expected)
