"""Distances of items to the candidates for medoids: a table where it is small, blocks of rows where it is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.groups import Groups
from likewise.cluster.kmedoids.medoids import group_cost
from likewise.distances import pairwise

Floats = NDArray[Any]
Labels = NDArray[np.int64]

HELD = 1 << 24
"""Distances that are held at most: 128 MiB of float64. Beyond, blocks are computed whenever they are needed."""
BLOCK = 1 << 20
"""Distances of a block, at least one row."""


class CandidateDistances:
    """Distances of all items to some of them, the candidates; rows are candidates, columns items.

    - `X` (n, d) or (n, n): Vectors, or distances with ``metric="precomputed"``.
    - `metric`, str or callable: As in :func:`likewise.distances.pairwise`.
    - `candidates` (r,): Which items the rows are.
    - `dtype`, float64 or float32: Type of the distances.
    """

    def __init__(self, X: Floats, metric: Any, candidates: Labels, dtype: Any = np.float64) -> None:
        self.X, self.metric, self.candidates, self.dtype = X, metric, candidates, dtype
        self.given = isinstance(metric, str) and metric == "precomputed"
        self.table: Floats | None = None
        everyone = len(candidates) == X.shape[0]
        if self.given:
            self.table = (X if everyone else X[candidates]).astype(dtype, copy=False)
        elif len(candidates) * X.shape[0] <= HELD:
            others = (X,) if everyone else (X[candidates], X)
            self.table = pairwise(*others, metric=metric, dtype=dtype)

    def __len__(self) -> int:
        return len(self.candidates)

    def rows(self, rows: Labels) -> Floats:
        """Distances of all items to some candidates, (len(rows), n)."""
        if self.table is not None:
            return np.asarray(self.table[rows])
        return pairwise(self.X[self.candidates[rows]], self.X, metric=self.metric, dtype=self.dtype)

    def column(self, row: int) -> Floats:
        """Distances of all candidates to one of them, (r,)."""
        if self.table is not None:
            return np.asarray(self.table[:, self.candidates[row]])
        item = self.candidates[row]
        return np.asarray(pairwise(self.X[self.candidates], self.X[[item]], metric=self.metric)[:, 0])

    def totals(self, rows: Labels, items: Labels) -> Floats:
        """Sum of the distances of some items to each of some candidates, (len(rows),)."""
        if self.table is not None:
            return np.asarray(self.table[np.ix_(rows, items)].sum(axis=1))
        height = max(1, BLOCK // len(items))
        members = self.X[items]
        parts = [rows[top : top + height] for top in range(0, len(rows), height)]
        found = [
            pairwise(self.X[self.candidates[part]], members, metric=self.metric, dtype=self.dtype) for part in parts
        ]
        return np.concatenate([part.sum(axis=1) for part in found])

    def blocks(self) -> Iterator[tuple[int, Floats]]:
        """All rows, a block at a time, with the number of its first."""
        if self.table is not None:
            yield 0, self.table
            return
        height = max(1, BLOCK // self.X.shape[0])
        for start in range(0, len(self), height):
            yield start, self.rows(np.arange(start, min(start + height, len(self))))


class UnitDistances:
    """Distances with must-link groups as single columns, after the columns of unconstrained items.

    - `distances`: Distances of all items.
    - `groups`: Must-link groups, whose distances are added up.
    """

    def __init__(self, distances: CandidateDistances, groups: Groups) -> None:
        self.distances, self.groups = distances, groups
        self.bound = len(groups.members) > 0
        # Not in blocks: the table is there anyway.
        self.table = None if distances.table is None else self.join(distances.table)

    def __len__(self) -> int:
        return len(self.distances)

    def join(self, rows: Floats) -> Floats:
        """Rows of items (b, n) as rows of units (b, u)."""
        if not self.bound:
            return rows
        return np.hstack([rows[:, self.groups.free], group_cost(rows, self.groups)])

    def rows(self, rows: Labels) -> Floats:
        """Distances of all units to some candidates."""
        return self.join(self.distances.rows(rows)) if self.table is None else np.asarray(self.table[rows])

    def blocks(self) -> Iterator[tuple[int, Floats]]:
        """All rows, a block at a time, with the number of its first."""
        if self.table is not None:
            yield 0, self.table
            return
        for start, rows in self.distances.blocks():
            yield start, self.join(rows)

    def best_for_groups(self) -> Labels:
        """The candidate at which every group costs least, (g,)."""
        best = np.zeros(len(self.groups.start) - 1, np.int64)
        if not self.bound:
            return best
        lowest = np.full(len(best), np.inf)
        for start, rows in self.distances.blocks():
            costs = group_cost(rows, self.groups)
            at = np.argmin(costs, axis=0)
            costs = costs[at, np.arange(len(best))]
            better = costs < lowest
            best[better], lowest[better] = at[better] + start, costs[better]
        return best
