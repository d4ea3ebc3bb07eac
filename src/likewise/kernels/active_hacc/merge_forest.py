"""The merges of one Kruskal run as a forest in which every tree is an interval of positions.

Nodes 0 … g-1 are the must-link groups, numbered by *position*: the order of leaves in the forest. Node g+t is the t-th
merge. A node's id tells its age: the trees before merge t are the nodes below g+t whose parent is not.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from likewise.kernels.graphs.union_find import find_root

PARENT, LOW, HIGH, SIZE, CANNOT, CANNOT_END, REFUSED, REFUSED_END, LEFT, RIGHT, LEFT_END, RIGHT_END, RANK = range(13)


class MergeForest(NamedTuple):
    """Nodes, and the positions of the items.

    - `nodes` (g+m+1, 16), int32: Parent (g+m where there is none), positions low … high-1, items, entries of
      `cannot`, entries of the refused edges once they are listed; for a merge its children, the two positions that
      its edge joins, and the edge's rank.
    - `cannot` (2c,), int32: Positions under a cannot-link with each position, by position.
    - `position` (n,): Position of each item.
    - `item`, `item_start` (n,), uint32, and (g+1,): Items by position.
    """

    nodes: NDArray[np.int32]
    cannot: NDArray[np.int32]
    position: NDArray[np.int64]
    item: NDArray[np.uint32]
    item_start: NDArray[np.int64]


def grow_forest(groups, n_groups, left_item, right_item, accepted, barred_pairs):
    """MergeForest of the accepted edges.

    groups (n,) labels 0 … g-1; left_item, right_item: edge ends by rank; accepted (m,) ranks, ascending;
    barred_pairs (c, 2) groups under a cannot-link. O(n log n + c log c).
    """
    nodes = np.zeros((n_groups + len(accepted) + 1, 16), np.int32)
    merges = nodes[n_groups:-1]
    merges[:, LEFT_END], merges[:, RIGHT_END] = groups[left_item[accepted]], groups[right_item[accepted]]
    merges[:, RANK] = accepted
    _link_nodes(nodes, n_groups)
    position = _place_leaves(nodes, n_groups)
    for column in (LEFT, RIGHT, LEFT_END, RIGHT_END):
        ends = merges[:, column]
        merges[:, column] = np.where(ends < n_groups, position[np.minimum(ends, n_groups - 1)], ends)
    nodes[position, PARENT] = nodes[:n_groups, PARENT].copy()
    nodes[:n_groups, LOW] = np.arange(n_groups)
    nodes[:n_groups, HIGH] = np.arange(1, n_groups + 1)
    item_position = position[groups]
    item_start = np.searchsorted(np.sort(item_position), np.arange(n_groups + 1))
    barred = position[np.vstack([barred_pairs, barred_pairs[:, ::-1]])]
    barred = barred[np.argsort(barred[:, 0], kind="stable")]
    cannot_start = np.searchsorted(barred[:, 0], np.arange(n_groups + 1))
    low, high = nodes[:-1, LOW], nodes[:-1, HIGH]
    nodes[:-1, SIZE] = item_start[high] - item_start[low]
    nodes[:-1, CANNOT], nodes[:-1, CANNOT_END] = cannot_start[low], cannot_start[high]
    item = np.argsort(item_position, kind="stable").astype(np.uint32)
    return MergeForest(nodes, barred[:, 1].astype(np.int32), item_position, item, item_start)


def list_trees(nodes, n_groups, n_merges):
    """The trees after n_merges, along the positions: their nodes, int64. O(g + m)."""
    limit = n_groups + n_merges
    trees = np.flatnonzero(nodes[:limit, PARENT] >= limit)
    return trees[np.argsort(nodes[trees, LOW])]


@njit(cache=True)
def _link_nodes(nodes, g):
    """Children and parents from the ends of the merges. O(m log m)."""
    none = nodes.shape[0] - 1
    root = np.arange(none)
    nodes[:, PARENT] = none
    for node in range(g, none):
        a, b = find_root(root, nodes[node, LEFT_END]), find_root(root, nodes[node, RIGHT_END])
        nodes[node, LEFT], nodes[node, RIGHT] = a, b
        nodes[a, PARENT] = nodes[b, PARENT] = node
        root[a] = root[b] = node


@njit(cache=True)
def _place_leaves(nodes, g):
    """Position (g,) of every group; sets the intervals of the merges. O(g + m)."""
    none = nodes.shape[0] - 1
    width = np.ones(none, np.int64)
    for node in range(g, none):
        width[node] = width[nodes[node, LEFT]] + width[nodes[node, RIGHT]]
    low = np.empty(none, np.int64)
    placed = 0
    for node in range(none - 1, -1, -1):
        if nodes[node, PARENT] == none:
            low[node] = placed
            placed += width[node]
        if node >= g:
            low[nodes[node, LEFT]] = low[node]
            low[nodes[node, RIGHT]] = low[node] + width[nodes[node, LEFT]]
            nodes[node, LOW] = low[node]
            nodes[node, HIGH] = low[node] + width[node]
    return low[:g]
