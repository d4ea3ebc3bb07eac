"""Kruskal's forest under cannot-links, fed with edges in chunks so that most are never sorted."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.graphs.union_find import find_root, merge_roots
from likewise.kernels.kernel import kernel
from likewise.kernels.threads import run_blocks


class KruskalForest(NamedTuple):
    """Trees, and which of them may not join.

    - `parent`, `size` (n,): Parent of every item and size of every tree at its root, as in union_find.
    - `row` (n,): Row of a tree in `barred`, at its root; -1 for a tree that no cannot-link touches.
    - `barred` (r, r): Whether a cannot-link lies between two trees.
    """

    parent: NDArray[np.int64]
    size: NDArray[np.int64]
    row: NDArray[np.int64]
    barred: NDArray[np.bool_]


class EdgeRange(NamedTuple):
    """Number of a block's first row, and the distances low < d <= high that are wanted from it."""

    offset: int
    low: float
    high: float


@kernel()
def start_forest(groups, barred_pairs):
    """Forest of must-link groups and its table of cannot-links.

    groups (n,) labels 0 … g-1; barred_pairs (m, 2) group pairs. Returns a KruskalForest and the number of trees.
    O(n + m + r²), r = groups touched by a cannot-link.
    """
    n = groups.shape[0]
    first = np.full(n, -1, np.int64)
    parent = np.arange(n)
    size = np.ones(n, np.int64)
    n_trees = 0
    for i in range(n):
        if first[groups[i]] < 0:
            first[groups[i]] = i
            n_trees += 1
        else:
            merge_roots(parent, size, find_root(parent, first[groups[i]]), i)
    row = np.full(n, -1, np.int64)
    n_rows = 0
    for k in range(barred_pairs.size):
        root = find_root(parent, first[barred_pairs.flat[k]])
        if row[root] < 0:
            row[root] = n_rows
            n_rows += 1
    barred = np.zeros((n_rows, n_rows), np.bool_)
    for k in range(barred_pairs.shape[0]):
        a = row[find_root(parent, first[barred_pairs[k, 0]])]
        b = row[find_root(parent, first[barred_pairs[k, 1]])]
        barred[a, b] = True
        barred[b, a] = True
    return KruskalForest(parent, size, row, barred), n_trees


@kernel()
def join_trees(left, right, forest, n_trees, n_stop, accepted):
    """Add edges in the given order until n_stop trees are left; the forest changes in place.

    left, right (m,) edge ends in order; accepted (m,) int64 takes the positions of the added edges.
    Returns (trees left, number of added edges). O(m + joins · r).
    """
    n_added = 0
    for k in range(left.shape[0]):
        if n_trees <= n_stop:
            break
        if join_pair(left[k], right[k], forest):
            accepted[n_added] = k
            n_added += 1
            n_trees -= 1
    return n_trees, n_added


@kernel(inline="always")
def join_pair(i, j, forest):
    """Join the trees of two items unless they are one or barred from each other; whether it did. O(r) a join."""
    parent, size, row, barred = forest
    a, b = find_root(parent, i), find_root(parent, j)
    ra, rb = row[a], row[b]
    joins = a != b and not (ra >= 0 and rb >= 0 and barred[ra, rb])
    if joins:
        row[merge_roots(parent, size, a, b)] = max(ra, rb)
        if ra >= 0 and rb >= 0:
            merge_rows(barred, max(ra, rb), min(ra, rb))
    return joins


@kernel()
def merge_rows(barred, kept, gone):
    """Give row `kept` the cannot-links of row `gone`, on both sides. O(r)."""
    for c in range(barred.shape[0]):
        if barred[gone, c]:
            barred[kept, c] = True
            barred[c, kept] = True


@kernel()
def _is_candidate(root, row, barred, i, j):
    a, b = root[i], root[j]
    if a == b:
        return False
    ra, rb = row[a], row[b]
    return ra < 0 or rb < 0 or not barred[ra, rb]


def gather_edges(
    block: NDArray[np.float64], wanted: EdgeRange, forest: Any
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Edges (i, j), i < j, of a block (b, n) of distance rows, in the wanted range, that could still join two trees.

    The parents of the forest are flat (see flatten_roots). Returns left, right (m,) int32 and distance (m,), in
    order of (i, j). O(bn).
    """
    b = block.shape[0]
    ends = np.zeros(b + 1, np.int64)
    run_blocks(lambda s, t: count_edges(block, wanted, forest, s, t, ends), b, block.size)
    np.cumsum(ends, out=ends)
    left, right = np.empty(ends[b], np.int32), np.empty(ends[b], np.int32)
    distance = np.empty(ends[b])
    out = (left, right, distance)
    run_blocks(lambda s, t: fill_edges(block, wanted, forest, s, t, ends, out), b, block.size)
    return out


@kernel(nogil=True)
def count_edges(block, wanted, forest, start, stop, ends):
    """How many edges gather_edges takes from each of the rows start … stop, into ends[1:]. O(rows · n)."""
    offset, low, high = wanted
    root, _, row, barred = forest
    for s in range(start, stop):
        count = 0
        for j in range(offset + s + 1, block.shape[1]):
            if low < block[s, j] <= high and _is_candidate(root, row, barred, offset + s, j):
                count += 1
        ends[s + 1] = count


@kernel(nogil=True)
def fill_edges(block, wanted, forest, start, stop, ends, out):
    """The edges of the rows start … stop into out: left, right, distance. O(rows · n)."""
    offset, low, high = wanted
    root, _, row, barred = forest
    left, right, distance = out
    for s in range(start, stop):
        at = ends[s]
        for j in range(offset + s + 1, block.shape[1]):
            if low < block[s, j] <= high and _is_candidate(root, row, barred, offset + s, j):
                left[at] = offset + s
                right[at] = j
                distance[at] = block[s, j]
                at += 1


@kernel()
def mark_candidates(left, right, forest):
    """Which edges (m,) could still join two trees, bool (m,); parents as in gather_edges. O(m)."""
    root, _, row, barred = forest
    out = np.empty(left.shape[0], np.bool_)
    for k in range(left.shape[0]):
        out[k] = _is_candidate(root, row, barred, left[k], right[k])
    return out


@kernel()
def flatten_roots(parent):
    """Make the root the parent of every item (n,), in place. O(n)."""
    for i in range(parent.shape[0]):
        parent[i] = find_root(parent, i)
