"""Labels of the items below nodes of a tree of merges (see average_linkage), written only where they are others."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.kernel import kernel

NONE = -1


class WrittenLabels(NamedTuple):
    """Labels of all items, and the nodes below which they were written as a whole.

    The nodes written are a partition of the items: the units that were joined, and the largest allowed subtrees
    without a named item.

    - `labels` (n,): Label of every item.
    - `shown` (2n-1,): Label of all items below a node that was written, else -1.
    - `touched` (n,): Room for the items whose label changes.
    """

    labels: NDArray[np.int64]
    shown: NDArray[np.int64]
    touched: NDArray[np.int64]


class Places(NamedTuple):
    """What the tree falls into when named items are joined along it.

    - `items` (m,): The named items.
    - `nodes`: The allowed merges above them.
    - `units` (u,): The named items and the subtrees without any that hang below the nodes, as nodes.
    """

    items: NDArray[np.int64]
    nodes: NDArray[np.int64]
    units: NDArray[np.int64]


@kernel()
def write_labels(tree, allowed, flipped, before, now, heads, at, written):
    """Write the labels of units, and those of the other largest allowed subtrees: their lowest items.

    tree: as in tree_joins; allowed (n-1,) bool, as close_below gives it; flipped: the merges for which this may have changed
    since the last time, all of them at first; before, now: Places of the last time and of this one; heads (u,): label of
    every unit; at (2n-1,): -2 - u for unit u, a place among the nodes, or -1; written: WrittenLabels. Returns the items whose
    label changed, rising. O(nodes and units of both + items below what was not written so the last time).
    """
    n = len(tree.leaves)
    shown = written.shown
    for v in before.units:
        if at[v] >= NONE:
            shown[v] = NONE
    for v in now.nodes:
        shown[v] = NONE
    for k in flipped:
        for v in (n + k, tree.children[k, 0], tree.children[k, 1]):
            if at[v] >= NONE:
                shown[v] = NONE
    count = 0
    for u in range(len(now.units)):
        count = _write(tree, now.units[u], heads[u], written, count)
    for k in flipped:
        for v in (n + k, tree.children[k, 0], tree.children[k, 1]):
            up = tree.parent[v]
            if at[v] == NONE and (v < n or allowed[v - n]) and (up == NONE or not allowed[up - n]):
                count = _write(tree, v, tree.lowest[v], written, count)
    for i in before.items:  # where nothing is named any more
        v = i
        while at[v] == NONE and tree.parent[v] != NONE and allowed[tree.parent[v] - n]:
            v = tree.parent[v]
        if at[v] == NONE:
            count = _write(tree, v, tree.lowest[v], written, count)
    return np.sort(written.touched[:count])


@kernel()
def _write(tree, v, label, written, count):
    """Write the label of all items below a node, if it was not written so; how many items have been touched."""
    if written.shown[v] == label:
        return count
    written.shown[v] = label
    for place in range(tree.first[v], tree.first[v] + tree.size[v]):
        i = tree.leaves[place]
        if written.labels[i] != label:
            written.labels[i] = label
            written.touched[count] = i
            count += 1
    return count


@kernel()
def share_inside(graph, tree, allowed, items):
    """Of each of some items (m,), the weight of its neighbours that lie in the largest allowed subtree around it, (m,).

    graph: starts (n+1,), ends, weights; tree, allowed: as in write_labels. O(m · (depth + neighbours)).
    """
    starts, ends, weights = graph
    n = len(tree.leaves)
    found = np.zeros(len(items))
    for k in range(len(items)):
        v = items[k]
        while tree.parent[v] != NONE and allowed[tree.parent[v] - n]:
            v = tree.parent[v]
        low, high = tree.first[v], tree.first[v] + tree.size[v]
        for e in range(starts[items[k]], starts[items[k] + 1]):
            if low <= tree.first[ends[e]] < high:
                found[k] += weights[e]
    return found
