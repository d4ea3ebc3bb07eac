"""Cutting a tree of merges (see average_linkage), and what lies between the clusters."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.kernel import kernel
from likewise.kernels.threads import run_blocks


@kernel()
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


@kernel()
def close_again(children, parent, wanted, at, closed):
    """Bring what close_below gave up to date, in place, after `wanted` changed for some merges at (m,), rising.

    children (n-1, 2), parent (2n-1,): the tree; wanted, closed (n-1,) bool. Returns the merges whose value changed, or changed
    and changed back. O(m + these).
    """
    n = children.shape[0] + 1
    changed = np.empty(len(at) + 64, np.int64)
    count = 0
    for start in at:
        k = start
        while k >= 0:
            value = wanted[k]
            for child in children[k]:
                value = value and (child < n or closed[child - n])
            if value == closed[k]:
                break
            closed[k] = value
            if count == len(changed):
                more = np.empty(2 * count, np.int64)
                more[:count] = changed
                changed = more
            changed[count] = k
            count += 1
            k = parent[n + k] - n
    return changed[:count].copy()


@kernel(nogil=True)
def follow_odds(height, log_pairs, curve, to_join, to_part, joined):
    """Change which merges are joined, (n-1,) bool in place, where the log-odds are above to_join or below -to_part.

    height, log_pairs (n-1,); curve: a, b, c of the log-odds a - b d - c log s. O(n).
    """
    for k in range(len(joined)):
        odds = curve[0] - curve[1] * height[k] - curve[2] * log_pairs[k]
        joined[k] = odds > to_join or (joined[k] and odds >= -to_part)


@kernel()
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


@kernel()
def find_lowest(children):
    """The lowest item below every node (2n-1,); children (n-1, 2). O(n)."""
    n = children.shape[0] + 1
    lowest = np.arange(2 * n - 1)
    for k in range(n - 1):
        lowest[n + k] = min(lowest[children[k, 0]], lowest[children[k, 1]])
    return lowest


@kernel()
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


@kernel(nogil=True)
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
