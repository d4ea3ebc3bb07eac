"""Bridges of a graph: edges without which what they join would no longer be connected."""

import numpy as np

from likewise.kernels.kernel import kernel


@kernel()
def find_bridges(n, left, right):
    """Bridges of an undirected graph, and what lies beyond each.

    left, right (m,): the ends of the edges, 0 … n-1; an edge given twice is no bridge. Returns order (n,), the nodes
    with every connected part together; head (n,) and size (n,), where in it the part of a node begins and how large it is;
    first (m,) and count (m,), where in it the nodes beyond an edge lie, or a count of 0 for an edge that is no bridge. O(n + m).
    """
    m = len(left)
    starts, edges = _incident(n, left, right)
    order, head, size = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    first, count = np.zeros(m, np.int64), np.zeros(m, np.int64)
    position, low = np.full(n, -1), np.empty(n, np.int64)
    came, next_edge = np.full(n, -1), starts[:-1].copy()
    n_seen = 0
    for root in range(n):
        if position[root] >= 0:
            continue
        begin = n_seen
        position[root] = low[root] = n_seen
        order[n_seen] = root
        n_seen += 1
        v = root
        while True:
            if next_edge[v] < starts[v + 1]:
                e = edges[next_edge[v]]
                next_edge[v] += 1
                if e == came[v]:
                    continue
                w = right[e] if left[e] == v else left[e]
                if position[w] >= 0:
                    low[v] = min(low[v], position[w])
                else:
                    position[w] = low[w] = n_seen
                    order[n_seen] = w
                    n_seen += 1
                    came[w] = e
                    v = w
                continue
            if v == root:
                break
            e = came[v]
            above = right[e] if left[e] == v else left[e]
            low[above] = min(low[above], low[v])
            if low[v] > position[above]:
                first[e], count[e] = position[v], n_seen - position[v]
            v = above
        for at in range(begin, n_seen):
            head[order[at]], size[order[at]] = begin, n_seen - begin
    return order, head, size, first, count


@kernel()
def _incident(n, left, right):
    """The edges at each node: edges[starts[v] : starts[v + 1]]."""
    starts = np.zeros(n + 1, np.int64)
    for e in range(len(left)):
        starts[left[e] + 1] += 1
        starts[right[e] + 1] += 1
    starts = np.cumsum(starts)
    edges, filled = np.empty(starts[-1], np.int64), starts[:-1].copy()
    for e in range(len(left)):
        for v in (left[e], right[e]):
            edges[filled[v]] = e
            filled[v] += 1
    return starts, edges


@kernel()
def share_around(graph, labels, components, first, count, wanted, most):
    """Share of a label among the neighbours of sets of nodes that lie outside the sets.

    graph: starts (n+1,), ends, weights of the neighbours; labels (n,); components: order, head, size as in find_bridges.
    Set k is order[first[k] : first[k] + count[k]], or with a negative count the rest of that component without it;
    wanted (k,): its label. Of each set the first `most` nodes count. Returns shares (k,), ½ without such neighbours.
    """
    starts, ends, weights = graph
    order, head, size = components
    n = len(order)
    position = np.empty(n, np.int64)
    for at in range(n):
        position[order[at]] = at
    shares = np.full(len(first), 0.5)
    for k in range(len(first)):
        begin, end = first[k], first[k] + abs(count[k])
        whole = head[order[begin]]
        rest = count[k] < 0
        total, hit, looked = 0.0, 0.0, 0
        for at in range(whole, whole + size[order[begin]]) if rest else range(begin, end):
            if rest and begin <= at < end:
                continue
            looked += 1
            if looked > most:
                break
            v = order[at]
            for e in range(starts[v], starts[v + 1]):
                there = position[ends[e]]
                within = begin <= there < end
                if rest:
                    within = not within and whole <= there < whole + size[v]
                if not within:
                    total += weights[e]
                    if labels[ends[e]] == wanted[k]:
                        hit += weights[e]
        if total > 0:
            shares[k] = hit / total
    return shares
