"""Grids of the dendrogram asker: one cluster, and what may belong to it or not, most value in a second first."""

from __future__ import annotations

from collections.abc import Collection
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from likewise.kernels.graphs.cluster_values import part_values
from likewise.query.base import State
from likewise.query.dendrogram.estimate import ClusterEstimate
from likewise.query.dendrogram.geometry import Floats, Integers
from likewise.query.dendrogram.representatives import part_representatives, representatives
from likewise.query.form_times import FormTime
from likewise.query.question import Pair, Question

MOST_SHOWN = 30  # pictures on a grid, beside the example
FEWEST_SHOWN = 2  # with fewer it is a pair
FILL = 0.1  # what is shown as well: what settles at least this share of what the best of it does in a second
REASON = "these are thought to be alike: which are not?"


class Screen(NamedTuple):
    """A question, what its answer is expected to settle, in how many seconds; and the best of it by the second."""

    question: Question
    value: float
    seconds: float
    rate: float


def doubt_of(value: Floats, pairs: Floats) -> Floats:
    """Probability that parts do not belong, from the values of asking (as part_values gives them) and the pairs."""
    return np.asarray(np.clip(value / np.maximum(pairs, 1.0), 0.0, 1.0) ** (2 / 3))


class GridBuilder:
    """Builds the grid of a cluster: as if its questions were asked one after another and the answers were *same*.

    When a part was asked about by one of its items, what is left of it are the branches beside that item, each a part of its
    own. Their value counts only so far as the item is expected to belong.

    - `estimate`, `state`, `skip`: The clusters, what is known, and pairs to leave out.
    - `time`: Seconds of a grid.
    """

    def __init__(self, estimate: ClusterEstimate, state: State, skip: Collection[Pair], time: FormTime) -> None:
        self._estimate, self._state, self._skip, self._time = estimate, state, skip, time

    def build(
        self, cluster: int, nodes: Integers, values: Floats, others: Integers, merges: tuple[Floats, Floats]
    ) -> Screen | None:
        """The grid of a cluster; None when fewer than two can be shown.

        - `nodes`, `values` (m,): Its parts, and the values of asking about them.
        - `others` (k,): Clusters that may be the same.
        - `merges`: Their probabilities and values, (k,) each.
        """
        example = int(representatives(self._estimate, cluster)[0])
        heap: list[tuple[float, float, float, int, int]] = []  # -value/cost, value, doubt, node or -1, other cluster
        self._push(heap, cluster, nodes, values, 1.0)
        for other, probability, value in zip(others.tolist(), *(each.tolist() for each in merges), strict=True):
            heap.append((-value / self._cost(1 - probability), value, 1 - probability, -1, other))
        heapify(heap)
        shown: list[int] = []
        value, seconds, rate = 0.0, self._time.base, 0.0
        while heap and len(shown) < MOST_SHOWN:
            gain, worth, doubt, node, other = heappop(heap)
            if -gain < FILL * rate:
                break
            item = self._item(example, node, other)
            if item is None:
                continue
            shown.append(item)
            value, seconds = value + worth, seconds + self._cost(doubt)
            rate = max(rate, value / seconds) if len(shown) >= FEWEST_SHOWN else 0.0
            if node >= 0:
                beside = self._beside(item, node)
                tree = self._estimate.structure.tree
                parts = part_values(
                    beside,
                    tree,
                    self._estimate.labels,
                    self._estimate.sizes,
                    self._estimate.own_sums,
                    self._estimate.curve.odds,
                )
                self._push(heap, cluster, beside, parts * (1 - doubt), 1 - doubt)
        if len(shown) < FEWEST_SHOWN:
            return None
        return Screen(Question("grid", (example, *shown), value, REASON), value, seconds, rate)

    def _cost(self, doubt: float) -> float:
        return self._time.shown + self._time.tap * doubt

    def _push(
        self,
        heap: list[tuple[float, float, float, int, int]],
        cluster: int,
        nodes: Integers,
        values: Floats,
        share: float,
    ) -> None:
        sizes = self._estimate.structure.tree.size[nodes]
        doubts = doubt_of(values / max(share, 1e-12), sizes * (self._estimate.sizes[cluster] - sizes))
        for node, value, doubt in zip(nodes.tolist(), values.tolist(), doubts.tolist(), strict=True):
            heappush(heap, (-value / self._cost(doubt), value, doubt, node, -1))

    def _item(self, example: int, node: int, other: int) -> int | None:
        """The item that stands for a part or for another cluster: the first that may be asked about."""
        if node >= 0:
            items = self._estimate.structure.tree.items(node)
            tries = items if len(items) == 1 else part_representatives(self._estimate, items)
        else:
            tries = representatives(self._estimate, other)
        return next((int(item) for item in tries if self._state.is_open(example, int(item), self._skip)), None)

    def _beside(self, item: int, node: int) -> Integers:
        """The branches of a part beside one of its items."""
        tree = self._estimate.structure.tree
        n, found, at = len(tree.leaves), [], item
        while at != node:
            up = int(tree.parent[at])
            left, right = tree.children[up - n]
            found.append(int(right if left == at else left))
            at = up
        return np.array(found, np.int64)


def grid_rates(owner: Integers, value: Floats, doubt: Floats, time: FormTime, n: int) -> Floats:
    """What the best grid of each cluster would settle in a second, from what may be shown on it, (n,) by cluster.

    - `owner`, `value`, `doubt` (m,): Cluster, value and probability of a tap of each.
    - `time`: Seconds of a grid.
    """
    cost = time.shown + time.tap * doubt
    order = np.lexsort((-value / cost, owner))
    owner, value, cost = owner[order], value[order], cost[order]
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    rank = np.arange(len(owner)) - np.repeat(first, np.diff(first, append=len(owner)))
    value, cost = np.cumsum(value), np.cumsum(cost)
    before = np.repeat(first, np.diff(first, append=len(owner)))
    value = value - np.where(before > 0, value[before - 1], 0.0)
    cost = cost - np.where(before > 0, cost[before - 1], 0.0)
    rates = np.where(rank < MOST_SHOWN, value / (time.base + cost), 0.0)
    best = np.zeros(n)
    np.maximum.at(best, owner, rates)
    return best
