"""Weights drawn from the posterior, and kept there as answers arrive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.logistic.answer_forest import AnswerForest
from likewise.constraints import Statement
from likewise.kernels.inference.forest_messages import (
    SliceTarget,
    gather_marginals,
    log_likelihoods,
    mean_entropies,
    move_particles,
    score_pairs,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

BLOCK = 12  # dimensions moved together: fewer take longer steps, more need fewer of them


@dataclass(frozen=True)
class Prior:
    """N(0, 1/λ) on every weight, times exp(-τ · mean entropy of the clusters); ε how often an answer is wrong.

    - `tau`, `regularization`, `epsilon`: τ, λ, ε.
    """

    tau: float
    regularization: float
    epsilon: float

    def check(self) -> Prior:
        """Refuse values that make no distribution."""
        if not (0.0 <= self.tau < np.inf):
            raise ValueError(f"tau must not be negative, got {self.tau}")
        if not (0.0 < self.regularization < np.inf):
            raise ValueError(f"regularization must be positive, got {self.regularization}")
        if not (0.0 < self.epsilon < 1.0):
            raise ValueError(f"epsilon must lie between 0 and 1, got {self.epsilon}")
        return self


class Particles:
    """Draws of the weights from the posterior, moved by elliptical slice sampling.

    They move under the Gaussian and the answers alone, for which only the items that answers name matter. The other
    factor of the prior lies between exp(-τ log K) and 1 and hardly differs between draws: it is put on by resampling,
    and taken off before the next move.

    - `X` (n, d): Scaled vectors.
    - `W` (s, d, k): The draws.
    - `prior`: The prior.
    - `forest`: The answers.
    """

    scores: Floats
    entropy: Floats
    likelihood: Floats

    def __init__(self, X: Floats, W: Floats, prior: Prior, forest: AnswerForest) -> None:
        self.X, self.W, self.prior, self.forest = X, W, prior, forest
        self._refresh()

    @classmethod
    def from_prior(
        cls, X: Floats, n_clusters: int, n_particles: int, prior: Prior, rng: np.random.Generator
    ) -> Particles:
        """Draws from the prior: from its Gaussian, weighed by the other factor."""
        W = rng.normal(size=(n_particles, X.shape[1], n_clusters)) / np.sqrt(prior.regularization)
        drawn = cls(X, W, prior, AnswerForest.of(()))
        drawn.resample(-prior.tau * drawn.entropy, rng)
        return drawn

    def condition(self, statements: list[Statement], rng: np.random.Generator, n_moves: int) -> Particles:
        """The draws after the answers became `statements`: resampled by what was added, then moved."""
        new = Particles.__new__(Particles)
        new.X, new.W, new.prior, new.forest = self.X, self.W, self.prior, AnswerForest.of(statements)
        new.scores, new.entropy = self.scores, self.entropy
        new.likelihood = new._likelihood()
        new.resample(new.likelihood - self.likelihood + self.prior.tau * self.entropy, rng)
        new.move(rng, n_moves)
        new.resample(-self.prior.tau * new.entropy, rng)
        return new

    def resample(self, log_weight: Floats, rng: np.random.Generator) -> None:
        """Draw the particles anew by weight, systematically: no more of them are lost than must be."""
        weight = np.exp(log_weight - log_weight.max())
        edges = np.cumsum(weight / weight.sum())
        marks = (np.arange(len(weight)) + rng.random()) / len(weight)
        chosen = np.minimum(np.searchsorted(edges, marks), len(weight) - 1)
        self.W, self.scores = self.W[chosen], self.scores[chosen]
        self.likelihood, self.entropy = self.likelihood[chosen], self.entropy[chosen]

    def move(self, rng: np.random.Generator, n_moves: int) -> None:
        """Sweeps of elliptical slice steps of all particles; they leave Gaussian × answers as it is."""
        vectors = np.ascontiguousarray(self.X[self.forest.nodes].T)
        spread = float(1.0 / np.sqrt(self.prior.regularization))
        target = SliceTarget(vectors, self.forest, self.prior.epsilon, spread)
        move_particles(self.W, self.likelihood, target, BLOCK, n_moves, rng)
        self._refresh()

    def marginals(self) -> Floats:
        """P(y | answers, W) of every item and particle, (n, s, k)."""
        s, n, k = self.scores.shape
        q = np.empty((n, s, k))
        gather_marginals(self.scores, self.forest, self.prior.epsilon, q)
        return q

    def score(self, left: Integers, right: Integers) -> tuple[Floats, Floats]:
        """Uncertain (4.6) and Info (4.7) of pairs of items of different trees, each (c,)."""
        uncertain, info = np.empty(len(left)), np.empty(len(left))
        score_pairs(self.marginals(), left, right, self.prior.epsilon, uncertain, info)
        return uncertain, info

    def _refresh(self) -> None:
        self.scores = np.matmul(self.X, self.W)
        self.entropy = mean_entropies(self.scores)
        self.likelihood = self._likelihood()

    def _likelihood(self) -> Floats:
        return np.asarray(log_likelihoods(self.scores, self.forest, self.prior.epsilon))
