"""How far sets of items are from each other: from vectors without a matrix, or from a matrix of distances."""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.graphs.cluster_values import find_medoids
from likewise.kernels.graphs.label_lists import LabelLists, items_with, move_items
from likewise.kernels.graphs.tree_cuts import sum_distances
from likewise.kernels.metric.centres import describe_some, mean_gaps, merge_sets

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_TURNED = 512  # dimensions up to which axes are computed


class Sets(Protocol):
    """Disjoint sets of items, numbered; two of them can be made one.

    - `sizes` (K,): Number of items.
    """

    sizes: Floats

    def distances(self, a: Any, b: Any) -> Floats:
        """Mean distance between sets a and b, (m,) each."""

    def merge(self, a: int, b: int) -> None:
        """Make b a part of a."""

    def copy(self) -> Sets:
        """The same, to be merged independently."""


class ChangingSets(Protocol):
    """Sets of items that change from time to time, each known by a label below n.

    - `sizes` (n,): Number of items, by label; 0 where there is no such set.
    - `ids` (K,): The labels of the sets, rising.
    - `centrality` (n,): Of every item, how far it is from its set; lowest for the most central one.
    - `medoids` (n,): The most central item, ties to the lower one, by label; -1 where there is no such set.
    - `changed` (n,): Whether a set is another one since the last update, by label.
    """

    sizes: Floats
    ids: Integers
    centrality: Floats
    medoids: Integers
    changed: NDArray[np.bool_]

    def update(self, labels: Integers, among: Integers | None = None) -> None:
        """Be the sets of items with equal labels; only those of the items `among`, if given, may have changed."""

    def items(self, labels: Integers) -> Integers:
        """The items of the sets with these labels, set by set, those of a set rising."""

    def distances(self, a: Integers, b: Integers) -> Floats:
        """Mean distance between the sets labelled a and b, (m,) each."""

    def take(self, labels: Integers) -> Sets:
        """Those with these labels, as sets that are numbered in this order."""


class Geometry(Protocol):
    """Items and how far they are from each other.

    - `points`: For the kernels: vectors (n, d) float32, or distances (n, n) float32.
    - `given`: Whether `points` holds distances.
    """

    points: NDArray[np.float32]
    given: bool

    def between(self, left: Integers, right: Integers) -> Floats:
        """Distances of some items to others, (l, r)."""

    def pairs(self, left: Integers, right: Integers) -> Floats:
        """Distances of items to items, pair by pair, (m,)."""

    def sets(self, labels: Integers, n_sets: int) -> Sets:
        """The sets of items with equal labels 0 … n_sets - 1."""

    def clusters(self) -> ChangingSets:
        """Sets that change, none at first."""

    def centrality(self, items: Integers) -> Floats:
        """Of items that are taken for a set, how far each is from it."""


class VectorSets:
    """Sets of vectors by their sizes (K,), means and variances (K, d)."""

    def __init__(self, sizes: Floats, means: Floats, variances: Floats) -> None:
        self.sizes, self.means, self.variances = sizes, means, variances

    def distances(self, a: Any, b: Any) -> Floats:
        """Mean distance between sets a and b, (m,) each."""
        left, right = np.broadcast_arrays(np.asarray(a, np.int64), np.asarray(b, np.int64))
        return np.asarray(mean_gaps(self.means, self.variances, left.ravel(), right.ravel())).reshape(left.shape)

    def merge(self, a: int, b: int) -> None:
        """Make b a part of a."""
        merge_sets(self.means, self.variances, self.sizes, a, b)

    def copy(self) -> VectorSets:
        """The same, to be merged independently."""
        return VectorSets(self.sizes.copy(), self.means.copy(), self.variances.copy())


class VectorClusters:
    """See :class:`ChangingSets`; only what changed is computed anew, from all its items."""

    def __init__(self, points: NDArray[np.float32]) -> None:
        n, d = points.shape
        self._points = points
        self._lists = LabelLists(np.full(n, -1), np.zeros(n), np.full(n, -1), np.full(n, -1), np.full(n, -1))
        self._changed_ids = np.empty(0, np.int64)
        self._slot = np.full(n, -1)
        self._free: list[int] = []
        self._means, self._variances = np.zeros((0, d)), np.zeros((0, d))
        self.sizes, self.medoids, self.ids = self._lists.sizes, np.full(n, -1), np.empty(0, np.int64)
        self.centrality, self.changed = np.zeros(n), np.zeros(n, bool)

    def update(self, labels: Integers, among: Integers | None = None) -> None:
        """Be the sets of items with equal labels; only those of the items `among`, if given, may have changed."""
        if among is None:
            moved = np.flatnonzero(labels != self._lists.labels)
        else:
            moved = among[labels[among] != self._lists.labels[among]]
        self.changed[self._changed_ids] = False
        ids = np.unique(np.concatenate([self._lists.labels[moved], labels[moved]]))
        self._changed_ids = ids[ids >= 0]
        self.changed[self._changed_ids] = True
        move_items(self._lists, moved, labels)
        there = self._give_slots(self._changed_ids)
        what = self._slot, self._means, self._variances, self.centrality, self.medoids
        describe_some(self._points, self.items(there), self._lists.labels, *what)

    def items(self, labels: Integers) -> Integers:
        """The items of the sets with these labels, set by set, those of a set rising."""
        return np.asarray(items_with(self._lists, labels))

    def distances(self, a: Integers, b: Integers) -> Floats:
        """Mean distance between the sets labelled a and b, (m,) each."""
        return np.asarray(mean_gaps(self._means, self._variances, self._slot[a], self._slot[b]))

    def take(self, labels: Integers) -> VectorSets:
        """Those with these labels, as sets that are numbered in this order."""
        at = self._slot[labels]
        return VectorSets(self.sizes[labels], self._means[at], self._variances[at])

    def _give_slots(self, ids: Integers) -> Integers:
        """Give a row to each of some sets that is new, and take those of the sets that are no more; which are there."""
        there = self.sizes[ids] > 0
        gone = ids[~there & (self._slot[ids] >= 0)]
        self._free += self._slot[gone].tolist()
        self._slot[gone] = -1
        self.medoids[gone] = -1
        new = ids[there & (self._slot[ids] < 0)]
        missing = len(new) - len(self._free)
        if missing > 0:
            n_rows = len(self._means)
            more = max(missing, n_rows // 2)
            self._means, self._variances = (
                np.concatenate([rows, np.zeros((more, rows.shape[1]))]) for rows in (self._means, self._variances)
            )
            self._free += range(n_rows, n_rows + more)
        self._slot[new] = [self._free.pop() for _ in range(len(new))]
        left = np.delete(self.ids, np.searchsorted(self.ids, gone))
        self.ids = np.insert(left, np.searchsorted(left, new), new)
        return ids[there]


class VectorGeometry:
    """Vectors with the Euclidean distance; O(n d) for any sets. See :class:`Geometry`."""

    given = False

    def __init__(self, X: NDArray[Any]) -> None:
        self._rotation = Rotation.of(X)
        self.points = self._rotation.apply(X)

    @property
    def n_columns(self) -> int:
        """Number of columns of the vectors as they were given."""
        return len(self._rotation.centre)

    def with_more(self, X: NDArray[Any]) -> VectorGeometry:
        """These vectors and others, turned in the same way."""
        other = copy(self)
        other.points = np.concatenate([self.points, self._rotation.apply(X)])
        return other

    def between(self, left: Integers, right: Integers) -> Floats:
        """Distances of some items to others, (l, r)."""
        gaps = self.points[left].astype(np.float64)[:, None] - self.points[right]
        return np.asarray(np.sqrt(np.einsum("lrd,lrd->lr", gaps, gaps)))

    def pairs(self, left: Integers, right: Integers) -> Floats:
        """Distances of items to items, pair by pair, (m,)."""
        gaps = self.points[left].astype(np.float64) - self.points[right]
        return np.asarray(np.sqrt(np.einsum("md,md->m", gaps, gaps)))

    def sets(self, labels: Integers, n_sets: int) -> VectorSets:
        """The sets of items with equal labels 0 … n_sets - 1."""
        clusters = self.clusters()
        clusters.update(labels)
        return clusters.take(np.arange(n_sets))

    def clusters(self) -> VectorClusters:
        """Sets that change, none at first."""
        return VectorClusters(self.points)

    def centrality(self, items: Integers) -> Floats:
        """Of items that are taken for a set, how far each is from it."""
        some = self.points[items].astype(np.float64)
        some -= some.mean(axis=0)
        return np.asarray(np.einsum("md,md->m", some, some))


class MatrixSets:
    """Sets of items by the sums of distances between them."""

    def __init__(self, sizes: Floats, sums: Floats) -> None:
        self.sizes, self.sums = sizes, sums

    def distances(self, a: Any, b: Any) -> Floats:
        """Mean distance between sets a and b, (m,) each."""
        return np.asarray(self.sums[a, b] / (self.sizes[a] * self.sizes[b]))

    def merge(self, a: int, b: int) -> None:
        """Make b a part of a."""
        self.sums[a] += self.sums[b]
        self.sums[:, a] += self.sums[:, b]
        self.sizes[a] += self.sizes[b]

    def copy(self) -> MatrixSets:
        """The same, to be merged independently."""
        return MatrixSets(self.sizes.copy(), self.sums.copy())


class MatrixClusters:
    """See :class:`ChangingSets`; all is computed anew, in O(n²)."""

    def __init__(self, D: NDArray[np.float32]) -> None:
        self._D, self._labels = D, np.full(len(D), -1)
        self.sizes, self.centrality, self.changed = np.zeros(len(D)), np.zeros(len(D)), np.zeros(len(D), bool)
        self.medoids, self.ids = np.full(len(D), -1), np.empty(0, np.int64)

    def update(self, labels: Integers, among: Integers | None = None) -> None:
        """Be the sets of items with equal labels."""
        self.changed[:] = False
        if (labels != self._labels).any():
            self.changed[:] = True
            self._labels = labels.copy()
            self._kept, numbers = np.unique(labels, return_inverse=True)
            self._sums, self.centrality = sum_distances(self._D, numbers.astype(np.int64), len(self._kept))
            self.sizes, self.ids = np.bincount(labels, minlength=len(labels)).astype(np.float64), self._kept
            self.medoids = find_medoids(labels, self.centrality)

    def items(self, labels: Integers) -> Integers:
        """The items of the sets with these labels, set by set, those of a set rising."""
        nothing = np.empty(0, np.int64)
        return np.concatenate([nothing, *(np.flatnonzero(self._labels == label) for label in labels.tolist())])

    def distances(self, a: Integers, b: Integers) -> Floats:
        """Mean distance between the sets labelled a and b, (m,) each."""
        sums = self._sums[np.searchsorted(self._kept, a), np.searchsorted(self._kept, b)]
        return np.asarray(sums / (self.sizes[a] * self.sizes[b]))

    def take(self, labels: Integers) -> MatrixSets:
        """Those with these labels, as sets that are numbered in this order."""
        at = np.searchsorted(self._kept, labels)
        return MatrixSets(self.sizes[labels], self._sums[np.ix_(at, at)])


class MatrixGeometry:
    """Distances between all items; O(n²) for any sets. See :class:`Geometry`."""

    given = True

    def __init__(self, D: NDArray[Any]) -> None:
        self.points = np.ascontiguousarray(D, np.float32)

    def between(self, left: Integers, right: Integers) -> Floats:
        """Distances of some items to others, (l, r)."""
        return self.points[np.ix_(left, right)].astype(np.float64)

    def pairs(self, left: Integers, right: Integers) -> Floats:
        """Distances of items to items, pair by pair, (m,)."""
        return self.points[left, right].astype(np.float64)

    def sets(self, labels: Integers, n_sets: int) -> MatrixSets:
        """The sets of items with equal labels 0 … n_sets - 1."""
        clusters = self.clusters()
        clusters.update(labels)
        return clusters.take(np.arange(n_sets))

    def clusters(self) -> MatrixClusters:
        """Sets that change, none at first."""
        return MatrixClusters(self.points)

    def centrality(self, items: Integers) -> Floats:
        """Of items that are taken for a set, how far each is from it."""
        return np.asarray(self.points[np.ix_(items, items)].sum(axis=1, dtype=np.float64))


class Rotation(NamedTuple):
    """Centre (d,) and, if vectors are not too long, axes (d, d) along which they are not correlated.

    No distance changes by it.
    """

    centre: Floats
    axes: Floats | None

    @classmethod
    def of(cls, X: NDArray[Any]) -> Rotation:
        """That of vectors (n, d)."""
        centre = X.mean(axis=0, dtype=np.float64)
        if X.shape[1] > MOST_TURNED:
            return cls(centre, None)
        centred = X - centre
        return cls(centre, np.linalg.eigh(centred.T @ centred)[1])

    def apply(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Vectors centred and turned."""
        centred = X - self.centre
        return np.ascontiguousarray(centred if self.axes is None else centred @ self.axes, np.float32)
