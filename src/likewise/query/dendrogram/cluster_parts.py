"""Parts of clusters that may not belong there, found anew only around what changed."""

from __future__ import annotations

from typing import Any

import numpy as np

from likewise.kernels.graphs.cluster_values import find_own_shares
from likewise.kernels.graphs.tree_blocks import (
    BlockValues,
    TreeBlocks,
    blocks_around,
    describe_blocks,
    find_blocks_again,
)
from likewise.query.base import Labels
from likewise.query.dendrogram.geometry import ChangingSets
from likewise.query.dendrogram.known_groups import KnownGroups
from likewise.query.dendrogram.spreading import Layer
from likewise.query.dendrogram.structure import Tree


class ClusterParts:
    """The cores of clusters, and the largest subtrees inside clusters without an item of the core.

    - `tree`: Average linkage.
    - `cores` (n,): Whether an item is in its cluster's core: the largest known group, or the medoid if there is none.
    - `nodes` (m,): The subtrees, rising.
    - `values`: Of each, its cluster, its size, the mean share of its own cluster that its items carry (shares are
      whole numbers of parts, so that their sums are exact), and the merge above it.
    """

    def __init__(self, tree: Tree) -> None:
        n = len(tree.leaves)
        self._tree = tree
        self._own = np.zeros(n)
        self._blocks = TreeBlocks(np.full(2 * n - 1, -1), np.zeros(2 * n - 1, bool))
        self._core_items = np.empty(0, np.int64)
        self.cores = np.zeros(n, bool)
        self.nodes = np.empty(0, np.int64)
        self._labels: Labels = np.full(n, -1)
        self.values = self.describe(self.nodes)

    def update(self, labels: Labels, layer: Layer, known: KnownGroups, clusters: ChangingSets, among: Labels) -> None:
        """Follow the clusters; outside of `among` no label changed, nor what an item carries, since the last time."""
        tree, blocks = self._tree, self._blocks
        self._labels = labels
        find_own_shares(among, labels, layer, tree.first, self._own)
        items = np.concatenate([among, self._follow_cores(core_items(labels, known, clusters))])
        flipped = find_blocks_again(tree, items, labels, self.cores, blocks)
        is_new = blocks.is_top[flipped]
        self._replace(np.searchsorted(self.nodes, flipped[~is_new]), np.sort(flipped[is_new]))
        at = np.searchsorted(self.nodes, np.concatenate([flipped[is_new], blocks_around(tree, among, blocks)]))
        for column, some in zip(self.values, self.describe(self.nodes[at]), strict=True):
            column[at] = some

    def describe(self, nodes: Labels) -> BlockValues:
        """The values of any subtrees (m,) that lie inside one cluster each."""
        found: BlockValues = describe_blocks(self._tree, nodes, self._own, self._labels)
        return found

    def _replace(self, gone: Labels, new: Labels) -> None:
        """Leave out parts, given by their places, and make room for others, given by their nodes."""
        nodes = np.delete(self.nodes, gone)
        at = np.searchsorted(nodes, new)
        self.nodes = np.insert(nodes, at, new)
        columns: list[Any] = [np.insert(np.delete(column, gone), at, 0) for column in self.values]
        self.values = BlockValues(*columns)

    def _follow_cores(self, items: Labels) -> Labels:
        """Take these for the items of cores; those that are so now or were so before, and not both."""
        before, self._core_items = self._core_items, items
        came = items[~self.cores[items]]
        self.cores[before] = False
        self.cores[items] = True
        return np.concatenate([came, before[~self.cores[before]]])


def core_items(labels: Labels, known: KnownGroups, clusters: ChangingSets) -> Labels:
    """The items of the largest known groups of clusters, and the medoids of those without any."""
    named = np.zeros(len(clusters.ids), bool)
    named[np.searchsorted(clusters.ids, labels[known.firsts])] = True
    inside = known.core_groups(labels)[known.groups]
    return np.concatenate([known.items[inside], clusters.medoids[clusters.ids[~named]]])
