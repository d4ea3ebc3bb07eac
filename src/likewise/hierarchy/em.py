"""Expectation–maximisation of the tree, the classifiers and the share of missing tags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.hierarchy.logistic import Features, climb
from likewise.hierarchy.trees import Parents, maximum_arborescence, top_down
from likewise.kernels.inference.logistic import squash_scores
from likewise.kernels.inference.tree_messages import gather_pairs, pass_messages, sum_pairs

Reals = NDArray[np.float64]
Tags = NDArray[np.bool_]


@dataclass(frozen=True)
class Model:
    """The tree, the turned weights (k, r) with their scores (k, n), and the share of missing tags."""

    parents: Parents
    W: Reals
    scores: Reals
    alpha: float


class Posterior(NamedTuple):
    """What the tags say under a model, label by instance.

    - `given_on`, `given_off` (k, n): Probability of a label if its parent is on, and if it is off.
    - `marginal` (k, n): Its probability.
    - `parents`, `order` (k,): The tree they are about, and its labels from the top.
    - `likelihood`: Log probability of all tags.
    """

    given_on: Reals
    given_off: Reals
    marginal: Reals
    parents: Parents
    order: Parents
    likelihood: float

    def pair_sums(self, scores: Reals) -> tuple[Reals, Reals]:
        """Σ P(p and c on), and the same times the score of c, both (k, k) with [p, c]; by eq. 5.5 in blocks."""
        both, scored = sum_pairs(self, scores)
        return both, scored

    def beside(self, partners: Parents) -> Reals:
        """Probability (k, n) that each label and its partner are on; -1 for the dummy root."""
        if np.array_equal(partners, self.parents):
            above = self.marginal[partners]
            above[partners < 0] = 1.0
            return np.asarray(self.given_on * above)
        out = np.empty_like(self.marginal)
        gather_pairs(self, partners, out)
        return out


@dataclass(frozen=True)
class Round:
    """A model, the bound before and after the M-step that made it, and the slack ε it was made with."""

    model: Model
    before: float
    after: float
    epsilon: float


def infer(on: Reals, off: Reals, tags: Tags, parents: Parents, alpha: float, epsilon: float) -> Posterior:
    """Posterior of the labels given the tags: messages on the tree, O(nk)."""
    given_on, given_off, marginal = (np.empty_like(on) for _ in range(3))
    posterior = Posterior(given_on, given_off, marginal, parents, top_down(parents), 0.0)
    likelihood = pass_messages(on, off, tags, alpha, epsilon, posterior)
    return posterior._replace(likelihood=float(likelihood))


def edge_weights(posterior: Posterior, scores: Reals, log_off: Reals, epsilon: float) -> tuple[Reals, Reals]:
    """Weights of eq. 5.9 between labels (k, k) with [p, c], and from the dummy root (k,)."""
    both, scored = posterior.pair_sums(scores)
    on = posterior.marginal
    n = on.shape[1]
    slack = np.log(epsilon) - np.log1p(-epsilon)
    count = on.sum(axis=1)
    weights = scored - slack * both + on @ log_off.T
    weights += slack * count + np.log1p(-epsilon) * (n - count[:, None])
    root = (on * scores).sum(axis=1) + log_off.sum(axis=1)
    return weights, root


class Search:
    """What stays the same over the rounds and starts of one fit. tags (k, n)."""

    def __init__(self, features: Features, tags: Tags, penalty: float, n_steps: int, *, learn_tree: bool) -> None:
        self.features, self.tags, self.penalty, self.n_steps = features, tags, penalty, n_steps
        self.learn_tree = learn_tree
        self.n_seen = int(tags.sum())

    def rounds(self, model: Model, epsilon: float, decay: float) -> Iterator[Round]:
        """Rounds of EM without end; the slack falls by `decay` after each."""
        while True:
            model, before, after = self.step(model, epsilon)
            yield Round(model, before, after, epsilon)
            epsilon *= decay

    def step(self, model: Model, epsilon: float) -> tuple[Model, float, float]:
        """One E-step and one M-step; the bound between the two and after them."""
        on, off, log_off = (np.empty_like(model.scores) for _ in range(3))
        squash_scores(model.scores, on, off, log_off)
        posterior = infer(on, off, self.tags, model.parents, model.alpha, epsilon)
        before = posterior.likelihood - 0.5 * self.penalty * float((model.W**2).sum())
        parents, tree_gain = model.parents, 0.0
        if self.learn_tree:
            weights, root = edge_weights(posterior, model.scores, log_off, epsilon)
            found = maximum_arborescence(weights, root)
            rise = tree_value(weights, root, found) - tree_value(weights, root, parents)
            # Trees of equal weight must not take turns.
            if rise > 1e-9 * abs(before):
                parents, tree_gain = found, rise
        alpha, alpha_gain = self._share_missing(posterior, model.alpha)
        target = posterior.beside(parents)
        weight = posterior.marginal[parents]
        weight[parents < 0] = 1.0
        W, scores, weight_gain, _ = climb(
            self.features, model.W, model.scores, weight, target, self.penalty, self.n_steps
        )
        after = before + tree_gain + alpha_gain + weight_gain
        return Model(parents, W, scores, alpha), before, after

    def value(self, model: Model, epsilon: float) -> float:
        """The penalised log likelihood, eq. 5.2."""
        on, off, log_off = (np.empty_like(model.scores) for _ in range(3))
        squash_scores(model.scores, on, off, log_off)
        posterior = infer(on, off, self.tags, model.parents, model.alpha, epsilon)
        return posterior.likelihood - 0.5 * self.penalty * float((model.W**2).sum())

    def flat(self, alpha: float, n_steps: int) -> Model:
        """All labels under the dummy root, the classifiers fitted to the tags as they are."""
        k, n = self.tags.shape
        W, scores = np.zeros((k, self.features.X.shape[1])), np.zeros((k, n))
        target = self.tags.astype(np.float64)
        W, scores, _, _ = climb(self.features, W, scores, np.ones((k, n)), target, self.penalty, n_steps, tol=1e-5)
        return Model(np.full(k, -1, np.int64), W, scores, alpha)

    def _share_missing(self, posterior: Posterior, alpha: float) -> tuple[float, float]:
        """Eq. 5.7, and what it gains."""
        missed = max(float(posterior.marginal.sum()) - self.n_seen, 0.0)
        best = missed / (missed + self.n_seen)
        return best, self._tag_value(best, missed) - self._tag_value(alpha, missed)

    def _tag_value(self, alpha: float, missed: float) -> float:
        return float(self.n_seen * np.log1p(-alpha) + (missed * np.log(alpha) if missed else 0.0))


def tree_value(weights: Reals, root: Reals, parents: Parents) -> float:
    """Total weight of a tree."""
    own = np.where(parents < 0, root, weights[parents, np.arange(len(parents))])
    return float(own.sum())


def attach(model: Model, parents: Parents) -> Model:
    """The same classifiers on another tree."""
    return replace(model, parents=parents)
