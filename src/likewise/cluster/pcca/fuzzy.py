"""What fuzzy clusters cost, and which of them are one.

U (n, c): memberships, rows adding up to 1; D (n, c): squared distances of the items to the prototypes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from likewise.cluster.groups import Groups, count_members
from likewise.cluster.weighed import Levels
from likewise.kernels.metric.distances import compute_sqeuclidean

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]


def prototypes(X: Vectors, U: Vectors) -> Vectors:
    """Means weighted by squared memberships, (c, d); eq. 4."""
    W = U**2
    return np.asarray(W.T @ X / W.sum(axis=0)[:, None])


def euclidean(X: Vectors, centres: Vectors) -> Vectors:
    """Squared Euclidean distances to the prototypes, (n, c)."""
    return compute_sqeuclidean(X, centres)


def mahalanobis(X: Vectors, centres: Vectors, U: Vectors, shrinkage: float, floor: float) -> Vectors:
    """Squared distances under each cluster's own fuzzy covariance, scaled to determinant 1, (n, c). O(n c d²).

    - `X`, `centres`, `U` (n, d), (c, d) and (n, c): Items, prototypes, memberships.
    - `shrinkage`: Share of the sphere with the same total variance that is mixed into every covariance.
    - `floor`: Added variance, so that a cluster of equal items has a shape.
    """
    n_columns = X.shape[1]
    D = np.empty_like(U)
    for k, centre in enumerate(centres):
        Z = X - centre
        weights = U[:, k] ** 2
        S = (Z * (weights / weights.sum())[:, None]).T @ Z
        sphere = shrinkage * np.trace(S) / n_columns + floor
        values, axes = np.linalg.eigh((1.0 - shrinkage) * S + sphere * np.eye(n_columns))
        values = np.maximum(values, floor)
        scaled = Z @ (axes / np.sqrt(values))
        D[:, k] = np.einsum("ij,ij->i", scaled, scaled) * np.exp(np.log(values).mean())
    return D


def spread(U: Vectors, D: Vectors) -> float:
    """Σ u² d², the first term of eq. 3."""
    return float(np.einsum("ij,ij,ij->", U, U, D))


def violations(U: Vectors, levels: Levels) -> float:
    """Pairs of the closure weighted by how far they are violated, the second term of eq. 3 without α.

    O((s + e) c) a level. A must-link costs 1 - Σ_k u_ik u_jk and a cannot-link Σ_k u_ik u_jk, each times its weight, so
    sums over groups are enough.
    """
    return sum(factor * _violations_of(U, groups) for factor, groups in levels)


def _violations_of(U: Vectors, groups: Groups) -> float:
    if len(groups.members) == 0:
        return 0.0
    own = U[groups.members]
    sums = group_sums(U, groups)
    n_pairs = float((groups.sizes * (groups.sizes - 1)).sum())
    split = (n_pairs - ((sums**2).sum() - (own**2).sum())) / 2.0
    pairs = groups.enemy_pairs()
    return float(split + (sums[pairs[:, 0]] * sums[pairs[:, 1]]).sum())


def group_sums(U: Vectors, groups: Groups) -> Vectors:
    """Summed memberships of every group, (g, c)."""
    if len(groups.members) == 0:
        return np.empty((0, U.shape[1]))
    return np.asarray(np.add.reduceat(U[groups.members], groups.start[:-1], axis=0))


def merge_map(X: Vectors, labels: Labels, levels: Levels, alpha: float, overlap: float) -> Labels:
    """Which clusters are one: a number for each of them, (c,), in order of the first.

    The best pair is merged until none is left: the pair with the largest share of items on the wrong side of the plane
    half-way between the two means, by normal tails, as long as it is above `overlap` and the constraints are not
    against it; else the pair whose merging lowers the crisp cost most. Constraints are against it when the cannot-links
    between the two, less the must-links, are more than half of what would fall there by chance: a few misplaced items
    make a few.

    - `X` (n, d): Items.
    - `labels` (n,): Their clusters, 0 … c - 1, none empty.
    - `levels`: The constraints, by weight.
    - `alpha`: Price of a violated pair.
    - `overlap`: Share up to which two clusters stay two.
    """
    parts = _Parts(X, labels, levels)
    owner = np.arange(len(parts.sizes))
    while len(parts.sizes) > 1:
        pair = parts.best_pair(alpha, overlap)
        if pair is None:
            break
        a, b = pair
        parts.join(a, b)
        owner[owner == b] = a
        owner[owner > b] -= 1
    return owner


class _Parts:
    """Size, mean, covariance and constraints of crisp clusters, enough to merge them without the items."""

    def __init__(self, X: Vectors, labels: Labels, levels: Levels) -> None:
        count = int(labels.max()) + 1
        self.sizes = np.bincount(labels, minlength=count).astype(np.float64)
        self.means = np.empty((count, X.shape[1]))
        self.covariances = np.empty((count, X.shape[1], X.shape[1]))
        for k in range(count):
            members = X[labels == k]
            self.means[k] = members.mean(axis=0)
            Z = members - self.means[k]
            self.covariances[k] = Z.T @ Z / len(Z)
        # votes[a, b]: must-links that merging a and b would heal, less the cannot-links it would break
        self.votes, against = np.zeros((count, count)), np.zeros((count, count))
        for factor, groups in levels:
            inside = count_members(groups, labels, count).astype(np.float64)
            pairs = groups.enemy_pairs()
            one_way = inside[pairs[:, 0]].T @ inside[pairs[:, 1]]
            between = one_way + one_way.T
            against += factor * between
            self.votes += factor * (inside.T @ inside - between)
        # half as many cannot-links as there would be between two clusters if all fell evenly
        degree = against.sum(axis=0)
        self.by_chance = np.outer(degree, degree) / max(2 * degree.sum(), 1.0)

    def best_pair(self, alpha: float, overlap: float) -> tuple[int, int] | None:
        left, right = np.triu_indices(len(self.sizes), 1)
        line = self.means[left] - self.means[right]
        gap = np.einsum("pi,pi->p", line, line)
        votes = self.votes[left, right]
        share = np.where(votes >= -self.by_chance[left, right], self._overlaps(left, right, line, gap), -1.0)
        best = int(np.argmax(share))
        if share[best] > overlap:
            return int(left[best]), int(right[best])
        widening = gap * self.sizes[left] * self.sizes[right] / (self.sizes[left] + self.sizes[right])
        change = widening - alpha * votes
        best = int(np.argmin(change))
        return (int(left[best]), int(right[best])) if change[best] < 0 else None

    def _overlaps(self, left: Labels, right: Labels, line: Vectors, gap: Vectors) -> Vectors:
        """Share of items on the wrong side, for every pair, (p,).

        A few items have less variance than what they were drawn from, and their mean is off: each of two clusters
        borrows as many items from the other as there are columns, and the gap is reduced by what chance adds.
        """
        pair = np.arange(len(gap))
        along = np.zeros((len(self.sizes), len(gap)))
        for k, S in enumerate(self.covariances):
            chosen = (left == k) | (right == k)
            along[k, chosen] = np.einsum("pi,pi->p", line[chosen] @ S, line[chosen])
        total = np.trace(self.covariances, axis1=1, axis2=2)
        n_left, n_right = self.sizes[left], self.sizes[right]
        lent = float(self.means.shape[1])

        def borrow(own: Vectors, other: Vectors, size: Vectors) -> Vectors:
            return np.asarray((size * own + lent * other) / (size + lent))

        on_left, on_right = along[left, pair], along[right, pair]
        variance = borrow(on_left, on_right, n_left) + borrow(on_right, on_left, n_right)
        chance = borrow(total[left], total[right], n_left) / n_left
        chance += borrow(total[right], total[left], n_right) / n_right
        ratio = np.full(len(gap), np.inf)
        np.divide(np.maximum(gap - chance, 0.0) * gap, variance, out=ratio, where=variance > 0)
        ratio[gap == 0] = 0.0
        return np.asarray(ndtr(-np.sqrt(ratio / 2.0)))

    def join(self, a: int, b: int) -> None:
        n_a, n_b = self.sizes[a], self.sizes[b]
        total = n_a + n_b
        line = self.means[a] - self.means[b]
        S = n_a * self.covariances[a] + n_b * self.covariances[b] + n_a * n_b / total * np.outer(line, line)
        self.covariances[a] = S / total
        self.means[a] = (n_a * self.means[a] + n_b * self.means[b]) / total
        self.sizes[a] = total
        for table in (self.votes, self.by_chance):
            table[a] += table[b]
            table[:, a] += table[:, b]
        for name in ("sizes", "means", "covariances", "votes", "by_chance"):
            setattr(self, name, np.delete(getattr(self, name), b, axis=0))
        self.votes, self.by_chance = (np.delete(table, b, axis=1) for table in (self.votes, self.by_chance))
