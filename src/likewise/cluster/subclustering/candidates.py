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
    """Candidates with their subclusters, K of them chosen; what an answer changes is written into it.

    Parameters
    ----------
    X : ndarray of shape (n, d) or (n, n)
        Vectors or distances.
    metric : str or callable
        As in :func:`likewise.distances.pairwise`.
    items : ndarray of shape (r,)
        The candidates.
    neighbours : ndarray of shape (r, size - 1)
        The nearest items of each.
    probability : Probability
        How likely others are of a candidate's class.
    """

    def __init__(
        self, X: Any, metric: Any, items: Indices, neighbours: Indices, probability: Probability
    ) -> None:
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

    def replace(self, place: int, slot: int, item: int) -> None:
        """Put another item into the subcluster of a centre."""
        row = int(self.centres[place])
        self.members[row, slot] = item
        self.reach_as(row, slot, float(self.probability.reach(row, np.array([item]))[0]))
        self._find_clashes(place)

    def reach_as(self, row: int, slot: int, reach: float) -> None:
        """Take -log P of a centre and an item of its subcluster to be this."""
        if self.reach[row, slot] != reach:
            self.reach[row, slot] = reach
            self.spread[row] = self.reach[row].sum()

    def hear(self, row: int, constraints: Constraints) -> None:
        """P of a candidate and its items where people said it: 1, or 0 where too few others are left."""
        for slot, item in enumerate(self.members[row].tolist()[1:], 1):
            relation = constraints.known(int(self.items[row]), item)
            if relation is not None:
                self.reach_as(row, slot, 0.0 if relation == "same" else FORBIDDEN)

    def choose(self, rows: Indices, constraints: Constraints | None = None) -> None:
        """Start from these rows as centres."""
        self.centres = rows.astype(np.int64).copy()
        self.constraints = Constraints(len(self.X)) if constraints is None else constraints
        self._different: dict[int, list[int]] = {}  # what was said to differ from an item
        for i, j in self.constraints.cannot_link.tolist():
            self.note_different(i, j)
        self.losses = np.empty((len(rows), len(self.items)))
        self.clash = np.zeros((len(rows), len(self.items)), bool)
        self.n_clashes = np.zeros(len(self.items), np.int64)
        for place in range(len(rows)):
            self.refresh(place)

    def refresh(self, place: int) -> None:
        """Everything about one centre, after it changed or its subcluster did."""
        row = int(self.centres[place])
        self.losses[place] = self.probability.losses(row)
        self.refresh_known(place)
        self.losses[place, row] = 0.0
        self._find_clashes(place)

    def _find_clashes(self, place: int) -> None:
        self.n_clashes -= self.clash[place]
        find_clashes(self.members, int(self.centres[place]), self._marks, self.clash[place])
        self.n_clashes += self.clash[place]
        # The subcluster may have changed: seen from the other centres too.
        row = self.centres[place]
        self.clash[:, row] = self.clash[place, self.centres]
        self.n_clashes[row] = self.clash[:, row].sum()

    def refresh_known(self, place: int) -> None:
        """What follows from people's words for one centre and the candidates."""
        members, centre = self.constraints.members, int(self.items[self.centres[place]])
        same = members(centre)
        for other in same:
            self._tell(place, other, FORBIDDEN)
        for other in {each for item in same for each in self._different.get(item, ())}:
            for each in members(other):
                self._tell(place, each, 0.0)

    def note_different(self, i: int, j: int) -> None:
        """Remember that two items were said to differ; centres they concern must be refreshed."""
        self._different.setdefault(i, []).append(j)
        self._different.setdefault(j, []).append(i)

    def _tell(self, place: int, item: int, loss: float) -> None:
        row = self.row_of.get(item)
        if row is not None and row != self.centres[place]:
            self.losses[place, row] = loss

    def closeness(self, place: int | None = None) -> Floats:
        """P between the centres; 0 with themselves; (k, k), or (k,) of one."""
        losses = self.losses[:, self.centres] if place is None else self.losses[place, self.centres]
        P = np.asarray(-np.expm1(-losses))
        if place is None:
            np.fill_diagonal(P, 0.0)
        else:
            P[place] = 0.0
        return P

    def cost(self) -> float:
        """Eq. 4.2, every pair of centres counted in both orders."""
        return float(self.spread[self.centres].sum() + self.losses[:, self.centres].sum())

    def swap(self, max_iter: int, renew: Callable[[int], None] | None = None) -> list[float]:
        """Make the best valid swap until none gains; the cost before the first and after every one.

        Parameters
        ----------
        max_iter : int
            Swaps at most.
        renew : callable, optional
            Called with the place of every new centre, after it is in.
        """
        path: list[float] = []
        while True:
            row, place, cost = find_swap(
                self.spread, self.losses, self.clash, self.n_clashes, self.centres, MARGIN
            )
            path.append(float(cost))
            if row < 0 or len(path) > max_iter:
                return path
            self.centres[place] = row
            if renew is not None:
                renew(place)
            self.refresh(place)
