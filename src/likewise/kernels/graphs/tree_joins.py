"""Joining the known groups and the other items along a tree of merges (see average_linkage)."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from likewise.kernels.graphs.kruskal import join_pair
from likewise.kernels.graphs.union_find import find_root

MOST_COMPARED = 64  # maximum number of items of each set that its mean distance is taken over
ALONE, ASKED, HOME = 0, 1, 2  # how a set is present below a merge


class JoinEvidence(NamedTuple):
    """What decides whether two sets become one at a merge.

    - `logits` (n-1,): Log-odds that the two sides of each merge are the same.
    - `curve` (3,): a, b, c: log-odds a - b d - c log s that two sets at mean distance d with s pairs are the same.
    - `gains` (2,): Log-odds added where a set lies mostly elsewhere: for one of which no item here was chosen by the
      asker, and for one of which an item here was.
    - `rank` (n,): Which items were spoken of first.
    - `asked` (n,): Whether an item was chosen by the asker, to represent what is around it.
    """

    logits: NDArray[np.float64]
    curve: NDArray[np.float64]
    gains: NDArray[np.float64]
    rank: NDArray[np.int64]
    asked: NDArray[np.bool_]


class JoinedSets(NamedTuple):
    """The items of each set, as circular lists, and where they lie among the leaves.

    - `link` (n,): The next item of the same set.
    - `low`, `high` (n,): First and last place of a set among the leaves, at its root.
    - `place` (n,): Place of an item among the leaves.
    """

    link: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    place: NDArray[np.int64]


@njit(cache=True)
def join_along_tree(D, tree, allowed, mentioned, forest, evidence):
    """Join a KruskalForest along the allowed merges of a tree, in their order; it changes in place.

    D (n, n); tree: children, first, size, leaves as number_merges gives them; allowed (n-1,) bool; mentioned (n,) bool:
    items that an answer names; evidence: JoinEvidence. Where the two sides of a merge are in several sets, the sets
    whose mentioned items are nearest join first. A set that lies mostly elsewhere joins only if the evidence of the
    merge and that of the whole sets together speak for it: else one item in another branch would take that branch
    with it. O(n + pairs of mentioned items below one allowed merge).
    """
    children, first, size, leaves = tree.children, tree.first, tree.size, tree.leaves
    n = D.shape[0]
    sets = _start_sets(forest.parent, leaves)
    # the items that stand for the sets below a node, as lists: first, last and next
    head, tail, after = np.full(2 * n - 1, -1, np.int64), np.full(2 * n - 1, -1, np.int64), np.full(n, -1, np.int64)
    for i in range(n):
        if mentioned[i]:
            head[i] = tail[i] = i
    for k in range(n - 1):
        a, b = children[k]
        if allowed[k]:
            left = _listed(head[a], after) if head[a] >= 0 else leaves[first[a] : first[a] + 1]
            right = _listed(head[b], after) if head[b] >= 0 else leaves[first[b] : first[b] + 1]
            span = (first[n + k], first[n + k] + size[n + k])
            if _join_nearest(D, left, right, forest, sets, span, k, evidence):
                for side in (a, b):
                    if head[side] < 0:
                        head[side] = tail[side] = leaves[first[side]]
        one, other = (b, a) if head[a] < 0 else (a, b)
        head[n + k], tail[n + k] = head[one], tail[one]
        if head[one] >= 0 and head[other] >= 0:
            after[tail[one]] = head[other]
            tail[n + k] = tail[other]


@njit(cache=True)
def _start_sets(parent, leaves):
    """The sets of a forest."""
    n = len(parent)
    place = np.empty(n, np.int64)
    place[leaves] = np.arange(n)
    link, low, high = np.arange(n), place.copy(), place.copy()
    for i in range(n):
        root = find_root(parent, i)
        if root != i:
            link[i], link[root] = link[root], link[i]
            low[root] = min(low[root], place[i])
            high[root] = max(high[root], place[i])
    return JoinedSets(link, low, high, place)


@njit(cache=True)
def _listed(start, after):
    """The items of a list."""
    count, at = 0, start
    while at >= 0:
        count += 1
        at = after[at]
    found = np.empty(count, np.int64)
    at = start
    for s in range(count):
        found[s] = at
        at = after[at]
    return found


@njit(cache=True)
def _join_nearest(D, left, right, forest, sets, span, k, evidence):
    """Join every set of the left items to every set of the right ones that it may join; whether any did not."""
    left_at, n_left = _number_sets(left, forest.parent)
    right_at, n_right = _number_sets(right, forest.parent)
    gap = np.full(n_left * n_right, np.inf)
    i_of, j_of = np.zeros(n_left * n_right, np.int64), np.zeros(n_left * n_right, np.int64)
    for s in range(len(left)):
        for t in range(len(right)):
            at = left_at[s] * n_right + right_at[t]
            if D[left[s], right[t]] < gap[at]:
                gap[at] = D[left[s], right[t]]
                i_of[at], j_of[at] = left[s], right[t]
            if n_left * n_right == 1:
                break
        if n_left * n_right == 1:
            break
    missed = False
    for at in np.argsort(gap, kind="mergesort"):
        a, b = find_root(forest.parent, i_of[at]), find_root(forest.parent, j_of[at])
        if a == b:
            continue
        if forest.row[a] >= 0 and forest.row[b] >= 0 and forest.barred[forest.row[a], forest.row[b]]:
            missed = True
            continue
        one = _presence(a, left, left_at, at // n_right, forest.size, sets, span, evidence)
        other = _presence(b, right, right_at, at % n_right, forest.size, sets, span, evidence)
        likely = min(one, other) == HOME or _is_likely(D, a, b, forest.size, sets, k, evidence, min(one, other))
        if likely and join_pair(i_of[at], j_of[at], forest):
            _join_sets(sets, a, b, find_root(forest.parent, a))
        else:
            missed = True
    return missed


@njit(cache=True)
def _join_sets(sets, a, b, root):
    sets.link[a], sets.link[b] = sets.link[b], sets.link[a]
    low, high = min(sets.low[a], sets.low[b]), max(sets.high[a], sets.high[b])
    sets.low[root], sets.high[root] = low, high


@njit(cache=True)
def _presence(root, items, numbers, number, size, sets, span, evidence):
    """How a set is present in a span of leaves: at home with at least half of its items, or by an asked item, or not.

    Half of them are at home where the one spoken of first is.
    """
    if sets.low[root] >= span[0] and sets.high[root] < span[1]:
        return HOME
    count, first, at = 0, root, root
    for _ in range(size[root]):
        count += span[0] <= sets.place[at] < span[1]
        if evidence.rank[at] < evidence.rank[first]:
            first = at
        at = sets.link[at]
    if 2 * count > size[root] or (2 * count == size[root] and span[0] <= sets.place[first] < span[1]):
        return HOME
    for s in range(len(items)):
        if numbers[s] == number and evidence.asked[items[s]]:
            return ASKED
    return ALONE


@njit(cache=True)
def _is_likely(D, a, b, size, sets, k, evidence, presence):
    """Whether the evidence of merge k and that of the two whole sets together speak for their being the same."""
    one, other = _some_items(a, size[a], sets.link), _some_items(b, size[b], sets.link)
    total = 0.0
    for i in one:
        for j in other:
            total += D[i, j]
    mean, pairs = total / (len(one) * len(other)), float(size[a]) * float(size[b])
    whole = evidence.curve[0] - evidence.curve[1] * mean - evidence.curve[2] * np.log(pairs)
    return evidence.logits[k] + whole + evidence.gains[presence] >= 0


@njit(cache=True)
def _some_items(root, size, link):
    """At most MOST_COMPARED items of a set, or up to twice as many, evenly from its list."""
    step = max(1, size // MOST_COMPARED)
    found = np.empty(size // step, np.int64)
    at = root
    for s in range(len(found)):
        found[s] = at
        for _ in range(step):
            at = link[at]
    return found


@njit(cache=True)
def _number_sets(items, parent):
    """Set of every item, numbered by first appearance, and how many there are."""
    number, roots = np.empty(len(items), np.int64), np.empty(len(items), np.int64)
    count = 0
    for s in range(len(items)):
        root = find_root(parent, items[s])
        at = 0
        while at < count and roots[at] != root:
            at += 1
        if at == count:
            roots[count] = root
            count += 1
        number[s] = at
    return number, count
