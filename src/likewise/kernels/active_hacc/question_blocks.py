"""Open pairs in blocks of equal effect: each block is all pairs between two nodes of a merge forest.

Every open pair lies in exactly one block. INSIDE: the two sides of a merge of the present clustering; a cannot-link
undoes that merge. LATE: two trees between which the next merge of one puts a cannot-link; a must-link changes what follows.
FREE: two trees that stay free to join; a must-link joins them and, at a given number of trees, undoes the last merge.
"""

import numpy as np
from numba import njit

from likewise.kernels.active_hacc.expected_change import FREE, INSIDE, LATE
from likewise.kernels.active_hacc.merge_forest import CANNOT, CANNOT_END, HIGH, LEFT, LOW, RIGHT, list_trees
from likewise.kernels.graphs.kruskal import merge_rows


def list_blocks(forest, cut):
    """All blocks (b, 4): kind, two nodes, and the number of merges before the runs part. O(merges · r + K²)."""
    nodes = forest.nodes
    g = len(cut.cluster)
    merges = nodes[g : g + cut.n_kept]
    inside = _stack(INSIDE, merges[:, LEFT], merges[:, RIGHT], np.arange(cut.n_kept))
    linked = min(cut.n_kept, max(0, g - 1 - cut.n_stop))  # merges of a run with one must-link between two clusters
    row, node_of_row, barred = _start_rows(nodes, forest.cannot, g)
    late = np.empty((16 * g, 3), np.int64)
    n_late = _list_late(nodes, g, linked, row, node_of_row, barred, late)
    if n_late > len(late):
        late = np.empty((n_late, 3), np.int64)
        row, node_of_row, barred = _start_rows(nodes, forest.cannot, g)
        _list_late(nodes, g, linked, row, node_of_row, barred, late)
    trees = list_trees(nodes, g, linked)
    rows = row[trees]
    shut = barred[np.ix_(rows, rows)] & (rows >= 0)[:, None] & (rows >= 0) if len(barred) else False
    home = cut.cluster[nodes[trees, LOW]]
    a, b = np.nonzero(np.triu(~(shut | (home[:, None] == home)), 1))
    free = _stack(FREE, trees[a], trees[b], np.full(len(a), linked))
    return np.concatenate([inside, _stack(LATE, *late[:n_late].T), free])


def _stack(kind, a, b, t):
    return np.column_stack([np.full(len(a), kind), a, b, t]).astype(np.int64)


def _start_rows(nodes, cannot, g):
    """Rows of the table of trees under a cannot-link: row (g+m+1,) or -1, node_of_row (r,), barred (r, r)."""
    node_of_row = np.flatnonzero(nodes[:g, CANNOT] < nodes[:g, CANNOT_END])
    row = np.full(len(nodes), -1)
    row[node_of_row] = np.arange(len(node_of_row))
    barred = np.zeros((len(node_of_row), len(node_of_row)), np.bool_)
    barred[np.repeat(row[:g], nodes[:g, CANNOT_END] - nodes[:g, CANNOT]), row[cannot]] = True
    return row, node_of_row, barred


@njit(cache=True)
def _list_late(nodes, g, n_merges, row, node_of_row, barred, late):
    """Write late blocks (b, 3) as far as there is room: trees between which the t-th merge puts a cannot-link, and t; their number.

    The table of trees under a cannot-link is brought up to date with the merges.
    """
    n = 0
    for t in range(n_merges):
        for side in range(2):
            a, b = nodes[g + t, LEFT + side], nodes[g + t, RIGHT - side]
            for r in range(node_of_row.shape[0] if row[b] >= 0 else 0):
                if barred[row[b], r] and node_of_row[r] >= 0 and (row[a] < 0 or not barred[row[a], r]):
                    if n < late.shape[0]:
                        late[n, 0], late[n, 1], late[n, 2] = a, node_of_row[r], t
                    n += 1
        kept, gone = row[nodes[g + t, LEFT]], row[nodes[g + t, RIGHT]]
        if kept < 0:
            kept, gone = gone, kept
        row[g + t] = kept
        if kept >= 0:
            node_of_row[kept] = g + t
        if gone >= 0:
            node_of_row[gone] = -1
            merge_rows(barred, kept, gone)
    return n


@njit(cache=True)
def find_best_codes(forest, blocks, codes, rising, best):
    """For each block the code of the pair that most contradicts the present clustering, best (b,).

    codes (n, n) uint8, symmetric, rise with the probability of being the same, or fall with it (rising False): the
    code wanted is that of the least probable pair inside a cluster, of the most probable across. O(n²) for all blocks
    together, by bytes that lie side by side once the items are sorted by position.
    """
    nodes, item_start = forest.nodes, forest.item_start
    near = _sort_codes(codes, forest.item)
    for k in range(blocks.shape[0]):
        a, b = blocks[k, 1], blocks[k, 2]
        start, end = item_start[nodes[b, LOW]], item_start[nodes[b, HIGH]]
        low, high = np.uint8(255), np.uint8(0)
        for s in range(item_start[nodes[a, LOW]], item_start[nodes[a, HIGH]]):
            for u in range(start, end):
                low = min(low, near[s, u])
                high = max(high, near[s, u])
        best[k] = low if (blocks[k, 0] == INSIDE) == rising else high


@njit(cache=True)
def _sort_codes(codes, item):
    out = np.empty_like(codes)
    for s in range(item.shape[0]):
        i = item[s]
        for u in range(item.shape[0]):
            out[s, u] = codes[i, item[u]]
    return out


@njit(cache=True)
def find_best_pairs(forest, blocks, values, rising, skip, pair, best):
    """The pair that most contradicts the present clustering in each block, pair (b, 2), and its value, best (b,).

    values (n, n) as the codes above; ties go to the lowest (i, j). Pairs in skip (ascending keys i·n + j, i < j) are
    left out; (-1, -1) and NaN when none is left. O(pairs of the blocks).
    """
    nodes, item, item_start = forest.nodes, forest.item, forest.item_start
    n = values.shape[0]
    for k in range(blocks.shape[0]):
        a, b = blocks[k, 1], blocks[k, 2]
        sign = -1.0 if (blocks[k, 0] == INSIDE) == rising else 1.0
        top = -np.inf
        key = -1
        for s in range(item_start[nodes[a, LOW]], item_start[nodes[a, HIGH]]):
            i = np.int64(item[s])
            for u in range(item_start[nodes[b, LOW]], item_start[nodes[b, HIGH]]):
                j = np.int64(item[u])
                value = sign * values[i, j]
                if value >= top:
                    new = min(i, j) * n + max(i, j)
                    if (value > top or new < key) and not _holds(skip, new):
                        top = value
                        key = new
        best[k] = sign * top if key >= 0 else np.nan
        pair[k, 0] = key // n if key >= 0 else -1
        pair[k, 1] = key % n if key >= 0 else -1


@njit(cache=True)
def _holds(keys, key):
    at = np.searchsorted(keys, key)
    return at < keys.shape[0] and keys[at] == key
