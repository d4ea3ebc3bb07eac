"""From two labellings to the table of what they share, and to the pairs they agree on."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

Labels: TypeAlias = ArrayLike | Sequence[Hashable]
Counts: TypeAlias = NDArray[np.int64]


class Contingency(NamedTuple):
    """How many items each class shares with each cluster: the cells that are not empty, in order.

    Attributes
    ----------
    classes, clusters : ndarray of shape (cells,)
        Class and cluster of each cell; by class, then by cluster.
    counts : ndarray of shape (cells,)
        Items in it.
    class_sizes, cluster_sizes : ndarray
        Items in each class, and in each cluster.
    """

    classes: Counts
    clusters: Counts
    counts: Counts
    class_sizes: Counts
    cluster_sizes: Counts


class PairCounts(NamedTuple):
    """Pairs of items by what the truth (first letter) and the labels (second) say: Same or Different."""

    SS: int
    SD: int
    DS: int
    DD: int


def number_labels(labels: Labels, *, name: str = "labels") -> NDArray[np.int64]:
    """Labels of any type as integers 0 … K-1, every one of them in use.

    Passing the result instead of strings makes repeated measurements cheaper.

    Parameters
    ----------
    labels : array-like of shape (n,)
        Integers, strings, or anything hashable.
    name : str
        What to call them in an error.

    Examples
    --------
    >>> number_labels(["oak", "elm", "oak"])
    array([0, 1, 0])
    """
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} is empty: there is nothing to measure")
    if array.dtype.kind in "biuf":
        return _number_numbers(array, name)
    # A list is read as it is: numpy would turn [1, "1"] into two equal strings.
    values = array.tolist() if isinstance(labels, np.ndarray) else list(cast(Sequence[Any], labels))
    number: dict[Any, int] = {}
    codes = np.fromiter((number.setdefault(v, len(number)) for v in values), np.int64, array.size)
    if any(isinstance(v, float) and math.isnan(v) for v in number):
        raise ValueError(f"{name} holds NaN")
    return codes


def contingency(truth: Labels, labels: Labels) -> Contingency:
    """Count the items each class of the truth shares with each cluster.

    Parameters
    ----------
    truth, labels : array-like of shape (n,)
        Class and cluster of every item.

    Examples
    --------
    >>> contingency([0, 0, 1], ["a", "b", "b"]).counts
    array([1, 1, 1])
    """
    a, b = number_labels(truth, name="truth"), number_labels(labels)
    if len(a) != len(b):
        raise ValueError(f"truth has {len(a)} items, but labels has {len(b)}")
    classes, clusters, counts = count_cells(a, b)
    return Contingency(classes, clusters, counts, np.bincount(a), np.bincount(b))


def count_pairs(truth: Labels, labels: Labels) -> PairCounts:
    """Pairs of items that are together or separate in the truth and in the labels, as exact integers.

    The letters are in the order of Biswas (eq. 2.4): ``SD`` is same in the truth, different in the
    labels. Xiong et al. (§6.2) have them the other way round.

    Parameters
    ----------
    truth, labels : array-like of shape (n,)
        Class and cluster of every item.

    Examples
    --------
    >>> count_pairs([0, 0, 0, 1], [0, 0, 1, 1])
    PairCounts(SS=1, SD=2, DS=1, DD=2)
    """
    return pairs_of(contingency(truth, labels))


def pairs_of(table: Contingency) -> PairCounts:
    """Pair counts of a contingency table."""
    same = _count_within(table.counts)
    same_truth, same_labels = _count_within(table.class_sizes), _count_within(table.cluster_sizes)
    n = int(table.counts.sum())
    different = n * (n - 1) // 2 - same_truth - same_labels + same
    return PairCounts(same, same_truth - same, same_labels - same, different)


def count_cells(a: Counts, b: Counts) -> tuple[Counts, Counts, Counts]:
    """Distinct pairs (a[i], b[i]) in order and how often each occurs, for codes counted from 0."""
    width = int(b.max()) + 1
    joint = a * width + b
    n_cells = (int(a.max()) + 1) * width
    if n_cells <= 4 * len(a) + 1024:  # counting beats sorting only while the table is about as small as n
        dense = np.bincount(joint, minlength=n_cells)
        cells = np.flatnonzero(dense)
        counts = dense[cells]
    else:
        cells, counts = np.unique(joint, return_counts=True)
    return cells // width, cells % width, counts


def _number_numbers(array: NDArray[Any], name: str) -> Counts:
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"{name} holds NaN")
    low, high = array.min(), array.max()
    if array.dtype.kind == "f" or int(high) - int(low) > 4 * array.size + 1024:
        return np.unique(array, return_inverse=True)[1].astype(np.int64, copy=False)
    codes = (array - low if array.dtype == np.uint64 else array.astype(np.int64) - int(low)).astype(np.int64)
    used = np.bincount(codes) > 0
    return codes if used.all() else (np.cumsum(used) - 1)[codes]


def _count_within(sizes: Counts) -> int:
    return (int(np.dot(sizes, sizes)) - int(sizes.sum())) // 2
