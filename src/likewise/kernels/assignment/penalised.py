"""Assignment with a price on every violated constraint, by groups, without listing the pairs of the closure.

Two items in violation cost ``q_i + q_j - 2 y_i·z_j``, a squared distance under a metric; sums of it
over the members of a group in one cluster need only their count, their sum and their summed norms.
Without features (z of width 0) and with q = 1/2 every violation costs 1.

start (g + 1,), members (s,), enemy_start (g + 1,), enemies are as in ``cluster.groups``, all int64; positions
in members are called slots. z (s, d): vectors of the slots; y (s, m, d + 1): each times every metric, with its
squared norm q at the end; metric_of (k,) int64: the metric of each cluster; reach (k,): the squared distance
that a violated cannot-link falls short of. What is assigned is summed up in n_used (g,), at (s,), part (s, d + 2)
and whole (g, d + m): group g has members in n_used[g] clusters; the rows start[g] … start[g] + n_used[g] say in
which (at), and how many, with which summed norms and which sum (part); whole has the sum and the norms under each
metric over all clusters. A group has no more such rows than members, so all of it is linear in s.

Arrays are passed one by one, and rows by index: tuples of arrays and views of rows are counted references, which
cost more here than the sums.
"""

import numpy as np
from numba import njit

# A move must gain more than rounding in the running sums can feign.
MARGIN = 1e-11


@njit(cache=True)
def _cheapest(own, item):
    """Position of the lowest entry of own[item], the first of equals. O(k)."""
    best = 0
    for h in range(1, own.shape[1]):
        if own[item, h] < own[item, best]:
            best = h
    return best


@njit(cache=True)
def _shift(slot, group, cluster, sign, start, z, y, metric_of, n_used, at, part, whole):
    """Add (sign 1) or take away (sign -1) one slot to or from the sums of its group. O(d + m + n_used)."""
    d = z.shape[1]
    first = start[group]
    row, last = first, first + n_used[group]
    while row < last and at[row] != cluster:
        row += 1
    if row == last:
        n_used[group] += 1
        at[row] = cluster
        for k in range(d + 2):
            part[row, k] = 0.0
    part[row, 0] += sign
    part[row, 1] += sign * y[slot, metric_of[cluster], d]
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


@njit(cache=True)
def _apart(slot, m, row, y, part):
    """Summed squared distances from a slot to the members in a row of part, under their metric m. O(d)."""
    d = y.shape[2] - 1
    inner = 0.0
    for k in range(d):
        inner += y[slot, m, k] * part[row, k + 2]
    return part[row, 0] * y[slot, m, d] + part[row, 1] - 2.0 * inner


@njit(cache=True)
def _add_must_link(slot, group, start, y, metric_of, n_used, at, part, whole, weight, costs):
    """Add to costs (k,) what splitting the slot from the rest of its group costs. O(k + (n_used + m) d)."""
    d = y.shape[2] - 1
    first = start[group]
    n_others, inside_all = 0.0, 0.0
    for row in range(first, first + n_used[group]):
        n_others += part[row, 0]
        inside = _apart(slot, metric_of[at[row]], row, y, part)
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


@njit(cache=True)
def _price(
    slot,
    group,
    item,
    own,
    start,
    enemy_start,
    enemies,
    y,
    metric_of,
    reach,
    n_used,
    at,
    part,
    whole,
    weight,
    costs,
):
    """Fill costs (k,) with the price of putting the slot, now in no cluster, into each cluster.

    O(k + (m + n_used of the group and of its enemies) d)
    """
    for h in range(costs.shape[0]):
        costs[h] = own[item, h]
    if n_used[group] > 0:
        _add_must_link(slot, group, start, y, metric_of, n_used, at, part, whole, weight, costs)
    for e in range(enemy_start[group], enemy_start[group + 1]):
        first = start[enemies[e]]
        for row in range(first, first + n_used[enemies[e]]):
            h = at[row]
            costs[h] += weight * (part[row, 0] * reach[h] - _apart(slot, metric_of[h], row, y, part))


@njit(cache=True)
def _move(
    first,
    last,
    group,
    own,
    start,
    members,
    enemy_start,
    enemies,
    z,
    y,
    metric_of,
    reach,
    n_used,
    at,
    part,
    whole,
    weight,
    labels,
    sizes,
    costs,
    together,
):
    """Put the slots first … last of a group into one cluster if that beats where they are; number moved.

    costs (k,), together (k,): overwritten. No cluster is left empty once all are filled.
    """
    now = 0.0
    together[:] = 0.0
    # First each slot leaves its cluster at its price there; then, with all of them out, every cluster is priced.
    for entering in range(2):
        for slot in range(first, last):
            h = labels[members[slot]]
            if not entering and h < 0:
                now = np.inf
                continue
            if not entering:
                _shift(slot, group, h, -1, start, z, y, metric_of, n_used, at, part, whole)
                sizes[h] -= 1
            if not entering or last - first > 1 or now == np.inf:
                _price(
                    slot,
                    group,
                    members[slot],
                    own,
                    start,
                    enemy_start,
                    enemies,
                    y,
                    metric_of,
                    reach,
                    n_used,
                    at,
                    part,
                    whole,
                    weight,
                    costs,
                )
            if entering:
                for h in range(costs.shape[0]):
                    together[h] += costs[h]
            else:
                now += costs[h]
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
        old = labels[members[slot]]
        h = best if move else old
        moved += h != old
        labels[members[slot]] = h
        sizes[h] += 1
        _shift(slot, group, h, 1, start, z, y, metric_of, n_used, at, part, whole)
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
    """Give each empty cluster the item that fits worst where it is, unconstrained items first. O(nk)."""
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
def assign_penalised(
    own,
    of_item,
    free,
    start,
    members,
    enemy_start,
    enemies,
    z,
    y,
    metric_of,
    reach,
    weight,
    group_order,
    slot_order,
    labels,
):
    """One pass of iterated conditional modes over groups, then items; labels (n,) change in place; number moved.

    own (n, k): price of each item in each cluster by itself; of_item (n,), free: group of each item, items
    in none; labels -1 where not yet assigned; group_order (g,), slot_order (s,) int64.
    O(nk + s (k + (m + n_used of the enemies) d)).
    """
    n_clusters, n_groups, d = own.shape[1], start.shape[0] - 1, z.shape[1]
    n_used = np.zeros(n_groups, np.int64)
    at = np.empty(members.shape[0], np.int64)
    part = np.empty((members.shape[0], d + 2))
    whole = np.zeros((n_groups, d + y.shape[1]))
    costs = np.empty(n_clusters)
    sizes = np.zeros(n_clusters, np.int64)
    for label in labels:
        if label >= 0:
            sizes[label] += 1
    fresh = sizes.sum() < labels.shape[0]
    for slot in range(members.shape[0]):
        h = labels[members[slot]]
        if h >= 0:
            _shift(slot, of_item[members[slot]], h, 1, start, z, y, metric_of, n_used, at, part, whole)
    together = np.empty(n_clusters)
    moved = 0
    for turn in range(group_order.shape[0] + slot_order.shape[0]):
        if turn < group_order.shape[0]:
            group = group_order[turn]
            first, last = start[group], start[group + 1]
            if last - first == 1:
                continue
        else:
            first = slot_order[turn - group_order.shape[0]]
            last = first + 1
            group = of_item[members[first]]
        moved += _move(
            first,
            last,
            group,
            own,
            start,
            members,
            enemy_start,
            enemies,
            z,
            y,
            metric_of,
            reach,
            n_used,
            at,
            part,
            whole,
            weight,
            labels,
            sizes,
            costs,
            together,
        )
    moved += move_free(free, own, labels, sizes)
    if fresh:
        fill_empty(own, of_item, labels, sizes)
    return moved


@njit(cache=True)
def price_labels(own, of_item, start, members, enemy_start, enemies, z, y, metric_of, reach, weight, labels):
    """Price of labels (n,), all assigned: own prices and every violation. Cost as of a pass."""
    n_groups, d = start.shape[0] - 1, z.shape[1]
    n_used = np.zeros(n_groups, np.int64)
    at = np.empty(members.shape[0], np.int64)
    part = np.empty((members.shape[0], d + 2))
    whole = np.zeros((n_groups, d + y.shape[1]))
    costs = np.empty(own.shape[1])
    total = 0.0
    for slot in range(members.shape[0]):
        item = members[slot]
        group = of_item[item]
        _price(
            slot,
            group,
            item,
            own,
            start,
            enemy_start,
            enemies,
            y,
            metric_of,
            reach,
            n_used,
            at,
            part,
            whole,
            weight,
            costs,
        )
        total += costs[labels[item]]
        _shift(slot, group, labels[item], 1, start, z, y, metric_of, n_used, at, part, whole)
    for item in range(labels.shape[0]):
        if of_item[item] < 0:
            total += own[item, labels[item]]
    return total
