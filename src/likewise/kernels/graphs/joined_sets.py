"""Sets of items that are being joined: what they hold, which may not come together, and making two of them one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.graphs.union_find import find_root, merge_roots
from likewise.kernels.kernel import kernel

NONE = -1


class KnownSets(NamedTuple):
    """What is known of the items that answers name: groups that are the same, and which of them differ.

    - `items` (m,): The items named, in the order in which they were.
    - `group` (m,): Group of each.
    - `first` (G,): Place of one item of each group among `items`.
    - `starts` (G+1,), `others`: The groups that group g differs from are others[starts[g] : starts[g + 1]].
    """

    items: NDArray[np.int64]
    group: NDArray[np.int64]
    first: NDArray[np.int64]
    starts: NDArray[np.int64]
    others: NDArray[np.int64]


class JoinedSets(NamedTuple):
    """Sets of units that are being joined, each at its root. A unit is a named item, or a subtree without any.

    The named items come first, in their order. Units and groups of a set are lists.

    - `node` (u,): The unit as a node of the tree.
    - `parent` (u,): As in union_find.
    - `weight` (u,): Number of items of a set.
    - `link` (u,): The next unit of the same set, in a circle.
    - `low`, `high` (u,): First and last place of a set among the leaves.
    - `head`, `tail` (u,), `after` (G,): First and last group of a set, or -1, and the group after a group.
    - `degree` (u,): Number of groups that those of a set differ from.
    """

    node: NDArray[np.int64]
    parent: NDArray[np.int64]
    weight: NDArray[np.int64]
    link: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    head: NDArray[np.int64]
    tail: NDArray[np.int64]
    after: NDArray[np.int64]
    degree: NDArray[np.int64]


@kernel()
def start_sets(tree, units, known):
    """The known groups, and every other unit by itself."""
    n_units, n_groups = len(units), len(known.first)
    sets = JoinedSets(
        units,
        np.arange(n_units),
        tree.size[units],
        np.arange(n_units),
        tree.first[units],
        tree.first[units] + tree.size[units] - 1,
        np.full(n_units, NONE),
        np.full(n_units, NONE),
        np.full(n_groups, NONE),
        np.zeros(n_units, np.int64),
    )
    for u in range(len(known.items)):
        first = known.first[known.group[u]]
        if first != u:
            join_sets(sets, find_root(sets.parent, first), u)
    for g in range(n_groups):
        root = find_root(sets.parent, known.first[g])
        sets.head[root] = sets.tail[root] = g
        sets.degree[root] = known.starts[g + 1] - known.starts[g]
    return sets


@kernel()
def join_sets(sets, a, b):
    """Make two sets one, given by their roots."""
    root = merge_roots(sets.parent, sets.weight, a, b)
    other = a + b - root
    sets.link[a], sets.link[b] = sets.link[b], sets.link[a]
    low, high = min(sets.low[a], sets.low[b]), max(sets.high[a], sets.high[b])
    sets.low[root], sets.high[root] = low, high
    sets.degree[root] += sets.degree[other]
    if sets.head[root] == NONE:
        sets.head[root], sets.tail[root] = sets.head[other], sets.tail[other]
    elif sets.head[other] != NONE:
        sets.after[sets.tail[root]] = sets.head[other]
        sets.tail[root] = sets.tail[other]


@kernel()
def sets_differ(sets, known, a, b):
    """Whether two sets, given by their roots, hold groups that differ. O(the fewer differences of both)."""
    if sets.degree[a] > sets.degree[b]:
        a, b = b, a
    g = sets.head[a] if sets.degree[a] > 0 else NONE
    while g != NONE:
        for s in range(known.starts[g], known.starts[g + 1]):
            if find_root(sets.parent, known.first[known.others[s]]) == b:
                return True
        g = sets.after[g]
    return False
