"""Pairs of indices as they come in: lists, arrays, tables, labels."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Pairs: TypeAlias = NDArray[np.int64]


def as_whole(value: Any, what: str) -> int:
    """A whole number; a bool, a float or anything else is refused.

    Parameters
    ----------
    value : object
        The number.
    what : str
        Its name in the error message.

    Examples
    --------
    >>> as_whole(np.int8(3), "n")
    3
    """
    try:
        if not isinstance(value, bool | np.bool_):
            return operator.index(value)
    except TypeError:
        pass
    raise ValueError(f"{what} must be a whole number, got {value!r}")


def as_pairs(pairs: ArrayLike | Iterable[Any] | None, n: int, name: str = "pairs") -> Pairs:
    """Check pairs of indices and return them as an (m, 2) int64 array.

    Parameters
    ----------
    pairs : array-like or table of shape (m, 2), or None
        Pairs of indices into n items. The columns of a pandas or Polars table are the two ends.
    n : int
        Number of items.
    name : str
        Name of the pairs in error messages.

    Examples
    --------
    >>> as_pairs([(0, 1)], 3)
    array([[0, 1]])
    """
    if pairs is None:
        return np.empty((0, 2), np.int64)
    # a table is an array by itself; going through it gives the names of its columns, or the columns
    is_array = hasattr(pairs, "__array__")
    array = np.asarray(pairs if is_array else list(pairs))  # type: ignore[arg-type]
    if array.size == 0:
        return np.empty((0, 2), np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"{name} must be of shape (m, 2), got {array.shape}")
    if array.dtype.kind not in "iu":
        whole = array.dtype.kind == "f" and bool(np.all(array == np.floor(array)))
        if not whole:
            raise ValueError(f"{name} must be integer indices, got {array.dtype}")
    array = array.astype(np.int64)
    outside = (array < 0) | (array >= n)
    if outside.any():
        raise ValueError(f"{name} holds index {array[outside][0]}, but there are {n} items (0 to {n - 1})")
    if (array[:, 0] == array[:, 1]).any():
        i = array[array[:, 0] == array[:, 1]][0, 0]
        raise ValueError(f"{name} pairs item {i} with itself")
    return array


def links_of_labels(labels: ArrayLike) -> tuple[int, Pairs, Pairs]:
    """The number of items, and the fewest must-links and cannot-links from which all follows that labels say.

    Parameters
    ----------
    labels : array-like of shape (n,)
        Label of every item; -1, NaN or None where none is known.

    Examples
    --------
    >>> n, must_link, cannot_link = links_of_labels(["a", None, "a", "b"])
    >>> n, must_link.tolist(), cannot_link.tolist()
    (4, [[0, 2]], [[0, 3]])
    """
    array = np.asarray(labels, object)  # among texts, NaN would become one
    if array.ndim != 1:
        raise ValueError(f"labels must be of shape (n,), got {array.shape}")
    first: dict[Any, int] = {}
    must = []
    for i, label in enumerate(array.tolist()):
        if label is None or label == -1 or label != label:
            continue
        start = first.setdefault(label, i)
        if start != i:
            must.append((start, i))
    starts = list(first.values())
    cannot = [(i, j) for k, i in enumerate(starts) for j in starts[k + 1 :]]
    return len(array), as_pairs(must, len(array)), as_pairs(cannot, len(array))
