"""Copies of one picture: the same file twice, and the same picture saved, scaled or lit another way."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.kernels.graphs.union_find import merge_pairs, number_roots
from likewise.kernels.pictures.hamming import pairs_in_runs

__all__ = ["group_equal", "group_near", "near_pairs"]

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint8]
FEW = 1024  # rows that are all compared with all


def near_pairs(fingerprints: npt.ArrayLike, radius: int) -> tuple[Ints, Ints]:
    """Find all pairs of fingerprints that differ in at most ``radius`` bits.

    The bits are dealt to radius + 1 bands, so that two fingerprints within the radius agree in one band at
    least; only those that do are compared.

    - `fingerprints` (n, bytes), uint8: One fingerprint a row.
    - `radius`: The greatest distance, under eight times the number of bytes.
    - Returns `pairs`, ndarray of shape (m, 2): Row numbers i < j, sorted.
    - Returns `distances`, ndarray of shape (m,): Bits in which they differ.

    Notes
    -----
    With b bits in all a band has b / (radius + 1), and of random fingerprints a share of two to the power of
    minus that meet in it: at 256 bits and a radius of 16, one pair in 1,900 is compared. Every pair within
    the radius is given, so n equal rows give n (n − 1) / 2: :func:`group_near` looks at distinct rows only.

    References
    ----------
    M. Norouzi, A. Punjani, D. J. Fleet, "Fast Search in Hamming Space with Multi-Index Hashing", CVPR 2012,
    Proposition 1, with as many bands as make the search in each band one for equality.

    Examples
    --------
    >>> pairs, distances = near_pairs([[0, 0], [255, 255], [1, 0], [0, 0]], radius=1)
    >>> pairs.tolist(), distances.tolist()
    ([[0, 2], [0, 3], [2, 3]], [1, 0, 1])
    """
    rows = _rows(fingerprints)
    if not 0 <= radius < 8 * rows.shape[1]:
        raise ValueError(f"radius must be between 0 and {8 * rows.shape[1] - 1}, got {radius}.")
    if len(rows) <= FEW:
        return _near_of_few(rows, radius)
    words, keys = _words(rows), _bands(rows, radius + 1)
    orders = [np.argsort(keys[:, band], kind="stable") for band in range(radius + 1)]
    room = max(1024, 4 * len(rows))
    while True:
        pairs, distances, count = np.empty((room, 2), np.int64), np.empty(room, np.int64), 0
        for band, order in enumerate(orders):
            count = pairs_in_runs(words, keys, band, order, radius, pairs, distances, count)
        if count <= room:
            break
        room = count
    chosen = np.lexsort((pairs[:count, 1], pairs[:count, 0]))
    return pairs[chosen], distances[chosen]


def _near_of_few(rows: Bits, radius: int) -> tuple[Ints, Ints]:
    """All with all, by a product of their bits: whole numbers, exact whatever the order of the sums."""
    bits = np.unpackbits(rows, axis=1).astype(np.float32)
    ones = bits.sum(axis=1)
    distances = ones[:, None] + ones - 2 * (bits @ bits.T)
    pairs = np.argwhere(np.triu(distances <= radius, 1))
    return pairs, distances[pairs[:, 0], pairs[:, 1]].astype(np.int64)


def group_near(fingerprints: npt.ArrayLike, radius: int) -> list[Ints]:
    """Group what is connected by steps of at most ``radius`` bits.

    - `fingerprints` (n, bytes), uint8: One fingerprint a row.
    - `radius`: The greatest distance of a step.
    - Returns list of ndarray: Row numbers of every group of two or more, sorted; groups in order of their first
      row.

    Examples
    --------
    >>> [group.tolist() for group in group_near([[0], [3], [128], [1]], radius=1)]
    [[0, 1, 2, 3]]
    """
    rows = _rows(fingerprints)
    if len(rows) == 0:
        return []
    words = _words(rows)
    order = np.lexsort(words.T)
    first = np.ones(len(rows), bool)
    first[1:] = (words[order[1:]] != words[order[:-1]]).any(axis=1)
    pairs, _ = near_pairs(rows[order[first]], radius)
    labels = np.empty(len(rows), np.int64)
    labels[order] = number_roots(merge_pairs(int(first.sum()), pairs))[np.cumsum(first) - 1]
    return group_equal(labels)


def group_equal(keys: npt.ArrayLike) -> list[Ints]:
    """Group the entries that are equal.

    - `keys` (n,): What to compare.
    - Returns list of ndarray: Indices of every group of two or more, sorted; groups in order of their first.

    Examples
    --------
    >>> [group.tolist() for group in group_equal([5, 7, 5, 6, 7])]
    [[0, 2], [1, 4]]
    """
    values = np.asarray(keys)
    if len(values) == 0:
        return []
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    order = np.argsort(inverse, kind="stable")
    groups = [group for group in np.split(order, np.cumsum(counts)[:-1]) if len(group) > 1]
    return sorted(groups, key=lambda group: int(group[0]))


def _rows(fingerprints: npt.ArrayLike) -> Bits:
    rows = np.asarray(fingerprints, np.uint8)
    if rows.ndim != 2:
        raise ValueError("fingerprints must be an array of shape (n, bytes).")
    return rows


def _words(rows: Bits) -> npt.NDArray[np.uint64]:
    padded = np.zeros((len(rows), -(-rows.shape[1] // 8) * 8), np.uint8)
    padded[:, : rows.shape[1]] = rows
    return padded.view(np.uint64)


def _bands(rows: Bits, count: int) -> npt.NDArray[np.uint64]:
    """Deal bit k to band k mod count: neighbouring bits are much the same, so a band gets distant ones."""
    keys = np.zeros((len(rows), count), np.uint64)
    for bit in range(8 * rows.shape[1]):
        value = (rows[:, bit // 8] >> np.uint8(7 - bit % 8)) & np.uint8(1)
        band = bit % count
        # A band wider than 64 bits keeps its last 64: its keys then meet too often, never too seldom.
        keys[:, band] = keys[:, band] * np.uint64(2) + value
    return keys
