"""The maximum spanning arborescence of a dense graph: Chu-Liu/Edmonds with contracted nodes kept as rows."""

import numpy as np
from numba import njit


@njit(cache=True)
def find_arborescence(weights, root):
    """Parent (n,) int64 of every node in the tree from `root` of greatest total weight; -1 at the root.

    weights (n, n) float64, weights[p, c] of the edge from p to c, finite; the diagonal and the column of the
    root are not read. Ties go to the parent of the lowest index. O(n²) time and memory.
    """
    n = weights.shape[0]
    source, target, above, n_nodes = _contract_all(weights, root)
    return _expand_all(root, n, source, target, above, n_nodes)


@njit(cache=True)
def _contract_all(weights, root):
    """Grow a path of best incoming edges and contract its cycles until one node is left (Gabow et al. 1986)."""
    n = weights.shape[0]
    into = np.empty((2 * n, n))  # best gain of an edge from an original node into a node
    head = np.empty((2 * n, n), np.int64)  # the original node where that edge ends
    for v in range(n):
        for u in range(n):
            # Edges into the root, worth nothing, let every path go on until all is one node.
            into[v, u] = 0.0 if v == root else weights[u, v]
            head[v, u] = v
    top = np.arange(n)
    source, target = np.full(2 * n, -1), np.full(2 * n, -1)
    above, position = np.full(2 * n, -1), np.full(2 * n, -1)
    gain = np.zeros(2 * n)
    path = np.empty(n + 1, np.int64)
    path[0] = 0
    position[0] = 0
    length, n_nodes, n_left = 1, n, n
    while n_left > 1:
        a = path[length - 1]
        best = -1
        for u in range(n):
            if top[u] != a and (best < 0 or into[a, u] > into[a, best]):
                best = u
        source[a], target[a], gain[a] = best, head[a, best], into[a, best]
        b = top[best]
        if position[b] < 0:
            position[b] = length
            path[length] = b
            length += 1
            continue
        start = position[b]
        _contract(path[start:length], n_nodes, into, head, gain, top, above)
        n_left -= length - start - 1
        length = start + 1
        path[start] = n_nodes
        position[n_nodes] = start
        n_nodes += 1
    return source, target, above, n_nodes


@njit(cache=True)
def _contract(cycle, node, into, head, gain, top, above):
    """Make one node of a cycle: an edge into a member gains what it has over the cycle's own edge there."""
    n = into.shape[1]
    into[node] = -np.inf
    for s in cycle:
        above[s] = node
        for u in range(n):
            if into[s, u] - gain[s] > into[node, u]:
                into[node, u] = into[s, u] - gain[s]
                head[node, u] = head[s, u]
    for u in range(n):
        if top[u] < node and above[top[u]] == node:
            top[u] = node


@njit(cache=True)
def _expand_all(root, n, source, target, above, n_nodes):
    """Open the contracted nodes from the outside: the edge that enters one replaces the cycle's own edge there."""
    parent = np.full(n, -1)
    opened = np.zeros(n_nodes, np.bool_)
    s = root
    while s >= 0:
        opened[s] = True
        s = above[s]
    for node in range(n_nodes - 1, -1, -1):
        if opened[node]:
            continue
        # Everything above is open by now, so this node's own edge is part of the tree.
        parent[target[node]] = source[node]
        s = target[node]
        while s != node:
            opened[s] = True
            s = above[s]
        opened[node] = True
    return parent
