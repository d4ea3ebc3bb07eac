"""Average linkage by chains of nearest neighbours, and its tree as arrays.

Nodes 0 … n-1 are the items, node n+k is the k-th merge; heights never fall from one merge to the next.
"""

import numpy as np

from likewise.kernels.graphs.union_find import find_root
from likewise.kernels.kernel import kernel


@kernel(nogil=True)
def link_average(D):
    """Merges of average linkage over distances D (n, n), which are overwritten. O(n²).

    Returns left, right (n-1,) int64, one item of each side, and height (n-1,) float64, in the order found.
    """
    n = D.shape[0]
    size = np.ones(n, np.int64)
    reached = np.zeros(n)
    alive = np.ones(n, np.bool_)
    left, right, height = np.empty(n - 1, np.int64), np.empty(n - 1, np.int64), np.empty(n - 1)
    chain = np.empty(n, np.int64)
    length, start = 0, 0
    for k in range(n - 1):
        if length == 0:
            while not alive[start]:
                start += 1
            chain[0] = start
            length = 1
        while True:
            x = chain[length - 1]
            y, best = chain[length - 2] if length > 1 else -1, np.inf
            if length > 1:
                best = D[x, y]
            row = D[x]
            for j in range(n):
                if row[j] < best and alive[j] and j != x:
                    best = row[j]
                    y = j
            if length > 1 and y == chain[length - 2]:
                break
            chain[length] = y
            length += 1
        length -= 2
        if x > y:
            x, y = y, x
        # Rounding may put a merge a hair below the merges it is made of.
        height[k] = max(best, reached[x], reached[y])
        left[k], right[k] = x, y
        _absorb(D, alive, size, x, y)
        reached[y] = height[k]
    return left, right, height


@kernel(nogil=True)
def _absorb(D, alive, size, x, y):
    """Row and column y become those of x and y together; x goes."""
    alive[x] = False
    total = size[x] + size[y]
    a, b = size[x] / total, size[y] / total
    for j in range(D.shape[0]):
        if alive[j] and j != y:
            mean = a * D[x, j] + b * D[y, j]
            D[y, j] = mean
            D[j, y] = mean
    size[y] = total


@kernel()
def number_merges(left, right, order):
    """The tree whose merges happen in the given order: arrays over its 2n-1 nodes. O(n).

    Returns children (n-1, 2), size (2n-1,), parent (2n-1,) with -1 for the root, first (2n-1,) and leaves (n,):
    the items below node v are leaves[first[v] : first[v] + size[v]]; all int64. The larger child comes first (ties: the
    lower node), so that the first leaf of a node lies where it is thickest.
    """
    n = left.shape[0] + 1
    node, root = np.arange(n), np.arange(n)
    children = np.empty((n - 1, 2), np.int64)
    size = np.ones(2 * n - 1, np.int64)
    parent = np.full(2 * n - 1, -1, np.int64)
    for k in range(n - 1):
        a, b = find_root(root, left[order[k]]), find_root(root, right[order[k]])
        large, small = min(node[a], node[b]), max(node[a], node[b])
        if size[large] < size[small]:
            large, small = small, large
        children[k, 0], children[k, 1] = large, small
        size[n + k] = size[large] + size[small]
        parent[large] = parent[small] = n + k
        root[a] = b
        node[b] = n + k
    first = np.zeros(2 * n - 1, np.int64)
    for k in range(n - 2, -1, -1):
        large, small = children[k]
        first[large] = first[n + k]
        first[small] = first[n + k] + size[large]
    leaves = np.empty(n, np.int64)
    for i in range(n):
        leaves[first[i]] = i
    return children, size, parent, first, leaves
