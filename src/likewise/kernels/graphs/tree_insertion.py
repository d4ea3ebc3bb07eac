"""New items put into a tree of merges: each beside the set that it is as near to as the set's own parts are to each other."""

import numpy as np
from numba import njit

from likewise.kernels.graphs.tree_joins import gap_between

N_MEASURED = 16  # items of a set that the distance to it is measured from, or up to twice as many
NONE = -1


@njit(cache=True, nogil=True)
def insert_items(points, tree, indices, before):
    """Where new items come into a tree: an item (m,) that each is merged with, and the height (m,) of that merge.

    points (n+m, d): vectors, those of the tree's n items first; tree: as number_merges gives it, with height; indices (m, k):
    nearest of every new item among all, nearest first; before (m,): its nearest among the first n. A new item goes to the
    lowest set around the nearest that is there already (new ones come in one after another) whose merge with the rest is not
    below its own with the item. O(m · depth · d).
    """
    n, m = len(tree.leaves), len(before)
    parent = np.full(2 * n - 1 + 2 * m, NONE)
    parent[: 2 * n - 1] = tree.parent
    height, base = np.zeros(len(parent)), np.arange(len(parent))
    height[n : 2 * n - 1] = tree.height
    beside, found = np.empty(m, np.int64), np.empty(m)
    for t in range(m):
        beside[t] = before[t]
        for j in indices[t]:
            if j < n + t:
                beside[t] = j
                break
        v = beside[t] if beside[t] < n else beside[t] + n - 1
        own = _mean_gap(points, tree, n + t, base[v])
        while parent[v] != NONE and max(own, height[v]) > height[parent[v]]:
            v = parent[v]
            own = _mean_gap(points, tree, n + t, base[v])
        found[t] = max(own, height[v])
        merge = 2 * n - 1 + m + t
        parent[merge], parent[v], parent[2 * n - 1 + t] = parent[v], merge, merge
        height[merge], base[merge] = found[t], base[v]
    return beside, found


@njit(cache=True, nogil=True)
def _mean_gap(points, tree, i, v):
    """Mean distance of item i to those of the tree's items that are below node v; to the new item of a new node."""
    n = len(tree.leaves)
    if v >= 2 * n - 1:
        return gap_between(points, False, i, v - n + 1)
    step = max(1, tree.size[v] // N_MEASURED)
    total, count = 0.0, tree.size[v] // step
    for s in range(count):
        total += gap_between(points, False, i, tree.leaves[tree.first[v] + s * step])
    return total / count
