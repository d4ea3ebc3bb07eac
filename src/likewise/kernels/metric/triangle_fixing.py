"""Quadratic programs over edge lengths under triangle inequalities, solved one inequality at a time.

Edges are numbered 0 … e-1; triangles (t, 3) int64 name their edges. Inequality s of a triangle says that its edge s is no
longer than the two others; its multiplier is y[t, s] ≥ 0. Some edges have a bound (EdgeBounds) with a multiplier z.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

RELAX = 1.5
"""Steps this much longer than to the nearest point where an inequality holds; any value below 2 converges."""


class EdgeBounds(NamedTuple):
    """Bounds of some edges, and what it costs to be on the wrong side of them.

    - `edges` (m,): The edges.
    - `bound` (m,): Their bounds.
    - `sign` (m,): 1 where the edge should be above its bound, -1 below.
    - `cost` (m,): Cost of a unit of length on the wrong side; the largest multiplier.
    """

    edges: NDArray[np.int64]
    bound: NDArray[np.float64]
    sign: NDArray[np.float64]
    cost: NDArray[np.float64]


@njit(cache=True)
def _has(indptr, columns, i, j):
    """Position of j in the sorted row i of a CSR structure, or -1. O(log degree)."""
    low, high = indptr[i], indptr[i + 1]
    while low < high:
        middle = (low + high) // 2
        if columns[middle] < j:
            low = middle + 1
        else:
            high = middle
    return low if low < indptr[i + 1] and columns[low] == j else -1


@njit(cache=True)
def join_ends(bound_pairs, near_ptr, near, out):
    """Third sides of the triangles with one side in bound_pairs (m, 2) and one in the graph, as codes i·n + j, i < j.

    near_ptr (n + 1,), near int64: the graph, both directions. out (size,) int64 is filled; returns the number found. O(size).
    """
    n = near_ptr.shape[0] - 1
    count = 0
    for m in range(bound_pairs.shape[0]):
        for side in range(2):
            a, b = bound_pairs[m, side], bound_pairs[m, 1 - side]
            for at in range(near_ptr[a], near_ptr[a + 1]):
                k = near[at]
                if k != b:
                    out[count] = min(b, k) * n + max(b, k)
                    count += 1
    return count


@njit(cache=True)
def list_triangles(ends, listed, edge_ptr, edge_to, edge_id, is_core, out):
    """Triangles with a listed edge and another core edge, all of whose edges exist.

    ends (e, 2) int64; listed (m,) edges; edge_ptr (n + 1,), edge_to, edge_id: all edges as sorted rows, both directions; is_core (e,) bool.
    out (size, 3) takes sorted edge triples, with repeats; returns their number (only counted beyond size). O(Σ degree · log degree).
    """
    count = 0
    for e in listed:
        a, b = ends[e, 0], ends[e, 1]
        if edge_ptr[a + 1] - edge_ptr[a] > edge_ptr[b + 1] - edge_ptr[b]:
            a, b = b, a
        for at in range(edge_ptr[a], edge_ptr[a + 1]):
            k = edge_to[at]
            if k == b:
                continue
            other = _has(edge_ptr, edge_to, b, k)
            if other < 0:
                continue
            f, g = edge_id[at], edge_id[other]
            if not (is_core[f] or is_core[g]):
                continue
            if count < out.shape[0]:
                out[count, 0] = min(e, f, g)
                out[count, 2] = max(e, f, g)
                out[count, 1] = e + f + g - out[count, 0] - out[count, 2]
            count += 1
    return count


@njit(cache=True)
def gather_inequalities(triangles, d, y):
    """The inequalities that are broken or have a multiplier, side by side in memory.

    d (e,), y (t, 3) float64. Returns their edges (r, 3) int32, the one that must not be longer first, their multipliers (r,), and
    their positions (r,) int64 in y, flat. O(t).
    """
    count = 0
    for t in range(triangles.shape[0]):
        total = d[triangles[t, 0]] + d[triangles[t, 1]] + d[triangles[t, 2]]
        for s in range(3):
            count += y[t, s] > 0.0 or 2.0 * d[triangles[t, s]] > total
    edges = np.empty((count, 3), np.int32)
    multipliers = np.empty(count)
    positions = np.empty(count, np.int64)
    count = 0
    for t in range(triangles.shape[0]):
        total = d[triangles[t, 0]] + d[triangles[t, 1]] + d[triangles[t, 2]]
        for s in range(3):
            if y[t, s] > 0.0 or 2.0 * d[triangles[t, s]] > total:
                for k in range(3):
                    edges[count, k] = triangles[t, (s + k) % 3]
                multipliers[count] = y[t, s]
                positions[count] = 3 * t + s
                count += 1
    return edges, multipliers, positions


@njit(cache=True)
def fix_inequalities(edges, multipliers, d, share, bounds, z, n_sweeps):
    """Sweeps of dual coordinate ascent over the gathered inequalities and all bounds; d, multipliers and z change in place.

    edges (r, 3) int32; d (e,) lengths, multipliers (r,), z (m,), share (e,) float64: inverse curvature of each edge's cost.
    O(n_sweeps · (r + m)).
    """
    bound_edge, bound, sign, cost = bounds
    for _ in range(n_sweeps):
        for m in range(bound_edge.shape[0]):
            e = bound_edge[m]
            value = z[m] + sign[m] * (bound[m] - d[e]) / share[e]
            value = min(max(value, 0.0), cost[m])
            d[e] += sign[m] * (value - z[m]) * share[e]
            z[m] = value
        for row in range(edges.shape[0]):
            p, q, r = edges[row, 0], edges[row, 1], edges[row, 2]
            gap = d[p] - d[q] - d[r]
            old = multipliers[row]
            if gap <= 0.0 and old == 0.0:
                continue
            new = max(old + RELAX * gap / (share[p] + share[q] + share[r]), 0.0)
            multipliers[row] = new
            d[p] -= (new - old) * share[p]
            d[q] += (new - old) * share[q]
            d[r] += (new - old) * share[r]


@njit(cache=True)
def sum_multipliers(triangles, y, n_edges):
    """What the multipliers push each edge by: + where it is one of the two, - where it is the one. (e,). O(t)."""
    push = np.zeros(n_edges)
    for t in range(triangles.shape[0]):
        total = y[t, 0] + y[t, 1] + y[t, 2]
        for s in range(3):
            push[triangles[t, s]] += total - 2.0 * y[t, s]
    return push


@njit(cache=True)
def lift_corners(triangles, ends, d, n):
    """Potentials p (n,) ≥ 0 such that d_ij + p_i + p_j breaks no triangle: half of what a corner misses. O(t)."""
    lift = np.zeros(n)
    for t in range(triangles.shape[0]):
        total = d[triangles[t, 0]] + d[triangles[t, 1]] + d[triangles[t, 2]]
        for s in range(3):
            missing = 2.0 * d[triangles[t, s]] - total
            if missing > 0.0:
                one, two = triangles[t, (s + 1) % 3], triangles[t, (s + 2) % 3]
                i, j = ends[one, 0], ends[one, 1]
                corner = i if i == ends[two, 0] or i == ends[two, 1] else j
                lift[corner] = max(lift[corner], 0.5 * missing)
    return lift
