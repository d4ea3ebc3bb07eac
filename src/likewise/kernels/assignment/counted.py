"""Assignment where every violated pair has the same price: only the members of groups in clusters are counted.

The same steps, in the same order and with the same roundings, as ``penalised`` takes with a price that does not depend
on the items, which is its slower twin. groups is a ``cluster.groups.Groups``; positions in its members are called
slots; layers is a ``penalised.Layers``. own (n, k): cost of each item in each cluster by itself. Inner functions take
arrays one by one: tuples of them would be counted as references for every slot, which costs more than the sums.
"""

import numpy as np
from numba import njit

from likewise.kernels.assignment.penalised import MARGIN, fill_empty, move_free


@njit(cache=True, inline="always")
def _count(slot, cluster, sign, group_of, start, n_used, at, counts):
    """Add (sign 1) or take away (sign -1) one slot to or from the counts of its groups. O(n_used) a layer.

    n_used (g,): clusters in which a group has members; its rows of at and counts, the clusters and how many members
    are there, begin at start[g].
    """
    for layer in range(group_of.shape[0]):
        group = group_of[layer, slot]
        if group < 0:
            continue
        row, last = start[group], start[group] + n_used[group]
        while row < last and at[row] != cluster:
            row += 1
        if row == last:
            n_used[group] += 1
            at[row] = cluster
            counts[row] = 0.0
        counts[row] += sign
        if counts[row] == 0.0:
            n_used[group] -= 1
            last = start[group] + n_used[group]
            at[row] = at[last]
            counts[row] = counts[last]


@njit(cache=True, inline="always")
def _fill_costs(slot, item, own, group_of, start, enemy_start, enemies, factor, weight, n_used, at, counts, costs):
    """Fill costs (k,) with the cost of the slot, now in no cluster, in each cluster. O(k + n_used of the enemies)."""
    for h in range(costs.shape[0]):
        costs[h] = own[item, h]
    for layer in range(group_of.shape[0]):
        group = group_of[layer, slot]
        if group < 0:
            continue
        price = weight * factor[group]
        others = 0.0
        for row in range(start[group], start[group] + n_used[group]):
            others += counts[row]
            costs[at[row]] -= price * counts[row]
        if others > 0.0:
            for h in range(costs.shape[0]):
                costs[h] += price * others
        for e in range(enemy_start[group], enemy_start[group + 1]):
            first = start[enemies[e]]
            for row in range(first, first + n_used[enemies[e]]):
                costs[at[row]] += price * counts[row]


@njit(cache=True, inline="always")
def _choose(now, together, sizes):
    """The cluster to move to, or -1 where the present ones cost no more or a cluster would be left empty. O(k)."""
    best, n_empty = 0, 0
    for h in range(together.shape[0]):
        n_empty += sizes[h] == 0
        if together[h] < together[best]:
            best = h
    if now == np.inf:
        return best
    keeps_all = n_empty == 0 or (n_empty == 1 and sizes[best] == 0)
    gains = together[best] < now - MARGIN * (abs(together[best]) + abs(now))
    return best if keeps_all and gains else -1


@njit(cache=True, inline="always")
def _move(
    first,
    last,
    own,
    members,
    group_of,
    start,
    enemy_start,
    enemies,
    factor,
    weight,
    n_used,
    at,
    counts,
    labels,
    sizes,
    costs,
    together,
):
    """Put the slots first … last of a group into one cluster if that costs less than now; number moved."""
    now = 0.0
    for slot in range(first, last):
        h = labels[members[slot]]
        if h < 0:
            now = np.inf
            continue
        _count(slot, h, -1.0, group_of, start, n_used, at, counts)
        sizes[h] -= 1
        _fill_costs(
            slot, members[slot], own, group_of, start, enemy_start, enemies, factor, weight, n_used, at, counts, costs
        )
        now += costs[h]
    together[:] = 0.0
    for slot in range(first, last):
        item = members[slot]
        if last - first > 1 or now == np.inf:  # the costs of a single slot are known from taking it out
            _fill_costs(
                slot, item, own, group_of, start, enemy_start, enemies, factor, weight, n_used, at, counts, costs
            )
        for h in range(costs.shape[0]):
            together[h] += costs[h]
    best = _choose(now, together, sizes)
    moved = 0
    for slot in range(first, last):
        old = labels[members[slot]]
        h = best if best >= 0 else old
        moved += h != old
        labels[members[slot]] = h
        sizes[h] += 1
        _count(slot, h, 1.0, group_of, start, n_used, at, counts)
    return moved


@njit(cache=True)
def assign_counted(own, groups, layers, weight, free, group_order, slot_order, labels):
    """One pass of iterated conditional modes over groups, then items; labels (n,) change in place; number moved.

    As ``assign_penalised``, every violated pair costing weight. O(nk + s (k + n_used of the enemies)).
    """
    group_of, start, enemy_start, enemies, factor = layers
    members, k = groups.members, own.shape[1]
    n_used, at, counts = np.zeros(start.shape[0] - 1, np.int64), np.empty(start[-1], np.int64), np.empty(start[-1])
    costs, together, sizes = np.empty(k), np.empty(k), np.zeros(k, np.int64)
    for label in labels:
        if label >= 0:
            sizes[label] += 1
    fresh = sizes.sum() < labels.shape[0]
    for slot in range(members.shape[0]):
        if labels[members[slot]] >= 0:
            _count(slot, labels[members[slot]], 1.0, group_of, start, n_used, at, counts)
    n_groups = groups.start.shape[0] - 1
    moved = 0
    for step in range(n_groups + members.shape[0]):
        if step < n_groups:
            first, last = groups.start[group_order[step]], groups.start[group_order[step] + 1]
            if last - first == 1:
                continue
        else:
            first = slot_order[step - n_groups]
            last = first + 1
        moved += _move(
            first,
            last,
            own,
            members,
            group_of,
            start,
            enemy_start,
            enemies,
            factor,
            weight,
            n_used,
            at,
            counts,
            labels,
            sizes,
            costs,
            together,
        )
    moved += move_free(free, own, labels, sizes)
    if fresh:
        fill_empty(own, groups.of_item, labels, sizes)
    return moved


@njit(cache=True)
def sum_counted(own, groups, layers, weight, labels):
    """Cost of labels (n,), all assigned: own costs and weight for every violated pair. Cost as of a pass."""
    group_of, start, enemy_start, enemies, factor = layers
    n_used, at, counts = np.zeros(start.shape[0] - 1, np.int64), np.empty(start[-1], np.int64), np.empty(start[-1])
    costs = np.empty(own.shape[1])
    total = 0.0
    for slot in range(groups.members.shape[0]):
        item = groups.members[slot]
        _fill_costs(slot, item, own, group_of, start, enemy_start, enemies, factor, weight, n_used, at, counts, costs)
        total += costs[labels[item]]
        _count(slot, labels[item], 1.0, group_of, start, n_used, at, counts)
    for item in range(labels.shape[0]):
        if groups.of_item[item] < 0:
            total += own[item, labels[item]]
    return total
