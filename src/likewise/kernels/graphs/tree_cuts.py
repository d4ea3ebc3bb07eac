"""Cutting and joining along a tree of merges (see average_linkage), and what lies between the clusters."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from likewise.kernels.graphs.kruskal import join_pair
from likewise.kernels.graphs.union_find import find_root
from likewise.kernels.threads import run_blocks


@njit(cache=True)
def close_below(children, wanted):
    """Merges (n-1,) bool that are wanted together with all merges below them. O(n)."""
    n = children.shape[0] + 1
    closed = np.empty(n - 1, np.bool_)
    for k in range(n - 1):
        closed[k] = wanted[k]
        for child in children[k]:
            if child >= n and not closed[child - n]:
                closed[k] = False
    return closed


@njit(cache=True)
def number_pieces(children, allowed):
    """Piece of every item (n,), numbered by first item, when only the allowed merges happen. O(n).

    children (n-1, 2); allowed (n-1,) bool as close_below gives it.
    """
    n = children.shape[0] + 1
    top = np.arange(2 * n - 1)
    for k in range(n - 2, -1, -1):
        if allowed[k]:
            top[children[k]] = top[n + k]
    number = np.full(2 * n - 1, -1, np.int64)
    pieces = np.empty(n, np.int64)
    count = 0
    for i in range(n):
        if number[top[i]] < 0:
            number[top[i]] = count
            count += 1
        pieces[i] = number[top[i]]
    return pieces


@njit(cache=True)
def join_along_tree(D, tree, allowed, mentioned, forest):
    """Join a KruskalForest along the allowed merges of a tree, in their order; it changes in place.

    D (n, n); tree: children, first, size, leaves as number_merges gives them; allowed (n-1,) bool; mentioned (n,) bool:
    items that an answer names. Where the two sides of a merge are in several trees, the trees whose mentioned items
    are nearest join first. O(n + pairs of mentioned items below one allowed merge).
    """
    children, first, size, leaves = tree.children, tree.first, tree.size, tree.leaves
    n = D.shape[0]
    below = np.zeros(n + 1, np.int64)
    for p in range(n):
        below[p + 1] = below[p] + mentioned[leaves[p]]
    marked = leaves[mentioned[leaves]]
    for k in range(n - 1):
        if not allowed[k]:
            continue
        a, b = children[k]
        left = marked[below[first[a]] : below[first[a] + size[a]]]
        right = marked[below[first[b]] : below[first[b] + size[b]]]
        if len(left) == 0:
            left = leaves[first[a] : first[a] + 1]
        if len(right) == 0:
            right = leaves[first[b] : first[b] + 1]
        _join_nearest(D, left, right, forest)


@njit(cache=True)
def _join_nearest(D, left, right, forest):
    """Join every tree of the left items to every tree of the right ones that it may join, nearest first."""
    left_at, n_left = _number_trees(left, forest.parent)
    right_at, n_right = _number_trees(right, forest.parent)
    gap = np.full(n_left * n_right, np.inf)
    i_of, j_of = np.zeros(n_left * n_right, np.int64), np.zeros(n_left * n_right, np.int64)
    for s in range(len(left)):
        for t in range(len(right)):
            at = left_at[s] * n_right + right_at[t]
            if D[left[s], right[t]] < gap[at]:
                gap[at] = D[left[s], right[t]]
                i_of[at], j_of[at] = left[s], right[t]
            if n_left * n_right == 1:
                break
        if n_left * n_right == 1:
            break
    for at in np.argsort(gap, kind="mergesort"):
        join_pair(i_of[at], j_of[at], forest)


@njit(cache=True)
def _number_trees(items, parent):
    """Tree of every item, numbered by first appearance, and how many there are."""
    number, roots = np.empty(len(items), np.int64), np.empty(len(items), np.int64)
    count = 0
    for s in range(len(items)):
        root = find_root(parent, items[s])
        at = 0
        while at < count and roots[at] != root:
            at += 1
        if at == count:
            roots[count] = root
            count += 1
        number[s] = at
    return number, count


@njit(cache=True)
def find_blocks(children, parent, labels):
    """Largest subtrees whose items share one label that is not -1: their nodes (m,), rising. O(n).

    children (n-1, 2), parent (2n-1,): the tree; labels (n,).
    """
    n = children.shape[0] + 1
    shared = np.full(2 * n - 1, -1, np.int64)
    shared[:n] = labels
    for k in range(n - 1):
        a, b = children[k]
        if shared[a] == shared[b]:
            shared[n + k] = shared[a]
    is_top = np.zeros(2 * n - 1, np.bool_)
    for v in range(2 * n - 1):
        is_top[v] = shared[v] >= 0 and (parent[v] < 0 or shared[parent[v]] < 0)
    return np.flatnonzero(is_top)


def sum_distances(
    D: NDArray[Any], labels: NDArray[np.int64], n_clusters: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of distances between clusters (K, K), and of every item to its own cluster (n,). O(n²).

    D (n, n); labels (n,) 0 … K-1, each of them used.
    """
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels, minlength=n_clusters))
    between = np.zeros((n_clusters, n_clusters))
    own = np.empty(len(D))
    run_blocks(
        lambda start, stop: add_rows(D, labels, order, ends, start, stop, between, own),
        n_clusters,
        D.size,
        block=max(1, n_clusters // 32),
    )
    return between, own


@njit(cache=True, nogil=True)
def add_rows(D, labels, order, ends, start, stop, between, own):
    """The rows start … stop of what sum_distances gives. O(n) an item of these clusters."""
    for c in range(start, stop):
        total = between[c]
        for p in range(ends[c - 1] if c > 0 else 0, ends[c]):
            i = order[p]
            before = total[c]
            row = D[i]
            for j in range(D.shape[0]):
                total[labels[j]] += row[j]
            own[i] = total[c] - before
