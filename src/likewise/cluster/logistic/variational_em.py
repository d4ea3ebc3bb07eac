"""Variational EM of discriminative clustering from several starts, of which few go on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.logistic.answers import MeanField
from likewise.cluster.logistic.ascent import Ascent
from likewise.cluster.logistic.model import Objective, log_probabilities

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

HEATS = ((600, 2, 4), (10**9, 1, 2))  # most answers used, rounds, and starts kept, of the drawn starts
TRIAL = 3  # rounds on everything after which only the best start goes on
STEPS = 4  # of a round
TURNS = 3  # of mean field and steps in a round when answers are hard
SWEEPS = 1  # of the mean field in a step: the next step goes on with it


class Setting(NamedTuple):
    """τ, λ and ε."""

    tau: float
    regularization: float
    epsilon: float


class VariationalResult(NamedTuple):
    """Weights (d + 1, k), probabilities (n, k) given the answers, and the bound after every round."""

    W: Floats
    probabilities: Floats
    bounds: list[float]


class VariationalSearch:
    """The best bound for fixed answers and parameters.

    Starts are tried in single precision; the one that goes on ends in double.

    - `wide` (n, d + 1): Vectors with ones.
    - `field`: The answers and how people err.
    - `n_clusters`: k.
    - `setting`: τ, λ and ε.
    """

    def __init__(self, wide: Floats, field: MeanField, n_clusters: int, setting: Setting) -> None:
        self.wide, self.field, self.setting, self.k = wide, field, setting, n_clusters

    def best(
        self, given: list[Floats], n_drawn: int, random: np.random.RandomState, max_iter: int, tol: float
    ) -> VariationalResult:
        """A few rounds from every start, given and drawn, and then from the best of them until it converges."""
        named, trial = self.field.items, min(TRIAL, max_iter)
        quick = self._bound(np.float32)
        tried = [quick.run(quick.start(W), trial) for W in given]
        if len(self.field.answers) and n_drawn and not any(self.fits_answers(found.W) for found, _ in tried):
            tried += [quick.run(quick.start(W), trial) for W in self.fit_answers(random, n_drawn)]
        best, bounds = max(tried, key=lambda pair: pair[1][-1])
        exact = self._bound(np.float64)
        best, more = quick.run(best, max_iter - len(bounds), tol, bounds[-1])
        bounds += more
        best, more = exact.run(Ascent(exact, best.W, best.q), max_iter - len(bounds), tol, bounds[-1])
        log_p = log_probabilities(self.wide, best.W)
        probabilities = np.exp(log_p)
        q = probabilities[named] if self.field.model.hard else best.q
        probabilities[named] = self.field.update(log_p[named], q)
        return VariationalResult(best.W, probabilities, bounds + more)

    def fits_answers(self, W: Floats) -> bool:
        """Whether the clusters of W contradict no more than ε of the answers of each value: nothing is left to find."""
        answers, named = self.field.answers, self.field.items
        labels = np.zeros(len(self.wide), np.int64)
        labels[named] = (self.wide[named] @ W).argmax(axis=1)
        wrong = answers.correct(labels) != answers.values
        kind = 2 * answers.values + (answers.items[:, 2] < 0)
        counted = answers.weights
        shares = ((wrong * counted)[kind == value].sum() / counted[kind == value].sum() for value in np.unique(kind))
        return all(share <= self.setting.epsilon for share in shares)

    def fit_answers(self, random: np.random.RandomState, n_drawn: int) -> list[Floats]:
        """The weights that fit the answers best, of so many drawn, without the mutual information.

        With weights near zero no cluster is preferred: the answers decide before the entropy makes the clusters sure.
        """
        shape = (self.wide.shape[1], self.k)
        weights = [0.1 * random.normal(size=shape) for _ in range(n_drawn)]
        for most, rounds, kept in HEATS:
            alone = self._bound_alone(self.field.some(most, random))
            tried = [alone.run(alone.start(W), rounds)[0] for W in weights]
            weights = [found.W for found in sorted(tried, key=lambda found: -found.value)[:kept]]
        return weights

    def _bound_alone(self, field: MeanField) -> AnswerBound:
        """The bound without the mutual information, of the items that answers name only."""
        own: Any = np.ascontiguousarray(self.wide[field.items], np.float32)
        m, none = len(own), np.zeros(len(own))
        share = 1.0 / field.answers.total
        alone = Objective(own, np.zeros((self.k, m)), none + share, none, 0.0, self.setting.regularization)
        return AnswerBound(alone, field, np.arange(m))

    def _bound(self, kind: Any) -> AnswerBound:
        silent = np.ones(len(self.wide))
        silent[self.field.items] = 0.0
        objective = Objective(
            self.wide.astype(kind, copy=False),
            np.zeros((self.k, len(self.wide))),
            (1.0 - silent) / self.field.answers.total,
            silent / max(silent.sum(), 1.0),
            self.setting.tau,
            self.setting.regularization,
        )
        return AnswerBound(objective, self.field, self.field.items)


class AnswerBound:
    """The lower bound 3.7 as a function of the weights, the mean field following them.

    Hard answers (3.11) are not chosen to raise the bound: then the mean field only changes between climbs, and begins
    anew at P(y|x) each time, since what it once ruled out it hardly finds again.

    - `objective`: What it has beside the answers and the entropy of the mean field.
    - `field`: The answers.
    - `rows` (m,): Which rows of the objective are the items that answers name.
    """

    def __init__(self, objective: Objective, field: MeanField, rows: Integers) -> None:
        self.objective, self.field, self.rows = objective, field, rows
        self.share = 1.0 / field.answers.total

    def start(self, W: Floats) -> Ascent:
        """At W, the mean field at P(y|x)."""
        self.objective.look(W)
        return Ascent(self, W, np.exp(self.objective.log_p(self.rows)))

    def __call__(self, W: Floats, q: Floats) -> tuple[float, Floats, Floats]:
        """Value and gradient at W and q moved towards the best one, and q."""
        self.objective.look(W)
        if not self.field.model.hard:
            q = self.field.update(self.objective.log_p(self.rows), q, max_sweeps=SWEEPS)
        self.objective.target[:, self.rows] = q.T
        value, gradient = self.objective.judge(W)
        return value + self.field.rest(q) * self.share, gradient, q

    def run(
        self, ascent: Ascent, max_iter: int, tol: float = -np.inf, last: float = -np.inf
    ) -> tuple[Ascent, list[float]]:
        """Rounds until one gains less than tol over what was last, and the bound after each."""
        bounds: list[float] = []
        for _ in range(max_iter):
            for _ in range(TURNS if self.field.model.hard else 1):
                ascent = self._refreshed(ascent)
                ascent.climb(STEPS)
            bounds.append(ascent.value)
            if bounds[-1] - last < tol:
                break
            last = bounds[-1]
        return ascent, bounds

    def _refreshed(self, ascent: Ascent) -> Ascent:
        """The same weights with the mean field of hard answers; that of soft answers is up to date."""
        if not self.field.model.hard:
            return ascent
        self.objective.look(ascent.W)
        log_p = self.objective.log_p(self.rows)
        return Ascent(self, ascent.W, self.field.update(log_p, np.exp(log_p)))
