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
EXPECTED = 1e-4  # what a pair counts for that turns out as expected, by one that does not
FILL = 0.5  # what is shown besides: what settles at least this share of what the best of it does in a second
DOUBTFUL = 0.5  # probability of a tap from which on nothing is shown only to fill the screen
COMPLETE, COMPLETE_SHARE = 12, 0.3  # when so few, and such a share, of a cluster are left, all of them are shown
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


class Shown(NamedTuple):
    """What may be shown on a grid: what settles more in a second comes first.

    - `gain`: Value by the second, negative.
    - `value`, `doubt`: Value of asking about it, and probability of a tap.
    - `node`: The part, or -1.
    - `other`: The other cluster, or -1.
    """

    gain: float
    value: float
    doubt: float
    node: int
    other: int


class GridBuilder:
    """Builds the grid of a cluster: as if its questions were asked one after another and the answers were *same*.

    When a part was asked about by one of its items, what is left of it are the branches beside that item, each a part
    of its own. Their value counts only so far as the item is expected to belong.

    - `estimate`, `state`, `skip`: The clusters, what is known, and pairs to leave out.
    - `time`: Seconds of a grid.
    """

    def __init__(self, estimate: ClusterEstimate, state: State, skip: Collection[Pair], time: FormTime) -> None:
        self._estimate, self._state, self._skip, self._time = estimate, state, skip, time

    def build(self, cluster: int, parts: tuple[Integers, Floats], others: tuple[Integers, Floats]) -> Screen | None:
        """The grid of a cluster; None when fewer than two can be shown.

        - `parts`: Its parts, as nodes of the tree, and the values of asking about them, (m,) each.
        - `others`: Clusters that may be the same, and the values of asking about them, (k,) each.
        """
        examples = representatives(self._estimate, cluster, self._state)
        if not len(examples):
            return None
        example = int(examples[0])
        heap = self._parts(cluster, *parts, 1.0) + self._others(cluster, *others)
        heapify(heap)
        n_left = int(self._estimate.structure.tree.size[parts[0]].sum())
        most_left = min(COMPLETE, COMPLETE_SHARE * float(self._estimate.sizes[cluster]))
        shown: list[int] = []
        value, seconds, rate = 0.0, self._time.base, 0.0
        while heap and len(shown) < MOST_SHOWN:
            first = heappop(heap)
            if -first.gain < FILL * rate and n_left > most_left:
                break
            if not _is_wanted(first, rate) or (item := self._item(example, first)) is None:
                continue
            shown.append(item)
            value, seconds = value + first.value, seconds + self._cost(first.doubt)
            rate = max(rate, value / seconds) if len(shown) >= FEWEST_SHOWN else 0.0
            if first.node >= 0:
                n_left -= 1
                for each in self._parts(cluster, *self._beside(item, first.node), 1 - first.doubt):
                    heappush(heap, each)
        if len(shown) < FEWEST_SHOWN:
            return None
        return Screen(Question("grid", (example, *shown), value, REASON), value, seconds, rate)

    def _cost(self, doubt: float) -> float:
        return self._time.shown + self._time.tap * doubt

    def _parts(self, cluster: int, nodes: Integers, values: Floats, share: float) -> list[Shown]:
        """Parts as they may be shown; share: probability that it matters."""
        sizes = self._estimate.structure.tree.size[nodes]
        pairs = sizes * (self._estimate.sizes[cluster] - sizes)
        doubts, worth = doubt_of(values, pairs), share * (values + EXPECTED * pairs)
        rows = zip(nodes.tolist(), worth.tolist(), doubts.tolist(), strict=True)
        return [Shown(-value / self._cost(doubt), value, doubt, node, -1) for node, value, doubt in rows]

    def _others(self, cluster: int, others: Integers, values: Floats) -> list[Shown]:
        """Other clusters as they may be shown."""
        pairs = self._estimate.sizes[cluster] * self._estimate.sizes[others]
        doubts, worth = 1 - values / pairs, values + EXPECTED * pairs
        rows = zip(others.tolist(), worth.tolist(), doubts.tolist(), strict=True)
        return [Shown(-value / self._cost(doubt), value, doubt, -1, other) for other, value, doubt in rows]

    def _item(self, example: int, shown: Shown) -> int | None:
        """The item that stands for a part or for another cluster: the first that may be asked about."""
        if shown.node >= 0:
            items = self._estimate.structure.tree.items(shown.node)
            tries = items if len(items) == 1 else part_representatives(self._estimate, items, self._state)
        else:
            tries = representatives(self._estimate, shown.other, self._state)
        return next((int(item) for item in tries if self._state.is_open(example, int(item), self._skip)), None)

    def _beside(self, item: int, node: int) -> tuple[Integers, Floats]:
        """The branches of a part beside one of its items, and the values of asking about them."""
        estimate = self._estimate
        tree = estimate.structure.tree
        n, found, at = len(tree.leaves), [], item
        while at != node:
            up = int(tree.parent[at])
            left, right = tree.children[up - n]
            found.append(int(right if left == at else left))
            at = up
        nodes = np.array(found, np.int64)
        return nodes, part_values(estimate.parts.describe(nodes), estimate.sizes, estimate.curve.odds)


def _is_wanted(shown: Shown, rate: float) -> bool:
    """Whether it is shown: what is doubtful only if it settles more in a second than what is there."""
    if -shown.gain < FILL * rate and shown.node < 0:
        return False
    return shown.doubt <= DOUBTFUL or -shown.gain >= rate


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
