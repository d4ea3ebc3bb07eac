"""Merge or split the estimated clusters until there are as many as wanted."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np
from scipy.special import expit

from likewise.kernels.graphs.cluster_values import merge_probabilities
from likewise.kernels.graphs.tree_cuts import find_blocks
from likewise.query.base import Labels
from likewise.query.dendrogram.candidates import LEAST_LEAK, MergeCandidates
from likewise.query.dendrogram.estimate import ClusterEstimate


def merge_or_split(estimate: ClusterEstimate, n_clusters: int) -> Labels:
    """Merge the clusters that are most probably the same, or split off the most doubtful parts.

    No answer is contradicted, so that there may be more clusters in the end (if all are known to differ) or fewer
    (if nothing can be split off).

    - `estimate`: The estimated clusters.
    - `n_clusters`: Number of clusters wanted.
    """
    if estimate.n_clusters > n_clusters:
        return Merging(estimate).until(n_clusters)
    labels = estimate.numbers.copy()
    while (missing := n_clusters - labels.max() - 1) > 0:
        count = labels.max() + 1
        _split(estimate, labels, missing)
        if labels.max() + 1 == count:
            break
    return labels


class Merging:
    """Clusters that are merged, always the two that are most probably the same; sums and leaks are added.

    - `estimate`: The clusters to start from.
    """

    def __init__(self, estimate: ClusterEstimate) -> None:
        ids = estimate.ids
        self._estimate = estimate
        self._sets = estimate.clusters.take(ids)
        self._count = len(ids)
        self._into = np.arange(len(ids))
        self._version = [0] * len(ids)
        self._leaks: list[dict[int, float]] = [{} for _ in ids]
        leaks = estimate.leaks
        there = np.isfinite(leaks.gaps)
        rows, others = np.searchsorted(ids, leaks.rows[there]), np.searchsorted(ids, leaks.others[there])
        for a, b, amount in zip(rows.tolist(), others.tolist(), leaks.sums[there].tolist(), strict=True):
            self._leaks[a][b] = amount
        self._differing: list[set[int]] = [set() for _ in ids]
        for a, b in np.searchsorted(ids, estimate.known.differing_clusters(estimate.labels)).tolist():
            self._differing[a].add(b)
            self._differing[b].add(a)
        self._near: list[set[int]] = [set() for _ in ids]
        self._heap: list[tuple[float, int, int, int, int]] = []
        found = MergeCandidates.of(estimate).unique()
        left, right = np.searchsorted(ids, found.left).tolist(), np.searchsorted(ids, found.right).tolist()
        for a, b, p in zip(left, right, found.probability.tolist(), strict=True):
            self._near[a].add(b)
            self._near[b].add(a)
            self._heap.append((-p, a, b, 0, 0))
        heapify(self._heap)

    def until(self, n_clusters: int) -> Labels:
        """Labels as soon as there are so many, or no two are left that may be the same."""
        self._run(n_clusters)
        if self._count > n_clusters:  # nothing near is left
            self._take_all()
            self._run(n_clusters)
        while (self._into != self._into[self._into]).any():
            self._into = self._into[self._into]
        return np.unique(self._into[self._estimate.numbers], return_inverse=True)[1].astype(np.int64)

    def _run(self, n_clusters: int) -> None:
        while self._heap and self._count > n_clusters:
            _, a, b, at_a, at_b = heappop(self._heap)
            if (at_a, at_b) == (self._version[a], self._version[b]):
                self._merge(a, b)

    def _merge(self, a: int, b: int) -> None:
        """Make b a part of a."""
        self._sets.merge(a, b)
        self._into[b] = a
        self._count -= 1
        self._version[a] += 1
        self._version[b] = -1
        for label, amount in self._leaks[b].items():
            self._leaks[a][label] = self._leaks[a].get(label, 0.0) + amount
        for c in self._near[b] | self._differing[b]:
            self._leaks[c][a] = self._leaks[c].get(a, 0.0) + self._leaks[c].pop(b, 0.0)
            for among in (self._near, self._differing):
                if b in among[c]:
                    among[c].discard(b)
                    among[c].add(a)
        for among in (self._near, self._differing):
            among[a] = (among[a] | among[b]) - {a, b}
        self._near[a] -= self._differing[a]
        self._push(a, sorted(self._near[a]))

    def _push(self, a: int, others: list[int]) -> None:
        if not others:
            return
        b, sizes = np.array(others), self._sets.sizes
        back = np.array([self._leaks[c].get(a, 0.0) for c in others]) / sizes[b]
        forth = np.array([self._leaks[a].get(c, 0.0) for c in others]) / sizes[a]
        leaks = np.maximum(back, forth)
        distances = self._sets.distances(np.full(len(b), a), b)
        found = merge_probabilities(
            np.full(len(b), a), b, leaks, distances, sizes, self._estimate.curve.odds, LEAST_LEAK
        )
        for c, p in zip(others, found.tolist(), strict=True):
            low, high = min(a, c), max(a, c)
            heappush(self._heap, (-p, low, high, self._version[low], self._version[high]))

    def _take_all(self) -> None:
        """Make all pairs of what is left candidates."""
        left = [a for a, version in enumerate(self._version) if version >= 0]
        for a in left:
            self._near[a] = set(left) - self._differing[a] - {a}
        for a in left:
            self._push(a, sorted(b for b in self._near[a] if b > a))


def _split(estimate: ClusterEstimate, labels: Labels, missing: int) -> None:
    """Give the parts of most value, at most `missing` of them, new labels, in place."""
    tree, known = estimate.structure.tree, estimate.known
    cores = estimate.find_cores(labels)
    nodes = find_blocks(tree.children, tree.parent, np.where(cores, -1, labels))
    above = tree.parent[nodes] - len(tree.leaves)
    joined = expit(estimate.curve.logit(tree.height[above], logs=tree.log_pairs[above]))
    size = tree.size[nodes]
    rest = np.bincount(labels)[labels[tree.leaves[tree.first[nodes]]]] - size
    for at in np.argsort(-(1 - joined) * size * rest, kind="stable").tolist():
        items = tree.items(int(nodes[at]))
        groups = known.group_of[items]
        groups = groups[groups >= 0]
        inside = np.bincount(groups, minlength=len(known.sizes))
        if missing and (inside[groups] == known.sizes[groups]).all():
            labels[items] = labels.max() + 1
            missing -= 1
