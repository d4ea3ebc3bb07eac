"""Vectors as the engine and the page look at them: of length 1, in few dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

DIMENSIONS = 64


def reduce_vectors(rows: Any, dimensions: int) -> NDArray[np.float64]:
    """Rows scaled to length 1 and turned to their main axes: at most so many dimensions.

    Signs are fixed, so that the same rows give the same vectors on any machine.

    Examples
    --------
    >>> reduce_vectors([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 1.0, 0.0]], 1).round(3).tolist()
    [[0.943], [-0.471], [-0.471]]
    """
    X = np.asarray(rows, np.float64)
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    X = X / np.where(lengths > 0, lengths, 1.0)
    if X.shape[1] <= dimensions or len(X) < 2:
        return X
    X = X - X.mean(axis=0)
    few = len(X) <= X.shape[1]  # then products of rows are the smaller matrix, and give the result at once
    products = X @ X.T if few else X.T @ X
    size = len(products)
    values, axes = eigh(products, subset_by_index=[max(0, size - dimensions), size - 1])
    axes = axes[:, ::-1]
    reduced: NDArray[np.float64] = axes * np.sqrt(values[::-1].clip(0)) if few else X @ axes
    largest = np.abs(reduced).argmax(axis=0)
    reduced *= np.where(reduced[largest, np.arange(reduced.shape[1])] < 0, -1.0, 1.0)
    return reduced
