"""Minimum spanning forest under constraints, over all pairs, without sorting all pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints
from likewise.distances import pairwise, pairwise_chunks
from likewise.distances.memory import require_memory
from likewise.kernels.graphs import kruskal
from likewise.kernels.graphs.union_find import number_roots

FIRST_EDGES = 4  # edges an item in the first chunk
GROWTH = 8  # each later chunk asks for so many times more
MOST_EDGES = 16_000_000  # so many edges are held and sorted at once, about
EQUAL = "give equal items once, or use the default asker, Subclustering or k-means"
ENOUGH = 64  # pairs of the sample that must still be open to place a chunk by them
SAMPLE = 65_536  # pairs looked at to place a chunk's upper end
BLOCK_BYTES = 256 * 2**20  # distance rows held at once when they are computed from vectors


class SpanningForest(NamedTuple):
    """A forest as HACC leaves it: labels, and the edges added, in order, with their distances."""

    labels: NDArray[np.int64]
    edges: NDArray[np.int64]
    distances: NDArray[np.float64]
    n_trees: int


def spanning_forest(
    X: NDArray[np.float64], metric: Any, constraints: Constraints, n_stop: int, threshold: float = np.inf
) -> SpanningForest:
    """Join the closest trees that may join until `n_stop` are left or no edge up to `threshold` can be added.

    Kruskal's order (distance, then i, then j) is kept exactly: edges come in chunks of growing distance,
    and what lies inside a tree or between trees under a cannot-link is dropped before it is sorted.

    - `X` (n, d), or (n, n) with ``metric="precomputed"``: Vectors or distances.
    - `metric`, str or callable: As in :func:`likewise.distances.pairwise`.
    - `constraints`: Without conflicts.
    - `n_stop`: Number of trees to stop at.
    - `threshold`: Longest edge allowed.
    """
    if callable(metric):  # called once a pair, not once a pair and chunk
        X, metric = pairwise(X, metric=metric), "precomputed"
    forest, n_trees = kruskal.start_forest(constraints.labels(), constraints.group_cannot_links())
    edges, lengths = [np.empty((0, 2), np.int64)], [np.empty(0)]
    low, wanted = -np.inf, float(FIRST_EDGES * len(X))
    sample = _sample_edges(X, metric)
    while n_trees > n_stop and low < threshold:
        kruskal.flatten_roots(forest.parent)
        high = min(threshold, _upper_end(sample, low, wanted, len(X), forest))
        left, right, distance = _edges_between(X, metric, low, high, forest)
        order = np.argsort(distance, kind="stable")
        left, right = left[order], right[order]
        added = np.empty(len(left), np.int64)
        n_trees, n_added = kruskal.join_trees(left, right, forest, n_trees, n_stop, added)
        added = added[:n_added]
        edges.append(np.column_stack([left[added], right[added]]).astype(np.int64))
        lengths.append(distance[order][added])
        low, wanted = high, min(wanted * GROWTH, MOST_EDGES)
        if np.isposinf(high):
            break
    return SpanningForest(number_roots(forest.parent), np.concatenate(edges), np.concatenate(lengths), int(n_trees))


def _edges_between(
    X: NDArray[np.float64], metric: Any, low: float, high: float, forest: kruskal.KruskalForest
) -> tuple[Any, Any, Any]:
    found, held = [], 0
    for offset, block in _distance_blocks(X, metric):
        found.append(kruskal.gather_edges(block, kruskal.EdgeRange(offset, low, high), forest))
        held += sum(part.nbytes for part in found[-1])
        # They are joined and sorted afterwards. Chunks are small but where a great many pairs are equally far apart.
        require_memory(3 * held, f"equally long edges between {len(X):,} items", EQUAL)
    left, right, distance = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return left, right, distance


def _distance_blocks(X: NDArray[np.float64], metric: str) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Rows of the distance matrix, a bounded number at a time."""
    if metric == "precomputed":
        yield 0, X
        return
    for rows, block in pairwise_chunks(X, metric=metric, max_bytes=BLOCK_BYTES):
        yield rows.start, block


def _sample_edges(X: NDArray[np.float64], metric: str) -> tuple[Any, Any, Any]:
    """Pairs spread over all pairs, and their distances; only the size of chunks depends on them."""
    n = len(X)
    rows = np.sort(np.random.default_rng(0).choice(n, size=min(n, max(1, SAMPLE // n)), replace=False))
    block = X[rows] if metric == "precomputed" else pairwise(X[rows], X, metric=metric)
    left, right = np.repeat(rows, n), np.tile(np.arange(n), len(rows))
    differ = left != right
    return left[differ], right[differ], block.ravel()[differ]


def _upper_end(sample: tuple[Any, Any, Any], low: float, wanted: float, n: int, forest: kruskal.KruskalForest) -> float:
    """A distance below which about `wanted` of the edges lie that could still be added."""
    left, right, distance = sample
    still = (distance > low) & kruskal.mark_candidates(left, right, forest)
    n_edges = n * (n - 1) / 2 * still.sum() / max(1, len(distance))
    if wanted >= n_edges or still.sum() < ENOUGH:
        return np.inf
    return float(np.quantile(distance[still], wanted / n_edges))
