"""ChangingSets estimated from the tree, the neighbours and the answers; no answer is ever contradicted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints
from likewise.kernels.graphs.cluster_values import assign_groups, find_medoids
from likewise.query.base import Labels
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.cluster_parts import ClusterParts
from likewise.query.dendrogram.geometry import ChangingSets, Floats
from likewise.query.dendrogram.joined_tree import JoinedTree
from likewise.query.dendrogram.known_groups import KnownGroups
from likewise.query.dendrogram.largest_clusters import LargestClusters
from likewise.query.dendrogram.leaks import Leaks
from likewise.query.dendrogram.spreading import Layer, Source, Spreading
from likewise.query.dendrogram.structure import Graph, Structure


@dataclass
class ClusterEstimate:
    """ChangingSets with what is behind them. A cluster is known by a label, one of its items as a rule.

    It shares all arrays with the :class:`ClusterReader` it comes from: it holds until that reads again.

    - `structure`: What does not depend on the answers.
    - `graph`: The graph that was spread over.
    - `curve`: Probability that two sets are the same.
    - `known`: Items known to be the same or different.
    - `labels` (n,): Label of the cluster of every item, below n.
    - `layer`: Labels that reach every item over the graph, with their shares.
    - `clusters`: The clusters as sets, by label.
    - `leaks`: What leaks from cluster to cluster.
    - `largest`: The largest clusters.
    - `parts`: Cores of the clusters, and parts that may not belong there.
    """

    structure: Structure
    graph: Graph
    curve: SameCurve
    known: KnownGroups
    labels: Labels
    layer: Layer
    clusters: ChangingSets
    leaks: Leaks
    largest: LargestClusters
    parts: ClusterParts

    @property
    def ids(self) -> Labels:
        """The labels of the clusters, rising."""
        return self.clusters.ids

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return len(self.ids)

    @property
    def sizes(self) -> Floats:
        """Number of items of every cluster, by label, (n,)."""
        return self.clusters.sizes

    @cached_property
    def numbers(self) -> Labels:
        """Number of every item's cluster, 0 … K-1, in the order of :attr:`ids`."""
        number = np.cumsum(self.clusters.sizes > 0) - 1
        return np.asarray(number[self.labels])

    @property
    def centrality(self) -> Floats:
        """How far every item is from its cluster; lowest for the most central one."""
        return self.clusters.centrality

    @property
    def cores(self) -> NDArray[np.bool_]:
        """Whether an item is in its cluster's core: the largest known group, or the medoid if there is none."""
        return self.parts.cores

    def find_cores(self, labels: Labels) -> NDArray[np.bool_]:
        """The cores of other clusters, with the centrality of this estimate for medoids."""
        cores = self.known.cores(labels)
        medoids = find_medoids(labels, self.centrality)
        medoids[labels[self.known.firsts]] = -1
        cores[medoids[medoids >= 0]] = True
        return cores


class ClusterReader:
    """Estimates clusters under answers; what did not change since the last time is not computed again.

    First the tree is joined from below along the merges wanted; must-links come first and no merge breaks a
    cannot-link. A known group with a few items in the branch of others does not take this branch with it, unless
    that is likely. Then the answers are propagated over the graph of neighbours: items without an answer, and groups
    that are not the largest of their cluster, go to the cluster whose label reaches them most.

    What is read depends on what is given alone, not on what was read before.

    - `structure`: What does not depend on the answers.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._spreading = Spreading(structure.graph)
        self._clusters = structure.geometry.clusters()
        self._leaks = Leaks(structure.graph)
        self._tree = JoinedTree(structure)
        self._largest, self._parts = LargestClusters(), ClusterParts(structure.tree)
        n = len(structure.pieces)
        self._named = np.empty(0, np.int64)  # items that had an answer the last time
        self._row, self._fixed, self._labels = np.full(n, -1), np.zeros(n, bool), np.full(n, -1)

    def read(
        self,
        curve: SameCurve,
        constraints: Constraints,
        *,
        joined: NDArray[np.bool_] | None = None,
        asked: Collection[int] = (),
        graph: Graph | None = None,
    ) -> ClusterEstimate:
        """The clusters under the answers.

        - `curve`: Fitted to the answers.
        - `constraints`: The answers and what follows from them.
        - `joined` (n - 1,): Merges to join; by default those whose sides are more probably the same than not.
        - `asked`, collection of int: Items that the asker chose, to represent what is around them.
        - `graph`: Where the answers are propagated, if not over that of the structure.
        """
        structure, graph = self._structure, graph or self._structure.graph
        if graph is not self._spreading.graph:
            self._spreading, self._leaks = Spreading(graph), Leaks(graph)
        known, tree = KnownGroups.of(constraints), structure.tree
        wanted = curve.logit(tree.height, logs=tree.log_pairs) >= 0 if joined is None else joined
        self._tree.update(wanted, known, curve, graph, asked)
        labels, among = self._labels, self._propagate(known)
        self._clusters.update(labels, among)
        self._leaks.update(labels, self._spreading, self._clusters, among)
        layer = self._spreading.last
        self._largest.update(self._clusters)
        self._parts.update(labels, layer, known, self._clusters, among)
        found = self._clusters, self._leaks, self._largest, self._parts
        return ClusterEstimate(structure, graph, curve, known, labels, layer, *found)

    def _propagate(self, known: KnownGroups) -> Labels:
        """Labels after propagation; outside of the items returned neither they nor what items carry changed."""
        labels, before, self._named = self._tree.labels, self._named, known.items
        is_core = known.core_groups(labels)
        movable = np.flatnonzero(~is_core)
        number = np.full(len(is_core), -1)
        number[movable] = np.arange(len(movable))
        self._row[before], self._fixed[before] = -1, False
        self._row[known.items], self._fixed[known.items] = number[known.groups], is_core[known.groups]
        barred = _barred_labels(known, labels, number, len(movable))
        among = np.unique(np.concatenate([before, known.items, self._tree.changed]))
        layer = self._spreading.update(Source(labels, self._fixed, self._row, *barred), among)
        homes = labels[known.firsts]
        if len(movable):
            homes[movable] = _assign_groups(known, homes, movable, layer)
        among = np.unique(np.concatenate([before, known.items, self._spreading.changed]))
        self._labels[among] = layer.carried[among, 0]
        self._labels[known.items] = homes[known.groups]
        return among


def _barred_labels(known: KnownGroups, labels: Labels, number: Labels, n_movable: int) -> tuple[Labels, Labels]:
    """The labels of the groups that each movable group differs from: starts (r+1,) and labels."""
    near, far = np.vstack([known.different, known.different[:, ::-1]]).T
    moves = number[near] >= 0
    rows, others = number[near[moves]], labels[known.firsts[far[moves]]]
    order = np.argsort(rows, kind="stable")
    return np.searchsorted(rows[order], np.arange(n_movable + 1)), others[order]


def _assign_groups(known: KnownGroups, homes: Labels, movable: Labels, layer: Layer) -> Labels:
    """Cluster of every movable group: the strongest label that reaches it and holds no group it differs from.

    The group with the strongest label moves first; each takes the present clusters of the others into account.
    """
    groups, labels, shares = _reaching(known, movable, layer)
    order = np.lexsort((labels, -shares, groups))
    groups, labels, shares = groups[order], labels[order], shares[order]
    starts = np.searchsorted(groups, movable)
    ends = np.searchsorted(groups, movable, side="right")
    home, sets = homes.copy(), known.sets
    turns = np.lexsort((movable, -shares[starts]))
    assign_groups(movable[turns], starts[turns], ends[turns], labels, sets.starts, sets.others, home)
    return np.asarray(home[movable])


def _reaching(known: KnownGroups, movable: Labels, layer: Layer) -> tuple[Labels, Labels, Floats]:
    """The mean shares of the labels that reach the movable groups: groups, labels and shares, each pair once."""
    moves = np.isin(known.groups, movable)
    items, groups = known.items[moves], known.groups[moves]
    carried = layer.carried[items].astype(np.int64)
    shares = np.where(carried >= 0, layer.shares[items], 0.0) / known.sizes[groups][:, None]
    kept = carried >= 0
    keys = (groups[:, None] * known.n + carried)[kept]
    distinct, at = np.unique(keys, return_inverse=True)
    sums = np.bincount(at.ravel(), shares[kept].astype(np.float64), len(distinct)).astype(np.float64)
    return distinct // known.n, distinct % known.n, sums
