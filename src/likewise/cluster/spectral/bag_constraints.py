"""Constraints on pairs of items that follow from the labels of their bags."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.cluster.spectral.signed_graph import Matrix
from likewise.distances.memory import require_memory, require_square

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Bags:
    """Items in bags, and classes of bags.

    - `of_item` (n,): Bag of every item.
    - `has` (c, m): Whether class c is among the labels of bag m; no class for a bag that has no labels.
    """

    of_item: Integers
    has: NDArray[np.bool_]

    @property
    def n_bags(self) -> int:
        """Number of bags, with and without labels."""
        return int(self.has.shape[1])

    @property
    def n_labels(self) -> Integers:
        """Number of labels of every bag, (m,)."""
        return np.asarray(self.has.sum(axis=0))

    @property
    def shares(self) -> Floats:
        """Y, (c, m): one over the number of labels of the bag for each of them, 0 elsewhere."""
        return self.has / np.maximum(self.n_labels, 1)

    @property
    def mu(self) -> float:
        """Mean entry of YᵀY (eq. 2.12)."""
        total = self.shares.sum(axis=1)
        return float(total @ total) / max(self.n_bags, 1) ** 2

    def settled_pairs(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Table 2.1 for pairs of bags, (m, m) each: the same single label, and labels of which none is shared."""
        common = self.has.T.astype(np.int64) @ self.has.astype(np.int64)
        labelled, single = self.n_labels > 0, self.n_labels == 1
        return (common == 1) & single & single[:, None], (common == 0) & labelled & labelled[:, None]

    def sum_items(self, V: Floats) -> Floats:
        """Bᵀ V: sums over the items of every bag, for V of shape (n,) or (n, k)."""
        out = np.zeros((self.n_bags, *V.shape[1:]))
        np.add.at(out, self.of_item, V)
        return out

    def apply(self, V: Floats, *, with_links: bool = True) -> Floats:
        """Q V with Q = B (YᵀY - μ I) Bᵀ (eq. 2.12), Q never being formed. O((n + c m) k).

        - `V` (n,) or (n, k): What is multiplied.
        - `with_links`: False leaves out the entries that are must-links (Table 2.1); those of cannot-links are 0
          anyway.
        """
        sums = self.sum_items(V)
        bags = self.shares.T @ (self.shares @ sums) - self.mu * sums
        if not with_links:
            single = self.has & (self.n_labels == 1)
            only = single.any(axis=0).astype(np.float64).reshape(-1, *[1] * (V.ndim - 1))
            bags -= single.T.astype(np.float64) @ (single @ sums) - self.mu * only * sums
        return np.asarray(bags[self.of_item])


def read_bags(bags: ArrayLike, bag_labels: Mapping[Any, Iterable[Hashable]] | None, n: int) -> Bags:
    """Bags as arrays.

    - `bags` (n,): The bag of every item, by any name.
    - `bag_labels`, mapping of bag to labels: Labels of the bags that have some; a bag that is not in it, or has
      none, is unlabelled.
    - `n`: Number of items.
    """
    names = np.asarray(bags)
    if names.shape != (n,):
        raise ValueError(f"bags names the bag of each of {n} items, got shape {names.shape}")
    seen, of_item = np.unique(names, return_inverse=True)
    number = {name: k for k, name in enumerate(seen.tolist())}
    labels = {name: set(kinds) for name, kinds in (bag_labels or {}).items()}
    missing = [name for name in labels if name not in number]
    if missing:
        raise ValueError(f"bag_labels names a bag that holds no item: {missing[0]!r}")
    classes: dict[Hashable, int] = {}
    for name in number:
        for kind in sorted(labels.get(name, ()), key=repr):
            classes.setdefault(kind, len(classes))
    has = np.zeros((len(classes), len(seen)), bool)
    for name, kinds in labels.items():
        has[[classes[kind] for kind in kinds], number[name]] = True
    return Bags(of_item.astype(np.int64), has)


def bag_links(
    bags: ArrayLike, bag_labels: Mapping[Any, Iterable[Hashable]], *, must_link: bool = True
) -> tuple[Integers, Integers]:
    """Pairs of items that the labels of their bags settle: (must_link, cannot_link), each (m, 2), i < j.

    Parameters
    ----------
    bags : array-like of shape (n,)
        The bag of every item.
    bag_labels : mapping of bag to labels
        Labels of the bags that have some.
    must_link : bool
        Whether classes are clusters, so that items of one class are the same; False where a class may
        have several clusters (K > C).

    References
    ----------
    Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, 2017, Table 2.1.

    Examples
    --------
    >>> same, different = bag_links(["x", "x", "y", "z"], {"x": {"a"}, "y": {"a", "b"}, "z": {"b"}})
    >>> same.tolist(), different.tolist()
    ([[0, 1]], [[0, 3], [1, 3]])
    """
    n = len(np.asarray(bags))
    read = read_bags(bags, bag_labels, n)
    one_class, disjoint = read.settled_pairs()
    require_square(n, 5, "all pairs of bag_links", "give the bags to BagSpectral, which does not list them")
    i, j = np.triu_indices(n, 1)
    left, right = read.of_item[i], read.of_item[j]
    pairs = np.column_stack([i, j]).astype(np.int64)
    same = pairs[one_class[left, right]] if must_link else np.empty((0, 2), np.int64)
    return same, pairs[disjoint[left, right]]


def write_bag_links(W: Matrix, bags: Bags, *, must_link: bool) -> Matrix:
    """Affinities with 1 for the must-links and 0 for the cannot-links of the labels; on a sparse W never all pairs.

    - `W`, ndarray or csr_array of shape (n, n): Symmetric affinities.
    - `bags`: Bags and their labels.
    - `must_link`: Whether must-links are written too.
    """
    from scipy.sparse import coo_array

    one_class, disjoint = bags.settled_pairs()
    of_item = bags.of_item
    if isinstance(W, np.ndarray):
        cells = np.ix_(of_item, of_item)
        kept = np.where(disjoint[cells], 0.0, W)
        return np.where(one_class[cells], 1.0, kept) if must_link else kept
    entries = W.tocoo()
    rows, columns = entries.coords
    left, right = of_item[rows], of_item[columns]
    kept = ~disjoint[left, right] & ~(must_link & one_class[left, right])
    rows, columns, data = rows[kept], columns[kept], entries.data[kept]
    if must_link and one_class.any():
        i, j = _pairs_within(np.where(bags.n_labels == 1, bags.has.argmax(axis=0), -1)[of_item])
        rows, columns = np.concatenate([rows, i]), np.concatenate([columns, j])
        data = np.concatenate([data, np.ones(len(i))])
    return coo_array((data, (rows, columns)), shape=W.shape).tocsr()


def _pairs_within(group: Integers) -> tuple[Integers, Integers]:
    """All ordered pairs of items of one group, an item with itself among them; -1 is no group."""
    sizes = np.bincount(group[group >= 0])
    require_memory(int(48 * (sizes**2).sum()), "the must-links of single labels", 'use write_links="cannot"')
    inside = [np.flatnonzero(group == g) for g in np.flatnonzero(sizes)]
    nothing = [np.empty(0, np.int64)]
    i = np.concatenate(nothing + [np.repeat(items, len(items)) for items in inside])
    return i, np.concatenate(nothing + [np.tile(items, len(items)) for items in inside])
