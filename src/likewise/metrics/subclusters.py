"""How good a few examples of every class are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.metrics.tables import Labels, count_cells, number_labels


def subclustering_jaccard(truth: Labels, subclusters: ArrayLike | Sequence[ArrayLike]) -> float:
    """Subclustering Jaccard's coefficient (SJC): are the classes covered, and by pure subclusters?

    Each class is represented by the subcluster that holds most of it, provided more than half of that
    subcluster is of the class, and scores the share of the subcluster's pairs that are pairs of the
    class; the mean is over the classes of the truth. A class nobody represents scores 0, a class
    represented by a subcluster of one item 1.

    Subclusters may differ in size: then only those more than half of the class compete, and among
    equals the smallest counts. They may overlap; an empty one represents nothing.

    Biswas (§4.4, eq. 4.4). K is the number of classes, whatever the number of subclusters.

    Parameters
    ----------
    truth : array-like of shape (n,)
        Class of every item.
    subclusters : array-like of shape (K, size), or a sequence of index sequences
        Indices of the items of each subcluster, none twice in the same one.

    Examples
    --------
    >>> subclustering_jaccard([0, 0, 0, 1, 1, 1], [[0, 1, 2], [3, 4, 0]])
    0.6666666666666666
    """
    classes = number_labels(truth, name="truth")
    members = [_check_members(s, len(classes), k) for k, s in enumerate(subclusters)]  # type: ignore[arg-type]
    sizes = np.array([len(m) for m in members], np.int64)
    n_classes = int(classes.max()) + 1
    if not sizes.sum():
        return 0.0
    owner = np.repeat(np.arange(len(members)), sizes)
    of_class, cluster, count = count_cells(classes[np.concatenate(members)], owner)
    pure = 2 * count > sizes[cluster]
    of_class, size, count = of_class[pure], sizes[cluster[pure]], count[pure]
    order = np.lexsort((size, -count, of_class))
    best = order[np.unique(of_class[order], return_index=True)[1]]
    n_pairs = np.maximum(size[best] * (size[best] - 1), 1)
    share = np.where(size[best] == 1, 1.0, count[best] * (count[best] - 1) / n_pairs)
    return float(share.sum()) / n_classes


def _check_members(subcluster: ArrayLike, n: int, k: int) -> NDArray[np.int64]:
    members = np.asarray(subcluster)
    if members.ndim != 1:
        raise ValueError(f"subcluster {k} must be a sequence of indices, got shape {members.shape}")
    if members.size == 0:
        return np.empty(0, np.int64)
    if members.dtype.kind not in "iu":
        raise ValueError(f"subcluster {k} must hold integer indices, got {members.dtype}")
    if members.min() < 0 or members.max() >= n:
        wrong = members[(members < 0) | (members >= n)][0]
        raise ValueError(f"subcluster {k} holds index {wrong}, but there are {n} items")
    if len(np.unique(members)) < len(members):
        raise ValueError(f"subcluster {k} holds an item twice")
    return members.astype(np.int64)
