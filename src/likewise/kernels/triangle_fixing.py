"""Quadratic programs over edge lengths under triangle inequalities, solved one inequality at a time.

Edges are numbered 0 … e-1; triangles (t, 3) int64 name their edges. Inequality s of a triangle says that its edge s is no
longer than the two others; its multiplier is y[t, s] ≥ 0. Some edges (``bound_edge``) are drawn to one side of a bound by
a price: sign +1 above it, -1 below it, and their multiplier z stays in [0, price].
"""

import numpy as np
from numba import njit

RELAX = 1.5
"""Steps this much longer than to the nearest point where an inequality holds; any value below 2 converges."""


@njit(cache=True)
def _has(indptr, columns, i, j):
    """Place of j in the sorted row i of a CSR structure, or -1. O(log degree)."""
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
            for place in range(near_ptr[a], near_ptr[a + 1]):
                k = near[place]
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
        for place in range(edge_ptr[a], edge_ptr[a + 1]):
            k = edge_to[place]
            if k == b:
                continue
            other = _has(edge_ptr, edge_to, b, k)
            if other < 0:
                continue
            f, g = edge_id[place], edge_id[other]
            if not (is_core[f] or is_core[g]):
                continue
            if count < out.shape[0]:
                out[count, 0] = min(e, f, g)
                out[count, 2] = max(e, f, g)
                out[count, 1] = e + f + g - out[count, 0] - out[count, 2]
            count += 1
    return count


@njit(cache=True)
def _fix_side(d, y, share, t, p, q, r, s):
    """One step on "edge p is no longer than q and r together"; returns how much was missing. O(1)."""
    gap = d[p] - d[q] - d[r]
    if gap <= 0.0 and y[t, s] == 0.0:
        return 0.0
    step = RELAX * gap / (share[p] + share[q] + share[r])
    if step < -y[t, s]:
        step = -y[t, s]
    y[t, s] += step
    d[p] -= step * share[p]
    d[q] += step * share[q]
    d[r] += step * share[r]
    return gap


@njit(cache=True)
def fix_triangles(triangles, rows, d, y, share, bound_edge, bound, sign, price, z, n_sweeps):
    """Sweeps of dual coordinate ascent over the triangles in rows and all bounds, in place.

    d (e,) lengths, y (t, 3), z (m,), share (e,) float64: inverse curvature of each edge's cost. rows (r,) int64.
    Returns the largest inequality missed in the last sweep. O(n_sweeps · (r + m)).
    """
    worst = 0.0
    for _ in range(n_sweeps):
        worst = 0.0
        for m in range(bound_edge.shape[0]):
            e = bound_edge[m]
            value = z[m] + sign[m] * (bound[m] - d[e]) / share[e]
            value = min(max(value, 0.0), price[m])
            d[e] += sign[m] * (value - z[m]) * share[e]
            z[m] = value
        for t in rows:
            a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
            worst = max(worst, _fix_side(d, y, share, t, a, b, c, 0))
            worst = max(worst, _fix_side(d, y, share, t, b, a, c, 1))
            worst = max(worst, _fix_side(d, y, share, t, c, a, b, 2))
    return worst


@njit(cache=True)
def select_rows(triangles, d, y, slack, out):
    """Triangles with a multiplier, or nearer than slack to a broken inequality; fills out (t,) and returns how many. O(t)."""
    count = 0
    for t in range(triangles.shape[0]):
        a, b, c = d[triangles[t, 0]], d[triangles[t, 1]], d[triangles[t, 2]]
        if y[t, 0] > 0.0 or y[t, 1] > 0.0 or y[t, 2] > 0.0 or 2.0 * max(a, b, c) - (a + b + c) > -slack:
            out[count] = t
            count += 1
    return count


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
        for s in range(3):
            far = triangles[t, s]
            one = triangles[t, (s + 1) % 3]
            two = triangles[t, (s + 2) % 3]
            missing = d[far] - d[one] - d[two]
            if missing > 0.0:
                i, j = ends[one, 0], ends[one, 1]
                corner = i if i == ends[two, 0] or i == ends[two, 1] else j
                lift[corner] = max(lift[corner], 0.5 * missing)
    return lift
