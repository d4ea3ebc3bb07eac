"""Mean field over the clusters of items that answers tie together."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from likewise.kernels.inference.exponential import LEAST, exponential

TIE = 1e-9
"""Compatibilities nearer than this are equal."""

FAST = {"reassoc", "contract", "nsz"}


class AnswerGraph(NamedTuple):
    """Answers and the items they tie together.

    - `members` (a, 3): Items of every answer, the third -1 for pairs.
    - `values` (a,): Pairs: 0 same, 1 different. Triplets: 0 ab, 1 ac, 2 bc, 3 none.
    - `weights` (a,): For how many answers each counts.
    - `start`, `touching` (m + 1,) and (sum of members,): Answers about item i are ``touching[start[i]:start[i +
      1]]``.
    """

    members: NDArray[np.int64]
    values: NDArray[np.int64]
    weights: NDArray[np.float64]
    start: NDArray[np.int64]
    touching: NDArray[np.int64]


class ErrorModel(NamedTuple):
    """P(answer | truth), as logarithms; as 0 and 1 when answers are never wrong.

    - `pair` (2, 2): Rows: same, different.
    - `triplet` (4, 4): Rows: ab, ac, bc, none.
    - `hard`: Whether answers are never wrong.
    """

    pair: NDArray[np.float64]
    triplet: NDArray[np.float64]
    hard: bool


@njit(cache=True, fastmath=FAST, inline="always")
def _add_support(graph, model, j, i, q, out):
    """Add to out (k,) the expected table entry of answer j for each cluster of item i, the others as in q. O(k).

    Inlined: a call with tuples of arrays counts references, which costs more than the sums.
    """
    members, values, pair_table, triplet_table = graph.members, graph.values, model.pair, model.triplet
    k, weight = q.shape[1], graph.weights[j]
    a, b, c = members[j, 0], members[j, 1], members[j, 2]
    if c < 0:
        u = b if i == a else a
        if_not = weight * pair_table[1, values[j]]
        gain = weight * pair_table[0, values[j]] - if_not
        for y in range(k):
            out[y] += if_not + q[u, y] * gain
        return
    if i == a:
        u, v, with_u, with_v, without = b, c, 0, 1, 2
    elif i == b:
        u, v, with_u, with_v, without = a, c, 0, 2, 1
    else:
        u, v, with_u, with_v, without = a, b, 1, 2, 0
    t_none = weight * triplet_table[3, values[j]]
    t_u = weight * triplet_table[with_u, values[j]] - t_none
    t_v = weight * triplet_table[with_v, values[j]] - t_none
    t_w = weight * triplet_table[without, values[j]] - t_none
    dot = 0.0
    for y in range(k):
        dot += q[u, y] * q[v, y]
    for y in range(k):
        both = q[u, y] * q[v, y]
        out[y] += t_none + (q[u, y] - both) * t_u + (q[v, y] - both) * t_v + (dot - both) * t_w


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _update_item(support, log_p, hard, i, q):
    """Set q[i] from what the answers support (k,) and log P(y|x) log_p (m, k); return the largest change."""
    k = q.shape[1]
    if hard:
        top = support[0]
        for y in range(1, k):
            top = max(top, support[y])
        for y in range(k):
            support[y] = log_p[i, y] if support[y] >= top - TIE else -1e300
    else:
        for y in range(k):
            support[y] += log_p[i, y]
    best = support[0]
    for y in range(1, k):
        best = max(best, support[y])
    total = 0.0
    for y in range(k):
        x = support[y] - best
        e = exponential(max(x, LEAST))
        support[y] = e if x >= LEAST else 0.0
        total += support[y]
    scale = 1.0 / total
    change = 0.0
    for y in range(k):
        new = support[y] * scale
        change = max(change, abs(new - q[i, y]))
        q[i, y] = new
    return change


@njit(cache=True, fastmath=FAST)
def sweep_mean_field(graph, model, log_p, tol, max_sweeps, q):
    """Update q (m, k) in place, item after item, until no probability moves by tol; only where a neighbour moved.

    graph an AnswerGraph, model an ErrorModel; log_p (m, k). O(sweeps · answers · k).
    """
    members, start, touching = graph.members, graph.start, graph.touching
    m, k = q.shape
    support = np.empty(k)
    is_due = np.ones(m, np.bool_)
    for sweep in range(max_sweeps):
        moved = False
        for i in range(m):
            if not is_due[i]:
                continue
            is_due[i] = False
            for y in range(k):
                support[y] = 0.0
            for at in range(start[i], start[i + 1]):
                _add_support(graph, model, touching[at], i, q, support)
            if _update_item(support, log_p, model.hard, i, q) < tol:
                continue
            moved = True
            for at in range(start[i], start[i + 1]):
                for column in range(3):
                    other = members[touching[at], column]
                    if other >= 0 and other != i:
                        is_due[other] = True
        if not moved:
            return sweep + 1
    return max_sweeps


@njit(cache=True, fastmath=FAST)
def expect_answers(graph, model, q):
    """Expected table entry of every answer under q (m, k), (a,). O(a k)."""
    members = graph.members
    out = np.zeros(members.shape[0])
    support = np.empty(q.shape[1])
    for j in range(members.shape[0]):
        support[:] = 0.0
        first = members[j, 0]
        _add_support(graph, model, j, first, q, support)
        for y in range(q.shape[1]):
            out[j] += q[first, y] * support[y]
    return out
