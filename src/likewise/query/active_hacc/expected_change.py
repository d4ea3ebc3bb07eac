"""Expected change of the clustering by every question that could be asked, largest first."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints
from likewise.kernels.active_hacc.expected_change import FREE, INSIDE, UNKNOWN, cut_forest, measure_blocks
from likewise.kernels.active_hacc.merge_forest import grow_forest
from likewise.kernels.active_hacc.question_blocks import find_best_codes, find_best_pairs, list_blocks
from likewise.kernels.active_hacc.refused_edges import list_refused
from likewise.kernels.active_hacc.rerun import make_region
from likewise.kernels.graphs import kruskal
from likewise.kernels.graphs.union_find import number_roots
from likewise.query.active_hacc.pair_probability import PairProbability

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CHUNK = 256  # blocks measured at a time
FURTHER = (8, 64, None)  # merges followed beyond the present clustering; more only when a rerun needs them


class EdgeOrder:
    """All pairs in HACC's order: by distance, then by (i, j).

    - `D` (n, n): Distances.

    Examples
    --------
    >>> order = EdgeOrder(np.array([[0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]]))
    >>> order.left.tolist(), order.right.tolist(), order.count_up_to(1.0)
    ([0, 1, 0], [2, 2, 1], 2)
    """

    def __init__(self, D: Floats) -> None:
        n = len(D)
        self.n = n
        lengths = np.concatenate([D[i, i + 1 :] for i in range(n)])
        order = np.argsort(lengths, kind="stable").astype(np.int32 if n < 65_536 else np.int64)
        self.lengths = lengths[order]
        counts = np.arange(n - 1, -1, -1)
        self.left = np.repeat(np.arange(n, dtype=np.int32), counts)[order]
        ends = np.concatenate([np.arange(i + 1, n, dtype=np.int32) for i in range(n)])
        self.right = ends[order]

    def __len__(self) -> int:
        return len(self.left)

    def count_up_to(self, distance: float) -> int:
        """Number of pairs up to a distance."""
        return int(np.searchsorted(self.lengths, distance, side="right"))


@dataclass(frozen=True)
class Stop:
    """Where HACC stops: at a number of trees, or after the pairs up to a distance.

    - `n_trees`: Number of trees; 0 when only the number of pairs counts.
    - `n_edges`: Number of pairs, in order, that may be used.
    """

    n_trees: int
    n_edges: int


class Effect(NamedTuple):
    """Expected effect of a question.

    - `i`, `j`: The pair.
    - `score`: Expected change of the clustering: probability of an answer that contradicts it, times `change`.
    - `change`: 1 - Jaccard coefficient between the clustering now and after such an answer.
    - `clusters`, tuple of int: The clusters of the two now, each named by its first item.
    """

    i: int
    j: int
    score: float
    change: float
    clusters: tuple[int, int]

    @property
    def together(self) -> bool:
        """Whether the two are in one cluster now."""
        return self.clusters[0] == self.clusters[1]


class PossibleChanges:
    """HACC under the constraints, and its clusters after one more answer.

    - `order`: Pairs in order.
    - `constraints`: Must-links and cannot-links.
    - `stop`: Where HACC stops.
    - `local`: Whether to follow changes in the trees of the pair only.
    - `further`: Number of merges to follow beyond the present clustering; None follows all.
    """

    def __init__(
        self, order: EdgeOrder, constraints: Constraints, stop: Stop, *, local: bool, further: int | None
    ) -> None:
        self.order, self.stop, self.local = order, stop, local
        groups, apart = constraints.labels(), constraints.group_cannot_links()
        accepted, n_groups, n_edges, complete = self._follow(groups, apart, further)
        self.forest = grow_forest(groups, n_groups, order.left, order.right, accepted, apart)
        n_trees = 0 if local else stop.n_trees
        self.cut = cut_forest(self.forest, n_trees, n_edges, complete, local)

    def _follow(self, groups: Ints, apart: Ints, further: int | None) -> tuple[Ints, int, int, bool]:
        """Ranks of the merges, number of groups, ranks looked at, and whether later ones could never matter."""
        left, right = self.order.left[: self.stop.n_edges], self.order.right[: self.stop.n_edges]
        forest, n_groups = kruskal.start_forest(groups, apart)
        accepted = np.empty(n_groups, np.int64)
        goal = self.stop.n_trees
        if not self.local:
            goal = 1 if further is None else max(1, goal - further)
        n_trees, n_added = kruskal.join_trees(left, right, forest, n_groups, goal, accepted)
        accepted = accepted[:n_added].copy()
        if self.local or (further is not None and n_trees <= goal):
            return accepted, n_groups, int(accepted[-1]) + 1 if n_added else 0, self.local
        return accepted, n_groups, len(left), True

    @cached_property
    def labels(self) -> Ints:
        """The present clusters, each named by its first item, (n,)."""
        _, first, inverse = np.unique(self.cut.cluster[self.forest.position], return_index=True, return_inverse=True)
        return np.asarray(first[inverse])

    @cached_property
    def blocks(self) -> Ints:
        """Pairs of equal effect, (b, 4); see :mod:`likewise.kernels.active_hacc.question_blocks`."""
        return np.asarray(list_blocks(self.forest, self.cut))

    @cached_property
    def _rerun(self) -> tuple[Any, Any]:
        edges = list_refused(self.forest, self.order.left, self.order.right, self.cut.n_edges)
        return edges, make_region(self.forest.nodes, len(self.cut.cluster))

    def measure(self, blocks: Ints) -> Floats:
        """Change of the clustering if the answer about any pair of each block contradicts it, (b,)."""
        change = np.empty(len(blocks))
        edges, region = self._rerun
        measure_blocks(self.forest, edges, self.cut, region, blocks, change)
        return change

    def best_pairs(self, blocks: Ints, likely_same: PairProbability, skip: Ints) -> tuple[Ints, Floats]:
        """The pair of each block most likely to contradict the clustering, and how likely; -1 when none is left."""
        pairs, values = np.empty((len(blocks), 2), np.int64), np.empty(len(blocks))
        find_best_pairs(self.forest, blocks, likely_same.values, likely_same.rising, skip, pairs, values)
        likely = likely_same.probability(np.nan_to_num(values))
        likely = np.where(blocks[:, 0] == INSIDE, 1.0 - likely, likely)
        return pairs, np.where(pairs[:, 0] < 0, 0.0, likely)

    def likelihood_bounds(self, likely_same: PairProbability) -> Floats:
        """How likely the likeliest pair of each block is to contradict the clustering, at most, (b,)."""
        codes = np.empty(len(self.blocks), np.uint8)
        find_best_codes(self.forest, self.blocks, likely_same.codes.codes, likely_same.rising, codes)
        low, high = likely_same.bounds()
        return np.where(self.blocks[:, 0] == INSIDE, 1.0 - low[codes], high[codes])


def cluster_in_order(order: EdgeOrder, constraints: Constraints, stop: Stop) -> Ints:
    """Clusters of HACC, numbered in order of their first item, (n,)."""
    groups, apart = constraints.labels(), constraints.group_cannot_links()
    forest, n_groups = kruskal.start_forest(groups, apart)
    accepted = np.empty(n_groups, np.int64)
    left, right = order.left[: stop.n_edges], order.right[: stop.n_edges]
    kruskal.join_trees(left, right, forest, n_groups, stop.n_trees, accepted)
    return np.asarray(number_roots(forest.parent))


class _TooShortError(Exception):
    """The merges followed beyond the clustering did not suffice."""


def rank_effects(
    order: EdgeOrder,
    constraints: Constraints,
    stop: Stop,
    likely_same: PairProbability,
    *,
    skip: Collection[tuple[int, int]] = (),
    floor: float = 0.0,
    local: bool = False,
) -> Iterator[Effect]:
    """The best question of every block of open pairs of equal effect, by falling expected change, then by (i, j).

    Exact: no score is higher than the first one's. The probability of the answer bounds the effect, so that most
    reruns are not needed. Pairs that certainly agree with the clustering are left out.

    - `order`: Pairs in HACC's order.
    - `constraints`: Must-links and cannot-links.
    - `stop`: Where HACC stops.
    - `likely_same`: Probability that each pair is the same.
    - `skip`, collection of pairs (i, j), i < j: Pairs that may not be asked.
    - `floor`: Pairs of two clusters with at most this probability of being the same are left out.
    - `local`: Whether to follow changes in the trees of the pair only.
    """
    keys = np.array(sorted(i * order.n + j for i, j in skip), np.int64)
    given = 0
    for further in FURTHER if stop.n_trees else (None,):
        changes = PossibleChanges(order, constraints, stop, local=local, further=further)
        try:
            for number, effect in enumerate(_rank(changes, likely_same, keys, floor)):
                if number == given:  # the earlier ones were found with fewer merges, and are equal
                    given += 1
                    yield effect
            return
        except _TooShortError:
            continue


def _rank(changes: PossibleChanges, likely_same: PairProbability, skip: Ints, floor: float) -> Iterator[Effect]:
    blocks, bound = changes.blocks, changes.likelihood_bounds(likely_same)
    across = blocks[:, 0] != INSIDE
    hope = bound.copy()
    free = np.flatnonzero(blocks[:, 0] == FREE)
    hope[free] *= changes.measure(blocks[free])
    hope[across & (bound <= floor)] = 0.0
    queue = np.argsort(-hope, kind="stable")
    queue = queue[hope[queue] > 0]
    measured = np.empty((0, 4))  # i, j, score, change
    for start in range(0, len(queue), CHUNK):
        chunk = queue[start : start + CHUNK]
        ahead = measured[:, 2] > hope[chunk[0]]  # of everything still to be measured
        if ahead.any():
            yield from _in_order(changes, measured[ahead])
            measured = measured[~ahead]
        measured = np.vstack([measured, _measure(changes, blocks[chunk], likely_same, skip, floor)])
    yield from _in_order(changes, measured)


def _measure(changes: PossibleChanges, blocks: Ints, likely_same: PairProbability, skip: Ints, floor: float) -> Floats:
    pairs, likely = changes.best_pairs(blocks, likely_same, skip)
    asked = likely > np.where(blocks[:, 0] == INSIDE, 0.0, floor)
    change = changes.measure(blocks[asked])
    if (change == UNKNOWN).any():
        raise _TooShortError
    return np.column_stack([pairs[asked], likely[asked] * change, change])


def _in_order(changes: PossibleChanges, measured: Floats) -> Iterator[Effect]:
    order = np.lexsort((measured[:, 1], measured[:, 0], -measured[:, 2]))
    labels = changes.labels
    for row in order.tolist():
        i, j = int(measured[row, 0]), int(measured[row, 1])
        clusters = int(labels[i]), int(labels[j])
        yield Effect(i, j, float(measured[row, 2]), float(measured[row, 3]), clusters)
