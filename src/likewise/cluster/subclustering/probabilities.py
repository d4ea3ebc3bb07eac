"""How likely two items are of one class, as costs: -log P within a subcluster, -log(1 - P) between centres."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likewise.distances import pairwise
from likewise.kernels.assignment.subclusters import count_shared

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

FORBIDDEN = 1e9
"""The loss of two centres known, or as good as known, to be of one class: more than all else together."""


class Probability(Protocol):
    """P between a candidate and others."""

    def losses(self, row: int) -> Floats:
        """-log(1 - P) of one candidate and all candidates, (r,)."""

    def reach(self, row: int, items: Indices) -> Floats:
        """-log P of one candidate and some items, (len(items),)."""


class Shared:
    """P is the share of nearest witnesses that two items have in common: (both + ½) / (m + 1).

    - `items` (r,): The candidates.
    - `lists` (n, m): Numbers of the nearest witnesses of every item.
    - `n_witnesses`: Numbers are below.
    """

    def __init__(self, items: Indices, lists: NDArray[np.int32], n_witnesses: int) -> None:
        self.items, self.lists = items, lists
        self._listed = lists[items]
        self._marks = np.zeros(n_witnesses, bool)

    def losses(self, row: int) -> Floats:
        """See :class:`Probability`."""
        return np.asarray(-np.log1p(-self._share(row, self._listed)))

    def reach(self, row: int, items: Indices) -> Floats:
        """See :class:`Probability`."""
        return np.asarray(-np.log(self._share(row, self.lists[items])))

    def _share(self, row: int, lists: NDArray[np.int32]) -> Floats:
        both = count_shared(self._listed[row], lists, self._marks)
        return np.asarray((both + 0.5) / (lists.shape[1] + 1.0))


class Exponential:
    """P = exp(-d / scale).

    - `X` (n, d) or (n, n): Vectors or distances.
    - `metric`, str or callable: As in :func:`likewise.distances.pairwise`.
    - `items` (r,): The candidates.
    - `scale`: λ.
    """

    def __init__(self, X: Any, metric: Any, items: Indices, scale: float) -> None:
        self.X, self.metric, self.items, self.scale = X, metric, items, scale
        self._given = isinstance(metric, str) and metric == "precomputed"
        self._vectors = np.empty((0, 0)) if self._given else np.asarray(X[items])

    def losses(self, row: int) -> Floats:
        """See :class:`Probability`."""
        if self._given:
            gaps = np.asarray(self.X[self.items[row], self.items], np.float64)
        else:
            gaps = pairwise(self._vectors[[row]], self._vectors, metric=self.metric)[0]
        return pair_losses(gaps, self.scale)

    def reach(self, row: int, items: Indices) -> Floats:
        """See :class:`Probability`."""
        if self._given:
            gaps = np.asarray(self.X[self.items[row], items], np.float64)
        else:
            gaps = pairwise(self._vectors[[row]], np.asarray(self.X[items]), metric=self.metric)[0]
        return np.asarray(gaps / self.scale)


def pair_losses(distances: Floats, scale: float) -> Floats:
    """What two centres at these distances cost: -log(1 - P), P = exp(-d / scale); FORBIDDEN at 0."""
    x = distances / scale
    with np.errstate(divide="ignore"):
        # Two forms, each exact where the other loses its digits.
        losses = np.where(x > np.log(2.0), -np.log1p(-np.exp(-x)), -np.log(-np.expm1(-x)))
    return np.minimum(losses, FORBIDDEN)
