"""Joining the known groups and the other items along a tree of merges (see average_linkage)."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.graphs.joined_sets import NONE, join_sets, sets_differ, start_sets
from likewise.kernels.graphs.tree_labels import Places, write_labels
from likewise.kernels.graphs.union_find import find_root
from likewise.kernels.kernel import kernel

MOST_COMPARED = 64  # maximum number of items of each set that are compared with others, to find the nearest
N_MEASURED = 16  # items of each set that its distance to others is measured from, or up to twice as many
LONG = 64  # items that each of these stands for, from which on they are kept while a set grows
SLACK = 1e-12  # more than what rounding can make of a square
ALONE, ASKED, HOME = 0, 1, 2  # how a set is present below a merge


class JoinEvidence(NamedTuple):
    """What decides whether two sets become one at a merge.

    - `curve` (3,): a, b, c: log-odds a - b d - c log s that two sets at mean distance d with s pairs are the same.
    - `gains` (2,): Log-odds added where a set lies mostly elsewhere: for one of which no item here was chosen by the
      asker, and for one of which an item here was.
    - `asked` (m,): Whether a named item was chosen by the asker, to represent what is around it.
    """

    curve: NDArray[np.float64]
    gains: NDArray[np.float64]
    asked: NDArray[np.bool_]


class Samples(NamedTuple):
    """Items that stand for a set where its distance to others is measured, each at its root.

    - `items` (u, 2 N_MEASURED): Some items of a set.
    - `weight`, `count` (u,): Number of items of the set when they were chosen, and of them.
    """

    items: NDArray[np.int64]
    weight: NDArray[np.int64]
    count: NDArray[np.int64]


class Lists(NamedTuple):
    """The units that stand for the sets below some nodes, as lists: first and last of each node, next of each unit."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]
    next: NDArray[np.int64]


@kernel()
def join_along_tree(points, given, tree, allowed, flipped, known, evidence, before, written, at):
    """Join known groups and others along the allowed merges; the label of a set is its lowest item.

    points, given: vectors (n, d), or distances (n, n) where given; tree: children, parent, first, size, leaves as number_merges
    gives them, lowest, height and log_pairs; allowed (n-1,) bool, as close_below gives it; known: KnownSets; evidence:
    JoinEvidence; flipped, before, written: as in write_labels; at (2n-1,) int64 of -1, left so (in between, a place
    among the nodes, or -2 - u for unit u). Merges happen in their order. Where the two sides of one are in several
    sets, the sets whose named items are nearest join first. A set that lies mostly elsewhere joins only if the evidence
    of the merge and that of the whole sets together speak for it: else one item in another branch would take that branch
    with it. No two groups that differ come together. Returns Places, and the items whose label changed, rising.
    O(named items · depth + pairs of them below one merge + items whose label may have changed).
    """
    nodes = _above_named(tree, allowed, known.items, at)
    units = _find_units(tree, nodes, known.items, at)
    sets = start_sets(tree, units, known)
    none = np.zeros(len(units), np.int64)
    samples = Samples(np.empty((len(units), 2 * N_MEASURED), np.int64), none, none.copy())
    n, n_named = len(tree.leaves), len(known.items)
    lists = Lists(np.full(len(nodes), NONE), np.full(len(nodes), NONE), np.full(len(units), NONE))
    for k in range(len(nodes)):
        v = nodes[k]
        places = at[tree.children[v - n, 0]], at[tree.children[v - n, 1]]
        span = (tree.first[v], tree.first[v] + tree.size[v])
        logit = _logit(evidence.curve, tree.height[v - n], tree.log_pairs[v - n])
        u, w = _only_below(places[0], lists), _only_below(places[1], lists)
        if u != NONE and w != NONE:  # nearly always
            missed = not _join_two(points, given, tree, u, w, sets, samples, known, span, logit, evidence)
            if not missed and max(u, w) >= n_named:  # a subtree that belongs to the other stands for nothing
                u = w = min(u, w)
            lists.first[k], lists.last[k] = u, w
            lists.next[u], lists.next[w] = w if u != w else NONE, NONE
            continue
        left, right = _list_below(places[0], lists), _list_below(places[1], lists)
        missed = _join_nearest(points, given, tree, left, right, sets, samples, known, span, logit, evidence)
        previous = NONE
        for side in (left, right):
            if not missed and len(side) == 1 and side[0] >= n_named:
                continue  # a subtree that belongs to all it could belong to stands for nothing
            for u in side:
                if previous == NONE:
                    lists.first[k] = u
                else:
                    lists.next[previous] = u
                previous = u
        lists.last[k] = previous
        lists.next[previous] = NONE
    now = Places(known.items, nodes, units)
    changed = write_labels(tree, allowed, flipped, before, now, _lowest_of_sets(tree, sets), at, written)
    at[nodes] = NONE
    at[units] = NONE
    return now, changed


@kernel()
def _above_named(tree, allowed, items, at):
    """The allowed merges with a named item below them, as nodes, rising; `at` says which is which."""
    n = len(tree.leaves)
    nodes = np.empty(1024, np.int64)
    count = 0
    for i in items:
        v = tree.parent[i]
        while v != NONE and at[v] == NONE and allowed[v - n]:
            at[v] = 0
            if count == len(nodes):
                more = np.empty(2 * count, np.int64)
                more[:count] = nodes
                nodes = more
            nodes[count] = v
            count += 1
            v = tree.parent[v]
    nodes = np.sort(nodes[:count])
    for k in range(count):
        at[nodes[k]] = k
    return nodes


@kernel()
def _find_units(tree, nodes, items, at):
    """The units as nodes: the named items, then the subtrees without any that hang below the nodes."""
    n = len(tree.leaves)
    units = np.empty(len(items) + len(nodes), np.int64)
    for u in range(len(items)):
        units[u] = items[u]
        at[items[u]] = -2 - u
    count = len(items)
    for v in nodes:
        for child in tree.children[v - n]:
            if at[child] == NONE:
                units[count] = child
                at[child] = -2 - count
                count += 1
    return units[:count].copy()


@kernel()
def _only_below(place, lists):
    """The one unit that stands for all sets below a node, given by its place in `at`; -1 if there are several."""
    if place < NONE:  # it is a unit
        return -2 - place
    return lists.first[place] if lists.first[place] == lists.last[place] else NONE


@kernel()
def _list_below(place, lists):
    """The units that stand for the sets below a node, given by its place in `at`."""
    if place < NONE:  # it is a unit
        return np.array([-2 - place])
    count, u = 0, lists.first[place]
    while u != NONE:
        count += 1
        u = lists.next[u]
    found = np.empty(count, np.int64)
    u = lists.first[place]
    for s in range(count):
        found[s] = u
        u = lists.next[u]
    return found


@kernel()
def gap_below(points, given, i, j, bound):
    """As gap_between, or anything not below the bound where the distance is not: most are seen to be so early."""
    if given:
        return np.float64(points[i, j])
    total, most = 0.0, bound * bound * (1 + SLACK)
    for k in range(points.shape[1]):
        gap = np.float64(points[i, k]) - np.float64(points[j, k])
        total += gap * gap
        if k % 8 == 7 and total > most:
            break
    return np.sqrt(total)


@kernel()
def gap_between(points, given, i, j):
    """Distance of two items: points (n, d) are vectors, or distances (n, n) where given."""
    return gap_below(points, given, i, j, np.inf)


@kernel()
def _join_two(points, given, tree, u, w, sets, samples, known, span, logit, evidence):
    """Join the sets of two units, the only ones on either side, if they may; whether they are one then."""
    a, b = find_root(sets.parent, u), find_root(sets.parent, w)
    if a == b:
        return True
    if sets_differ(sets, known, a, b):
        return False
    least = HOME
    for root, unit in ((a, u), (b, w)):
        if not _is_at_home(tree, root, sets, span):
            least = min(least, ASKED if unit < len(evidence.asked) and evidence.asked[unit] else ALONE)
    if least != HOME and not _is_likely(points, given, tree, a, b, sets, samples, logit, evidence, least):
        return False
    join_sets(sets, a, b)
    return True


@kernel()
def _join_nearest(points, given, tree, left, right, sets, samples, known, span, logit, evidence):
    """Join every set of the left units to every set of the right ones that it may join; whether any did not."""
    left_at, n_left, few_left = _number_sets(left, sets.parent)
    right_at, n_right, few_right = _number_sets(right, sets.parent)
    gap = np.full(n_left * n_right, np.inf)
    u_of, w_of = np.zeros(n_left * n_right, np.int64), np.zeros(n_left * n_right, np.int64)
    if n_left * n_right == 1:
        u_of[0], w_of[0] = left[0], right[0]
    else:
        for s in few_left:
            i = tree.leaves[tree.first[sets.node[left[s]]]]
            for t in few_right:
                at = left_at[s] * n_right + right_at[t]
                near = gap_below(points, given, i, tree.leaves[tree.first[sets.node[right[t]]]], gap[at])
                if near < gap[at]:
                    gap[at] = near
                    u_of[at], w_of[at] = left[s], right[t]
    missed = False
    for at in np.argsort(gap, kind="mergesort"):
        a, b = find_root(sets.parent, u_of[at]), find_root(sets.parent, w_of[at])
        if a == b:
            continue
        if sets_differ(sets, known, a, b):
            missed = True
            continue
        one = _presence(tree, a, left, left_at, at // n_right, sets, span, evidence)
        other = _presence(tree, b, right, right_at, at % n_right, sets, span, evidence)
        least = min(one, other)
        if least == HOME or _is_likely(points, given, tree, a, b, sets, samples, logit, evidence, least):
            join_sets(sets, a, b)
        else:
            missed = True
    return missed


@kernel()
def _presence(tree, root, units, numbers, number, sets, span, evidence):
    """How a set is present in a span of leaves: at home, or by an asked item among its units, or not."""
    if _is_at_home(tree, root, sets, span):
        return HOME
    for s in range(len(units)):
        if numbers[s] == number and units[s] < len(evidence.asked) and evidence.asked[units[s]]:
            return ASKED
    return ALONE


@kernel()
def _is_at_home(tree, root, sets, span):
    """Whether most items of a set are in a span of leaves; half of them are if the one named first is."""
    if sets.low[root] >= span[0] and sets.high[root] < span[1]:
        return True
    if 2 * (span[1] - span[0]) < sets.weight[root]:  # nearly always: a span too small for half of them
        return False
    count, first, u = 0, root, root
    while True:
        place = tree.first[sets.node[u]]
        count += tree.size[sets.node[u]] if span[0] <= place < span[1] else 0
        first = min(first, u)
        u = sets.link[u]
        if u == root:
            break
    at_home = span[0] <= tree.first[sets.node[first]] < span[1]
    return 2 * count > sets.weight[root] or (2 * count == sets.weight[root] and at_home)


@kernel()
def _is_likely(points, given, tree, a, b, sets, samples, logit, evidence, presence):
    """Whether the evidence of a merge and that of the two whole sets together speak for their being the same."""
    one, other = _some_items(tree, a, sets, samples), _some_items(tree, b, sets, samples)
    total = 0.0
    for i in one:
        for j in other:
            total += gap_between(points, given, i, j)
    mean, pairs = total / (len(one) * len(other)), float(sets.weight[a]) * float(sets.weight[b])
    return logit + _logit(evidence.curve, mean, math.log(pairs)) + evidence.gains[presence] >= 0


@kernel()
def _logit(curve, distance, log_pairs):
    return curve[0] - curve[1] * distance - curve[2] * log_pairs


@kernel()
def _some_items(tree, root, sets, samples):
    """N_MEASURED items of a set, or up to twice as many, evenly from its units; all of a smaller one.

    To choose them the whole set is walked through. A large one that has grown by less than one of them stands for
    keeps those that it had.
    """
    step = max(1, sets.weight[root] // N_MEASURED)
    if sets.weight[root] - samples.weight[root] < (step if step >= LONG else 1):
        return samples.items[root, : samples.count[root]]
    found = samples.items[root, : sets.weight[root] // step]
    samples.weight[root], samples.count[root] = sets.weight[root], len(found)
    count, wanted, passed, u = 0, 0, 0, root
    while count < len(found):
        node = sets.node[u]
        while count < len(found) and wanted < passed + tree.size[node]:
            found[count] = tree.leaves[tree.first[node] + wanted - passed]
            count += 1
            wanted += step
        passed += tree.size[node]
        u = sets.link[u]
    return found


@kernel()
def _number_sets(units, parent):
    """Set of every unit, numbered by first appearance; how many there are; places of at most MOST_COMPARED of each."""
    number, roots = np.empty(len(units), np.int64), np.empty(len(units), np.int64)
    times, few = np.zeros(len(units), np.int64), np.empty(len(units), np.int64)
    count, n_few = 0, 0
    for s in range(len(units)):
        root = find_root(parent, units[s])
        at = 0
        while at < count and roots[at] != root:
            at += 1
        if at == count:
            roots[count] = root
            count += 1
        number[s] = at
        times[at] += 1
        if times[at] <= MOST_COMPARED:
            few[n_few] = s
            n_few += 1
    return number, count, few[:n_few]


@kernel()
def _lowest_of_sets(tree, sets):
    """The lowest item of every unit's set (u,)."""
    lowest = np.full(len(sets.node), len(tree.leaves))
    for u in range(len(lowest)):
        root = find_root(sets.parent, u)
        lowest[root] = min(lowest[root], tree.lowest[sets.node[u]])
    for u in range(len(lowest)):
        lowest[u] = lowest[find_root(sets.parent, u)]
    return lowest
