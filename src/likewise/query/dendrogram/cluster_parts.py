"""Parts of clusters that may not belong there, found anew only around what changed."""

from __future__ import annotations

import numpy as np

from likewise.kernels.graphs.cluster_values import find_own_shares
from likewise.kernels.graphs.tree_cuts import find_blocks_again
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
    - `own_sums` (n+1,): Sums of the shares of their own cluster that items carry, over the leaves of the tree. Shares
      are whole numbers of parts, so that these are exact.
    """

    def __init__(self, tree: Tree) -> None:
        n = len(tree.leaves)
        self._tree = tree
        self._own = np.zeros(n)
        self._shared, self._is_top = np.full(2 * n - 1, -1), np.zeros(2 * n - 1, bool)
        self._core_items = np.empty(0, np.int64)
        self.cores, self.own_sums = np.zeros(n, bool), np.zeros(n + 1)
        self.nodes = np.empty(0, np.int64)

    def update(self, labels: Labels, layer: Layer, known: KnownGroups, clusters: ChangingSets, among: Labels) -> None:
        """Follow the clusters; outside of `among` no label changed, nor what an item carries, since the last time."""
        tree = self._tree
        find_own_shares(among, labels, layer, tree.first, self._own)
        np.cumsum(self._own, out=self.own_sums[1:])
        flipped = self._follow_cores(core_items(labels, known, clusters))
        for items in (among, flipped):
            find_blocks_again(tree.children, tree.parent, items, labels, self.cores, self._shared, self._is_top)
        self.nodes = np.flatnonzero(self._is_top)

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
