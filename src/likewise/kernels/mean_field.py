"""Mean field over the clusters of items that answers tie together."""

import numpy as np
from numba import njit

TIE = 1e-9
"""Compatibilities nearer than this are equal."""


@njit(cache=True)
def _add_support(members, said, j, i, q, pair_table, triplet_table, out):
    """Add to out (k,) what answer j is expected to say for each cluster of item i, the others as in q. O(k)."""
    k = q.shape[1]
    a, b, c = members[j]
    if c < 0:
        u = b if i == a else a
        if_same, if_not = pair_table[0, said[j]], pair_table[1, said[j]]
        for y in range(k):
            out[y] += q[u, y] * if_same + (1.0 - q[u, y]) * if_not
        return
    if i == a:
        u, v, with_u, with_v, without = b, c, 0, 1, 2
    elif i == b:
        u, v, with_u, with_v, without = a, c, 0, 2, 1
    else:
        u, v, with_u, with_v, without = a, b, 1, 2, 0
    t_u, t_v = triplet_table[with_u, said[j]], triplet_table[with_v, said[j]]
    t_w, t_none = triplet_table[without, said[j]], triplet_table[3, said[j]]
    dot = 0.0
    for y in range(k):
        dot += q[u, y] * q[v, y]
    for y in range(k):
        p_u, p_v = q[u, y] * (1.0 - q[v, y]), (1.0 - q[u, y]) * q[v, y]
        p_w = dot - q[u, y] * q[v, y]
        out[y] += p_u * t_u + p_v * t_v + p_w * t_w + (1.0 - p_u - p_v - p_w) * t_none


@njit(cache=True)
def _update_item(support, log_p, hard, q):
    """Set q (k,) from what the answers support and log P(y|x), both (k,); return the largest change."""
    k = q.shape[0]
    top = support.max()
    best = -np.inf
    for y in range(k):
        if hard:
            support[y] = log_p[y] if support[y] >= top - TIE else -np.inf
        else:
            support[y] += log_p[y]
        best = max(best, support[y])
    total = 0.0
    for y in range(k):
        support[y] = np.exp(support[y] - best)
        total += support[y]
    change = 0.0
    for y in range(k):
        new = support[y] / total
        change = max(change, abs(new - q[y]))
        q[y] = new
    return change


@njit(cache=True)
def sweep_mean_field(
    members, said, start, touching, log_p, pair_table, triplet_table, hard, tol, max_sweeps, q
):
    """Update q (m, k) in place, item after item, until no probability moves by tol; only where a neighbour moved.

    members (a, 3) int64 items of an answer, the third -1 for pairs; said (a,) int64; start (m + 1,) and touching hold
    the answers of every item; log_p (m, k); tables [what holds, what is said], logarithms, or 0 and 1 when hard.
    O(sweeps · answers · k).
    """
    m, k = q.shape
    support = np.empty(k)
    is_due = np.ones(m, np.bool_)
    for sweep in range(max_sweeps):
        moved = False
        for i in range(m):
            if not is_due[i]:
                continue
            is_due[i] = False
            support[:] = 0.0
            for at in range(start[i], start[i + 1]):
                _add_support(members, said, touching[at], i, q, pair_table, triplet_table, support)
            if _update_item(support, log_p[i], hard, q[i]) < tol:
                continue
            moved = True
            for at in range(start[i], start[i + 1]):
                for other in members[touching[at]]:
                    if other >= 0 and other != i:
                        is_due[other] = True
        if not moved:
            return sweep + 1
    return max_sweeps


@njit(cache=True)
def expect_answers(members, said, q, pair_table, triplet_table):
    """Expected table entry of every answer under q (m, k), (a,). O(a k)."""
    out = np.zeros(members.shape[0])
    support = np.empty(q.shape[1])
    for j in range(members.shape[0]):
        support[:] = 0.0
        first = members[j, 0]
        _add_support(members, said, j, first, q, pair_table, triplet_table, support)
        for y in range(q.shape[1]):
            out[j] += q[first, y] * support[y]
    return out
