"""Clusters estimated from the tree, the neighbours and the answers; no answer is ever contradicted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints, Pairs
from likewise.kernels.graphs.kruskal import start_forest
from likewise.kernels.graphs.propagation import spread_labels, sum_leaks
from likewise.kernels.graphs.tree_cuts import close_below, number_pieces, sum_distances
from likewise.kernels.graphs.tree_joins import JoinEvidence, join_along_tree
from likewise.kernels.graphs.union_find import number_roots
from likewise.query.base import Labels
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.structure import Floats, Structure

SHARE = 0.85  # share of an item's labels that comes from its neighbours
N_STEPS = 15
N_KEPT = 8  # maximum number of labels of an item
# log-odds added to the evidence for joining a set that lies mostly elsewhere: without, and with, an item asked about
GAINS = np.array([-1.0, 3.0])
SURE = 0.5  # least share of an item's neighbours in its piece for it to represent the piece


@dataclass
class KnownGroups:
    """Groups of items known to be the same, and which of them are known to differ.

    - `groups` (n,): Items known to be the same share a number.
    - `different` (m, 2): Pairs of groups known to differ.
    - `mentioned` (n,): Whether any answer is about the item.
    """

    groups: Labels
    different: Pairs
    mentioned: NDArray[np.bool_]

    @classmethod
    def of(cls, constraints: Constraints) -> KnownGroups:
        """The groups of the constraints."""
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
        """Whether an item is in the largest mentioned group of its cluster; of equal groups in the first."""
        mentioned = np.unique(self.groups[self.mentioned])
        home = labels[self.firsts[mentioned]]
        order = np.lexsort((mentioned, -self.sizes[mentioned], home))
        leads = np.ones(len(order), bool)
        leads[1:] = home[order][1:] != home[order][:-1]
        is_core = np.zeros(len(self.sizes), bool)
        is_core[mentioned[order[leads]]] = True
        return np.asarray(is_core[self.groups] & self.mentioned)

    def differing_clusters(self, labels: Labels, n_clusters: int) -> NDArray[np.bool_]:
        """Whether two clusters are known to differ, (K, K)."""
        differ = np.zeros((n_clusters, n_clusters), bool)
        left, right = (labels[self.firsts[side]] for side in self.different.T)
        differ[left, right] = differ[right, left] = True
        return differ


@dataclass
class ClusterEstimate:
    """Clusters with the probabilities behind them.

    - `structure`: What does not depend on the answers.
    - `curve`: Probability that two sets are the same.
    - `known`: Items known to be the same or different.
    - `labels` (n,): Clusters, 0 … K-1.
    - `carried`, `shares` (n, k): Labels that reach an item over the graph, strongest first (-1: none), and their
      shares.
    - `node_probability` (n - 1,): Probability that the two sides of each merge of the tree are the same.
    """

    structure: Structure
    curve: SameCurve
    known: KnownGroups
    labels: Labels
    carried: NDArray[np.int64]
    shares: Floats
    node_probability: Floats = field(repr=False)

    @cached_property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return int(self.labels.max()) + 1

    @cached_property
    def sizes(self) -> Floats:
        """Number of items of every cluster."""
        return np.bincount(self.labels).astype(np.float64)

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        return sum_distances(self.structure.D, self.labels, self.n_clusters)

    @property
    def sums(self) -> Floats:
        """Sums of distances between clusters, (K, K)."""
        return self._sums[0]

    @property
    def centrality(self) -> Floats:
        """Sum of distances of every item to its cluster; lowest for the medoid."""
        return self._sums[1]

    @cached_property
    def leaks(self) -> Floats:
        """Sum of the shares of each label among the neighbours of a cluster's items, (K, K)."""
        leaks: Floats = sum_leaks(self.structure.graph, self.labels, self.carried, self.shares, self.n_clusters)
        return leaks

    @cached_property
    def cores(self) -> NDArray[np.bool_]:
        """Whether an item is in its cluster's core: the largest known group, or the medoid if there is none."""
        return self.find_cores(self.labels)

    def find_cores(self, labels: Labels) -> NDArray[np.bool_]:
        """The cores of other clusters, with the centrality of this estimate for medoids."""
        cores = self.known.cores(labels)
        order = np.lexsort((self.centrality, labels))
        medoids = order[np.unique(labels[order], return_index=True)[1]]
        cores[medoids[np.bincount(labels[cores], minlength=len(medoids)) == 0]] = True
        return cores

    @cached_property
    def own_shares(self) -> Floats:
        """Share of its own cluster among the labels that reach an item, (n,)."""
        return np.asarray(np.sum(self.shares, axis=1, where=self.carried == self.labels[:, None]))


def estimate_clusters(
    structure: Structure,
    curve: SameCurve,
    constraints: Constraints,
    *,
    joined: NDArray[np.bool_] | None = None,
    asked: Collection[int] = (),
) -> ClusterEstimate:
    """Estimate clusters under the answers.

    First the tree is joined from below along the merges wanted; must-links come first and no merge breaks a
    cannot-link. A known group with a few items in the branch of others does not take this branch with it, unless
    that is likely. Then the answers are propagated over the graph of neighbours: items without an answer, and groups
    that are not the largest of their cluster, go to the cluster whose label reaches them most.

    - `structure`: What does not depend on the answers.
    - `curve`: Fitted to the answers.
    - `constraints`: The answers and what follows from them.
    - `joined` (n - 1,): Merges to join; by default those whose sides are more probably the same than not.
    - `asked`, collection of int: Items that the asker chose, to represent what is around them.
    """
    known = KnownGroups.of(constraints)
    tree = structure.tree
    probability = curve(tree.height, tree.pairs)
    forest, _ = start_forest(known.groups, known.different)
    allowed = close_below(tree.children, probability >= 0.5 if joined is None else joined)
    evidence = _join_evidence(structure, curve, constraints, allowed, asked)
    join_along_tree(structure.D, tree, allowed, known.mentioned, forest, evidence)
    labels = number_roots(forest.parent)
    labels, carried, shares = _propagate(structure, known, labels)
    return ClusterEstimate(structure, curve, known, labels, carried, shares, probability)


def _join_evidence(
    structure: Structure, curve: SameCurve, constraints: Constraints, allowed: NDArray[np.bool_], asked: Collection[int]
) -> JoinEvidence:
    """What decides at the merges; an item that was asked about represents its piece if its neighbours lie there."""
    n, tree, graph = constraints.n, structure.tree, structure.graph
    rank = np.full(n, n)
    mentioned = constraints.mentioned()
    rank[mentioned] = np.arange(len(mentioned))
    represents = np.zeros(n, bool)
    represents[list(asked)] = True
    pieces = number_pieces(tree.children, allowed)
    rows = np.repeat(np.arange(n), np.diff(graph.starts))
    own = np.bincount(rows, graph.weights * (pieces[rows] == pieces[graph.ends]), minlength=n)
    a, b, c = curve.coef_
    logits = curve.logit(tree.height, tree.pairs)
    return JoinEvidence(logits, np.array([a, b / curve.scale, c]), GAINS, rank, represents & (own >= SURE))


def _propagate(structure: Structure, known: KnownGroups, labels: Labels) -> tuple[Labels, NDArray[np.int64], Floats]:
    """Labels after propagation, renumbered, and all labels that reach every item with their shares."""
    n_clusters = int(labels.max()) + 1
    cores = known.cores(labels)
    movable = np.unique(known.groups[known.mentioned & ~cores])
    number = np.full(len(known.sizes), -1)
    number[movable] = np.arange(len(movable))
    barred = np.zeros((len(movable), n_clusters), bool)
    for near, far in (known.different.T, known.different.T[::-1]):
        moves = number[near] >= 0
        barred[number[near[moves]], labels[known.firsts[far[moves]]]] = True
    row = np.where(known.mentioned, number[known.groups], -1)
    carried, shares = spread_labels(structure.graph, labels, cores, row, barred, SHARE, N_STEPS, N_KEPT)
    new = np.where(known.mentioned, labels, carried[:, 0])
    if len(movable):
        homes = _assign_groups(known, labels, movable, row, carried, shares)
        new = np.where(row >= 0, homes[row], new)
    kept, relabelled = np.unique(new, return_inverse=True)
    renumber = np.full(n_clusters + 1, -1)  # the last entry is that of "none"
    renumber[kept] = np.arange(len(kept))
    return relabelled.astype(np.int64), renumber[carried], shares


def _assign_groups(
    known: KnownGroups, labels: Labels, movable: Labels, row: Labels, carried: Labels, shares: Floats
) -> Labels:
    """Cluster of every movable group: the strongest label that reaches it and holds no group it differs from.

    The group with the strongest label moves first; each takes the present clusters of the others into account.
    """
    differing: dict[int, list[int]] = {}
    for g, h in known.different.tolist():
        differing.setdefault(g, []).append(h)
        differing.setdefault(h, []).append(g)
    reaching: list[dict[int, float]] = [{} for _ in movable]
    for item in np.flatnonzero(row >= 0).tolist():
        total = reaching[row[item]]
        for label, share in zip(carried[item].tolist(), shares[item].tolist(), strict=True):
            if label >= 0:
                total[label] = total.get(label, 0.0) + share / known.sizes[known.groups[item]]
    home = labels[known.firsts]
    for k in sorted(range(len(movable)), key=lambda k: (-max(reaching[k].values()), k)):
        taken = {int(home[g]) for g in differing.get(int(movable[k]), ())}
        ranked = sorted(reaching[k].items(), key=lambda entry: (-entry[1], entry[0]))
        home[movable[k]] = next((label for label, _ in ranked if label not in taken), home[movable[k]])
    settled: Labels = home[movable]
    return settled
