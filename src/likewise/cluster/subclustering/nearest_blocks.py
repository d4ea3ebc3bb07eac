"""The nearest items of a few, block by block: from memory, from a file, or on a Dask cluster."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.distances import pairwise
from likewise.distances.file_block import received, sendable
from likewise.distances.metric import prepare
from likewise.distances.named import is_named, plain_name
from likewise.kernels.assignment.subclusters import keep_nearest, list_nearest
from likewise.kernels.metric.distances import EUCLIDEAN, SQEUCLIDEAN, compute_distances
from likewise.kernels.metric.neighbours import order_candidates

Floats = NDArray[Any]
Indices = NDArray[np.int64]
Lists = NDArray[np.int32]
Nearest = tuple[Indices, NDArray[np.float64], Lists]

BLOCK_ITEMS = 8192
BLOCK_ROWS = 512
SPARE = 8
"""More than asked for, which are compared exactly: products of vectors may put nearly equal ones in the wrong order."""


class NeighbourQuery(NamedTuple):
    """What is looked for: as in :func:`nearest_items`, with the vectors of the items."""

    rows: Floats
    items: Indices
    n_neighbors: int
    witnesses: NDArray[np.bool_]
    n_listed: int
    metric: Any
    dtype: str

    def new_lists(self, n: int) -> tuple[Lists, NDArray[np.float64]]:
        """Empty lists of n items, and what the entries are ranked by."""
        return np.zeros((n, self.n_listed), np.int32), np.full((n, self.n_listed), np.inf)


def nearest_items(
    X: Floats,
    items: Indices,
    n_neighbors: int,
    *,
    witnesses: NDArray[np.bool_] | None = None,
    n_listed: int = 0,
    metric: Any = "euclidean",
    dtype: Any = np.float64,
    client: Any = None,
) -> Nearest:
    """The items nearest to some of them, and which of some are nearest to every item, in one pass over all.

    An item is not its own neighbour. Only a block of the R × N distances is held at a time.

    - `X` (n, d): Vectors, possibly memory-mapped, or distances with ``metric="precomputed"``.
    - `items` (r,): Whose neighbours.
    - `n_neighbors`: How many, less than n.
    - `witnesses` (r,) of bool: Which of `items` are listed; all by default.
    - `n_listed`: How many are listed for every item of X, at most as many as there are witnesses.
    - `metric`, str or callable: As in :func:`likewise.distances.pairwise`.
    - `dtype`, float64 or float32: Type of the products by which candidates are found; the distances are float64.
    - `client`, dask.distributed.Client: Who computes the blocks; the result is the same without it.
    - Returns `indices, distances`, ndarrays of shape (r, n_neighbors): By (distance, index).
    - Returns `lists`, ndarray of shape (n, n_listed) of int32: Positions in `items` of the nearest witnesses of
      every item, the nearest first; itself where it is one.
    """
    listed = np.ones(len(items), bool) if witnesses is None else witnesses
    search = NeighbourQuery(np.asarray(X[items]), items, n_neighbors, listed, n_listed, metric, np.dtype(dtype).name)
    if client is None:
        return _merge((_search_block(block, start, search) for start, block in _blocks(X, None)), n_neighbors)
    # Sent once and fetched by every worker; as a task and not scattered, so that it is there again when workers die,
    # and with a key of its own, because one made from the content may just be being forgotten from the last fit.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")
        shared = client.submit(received, search, pure=False)
    futures = [client.submit(_search_shared, block, start, shared, pure=False) for start, block in _blocks(X, client)]
    return _merge(client.gather(futures), n_neighbors)


def _blocks(X: Floats, client: Any) -> Iterator[tuple[int, Any]]:
    for start in range(0, len(X), BLOCK_ITEMS):
        stop = min(start + BLOCK_ITEMS, len(X))
        yield start, X[start:stop] if client is None else sendable(X, start, stop)


def _search_shared(block: Any, start: int, search: NeighbourQuery) -> Nearest:
    return _search_block(received(block), start, search)


def _search_block(block: Floats, start: int, search: NeighbourQuery) -> Nearest:
    """Nearest rows of a block, whose first has index start, to each of rows; lists of the block's items."""
    metric = plain_name(search.metric)
    if isinstance(metric, str) and metric == "precomputed":
        return _select(np.array(block[:, search.items].T, np.float64), start, search)
    if callable(metric):
        gaps = [[0.0 if a is b else float(metric(a, b)) for b in block] for a in search.rows]
        return _select(np.array(gaps), start, search)
    if is_named(metric):
        return _select(pairwise(search.rows, block, metric=metric), start, search)
    A, B, kind = prepare(search.rows, block, metric)
    assert B is not None
    if kind not in (EUCLIDEAN, SQEUCLIDEAN):
        return _select(compute_distances(A, B, kind), start, search)
    return _by_products(A, B, kind, start, search)


def _by_products(A: Floats, B: Floats, kind: int, start: int, search: NeighbourQuery) -> Nearest:
    n_neighbors, dtype = search.n_neighbors, search.dtype
    n_kept = min(len(B), n_neighbors + 1 + SPARE)
    # Centred, because products are subtracted: far from 0 little of their digits would be left.
    centre = B.mean(axis=0)
    left, right = (A - centre).astype(dtype), (B - centre).astype(dtype)
    half_norms, own_norms = (np.einsum("ij,ij->i", side, side) / 2 for side in (right, left))
    kept = np.empty((len(A), n_kept), np.int64)
    values = np.empty((len(A), n_kept), dtype)
    lists, ranks = search.new_lists(len(B))
    for top in range(0, len(A), BLOCK_ROWS):
        some = slice(top, min(top + BLOCK_ROWS, len(A)))
        gaps = left[some] @ right.T
        np.subtract(half_norms, gaps, out=gaps)
        keep_nearest(gaps, kept[some], values[some])
        if search.n_listed:
            list_nearest(gaps, own_norms[some], search.witnesses[some], top, lists, ranks)
    kept[kept == (search.items - start)[:, None]] = -1
    indices, distances = order_candidates(A, B, kind, kept)
    indices, distances = indices[:, :n_neighbors], distances[:, :n_neighbors]
    return np.where(indices < 0, -1, indices + start), np.where(indices < 0, np.inf, distances), lists


def _select(gaps: NDArray[np.float64], start: int, search: NeighbourQuery) -> Nearest:
    lists, ranks = search.new_lists(gaps.shape[1])
    if search.n_listed:
        list_nearest(gaps, np.zeros(len(gaps)), search.witnesses, 0, lists, ranks)
    own = search.items - start
    inside = np.flatnonzero((own >= 0) & (own < gaps.shape[1]))
    gaps[inside, own[inside]] = np.inf
    kept = np.empty((len(gaps), search.n_neighbors), np.int64)
    values = np.empty((len(gaps), search.n_neighbors))
    keep_nearest(gaps, kept, values)
    return np.where(kept < 0, -1, kept + start), values, lists


def _merge(found: Any, n_neighbors: int) -> Nearest:
    """The nearest of all blocks, which come in order, so that ties go to the lower index."""
    best: tuple[Indices, NDArray[np.float64]] | None = None
    lists = []
    for indices, distances, listed in found:
        lists.append(listed)
        if best is not None:
            indices, distances = np.hstack([best[0], indices]), np.hstack([best[1], distances])
        order = np.argsort(distances, axis=1, kind="stable")[:, :n_neighbors]
        best = np.take_along_axis(indices, order, 1), np.take_along_axis(distances, order, 1)
    assert best is not None
    return *best, np.concatenate(lists)
