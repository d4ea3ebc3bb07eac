"""Prototypes and memberships on their way down: the rounds that competitive agglomeration and PCCA share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from likewise.cluster.pcca.fuzzy import euclidean, group_sums, mahalanobis, merge_map, prototypes, spread, violations
from likewise.cluster.weighed import Levels, stack_levels
from likewise.kernels.assignment.memberships import balance_bound, balance_free

Vectors = NDArray[np.float64]
FLOOR = 1e-12
"""Squared distances below this share of the variance of X count as this share."""


class FuzzySearch:
    """Prototypes and memberships on their way down."""

    def __init__(
        self, X: Vectors, levels: Levels, centres: Vectors, shrinkage: float | None, min_size: float, tol: float
    ) -> None:
        self.X, self.levels, self.centres = X, levels, centres
        self.groups, self.layers = levels[0].groups, stack_levels(levels)
        self.shrinkage, self.min_size, self.tol = shrinkage, min_size, tol
        self.scale = float(X.var(axis=0).sum()) or 1.0
        self.alpha = 0.0
        self.free = self.groups.free
        self.U = np.full((len(X), len(centres)), 1.0 / len(centres))
        self.n_iter = self.n_agglomerated = 0
        self.settled = False

    def objective(self) -> float:
        """The cost without competition."""
        return spread(self.U, self.distances()) + self.alpha * violations(self.U, self.levels)

    def looseness(self) -> float:
        """The cost beside how far the two nearest prototypes are from each other (Xie and Beni's index)."""
        if len(self.centres) == 1:
            return np.inf
        nearest = pdist(self.centres, "sqeuclidean").min()
        return self.objective() / nearest if nearest > 0 else np.inf

    def distances(self) -> Vectors:
        """Squared distances of the items to the prototypes, (n, k)."""
        floor = FLOOR * self.scale
        # Before the first round all memberships are equal, and so would be all shapes.
        if self.shrinkage is None or self.n_iter == 0:
            D = euclidean(self.X, self.centres)
        else:
            D = mahalanobis(self.X, self.centres, self.U, self.shrinkage, floor)
        return np.maximum(D, floor, out=D)

    def compete(self, eta: float, tau: float, max_iter: int) -> None:
        """Rounds of eq. 10, 5 and 4 until the prototypes rest; clusters that became too small go."""
        self.settled = False
        for t in range(max_iter):
            D = self.distances()
            self.n_iter += 1
            sizes = self.U.sum(axis=0)
            cost = spread(self.U, D) + self.alpha * violations(self.U, self.levels)
            beta = eta * np.exp(-t / tau) * cost / (sizes**2).sum()
            self._renew(D, -2.0 * beta * sizes)
            kept = self._drop_small()
            old, self.centres = self.centres[kept], prototypes(self.X, self.U)
            moved = ((self.centres - old) ** 2).sum(axis=1).max()
            if kept.all() and moved <= self.tol**2 * self.scale:
                self.settled = True
                return

    def _renew(self, D: Vectors, bias: Vectors) -> None:
        balance_free(D, bias, self.free, self.U)
        if len(self.groups.members):
            sums = np.vstack([group_sums(self.U, level.groups) for level in self.levels])
            balance_bound(D, bias, self.alpha, self.groups, self.layers, self.U, sums)

    def _drop_small(self) -> NDArray[np.bool_]:
        sizes = self.U.sum(axis=0)
        kept: NDArray[np.bool_] = (sizes >= min(self.min_size, sizes.max())) & (sizes > 0)
        if not kept.all():
            self.U = np.ascontiguousarray(self.U[:, kept])
            self.U[self.U.sum(axis=1) == 0] = 1.0
            self.U /= self.U.sum(axis=1, keepdims=True)
        return kept

    def crisp(self) -> NDArray[np.int64]:
        """The cluster each item belongs to most, (n,)."""
        return np.asarray(self.U.argmax(axis=1), np.int64)

    def merge(self, overlap: float) -> bool:
        """Merge prototypes that share one cluster; whether there were any, or some without items."""
        present, labels = np.unique(self.crisp(), return_inverse=True)
        owner = merge_map(self.X, labels.astype(np.int64), self.levels, self.alpha, overlap)
        count = int(owner.max()) + 1
        if count == self.U.shape[1]:
            return False
        merged = np.zeros((len(self.X), count))
        np.add.at(merged.T, owner, self.U[:, present].T)
        self.U = merged / merged.sum(axis=1, keepdims=True)
        self.centres = prototypes(self.X, self.U)
        return True
