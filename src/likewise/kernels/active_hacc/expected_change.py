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
    find_tree,
    is_barred,
    join_parts,
)

INSIDE, LATE, FREE = range(3)
UNKNOWN = -1.0  # the old run was not followed far enough to tell


class Cut(NamedTuple):
    """The present clustering, as a number of merges of a forest.

    - `n_stop`: Trees to stop at; 0 when only the edges end the run.
    - `n_edges`: Ranks that were followed.
    - `complete`: Whether no later edge could change a run.
    - `local`: Whether changes outside the trees of the pair are left out.
    - `n_kept`: Merges of the present clustering.
    - `pairs` (m+1,): Pairs inside trees after each number of merges.
    - `cluster`, `cluster_size` (g,) and (k,): Present cluster of each position, numbered along the positions, and
      its items.
    - `cluster_pairs` (k+1,): Running sum of the pairs inside clusters.
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
    nodes, pairs = forest.nodes, cut.pairs
    m = pairs.shape[0] - 1
    held = np.zeros(cut.cluster_size.shape[0], np.int64)
    for k in range(blocks.shape[0]):
        kind, a, b, t = blocks[k, 0], blocks[k, 1], blocks[k, 2], blocks[k, 3]
        if kind == FREE:
            union = pairs[cut.n_kept] + np.int64(nodes[a, SIZE]) * nodes[b, SIZE]
            change[k] = 1.0 - pairs[t] / union
            continue
        _start(forest, edges, region, blocks[k])
        done = _run_on(forest, edges, region, cut, kind, t)
        if done > m and not cut.complete:
            change[k] = UNKNOWN
        else:
            change[k] = _measure_change(nodes, region, cut, held, min(done, m))
        clear_region(nodes, region)


@njit(cache=True)
def _start(forest, edges, region, block):
    """The region when the runs part: the sides of merge t barred (INSIDE), or trees a and b joined before it."""
    kind, a, b, t = block
    nodes, lists, barred = forest.nodes, region.lists, region.barred
    part = add_part(forest, region, a)
    rank = nodes[region.label.shape[0] + t, RANK]
    if kind == INSIDE:
        other = add_part(forest, region, b)
        barred[part, other] = barred[other, part] = True
        add_tree(nodes, edges, lists, nodes[a, PARENT], rank)
    else:
        add_piece(forest, region, part, b)
        add_tree(nodes, edges, lists, a, rank)
        add_tree(nodes, edges, lists, b, rank)


@njit(cache=True)
def _run_on(forest, edges, region, cut, kind, t):
    """Follow the new run from merge t on; the number of old merges outside the region when it ends."""
    nodes, lists = forest.nodes, region.lists
    g = region.label.shape[0]
    m = nodes.shape[0] - 1 - g
    done, surplus = (t + 1, 1) if kind == INSIDE else (t, -1)  # trees the new run has more than the old
    while True:
        stop = g + surplus - cut.n_stop
        t = m
        for k in range(lists[-1, TREES]):
            t = min(t, nodes[lists[k, TREES], PARENT] - g)
        last = min(t, stop - 1)
        bound = nodes[g + last, RANK] if last < m else cut.n_edges
        at = -1
        for k in range(lists[-1, TREES]):  # mostly there is none: calls cost more than this look
            read = lists[k, READ]
            if read < nodes[lists[k, TREES], REFUSED_END] and edges[read, EDGE_RANK] < bound:
                at = find_edge(forest, edges, region, bound, cut.local)
                break
        if at >= 0:
            _use_edge(forest, edges, region, at)
            done = edges[at, EDGE_MERGE]
            surplus -= 1
        elif t < min(m, stop):
            surplus += _repeat_merge(forest, region, g + t)
            done = t + 1
        else:
            return max(stop, done)


@njit(cache=True)
def _use_edge(forest, edges, region, at):
    """Join two parts, or a part and a tree outside the region, along a refused edge."""
    part, other = region.label[edges[at, NEAR]], region.label[edges[at, FAR]]
    if other >= 0:
        join_parts(forest.nodes, region, part, other)
    else:
        add_piece(forest, region, part, edges[at, FAR_NODE])
        add_tree(forest.nodes, edges, region.lists, edges[at, FAR_NODE], edges[at, EDGE_RANK])


@njit(cache=True)
def _repeat_merge(forest, region, node):
    """Do in the new run what the old run did at a merge; 1 if the new run does not join there, else 0."""
    nodes, label, lists = forest.nodes, region.label, region.lists
    a, b, a_end, b_end = nodes[node, LEFT], nodes[node, RIGHT], nodes[node, LEFT_END], nodes[node, RIGHT_END]
    tree, other_tree = find_tree(lists, a), find_tree(lists, b)
    if tree < 0:
        b, a_end, b_end, tree, other_tree = a, b_end, a_end, other_tree, tree
    lists[tree, TREES] = node
    lists[tree, READ] = nodes[node, REFUSED]
    part = label[a_end]
    if other_tree < 0:
        if nodes[b, CANNOT] < nodes[b, CANNOT_END] and is_barred(nodes, forest.cannot, label, part, b):
            add_part(forest, region, b)
            return 1
        add_piece(forest, region, part, b)
        return 0
    lists[-1, TREES] -= 1
    last = lists[-1, TREES]
    lists[other_tree, TREES], lists[other_tree, READ] = lists[last, TREES], lists[last, READ]
    other = label[b_end]
    if region.barred[part, other]:
        return 1
    join_parts(nodes, region, part, other)
    return 0


@njit(cache=True)
def _measure_change(nodes, region, cut, held, done):
    """1 - Jaccard between the present clustering and the region's parts with the old trees after `done` merges."""
    lists, pairs, n_kept = region.lists, cut.pairs, cut.n_kept
    before, after, both = pairs[n_kept], pairs[done], pairs[min(done, n_kept)]
    for k in range(lists[-1, TREES]):
        node = lists[k, TREES]
        inside = _count_pairs(nodes[node, SIZE])
        after -= inside
        if done > n_kept:
            first, last = cut.cluster[nodes[node, LOW]], cut.cluster[nodes[node, HIGH] - 1]
            inside = cut.cluster_pairs[last + 1] - cut.cluster_pairs[first]
        both -= inside
    for k in range(lists[-1, PARTS]):
        size, shared = _overlap(nodes, region.pieces, lists[lists[k, PARTS], HEAD], cut, held)
        after += _count_pairs(size)
        both += shared
    union = before + after - both
    return 0.0 if union == 0 else 1.0 - both / union


@njit(cache=True)
def _overlap(nodes, pieces, head, cut, held):
    """Items of a part, and pairs of them that share a present cluster; held (k,) is zero and left so.

    A piece lies in one cluster, or is made of whole clusters.
    """
    cluster, cluster_size = cut.cluster, cut.cluster_size
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
