"""The quadratic programs of DistLQP: which distances are variables, which triangles hold them, and the solver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.distances.memory import require_memory
from likewise.distances.neighbours import knn_graph
from likewise.kernels.metric.triangle_fixing import (
    EdgeBounds,
    fix_inequalities,
    gather_inequalities,
    join_ends,
    lift_corners,
    list_triangles,
    sum_multipliers,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PULL = 20.0
"""First curvature of the pull on constrained edges, whose own cost has none; the optimum is the same for any."""
PATIENCE = 6
"""Rounds after which the pull may change."""
BALANCE = 5.0
"""How unequal the two sources of the gap may be before it does."""
SWEEPS = 10
"""Sweeps a round, over the inequalities that were broken or had a multiplier at its start."""
LOOK = 2
"""Rounds between two looks at the duality gap, which costs as much as half a round; divides PATIENCE."""


@dataclass(frozen=True)
class EdgeProgram:
    """Edges i < j with their lengths, the triangles between them, and which of them are constrained.

    - `n`: Number of items.
    - `ends` (e, 2): The two items of every edge, i < j, sorted.
    - `lengths` (e,): Initial distances.
    - `triangles` (t, 3): Edges (i, j), (i, k), (j, k) of every triangle i < j < k.
    - `must`, `cannot`, ndarray: The constrained edges.
    """

    n: int
    ends: Ints
    lengths: Floats
    triangles: Ints
    must: Ints
    cannot: Ints

    def triangle_codes(self) -> Ints:
        """A number for the three items of every triangle, the same in every program of as many items."""
        low, high = self.ends[self.triangles[:, 0]], self.ends[self.triangles[:, 2]]
        return (low[:, 0] * self.n + low[:, 1]) * self.n + high[:, 1]

    def edge_codes(self) -> Ints:
        """A number for the two items of every edge, i · n + j, ascending."""
        return self.ends[:, 0] * self.n + self.ends[:, 1]


@dataclass(frozen=True)
class Prices:
    """Bounds of the constrained edges and what a unit beyond them costs (infinite: they are hard)."""

    must_link_distance: float
    cannot_link_distance: float
    must_link_weight: float
    cannot_link_weight: float


@dataclass
class Solution:
    """Distances on the edges, the multipliers that prove them, and how near to the optimum they are."""

    lengths: Floats
    free_lengths: Floats
    y: Floats
    z: Floats
    objective: float
    gap: float
    scale: float
    n_iter: int


def codes_of(pairs: Ints, n: int) -> Ints:
    """Sorted numbers i · n + j, i < j, of pairs (m, 2), without repeats."""
    return np.unique(pairs.min(axis=1) * n + pairs.max(axis=1)) if len(pairs) else np.empty(0, np.int64)


def graph_program(D: Floats, must: Ints, cannot: Ints, n_neighbors: int, prices: Prices) -> EdgeProgram:
    """Edges and triangles of QP 2.2: near neighbours, broken constraints, and what closes triangles of the two."""
    n = len(D)
    graph = knn_graph(D, n_neighbors=n_neighbors, metric="precomputed", symmetric="union")
    starts, near = graph.indptr.astype(np.int64), graph.indices.astype(np.int64)
    rows = np.repeat(np.arange(n), np.diff(starts))
    small = (rows * n + near)[rows < near]
    broken = np.concatenate(
        [
            must[D[must // n, must % n] > prices.must_link_distance],
            cannot[D[cannot // n, cannot % n] < prices.cannot_link_distance],
        ]
    )
    pairs = np.column_stack([broken // n, broken % n])
    closing = np.empty(int(np.diff(starts)[pairs].sum()), np.int64)
    count = join_ends(pairs, starts, near, closing)
    core = np.union1d(small, broken)
    codes = np.union1d(core, closing[:count])
    return _with_triangles(D, codes, np.isin(codes, core, assume_unique=True), must, cannot)


def full_program(D: Floats, must: Ints, cannot: Ints) -> EdgeProgram:
    """Edges and triangles of QP 2.1: all of them."""
    n = len(D)
    # Of each of n³ / 6 triangles three ends and three edges, and while they are listed a mark for all n³.
    require_memory(9 * n**3, f"all triangles of {n:,} items", "triangles='graph' keeps those of near items only")
    rows, columns = np.triu_indices(n, 1)
    codes = rows * n + columns
    i, j, k = _triples(n)
    number = np.zeros((n, n), np.int64)
    number[rows, columns] = np.arange(len(codes))
    triangles = np.column_stack([number[i, j], number[i, k], number[j, k]])
    ends = np.column_stack([rows, columns])
    return EdgeProgram(
        n, ends, D[rows, columns], triangles, np.searchsorted(codes, must), np.searchsorted(codes, cannot)
    )


def _triples(n: int) -> tuple[Ints, Ints, Ints]:
    first, second, third = np.ogrid[:n, :n, :n]
    i, j, k = np.nonzero((first < second) & (second < third))
    return i.astype(np.int64), j.astype(np.int64), k.astype(np.int64)


def _with_triangles(D: Floats, codes: Ints, is_core: NDArray[np.bool_], must: Ints, cannot: Ints) -> EdgeProgram:
    n = len(D)
    ends = np.column_stack([codes // n, codes % n])
    is_must, is_cannot = (np.isin(codes, given, assume_unique=True) for given in (must, cannot))
    source, target = np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]])
    order = np.argsort(source * n + target)
    starts = np.searchsorted(source[order], np.arange(n + 1))
    number = np.tile(np.arange(len(codes)), 2)[order]
    given = (ends, np.flatnonzero(is_must | is_cannot), starts, target[order], number, is_core)
    found = np.empty((list_triangles(*given, np.empty((0, 3), np.int64)), 3), np.int64)
    list_triangles(*given, found)
    _, first = np.unique(found[:, 0] * len(codes) + found[:, 1], return_index=True)
    lengths = D[ends[:, 0], ends[:, 1]]
    return EdgeProgram(n, ends, lengths, found[first], np.flatnonzero(is_must), np.flatnonzero(is_cannot))


class Solver:
    """Row-action solver: dual coordinate ascent over the inequalities, constrained edges tied down and let go.

    Every edge with a quadratic cost is its initial length plus half of what the multipliers push it by. Constrained
    edges have only a linear cost; they get a quadratic pull to where they were, which moves along with them (the
    method of multipliers), so that the limit solves the program itself. The gap is exact at any time: lifting corners
    makes the lengths feasible, and no optimum need be longer than ``top``, which bounds the dual from below.
    """

    def __init__(self, program: EdgeProgram, prices: Prices) -> None:
        self.program = program
        self.prices = prices
        n_must, n_cannot = len(program.must), len(program.cannot)
        self.edges = np.concatenate([program.must, program.cannot])
        self.sign = np.repeat([-1.0, 1.0], [n_must, n_cannot])
        self.bound = np.repeat([prices.must_link_distance, prices.cannot_link_distance], [n_must, n_cannot])
        self.price = np.repeat([prices.must_link_weight, prices.cannot_link_weight], [n_must, n_cannot])
        self.free = np.ones(len(program.lengths), bool)
        self.free[self.edges] = False
        longest = program.lengths.max(initial=0.0)
        self.top = max(longest, prices.must_link_distance, prices.cannot_link_distance)

    def solve(self, tol: float, max_iter: int, start: Solution | None = None) -> Solution:
        """Lengths whose objective is within the share ``tol`` of the optimum, unless ``max_iter`` looks are over."""
        program = self.program
        y = np.zeros((len(program.triangles), 3)) if start is None else start.y
        z = np.zeros(len(self.edges)) if start is None else start.z
        pull = PULL
        d = program.lengths + np.where(self.free, 0.5 * sum_multipliers(program.triangles, y, len(self.free)), 0.0)
        if start is not None:
            d[self.edges] = start.free_lengths[self.edges]
        for n_iter in range(1, max_iter + 1):
            self._round(d, y, z, pull)
            push = sum_multipliers(program.triangles, y, len(d))
            if n_iter % LOOK == 0 or n_iter == max_iter:
                best = self._weigh(d, y, z, push, n_iter)
                if best.gap <= tol and self._within(best.lengths, tol):
                    break
            d[self.edges] += (push[self.edges] + self.sign * z) / pull
            if n_iter % PATIENCE == 0:
                pull *= self._adjust(best, push)
        return best

    def _round(self, d: Floats, y: Floats, z: Floats, pull: float) -> None:
        """Sweeps over the inequalities that matter now; lengths and multipliers change in place."""
        share = np.where(self.free, 0.5, 1.0 / pull)
        edges, multipliers, positions = gather_inequalities(self.program.triangles, d, y)
        bounds = EdgeBounds(self.edges, self.bound, self.sign, self.price)
        fix_inequalities(edges, multipliers, d, share, bounds, z, SWEEPS)
        y.ravel()[positions] = multipliers

    def _adjust(self, found: Solution, push: Floats) -> float:
        """Factor on the pull: down when the gap comes from edges still on their way, up when from multipliers."""
        d = found.free_lengths
        beyond = self.sign * (self.bound - d[self.edges])
        missed = np.maximum(beyond, 0.0)
        unpaid = np.where(missed > 0.0, np.where(np.isinf(self.price), found.z, self.price - found.z), 0.0)
        settling = (
            abs(found.objective - self.objective(d))
            + abs(float(push @ d))
            + float(unpaid @ missed)
            + float(found.z @ np.maximum(-beyond, 0.0))
        )
        moving = found.gap * found.scale - settling
        if moving > BALANCE * settling:
            return 0.5
        return 2.0 if settling > BALANCE * moving else 1.0

    def objective(self, lengths: Floats) -> float:
        """What the program minimises, at feasible lengths; hard bounds are not counted."""
        change = (lengths - self.program.lengths) * self.free
        beyond = np.maximum(self.sign * (self.bound - lengths[self.edges]), 0.0)
        soft = np.isfinite(self.price)
        return float(change @ change + self.price[soft] @ beyond[soft])

    def _weigh(self, d: Floats, y: Floats, z: Floats, push: Floats, n_iter: int) -> Solution:
        program = self.program
        lift = lift_corners(program.triangles, program.ends, d, program.n)
        lengths = np.minimum(d + lift[program.ends].sum(axis=1), self.top)
        objective, bound = self.objective(lengths), self._lower_bound(push)
        # Without a floor a program that can be solved at no cost would never be near enough.
        scale = max(abs(objective), abs(bound), 1e-6 * self.top**2, 1e-300)
        return Solution(lengths, d, y, z, objective, (objective - bound) / scale, scale, n_iter)

    def _lower_bound(self, push: Floats) -> float:
        """The dual at the multipliers: the smallest Lagrangian over lengths in [0, top]."""
        start, gain = self.program.lengths[self.free], push[self.free]
        at = np.clip(start + 0.5 * gain, 0.0, self.top)
        value = float(((at - start) ** 2 - gain * at).sum())
        gain = push[self.edges]
        corners = np.stack([np.zeros_like(gain), self.bound, np.full_like(gain, self.top)])
        beyond = np.maximum(self.sign * (self.bound - corners), 0.0)
        cost = np.zeros_like(beyond)
        np.multiply(beyond, self.price, out=cost, where=beyond > 0.0)
        return value + float((cost - gain * corners).min(axis=0).sum())

    def _within(self, lengths: Floats, tol: float) -> bool:
        beyond = self.sign * (self.bound - lengths[self.edges])
        hard = beyond[np.isinf(self.price)]
        return bool(hard.max(initial=0.0) <= tol * max(self.top, 1e-12))
