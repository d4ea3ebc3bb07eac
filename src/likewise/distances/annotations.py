"""What annotators did with a few items, keywords or groups, as similarities between the items."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.distances.memory import require_square

Hits: TypeAlias = Iterable[tuple[Hashable, int, Hashable]]
"""(hit, item, mark): in one hit a person gave an item a keyword, or put it into a group."""


def hit_similarity(hits: Hits, n: int) -> NDArray[np.float64]:
    """Average over the hits of "these two items share a mark", NaN where no hit had both.

    Parameters
    ----------
    hits : iterable of (hit, item, mark)
        One row a keyword, or a group, that a person gave to an item; a hit is what one person did in one sitting. An
        item with several keywords has several rows; one with none at all has a row whose mark is None.
    n : int
        Number of items.

    Returns
    -------
    ndarray of shape (n, n)
        Symmetric, with values in [0, 1] and 1 on the diagonal of annotated items.

    References
    ----------
    J. Yi et al., *Semi-Crowdsourced Clustering*, NIPS 2012, §2.1.

    Examples
    --------
    >>> hit_similarity([("h", 0, "cat"), ("h", 1, "cat"), ("h", 1, "grass"), ("h", 2, "car")], 4)
    array([[ 1.,  1.,  0., nan],
           [ 1.,  1.,  0., nan],
           [ 0.,  0.,  1., nan],
           [nan, nan, nan, nan]])
    """
    marks: dict[Hashable, dict[int, set[Hashable]]] = {}
    for hit, item, mark in hits:
        if not 0 <= int(item) < n:
            raise ValueError(f"hits name item {item}, but there are {n} items (0 to {n - 1})")
        given = marks.setdefault(hit, {}).setdefault(int(item), set())
        if mark is not None:
            given.add(mark)
    require_square(n, 3, "similarities from what people grouped", "take those items only that somebody annotated")
    shared, seen = np.zeros((n, n)), np.zeros((n, n))
    for by_item in marks.values():
        items = np.array(list(by_item))
        number: dict[Hashable, int] = {}
        cells = [
            (row, number.setdefault(mark, len(number)))
            for row, item in enumerate(by_item)
            for mark in sorted(by_item[item], key=str)
        ]
        has = np.zeros((len(items), max(len(number), 1)))
        for row, column in cells:
            has[row, column] = 1.0
        both = np.ix_(items, items)
        shared[both] += np.maximum(has @ has.T > 0, np.eye(len(items)))
        seen[both] += 1.0
    with np.errstate(invalid="ignore"):
        return shared / seen
