"""Which form of question settles most in a second: a pair, a grid or a pick."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from likewise.query.base import State
from likewise.query.dendrogram.estimate import ClusterEstimate
from likewise.query.dendrogram.geometry import Floats, Integers
from likewise.query.dendrogram.grids import EXPECTED, GridBuilder, Screen, doubt_of, grid_rates
from likewise.query.dendrogram.picks import PickBuilder
from likewise.query.form_times import FormTime
from likewise.query.question import Form, Pair

N_BEST = 4096  # candidates, by value, that clusters are compared by
N_GRIDS, N_PICKS = 4, 8  # clusters for which a grid, or a pick, is built


class ScreenCandidates:
    """What may be asked of clusters: their parts, and pairs of them.

    - `nodes`, `owners`, `part_value` (m,): Parts, their clusters, and the value of asking about each.
    - `left`, `right`, `merge_value` (k,): Pairs of clusters, and the value of asking about each.
    """

    def __init__(self, parts: tuple[Integers, Integers, Floats], merges: tuple[Integers, Integers, Floats]) -> None:
        self.nodes, self.owners, self.part_value = parts
        self.left, self.right, self.merge_value = merges

    def parts_of(self, cluster: int) -> tuple[Integers, Floats]:
        """The parts of a cluster and their values."""
        at = np.flatnonzero(self.owners == cluster)
        return self.nodes[at], self.part_value[at]

    def merges_of(self, cluster: int) -> tuple[Integers, Floats]:
        """Clusters that may be the same as one, each once, and the values of asking."""
        there = (self.left == cluster) | (self.right == cluster)
        at = np.flatnonzero(there & (self.merge_value > 0))
        others = self.left[at] + self.right[at] - cluster
        order = np.lexsort((-self.merge_value[at], others))
        others, value = others[order], self.merge_value[at[order]]
        first = np.diff(others, prepend=-1) != 0
        return others[first], value[first]


class ScreenChooser:
    """Builds the grids and picks that settle most in a second.

    - `estimate`, `state`, `skip`: The clusters, what is known, and pairs to leave out.
    - `candidates`: What may be asked.
    - `times`, mapping of form to FormTime: Seconds of the person who is asked.
    """

    def __init__(
        self,
        estimate: ClusterEstimate,
        state: State,
        skip: Collection[Pair],
        candidates: ScreenCandidates,
        times: Mapping[Form, FormTime],
    ) -> None:
        self._estimate, self._candidates, self._times = estimate, candidates, times
        self._grids = GridBuilder(estimate, state, skip, times["grid"])
        self._picks = PickBuilder(estimate, state, skip, times["pick"])

    def screens(self, forms: Collection[Form]) -> list[Screen]:
        """The best screens, what settles most in a second first."""
        found = [*(self.grids() if "grid" in forms else ()), *(self.picks() if "pick" in forms else ())]
        return sorted(found, key=lambda screen: (-screen.rate, screen.question.items))

    def grids(self) -> Iterator[Screen]:
        """The grids of the clusters for which they are expected to settle most in a second."""
        found, sizes = self._candidates, self._estimate.sizes
        at = _largest(found.part_value)
        size = self._estimate.structure.tree.size[found.nodes[at]]
        inside = size * (sizes[found.owners[at]] - size)
        doubt = doubt_of(found.part_value[at], inside)
        near = _largest(found.merge_value)
        near = near[found.merge_value[near] > 0]
        left, right, value = found.left[near], found.right[near], found.merge_value[near]
        pairs = sizes[left] * sizes[right]
        apart, between = 1 - value / pairs, value + EXPECTED * pairs
        rates = grid_rates(
            np.concatenate([found.owners[at], left, right]),
            np.concatenate([found.part_value[at] + EXPECTED * inside, between, between]),
            np.concatenate([doubt, apart, apart]),
            self._times["grid"],
            len(sizes),
        )
        for cluster in _first(rates, N_GRIDS):
            screen = self._grids.build(cluster, found.parts_of(cluster), found.merges_of(cluster))
            if screen is not None:
                yield screen

    def picks(self) -> Iterator[Screen]:
        """The picks of the clusters about which most can be settled."""
        found = self._candidates
        near = _largest(found.merge_value)
        total = np.zeros(len(self._estimate.sizes))
        np.add.at(total, found.left[near], found.merge_value[near])
        np.add.at(total, found.right[near], found.merge_value[near])
        for cluster in _first(total, N_PICKS):
            screen = self._picks.build(cluster, *found.merges_of(cluster))
            if screen is not None:
                yield screen


def _largest(values: Floats) -> Integers:
    """Places of the largest values, rising."""
    if len(values) <= N_BEST:
        return np.arange(len(values))
    return np.sort(np.argpartition(-values, N_BEST)[:N_BEST])


def _first(rates: Floats, n: int) -> list[int]:
    """The clusters with the highest rates above 0."""
    best = np.lexsort((np.arange(len(rates)), -rates))[:n]
    return [int(cluster) for cluster in best if rates[cluster] > 0]
