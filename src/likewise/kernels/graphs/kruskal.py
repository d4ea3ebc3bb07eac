"""Kruskal's forest under cannot-links, fed with edges in chunks so that most are never sorted.

Trees are a parent array (see union_find). ``row[root]`` is the tree's row in ``apart``, the square
table of which trees may not join, or -1 for a tree that no cannot-link touches.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from likewise.kernels.graphs.union_find import find_root, merge_roots
from likewise.kernels.threads import run_blocks


@njit(cache=True)
def start_forest(groups, apart_pairs):
    """Forest of must-link groups and its table of cannot-links.

    groups (n,) labels 0 … g-1; apart_pairs (m, 2) group pairs. Returns parent (n,), size (n,), row (n,),
    apart (r, r) bool, number of trees. O(n + m + r²), r = groups touched by a cannot-link.
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
    for k in range(apart_pairs.size):
        root = find_root(parent, first[apart_pairs.flat[k]])
        if row[root] < 0:
            row[root] = n_rows
            n_rows += 1
    apart = np.zeros((n_rows, n_rows), np.bool_)
    for k in range(apart_pairs.shape[0]):
        a = row[find_root(parent, first[apart_pairs[k, 0]])]
        b = row[find_root(parent, first[apart_pairs[k, 1]])]
        apart[a, b] = True
        apart[b, a] = True
    return parent, size, row, apart, n_trees


@njit(cache=True)
def join_trees(left, right, parent, size, row, apart, n_trees, n_stop, accepted):
    """Add edges in the given order until n_stop trees are left; the forest changes in place.

    left, right (m,) edge ends in order; accepted (m,) int64 takes the positions of the added edges.
    Returns (trees left, number of added edges). O(m + joins · r).
    """
    n_added = 0
    for k in range(left.shape[0]):
        if n_trees <= n_stop:
            break
        a = find_root(parent, left[k])
        b = find_root(parent, right[k])
        if a == b:
            continue
        ra, rb = row[a], row[b]
        if ra >= 0 and rb >= 0 and apart[ra, rb]:
            continue
        root = merge_roots(parent, size, a, b)
        row[root] = max(ra, rb)
        if ra >= 0 and rb >= 0:
            merge_rows(apart, max(ra, rb), min(ra, rb))
        accepted[n_added] = k
        n_added += 1
        n_trees -= 1
    return n_trees, n_added


@njit(cache=True)
def merge_rows(apart, kept, gone):
    """Give row `kept` the cannot-links of row `gone`, on both sides. O(r)."""
    for c in range(apart.shape[0]):
        if apart[gone, c]:
            apart[kept, c] = True
            apart[c, kept] = True


@njit(cache=True)
def _is_candidate(root, row, apart, i, j):
    a, b = root[i], root[j]
    if a == b:
        return False
    ra, rb = row[a], row[b]
    return ra < 0 or rb < 0 or not apart[ra, rb]


def gather_edges(
    block: NDArray[np.float64], offset: int, low: float, high: float, root: Any, row: Any, apart: Any
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Edges (i, j), i < j, of a block of distance rows with low < d <= high that could still join two trees.

    block (b, n): rows offset … offset+b-1 of the distance matrix; root (n,) flat roots. Returns left, right
    (m,) int32 and distance (m,), in order of (i, j). O(bn).
    """
    b = block.shape[0]
    forest = (low, high, root, row, apart)
    ends = np.zeros(b + 1, np.int64)
    run_blocks(lambda s, t: count_edges(block, offset, *forest, s, t, ends), b, block.size)
    np.cumsum(ends, out=ends)
    left, right = np.empty(ends[b], np.int32), np.empty(ends[b], np.int32)
    distance = np.empty(ends[b])
    out = (left, right, distance)
    run_blocks(lambda s, t: fill_edges(block, offset, *forest, s, t, ends, *out), b, block.size)
    return out


@njit(cache=True, nogil=True)
def count_edges(block, offset, low, high, root, row, apart, start, stop, ends):
    """How many edges gather_edges takes from each of the rows start … stop, into ends[1:]. O(rows · n)."""
    for s in range(start, stop):
        count = 0
        for j in range(offset + s + 1, block.shape[1]):
            if low < block[s, j] <= high and _is_candidate(root, row, apart, offset + s, j):
                count += 1
        ends[s + 1] = count


@njit(cache=True, nogil=True)
def fill_edges(block, offset, low, high, root, row, apart, start, stop, ends, left, right, distance):
    """The edges of the rows start … stop, into their places. O(rows · n)."""
    for s in range(start, stop):
        at = ends[s]
        for j in range(offset + s + 1, block.shape[1]):
            if low < block[s, j] <= high and _is_candidate(root, row, apart, offset + s, j):
                left[at] = offset + s
                right[at] = j
                distance[at] = block[s, j]
                at += 1


@njit(cache=True)
def mark_candidates(left, right, root, row, apart):
    """Which edges (m,) could still join two trees: bool (m,). O(m)."""
    out = np.empty(left.shape[0], np.bool_)
    for k in range(left.shape[0]):
        out[k] = _is_candidate(root, row, apart, left[k], right[k])
    return out


@njit(cache=True)
def flatten_roots(parent):
    """Root of every item (n,), the parent array compressed in place. O(n)."""
    for i in range(parent.shape[0]):
        parent[i] = find_root(parent, i)
    return parent
