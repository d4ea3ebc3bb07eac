"""Assignment with a price on every violated constraint, by groups, without listing the pairs of the closure.

Two items in violation cost ``q_i + q_j - 2 y_i·z_j``, a squared distance under a metric; sums of it
over the members of a group in one cluster need only their count, their sum and their summed norms.
Without features (z of width 0) and with q = 1/2 every violation costs 1.

graph = (start, members, enemy_start, enemies) as in ``cluster.groups``, all int64. Entries of members
are called slots. features = (z (s, d), y (s, m, d), q (s, m), metric_of (k,) int64, reach (k,)): vectors
of the slots, each times every metric, their squared norms, the metric of each cluster, and the squared
distance that a violated cannot-link falls short of. stats = (n_used (g,), at (s,), count (s,), norms (s,),
sums (s, d), total (g, d), total_norms (g, m)): group g has its members in n_used[g] clusters; the entries
start[g] … start[g] + n_used[g] say in which, and how many, with which summed norms and which sum; the totals
are over all clusters. A group has no more entries than members, so all of it is linear in s.
"""

import numpy as np
from numba import njit

# A move must gain more than rounding in the running sums can feign.
MARGIN = 1e-11


@njit(cache=True)
def _dot(a, b):
    """Inner product of two (d,) vectors. O(d)."""
    out = 0.0
    for k in range(a.shape[0]):
        out += a[k] * b[k]
    return out


@njit(cache=True)
def _shift_stats(slot, group, cluster, sign, start, features, stats):
    """Add (sign 1) or take away (sign -1) one slot to or from its group's stats. O(d + m + entries)."""
    z, _, q, metric_of, _ = features
    n_used, at, count, norms, sums, total, total_norms = stats
    first = start[group]
    e = first
    while e < first + n_used[group] and at[e] != cluster:
        e += 1
    if e == first + n_used[group]:
        n_used[group] += 1
        at[e], count[e], norms[e], sums[e] = cluster, 0, 0.0, 0.0
    count[e] += sign
    norms[e] += sign * q[slot, metric_of[cluster]]
    for k in range(z.shape[1]):
        sums[e, k] += sign * z[slot, k]
        total[group, k] += sign * z[slot, k]
    for m in range(q.shape[1]):
        total_norms[group, m] += sign * q[slot, m]
    if count[e] == 0:
        n_used[group] -= 1
        last = first + n_used[group]
        at[e], count[e], norms[e], sums[e] = at[last], count[last], norms[last], sums[last]


@njit(cache=True)
def _apart(slot, m, e, features, stats):
    """Summed squared distances under metric m from a slot to the members in entry e, whose metric is m. O(d)."""
    _, y, q, _, _ = features
    _, _, count, norms, sums, _, _ = stats
    return count[e] * q[slot, m] + norms[e] - 2.0 * _dot(y[slot, m], sums[e])


@njit(cache=True)
def _add_must_link(slot, group, start, features, stats, weight, costs):
    """Add to costs (k,) what splitting the slot from the rest of its group costs in each cluster.

    O(k + (entries + m) d)
    """
    _, y, q, metric_of, _ = features
    n_used, at, count, _, _, total, total_norms = stats
    entries = range(start[group], start[group] + n_used[group])
    n_others, inside_all = 0, 0.0
    for e in entries:
        n_others += count[e]
    if n_others == 0:
        return
    for e in entries:
        inside = _apart(slot, metric_of[at[e]], e, features, stats)
        inside_all += inside
        # Members in the cluster itself are not split from the slot there.
        costs[at[e]] -= weight * inside
    last, to_all = -1, 0.0
    for h in range(costs.shape[0]):
        m = metric_of[h]
        if m != last:  # clusters that share a metric share this
            to_all = n_others * q[slot, m] + total_norms[group, m] - 2.0 * _dot(y[slot, m], total[group])
            last = m
        costs[h] += 0.5 * weight * (to_all + inside_all)


@njit(cache=True)
def _add_cannot_link(slot, group, graph, features, stats, weight, costs):
    """Add to costs (k,) what meeting the slot's enemies costs in each cluster. O(entries of the enemies × d)."""
    start, _, enemy_start, enemies = graph
    _, _, _, metric_of, reach = features
    n_used, at, count, _, _, _, _ = stats
    for k in range(enemy_start[group], enemy_start[group + 1]):
        enemy = enemies[k]
        for e in range(start[enemy], start[enemy] + n_used[enemy]):
            h = at[e]
            costs[h] += weight * (count[e] * reach[h] - _apart(slot, metric_of[h], e, features, stats))


@njit(cache=True)
def _price(slot, group, item, own, graph, features, stats, weight, costs):
    """Fill costs (k,) with the price of putting the slot, now in no cluster, into each cluster."""
    for h in range(costs.shape[0]):
        costs[h] = own[item, h]
    _add_must_link(slot, group, graph[0], features, stats, weight, costs)
    _add_cannot_link(slot, group, graph, features, stats, weight, costs)


@njit(cache=True)
def _is_gain(new, old):
    """Whether new lies below old by more than rounding."""
    return new < old - MARGIN * (abs(new) + abs(old))


@njit(cache=True)
def _move_group(group, own, graph, features, stats, weight, labels, sizes, costs):
    """Put the whole group where it is cheapest if that beats where its members are; number moved."""
    start, members, _, _ = graph
    first, last = start[group], start[group + 1]
    before = labels[members[first:last]]
    n_clusters = costs.shape[0]
    now = 0.0
    for slot in range(first, last):
        h = before[slot - first]
        if h < 0:
            now = np.inf
            continue
        _shift_stats(slot, group, h, -1, graph[0], features, stats)
        sizes[h] -= 1
        _price(slot, group, members[slot], own, graph, features, stats, weight, costs)
        now += costs[h]
    whole = np.zeros(n_clusters)
    for slot in range(first, last):
        _price(slot, group, members[slot], own, graph, features, stats, weight, costs)
        whole += costs
    n_empty = 0
    for h in range(n_clusters):
        n_empty += sizes[h] == 0
    best = np.argmin(whole)
    # No cluster may be left empty once all are filled.
    keeps_all = n_empty == 0 or (n_empty == 1 and sizes[best] == 0)
    move = now == np.inf or (keeps_all and _is_gain(whole[best], now))
    moved = 0
    for slot in range(first, last):
        h = best if move else before[slot - first]
        moved += h != before[slot - first]
        labels[members[slot]] = h
        sizes[h] += 1
        _shift_stats(slot, group, h, 1, graph[0], features, stats)
    return moved


@njit(cache=True)
def _move_slot(slot, group, own, graph, features, stats, weight, labels, sizes, costs):
    """Put one item where it is cheapest if that is a gain and leaves no cluster empty; number moved."""
    item = graph[1][slot]
    old = labels[item]
    if old >= 0:
        if sizes[old] == 1:
            return 0
        _shift_stats(slot, group, old, -1, graph[0], features, stats)
    _price(slot, group, item, own, graph, features, stats, weight, costs)
    new = np.argmin(costs)
    if old >= 0 and not _is_gain(costs[new], costs[old]):
        new = old
    _shift_stats(slot, group, new, 1, graph[0], features, stats)
    if new == old:
        return 0
    if old >= 0:
        sizes[old] -= 1
    sizes[new] += 1
    labels[item] = new
    return 1


@njit(cache=True)
def move_free(free, own, labels, sizes):
    """Put every item of free (f,) into its cheapest cluster, leaving none empty; number moved. O(fk)."""
    moved = 0
    for item in free:
        old = labels[item]
        new = np.argmin(own[item])
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
def _gather_stats(graph, features, labels):
    """Stats of the items that have a label. O(s(d + m))."""
    start, members, _, _ = graph
    z, _, q, _, _ = features
    n_groups, n_slots, d = start.shape[0] - 1, members.shape[0], z.shape[1]
    stats = (
        np.zeros(n_groups, np.int64),
        np.empty(n_slots, np.int64),
        np.empty(n_slots, np.int64),
        np.empty(n_slots),
        np.empty((n_slots, d)),
        np.zeros((n_groups, d)),
        np.zeros((n_groups, q.shape[1])),
    )
    for group in range(n_groups):
        for slot in range(start[group], start[group + 1]):
            if labels[members[slot]] >= 0:
                _shift_stats(slot, group, labels[members[slot]], 1, start, features, stats)
    return stats


@njit(cache=True)
def assign_penalised(own, of_item, free, graph, features, weight, group_order, slot_order, labels):
    """One pass of iterated conditional modes over groups, then items; labels (n,) change in place; number moved.

    own (n, k): price of each item in each cluster by itself; labels -1 where not yet assigned;
    group_order (g,), slot_order (s,) int64. O(nk + s (k + m d + entries of enemies × d)).
    """
    n_clusters = own.shape[1]
    sizes = np.zeros(n_clusters, np.int64)
    fresh = False
    for label in labels:
        if label >= 0:
            sizes[label] += 1
        else:
            fresh = True
    start = graph[0]
    stats = _gather_stats(graph, features, labels)
    costs = np.empty(n_clusters)
    moved = 0
    for group in group_order:
        if start[group + 1] - start[group] > 1:
            moved += _move_group(group, own, graph, features, stats, weight, labels, sizes, costs)
    for slot in slot_order:
        group = of_item[graph[1][slot]]
        moved += _move_slot(slot, group, own, graph, features, stats, weight, labels, sizes, costs)
    moved += move_free(free, own, labels, sizes)
    if fresh:
        fill_empty(own, of_item, labels, sizes)
    return moved


@njit(cache=True)
def price_labels(own, of_item, graph, features, weight, labels):
    """Price of labels (n,), all assigned: own prices and every violation. Cost as of a pass."""
    n_clusters = own.shape[1]
    stats = _gather_stats(graph, features, np.full_like(labels, -1))
    costs = np.empty(n_clusters)
    total = 0.0
    for slot in range(graph[1].shape[0]):
        item = graph[1][slot]
        group = of_item[item]
        _price(slot, group, item, own, graph, features, stats, weight, costs)
        total += costs[labels[item]]
        _shift_stats(slot, group, labels[item], 1, graph[0], features, stats)
    for item in range(labels.shape[0]):
        if of_item[item] < 0:
            total += own[item, labels[item]]
    return total
