"""Distance matrices: computed from vectors, or checked when they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from likewise.distances.memory import WITHOUT, require_memory
from likewise.distances.metric import Floats, Metric, check_vectors, prepare
from likewise.distances.named import is_named, named_distances, plain_name
from likewise.distances.sparse_rows import is_sparse, sparse_row_source
from likewise.kernels.metric.checks import find_asymmetry
from likewise.kernels.metric.distances import compute_distances

Distances: TypeAlias = NDArray[np.float64]


def check_distances(D: ArrayLike, *, name: str = "the distance matrix") -> NDArray[np.float64]:
    """Check a matrix of distances and return it as float64.

    Parameters
    ----------
    D : array-like of shape (n, n)
        Square, symmetric, finite, not negative, with a zero diagonal.
    name : str
        What to call it in an error.

    Returns
    -------
    ndarray of shape (n, n)
        A copy only where the type has to change.

    Examples
    --------
    >>> check_distances([[0, 2], [2, 0]])
    array([[0., 2.],
           [2., 0.]])
    """
    from sklearn.utils import check_array

    checked: Distances = check_array(D, dtype=np.float64, input_name=name)
    if checked.shape[0] != checked.shape[1]:
        raise ValueError(f"{name} must be square, got {checked.shape[0]} x {checked.shape[1]}")
    gap, i, j = find_asymmetry(checked, 1e-9, 1e-12)
    if gap:
        a, b = checked[i, j], checked[j, i]
        raise ValueError(f"{name} is not symmetric: [{i}, {j}] is {a:g}, [{j}, {i}] is {b:g}")
    if checked.min() < 0:
        raise ValueError(f"{name} holds negative values, the lowest is {checked.min():g}")
    if np.abs(np.diagonal(checked)).max() > 1e-9 * max(1.0, checked.max()):
        raise ValueError(f"{name} must be zero on its diagonal")
    return checked


def pairwise(
    X: ArrayLike, Y: ArrayLike | None = None, *, metric: Metric = "euclidean", dtype: DTypeLike = np.float64
) -> NDArray[Any]:
    """Distances between the rows of X and those of Y (of X itself when Y is None).

    Computed by direct differences: equal rows are at exactly 0, the matrix of X with itself is exactly
    symmetric, and the result does not depend on the number of threads.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d)
        Vectors, or for ``metric="precomputed"`` an (n, n) matrix, which is checked and returned. Sparse vectors
        ("euclidean", "cosine" and "chi2" only) stay sparse: two rows cost as much as they have entries.
    Y : array-like or sparse matrix of shape (m, d), optional
        Other vectors.
    metric : "euclidean", "cosine", "chi2", "robust", another name of scikit-learn's, "precomputed" or callable
        * cosine: 1 - cos of the angle; a row of zeros is at 1 from every row that is not.
        * chi2: ½ Σ (x - y)² / (x + y) between histograms, 0/0 being 0; no negative values.
        * robust: the root of the sum of the smallest 80 % of the squared differences (Biswas 2014, §2.3);
          of d columns the nearest whole number to 0.8 d counts.
        * Names of scikit-learn's such as "manhattan", "correlation" or "jaccard" mean what they mean there;
          "mahalanobis" and "seuclidean" are refused, as they depend on all vectors: scale those instead.
        * A callable takes two vectors and gives a number; it must be symmetric, and is
          not asked about a row and itself when Y is None.
    dtype : float64 or float32
        Type of the result. Sums are always in float64; float32 halves the memory.

    Returns
    -------
    ndarray of shape (n, m)

    Examples
    --------
    >>> pairwise([[0.0], [3.0]])
    array([[0., 3.],
           [3., 0.]])
    >>> pairwise([[1, 0]], [[0.5, 0.5], [0, 2]], metric="cosine").round(4)
    array([[0.2929, 1.    ]])
    """
    dtype, metric = _check_dtype(dtype), plain_name(metric)
    if metric == "precomputed":
        _refuse_other(Y)
        return check_distances(X).astype(dtype, copy=False)
    if is_sparse(X) or is_sparse(Y):
        n, m, compute = sparse_row_source(X, Y, metric, dtype)
        _require_room(n, m, dtype)
        return compute(slice(0, n))
    if callable(metric):
        A, B = check_vectors(X, Y)
        _require_room(len(A), len(A if B is None else B), dtype)
        called = _call_all(metric, A) if B is None else _call_rows(metric, A, slice(0, len(A)), B)
        return called.astype(dtype, copy=False)
    if is_named(metric):
        A, B = check_vectors(X, Y)
        _require_room(len(A), len(A if B is None else B), dtype)
        return named_distances(A, B, metric).astype(dtype, copy=False)
    ready = prepare(X, Y, metric)
    _require_room(len(ready.A), len(ready.A if ready.B is None else ready.B), dtype)
    return np.asarray(compute_distances(*ready, dtype))


def _require_room(n: int, m: int, dtype: np.dtype[Any]) -> None:
    require_memory(n * m * dtype.itemsize, f"distances between {n:,} and {m:,} items", WITHOUT)


def pairwise_chunks(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    *,
    metric: Metric = "euclidean",
    dtype: DTypeLike = np.float64,
    max_bytes: int = 1 << 28,
) -> Iterator[tuple[slice, NDArray[Any]]]:
    """The rows of :func:`pairwise` a block at a time, for matrices too large to hold.

    Parameters
    ----------
    X, Y, metric, dtype
        As in :func:`pairwise`.
    max_bytes : int
        Largest block; at least one row.

    Yields
    ------
    rows : slice
        Which rows of X.
    block : ndarray of shape (rows, m)
        Their distances, a new array each time.

    Examples
    --------
    >>> for rows, block in pairwise_chunks([[0.0], [1.0], [3.0]], max_bytes=48):
    ...     print(rows.start, rows.stop, block.max())
    0 2 3.0
    2 3 3.0
    """
    dtype = _check_dtype(dtype)
    if max_bytes < 1:
        raise ValueError(f"max_bytes must be positive, got {max_bytes}")
    n, m, compute = _row_source(X, Y, metric, dtype)
    height = max(1, max_bytes // (m * dtype.itemsize))
    return ((rows, compute(rows)) for rows in (slice(i, min(i + height, n)) for i in range(0, n, height)))


def _row_source(
    X: ArrayLike, Y: ArrayLike | None, metric: Metric, dtype: np.dtype[Any]
) -> tuple[int, int, Callable[[slice], NDArray[Any]]]:
    """Number of rows and columns, and what computes some of the rows."""
    metric = plain_name(metric)
    if metric == "precomputed":
        _refuse_other(Y)
        D = check_distances(X)
        return len(D), len(D), lambda rows: D[rows].astype(dtype)
    if is_sparse(X) or is_sparse(Y):
        return sparse_row_source(X, Y, metric, dtype)
    if callable(metric):
        A, B = check_vectors(X, Y)
        other = A if B is None else B
        return len(A), len(other), lambda rows: _call_rows(metric, A, rows, other).astype(dtype, copy=False)
    if is_named(metric):
        A, B = check_vectors(X, Y)
        other = A if B is None else B
        return len(A), len(other), lambda rows: named_distances(A[rows], other, metric).astype(dtype, copy=False)
    A, B, kind = prepare(X, Y, metric)
    other = A if B is None else B
    return len(A), len(other), lambda rows: compute_distances(A[rows], other, kind, dtype)


def _check_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    checked = np.dtype(dtype)
    if checked not in (np.float64, np.float32):
        raise ValueError(f"dtype must be float64 or float32, got {checked}")
    return checked


def _refuse_other(Y: ArrayLike | None) -> None:
    if Y is not None:
        raise ValueError("a precomputed matrix holds all distances: Y must be None")


def _call_all(metric: Callable[[Any, Any], float], A: Floats) -> Distances:
    out = np.zeros((len(A), len(A)))
    for i in range(len(A)):
        for j in range(i + 1, len(A)):
            out[i, j] = out[j, i] = _call(metric, A, i, A, j)
    return out


def _call_rows(metric: Callable[[Any, Any], float], A: Floats, rows: slice, B: Floats) -> Distances:
    return np.array(
        [
            [0.0 if B is A and i == j else _call(metric, A, i, B, j) for j in range(len(B))]
            for i in range(rows.start, rows.stop)
        ]
    )


def _call(metric: Callable[[Any, Any], float], A: Floats, i: int, B: Floats, j: int) -> float:
    value = float(metric(A[i], B[j]))
    if not 0 <= value < np.inf:
        raise ValueError(f"the metric gave {value:g} for rows {i} and {j}, not a distance")
    return value
