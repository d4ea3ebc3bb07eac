"""The largest clusters, all pairs of which are candidates, and how far they are from each other."""

from __future__ import annotations

import numpy as np

from likewise.constraints import Pairs
from likewise.query.base import Labels
from likewise.query.dendrogram.geometry import ChangingSets, Floats

N_LARGEST = 256  # clusters of which all pairs are candidates


class LargestClusters:
    """The largest clusters, of equal ones those with the lower labels; only new distances are measured.

    - `ids` (L,): Their labels, rising.
    """

    def __init__(self) -> None:
        self.ids: Labels = np.empty(0, np.int64)
        self._gaps: Floats = np.empty((0, 0))

    def update(self, clusters: ChangingSets) -> None:
        """Follow the clusters, which have just been updated."""
        ids = _largest(clusters.ids, clusters.sizes)
        gaps = np.full((len(ids), len(ids)), np.nan)
        if len(self.ids):
            at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
            kept = np.flatnonzero((self.ids[at] == ids) & ~clusters.changed[ids])
            gaps[np.ix_(kept, kept)] = self._gaps[np.ix_(at[kept], at[kept])]
        left, right = np.nonzero(np.triu(np.isnan(gaps), 1))
        gaps[left, right] = clusters.distances(ids[left], ids[right])
        self.ids, self._gaps = ids, gaps

    def pairs(self, differing: Pairs) -> tuple[Labels, Labels, Floats]:
        """All pairs but those known to differ, the lower label first, by (left, right), and their mean distances.

        - `differing` (k, 2): Labels of clusters known to differ, the lower one first.
        """
        is_open = np.triu(np.ones(self._gaps.shape, bool), 1)
        if len(self.ids):
            at = np.minimum(np.searchsorted(self.ids, differing), len(self.ids) - 1)
            a, b = at[(self.ids[at] == differing).all(axis=1)].T
            is_open[a, b] = False
        left, right = np.nonzero(is_open)
        return self.ids[left], self.ids[right], self._gaps[left, right]


def _largest(ids: Labels, sizes: Floats) -> Labels:
    """The labels of the largest of these clusters, rising; sizes (n,) by label."""
    if len(ids) <= N_LARGEST:
        return ids
    least = np.partition(sizes[ids], -N_LARGEST)[-N_LARGEST]
    above = ids[sizes[ids] > least]
    return np.sort(np.concatenate([above, ids[sizes[ids] == least][: N_LARGEST - len(above)]]))
