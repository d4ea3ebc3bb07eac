"""Fuzzy memberships: rows that are not negative and add up to 1, at the lowest cost.

A row u (c,) costs Σ_k d_k u_k² + b_k u_k, d (c,) > 0 being squared distances and b (c,) what else it costs to be in
a cluster.
"""

import numpy as np
from numba import njit


@njit(cache=True)
def _balance_row(d, b, u):
    """Fill u (c,) with the cheapest row for d and b. O(c) a round, at most c rounds, two or three as a rule.

    What is the same in all of b changes nothing and is taken off first, lest it swallow what is not. Where no membership is negative this is the sum of the FCM term and the terms in b. Else the negative ones
    become 0 and the others are balanced anew, which ends in the exact minimum over the simplex.
    """
    c = d.shape[0]
    least = b[0]
    for k in range(c):
        u[k] = 1.0
        least = min(least, b[k])
    while True:
        weight, level = 0.0, 0.0
        for k in range(c):
            if u[k] >= 0.0:
                weight += 1.0 / d[k]
                level += (b[k] - least) / d[k]
        price = (2.0 + level) / weight
        again = False
        total = 0.0
        for k in range(c):
            if u[k] >= 0.0:
                u[k] = (price - (b[k] - least)) / (2.0 * d[k])
                if u[k] < 0.0:
                    again = True
                else:
                    total += u[k]
        if not again:
            break
    for k in range(c):
        u[k] = u[k] / total if u[k] > 0.0 else 0.0


@njit(cache=True)
def balance_free(distances, bias, free, memberships):
    """Rows free (m,) int64 of memberships (n, c) for distances (n, c) and the same bias (c,) for all. O(mc)."""
    for position in range(free.shape[0]):
        i = free[position]
        _balance_row(distances[i], bias, memberships[i])


@njit(cache=True)
def balance_bound(distances, bias, alpha, groups, layers, memberships, sums):
    """Rows of all members, one after another, each seeing what the others have become; in place. O((s + e) c) a layer.

    groups: a ``cluster.groups.Groups``; layers: the same by weight, a ``kernels.assignment.penalised.Layers``; sums (g,
    c): summed memberships of every group of the layers, kept up to date; alpha: the cost of a violated pair.
    """
    start, members = groups.start, groups.members
    c, n_layers = distances.shape[1], layers.group_of.shape[0]
    hostile, b, u = np.empty((n_layers, c)), np.empty(c), np.empty(c)
    seen = np.empty(n_layers, np.int64)
    for g in range(start.shape[0] - 1):
        seen[:] = -1
        for slot in range(start[g], start[g + 1]):
            i = members[slot]
            b[:] = bias
            for layer in range(n_layers):
                own = layers.group_of[layer, slot]
                if own < 0:
                    continue
                if seen[layer] != own:  # enemies are in other groups, which stay as they are meanwhile
                    seen[layer] = own
                    hostile[layer] = 0.0
                    for e in range(layers.enemy_start[own], layers.enemy_start[own + 1]):
                        for k in range(c):
                            hostile[layer, k] += sums[layers.enemies[e], k]
                price = alpha * layers.factor[own]
                for k in range(c):
                    # What is the same for all k (the number of the others) does not change the minimum.
                    b[k] += price * (hostile[layer, k] - (sums[own, k] - memberships[i, k]))
            _balance_row(distances[i], b, u)
            for layer in range(n_layers):
                own = layers.group_of[layer, slot]
                if own >= 0:
                    for k in range(c):
                        sums[own, k] += u[k] - memberships[i, k]
            for k in range(c):
                memberships[i, k] = u[k]
