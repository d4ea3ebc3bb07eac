"""Disjoint sets as a parent array: ``parent[i] == i`` marks a root."""

import numpy as np

from likewise.kernels.kernel import kernel


@kernel()
def find_root(parent, i):
    """Root of i, halving the path on the way. parent (n,) int; near-constant amortised."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel()
def merge_roots(parent, size, a, b):
    """Hang the smaller of two roots under the larger (ties: under the lower index); the new root. O(1)."""
    if size[a] < size[b] or (size[a] == size[b] and b < a):
        a, b = b, a
    parent[b] = a
    size[a] += size[b]
    return a


@kernel()
def merge_pairs(n, pairs):
    """Roots (n,) after joining every pair; pairs (m, 2) int. O(n + m)."""
    parent = np.arange(n)
    size = np.ones(n, np.int64)
    for k in range(pairs.shape[0]):
        a = find_root(parent, pairs[k, 0])
        b = find_root(parent, pairs[k, 1])
        if a != b:
            merge_roots(parent, size, a, b)
    for i in range(n):
        parent[i] = find_root(parent, i)
    return parent


@kernel()
def number_roots(parent):
    """Labels (n,) 0, 1, … in order of first appearance, from a parent array. O(n)."""
    n = parent.shape[0]
    label_of_root = np.full(n, -1, np.int64)
    labels = np.empty(n, np.int64)
    count = 0
    for i in range(n):
        root = find_root(parent, i)
        if label_of_root[root] < 0:
            label_of_root[root] = count
            count += 1
        labels[i] = label_of_root[root]
    return labels
