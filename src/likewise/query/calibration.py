"""Probability that two sets of items are the same, learned from the answers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

Floats = NDArray[np.float64]

N_PRIOR = 64  # number of quantiles kept of each side of the prior
PRIOR_WEIGHT = 5.0  # weight of each side of the prior, in answers
RIDGE = np.array([1e-3, 1e-3, 0.3])  # for a, b and c
MAX_STEPS = 100


class SameCurve:
    r"""Probability that two sets are the same, given their distance and their sizes.

    .. math:: P(\text{same} \mid d, s) = \sigma(a - b\, d / d_0 - c \log s), \qquad b \ge 0,

    where d is the (mean) distance, s the number of pairs between the sets (1 for two items) and :math:`d_0` the
    median of the far distances. It starts from a weak prior — near distances are the same, far ones are not — and
    is fitted by penalised maximum likelihood to the prior and all answers. For sets of equal size it falls with the
    distance.

    - `near`, `far`, array-like: Distances of pairs that are probably the same (nearest neighbours) and probably not
      (random pairs).
    - `weight`: Weight of each side of the prior, in answers.
    - `coef_` (3,): a, b and c.

    References
    ----------
    J. Platt, *Probabilistic outputs for support vector machines*, 1999, §2: a logistic curve over a score. The prior
    by pseudo-answers and the sizes are ours.

    Examples
    --------
    >>> curve = SameCurve(near=[0.1, 0.2], far=[1.0, 1.1, 1.2])
    >>> bool(curve(0.2) > 0.5 > curve(1.0))
    True
    >>> before = curve(0.6)
    >>> bool(curve.fit([0.6, 0.7, 0.8], [True, True, True])(0.6) > before)
    True
    """

    coef_: Floats

    def __init__(self, near: ArrayLike, far: ArrayLike, *, weight: float = PRIOR_WEIGHT) -> None:
        sides = [compress(near), compress(far)]
        self.scale = float(np.median(sides[1])) or float(sides[1].max()) or 1.0
        self._prior = self._columns(np.concatenate(sides), 1.0)
        self._prior_same = np.repeat([1.0, 0.0], [len(side) for side in sides])
        self._prior_weight = np.concatenate([np.full(len(side), weight / len(side)) for side in sides])
        self.fit([], [])

    def fit(
        self,
        distances: ArrayLike,
        same: ArrayLike,
        sizes: ArrayLike = 1.0,
        weights: ArrayLike | None = None,
        *,
        start: Floats | None = None,
        max_steps: int = MAX_STEPS,
    ) -> Self:
        """Fit the curve to the prior and the answers; earlier fits are forgotten.

        - `distances` (m,): Distances of the sets asked about.
        - `same` (m,): Whether they are the same, or the probability of it.
        - `sizes` (m,): Number of pairs between the two sets.
        - `weights` (m,): For how many answers each counts; one by default.
        - `start` (3,): Coefficients to start from, near those looked for.
        - `max_steps`: Number of steps from there, each of which makes the answers more likely.
        """
        rows = self._columns(np.asarray(distances, np.float64), sizes)
        A = np.vstack([self._prior, rows])
        y = np.concatenate([self._prior_same, np.asarray(same, np.float64)])
        counted = np.ones(len(rows)) if weights is None else np.asarray(weights, np.float64)
        weight = np.concatenate([self._prior_weight, counted])
        self.coef_ = _fit_logistic(A, y, weight, RIDGE, start, max_steps)
        if self.coef_[1] < 0:
            free = [0, 2]
            self.coef_ = np.zeros(3)
            self.coef_[free] = _fit_logistic(A[:, free], y, weight, RIDGE[free])
        return self

    def __call__(self, distances: ArrayLike, sizes: ArrayLike = 1.0) -> Any:
        """Probability of being the same, elementwise."""
        return expit(self.logit(distances, sizes))

    def logit(self, distances: ArrayLike, sizes: ArrayLike = 1.0, *, logs: ArrayLike | None = None) -> Any:
        """Log-odds of being the same, elementwise; `logs` are the logarithms of the sizes, where these are known."""
        a, b, c = self.odds
        return a - b * np.asarray(distances) - c * (np.log(sizes) if logs is None else np.asarray(logs))

    @property
    def odds(self) -> Floats:
        """a, b, c so that the log-odds are a - b d - c log s, (3,)."""
        a, b, c = self.coef_
        return np.array([a, b / self.scale, c])

    def _columns(self, distances: Floats, sizes: ArrayLike) -> Floats:
        logs = np.broadcast_to(np.log(sizes), distances.shape)
        return np.column_stack([np.ones_like(distances), -distances / self.scale, -logs])


def compress(distances: ArrayLike) -> Floats:
    """Distances, or quantiles of them where there are many: all that the prior keeps."""
    values = np.asarray(distances, np.float64).ravel()
    if len(values) == 0 or not np.isfinite(values).all() or values.min() < 0:
        raise ValueError("each side of the prior needs at least one distance, finite and not negative")
    middles = (np.arange(N_PRIOR) + 0.5) / N_PRIOR
    return values if len(values) <= N_PRIOR else np.quantile(values, middles)


def _fit_logistic(
    A: Floats, y: Floats, weight: Floats, ridge: Floats, start: Floats | None = None, max_steps: int = MAX_STEPS
) -> Floats:
    """Coefficients of a weighted logistic regression with a ridge, by Newton's method with halved steps."""
    coef = np.zeros(A.shape[1]) if start is None else start
    loss = _loss(coef, A, y, weight, ridge)
    for _ in range(max_steps):
        p = expit(A @ coef)
        gradient = A.T @ (weight * (p - y)) + ridge * coef
        hessian = (A * (weight * p * (1 - p))[:, None]).T @ A + np.diag(ridge)
        step = np.linalg.solve(hessian, gradient)
        length = 1.0
        while (lower := _loss(coef - length * step, A, y, weight, ridge)) > loss and length > 1e-9:
            length /= 2
        if lower >= loss:
            break
        coef, loss = coef - length * step, lower
        if np.abs(length * step).max() < 1e-9:
            break
    return coef


def _loss(coef: Floats, A: Floats, y: Floats, weight: Floats, ridge: Floats) -> float:
    z = A @ coef
    return float(weight @ (np.logaddexp(0, z) - y * z) + 0.5 * ridge @ coef**2)
