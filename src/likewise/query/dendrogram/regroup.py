"""From the clusters that are seen to the number of clusters that is wanted."""

from __future__ import annotations

import numpy as np

from likewise.kernels.graphs.tree_cuts import find_blocks
from likewise.query.base import Labels
from likewise.query.dendrogram.ground import Floats
from likewise.query.dendrogram.reading import Reading

LEAST_LEAK = 2e-3  # taken as leaking between any two clusters, so that far ones are asked about in the end


def merge_probability(reading: Reading) -> Floats:
    """Probability that two clusters are the same, (K, K): 0 where they are known to differ and on the diagonal."""
    pairs = np.outer(reading.sizes, reading.sizes)
    leaks = reading.leaks / reading.sizes[:, None]
    probability: Floats = _probability(reading, reading.sums / pairs, pairs, np.maximum(leaks, leaks.T))
    probability[reading.said.apart_clusters(reading.labels, reading.n_clusters)] = 0.0
    np.fill_diagonal(probability, 0.0)
    return probability


def _probability(reading: Reading, distances: Floats, pairs: Floats, leaks: Floats) -> Floats:
    near = np.maximum(reading.curve(distances, pairs), np.finfo(float).tiny)
    return np.asarray(near * np.minimum(1.0, 2 * np.sqrt(leaks + LEAST_LEAK)))


def regroup(reading: Reading, n_clusters: int) -> Labels:
    """Merge the clusters that are most probably the same, or split off the most doubtful parts, towards a number.

    No answer is contradicted, so that it may end with more clusters (all pairs of them known to differ) or with fewer
    (nothing that may be split off).

    Parameters
    ----------
    reading : Reading
        The clusters that are seen.
    n_clusters : int
        How many are wanted.
    """
    if reading.n_clusters > n_clusters:
        return _merge(reading, n_clusters)
    labels = reading.labels.copy()
    while (missing := n_clusters - labels.max() - 1) > 0:
        count = labels.max() + 1
        _split(reading, labels, missing)
        if labels.max() + 1 == count:
            break
    return labels


def _merge(reading: Reading, n_clusters: int) -> Labels:
    """Merge the two most probable, again and again; sums, sizes and leaks of the two are added up."""
    sums, leaks, size = reading.sums.copy(), reading.leaks.copy(), reading.sizes.copy()
    probability = merge_probability(reading)
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
        row = np.where(barred, 0.0, _probability(reading, sums[a] / pairs, pairs, mean))
        probability[a], probability[:, a] = row, row
        probability[b], probability[:, b] = 0.0, 0.0
        stale = (best == a) | (best == b)
        stale[[a, b]] = True
        best[stale] = probability[stale].argmax(axis=1)
        nearer = row > probability[np.arange(len(size)), best]
        best[nearer] = a
    return np.unique(into[reading.labels], return_inverse=True)[1].astype(np.int64)


def _split(reading: Reading, labels: Labels, missing: int) -> None:
    """Give the parts of which most would go new labels, in place: at most `missing` of them."""
    tree, said = reading.ground.tree, reading.said
    cores = reading.find_cores(labels)
    nodes = find_blocks(tree.children, tree.parent, np.where(cores, -1, labels))
    brought = reading.node_probability[tree.parent[nodes] - len(tree.leaves)]
    size = tree.size[nodes]
    rest = np.bincount(labels)[labels[tree.leaves[tree.first[nodes]]]] - size
    for at in np.argsort(-(1 - brought) * size * rest, kind="stable").tolist():
        items = tree.items(int(nodes[at]))
        inside = np.bincount(said.groups[items], minlength=len(said.sizes))
        whole = inside[said.groups[items]] == said.sizes[said.groups[items]]
        if missing and whole.all():
            labels[items] = labels.max() + 1
            missing -= 1
