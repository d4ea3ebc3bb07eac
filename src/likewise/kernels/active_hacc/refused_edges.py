"""The edges that a Kruskal run refused, listed by the trees they met.

An edge was refused because its ends lay in one tree, or in two trees under a cannot-link. Only such edges can join in a run
with one more constraint what the first run did not join.
"""

import numpy as np
from numba import njit

from likewise.kernels.active_hacc.merge_forest import CANNOT, CANNOT_END, LEFT, RANK, REFUSED, REFUSED_END, RIGHT
from likewise.kernels.graphs.union_find import find_root

EDGE_RANK, EDGE_MERGE, NEAR, FAR, WITNESS, FAR_NODE = range(6)


def list_refused(forest, left_item, right_item, n_edges):
    """Refused edges (e, 6) int32 among the first n_edges ranks, by node, then by rank; sets their columns in nodes.

    An entry holds the rank, the number of merges before, the end in this node and the other end; where two trees met,
    a position of this node under a cannot-link with one in the other tree, and that tree. It is in the lists of both.
    Between two groups only the first edge is listed, and none that a constraint closes for good. O(edges + merges ·
    groups touched by a cannot-link + g · groups of several).
    """
    nodes, cannot = forest.nodes, forest.cannot
    g = len(forest.item_start) - 1
    row = np.full(len(nodes), -1)
    touched = np.flatnonzero(nodes[:g, CANNOT] < nodes[:g, CANNOT_END])
    row[touched] = np.arange(len(touched))
    owner = np.repeat(np.arange(g), nodes[:g, CANNOT_END] - nodes[:g, CANNOT])
    between = np.full((len(touched), len(touched)), -1, np.int32)
    between[row[owner], row[cannot]] = owner
    met_row = np.full(g, -1)
    several = np.flatnonzero(np.diff(forest.item_start) > 1)
    met_row[several] = np.arange(len(several))
    met = np.zeros((len(several), g), np.bool_)
    refused, tree = _replay(forest, left_item[:n_edges], right_item[:n_edges], row, between, met_row, met)
    return _sort_by_node(nodes, refused, tree)


@njit(cache=True)
def _replay(forest, left_item, right_item, row, between, met_row, met):
    """Refused edges in order (e, 6): rank, merges before, both ends, both witnesses; and the trees they met (e, 2).

    row (g+m+1,) row of a node in between, -1 without cannot-links; between (r, r) a position of the first under a cannot-link
    with the second; met_row (g,) row in met of a group of several items, -1 for the others; met (s, g) groups already met.
    """
    nodes, cannot, position = forest.nodes, forest.cannot, forest.position
    g = met_row.shape[0]
    n_edges = left_item.shape[0]
    refused = np.empty((n_edges, 6), np.int32)
    tree = np.empty((n_edges, 2), np.int32)
    root = np.arange(nodes.shape[0])
    new = g
    n = 0
    for k in range(n_edges):
        x, y = position[left_item[k]], position[right_item[k]]
        if x == y or _have_met(met_row, met, x, y) or _is_closed(nodes, cannot, x, y):
            continue
        if new < nodes.shape[0] - 1 and nodes[new, RANK] == k:
            a, b = nodes[new, LEFT], nodes[new, RIGHT]
            root[a] = root[b] = new
            row[new] = _merge_witnesses(between, row[a], row[b])
            new += 1
            continue
        a, b = find_root(root, x), find_root(root, y)
        tree[n, 0], tree[n, 1] = a, b
        refused[n, 0], refused[n, 1], refused[n, 2], refused[n, 3] = k, new - g, x, y
        refused[n, 4] = refused[n, 5] = -1
        if a != b:
            refused[n, 4], refused[n, 5] = between[row[a], row[b]], between[row[b], row[a]]
        n += 1
    return refused[:n], tree[:n]


@njit(cache=True)
def _have_met(met_row, met, x, y):
    if met_row[x] < 0:
        x, y = y, x
    if met_row[x] < 0:
        return False
    if met[met_row[x], y]:
        return True
    met[met_row[x], y] = True
    if met_row[y] >= 0:
        met[met_row[y], x] = True
    return False


@njit(cache=True)
def _is_closed(nodes, cannot, x, y):
    for s in range(nodes[x, CANNOT], nodes[x, CANNOT_END]):
        if cannot[s] == y:
            return True
    return False


@njit(cache=True)
def _merge_witnesses(between, kept, gone):
    """Give row `kept` the witnesses of row `gone`; the row of the new tree."""
    if kept < 0 or gone < 0:
        return max(kept, gone)
    for c in range(between.shape[0]):
        if between[gone, c] >= 0 and between[kept, c] < 0:
            between[kept, c] = between[gone, c]
            between[c, kept] = between[c, gone]
    return kept


@njit(cache=True)
def _sort_by_node(nodes, refused, tree):
    for k in range(refused.shape[0]):
        nodes[tree[k, 0], REFUSED_END] += 1
        if tree[k, 0] != tree[k, 1]:
            nodes[tree[k, 1], REFUSED_END] += 1
    total = 0
    for node in range(nodes.shape[0]):
        nodes[node, REFUSED] = total
        total += nodes[node, REFUSED_END]
        nodes[node, REFUSED_END] = nodes[node, REFUSED]
    edges = np.empty((total, 6), np.int32)
    for k in range(refused.shape[0]):
        for side in range(1 if tree[k, 0] == tree[k, 1] else 2):
            at = nodes[tree[k, side], REFUSED_END]
            nodes[tree[k, side], REFUSED_END] += 1
            edges[at, EDGE_RANK], edges[at, EDGE_MERGE] = refused[k, 0], refused[k, 1]
            edges[at, NEAR], edges[at, FAR] = refused[k, 2 + side], refused[k, 3 - side]
            edges[at, WITNESS], edges[at, FAR_NODE] = refused[k, 4 + side], tree[k, 1 - side]
    return edges
