"""Merge or split the estimated clusters until there are as many as wanted."""

from __future__ import annotations

import numpy as np

from likewise.kernels.graphs.tree_cuts import find_blocks
from likewise.query.base import Labels
from likewise.query.dendrogram.estimate import ClusterEstimate
from likewise.query.dendrogram.structure import Floats

LEAST_LEAK = 2e-3  # between any two clusters, so that even distant ones are asked about in the end


def merge_probability(estimate: ClusterEstimate) -> Floats:
    """Probability that two clusters are the same, (K, K): 0 where they are known to differ and on the diagonal."""
    pairs = np.outer(estimate.sizes, estimate.sizes)
    leaks = estimate.leaks / estimate.sizes[:, None]
    probability: Floats = _probability(estimate, estimate.sums / pairs, pairs, np.maximum(leaks, leaks.T))
    probability[estimate.known.differing_clusters(estimate.labels, estimate.n_clusters)] = 0.0
    np.fill_diagonal(probability, 0.0)
    return probability


def _probability(estimate: ClusterEstimate, distances: Floats, pairs: Floats, leaks: Floats) -> Floats:
    near = np.maximum(estimate.curve(distances, pairs), np.finfo(float).tiny)
    return np.asarray(near * np.minimum(1.0, 2 * np.sqrt(leaks + LEAST_LEAK)))


def merge_or_split(estimate: ClusterEstimate, n_clusters: int) -> Labels:
    """Merge the clusters that are most probably the same, or split off the most doubtful parts.

    No answer is contradicted, so that there may be more clusters in the end (if all are known to differ) or fewer
    (if nothing can be split off).

    - `estimate`: The estimated clusters.
    - `n_clusters`: Number of clusters wanted.
    """
    if estimate.n_clusters > n_clusters:
        return _merge(estimate, n_clusters)
    labels = estimate.labels.copy()
    while (missing := n_clusters - labels.max() - 1) > 0:
        count = labels.max() + 1
        _split(estimate, labels, missing)
        if labels.max() + 1 == count:
            break
    return labels


def _merge(estimate: ClusterEstimate, n_clusters: int) -> Labels:
    """Merge the two most probably the same, repeatedly; their sums, sizes and leaks are added."""
    sums, leaks, size = estimate.sums.copy(), estimate.leaks.copy(), estimate.sizes.copy()
    probability = merge_probability(estimate)
    into = np.arange(len(size))
    best = probability.argmax(axis=1)
    for _ in range(len(size) - n_clusters):
        a = int(probability[np.arange(len(size)), best].argmax())
        b = int(best[a])
        if probability[a, b] <= 0:
            break
        into[into == b] = a
        for table in (sums, leaks):
            table[a] += table[b]
            table[:, a] += table[:, b]
        size[a] += size[b]
        barred = (probability[a] == 0) | (probability[b] == 0)
        mean = np.maximum(leaks[a] / size[a], leaks[:, a] / size)
        pairs = size[a] * size
        row = np.where(barred, 0.0, _probability(estimate, sums[a] / pairs, pairs, mean))
        probability[a], probability[:, a] = row, row
        probability[b], probability[:, b] = 0.0, 0.0
        stale = (best == a) | (best == b)
        stale[[a, b]] = True
        best[stale] = probability[stale].argmax(axis=1)
        nearer = row > probability[np.arange(len(size)), best]
        best[nearer] = a
    return np.unique(into[estimate.labels], return_inverse=True)[1].astype(np.int64)


def _split(estimate: ClusterEstimate, labels: Labels, missing: int) -> None:
    """Give the parts of most value, at most `missing` of them, new labels, in place."""
    tree, known = estimate.structure.tree, estimate.known
    cores = estimate.find_cores(labels)
    nodes = find_blocks(tree.children, tree.parent, np.where(cores, -1, labels))
    joined = estimate.node_probability[tree.parent[nodes] - len(tree.leaves)]
    size = tree.size[nodes]
    rest = np.bincount(labels)[labels[tree.leaves[tree.first[nodes]]]] - size
    for at in np.argsort(-(1 - joined) * size * rest, kind="stable").tolist():
        items = tree.items(int(nodes[at]))
        inside = np.bincount(known.groups[items], minlength=len(known.sizes))
        whole = inside[known.groups[items]] == known.sizes[known.groups[items]]
        if missing and whole.all():
            labels[items] = labels.max() + 1
            missing -= 1
