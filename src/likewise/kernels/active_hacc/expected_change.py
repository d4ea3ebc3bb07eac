"""How much one more constraint would change a Kruskal forest, without running Kruskal again."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from likewise.kernels.active_hacc.merge_forest import (
    CANNOT,
    CANNOT_END,
    HIGH,
    LEFT,
    LEFT_END,
    LOW,
    PARENT,
    RANK,
    REFUSED,
    REFUSED_END,
    RIGHT,
    RIGHT_END,
    SIZE,
    list_trees,
)
from likewise.kernels.active_hacc.refused_edges import EDGE_MERGE, EDGE_RANK, FAR, FAR_NODE, NEAR
from likewise.kernels.active_hacc.rerun import (
    HEAD,
    NEXT,
    NODE,
    PARTS,
    READ,
    TREES,
    add_part,
    add_piece,
    add_tree,
    clear_region,
    find_edge,
    find_spot,
    is_apart,
    join_parts,
)

INSIDE, LATE, FREE = range(3)
UNKNOWN = -1.0  # the old run was not followed far enough to tell


class Cut(NamedTuple):
    """The present clustering, as a number of merges of a forest.

    Attributes
    ----------
    n_stop : int
        Trees to stop at; 0 when only the edges end the run.
    n_edges : int
        Ranks that were followed.
    complete : bool
        Whether no later edge could change a run.
    local : bool
        Whether changes outside the trees of the pair are left out.
    n_kept : int
        Merges of the present clustering.
    pairs : ndarray of shape (m+1,)
        Pairs inside trees after each number of merges.
    cluster, cluster_size : ndarrays of shape (g,) and (k,)
        Present cluster of each position, numbered along the positions, and its items.
    cluster_pairs : ndarray of shape (k+1,)
        Running sum of the pairs inside clusters.
    """

    n_stop: int
    n_edges: int
    complete: bool
    local: bool
    n_kept: int
    pairs: NDArray[np.int64]
    cluster: NDArray[np.int64]
    cluster_size: NDArray[np.int64]
    cluster_pairs: NDArray[np.int64]


def cut_forest(forest, n_stop, n_edges, complete, local):
    """The present clustering: merges until n_stop trees are left. O(g + m)."""
    nodes = forest.nodes
    g = len(forest.item_start) - 1
    m = len(nodes) - 1 - g
    n_kept = min(m, max(0, g - n_stop))
    size = nodes[:, SIZE].astype(np.int64)
    joined = size[nodes[g:-1, LEFT]] * size[nodes[g:-1, RIGHT]]
    pairs = np.concatenate([[0], np.cumsum(joined)]) + (size[:g] * (size[:g] - 1) // 2).sum()
    trees = list_trees(nodes, g, n_kept)
    cluster = np.repeat(np.arange(len(trees)), nodes[trees, HIGH] - nodes[trees, LOW])
    inside = np.concatenate([[0], np.cumsum(size[trees] * (size[trees] - 1) // 2)])
    return Cut(n_stop, n_edges, complete, local, n_kept, pairs, cluster, size[trees], inside)


@njit(cache=True)
def _count_pairs(size):
    return np.int64(size) * (size - 1) // 2


@njit(cache=True)
def measure_blocks(forest, edges, cut, region, blocks, change):
    """Change (1 - Jaccard) of the clustering (b,) that the constraint of each block would make, or UNKNOWN.

    edges from list_refused; blocks (b, 4) as in question_blocks. O(depth of the trees touched + edges they refused) a
    block.
    """
    nodes, cannot = forest.nodes, forest.cannot
    label, pieces, lists, apart = region
    pairs, cluster, cluster_size, cluster_pairs = cut.pairs, cut.cluster, cut.cluster_size, cut.cluster_pairs
    m = pairs.shape[0] - 1
    held = np.zeros(cluster_size.shape[0], np.int64)
    for k in range(blocks.shape[0]):
        kind, a, b, t = blocks[k, 0], blocks[k, 1], blocks[k, 2], blocks[k, 3]
        if kind == FREE:
            union = pairs[cut.n_kept] + np.int64(nodes[a, SIZE]) * nodes[b, SIZE]
            change[k] = 1.0 - pairs[t] / union
            continue
        _start(nodes, cannot, edges, label, pieces, lists, apart, kind, a, b, t)
        done = _run_on(
            nodes, cannot, edges, label, pieces, lists, apart, cut.n_stop, cut.n_edges, cut.local, kind, t
        )  # fmt: skip
        if done > m and not cut.complete:
            change[k] = UNKNOWN
        else:
            change[k] = _measure_change(
                nodes,
                pieces,
                lists,
                pairs,
                cluster,
                cluster_size,
                cluster_pairs,
                held,
                cut.n_kept,
                min(done, m),
            )
        clear_region(nodes, label, pieces, lists)


@njit(cache=True)
def _start(nodes, cannot, edges, label, pieces, lists, apart, kind, a, b, t):
    """The region when the runs part: the sides of merge t set apart (INSIDE), or trees a and b joined before it."""
    part = add_part(nodes, cannot, label, pieces, lists, apart, a)
    rank = nodes[label.shape[0] + t, RANK]
    if kind == INSIDE:
        other = add_part(nodes, cannot, label, pieces, lists, apart, b)
        apart[part, other] = apart[other, part] = True
        add_tree(nodes, edges, lists, nodes[a, PARENT], rank)
    else:
        add_piece(nodes, cannot, label, pieces, lists, apart, part, b)
        add_tree(nodes, edges, lists, a, rank)
        add_tree(nodes, edges, lists, b, rank)


@njit(cache=True)
def _run_on(nodes, cannot, edges, label, pieces, lists, apart, n_stop, n_edges, local, kind, t):
    """Follow the new run from merge t on; the number of old merges outside the region when it ends."""
    g = label.shape[0]
    m = nodes.shape[0] - 1 - g
    done, surplus = (t + 1, 1) if kind == INSIDE else (t, -1)  # trees the new run has more than the old
    while True:
        stop = g + surplus - n_stop
        t = m
        for k in range(lists[-1, TREES]):
            t = min(t, nodes[lists[k, TREES], PARENT] - g)
        last = min(t, stop - 1)
        bound = nodes[g + last, RANK] if last < m else n_edges
        at = -1
        for k in range(lists[-1, TREES]):  # mostly there is none: calls cost more than this look
            if (
                lists[k, READ] < nodes[lists[k, TREES], REFUSED_END]
                and edges[lists[k, READ], EDGE_RANK] < bound
            ):
                at = find_edge(nodes, cannot, edges, label, lists, apart, bound, local)
                break
        if at >= 0:
            _use_edge(nodes, cannot, edges, label, pieces, lists, apart, at)
            done = edges[at, EDGE_MERGE]
            surplus -= 1
        elif t < min(m, stop):
            surplus += _repeat_merge(nodes, cannot, label, pieces, lists, apart, g + t)
            done = t + 1
        else:
            return max(stop, done)


@njit(cache=True)
def _use_edge(nodes, cannot, edges, label, pieces, lists, apart, at):
    """Join two parts, or a part and a tree outside the region, along a refused edge."""
    part, other = label[edges[at, NEAR]], label[edges[at, FAR]]
    if other >= 0:
        join_parts(nodes, label, pieces, lists, apart, part, other)
    else:
        add_piece(nodes, cannot, label, pieces, lists, apart, part, edges[at, FAR_NODE])
        add_tree(nodes, edges, lists, edges[at, FAR_NODE], edges[at, EDGE_RANK])


@njit(cache=True)
def _repeat_merge(nodes, cannot, label, pieces, lists, apart, node):
    """Do in the new run what the old run did at a merge; 1 if the new run does not join there, else 0."""
    a, b, a_end, b_end = nodes[node, LEFT], nodes[node, RIGHT], nodes[node, LEFT_END], nodes[node, RIGHT_END]
    spot, other_spot = find_spot(lists, a), find_spot(lists, b)
    if spot < 0:
        b, a_end, b_end, spot, other_spot = a, b_end, a_end, other_spot, spot
    lists[spot, TREES] = node
    lists[spot, READ] = nodes[node, REFUSED]
    part = label[a_end]
    if other_spot < 0:
        if nodes[b, CANNOT] < nodes[b, CANNOT_END] and is_apart(nodes, cannot, label, part, b):
            add_part(nodes, cannot, label, pieces, lists, apart, b)
            return 1
        add_piece(nodes, cannot, label, pieces, lists, apart, part, b)
        return 0
    lists[-1, TREES] -= 1
    last = lists[-1, TREES]
    lists[other_spot, TREES], lists[other_spot, READ] = lists[last, TREES], lists[last, READ]
    other = label[b_end]
    if apart[part, other]:
        return 1
    join_parts(nodes, label, pieces, lists, apart, part, other)
    return 0


@njit(cache=True)
def _measure_change(nodes, pieces, lists, pairs, cluster, cluster_size, cluster_pairs, held, n_kept, done):
    """1 - Jaccard between the present clustering and the region's parts with the old trees after `done` merges."""
    before, after, both = pairs[n_kept], pairs[done], pairs[min(done, n_kept)]
    for k in range(lists[-1, TREES]):
        node = lists[k, TREES]
        inside = _count_pairs(nodes[node, SIZE])
        after -= inside
        if done > n_kept:
            inside = (
                cluster_pairs[cluster[nodes[node, HIGH] - 1] + 1] - cluster_pairs[cluster[nodes[node, LOW]]]
            )
        both -= inside
    for k in range(lists[-1, PARTS]):
        size, shared = _overlap(nodes, pieces, lists[lists[k, PARTS], HEAD], cluster, cluster_size, held)
        after += _count_pairs(size)
        both += shared
    union = before + after - both
    return 0.0 if union == 0 else 1.0 - both / union


@njit(cache=True)
def _overlap(nodes, pieces, head, cluster, cluster_size, held):
    """Items of a part, and pairs of them that share a present cluster; held (k,) is zero and left so.

    A piece lies in one cluster, or is made of whole clusters.
    """
    size = 0
    shared = 0
    piece = head
    while piece >= 0:
        node = pieces[piece, NODE]
        size += nodes[node, SIZE]
        first, last = cluster[nodes[node, LOW]], cluster[nodes[node, HIGH] - 1]
        for c in range(first, last + 1):
            more = np.int64(nodes[node, SIZE]) if first == last else cluster_size[c]
            shared += held[c] * more + _count_pairs(more)
            held[c] += more
        piece = pieces[piece, NEXT]
    piece = head
    while piece >= 0:
        node = pieces[piece, NODE]
        held[cluster[nodes[node, LOW]] : cluster[nodes[node, HIGH] - 1] + 1] = 0
        piece = pieces[piece, NEXT]
    return size, shared
