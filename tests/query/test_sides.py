"""Sides of a group: what holds each to the rest is what adding up all statements gives."""

import numpy as np
import pytest

from likewise.query.answers.sides import bridge_sides, find_sides


def drawn(rng, n):
    """A connected group and statements inside it."""
    edges = [(int(rng.integers(0, k)), k, 1.0) for k in range(1, n)]
    for _ in range(int(rng.integers(0, 2 * n))):
        i, j = rng.choice(n, 2, replace=False).tolist()
        edges.append((i, j, float(rng.choice([-1.0, 0.5, 1.0]))))
    return edges


@pytest.mark.parametrize("seed", range(60))
def test_what_holds_a_side_is_the_sum_of_what_crosses(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    names = (100 + rng.permutation(n)).tolist()
    edges = [(names[i], names[j], weight) for i, j, weight in drawn(rng, n)]
    sides = find_sides(names, edges)
    assert sorted(sides.order.tolist()) == sorted(names)
    assert len(sides.net) == 2 * n - 2
    seen = set()
    for first, count, net, link in zip(sides.first, sides.count, sides.net, sides.link, strict=True):
        side = set(sides.order[first : first + count].tolist())
        crossing = [weight for i, j, weight in edges if (i in side) != (j in side)]
        assert net == pytest.approx(sum(crossing))
        i, j, _ = edges[link]
        assert (i in side) != (j in side)
        seen.add(frozenset(side))
    assert {frozenset([name]) for name in names} <= seen


def test_two_tight_groups_come_apart_where_one_answer_joins_them():
    triangle = [(0, 1), (1, 2), (0, 2)]
    edges = [(i + 3 * k, j + 3 * k, 1.0) for k in range(2) for i, j in triangle] + [(0, 3, 1.0)]
    sides = find_sides(range(6), edges)
    weakest = int(sides.net.argmin())
    assert set(sides.order[sides.first[weakest] : sides.first[weakest] + sides.count[weakest]]) in (
        {0, 1, 2},
        {3, 4, 5},
    )
    assert sides.net[weakest] == 1.0


def test_one_item_has_no_sides():
    assert len(find_sides([4], []).net) == 0


def test_items_that_nothing_connects_are_all_there():
    sides = find_sides([0, 1, 2, 3], [(0, 1, 1.0)])
    assert sorted(sides.order.tolist()) == [0, 1, 2, 3]
    assert sides.net.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("seed", range(20))
def test_what_one_statement_alone_holds_is_what_falls_off_without_it(seed):
    rng = np.random.default_rng(seed)
    items = sorted(rng.choice(100, 9, replace=False).tolist())
    edges = [
        (*rng.choice(items, 2, replace=False).tolist(), float(rng.choice([-1.0, 0.5, 1.0])))
        for _ in range(int(rng.integers(0, 14)))
    ]
    sides = bridge_sides(items, edges)
    found = {frozenset([frozenset(sides.items(k))]): sides.net[k] for k in range(len(sides.net))}
    expected = 0
    for k, (i, j, weight) in enumerate(edges):
        if weight <= 0:
            continue
        reached = {i}
        for _ in items:
            for at, (a, b, other) in enumerate(edges):
                if at != k and other > 0 and (a in reached) != (b in reached):
                    reached |= {a, b}
        if j in reached:
            continue
        expected += 1
        beyond = {j}
        for _ in items:
            for at, (a, b, other) in enumerate(edges):
                if at != k and other > 0 and (a in beyond) != (b in beyond):
                    beyond |= {a, b}
        nets = [sum(other for a, b, other in edges if (a in side) != (b in side)) for side in (reached, beyond)]
        keys = [frozenset([frozenset(side)]) for side in (reached, beyond)]
        assert any(key in found and found[key] == pytest.approx(net) for key, net in zip(keys, nets, strict=True))
    assert len(sides.net) == expected
