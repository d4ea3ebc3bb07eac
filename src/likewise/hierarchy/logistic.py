"""Many logistic regressions on the same vectors, climbed together: one product a step for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.inference.logistic import evaluate_scores

Reals = NDArray[np.float64]
MEMORY = 8
"""Steps of L-BFGS that are remembered."""


@dataclass(frozen=True)
class Features:
    """Vectors with a column of ones, turned to their principal axes.

    There the penalised objective is the same, the curvature of every regression is nearly diagonal, and
    directions in which no vector lies are gone, so there are at most as many columns as vectors.

    - `X` (n, r): The turned vectors.
    - `spectrum` (r,): Their squared length along each axis.
    - `basis` (d + 1, r): The axes.
    - `constant`: What stands in the column of ones: the larger, the less intercepts are penalised.
    """

    X: Reals
    spectrum: Reals
    basis: Reals
    constant: float = 1.0

    @classmethod
    def turn(cls, X: Reals, constant: float = 1.0) -> Features:
        """Find the axes, O(n m²) with m the smaller of n and d + 1.

        Examples
        --------
        >>> Features.turn(np.array([[3.0, 0.0], [1.0, 0.0]])).X.shape
        (2, 2)
        """
        wide = np.column_stack([X, np.full(len(X), constant)])
        if wide.shape[1] <= len(wide):
            spectrum, basis = np.linalg.eigh(wide.T @ wide)
            kept = spectrum > 1e-12 * spectrum[-1]
            return cls(np.ascontiguousarray(wide @ basis[:, kept]), spectrum[kept], basis[:, kept], constant)
        spectrum, sides = np.linalg.eigh(wide @ wide.T)
        kept = spectrum > 1e-12 * spectrum[-1]
        lengths = np.sqrt(spectrum[kept])
        turned = sides[:, kept] * lengths
        return cls(turned, spectrum[kept], wide.T @ (sides[:, kept] / lengths), constant)

    def unturn(self, W: Reals) -> tuple[Reals, Reals]:
        """Weights (k, d) and intercepts (k,) of turned weights (k, r)."""
        weights = W @ self.basis.T
        return weights[:, :-1].copy(), weights[:, -1] * self.constant

    def scores(self, W: Reals) -> Reals:
        """Scores (k, n) of turned weights (k, r)."""
        return np.asarray(W @ self.X.T)


def climb(
    features: Features,
    W: Reals,
    scores: Reals,
    weight: Reals,
    target: Reals,
    penalty: float,
    n_steps: int,
    tol: float = 0.0,
) -> tuple[Reals, Reals, float, int]:
    """Raise Σ target f - weight log(1 + eᶠ) - penalty ‖w‖² / 2 of every regression by steps of L-BFGS.

    A step costs what one gradient costs, two products and one pass over the scores: the scores move along
    the line, so that shorter steps need no product. No regression ever falls.

    - `features`: The vectors.
    - `W`, `scores` (k, r) and (k, n): Turned weights and what they give.
    - `weight`, `target` (k, n): How much each instance counts, and how much of that is on.
    - `penalty`: Weight of half the squared length.
    - `n_steps`: Steps at most.
    - `tol`: Stop when a step gains less than this share of the objective.
    - Returns W, scores, gain, n_iter: The new weights, their scores, how far the sum of all objectives rose, steps.

    Examples
    --------
    >>> features = Features.turn(np.array([[-1.0], [1.0]]))
    >>> target = np.array([[0.0, 1.0]])
    >>> W, scores, gain, n_iter = climb(features, np.zeros((1, 2)), np.zeros((1, 2)), np.ones((1, 2)), target, 0.1, 20)
    >>> bool(scores[0, 1] > 1.5), bool(gain > 0)
    (True, True)
    """
    here = _Point(features, W, scores, weight, target, penalty)
    first = here.value.sum()
    steps: list[tuple[Reals, Reals]] = []
    n_iter = 0
    while n_iter < n_steps:
        n_iter += 1
        direction = _direction(here, steps, features.spectrum, penalty)
        slope = (direction * here.gradient).sum(axis=1)
        along = features.scores(direction)
        before = here
        here = _search_line(here, direction, along, slope, weight, target, penalty)
        steps = [*steps[1 - MEMORY :], (here.W - before.W, before.gradient - here.gradient)]
        if here.value.sum() - before.value.sum() <= tol * abs(here.value.sum()):
            break
    return here.W, here.scores, float(here.value.sum() - first), n_iter


class _Point:
    """Weights with their scores, values and residuals; the gradient when it is asked for."""

    def __init__(
        self, features: Features, W: Reals, scores: Reals, weight: Reals, target: Reals, penalty: float
    ) -> None:
        self.features, self.W, self.scores, self.penalty = features, W, scores, penalty
        self.value, self.curvature = np.empty(len(W)), np.empty(len(W))
        self.rest = np.empty_like(scores)
        evaluate_scores(scores, weight, target, self.value, self.curvature, self.rest)
        self.value -= 0.5 * penalty * (W**2).sum(axis=1)
        self._gradient: Reals | None = None

    @property
    def gradient(self) -> Reals:
        if self._gradient is None:
            self._gradient = self.rest @ self.features.X - self.penalty * self.W
        return self._gradient


def _direction(here: _Point, steps: list[tuple[Reals, Reals]], spectrum: Reals, penalty: float) -> Reals:
    """The two loops of L-BFGS for every regression, from the mean curvature along each axis."""
    inverse = 1.0 / (np.maximum(here.curvature, 1e-8)[:, None] * spectrum + penalty)
    d = here.gradient.copy()
    kept: list[Any] = []
    for s, y in reversed(steps):
        product = (s * y).sum(axis=1)
        # A regression that did not move has nothing to remember.
        fine = product > 1e-12 * np.sqrt((s**2).sum(axis=1) * (y**2).sum(axis=1)) + 1e-300
        rho = np.where(fine, 1.0 / np.where(fine, product, 1.0), 0.0)[:, None]
        a = rho * (s * d).sum(axis=1)[:, None]
        d -= a * y
        kept.append((s, y, rho, a))
    d *= inverse
    for s, y, rho, a in reversed(kept):
        d += (a - rho * (y * d).sum(axis=1)[:, None]) * s
    uphill = (d * here.gradient).sum(axis=1) > 0
    return np.where(uphill[:, None], d, inverse * here.gradient)


def _search_line(
    here: _Point, direction: Reals, along: Reals, slope: Reals, weight: Reals, target: Reals, penalty: float
) -> _Point:
    """The farthest of ever shorter steps at which every regression has gained enough."""
    # Where the slope is lost in rounding there is nothing to gain.
    length = np.where(slope > 1e-12 * (1.0 + np.abs(here.value)), 1.0, 0.0)[:, None]
    for _ in range(30):
        there = _Point(
            here.features, here.W + length * direction, here.scores + length * along, weight, target, penalty
        )
        short = there.value < here.value + 1e-4 * length[:, 0] * slope
        if not short.any():
            return there
        length[short] *= 0.4
    length[short] = 0.0
    return _Point(here.features, here.W + length * direction, here.scores + length * along, weight, target, penalty)
