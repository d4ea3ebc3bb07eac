"""Blocks of a tree of merges, the largest subtrees whose items share one label, found anew only around what changed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.kernel import kernel


class TreeBlocks(NamedTuple):
    """What is known of every node, (2n-1,) each; at first -1 and False everywhere.

    - `shared`: The one label of all items below a node, or -1.
    - `is_top`: Whether it is a block: all below it share a label, and not all below its parent.
    """

    shared: NDArray[np.int64]
    is_top: NDArray[np.bool_]


class BlockValues(NamedTuple):
    """What is known of subtrees whose items share a label, (m,) each.

    - `label`: Label of its items.
    - `size`: Number of its items.
    - `share`: Mean of a value of its items.
    - `height`, `log_pairs`: Those of the merge above it; a height of -1 where there is none.
    """

    label: NDArray[np.int64]
    size: NDArray[np.float64]
    share: NDArray[np.float64]
    height: NDArray[np.float64]
    log_pairs: NDArray[np.float64]


@kernel(nogil=True)
def find_blocks_again(tree, items, labels, cores, blocks):
    """Bring blocks up to date, in place, after the labels of some items (m,) changed, all of them at first.

    tree: children, parent as number_merges gives them; labels (n,), not -1; cores (n,) bool: items taken to have no label;
    blocks: TreeBlocks. Returns the nodes that are a block now and were none, or the other way round.
    O(m + nodes above them whose value changes).
    """
    n = len(labels)
    shared, is_top = blocks
    noted = np.empty(len(items) + 64, np.int64)
    count = 0
    for i in items:
        v, value = i, -1 if cores[i] else labels[i]
        while shared[v] != value:
            shared[v] = value
            if count == len(noted):
                more = np.empty(2 * count, np.int64)
                more[:count] = noted
                noted = more
            noted[count] = v
            count += 1
            if tree.parent[v] < 0:
                break
            v = tree.parent[v]
            a, b = tree.children[v - n]
            value = shared[a] if shared[a] == shared[b] else -1
    flipped = np.empty(3 * count, np.int64)
    n_flipped = 0
    for v in noted[:count]:
        left, right = (tree.children[v - n, 0], tree.children[v - n, 1]) if v >= n else (v, v)
        for w in (v, left, right):
            up = tree.parent[w]
            value = shared[w] >= 0 and (up < 0 or shared[up] < 0)
            if is_top[w] != value:
                is_top[w] = value
                flipped[n_flipped] = w
                n_flipped += 1
    return flipped[:n_flipped].copy()


@kernel(nogil=True)
def blocks_around(tree, items, blocks):
    """The blocks that some items (m,) are in, as nodes, rising. O(m · depth of the blocks)."""
    found = np.empty(len(items), np.int64)
    count = 0
    for i in items:
        v = i
        while blocks.shared[v] >= 0 and not blocks.is_top[v]:
            v = tree.parent[v]
        if blocks.is_top[v] and (count == 0 or found[count - 1] != v):
            found[count] = v
            count += 1
    return np.unique(found[:count])


@kernel(nogil=True)
def describe_blocks(tree, nodes, own, labels):
    """BlockValues of subtrees whose items share a label, given as nodes (m,). O(leaves below them).

    own (n,): the value of every leaf, by its place; labels (n,): label of every item.
    """
    n = len(own)
    found = BlockValues(
        labels[tree.leaves[tree.first[nodes]]],
        tree.size[nodes].astype(np.float64),
        np.zeros(len(nodes)),
        np.full(len(nodes), -1.0),
        np.zeros(len(nodes)),
    )
    for k in range(len(nodes)):
        v = nodes[k]
        total = 0.0
        for place in range(tree.first[v], tree.first[v] + tree.size[v]):
            total += own[place]
        found.share[k] = total / tree.size[v]
        if tree.parent[v] >= 0:
            found.height[k] = tree.height[tree.parent[v] - n]
            found.log_pairs[k] = tree.log_pairs[tree.parent[v] - n]
    return found
