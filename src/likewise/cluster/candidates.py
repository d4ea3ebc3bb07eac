"""The items that may be centres of subclusters, and the search for the best K of them."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints
from likewise.distances import pairwise
from likewise.kernels.subclusters import find_clashes, find_swap

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

FORBIDDEN = 1e9
"""The loss of two centres known, or as good as known, to be of one class: more than all else together."""
MARGIN = 1e-12


def pair_losses(distances: Floats, scale: float) -> Floats:
    """What two centres at these distances cost: -log(1 - P), P = exp(-d / scale); FORBIDDEN at 0."""
    with np.errstate(divide="ignore"):
        losses = -np.log(-np.expm1(-distances / scale))
    return np.minimum(losses, FORBIDDEN)


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
    neighbours, distances : ndarrays of shape (r, size - 1)
        The nearest items of each.
    scale : float
        λ of P = exp(-d / λ).
    """

    def __init__(
        self, X: Any, metric: Any, items: Indices, neighbours: Indices, distances: Floats, scale: float
    ) -> None:
        self.X, self.metric, self.items, self.scale = X, metric, items, scale
        self.members = np.ascontiguousarray(np.column_stack([items, neighbours]))
        self.reach = np.column_stack([np.zeros(len(items)), distances])
        self.spread = self.reach.sum(axis=1) / scale
        self._marks = np.zeros(len(X), bool)
        self._vectors = None if metric == "precomputed" else np.asarray(X[items])

    def copy(self) -> Candidates:
        """Another with the same candidates, whose subclusters change on their own."""
        other = copy(self)
        other.members, other.reach, other.spread = self.members.copy(), self.reach.copy(), self.spread.copy()
        return other

    def replace(self, place: int, slot: int, item: int, gap: float) -> None:
        """Put another item at this distance into the subcluster of a centre."""
        row = int(self.centres[place])
        self.members[row, slot] = item
        self.reach_as(row, slot, gap)
        self._find_clashes(place)

    def reach_as(self, row: int, slot: int, gap: float) -> None:
        """Take an item of a subcluster to be at this distance from its centre."""
        if self.reach[row, slot] != gap:
            self.reach[row, slot] = gap
            self.spread[row] = self.reach[row].sum() / self.scale

    def tell(self, place: int, row: int, relation: str | None) -> None:
        """What is known of a centre and a candidate."""
        if relation is not None and row != self.centres[place]:
            self.losses[place, row] = FORBIDDEN if relation == "same" else 0.0

    def gaps(self, row: int) -> Floats:
        """Distances of one candidate to all candidates, (r,)."""
        if self._vectors is None:
            return np.asarray(self.X[self.items[row], self.items], np.float64)
        return np.asarray(pairwise(self._vectors[[row]], self._vectors, metric=self.metric)[0])

    def choose(self, rows: Indices, constraints: Constraints | None = None) -> None:
        """Start from these rows as centres."""
        self.centres = rows.astype(np.int64).copy()
        self.constraints = constraints
        self.losses = np.empty((len(rows), len(self.items)))
        self.clash = np.empty((len(rows), len(self.items)), bool)
        for place in range(len(rows)):
            self.refresh(place)

    def refresh(self, place: int) -> None:
        """Everything about one centre, after it changed or its subcluster did."""
        row = int(self.centres[place])
        self.losses[place] = pair_losses(self.gaps(row), self.scale)
        self.refresh_known(place)
        self.losses[place, row] = 0.0
        self._find_clashes(place)

    def _find_clashes(self, place: int) -> None:
        find_clashes(self.members, int(self.centres[place]), self._marks, self.clash[place])

    def refresh_known(self, place: int) -> None:
        """What people said about one centre and the candidates."""
        if self.constraints is None or len(self.constraints) == 0:
            return
        known, centre = self.constraints.known, int(self.items[self.centres[place]])
        for row, item in enumerate(self.items.tolist()):
            self.tell(place, row, known(centre, item))

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
        path = [self.cost()]
        while len(path) <= max_iter:
            margin = MARGIN * max(1.0, abs(path[-1]))
            row, place, _ = find_swap(self.spread, self.losses, self.clash, self.centres, margin)
            if row < 0:
                break
            self.centres[place] = row
            if renew is not None:
                renew(place)
            self.refresh(place)
            path.append(self.cost())
        return path
