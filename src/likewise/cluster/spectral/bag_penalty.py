"""The penalty of bag constraints for any clustering, and clusters moved towards the bags by it."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array

from likewise.cluster.spectral.bag_constraints import read_bags

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
BagLabels = Mapping[Any, Iterable[Hashable]]


def bag_penalty(labels: ArrayLike, bags: ArrayLike, bag_labels: BagLabels) -> float:
    r"""How far bags with like labels have like clusters: the term that bag constraints add to an objective.

    .. math:: \frac{1}{2M^2} \sum_{(i,j)} \sum_{(r,s)} [\Omega_L(i, j) - \Omega_L(r, s)]
              [\Omega_A(i, j) - \Omega_A(r, s)]

    over the M labelled bags, where Ω of two bags is the product of their shares of each class, and of each cluster.
    Higher is better; O(N + cMK), never over pairs of pairs.

    Parameters
    ----------
    labels : array-like of shape (n,)
        Clusters of any clusterer, or memberships of shape (n, k).
    bags : array-like of shape (n,)
        The bag of every item.
    bag_labels : mapping of bag to labels
        Labels of the bags that have some.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, 2017, eq. 2.2 and 2.7. Deviation:
    Ω_A is of the shares of the clusters, which needs no graph.

    Examples
    --------
    >>> bags, named = [0, 0, 1, 1], {0: {"a"}, 1: {"b"}}
    >>> bag_penalty([0, 0, 1, 1], bags, named), bag_penalty([0, 1, 0, 1], bags, named)
    (1.0, 0.0)
    """
    given = np.asarray(labels)
    A = np.eye(int(given.max()) + 1)[given] if given.ndim == 1 else np.asarray(given, np.float64)
    return _Penalty(A, bags, bag_labels).value()


def refine_with_bags(
    X: ArrayLike, labels: ArrayLike, bags: ArrayLike, bag_labels: BagLabels, *, alpha: float = 1.0, max_iter: int = 100
) -> Integers:
    r"""Clusters of any clusterer, moved item by item towards what the labels of the bags say.

    Climbs :math:`-\sum_i \lVert x_i - \mu_{a(i)} \rVert^2 / \sum_i \lVert x_i - \bar x \rVert^2 + \alpha` times
    :func:`bag_penalty`: items go, one after another, where it is highest, and means follow after each round, until
    nothing moves. It never falls, and the number of clusters stays or becomes smaller.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Vectors.
    labels : array-like of shape (n,)
        The clusters to begin with.
    bags, bag_labels
        As in :func:`bag_penalty`.
    alpha : float, default=1.0
        Weight of the bags.
    max_iter : int, default=100
        Rounds at most.

    Returns
    -------
    ndarray of shape (n,)
        Clusters, by the numbers given.

    Examples
    --------
    >>> X = [[0.0], [0.4], [0.6], [1.0]]
    >>> refine_with_bags(X, [0, 0, 1, 1], [0, 0, 0, 1], {0: {"a"}, 1: {"b"}}, alpha=2.0)
    array([0, 0, 0, 1])
    """
    vectors = check_array(X, dtype=np.float64)
    found = np.asarray(labels, np.int64).copy()
    k = int(found.max()) + 1
    scale = float(((vectors - vectors.mean(axis=0)) ** 2).sum()) or 1.0
    penalty = _Penalty(np.eye(k)[found], bags, bag_labels)
    for _ in range(max_iter):
        before = found.copy()
        centres = _means(vectors, found, k)
        near = -((vectors[:, None] - centres) ** 2).sum(axis=2) / scale
        for item in range(len(vectors)):
            gain = near[item] - near[item, found[item]] + alpha * penalty.gains(item, found[item])
            best = int(gain.argmax())
            if gain[best] > 1e-12:
                penalty.move(item, int(found[item]), best)
                found[item] = best
        if np.array_equal(before, found):
            break
    else:
        text = f"refine_with_bags stopped at max_iter={max_iter} before it settled: raise max_iter"
        warnings.warn(text, ConvergenceWarning, stacklevel=2)
    return found


def _means(X: Floats, labels: Integers, k: int) -> Floats:
    """Means of the clusters; an empty one is infinitely far."""
    counts = np.bincount(labels, minlength=k)
    sums = np.zeros((k, X.shape[1]))
    np.add.at(sums, labels, X)
    return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], 1e150)


class _Penalty:
    """Σ Ω_L Ω_A - (Σ Ω_L)(Σ Ω_A) / M², which eq. 2.2 comes to, kept up to date while items move."""

    def __init__(self, A: Floats, bags: ArrayLike, bag_labels: BagLabels) -> None:
        read = read_bags(bags, bag_labels, len(A))
        labelled = np.flatnonzero(read.n_labels > 0)
        place = np.full(read.n_bags, -1)
        place[labelled] = np.arange(len(labelled))
        self.bag = place[read.of_item]
        self.Y = read.shares[:, labelled]
        self.m = max(len(labelled), 1)
        self.size = np.bincount(self.bag[self.bag >= 0], minlength=len(labelled))
        H = np.zeros((len(labelled), A.shape[1]))
        inside = self.bag >= 0
        np.add.at(H, self.bag[inside], A[inside] / self.size[self.bag[inside], None])
        self.G, self.total = self.Y @ H, H.sum(axis=0)
        self.like = float((self.Y.sum(axis=1) ** 2).sum()) / self.m**2

    def value(self) -> float:
        """The penalty."""
        return float((self.G**2).sum() - self.like * (self.total**2).sum())

    def gains(self, item: int, old: int) -> Floats:
        """What the penalty gains where an item goes from a cluster to each, (k,)."""
        bag = self.bag[item]
        if bag < 0:
            return np.zeros(len(self.total))
        step, y = 1.0 / self.size[bag], self.Y[:, bag]
        pull = 2.0 * step * (y @ self.G - self.like * self.total)
        gain = pull - pull[old] + 2.0 * step**2 * (float(y @ y) - self.like)
        gain[old] = 0.0
        return np.asarray(gain)

    def move(self, item: int, old: int, new: int) -> None:
        """Take an item from one cluster to another."""
        bag = self.bag[item]
        if bag < 0 or old == new:
            return
        step = 1.0 / self.size[bag]
        for cluster, sign in ((old, -1.0), (new, 1.0)):
            self.G[:, cluster] += sign * step * self.Y[:, bag]
            self.total[cluster] += sign * step
