"""The items that may be centres of subclusters, and the search for the best K of them."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.subclustering.probabilities import FORBIDDEN, Probability
from likewise.constraints import Constraints
from likewise.kernels.assignment.subclusters import find_clashes, find_swap

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

MARGIN = 1e-12


class Candidates:
    """Candidates with their subclusters, K of them chosen; answers change it in place.

    - `X` (n, d) or (n, n): Vectors or distances.
    - `metric`, str or callable: As in :func:`likewise.distances.pairwise`.
    - `items` (r,): The candidates.
    - `neighbours` (r, size - 1): The nearest items of each.
    - `probability`: How likely others are of a candidate's class.
    """

    def __init__(self, X: Any, metric: Any, items: Indices, neighbours: Indices, probability: Probability) -> None:
        self.X, self.metric, self.items, self.probability = X, metric, items, probability
        self.members = np.ascontiguousarray(np.column_stack([items, neighbours]))
        # -log P of every centre and its items: the first part of the cost.
        self.reach = np.zeros(self.members.shape)
        for row in range(len(items) if neighbours.size else 0):
            self.reach[row, 1:] = probability.reach(row, self.members[row, 1:])
        self.spread = self.reach.sum(axis=1)
        self.row_of = {int(item): row for row, item in enumerate(items)}
        self._marks = np.zeros(len(X), bool)

    def copy(self) -> Candidates:
        """Another with the same candidates, whose subclusters change on their own."""
        other = copy(self)
        other.members, other.reach, other.spread = self.members.copy(), self.reach.copy(), self.spread.copy()
        return other

    def replace(self, index: int, slot: int, item: int) -> None:
        """Put another item into the subcluster of a centre."""
        row = int(self.centres[index])
        self.members[row, slot] = item
        self.reach_as(row, slot, float(self.probability.reach(row, np.array([item]))[0]))
        self._find_clashes(index)

    def reach_as(self, row: int, slot: int, reach: float) -> None:
        """Take -log P of a centre and an item of its subcluster to be this."""
        if self.reach[row, slot] != reach:
            self.reach[row, slot] = reach
            self.spread[row] = self.reach[row].sum()

    def set_known(self, row: int, constraints: Constraints) -> None:
        """Set P of a candidate and its items where it is known: 1, or 0 where too few other items are left."""
        for slot, item in enumerate(self.members[row].tolist()[1:], 1):
            relation = constraints.known(int(self.items[row]), item)
            if relation is not None:
                self.reach_as(row, slot, 0.0 if relation == "same" else FORBIDDEN)

    def choose(self, rows: Indices, constraints: Constraints | None = None) -> None:
        """Start from these rows as centres."""
        self.centres = rows.astype(np.int64).copy()
        self.constraints = Constraints(len(self.X)) if constraints is None else constraints
        self._different: dict[int, list[int]] = {}  # items known to differ from an item
        for i, j in self.constraints.cannot_link.tolist():
            self.note_different(i, j)
        self.losses = np.empty((len(rows), len(self.items)))
        self.clash = np.zeros((len(rows), len(self.items)), bool)
        self.n_clashes = np.zeros(len(self.items), np.int64)
        for index in range(len(rows)):
            self.refresh(index)

    def refresh(self, index: int) -> None:
        """Everything about one centre, after it changed or its subcluster did."""
        row = int(self.centres[index])
        self.losses[index] = self.probability.losses(row)
        self.refresh_known(index)
        self.losses[index, row] = 0.0
        self._find_clashes(index)

    def _find_clashes(self, index: int) -> None:
        self.n_clashes -= self.clash[index]
        find_clashes(self.members, int(self.centres[index]), self._marks, self.clash[index])
        self.n_clashes += self.clash[index]
        # The subcluster may have changed: seen from the other centres too.
        row = self.centres[index]
        self.clash[:, row] = self.clash[index, self.centres]
        self.n_clashes[row] = self.clash[:, row].sum()

    def refresh_known(self, index: int) -> None:
        """Losses between one centre and the candidates that the constraints settle."""
        members, centre = self.constraints.members, int(self.items[self.centres[index]])
        same = members(centre)
        for other in same:
            self._set_loss(index, other, FORBIDDEN)
        for other in {each for item in same for each in self._different.get(item, ())}:
            for each in members(other):
                self._set_loss(index, each, 0.0)

    def note_different(self, i: int, j: int) -> None:
        """Remember that two items are known to differ; centres they concern must be refreshed."""
        self._different.setdefault(i, []).append(j)
        self._different.setdefault(j, []).append(i)

    def _set_loss(self, index: int, item: int, loss: float) -> None:
        row = self.row_of.get(item)
        if row is not None and row != self.centres[index]:
            self.losses[index, row] = loss

    def closeness(self, index: int | None = None) -> Floats:
        """P between the centres; 0 with themselves; (k, k), or (k,) of one."""
        losses = self.losses[:, self.centres] if index is None else self.losses[index, self.centres]
        P = np.asarray(-np.expm1(-losses))
        if index is None:
            np.fill_diagonal(P, 0.0)
        else:
            P[index] = 0.0
        return P

    def cost(self) -> float:
        """Eq. 4.2, every pair of centres counted in both orders."""
        return float(self.spread[self.centres].sum() + self.losses[:, self.centres].sum())

    def swap(self, max_iter: int, renew: Callable[[int], None] | None = None) -> list[float]:
        """Make the best valid swap until none gains; the cost before the first and after every one.

        - `max_iter`: Swaps at most.
        - `renew`: Called with the index of every new centre, after it is in.
        """
        path: list[float] = []
        while True:
            row, index, cost = find_swap(self.spread, self.losses, self.clash, self.n_clashes, self.centres, MARGIN)
            path.append(float(cost))
            if row < 0 or len(path) > max_iter:
                return path
            self.centres[index] = row
            if renew is not None:
                renew(index)
            self.refresh(index)
