"""Distances between rows of sparse matrices, which are never made dense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.distances.metric import LARGEST
from likewise.kernels.metric.distances import CHI2, EUCLIDEAN, SQEUCLIDEAN
from likewise.kernels.metric.sparse_rows import SparseRows, fill_sparse_distances
from likewise.kernels.threads import run_blocks

SPARSE_KINDS = {"chi2": CHI2, "cosine": SQEUCLIDEAN, "euclidean": EUCLIDEAN}
"""Distances to which a column that two rows do not have adds nothing."""


def is_sparse(X: Any) -> bool:
    """Whether X is a sparse matrix or array of scipy's."""
    from scipy.sparse import issparse

    return bool(issparse(X))


def sparse_row_source(
    X: Any, Y: Any, metric: Any, dtype: np.dtype[Any]
) -> tuple[int, int, Callable[[slice], NDArray[Any]]]:
    """Number of rows and columns of the distances between X and Y, at least one of them sparse, and what computes some.

    - `X`, `Y` (n, d) and (m, d): Vectors; Y may be None.
    - `metric`, "chi2", "cosine" or "euclidean": The distance; others need dense vectors.
    """
    if metric not in SPARSE_KINDS:
        names = ", ".join(SPARSE_KINDS)
        raise TypeError(f"sparse vectors have the metrics {names}; for others dense data is required: X.toarray()")
    A, width = _checked(X, "X", metric)
    B, other_width = (A, width) if Y is None else _checked(Y, "Y", metric)
    if width != other_width:
        raise ValueError(f"X has {width} columns, but Y has {other_width}")
    n, m, kind = len(A.starts) - 1, len(B.starts) - 1, SPARSE_KINDS[metric]

    def compute(rows: slice) -> NDArray[Any]:
        part = A._replace(starts=A.starts[rows.start : rows.stop + 1])
        out = np.empty((rows.stop - rows.start, m), dtype)
        work = len(out) * (len(B.values) + m)
        run_blocks(lambda start, stop: fill_sparse_distances(part, B, kind, start, stop, out), len(out), work)
        return out

    return n, m, compute


def _checked(X: Any, name: str, metric: str) -> tuple[SparseRows, int]:
    """Finite rows, their columns in order, and the number of columns; for cosine of length √½, as dense ones are."""
    from scipy.sparse import csr_array
    from sklearn.utils import check_array

    rows = csr_array(check_array(X, accept_sparse="csr", dtype=np.float64, input_name=name), copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    largest, width = float(np.abs(rows.data).max(initial=0.0)), int(rows.shape[1])
    if metric == "cosine":
        rows = _as_directions(rows)
    elif largest > LARGEST:
        raise ValueError(f"values beyond {LARGEST:g} cannot be squared: scale the vectors down")
    if metric == "chi2" and rows.data.min(initial=0.0) < 0:
        raise ValueError("chi2 compares histograms: there must be no negative values")
    parts = (rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data)
    return SparseRows(*parts), width


def _as_directions(rows: Any) -> Any:
    """Rows of length √½, between which the squared distance is 1 - cos; one of zeros has a column of its own."""
    from scipy.sparse import csr_array, diags_array, hstack

    sizes = abs(rows).max(axis=1).toarray().ravel()
    scaled = diags_array(1.0 / np.where(sizes > 0, sizes, 1.0)) @ rows
    lengths = np.sqrt((scaled * scaled).sum(axis=1))
    directed = diags_array(1.0 / np.where(lengths > 0, lengths * np.sqrt(2), 1.0)) @ scaled
    empty = csr_array((lengths == 0)[:, None] * np.sqrt(0.5))
    out = csr_array(hstack([directed, empty]))
    out.sort_indices()
    return out
