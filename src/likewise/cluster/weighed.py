"""Constraints that count more or less: a weight for every pair, and what that means for the pairs that follow."""

from __future__ import annotations

from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.cluster.base import ConstrainedClusterer, consistent_constraints
from likewise.cluster.groups import Groups, constrained_groups
from likewise.constraints import Constraints, as_pairs
from likewise.distances.convergence import warn_unsettled
from likewise.kernels.assignment.penalised import Layers
from likewise.pairs import Pairs

Floats = NDArray[np.float64]


class Level(NamedTuple):
    """The groups that constraints of at least some weight make, and by how much this weight is above the one below."""

    factor: float
    groups: Groups


Levels: TypeAlias = list[Level]


class WeighedClusterer(ConstrainedClusterer):
    """Base of the estimators whose constraints may have weights."""

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        must_link_weights: ArrayLike | None = None,
        cannot_link_weights: ArrayLike | None = None,
    ) -> Self:
        """Cluster X under the constraints.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Vectors.
        y : ignored
            Present for scikit-learn.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of indices into X that people called same, and different.
        must_link_weights, cannot_link_weights : array-like of shape (m,), optional
            For how much each pair counts: 1 as without weights, 0 as if nothing was said. With weights, a pair that is
            given twice counts for their sum; a pair that follows from others counts for the lightest of them, and for
            the most where it follows in several ways. The time grows with the number of different weights.
        """
        checked = self._check_input(X)
        constraints = read_weighed(len(checked), must_link, cannot_link, must_link_weights, cannot_link_weights)
        self._fit_weighed(checked, constraints)
        warn_unsettled(self)
        return self

    def _fit_weighed(self, X: Floats, constraints: WeighedConstraints) -> None:
        """Set labels_ and n_clusters_; X is checked, the constraints do not contradict each other."""
        raise NotImplementedError


class WeighedConstraints(NamedTuple):
    """Pairs that do not contradict each other, and their weights; None where all are 1.

    - `n`: Number of items.
    - `must_link`, `cannot_link` (m, 2): Pairs.
    - `must_weights`, `cannot_weights` (m,) or None: Their weights, above 0.
    """

    n: int
    must_link: Pairs
    cannot_link: Pairs
    must_weights: Floats | None = None
    cannot_weights: Floats | None = None

    def keywords(self) -> dict[str, Any]:
        """What :meth:`WeighedClusterer.fit` takes."""
        weights = {"must_link_weights": self.must_weights, "cannot_link_weights": self.cannot_weights}
        return {"must_link": self.must_link, "cannot_link": self.cannot_link, **weights}

    def levels(self) -> Levels:
        """The pairs that follow, as a sum of groups without weights; the first has all pairs.

        A pair counts for the lightest constraint of the chain that it follows from, or the heaviest chain. It counts
        for w or more just where it follows from the constraints of weight w or more alone, so that its weight is the
        sum of the steps between weights up to there.

        Examples
        --------
        >>> links = as_pairs([(0, 1), (1, 2)], 3), as_pairs((), 3)
        >>> found = WeighedConstraints(3, *links, np.array([0.5, 2.0]), np.ones(0))
        >>> [(level.factor, level.groups.members.tolist()) for level in found.levels()]
        [(0.5, [0, 1, 2]), (1.5, [1, 2])]
        """
        if self.must_weights is None or self.cannot_weights is None:
            return unweighed_levels(Constraints(self.n, self.must_link, self.cannot_link))
        steps = np.unique(np.concatenate([self.must_weights, self.cannot_weights]))
        found = []
        for below, weight in zip([0.0, *steps[:-1]], steps, strict=True):
            must, cannot = self.must_link[self.must_weights >= weight], self.cannot_link[self.cannot_weights >= weight]
            found.append(Level(float(weight - below), constrained_groups(Constraints(self.n, must, cannot))))
        return found or unweighed_levels(Constraints(self.n))


def unweighed_levels(constraints: Constraints) -> Levels:
    """The one level of constraints without weights."""
    return [Level(1.0, constrained_groups(constraints))]


def read_weighed(
    n: int,
    must_link: ArrayLike | None,
    cannot_link: ArrayLike | None,
    must_link_weights: ArrayLike | None,
    cannot_link_weights: ArrayLike | None,
) -> WeighedConstraints:
    """Constraints that can all hold, those of weight 0 left out; :class:`ConflictError` otherwise."""
    must, cannot = as_pairs(must_link, n, "must_link"), as_pairs(cannot_link, n, "cannot_link")
    if must_link_weights is None and cannot_link_weights is None:
        consistent_constraints(n, must, cannot)
        return WeighedConstraints(n, must, cannot)
    must, must_weights = _summed(must, check_weights(must_link_weights, len(must), "must_link_weights"))
    cannot, cannot_weights = _summed(cannot, check_weights(cannot_link_weights, len(cannot), "cannot_link_weights"))
    consistent_constraints(n, must, cannot)
    return WeighedConstraints(n, must, cannot, must_weights, cannot_weights)


def check_weights(weights: ArrayLike | None, m: int, name: str) -> Floats:
    """Weights (m,) that are finite and not negative; ones where there are none.

    Examples
    --------
    >>> check_weights(None, 2, "must_link_weights")
    array([1., 1.])
    """
    if weights is None:
        return np.ones(m)
    found = np.asarray(weights, np.float64)
    if found.shape != (m,):
        raise ValueError(f"{name} must hold one weight for each of the {m} pairs, got shape {found.shape}")
    if not np.isfinite(found).all() or (found < 0).any():
        raise ValueError(f"{name} must be finite and not negative")
    return found


def stack_levels(levels: Levels) -> Layers:
    """Levels in the form in which the kernels take them."""
    base = levels[0].groups
    counts = np.cumsum([0, *(len(level.groups.start) - 1 for level in levels)])
    of_slot = [level.groups.of_item[base.members] for level in levels]
    group_of = [np.where(of >= 0, of + first, -1) for of, first in zip(of_slot, counts[:-1], strict=True)]
    start, enemy_start = ([np.zeros(1, np.int64)] for _ in range(2))
    for level in levels:
        start.append(start[-1][-1] + level.groups.start[1:])
        enemy_start.append(enemy_start[-1][-1] + level.groups.enemy_start[1:])
    return Layers(
        np.array(group_of, np.int64).reshape(len(levels), len(base.members)),
        np.concatenate(start),
        np.concatenate(enemy_start),
        np.concatenate([level.groups.enemies + first for level, first in zip(levels, counts[:-1], strict=True)]),
        np.repeat([level.factor for level in levels], np.diff(counts)),
    )


def _summed(pairs: Pairs, weights: Floats) -> tuple[Pairs, Floats]:
    """Every pair once, with the sum of its weights, where that is above 0."""
    distinct, back = np.unique(np.sort(pairs, axis=1), axis=0, return_inverse=True)
    sums = np.zeros(len(distinct))
    np.add.at(sums, back.ravel(), weights)
    return distinct[sums > 0], sums[sums > 0]
