"""Vectors as the engine and the page look at them: of length 1, in few dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

Floats: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = Callable[[NDArray[np.int64]], NDArray[Any]]  # gives the rows at these places

DIMENSIONS = 64
MOST_FITTED = 4096  # rows, evenly taken, that the main axes are found from
BLOCK = 4096  # rows that are read at once


class Reduction(NamedTuple):
    """Rows scaled to length 1 and turned to their main axes.

    - `centre` (d,): Mean of the rows.
    - `axes` (d, k): The main axes; None where the rows are short enough as they are.

    Examples
    --------
    >>> rows = np.array([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 1.0, 0.0]])
    >>> Reduction.of(rows, 1).apply([[0.0, 0.0, 5.0]]).round(3).tolist()
    [[0.236]]
    """

    centre: Floats
    axes: Floats | None

    @classmethod
    def of(cls, rows: Any, dimensions: int) -> Reduction:
        """The main axes of rows, at most so many.

        Signs are fixed, so that the same rows give the same vectors on any machine.
        """
        X = _directions(rows)
        if X.shape[1] <= dimensions or len(X) < 2:
            return cls(np.zeros(X.shape[1]), None)
        centre = X.mean(axis=0)
        X -= centre
        few = len(X) <= X.shape[1]  # then products of rows are the smaller matrix
        products = X @ X.T if few else X.T @ X
        size = len(products)
        values, axes = eigh(products, subset_by_index=[max(0, size - dimensions), size - 1])
        values, axes = values[::-1].clip(0), axes[:, ::-1]
        if few:
            axes = X.T @ axes / np.sqrt(np.where(values > values[0] * 1e-12, values, np.inf))
        largest = np.abs(axes).argmax(axis=0)
        return cls(centre, axes * np.where(axes[largest, np.arange(axes.shape[1])] < 0, -1.0, 1.0))

    def apply(self, rows: Any) -> Floats:
        """Rows as the engine takes them."""
        X = _directions(rows)
        return X if self.axes is None else (X - self.centre) @ self.axes

    def apply_to_many(self, read: Rows, n: int) -> NDArray[np.float32]:
        """The same for n rows that are read in parts."""
        starts = range(0, max(n, 1), BLOCK)
        return np.concatenate([self.apply(read(np.arange(k, min(k + BLOCK, n)))).astype(np.float32) for k in starts])


def reduce_vectors(rows: Any, dimensions: int) -> Floats:
    """Rows scaled to length 1 and turned to their main axes: at most so many dimensions.

    Examples
    --------
    >>> reduce_vectors([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 1.0, 0.0]], 1).round(3).tolist()
    [[0.943], [-0.471], [-0.471]]
    """
    return Reduction.of(rows, dimensions).apply(rows)


def reduction_of_many(read: Rows, n: int, dimensions: int) -> Reduction:
    """The main axes of n rows that are read in parts; of many, those of an even choice of them."""
    some = np.unique(np.linspace(0, max(n - 1, 0), min(n, MOST_FITTED)).astype(np.int64))
    return Reduction.of(read(some), dimensions)


def _directions(rows: Any) -> Floats:
    X = np.asarray(rows, np.float64)
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    return np.asarray(X / np.where(lengths > 0, lengths, 1.0))
