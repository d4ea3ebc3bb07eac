"""Pairs of clusters that may be the same: joined by the graph of neighbours, or among the largest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likewise.kernels.graphs.cluster_values import merge_probabilities
from likewise.query.base import Labels
from likewise.query.dendrogram.estimate import ClusterEstimate
from likewise.query.dendrogram.geometry import Floats

LEAST_LEAK = 2e-3  # between any two clusters, so that even distant ones are asked about in the end


@dataclass
class MergeCandidates:
    """Pairs of clusters not known to differ, and how probably they are the same.

    A pair may be there more than once: then the highest probability is its own, as of :meth:`unique`.

    - `left`, `right` (m,): Labels of the clusters.
    - `probability` (m,): That of being the same; 0 for those known to differ.
    """

    left: Labels
    right: Labels
    probability: Floats

    @classmethod
    def of(cls, estimate: ClusterEstimate) -> MergeCandidates:
        """Those of an estimate."""
        leaks, sizes, odds = estimate.leaks, estimate.sizes, estimate.curve.odds
        near = merge_probabilities(
            leaks.rows, leaks.others, leaks.sums / sizes[leaks.rows], leaks.gaps, sizes, odds, LEAST_LEAK
        )
        differing = estimate.known.differing_clusters(estimate.labels)
        for a, b in (differing.T, differing.T[::-1]):
            at = leaks.find(a, b)
            near[at[at >= 0]] = 0.0
        left, right, gaps = estimate.largest.pairs(differing)
        far = merge_probabilities(left, right, np.zeros(len(left)), gaps, sizes, odds, LEAST_LEAK)
        return cls(
            np.concatenate([leaks.rows, left]), np.concatenate([leaks.others, right]), np.concatenate([near, far])
        )

    def unique(self) -> MergeCandidates:
        """Every pair once, the lower label first, by (left, right), without those known to differ."""
        kept = self.probability > 0
        low, high = np.minimum(self.left, self.right)[kept], np.maximum(self.left, self.right)[kept]
        order = np.lexsort((-self.probability[kept], high, low))
        low, high = low[order], high[order]
        first = np.ones(len(low), bool)
        first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
        return MergeCandidates(low[first], high[first], self.probability[kept][order][first])

    def with_small_placed(self, sizes: Floats) -> MergeCandidates:
        """The same, of :meth:`unique` pairs: a cluster that is small for a class is more probably part of a larger one.

        What is small is nearly always a piece of a class, however far from the rest of it, so that its probabilities
        of being the same as one of the larger clusters add up to more than their distances alone tell. With o the
        odds of a pair, each becomes o / (√s + Σ o), the sum over the larger clusters, where s is the size of the
        smaller one by the usual size (that of the cluster of an item drawn at random), at most 1. None falls; with
        s = 1 and one larger cluster it stays as it is.

        - `sizes` (n,): Number of items of every cluster, by label.
        """
        if len(self.left) == 0:
            return self
        usual = float(sizes @ sizes) / float(sizes.sum())
        small = np.where(sizes[self.left] <= sizes[self.right], self.left, self.right)
        odds = self.probability / np.maximum(1 - self.probability, np.finfo(float).eps)
        total = np.bincount(small, odds, len(sizes))[small]
        placed = odds / (np.sqrt(np.minimum(1.0, sizes[small] / usual)) + total)
        return MergeCandidates(self.left, self.right, np.maximum(self.probability, placed))
