"""The two sides at which a group of items would come apart most easily, of all statements about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.graphs.bridges import find_bridges

MOST_COMPARED = 2_000_000  # bridges times statements, of one group
Edge = tuple[int, int, float]  # two items and a weight, negative where they were said to differ


@dataclass(frozen=True)
class Sides:
    """Parts of a group, and what holds each to the rest.

    - `order` (g,): The items, so that every part is together.
    - `first`, `count` (s,): Where in it each part lies.
    - `net` (s,): Sum of the weights between it and the rest of the group.
    - `link` (s,): Position of an edge that joins it with the rest.
    """

    order: NDArray[np.int64]
    first: NDArray[np.int64]
    count: NDArray[np.int64]
    net: NDArray[np.float64]
    link: NDArray[np.int64]

    def items(self, side: int, *, rest: bool = False) -> list[int]:
        """The items of a side, or all others."""
        first, last = int(self.first[side]), int(self.first[side] + self.count[side])
        chosen = (
            [*self.order[:first].tolist(), *self.order[last:].tolist()] if rest else self.order[first:last].tolist()
        )
        return sorted(chosen)


def find_sides(items: Sequence[int], edges: Sequence[Edge]) -> Sides:
    """Join items step by step, always the two parts with the highest sum of weights between them.

    Every part on the way, single items among them, is a side of the group. What is joined last is held together least.
    (Greedy additive edge contraction: M. Keuper et al., *Efficient Decomposition of Image and Mesh Graphs by Lifted
    Multicuts*, ICCV 2015, §4.1; here it does not stop where weights fall below 0.)

    - `items`: The items of the group, at least one.
    - `edges`: Statements inside the group. What they do not connect is joined last, and is no side.

    Examples
    --------
    >>> sides = find_sides([3, 5, 7], [(3, 5, 1.0), (5, 3, 1.0), (5, 7, 1.0)])
    >>> [(sides.order[a : a + k].tolist(), net) for a, k, net in zip(sides.first, sides.count, sides.net.tolist())]
    [([3], 2.0), ([5], 3.0), ([7], 1.0), ([3, 5], 1.0)]
    """
    near, leave = _between(items, edges)
    halves: list[tuple[int, int]] = [(-1, -1)] * len(items)
    links = [-1] * len(items)
    heap = [(-sum_, a, b) for a, others in enumerate(near) for b, (sum_, _) in others.items() if a < b]
    heapify(heap)
    while heap:
        weight, a, b = heappop(heap)
        found = near[a].get(b)
        if found is None or -weight != found[0]:
            continue
        links[a] = links[b] = found[1]
        _join(near, leave, heap, a, b)
        halves.append((a, b))
        links.append(-1)
    halves += _remaining(halves)
    first, count, order = _places(items, halves)
    some = np.array([k for k, link in enumerate(links) if link >= 0], np.int64)
    sums = np.array(leave, np.float64)
    return Sides(order, first[some], count[some], sums[some], np.array(links, np.int64)[some])


def bridge_sides(items: Sequence[int], edges: Sequence[Edge]) -> Sides:
    """What a group comes apart into where one statement *same* alone holds it: the items beyond each such statement.

    - `items`, `edges`: As of :func:`find_sides`.

    Examples
    --------
    >>> sides = bridge_sides([3, 5, 7, 9], [(3, 5, 1.0), (5, 7, 1.0), (7, 9, 1.0), (3, 7, -1.0), (5, 9, -1.0)])
    >>> sorted((sides.items(k), float(sides.net[k])) for k in range(len(sides.net)))
    [([5, 7, 9], 0.0), ([7, 9], -1.0), ([9], 0.0)]
    """
    at = {item: k for k, item in enumerate(items)}
    ends = np.array([(at[i], at[j]) for i, j, _ in edges], np.int64).reshape(-1, 2)
    weights = np.array([weight for _, _, weight in edges], np.float64)
    held = np.flatnonzero(weights > 0)
    order, _, _, first, count = find_bridges(len(items), ends[held, 0].copy(), ends[held, 1].copy())
    bridges = np.flatnonzero(count > 0)[: MOST_COMPARED // max(len(edges), 1)]
    place = np.empty(len(items), np.int64)
    place[order] = np.arange(len(items))
    begin, stop = first[bridges, None, None], (first + count)[bridges, None, None]
    inside = (place[ends] >= begin) & (place[ends] < stop)
    net = np.where(inside[:, :, 0] != inside[:, :, 1], weights, 0.0).sum(axis=1)
    return Sides(np.array(items, np.int64)[order], first[bridges], count[bridges], net, held[bridges])


def _remaining(halves: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Joins of the parts that no edge joins."""
    joined = {part for both in halves for part in both}
    apart = [part for part in range(len(halves)) if part not in joined]
    further = range(len(halves), len(halves) + len(apart) - 1)
    return list(zip([*apart[:1], *further], apart[1:], strict=False))


Near = list[dict[int, tuple[float, int]]]  # by part: others, with the sum of the weights and an edge above 0, or -1


def _between(items: Sequence[int], edges: Sequence[Edge]) -> tuple[Near, list[float]]:
    """What is between items, by position, and the sum of all weights at each."""
    at = {item: k for k, item in enumerate(items)}
    near: Near = [{} for _ in items]
    leave = [0.0] * len(items)
    for k, (i, j, weight) in enumerate(edges):
        a, b = at[i], at[j]
        before, link = near[a].get(b, (0.0, -1))
        near[a][b] = near[b][a] = before + weight, k if weight > 0 else link
        leave[a] += weight
        leave[b] += weight
    return near, leave


def _join(near: Near, leave: list[float], heap: list[tuple[float, int, int]], a: int, b: int) -> None:
    """Make one part of two, the last one from then on."""
    sum_ = near[a].pop(b)[0]
    del near[b][a]
    leave.append(leave[a] + leave[b] - 2 * sum_)
    small, large = sorted((near[a], near[b]), key=len)
    for other, (weight, link) in small.items():
        before, known = large.get(other, (0.0, -1))
        large[other] = before + weight, max(known, link)
    new = len(near)
    near.append(large)
    near[a] = near[b] = {}
    for other, found in large.items():
        near[other].pop(a, None)
        near[other].pop(b, None)
        near[other][new] = found
        heappush(heap, (-found[0], other, new))


def _places(
    items: Sequence[int], halves: list[tuple[int, int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where every part lies in an order in which each is together, how large it is, and the order."""
    count = np.ones(len(halves), np.int64)
    for k in range(len(items), len(halves)):
        count[k] = count[list(halves[k])].sum()
    first, order = np.zeros(len(halves), np.int64), np.empty(len(items), np.int64)
    for k in range(len(halves) - 1, -1, -1):
        a, b = halves[k]
        if a >= 0:
            first[a], first[b] = first[k], first[k] + count[a]
        else:
            order[first[k]] = items[k]
    return first, count, order
