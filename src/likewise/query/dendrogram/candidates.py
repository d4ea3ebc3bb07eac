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
