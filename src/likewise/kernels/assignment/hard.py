"""Assignment of must-link groups to clusters without breaking a single cannot-link.

cost (g, k) float64: price of each group in each cluster; enemy_start (g + 1,), enemies (2e,) int64: groups
that must not meet, as in ``cluster.groups``. Group labels are (g,) int64, -1 where not yet placed.
"""

import numpy as np
from numba import njit

MARGIN = 1e-11

FOUND, IMPOSSIBLE, GAVE_UP = 0, 1, 2


@njit(cache=True)
def _most_blocked(labels, n_blocked, degree, pool):
    """The unplaced group of pool (p,) with most clusters barred, then most enemies, then lowest index. O(p)."""
    best = -1
    for g in pool:
        if labels[g] >= 0:
            continue
        ahead = best < 0 or n_blocked[g] > n_blocked[best]
        if ahead or (n_blocked[g] == n_blocked[best] and degree[g] > degree[best]):
            best = g
    return best


@njit(cache=True)
def _shift_blocks(g, cluster, sign, enemy_start, enemies, blocks, n_blocked):
    """Bar (sign 1) or free (sign -1) the cluster to the enemies of g. O(enemies)."""
    for e in range(enemy_start[g], enemy_start[g + 1]):
        enemy = enemies[e]
        before = blocks[enemy, cluster]
        blocks[enemy, cluster] = before + sign
        if before == 0:
            n_blocked[enemy] += 1
        elif before + sign == 0:
            n_blocked[enemy] -= 1


@njit(cache=True)
def place_groups(cost, enemy_start, enemies):
    """Labels (g,): each group into its cheapest open cluster, those with fewest open first; and whether all fit.

    O(c² + e + gk) for c groups with enemies.
    """
    n_groups, n_clusters = cost.shape
    labels = np.full(n_groups, -1, np.int64)
    blocks = np.zeros((n_groups, n_clusters), np.int64)
    n_blocked = np.zeros(n_groups, np.int64)
    degree = enemy_start[1:] - enemy_start[:-1]
    pool = np.flatnonzero(degree)
    for _ in range(pool.shape[0]):
        g = _most_blocked(labels, n_blocked, degree, pool)
        if n_blocked[g] == n_clusters:
            return labels, False
        best = -1
        for h in range(n_clusters):
            if blocks[g, h] == 0 and (best < 0 or cost[g, h] < cost[g, best]):
                best = h
        labels[g] = best
        _shift_blocks(g, best, 1, enemy_start, enemies, blocks, n_blocked)
    for g in range(n_groups):
        if labels[g] < 0:
            labels[g] = np.argmin(cost[g])
    return labels, True


@njit(cache=True)
def colour_groups(pool, n_clusters, enemy_start, enemies, max_steps):
    """Place the groups of pool (p,), a connected part, by exhaustive search with the most barred first (DSATUR).

    Returns (status, labels (g,), stuck): FOUND, IMPOSSIBLE or GAVE_UP after max_steps; unless FOUND, stuck
    is a group barred from every cluster and labels are where the others were then. O(p) a step.
    """
    n_groups = enemy_start.shape[0] - 1
    labels = np.full(n_groups, -1, np.int64)
    blocks = np.zeros((n_groups, n_clusters), np.int64)
    n_blocked = np.zeros(n_groups, np.int64)
    degree = enemy_start[1:] - enemy_start[:-1]
    chosen = np.empty(pool.shape[0], np.int64)
    n_used = np.zeros(pool.shape[0] + 1, np.int64)
    depth, deepest, stuck = 0, -1, -1
    stuck_labels = labels.copy()
    chosen[0] = _most_blocked(labels, n_blocked, degree, pool)
    following = 0
    for _ in range(max_steps):
        g = chosen[depth]
        if n_blocked[g] == n_clusters and depth > deepest:
            deepest, stuck = depth, g
            stuck_labels[:] = labels
        # Unused clusters are alike: trying the first of them is enough.
        last = min(n_used[depth] + 1, n_clusters)
        h = following
        while h < last and blocks[g, h] > 0:
            h += 1
        if h < last:
            labels[g] = h
            _shift_blocks(g, h, 1, enemy_start, enemies, blocks, n_blocked)
            n_used[depth + 1] = max(n_used[depth], h + 1)
            depth += 1
            if depth == pool.shape[0]:
                return FOUND, labels, -1
            chosen[depth] = _most_blocked(labels, n_blocked, degree, pool)
            following = 0
            continue
        if depth == 0:
            return IMPOSSIBLE, stuck_labels, stuck
        depth -= 1
        g = chosen[depth]
        following = labels[g] + 1
        _shift_blocks(g, labels[g], -1, enemy_start, enemies, blocks, n_blocked)
        labels[g] = -1
    return GAVE_UP, stuck_labels, stuck


@njit(cache=True)
def _gather_chain(g, cluster, enemy_start, enemies, labels, mark, stamp, chain):
    """Groups that must change sides with g when it moves to cluster, into chain; how many. O(chain's enemies)."""
    home = labels[g]
    chain[0] = g
    mark[g] = stamp
    length, done = 1, 0
    while done < length:
        here = chain[done]
        done += 1
        other = cluster if labels[here] == home else home
        for e in range(enemy_start[here], enemy_start[here + 1]):
            enemy = enemies[e]
            if labels[enemy] == other and mark[enemy] != stamp:
                mark[enemy] = stamp
                chain[length] = enemy
                length += 1
    return length


@njit(cache=True)
def move_groups(cost, weights, enemy_start, enemies, labels, sizes):
    """One pass of moves that lower the price and keep every cannot-link; labels change in place; number moved.

    A group moves together with all groups that must then change sides (a Kempe chain between two
    clusters). weights (g,): items in each group; sizes (k,): items in each cluster, none of which is left empty.
    """
    n_groups, n_clusters = cost.shape
    mark = np.full(n_groups, -1, np.int64)
    chain = np.empty(n_groups, np.int64)
    stamp, moved = 0, 0
    for g in range(n_groups):
        home = labels[g]
        best, best_gain = -1, 0.0
        for h in range(n_clusters):
            if not cost[g, h] < cost[g, home]:
                continue
            length = _gather_chain(g, h, enemy_start, enemies, labels, mark, stamp, chain)
            stamp += 1
            gain, scale, leaving = 0.0, 0.0, 0
            for c in chain[:length]:
                at_home = labels[c] == home
                gain += cost[c, home] - cost[c, h] if at_home else cost[c, h] - cost[c, home]
                scale += cost[c, home] + cost[c, h]
                leaving += weights[c] if at_home else -weights[c]
            fits = sizes[home] - leaving > 0 and sizes[h] + leaving > 0
            if fits and gain > best_gain and gain > MARGIN * scale:
                best, best_gain = h, gain
        if best < 0:
            continue
        length = _gather_chain(g, best, enemy_start, enemies, labels, mark, stamp, chain)
        stamp += 1
        for c in chain[:length]:
            old = labels[c]
            labels[c] = best if old == home else home
            sizes[old] -= weights[c]
            sizes[labels[c]] += weights[c]
            moved += 1
    return moved
