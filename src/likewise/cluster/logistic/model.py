"""The multi-class logistic model behind the probabilistic clusterers: its scale, its start, its M-step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.cluster import KMeans

from likewise.kernels.inference.mutual_information import (
    InformationTerms,
    evaluate_information,
    normalise,
    shift_scores,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Scale:
    """Zero mean and variance 1 a column; columns that are constant become zero.

    - `mean`, `deviation` (d,): What is taken off, and what the rest is divided by.
    """

    mean: Floats
    deviation: Floats

    @classmethod
    def of(cls, X: Floats, whether: bool = True) -> Scale:
        """The scale of X, or one that changes nothing.

        Examples
        --------
        >>> Scale.of(np.array([[1.0, 7.0], [3.0, 7.0]])).apply(np.array([[2.0, 8.0]]))
        array([[0., 0.]])
        """
        if not whether:
            return cls(np.zeros(X.shape[1]), np.ones(X.shape[1]))
        mean, deviation = X.mean(axis=0), X.std(axis=0)
        # Rounding leaves a constant column a deviation of the order of its size times the precision.
        constant = deviation <= 1e-12 * np.maximum(np.abs(mean), 1e-300)
        return cls(mean, np.where(constant, np.inf, deviation))

    def apply(self, X: Floats) -> Floats:
        """X on this scale."""
        return np.asarray((X - self.mean) / self.deviation)


def with_ones(X: Floats) -> Floats:
    """X with a last column of ones, for the bias."""
    return np.column_stack([X, np.ones(len(X))])


def log_probabilities(wide: Floats, W: Floats) -> Floats:
    """log P(y|x; W), (n, k), of vectors with ones (n, d + 1) and weights (d + 1, k)."""
    scores = wide @ W
    scores -= scores.max(axis=1, keepdims=True)
    scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return np.asarray(scores)


class Objective:
    """Σ weight q log p + τ (H[mean p] - Σ entropy_weight H[p]) - λ ‖w‖², the bias not penalised.

    - `wide` (n, d + 1): Vectors with ones, float64 or float32: what is computed is of the same type.
    - `target` (k, n): q, a row a cluster; the array may be changed in place between calls.
    - `weight`, `entropy_weight` (n,): How much the likelihood and the entropy of each item count.
    - `tau`, `regularization`: τ and λ.
    """

    def __init__(
        self, wide: Floats, target: Floats, weight: Floats, entropy_weight: Floats, tau: float, regularization: float
    ) -> None:
        kind = wide.dtype
        self.wide, self.regularization = wide, regularization
        self.target = target.astype(kind, copy=False)
        weights = weight.astype(kind), entropy_weight.astype(kind)
        self._terms = InformationTerms(self.target, *weights, kind.type(tau))
        self._scores, self._p, self._rest = (np.empty(target.shape, kind) for _ in range(3))
        self._work, self._mean = np.empty(len(wide), kind), np.empty(len(target), kind)

    def __call__(self, W: Floats) -> tuple[float, Floats]:
        """Value and gradient at weights (d + 1, k)."""
        self.look(W)
        return self.judge(W)

    def look(self, W: Floats) -> None:
        """Compute the probabilities at W."""
        np.matmul(W.T.astype(self.wide.dtype, copy=False), self.wide.T, out=self._scores)
        shift_scores(self._scores, self._work)
        np.exp(self._scores, out=self._p)
        normalise(self._p, self._work, self._mean)
        np.log(self._work, out=self._work)

    def log_p(self, rows: Integers) -> Floats:
        """log P(y|x) of some items after a look, (m, k)."""
        return np.ascontiguousarray((self._scores[:, rows] - self._work[rows]).T, np.float64)

    def judge(self, W: Floats) -> tuple[float, Floats]:
        """Value and gradient after a look at W."""
        value = evaluate_information(self._scores, self._p, self._work, self._mean, self._terms, self._rest)
        gradient = (self._rest @ self.wide).T.astype(np.float64, copy=False)
        gradient[:-1] -= 2.0 * self.regularization * W[:-1]
        return float(value - self.regularization * (W[:-1] ** 2).sum()), gradient

    def climb(self, W: Floats, n_steps: int) -> tuple[Floats, float]:
        """Weights after at most n_steps of L-BFGS, never worse, and their value."""

        def downhill(flat: Floats) -> tuple[float, Floats]:
            value, gradient = self(flat.reshape(W.shape))
            return -value, -gradient.ravel()  # in the order of flat, whatever that of gradient

        options: Any = {"maxiter": n_steps, "maxcor": 8, "gtol": 1e-6, "ftol": 1e-9}
        found = minimize(downhill, np.asarray(W, np.float64).ravel(), jac=True, method="L-BFGS-B", options=options)
        return found.x.reshape(W.shape), -float(found.fun)


def kmeans_labels(
    X: Floats, n_clusters: int, n_init: int, random: np.random.RandomState, max_iter: int = 300
) -> Integers:
    """Labels of k-means; with fewer different vectors than clusters, one cluster each."""
    seed = random.randint(2**31 - 1)
    if X.shape[1] == 0:
        return np.zeros(len(X), np.int64)
    different, inverse = np.unique(X, axis=0, return_inverse=True)
    if len(different) <= n_clusters:
        return inverse.reshape(-1).astype(np.int64)
    model = KMeans(n_clusters, n_init=n_init, max_iter=max_iter, random_state=seed)
    return np.asarray(model.fit_predict(X), np.int64)


def logistic_start(wide: Floats, labels: Integers, n_clusters: int, regularization: float) -> Floats:
    """Weights (d + 1, k) of a logistic regression on labels."""
    n = len(wide)
    target = np.ascontiguousarray(np.eye(n_clusters)[:, labels])
    even = np.full(n, 1.0 / n)
    fit = Objective(wide, target, even, np.zeros(n), 0.0, regularization)
    return fit.climb(np.zeros((wide.shape[1], n_clusters)), 15)[0]


def grid(value: Any, name: str, low: float, high: float, closed: bool = True) -> list[float]:
    """A parameter, or the values it is chosen from, checked."""
    values = [float(v) for v in np.atleast_1d(np.asarray(value, np.float64)).ravel()]
    for v in values:
        if not (low <= v <= high if closed else low <= v < high) or not np.isfinite(v):
            raise ValueError(f"{name} must be between {low} and {high}, got {v}")
    if not values:
        raise ValueError(f"{name} has no value")
    return values
