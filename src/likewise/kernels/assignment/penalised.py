"""Assignment with a cost for every violated constraint, by groups, without listing the pairs of the closure.

Two items in violation cost ``q_i + q_j - 2 y_i·z_j``, a squared distance under a metric; sums of it
over the members of a group in one cluster need only their count, their sum and their summed norms.
Without features (z of width 0) and with q = 1/2 every violation costs 1.

groups is a ``cluster.groups.Groups``; positions in its members are called slots. Where constraints have weights, what a
violation costs is the sum over layers, each with groups of its own inside these. own (n, k): cost of each item in
each cluster by itself. Functions called for every slot are inlined: a call with a tuple of arrays counts references,
which costs more here than the sums.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

# A move must gain more than rounding in the running sums can feign.
MARGIN = 1e-11


class Penalties(NamedTuple):
    """What a violation costs.

    - `vectors` (s, d): The constrained items, in the order of ``Groups.members``.
    - `mapped` (s, m, d + 1): Each of them times each metric, with its squared norm under it at the end.
    - `metric_of` (k,): Metric of each cluster.
    - `reach` (k,): Largest squared distance under it; a violated cannot-link costs what its own distance is short
      of that.
    - `weight`: Factor on every violation.
    """

    vectors: NDArray[np.float64]
    mapped: NDArray[np.float64]
    metric_of: NDArray[np.int64]
    reach: NDArray[np.float64]
    weight: float


class Layers(NamedTuple):
    """Groups of several layers, one layer after another; a layer of its own for every weight of a constraint.

    - `group_of` (l, s): Group of each slot in each layer, -1 where it is in none.
    - `start` (g + 1,): First row of the sums of each group; as many rows as it has members.
    - `enemy_start`, `enemies` (g + 1,) and (2 e,): As of ``Groups``.
    - `factor` (g,): Factor on the violations of each group.
    """

    group_of: NDArray[np.int64]
    start: NDArray[np.int64]
    enemy_start: NDArray[np.int64]
    enemies: NDArray[np.int64]
    factor: NDArray[np.float64]


class GroupSums(NamedTuple):
    """Sums over the assigned members of every group; a group has no more rows than members.

    - `n_used` (g,): Clusters in which group g has members; its rows are start[g] … start[g] + n_used[g].
    - `at` (s,): Cluster of each row.
    - `part` (s, d + 2): Number of members there, their summed squared norms and the sum of their vectors.
    - `whole` (g, d + m): Sum of the vectors over all clusters, and summed squared norms under each metric.
    """

    n_used: NDArray[np.int64]
    at: NDArray[np.int64]
    part: NDArray[np.float64]
    whole: NDArray[np.float64]


class Labelling(NamedTuple):
    """Labels (n,), -1 where not yet assigned, and sizes (k,) of the clusters; costs and together (k,) are work space."""

    labels: NDArray[np.int64]
    sizes: NDArray[np.int64]
    costs: NDArray[np.float64]
    together: NDArray[np.float64]


@njit(cache=True)
def _new_sums(layers, penalties):
    """Sums of groups of which nothing is assigned. O(s d) a layer."""
    n_groups, n_rows = layers.start.shape[0] - 1, layers.start[-1]
    d, n_metrics = penalties.vectors.shape[1], penalties.mapped.shape[1]
    return GroupSums(
        np.zeros(n_groups, np.int64),
        np.empty(n_rows, np.int64),
        np.empty((n_rows, d + 2)),
        np.zeros((n_groups, d + n_metrics)),
    )


@njit(cache=True)
def _cheapest(own, item):
    """Position of the lowest entry of own[item], the first of equals. O(k)."""
    best = 0
    for h in range(1, own.shape[1]):
        if own[item, h] < own[item, best]:
            best = h
    return best


@njit(cache=True, inline="always")
def _shift_in(slot, group, cluster, sign, layers, penalties, sums):
    """Add (sign 1) or take away (sign -1) one slot to or from the sums of a group. O(d + m + n_used)."""
    z, y = penalties.vectors, penalties.mapped
    n_used, at, part, whole = sums
    d = z.shape[1]
    first = layers.start[group]
    row, last = first, first + n_used[group]
    while row < last and at[row] != cluster:
        row += 1
    if row == last:
        n_used[group] += 1
        at[row] = cluster
        for k in range(d + 2):
            part[row, k] = 0.0
    part[row, 0] += sign
    part[row, 1] += sign * y[slot, penalties.metric_of[cluster], d]
    for k in range(d):
        part[row, k + 2] += sign * z[slot, k]
        whole[group, k] += sign * z[slot, k]
    for m in range(y.shape[1]):
        whole[group, d + m] += sign * y[slot, m, d]
    if part[row, 0] == 0.0:
        n_used[group] -= 1
        last = first + n_used[group]
        at[row] = at[last]
        for k in range(d + 2):
            part[row, k] = part[last, k]


@njit(cache=True, inline="always")
def _shift(slot, cluster, sign, layers, penalties, sums):
    """The same for the groups of the slot in all layers."""
    for layer in range(layers.group_of.shape[0]):
        group = layers.group_of[layer, slot]
        if group >= 0:
            _shift_in(slot, group, cluster, sign, layers, penalties, sums)


@njit(cache=True, inline="always")
def _sum_distances(slot, m, row, y, part):
    """Summed squared distances from a slot to the members in a row of part, under their metric m. O(d)."""
    d = y.shape[2] - 1
    inner = 0.0
    for k in range(d):
        inner += y[slot, m, k] * part[row, k + 2]
    return part[row, 0] * y[slot, m, d] + part[row, 1] - 2.0 * inner


@njit(cache=True, inline="always")
def _add_must_link(slot, group, layers, penalties, sums, costs):
    """Add to costs (k,) what splitting the slot from the rest of a group costs. O(k + (n_used + m) d)."""
    y, metric_of, weight = penalties.mapped, penalties.metric_of, penalties.weight * layers.factor[group]
    n_used, at, part, whole = sums
    d = y.shape[2] - 1
    first = layers.start[group]
    n_others, inside_all = 0.0, 0.0
    for row in range(first, first + n_used[group]):
        n_others += part[row, 0]
        inside = _sum_distances(slot, metric_of[at[row]], row, y, part)
        inside_all += inside
        # Members in the cluster itself are not split from the slot there.
        costs[at[row]] -= weight * inside
    last, to_all = -1, 0.0
    for h in range(costs.shape[0]):
        m = metric_of[h]
        if m != last:  # clusters that share a metric share this
            inner = 0.0
            for k in range(d):
                inner += y[slot, m, k] * whole[group, k]
            to_all = n_others * y[slot, m, d] + whole[group, d + m] - 2.0 * inner
            last = m
        costs[h] += 0.5 * weight * (to_all + inside_all)


@njit(cache=True, inline="always")
def _add_cannot_links(slot, group, layers, penalties, sums, costs):
    """Add to costs (k,) what meeting the enemies of a group costs. O(n_used of the enemies × d)."""
    y, metric_of, reach = penalties.mapped, penalties.metric_of, penalties.reach
    weight = penalties.weight * layers.factor[group]
    n_used, at, part, _ = sums
    for e in range(layers.enemy_start[group], layers.enemy_start[group + 1]):
        enemy = layers.enemies[e]
        first = layers.start[enemy]
        for row in range(first, first + n_used[enemy]):
            h = at[row]
            costs[h] += weight * (part[row, 0] * reach[h] - _sum_distances(slot, metric_of[h], row, y, part))


@njit(cache=True, inline="always")
def _fill_costs(slot, item, own, layers, penalties, sums, costs):
    """Fill costs (k,) with the cost of the slot, now in no cluster, in each cluster.

    O(k + (m + n_used of its groups and of their enemies) d)
    """
    for h in range(costs.shape[0]):
        costs[h] = own[item, h]
    for layer in range(layers.group_of.shape[0]):
        group = layers.group_of[layer, slot]
        if group >= 0:
            if sums.n_used[group] > 0:
                _add_must_link(slot, group, layers, penalties, sums, costs)
            _add_cannot_links(slot, group, layers, penalties, sums, costs)


@njit(cache=True, inline="always")
def _take_out(first, last, own, groups, layers, penalties, sums, labelling):
    """Take the slots first … last out of their clusters; what they cost there, infinite if one is in none."""
    labels, sizes, costs, _ = labelling
    now = 0.0
    for slot in range(first, last):
        h = labels[groups.members[slot]]
        if h < 0:
            now = np.inf
            continue
        _shift(slot, h, -1, layers, penalties, sums)
        sizes[h] -= 1
        _fill_costs(slot, groups.members[slot], own, layers, penalties, sums, costs)
        now += costs[h]
    return now


@njit(cache=True)
def _move(first, last, own, groups, layers, penalties, sums, labelling):
    """Put the slots first … last of a group into one cluster if that costs less than now; number moved.

    No cluster is left empty once all are filled.
    """
    labels, sizes, costs, together = labelling
    now = _take_out(first, last, own, groups, layers, penalties, sums, labelling)
    together[:] = 0.0
    for slot in range(first, last):
        if last - first > 1 or now == np.inf:  # the costs of a single slot are known from taking it out
            _fill_costs(slot, groups.members[slot], own, layers, penalties, sums, costs)
        for h in range(costs.shape[0]):
            together[h] += costs[h]
    best, n_empty = 0, 0
    for h in range(costs.shape[0]):
        n_empty += sizes[h] == 0
        if together[h] < together[best]:
            best = h
    keeps_all = n_empty == 0 or (n_empty == 1 and sizes[best] == 0)
    gains = together[best] < now - MARGIN * (abs(together[best]) + abs(now))
    move = now == np.inf or (keeps_all and gains)
    moved = 0
    for slot in range(first, last):
        old = labels[groups.members[slot]]
        h = best if move else old
        moved += h != old
        labels[groups.members[slot]] = h
        sizes[h] += 1
        _shift(slot, h, 1, layers, penalties, sums)
    return moved


@njit(cache=True)
def move_free(free, own, labels, sizes):
    """Put every item of free (f,) into its cheapest cluster, leaving none empty; number moved. O(fk)."""
    moved = 0
    for item in free:
        old = labels[item]
        new = _cheapest(own, item)
        if old >= 0 and (sizes[old] == 1 or not own[item, new] < own[item, old]):
            continue
        if old >= 0:
            sizes[old] -= 1
        sizes[new] += 1
        labels[item] = new
        moved += 1
    return moved


@njit(cache=True)
def fill_empty(own, of_item, labels, sizes):
    """Give each empty cluster the item that costs most in its own, unconstrained items first. O(nk)."""
    for h in range(sizes.shape[0]):
        if sizes[h] > 0:
            continue
        worst = -1
        for i in range(labels.shape[0]):
            if sizes[labels[i]] < 2:
                continue
            if worst < 0:
                worst = i
                continue
            bound, worst_bound = of_item[i] >= 0, of_item[worst] >= 0
            further = own[i, labels[i]] > own[worst, labels[worst]]
            if (worst_bound and not bound) or (bound == worst_bound and further):
                worst = i
        sizes[labels[worst]] -= 1
        labels[worst] = h
        sizes[h] = 1


@njit(cache=True)
def assign_penalised(own, groups, layers, penalties, free, group_order, slot_order, labels):
    """One pass of iterated conditional modes over groups, then items; labels (n,) change in place; number moved.

    free: items in no group; labels -1 where not yet assigned; group_order (g,), slot_order (s,) int64.
    O(nk + s (k + (m + n_used of the enemies) d)).
    """
    n_clusters = own.shape[1]
    sums = _new_sums(layers, penalties)
    sizes = np.zeros(n_clusters, np.int64)
    for label in labels:
        if label >= 0:
            sizes[label] += 1
    fresh = sizes.sum() < labels.shape[0]
    for slot in range(groups.members.shape[0]):
        item = groups.members[slot]
        if labels[item] >= 0:
            _shift(slot, labels[item], 1, layers, penalties, sums)
    labelling = Labelling(labels, sizes, np.empty(n_clusters), np.empty(n_clusters))
    moved = 0
    for group in group_order:
        first, last = groups.start[group], groups.start[group + 1]
        if last - first > 1:
            moved += _move(first, last, own, groups, layers, penalties, sums, labelling)
    for slot in slot_order:
        moved += _move(slot, slot + 1, own, groups, layers, penalties, sums, labelling)
    moved += move_free(free, own, labels, sizes)
    if fresh:
        fill_empty(own, groups.of_item, labels, sizes)
    return moved


@njit(cache=True)
def sum_costs(own, groups, layers, penalties, labels):
    """Cost of labels (n,), all assigned: own costs and every violation. Cost as of a pass."""
    sums = _new_sums(layers, penalties)
    costs = np.empty(own.shape[1])
    total = 0.0
    for slot in range(groups.members.shape[0]):
        item = groups.members[slot]
        _fill_costs(slot, item, own, layers, penalties, sums, costs)
        total += costs[labels[item]]
        _shift(slot, labels[item], 1, layers, penalties, sums)
    for item in range(labels.shape[0]):
        if groups.of_item[item] < 0:
            total += own[item, labels[item]]
    return total
