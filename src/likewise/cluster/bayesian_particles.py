"""Weights drawn from the posterior, and kept there as answers arrive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.bayesian_forest import Forest
from likewise.constraints import Statement
from likewise.kernels.forest_messages import (
    gather_marginals,
    log_potential,
    move_on_ellipse,
    score_pairs,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

TRIES = 64  # of an elliptical slice step; the bracket then is below any precision that matters


@dataclass(frozen=True)
class Prior:
    """N(0, 1/λ) on every weight, times exp(-τ · mean entropy of the clusters); ε how often an answer is wrong.

    Attributes
    ----------
    tau, regularization, epsilon : float
        τ, λ, ε.
    """

    tau: float
    regularization: float
    epsilon: float

    def check(self) -> Prior:
        """Complain about values that make no distribution."""
        if not (0.0 <= self.tau < np.inf):
            raise ValueError(f"tau must not be negative, got {self.tau}")
        if not (0.0 < self.regularization < np.inf):
            raise ValueError(f"regularization must be positive, got {self.regularization}")
        if not (0.0 < self.epsilon < 1.0):
            raise ValueError(f"epsilon must lie between 0 and 1, got {self.epsilon}")
        return self


class Particles:
    """Draws of the weights from the posterior, moved by elliptical slice sampling.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Scaled vectors.
    W : ndarray of shape (s, d, k)
        The draws.
    prior : Prior
        What was known before.
    forest : Forest
        What was said.
    """

    def __init__(self, X: Floats, W: Floats, prior: Prior, forest: Forest) -> None:
        self.X, self.W, self.prior, self.forest = X, W, prior, forest
        self.scores = np.matmul(X, W)
        self.potential = self._potential()

    @classmethod
    def from_prior(
        cls,
        X: Floats,
        n_clusters: int,
        n_particles: int,
        prior: Prior,
        rng: np.random.Generator,
        n_moves: int,
    ) -> Particles:
        """Draws from the prior: from its Gaussian, weighed by the other factor, and moved."""
        W = rng.normal(size=(n_particles, X.shape[1], n_clusters)) / np.sqrt(prior.regularization)
        drawn = cls(X, W, prior, Forest.of(()))
        drawn.resample(drawn.potential, rng)
        drawn.move(rng, n_moves)
        return drawn

    def listen(self, statements: list[Statement], rng: np.random.Generator, n_moves: int) -> Particles:
        """The draws after the answers became `statements`: resampled by what was added, then moved."""
        told = Particles(self.X, self.W, self.prior, Forest.of(statements))
        told.resample(told.potential - self.potential, rng)
        told.move(rng, n_moves)
        return told

    def resample(self, log_weight: Floats, rng: np.random.Generator) -> None:
        """Draw the particles anew by weight, systematically: no more of them are lost than must be."""
        weight = np.exp(log_weight - log_weight.max())
        edges = np.cumsum(weight / weight.sum())
        marks = (np.arange(len(weight)) + rng.random()) / len(weight)
        chosen = np.minimum(np.searchsorted(edges, marks), len(weight) - 1)
        self.W, self.scores = self.W[chosen], self.scores[chosen]
        self.potential = self.potential[chosen]

    def move(self, rng: np.random.Generator, n_moves: int) -> None:
        """Elliptical slice steps of all particles; they leave the posterior as it is."""
        forest, s = self.forest, len(self.W)
        cosine, sine = np.empty(s), np.empty(s)
        for _ in range(n_moves):
            drawn = rng.normal(size=self.W.shape) / np.sqrt(self.prior.regularization)
            move_on_ellipse(
                self.scores,
                np.matmul(self.X, drawn),
                self.potential,
                rng.random((s, TRIES)),
                forest.nodes,
                forest.parent,
                forest.is_same,
                self.prior.epsilon,
                self.prior.tau,
                cosine,
                sine,
            )
            self.W = cosine[:, None, None] * self.W + sine[:, None, None] * drawn

    def best(self, count: int) -> Floats:
        """The particles of highest posterior, (count, d, k)."""
        value = self.potential - 0.5 * self.prior.regularization * (self.W**2).sum(axis=(1, 2))
        return self.W[np.argsort(-value, kind="stable")[:count]]

    def marginals(self) -> Floats:
        """P(y | answers, W) of every item and particle, (n, s, k)."""
        s, n, k = self.scores.shape
        q = np.empty((n, s, k))
        forest = self.forest
        gather_marginals(self.scores, forest.nodes, forest.parent, forest.is_same, self.prior.epsilon, q)
        return q

    def score(self, left: Integers, right: Integers) -> tuple[Floats, Floats]:
        """Uncertain (4.6) and Info (4.7) of pairs of items of different trees, each (c,)."""
        uncertain, info = np.empty(len(left)), np.empty(len(left))
        score_pairs(self.marginals(), left, right, self.prior.epsilon, uncertain, info)
        return uncertain, info

    def _potential(self) -> Floats:
        forest, k = self.forest, self.W.shape[2]
        p, belief = (np.empty((len(forest.nodes), k)) for _ in range(2))
        return np.array(
            [
                log_potential(
                    scores,
                    forest.nodes,
                    forest.parent,
                    forest.is_same,
                    self.prior.epsilon,
                    self.prior.tau,
                    p,
                    belief,
                )
                for scores in self.scores
            ]
        )
