"""The nearest items by the workers of a Dask cluster: rows in blocks, each against shards of all, merged exactly."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.distances.file_block import is_mapped, received, sendable
from likewise.distances.metric import Floats, check_vectors, prepare
from likewise.distances.neighbours import Method, Neighbours, check_count, choose_method, count_candidates, make_faiss
from likewise.distances.neighbours_file import NeighboursWriter, open_neighbours
from likewise.kernels.metric.neighbours import find_neighbours, order_candidates
from likewise.machines import collect

__all__ = ["nearest_on_dask"]

BLOCK_BYTES, BLOCK_ROWS = 1 << 22, 1 << 14  # of the rows a task looks up
SHARD_BYTES = 1 << 30  # of the rows that they are compared with, which a worker holds


class NeighbourSearch(NamedTuple):
    """What every task needs to know; float32 values are (v - centre) / scale."""

    n_neighbors: int
    metric: str
    method: Method
    n_probe: int | None
    seed: int
    centre: NDArray[np.float64]
    scale: float

    def narrow(self, rows: Floats) -> NDArray[np.float32]:
        """Rows as faiss takes them."""
        return ((rows - self.centre) / self.scale).astype(np.float32)


class Shard(NamedTuple):
    """Rows that others are compared with, the first of which has the number `start`, and faiss's index of them."""

    rows: Floats
    start: int
    index: Any


def nearest_on_dask(
    X: ArrayLike,
    client: Any,
    *,
    n_neighbors: int = 7,
    metric: str = "euclidean",
    method: Method = "auto",
    n_probe: int = 32,
    random_state: int = 0,
    folder: str | os.PathLike[str] | None = None,
) -> Neighbours:
    """:func:`nearest` among the rows of X, computed by the workers of a Dask cluster.

    With ``method="exact"`` the result is that of one machine to the last bit. With "faiss" it is so but for ties that
    float32 cannot tell apart; with "ivf" every shard has cells of its own, of which as many are looked into: no fewer
    neighbours are found. A worker that dies costs the blocks it was at.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Vectors. Mapped from a file (``np.load(path, mmap_mode="r")``) that the workers see under the same path, they
        read it themselves; otherwise they are sent.
    client : distributed.Client
        Of the cluster.
    n_neighbors, metric, method, n_probe, random_state
        As in :func:`nearest`; distances that are given or called are refused.
    folder : path-like, optional
        Where to keep the result, for :func:`open_neighbours`; then it is never in memory as a whole.

    Returns
    -------
    Neighbours
        As of :func:`nearest`; mapped from the files in `folder`, where it is given.
    """
    if callable(metric) or metric == "precomputed":
        raise ValueError("on Dask neighbours are found between vectors with a named metric")
    vectors = _checked(X)
    n = len(vectors)
    check_count(n_neighbors, n - 1)
    chosen = choose_method(method, metric, vectors.size * n)
    search = _plan(vectors, n_neighbors, metric, chosen, n_probe, random_state)
    starts, futures = _submit(vectors, client, search)
    if folder is not None:
        with NeighboursWriter(folder, n, n_neighbors) as writer:
            for number, found in collect(client, futures):
                writer.put(starts[number], found)
        return open_neighbours(folder)
    out = Neighbours(np.empty((n, n_neighbors), np.int64), np.empty((n, n_neighbors)))
    for number, found in collect(client, futures):
        some = slice(starts[number], starts[number] + len(found.indices))
        out.indices[some], out.distances[some] = found
    return out


def _checked(X: ArrayLike) -> Floats:
    checked, _ = check_vectors(X, None)
    # The check gives a plain view, which no longer knows the file.
    return X if is_mapped(X) and X.dtype == checked.dtype else checked  # type: ignore[return-value,union-attr]


def _plan(X: Floats, n_neighbors: int, metric: str, method: Method, n_probe: int, seed: int) -> NeighbourSearch:
    some = np.asarray(X[:: max(1, len(X) // 10_000)])
    rows = _ready(some, metric)[0]
    centre, scale = rows.mean(axis=0, dtype=np.float64), 1.0
    if method != "exact" and metric != "cosine":
        scale = float(max(np.abs(X.max(axis=0) - centre).max(), np.abs(X.min(axis=0) - centre).max())) or 1.0
    return NeighbourSearch(n_neighbors, metric, method, n_probe if method == "ivf" else None, seed, centre, scale)


def _submit(X: Floats, client: Any, search: NeighbourSearch) -> tuple[list[int], list[Any]]:
    """One future of :class:`Neighbours` a block, and the first row of each."""
    n, d = X.shape
    height = min(BLOCK_ROWS, max(1, BLOCK_BYTES // (d * X.dtype.itemsize)))
    starts = list(range(0, n, height))
    blocks = [sendable(X, start, min(start + height, n)) for start in starts]
    if not is_mapped(X):  # sent once each; as part of a task, so that it is sent again when the worker dies
        blocks = [client.submit(received, block, pure=False) for block in blocks]
    n_blocks = max(1, SHARD_BYTES // (8 * (d + 1) * height))
    shards = [
        client.submit(_make_shard, blocks[first : first + n_blocks], starts[first], search, pure=False)
        for first in range(0, len(blocks), n_blocks)
    ]
    return starts, [
        client.submit(
            _merge,
            [client.submit(_search, block, start, shard, search, pure=False) for shard in shards],
            search.n_neighbors,
            pure=False,
        )
        for start, block in zip(starts, blocks, strict=True)
    ]


def _ready(vectors: NDArray[Any], metric: str) -> tuple[Floats, int]:
    """Rows for the kernels; directions always with a place for what rows of zeros have of their own."""
    A, _, kind = prepare(vectors, None, metric)
    if metric == "cosine" and A.shape[1] == vectors.shape[1]:
        return np.asarray(np.column_stack([A, np.zeros(len(A))]), np.float64), kind
    return A, kind


def _make_shard(blocks: Sequence[Any], start: int, search: NeighbourSearch) -> Shard:
    rows, _ = _ready(np.concatenate([received(block) for block in blocks]), search.metric)
    index = None if search.method == "exact" else make_faiss(search.narrow(rows), search.n_probe, search.seed)
    return Shard(rows, start, index)


def _search(block: Any, start: int, shard: Shard, search: NeighbourSearch) -> Neighbours:
    """The nearest of a shard to the rows of a block, the first of which has the number `start`; -1 where too few."""
    A, kind = _ready(received(block), search.metric)
    own = np.arange(start, start + len(A))[:, None] - shard.start
    k = search.n_neighbors
    if shard.index is None:
        indices, distances = find_neighbours(A, shard.rows, kind, min(k + 1, len(shard.rows)))
    else:
        n_asked = min(len(shard.rows), count_candidates(k, alone=True))
        candidates = shard.index.search(search.narrow(A), n_asked)[1]
        candidates[candidates == own] = -1
        indices, distances = order_candidates(A, shard.rows, kind, candidates)
        wanted = np.minimum(k, len(shard.rows) - ((own >= 0) & (own < len(shard.rows))))
        few = np.flatnonzero((indices >= 0).sum(axis=1) < wanted[:, 0])
        if len(few):  # the cells looked into held too few
            width = min(k + 1, len(shard.rows))
            indices[few], distances[few] = -1, np.inf
            indices[few, :width], distances[few, :width] = find_neighbours(A[few], shard.rows, kind, width)
    hidden = (indices < 0) | (indices == own)
    return _first(np.where(hidden, -1, indices + shard.start), np.where(hidden, np.inf, distances), k)


def _merge(found: Sequence[Neighbours], n_neighbors: int) -> Neighbours:
    """The nearest of all shards, which come in order, so that ties go to the lower index."""
    return _first(np.hstack([each[0] for each in found]), np.hstack([each[1] for each in found]), n_neighbors)


def _first(indices: NDArray[np.int64], distances: NDArray[np.float64], n_neighbors: int) -> Neighbours:
    order = np.argsort(distances, axis=1, kind="stable")[:, :n_neighbors]
    return Neighbours(np.take_along_axis(indices, order, 1), np.take_along_axis(distances, order, 1))
