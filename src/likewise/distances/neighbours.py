"""The nearest items and the graph they make."""

from __future__ import annotations

import importlib.util
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.distances.matrix import pairwise, pairwise_chunks
from likewise.distances.metric import Floats, Metric, Prepared, prepare
from likewise.distances.named import is_named, plain_name
from likewise.distances.sparse_rows import is_sparse
from likewise.kernels.metric.neighbours import find_neighbours, order_candidates, select_neighbours

Method: TypeAlias = Literal["auto", "exact", "faiss", "ivf"]
Symmetric: TypeAlias = Literal["union", "mutual"] | None
Sparse: TypeAlias = Any  # scipy.sparse.csr_array, which is imported on use

FAISS_METRICS = ("cosine", "euclidean")
FAISS_WORK = 10**10
"""Products n·m·d from which faiss is faster, its start included."""
IVF_WORK = 2 * 10**11
"""Products n·m·d from which comparing all with all takes a minute or more."""


class Neighbours(NamedTuple):
    """Nearest items: indices (n, k) int64 and distances (n, k) float64, by (distance, index)."""

    indices: NDArray[np.int64]
    distances: NDArray[np.float64]


def nearest(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    *,
    n_neighbors: int = 7,
    metric: Metric = "euclidean",
    method: Method = "auto",
    n_probe: int = 32,
    random_state: int = 0,
) -> Neighbours:
    """The nearest rows of Y to each row of X, or the nearest other rows of X.

    Parameters
    ----------
    X, Y : array-like or sparse matrix of shape (n, d) and (m, d)
        Vectors; sparse ones as in :func:`pairwise`. When Y is None a row is not its own neighbour, but its duplicates
        are.
    n_neighbors : int
        How many.
    metric : str or callable
        As in :func:`pairwise`.
    method : "auto", "exact", "faiss" or "ivf"
        * exact: every distance, in float64, in memory linear in n.
        * faiss: every distance in float32, then the best candidates again in float64. Euclidean
          and cosine only.
        * ivf: as faiss, but only the ``n_probe`` nearest of about 4 √m cells are looked into: some
          neighbours are missed, the distances are right.
        * auto: exact for small sets and other metrics, or without faiss; then faiss; then ivf.
    n_probe : int
        Cells looked into by "ivf": more are slower and miss less.
    random_state : int
        Seed of the cells of "ivf".

    Returns
    -------
    Neighbours
        ``indices`` and ``distances``, nearest first, ties by index.

    Examples
    --------
    >>> nearest([[0.0], [1.0], [3.0]], n_neighbors=1).indices.ravel()
    array([1, 0, 1])
    """
    metric = plain_name(metric)
    if metric != "precomputed" and (is_sparse(X) or is_sparse(Y)):
        return _between_sparse(X, Y, n_neighbors, metric, method)
    if metric == "precomputed" or callable(metric) or is_named(metric):
        if method in ("faiss", "ivf"):
            raise ValueError(f"method {method!r} is for vectors with a metric of {FAISS_METRICS}")
        D = pairwise(X, Y, metric=metric)
        check_count(n_neighbors, D.shape[1] - (Y is None))
        return Neighbours(*select_neighbours(D, n_neighbors, Y is None))
    ready = prepare(X, Y, metric)
    m = len(ready.A if ready.B is None else ready.B)
    check_count(n_neighbors, m - (Y is None))
    chosen = choose_method(method, metric, ready.A.size * m)
    if chosen == "exact":
        return Neighbours(*find_neighbours(*ready, n_neighbors))
    return _by_faiss(ready, n_neighbors, n_probe if chosen == "ivf" else None, random_state)


def _between_sparse(X: Any, Y: Any, n_neighbors: int, metric: Metric, method: Method) -> Neighbours:
    """Nearest rows of sparse vectors: every distance, a block of rows at a time."""
    if method in ("faiss", "ivf"):
        raise ValueError(f"method {method!r} is for dense vectors")
    check_count(n_neighbors, (X if Y is None else Y).shape[0] - (Y is None))
    found = []
    for rows, block in pairwise_chunks(X, Y, metric=metric):
        if Y is None:
            block[np.arange(len(block)), np.arange(rows.start, rows.stop)] = np.inf
        found.append(select_neighbours(block, n_neighbors, False))
    return Neighbours(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def knn_graph(
    X: ArrayLike,
    *,
    n_neighbors: int = 7,
    metric: Metric = "euclidean",
    symmetric: Symmetric = None,
    method: Method = "auto",
    n_probe: int = 32,
    random_state: int = 0,
) -> Sparse:
    """The graph from every item to its nearest ones, weighted by distance.

    Edges between duplicates are stored zeros: they count as entries (``nnz``), but arithmetic of
    scipy.sparse may drop them.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d), or (n, n) with ``metric="precomputed"``
        Vectors, or distances.
    symmetric : "union", "mutual" or None
        Keep an edge in both directions when either end chose it, only when both did, or leave the
        directions as they are.
    n_neighbors, metric, method, n_probe, random_state
        As in :func:`nearest`.

    Returns
    -------
    csr_array of shape (n, n)
        Distances, float64; columns sorted in every row.

    Examples
    --------
    >>> knn_graph([[0.0], [1.0], [3.0]], n_neighbors=1, symmetric="union").toarray()
    array([[0., 1., 0.],
           [1., 0., 2.],
           [0., 2., 0.]])
    """
    if symmetric not in (None, "union", "mutual"):
        raise ValueError(f"symmetric must be 'union', 'mutual' or None, got {symmetric!r}")
    found = nearest(
        X, n_neighbors=n_neighbors, metric=metric, method=method, n_probe=n_probe, random_state=random_state
    )
    return graph_of(found, symmetric)


def graph_of(found: Neighbours, symmetric: Symmetric = None) -> Sparse:
    """The graph of :func:`knn_graph`, from neighbours already found among the items themselves."""
    from scipy.sparse import csr_array

    n, k = found.indices.shape
    rows, columns, values = np.repeat(np.arange(n), k), found.indices.ravel(), found.distances.ravel()
    edges, backwards = rows * n + columns, columns * n + rows
    if symmetric == "mutual":
        kept = np.isin(edges, backwards)
        edges, values = edges[kept], values[kept]
    elif symmetric == "union":
        edges, values = np.concatenate([edges, backwards]), np.concatenate([values, values])
    # Not by sparse arithmetic, which would lose the zeros between duplicates.
    edges, first = np.unique(edges, return_index=True)
    starts = np.searchsorted(edges, np.arange(n + 1) * n)
    return csr_array((values[first], edges % n, starts), shape=(n, n))


def check_count(n_neighbors: int, available: int) -> None:
    """Refuse a number of neighbours that there are not."""
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be positive, got {n_neighbors}")
    if n_neighbors > available:
        raise ValueError(f"n_neighbors is {n_neighbors}, but there are only {available} to choose from")


def choose_method(method: Method, metric: str, work: int) -> Method:
    """The method that "auto" takes for so many products n·m·d; others are checked."""
    if method not in ("auto", "exact", "faiss", "ivf"):
        raise ValueError(f"method must be 'auto', 'exact', 'faiss' or 'ivf', got {method!r}")
    if method == "exact":
        return method
    installed = importlib.util.find_spec("faiss") is not None
    if method != "auto":
        if metric not in FAISS_METRICS:
            raise ValueError(f"method {method!r} is for a metric of {FAISS_METRICS}, got {metric!r}")
        if not installed:
            raise ImportError(f"method {method!r} needs faiss: install faiss-cpu")
        return method
    if work < FAISS_WORK or metric not in FAISS_METRICS or not installed:
        return "exact"
    return "faiss" if work < IVF_WORK else "ivf"


def _by_faiss(ready: Prepared, n_neighbors: int, n_probe: int | None, seed: int) -> Neighbours:
    A, B, kind = ready
    base, alone = (A, True) if B is None else (B, False)
    n_asked = min(len(base), count_candidates(n_neighbors, alone=alone))
    candidates = _search_faiss(A, base, n_asked, n_probe, seed)
    if alone:
        candidates[candidates == np.arange(len(A))[:, None]] = -1
    indices, distances = order_candidates(A, base, kind, candidates)
    indices, distances = indices[:, :n_neighbors].copy(), distances[:, :n_neighbors].copy()
    missing = np.flatnonzero(indices[:, -1] < 0)
    if len(missing):  # the cells looked into held too few
        i, d = find_neighbours(A[missing], base, kind, n_neighbors + alone)
        if alone:
            own = i == missing[:, None]  # always among them: its duplicates are too few, or they had sufficed
            i, d = i[~own].reshape(-1, n_neighbors), d[~own].reshape(-1, n_neighbors)
        indices[missing], distances[missing] = i, d
    return Neighbours(indices, distances)


def _search_faiss(A: Floats, base: Floats, n_asked: int, n_probe: int | None, seed: int) -> NDArray[np.int64]:
    """Rows of base near each row of A in float32, (n, n_asked), -1 where too few were found."""
    # Centred and scaled, because faiss subtracts products: far from 0 little of a float32 would be left.
    centre = base.mean(axis=0)
    scale = max(float(np.abs(V - centre).max()) for V in (A, base)) or 1.0
    base32 = ((base - centre) / scale).astype(np.float32)
    A32 = base32 if A is base else ((A - centre) / scale).astype(np.float32)
    found: NDArray[np.int64] = make_faiss(base32, n_probe, seed).search(A32, n_asked)[1]
    return found


def count_candidates(n_neighbors: int, *, alone: bool) -> int:
    """How many are looked for: a few more, because float32 may put nearly equal ones in the wrong order."""
    return n_neighbors + alone + max(16, n_neighbors // 2)


def make_faiss(base: NDArray[np.float32], n_probe: int | None, seed: int) -> Any:
    """faiss's index of rows (m, d): of all of them, or with cells of which `n_probe` are looked into."""
    import faiss

    index: Any = faiss.IndexFlatL2(base.shape[1])
    if n_probe is not None:
        n_cells = max(1, min(round(4 * len(base) ** 0.5), len(base) // 39))  # faiss trains a cell on 39
        index = faiss.IndexIVFFlat(index, base.shape[1], n_cells)
        index.cp.seed = seed
        index.nprobe = min(n_probe, n_cells)
        index.train(base)
    index.add(base)
    return index
