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
    x = distances / scale
    with np.errstate(divide="ignore"):
        # Two forms, each exact where the other loses its digits.
        losses = np.where(x > np.log(2.0), -np.log1p(-np.exp(-x)), -np.log(-np.expm1(-x)))
    return np.minimum(losses, FORBIDDEN)


def local_widths(distances: Floats) -> Floats:
    """Mean distance of every candidate to its nearest items (r, m), (r,); that of all where it is 0."""
    if not distances.size:
        return np.ones(len(distances))
    widths = np.asarray(distances.mean(axis=1))
    return np.where(widths > 0, widths, widths.mean() or 1.0)


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
    local : bool
        Measure distances in units of the mean distance of a candidate to its nearest items (of two candidates, in the
        geometric mean of both).
    """

    def __init__(
        self,
        X: Any,
        metric: Any,
        items: Indices,
        neighbours: Indices,
        distances: Floats,
        local: bool = False,
    ) -> None:
        self.X, self.metric, self.items = X, metric, items
        self._width = local_widths(distances) if local else np.ones(len(items))
        self.members = np.ascontiguousarray(np.column_stack([items, neighbours]))
        self.reach = np.column_stack([np.zeros(len(items)), distances / self._width[:, None]])
        self.question_scale = float(self.reach[:, 1:].mean() if distances.size else 1.0) or 1.0
        self.measure_by(self.question_scale)
        self._marks = np.zeros(len(X), bool)
        self._vectors = None if metric == "precomputed" else np.asarray(X[items])

    def measure_by(self, scale: float) -> None:
        """Set λ of P = exp(-d / λ)."""
        self.scale = scale
        self.spread = self.reach.sum(axis=1) / scale

    def copy(self) -> Candidates:
        """Another with the same candidates, whose subclusters change on their own."""
        other = copy(self)
        other.members, other.reach, other.spread = self.members.copy(), self.reach.copy(), self.spread.copy()
        return other

    def replace(self, place: int, slot: int, item: int, gap: float) -> None:
        """Put another item at this distance into the subcluster of a centre."""
        row = int(self.centres[place])
        self.members[row, slot] = item
        self.reach_as(row, slot, gap / float(self._width[row]))
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
            gaps = np.asarray(self.X[self.items[row], self.items], np.float64)
        else:
            gaps = pairwise(self._vectors[[row]], self._vectors, metric=self.metric)[0]
        return np.asarray(gaps / np.sqrt(self._width * self._width[row]))

    def choose(self, rows: Indices, constraints: Constraints | None = None) -> None:
        """Start from these rows as centres."""
        self.centres = rows.astype(np.int64).copy()
        self.constraints = constraints
        # Rows and items of the candidates of which anything was said; nothing is known of the others.
        said: list[int] = (
            [] if constraints is None else np.intersect1d(constraints.mentioned(), self.items).tolist()
        )
        rows_said = np.searchsorted(self.items, said).tolist()
        self.spoken_of: dict[int, int] = dict(zip(rows_said, said, strict=True))
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
        if self.constraints is None:
            return
        known, centre = self.constraints.known, int(self.items[self.centres[place]])
        for row, item in self.spoken_of.items():
            relation = known(centre, item)
            if relation is not None:
                self.tell(place, row, relation)

    def closeness(self, place: int | None = None) -> Floats:
        """P between the centres, for questions, at `question_scale`; 0 with themselves; (k, k), or (k,) of one."""
        losses = self.losses[:, self.centres] if place is None else self.losses[place, self.centres]
        P = np.asarray((-np.expm1(-losses)) ** (self.scale / self.question_scale))
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
