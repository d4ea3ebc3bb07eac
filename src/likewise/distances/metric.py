"""From the name of a distance to the vectors and the kernel that compute it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.kernels.metric.distances import CHI2, EUCLIDEAN, ROBUST, SQEUCLIDEAN

Metric: TypeAlias = str | Callable[[Any, Any], float]
Floats: TypeAlias = NDArray[np.float64] | NDArray[np.float32]

KINDS = {"chi2": CHI2, "cosine": SQEUCLIDEAN, "euclidean": EUCLIDEAN, "robust": ROBUST}
"""Distances with a kernel. The cosine distance is a squared Euclidean one between directions."""

LARGEST = 1e150
"""Beyond it squares may overflow."""


class Prepared(NamedTuple):
    """Vectors ready for a kernel: A (n, d), B (m, d) or None for A itself, and the kind of distance."""

    A: Floats
    B: Floats | None
    kind: int


def prepare(X: ArrayLike, Y: ArrayLike | None, metric: str) -> Prepared:
    """Check vectors and bring them into the form in which their distance is computed.

    - `X`, `Y` (n, d) and (m, d): Vectors; Y may be None.
    - `metric`, "chi2", "cosine", "euclidean" or "robust": The distance.
    """
    if metric not in KINDS:
        names = ", ".join(repr(name) for name in sorted([*KINDS, "precomputed"]))
        raise ValueError(f"metric must be one of {names}, another of scikit-learn's or callable, got {metric!r}")
    A, B = check_vectors(X, Y)
    if metric == "cosine":
        A, B = _as_directions(A, B)
    elif max(float(np.abs(V).max()) for V in (A, B) if V is not None) > LARGEST:
        raise ValueError(f"values beyond {LARGEST:g} cannot be squared: scale the vectors down")
    if metric == "chi2" and any(V.min() < 0 for V in (A, B) if V is not None):
        raise ValueError("chi2 compares histograms: there must be no negative values")
    return Prepared(A, B, KINDS[metric])


def check_vectors(X: ArrayLike, Y: ArrayLike | None) -> tuple[Floats, Floats | None]:
    """Finite two-dimensional arrays with as many columns, in memory row by row, float32 if both are."""
    from sklearn.utils import check_array

    accepted = [np.float64, np.float32]
    A: Floats = check_array(X, dtype=accepted, order="C", input_name="X")
    if Y is None:
        return A, None
    B: Floats = check_array(Y, dtype=accepted, order="C", input_name="Y")
    if A.shape[1] != B.shape[1]:
        raise ValueError(f"X has {A.shape[1]} columns, but Y has {B.shape[1]}")
    if A.dtype != B.dtype:
        return A.astype(np.float64), B.astype(np.float64)
    return A, B


def _as_directions(A: Floats, B: Floats | None) -> tuple[Floats, Floats | None]:
    """Rows of length √½, between which the squared Euclidean distance is 1 - cos.

    A row of zeros has no direction: it gets one of its own, at right angles to all others.
    """
    scaled = [None if V is None else _normalise(V) for V in (A, B)]
    if any(V is not None and not V.any(axis=1).all() for V in scaled):
        scaled = [V if V is None else np.column_stack([V, ~V.any(axis=1) * np.sqrt(0.5)]) for V in scaled]
    first, second = scaled
    assert first is not None
    return first, second


def _normalise(vectors: Floats) -> NDArray[np.float64]:
    V = vectors.astype(np.float64)
    V /= np.maximum(np.abs(V).max(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    lengths = np.sqrt(np.sum(V * V, axis=1, keepdims=True))
    np.divide(V, lengths * np.sqrt(2), out=V, where=lengths > 0)
    return V
