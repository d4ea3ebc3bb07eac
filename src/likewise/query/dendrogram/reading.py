"""Clusters as the tree, the neighbours and the answers together suggest them; no answer is ever contradicted."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints, Pairs
from likewise.kernels.graphs.kruskal import start_forest
from likewise.kernels.graphs.propagation import spread_labels, sum_leaks
from likewise.kernels.graphs.tree_cuts import close_below, join_along_tree, sum_distances
from likewise.kernels.graphs.union_find import number_roots
from likewise.query.base import Labels
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.ground import Floats, Ground

SHARE = 0.85  # of what an item carries, this much comes from its neighbours
N_STEPS = 15
N_KEPT = 8  # labels an item carries at most


@dataclass
class Said:
    """What is known, as arrays.

    Attributes
    ----------
    groups : ndarray of shape (n,)
        Items known to be the same share a number.
    apart : ndarray of shape (m, 2)
        Pairs of groups known to differ.
    mentioned : ndarray of shape (n,)
        Whether anything was said of the item.
    """

    groups: Labels
    apart: Pairs
    mentioned: NDArray[np.bool_]

    @classmethod
    def of(cls, constraints: Constraints) -> Said:
        """What the constraints say."""
        mentioned = np.zeros(constraints.n, bool)
        mentioned[constraints.mentioned()] = True
        return cls(constraints.labels(), constraints.group_cannot_links(), mentioned)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of items of every group."""
        return np.bincount(self.groups)

    @cached_property
    def firsts(self) -> NDArray[np.int64]:
        """The first item of every group."""
        return np.unique(self.groups, return_index=True)[1].astype(np.int64)

    def cores(self, labels: Labels) -> NDArray[np.bool_]:
        """Whether an item is in the largest mentioned group of its cluster (ties: the group that comes first)."""
        spoken = np.unique(self.groups[self.mentioned])
        home = labels[self.firsts[spoken]]
        order = np.lexsort((spoken, -self.sizes[spoken], home))
        leads = np.ones(len(order), bool)
        leads[1:] = home[order][1:] != home[order][:-1]
        is_core = np.zeros(len(self.sizes), bool)
        is_core[spoken[order[leads]]] = True
        return np.asarray(is_core[self.groups] & self.mentioned)

    def apart_clusters(self, labels: Labels, n_clusters: int) -> NDArray[np.bool_]:
        """Whether two clusters are known to differ, (K, K)."""
        known = np.zeros((n_clusters, n_clusters), bool)
        left, right = (labels[self.firsts[side]] for side in self.apart.T)
        known[left, right] = known[right, left] = True
        return known


@dataclass
class Reading:
    """Clusters, and what is needed to doubt them.

    Attributes
    ----------
    ground : Ground
        What does not depend on the answers.
    curve : SameCurve
        Probability that two sets are the same.
    said : Said
        What is known.
    labels : ndarray of shape (n,)
        Clusters, 0 … K-1.
    carried, shares : ndarrays of shape (n, k)
        Labels that reach an item over the graph, strongest first (-1: none), and their shares.
    """

    ground: Ground
    curve: SameCurve
    said: Said
    labels: Labels
    carried: NDArray[np.int64]
    shares: Floats
    node_probability: Floats = field(repr=False)

    @cached_property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return int(self.labels.max()) + 1

    @cached_property
    def sizes(self) -> Floats:
        """Number of items of every cluster."""
        return np.bincount(self.labels).astype(np.float64)

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        return sum_distances(self.ground.D, self.labels, self.n_clusters)

    @property
    def sums(self) -> Floats:
        """Sums of distances between clusters, (K, K)."""
        return self._sums[0]

    @property
    def centrality(self) -> Floats:
        """Sum of distances of every item to its cluster: the least is the medoid's."""
        return self._sums[1]

    @cached_property
    def leaks(self) -> Floats:
        """Share of each label in what the items of a cluster receive, (K, K)."""
        leaks: Floats = sum_leaks(*self.ground.graph, self.labels, self.carried, self.shares, self.n_clusters)
        return leaks

    @cached_property
    def cores(self) -> NDArray[np.bool_]:
        """Whether an item is in its cluster's core: its largest group, or its medoid when nothing was said of it."""
        return self.find_cores(self.labels)

    def find_cores(self, labels: Labels) -> NDArray[np.bool_]:
        """The cores of other clusters, medoids being those items that are most central in this reading."""
        cores = self.said.cores(labels)
        order = np.lexsort((self.centrality, labels))
        medoids = order[np.unique(labels[order], return_index=True)[1]]
        cores[medoids[np.bincount(labels[cores], minlength=len(medoids)) == 0]] = True
        return cores

    @cached_property
    def own_shares(self) -> Floats:
        """Share of its own cluster in what reaches an item, (n,)."""
        return np.asarray(np.sum(self.shares, axis=1, where=self.carried == self.labels[:, None]))


def read(ground: Ground, curve: SameCurve, constraints: Constraints) -> Reading:
    """Read the answers.

    First the tree is joined from below as far as two sides are more probably the same than not; must-links come
    before everything and no merge breaks a cannot-link. Then what people said spreads over the graph of neighbours:
    items of which nothing was said, and groups that are not the largest of their cluster, go where most of what
    reaches them comes from.

    Parameters
    ----------
    ground : Ground
        What does not depend on the answers.
    curve : SameCurve
        Fitted to the answers.
    constraints : Constraints
        What is known.
    """
    said = Said.of(constraints)
    tree = ground.tree
    probability = curve(tree.height, tree.pairs)
    parent, count, row, apart, _ = start_forest(said.groups, said.apart)
    allowed = close_below(tree.children, probability >= 0.5)
    places = (tree.children, tree.first, tree.size, tree.leaves)
    join_along_tree(ground.D, *places, allowed, said.mentioned, parent, count, row, apart)
    labels = number_roots(parent)
    labels, carried, shares = _spread(ground, said, labels)
    return Reading(ground, curve, said, labels, carried, shares, probability)


def _spread(ground: Ground, said: Said, labels: Labels) -> tuple[Labels, NDArray[np.int64], Floats]:
    """Labels after spreading, renumbered, and what every item carries."""
    n_clusters = int(labels.max()) + 1
    cores = said.cores(labels)
    guests = np.unique(said.groups[said.mentioned & ~cores])
    number = np.full(len(said.sizes), -1)
    number[guests] = np.arange(len(guests))
    barred = np.zeros((len(guests), n_clusters), bool)
    for near, far in (said.apart.T, said.apart.T[::-1]):
        is_guest = number[near] >= 0
        barred[number[near[is_guest]], labels[said.firsts[far[is_guest]]]] = True
    row = np.where(said.mentioned, number[said.groups], -1)
    carried, shares = spread_labels(
        *ground.graph, labels, cores, row, barred, n_clusters, SHARE, N_STEPS, N_KEPT
    )
    new = np.where(said.mentioned, labels, carried[:, 0])
    if len(guests):
        homes = _settle_guests(said, labels, guests, row, carried, shares)
        new = np.where(row >= 0, homes[row], new)
    kept, relabelled = np.unique(new, return_inverse=True)
    renumber = np.full(n_clusters + 1, -1)  # the last entry is that of "none"
    renumber[kept] = np.arange(len(kept))
    return relabelled.astype(np.int64), renumber[carried], shares


def _settle_guests(
    said: Said, labels: Labels, guests: Labels, row: Labels, carried: Labels, shares: Floats
) -> Labels:
    """Cluster of every guest: the strongest label that reaches its items and holds no group it differs from.

    The surest guest moves first; each sees where the others are by then.
    """
    enemies: dict[int, list[int]] = {}
    for g, h in said.apart.tolist():
        enemies.setdefault(g, []).append(h)
        enemies.setdefault(h, []).append(g)
    reaching: list[dict[int, float]] = [{} for _ in guests]
    for item in np.flatnonzero(row >= 0).tolist():
        total = reaching[row[item]]
        for label, share in zip(carried[item].tolist(), shares[item].tolist(), strict=True):
            if label >= 0:
                total[label] = total.get(label, 0.0) + share / said.sizes[said.groups[item]]
    home = labels[said.firsts]
    for k in sorted(range(len(guests)), key=lambda k: (-max(reaching[k].values()), k)):
        taken = {int(home[g]) for g in enemies.get(int(guests[k]), ())}
        ranked = sorted(reaching[k].items(), key=lambda entry: (-entry[1], entry[0]))
        home[guests[k]] = next((label for label, _ in ranked if label not in taken), home[guests[k]])
    settled: Labels = home[guests]
    return settled
