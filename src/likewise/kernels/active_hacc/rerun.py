"""What a Kruskal run would have become with one more constraint, kept as its difference to the run that was.

The *region* is the part of the items in which the two runs differ: a union of old trees (nodes of the forest) and, cut
otherwise, of new trees (*parts*, each made of *pieces*: nodes that came in whole). Outside it the runs agree. So the new
run's next step in the region is one of two, whichever comes first:

- an old merge of a tree of the region: it joins two parts, or is refused if a cannot-link lies between them;
- an edge that the old run refused, because its ends lay in one tree or in two trees under a cannot-link, while in the
  new run they lie in two parts, or a part and a tree outside, that are free to join.

Every other edge does in the new run what it did in the old. Small functions are inlined: a call with a tuple of arrays
counts references, which costs more than most steps.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from likewise.kernels.active_hacc.merge_forest import CANNOT, CANNOT_END, HIGH, LOW, REFUSED, REFUSED_END
from likewise.kernels.active_hacc.refused_edges import EDGE_RANK, FAR, FAR_NODE, NEAR, WITNESS

NODE, NEXT = range(2)
HEAD, PARTS, SPARE, TREES, READ = range(5)
PIECES = HEAD


class Region(NamedTuple):
    """Where the two runs differ.

    - `label` (g,), int32: Part at each position, or -1 outside.
    - `pieces` (g, 2), int32: Node, and next piece of its part or -1.
    - `lists` (c+1, 5), int32: First piece of each part, parts in use, parts to spare, old trees, and how far their
      refused edges were read. The last row holds the lengths, that of the first column the number of pieces.
    - `barred` (c, c+1), bool: Parts that may not join, being the same or under a cannot-link; the last column, for
      label -1, is False.
    """

    label: NDArray[np.int32]
    pieces: NDArray[np.int32]
    lists: NDArray[np.int32]
    barred: NDArray[np.bool_]


def make_region(nodes, n_groups):
    """An empty region. Every part but three at a time holds a group touched by a cannot-link: memory O(g + r²)."""
    c = 4 + int((nodes[:n_groups, CANNOT] < nodes[:n_groups, CANNOT_END]).sum())
    lists = np.zeros((c + 1, 5), np.int32)
    lists[:, SPARE] = np.arange(c + 1)
    label = np.full(n_groups, -1, np.int32)
    return Region(label, np.empty((n_groups, 2), np.int32), lists, np.eye(c, c + 1, dtype=np.bool_))


@njit(cache=True, inline="always")
def clear_region(nodes, region):
    """Empty the region again. O(its positions)."""
    label, pieces, lists, _ = region
    length = lists[-1]
    for k in range(length[PIECES]):
        node = pieces[k, NODE]
        for p in range(nodes[node, LOW], nodes[node, HIGH]):
            label[p] = -1
    for k in range(length[PARTS]):
        lists[length[SPARE], SPARE] = lists[k, PARTS]
        length[SPARE] += 1
    length[PARTS] = length[TREES] = length[PIECES] = 0


@njit(cache=True, inline="always")
def add_part(forest, region, node):
    """A new part of one piece."""
    _, _, lists, barred = region
    length = lists[-1]
    length[SPARE] -= 1
    part = lists[length[SPARE], SPARE]
    lists[part, HEAD] = -1
    for k in range(length[PARTS]):
        other = lists[k, PARTS]
        barred[part, other] = barred[other, part] = False
    lists[length[PARTS], PARTS] = part
    length[PARTS] += 1
    add_piece(forest, region, part, node)
    return part


@njit(cache=True, inline="always")
def add_piece(forest, region, part, node):
    """Give a part one more piece, with its cannot-links. O(positions of the node and their cannot-links)."""
    nodes, cannot = forest.nodes, forest.cannot
    label, pieces, lists, barred = region
    piece = lists[-1, PIECES]
    lists[-1, PIECES] += 1
    pieces[piece, NODE] = node
    pieces[piece, NEXT] = lists[part, HEAD]
    lists[part, HEAD] = piece
    for p in range(nodes[node, LOW], nodes[node, HIGH]):
        label[p] = part
    for s in range(nodes[node, CANNOT], nodes[node, CANNOT_END]):
        other = label[cannot[s]]
        if other >= 0:
            barred[part, other] = barred[other, part] = True


@njit(cache=True, inline="always")
def join_parts(nodes, region, part, gone):
    """Two parts become one; `gone` becomes spare. O(parts + positions of gone)."""
    label, pieces, lists, barred = region
    length = lists[-1]
    index = 0
    for k in range(length[PARTS]):
        other = lists[k, PARTS]
        if other == gone:
            index = k
        elif barred[gone, other]:
            barred[part, other] = barred[other, part] = True
    length[PARTS] -= 1
    lists[index, PARTS] = lists[length[PARTS], PARTS]
    piece = lists[gone, HEAD]
    while piece >= 0:
        following = pieces[piece, NEXT]
        node = pieces[piece, NODE]
        for p in range(nodes[node, LOW], nodes[node, HIGH]):
            label[p] = part
        pieces[piece, NEXT] = lists[part, HEAD]
        lists[part, HEAD] = piece
        piece = following
    lists[length[SPARE], SPARE] = gone
    length[SPARE] += 1


@njit(cache=True)
def is_barred(nodes, cannot, label, part, node):
    """Whether a cannot-link lies between a part and a node outside the region. O(cannot-links of the node)."""
    for s in range(nodes[node, CANNOT], nodes[node, CANNOT_END]):
        if label[cannot[s]] == part:
            return True
    return False


@njit(cache=True)
def add_tree(nodes, edges, lists, node, rank):
    """An old tree comes into the region; its refused edges are read from a rank on. O(log edges)."""
    low, high = nodes[node, REFUSED], nodes[node, REFUSED_END]
    while low < high:
        middle = (low + high) // 2
        if edges[middle, EDGE_RANK] < rank:
            low = middle + 1
        else:
            high = middle
    k = lists[-1, TREES]
    lists[-1, TREES] += 1
    lists[k, TREES] = node
    lists[k, READ] = low


@njit(cache=True)
def find_tree(lists, node):
    """Index of an old tree in the list of the region's, or -1. O(their number)."""
    for k in range(lists[-1, TREES]):
        if lists[k, TREES] == node:
            return k
    return -1


@njit(cache=True)
def find_edge(forest, edges, region, bound, local):
    """The first refused edge of rank below bound that the new run would use, or -1.

    With `local` edges that leave the region are passed over.
    """
    nodes, cannot = forest.nodes, forest.cannot
    label, _, lists, barred = region
    found = -1
    for k in range(lists[-1, TREES]):
        end = nodes[lists[k, TREES], REFUSED_END]
        at = lists[k, READ]
        while at < end and edges[at, EDGE_RANK] < bound:
            part, other = label[edges[at, NEAR]], label[edges[at, FAR]]
            # One branch, not three.
            shut = barred[part, other] | ((other == -1) & (label[edges[at, WITNESS]] == part))
            if not shut and other < 0:
                shut = local or is_barred(nodes, cannot, label, part, edges[at, FAR_NODE])
            if not shut:
                break
            at += 1
        lists[k, READ] = at
        if at < end and edges[at, EDGE_RANK] < bound:
            found = at
            bound = edges[at, EDGE_RANK]
    if found >= 0:  # what was passed over after it must be read again: the region is about to change
        for k in range(lists[-1, TREES]):
            at = lists[k, READ]
            while at > nodes[lists[k, TREES], REFUSED] and edges[at - 1, EDGE_RANK] > bound:
                at -= 1
            lists[k, READ] = at
    return found
