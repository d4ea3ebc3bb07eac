"""What leaks from cluster to cluster over the graph of neighbours, computed anew only where something changed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.graphs.propagation import find_reached, sum_leaks, with_neighbours
from likewise.query.dendrogram.geometry import ChangingSets, Floats, Integers
from likewise.query.dendrogram.spreading import Spreading
from likewise.query.dendrogram.structure import Graph

SLIGHT = 1e-3  # what leaks less, as a share of all that a cluster receives, is left out


class Leaks:
    """Pairs of clusters of which the one receives labels of the other from the neighbours of its items.

    - `rows`, `others` (m,): Labels of the two clusters, by (row, other).
    - `sums` (m,): What the first receives of the other's label.
    - `gaps` (m,): Their mean distance; infinite where the other is no more.
    """

    def __init__(self, graph: Graph) -> None:
        n = len(graph.starts) - 1
        self._graph = graph
        self._scratch = np.zeros(n), np.empty(n, np.int64)
        self._marked = np.zeros(n, bool)
        self._reached = np.zeros(n, bool)  # items to which anything but their own label comes from a neighbour
        self.rows, self.others = np.empty(0, np.int64), np.empty(0, np.int64)
        self.sums, self.gaps = np.empty(0), np.empty(0)
        self._keys = np.empty(0, np.int64)

    def update(self, labels: Integers, spreading: Spreading, clusters: ChangingSets, among: Integers) -> None:
        """Follow the clusters and what was spread, both of which have just been updated.

        - `among`: Items outside of which no label changed, nor what an item carries.
        """
        dirty = clusters.changed.copy()
        around = with_neighbours(self._graph, spreading.changed, np.empty(0, np.int64), self._marked)
        for items in (around, among):
            find_reached(self._graph, items, labels, spreading.last.carried, self._reached)
        dirty[labels[around]] = True
        items = clusters.items(np.flatnonzero(dirty & (clusters.sizes > 0)))
        what = labels, spreading.last, self._reached, self._scratch
        rows, others, sums = sum_leaks(self._graph, items, *what)
        kept = (rows != others) & (sums >= SLIGHT * clusters.sizes[rows])
        self._replace(dirty, rows[kept], others[kept], sums[kept])
        self._measure(clusters)

    def _replace(self, dirty: NDArray[np.bool_], rows: Integers, others: Integers, sums: Floats) -> None:
        """Take new entries for the rows that are dirty."""
        keys = rows * len(dirty) + others
        before = self.find(rows, others)
        gaps = np.where(before >= 0, np.append(self.gaps, np.nan)[before], np.nan)
        kept = ~dirty[self.rows]
        old_keys = self._keys[kept]
        at = np.searchsorted(old_keys, keys)
        self._keys = np.insert(old_keys, at, keys)
        self.rows, self.others = np.divmod(self._keys, len(dirty))
        self.sums = np.insert(self.sums[kept], at, sums)
        self.gaps = np.insert(self.gaps[kept], at, gaps)

    def _measure(self, clusters: ChangingSets) -> None:
        """Measure the distances that are not known, or not any more."""
        stale = np.isnan(self.gaps) | clusters.changed[self.rows] | clusters.changed[self.others]
        there = clusters.sizes[self.others] > 0
        at = np.flatnonzero(stale & there)
        self.gaps[at] = clusters.distances(self.rows[at], self.others[at])
        self.gaps[stale & ~there] = np.inf

    def find(self, rows: Integers, others: Integers) -> Integers:
        """Places of pairs of clusters, -1 where there is none."""
        keys = rows * len(self._marked) + others
        at = np.searchsorted(self._keys, keys)
        at[at == len(self._keys)] = 0
        return np.where(self._keys[at] == keys, at, -1) if len(self._keys) else np.full(len(keys), -1)
