"""How good the clusters are, from check questions drawn at random: pairwise precision and recall with intervals."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlog1py, xlogy

from likewise.constraints import Constraints
from likewise.query.question import Pair, Question

if TYPE_CHECKING:
    from likewise.query.dendrogram.estimate import ClusterEstimate
    from likewise.query.dendrogram.recheck import Rechecks

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

CHECK = "a check at random: it tells how good the groups are by now"
RECENT = 2 / 3  # checks count from this share of the answers on: earlier ones are about clusters that are no more
ACROSS = 0.5  # share of the checks that are about two clusters, as long as any two may be the same
MENDED = 0.5  # what was found wrong and is right by now still counts for so much
TRUST = 4.0  # checks that the asker's own expectation of missed pairs counts for
LEAST_ITEMS = 0.5  # misplaced items that are expected at least while all pairs are open, and then by the share of those
NOTHING_KNOWN = 0.02  # share of wrong answers from which on what they say leaves as many misplaced as if all were open
LEAST_WRONG = 0.5  # pairs that may be wrong where none is expected to be
MOST_LOTS = 1e9
NEARLY_ALL = 1 - 1e-9
SPREAD = 0.7  # of the logarithm of what is wrong over what the asker expected to be
MANY_WRONG = 0.04  # share of wrong answers from which on these are added: how many are wrong is not known well
FURTHER, FURTHER_DOUBTS = 0.3, 1.3  # for all, and for pairs that wrong answers part, of which the asker is too sure
LEVEL = 0.95
N_DRAWS = 4000
TRIES = 1000
Interval = tuple[float, float, float]


class Check(NamedTuple):
    """A check question that was answered.

    - `answers_before`: How many answers there were when it was asked.
    - `same`: Whether the answer was *same*.
    - `expected`: Probability of *same* by which it was drawn; 1 inside a cluster.
    - `pair` (int, int): What it was about: without it, what it found wrong counts as wrong for good.
    """

    answers_before: int
    same: bool
    expected: float = 1.0
    pair: Pair | None = None

    def is_mended(self, labels: Labels) -> bool:
        """Whether it found something wrong that is right by now."""
        if self.pair is None or self.same == (self.expected == 1):
            return False
        i, j = self.pair
        return bool((labels[i] == labels[j]) == self.same)


@dataclass(frozen=True)
class MissedPairs:
    """Pairs that are the same and lie in different clusters, and the reverse, as an asker expects them.

    - `ratio`: How many such pairs a misplaced item makes, as a multiple of the wrong pairs it makes inside its
      cluster.
    - `left`, `right` (m,): Two clusters not known to differ.
    - `probability`, `pairs` (m,): How probably they are the same, and the number of pairs between them.
    - `wrong`: Pairs inside clusters that are different; None when nothing is expected of them.
    - `doubted`: Pairs that are the same between clusters that answers say to differ.
    - `error_rate`: Share of the answers that are wrong.
    """

    ratio: float
    left: Labels
    right: Labels
    probability: Floats
    pairs: Floats
    wrong: float | None = None
    doubted: float = 0.0
    error_rate: float = 0.0

    @property
    def expected(self) -> float:
        """Expected number of pairs that are the same, between clusters."""
        return float(self.probability @ self.pairs)

    def between(self, estimated: Labels, labels: Labels) -> MissedPairs:
        """The same between other clusters, into which the estimated ones were merged or split.

        An estimated cluster is taken for the one that has most of its items; what is merged is missed no more.
        """
        table = np.zeros((estimated.max() + 1, labels.max() + 1), np.int64)
        np.add.at(table, (estimated, labels), 1)
        home = table.argmax(axis=1)
        left, right = home[self.left], home[self.right]
        kept = left != right
        merged = float((1 - self.probability[~kept]) @ self.pairs[~kept])
        return replace(
            self,
            left=left[kept],
            right=right[kept],
            probability=self.probability[kept],
            pairs=self.pairs[kept],
            wrong=None if self.wrong is None else self.wrong + merged,
        )

    @classmethod
    def of(cls, estimate: ClusterEstimate) -> MissedPairs:
        """What an estimate of the clusters expects."""
        from likewise.kernels.graphs.cluster_values import part_values
        from likewise.query.dendrogram.candidates import MergeCandidates

        sizes, (carried, shares) = estimate.sizes, estimate.layer
        elsewhere = (carried >= 0) & (carried != estimate.labels[:, None]) & (sizes[carried] > 0)
        at = np.flatnonzero(elsewhere.any(axis=1))
        amount = np.where(elsewhere[at], shares[at], 0.0)
        there = (amount * sizes[carried[at]]).sum()
        here = (amount * sizes[estimate.labels[at]][:, None]).sum()
        found = MergeCandidates.of(estimate).unique()
        left, right = np.searchsorted(estimate.ids, found.left), np.searchsorted(estimate.ids, found.right)
        total = np.bincount(left, found.probability, estimate.n_clusters)
        total += np.bincount(right, found.probability, estimate.n_clusters)
        # few of the many it might be the same as can be
        probability = found.probability / (1 + np.maximum(total[left], total[right]))
        ratio = float(there / here) if here > 0 else 1.0
        wrong = float(part_values(estimate.parts.values, sizes, estimate.curve.odds).sum())
        return cls(ratio, left, right, probability, sizes[found.left] * sizes[found.right], wrong)

    def with_doubts(self, doubts: Rechecks) -> MissedPairs:
        """With what answers that may be wrong add to it."""
        pairs = doubts.wrong * doubts.pairs
        wrong = None if self.wrong is None else self.wrong + float(pairs[doubts.same].sum())
        return replace(self, wrong=wrong, doubted=float(pairs[~doubts.same].sum()), error_rate=doubts.error_rate)


@dataclass(frozen=True)
class Quality:
    """Pairwise precision and recall, each as (low, middle, high), and the number of checks they rest on."""

    precision: Interval
    recall: Interval
    n_checks: int

    @property
    def pairwise_f(self) -> Interval:
        """Harmonic mean of precision and recall, end by end: wider than an interval of its own would be."""
        low, middle, high = (
            2 * p * r / (p + r) if p + r else 0.0 for p, r in zip(self.precision, self.recall, strict=True)
        )
        return low, middle, high

    def meets(self, precision: float, recall: float) -> bool:
        """Whether both are at least so high, as surely as the intervals say."""
        return self.precision[0] >= precision and self.recall[0] >= recall


def draw_check(
    labels: Labels,
    constraints: Constraints,
    rng: np.random.Generator,
    skip: Collection[Pair] = (),
    missed: MissedPairs | None = None,
) -> Question | None:
    """A pair of which nothing is known, inside a cluster or, half of the time, of two that may be the same.

    Inside clusters pairs are drawn evenly. Between clusters a pair is drawn in proportion to how probably it is the
    same. None when there is no pair in sight.

    - `labels` (n,): The present clusters, 0 … K-1.
    - `constraints`: What is known.
    - `rng`, numpy Generator: Where chance comes from.
    - `skip`, collection of pairs: Pairs that were put to this person before.
    - `missed`: Clusters that may be the same.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> draw_check(np.array([0, 0, 1]), Constraints(3), rng).items
    (0, 1)
    >>> draw_check(np.array([0, 0, 1]), Constraints(3, must_link=[(0, 1)]), rng) is None
    True
    """
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    pairs = sizes * (sizes - 1.0)
    across = missed is not None and missed.expected > 0 and (rng.random() < ACROSS or pairs.sum() == 0)
    if not across and pairs.sum() == 0:
        return None
    weight = missed.probability * missed.pairs if across and missed is not None else pairs
    for at in rng.choice(len(weight), size=TRIES, p=weight / weight.sum()).tolist():
        if across and missed is not None:
            a, b = int(missed.left[at]), int(missed.right[at])
            places = starts[a] + rng.integers(sizes[a]), starts[b] + rng.integers(sizes[b])
            expected = min(float(missed.probability[at]), 1 - 1e-9)
        else:
            one, other = rng.integers(sizes[at]), rng.integers(sizes[at] - 1)
            places = starts[at] + one, starts[at] + other + (other >= one)
            expected = 1.0
        i, j = sorted(int(order[place]) for place in places)
        if constraints.known(i, j) is None and (i, j) not in skip:
            return Question("pair", (i, j), reason=CHECK, check=expected)
    return None


def estimate_quality(
    labels: Labels,
    constraints: Constraints,
    checks: Sequence[Check],
    missed: MissedPairs | None = None,
    *,
    n_answers: int | None = None,
    random_state: int = 0,
) -> Quality:
    r"""Pairwise precision and recall of clusters, with 95 % intervals.

    What the asker expects to be wrong inside clusters, and to be missed between them, is taken to be right up to a
    factor :math:`e^{0.7 z}` with z normal (:math:`e^z` where 4 % of the answers or more are wrong), and to come in lots
    (Poisson): of the pairs that one misplaced item makes, and of the pairs between two clusters. Each of many states
    drawn like this counts as much as it makes the check questions likely, of whose answers a share may be wrong. A
    misplaced item misses `missed.ratio` times as many pairs as it makes wrong ones. Only checks of the last third of
    the answers count.

    Without such an expectation: of the unknown pairs inside clusters a share p is the same, of which the checks are a
    sample: with k of m the same, p follows :math:`\mathrm{Beta}(k + ½, m - k + ½)` (Jeffreys; up to 1 when k = m).
    For recall, clusters that are the same as others miss as many pairs as expected, times a factor that follows
    :math:`\mathrm{Gamma}(k + 4, \sum P + 4)` where k of the checks between clusters were the same and
    :math:`\sum P` were expected to be.

    What a check finds wrong is mended by its own answer, and often much with it that was wrong in the same way: where
    the clusters agree with the answer by now, it counts half.

    - `labels` (n,): The present clusters.
    - `constraints`: What is known.
    - `checks`, sequence of Check: The check questions that were answered.
    - `missed`: The pairs that the asker expects to be missed; without it, no two clusters are the same.
    - `n_answers`: How many answers there are now; by default as many as before the last check, and that one.
    - `random_state`: Seed of the draws.

    Examples
    --------
    >>> labels = np.repeat([0, 1], 50)
    >>> quality = estimate_quality(labels, Constraints(100), [Check(500, True)] * 38 + [Check(500, False)] * 2)
    >>> [round(x, 2) for x in quality.precision]
    [0.85, 0.95, 0.99]
    """
    rng = np.random.default_rng(random_state)
    now = n_answers if n_answers is not None else max((c.answers_before + 1 for c in checks), default=0)
    recent = [check for check in checks if check.answers_before >= RECENT * now]
    sizes = np.bincount(labels)
    inside = float((sizes * (sizes - 1) // 2).sum())
    known = min(float(constraints.n_same()), inside)  # all lie inside clusters, where these are up to date

    weights = np.array([MENDED if check.is_mended(labels) else 1.0 for check in recent])
    if missed is not None and missed.wrong is not None:
        wrong, apart, fit = _draw_expected(recent, weights, missed, (inside, inside - known), sizes, rng)
        precision, recall = _scores(inside - wrong, inside, missed.ratio, apart)
        return Quality(_weighed_interval(precision, fit), _weighed_interval(recall, fit), len(recent))
    p, best = _draw_share(recent, weights, rng)
    merges = np.zeros(N_DRAWS) if missed is None else missed.expected * _draw_factor(recent, weights, rng)
    ratio = 1.0 if missed is None else missed.ratio
    scores = _scores(known + p * (inside - known), inside, ratio, merges)
    highest = _scores(known + best * (inside - known), inside, ratio, merges)
    return Quality(_interval(scores[0], highest[0]), _interval(scores[1], highest[1]), len(recent))


def _draw_expected(
    checks: list[Check],
    weights: Floats,
    missed: MissedPairs,
    n_inside: tuple[float, float],
    sizes: Labels,
    rng: np.random.Generator,
) -> tuple[Floats, Floats, Floats]:
    """Wrong pairs inside clusters and missed ones between them, in each of the draws, and how well it fits the checks.

    - `n_inside` (float, float): Number of pairs inside clusters, and of those that are not known.
    - `sizes` (k,): Sizes of the clusters.
    """
    inside, n_open = n_inside
    spread = SPREAD + np.array([FURTHER, FURTHER, FURTHER_DOUBTS]) * min(1.0, missed.error_rate / MANY_WRONG)
    factors = np.exp(spread[:, None] * rng.standard_normal((3, N_DRAWS)))
    an_item = max(1.0, float((sizes**2).sum() / max(sizes.sum(), 1)))  # pairs that one misplaced item makes
    unsure = max(n_open, min(1.0, missed.error_rate / NOTHING_KNOWN) * inside)
    least = LEAST_ITEMS * an_item * unsure / inside if inside else 0.0
    wrong = np.minimum(_draw_sum(factors[0] * max(missed.wrong or 0.0, least), an_item, rng), inside)
    total = missed.expected
    a_merge = float(missed.probability @ missed.pairs**2) / total if total > 0 else 1.0
    alone = max(missed.doubted, least - total)
    apart = _draw_sum(factors[1] * total, a_merge, rng) + _draw_sum(factors[2] * alone, an_item, rng)
    inner = np.array([check.expected == 1 for check in checks], bool)
    same = np.array([check.same for check in checks], bool)
    share = np.minimum((wrong + LEAST_WRONG) / max(n_open + 1, 1.0), NEARLY_ALL)
    fit = _log_likelihood(share, weights[inner & ~same].sum(), (inner & same).sum(), missed.error_rate)
    ratio = (apart + LEAST_WRONG) / (total + missed.doubted + LEAST_WRONG)
    for check, weight in zip(checks, weights, strict=True):
        if check.expected < 1:
            likely = np.minimum(ratio * check.expected, NEARLY_ALL)
            fit = fit + _log_likelihood(likely, weight * check.same, float(not check.same), missed.error_rate)
    return wrong, apart, np.exp(fit - fit.max())


def _draw_sum(expected: Floats, each: float, rng: np.random.Generator) -> Floats:
    """Pairs that come in lots of `each`, so many of them expected, in each of the draws."""
    return np.asarray(each * rng.poisson(np.minimum(expected / each, MOST_LOTS)), np.float64)


def _log_likelihood(share: Floats, found: float, others: float, error_rate: float) -> Floats:
    """Log-likelihood that of a share so many were found, and others not, by answers of which some are wrong."""
    seen = error_rate + (1 - 2 * error_rate) * share
    return np.asarray(xlogy(found, seen) + xlog1py(others, -seen))


def _draw_share(checks: list[Check], weights: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Share of the unknown pairs inside clusters that are the same; the second at its best: 1 where all are by now."""
    inner = np.array([check.expected == 1 for check in checks], bool)
    same = np.array([check.same for check in checks], bool)
    wrong = weights[inner & ~same]
    p = rng.beta((inner & same).sum() + 0.5, wrong.sum() + 0.5, N_DRAWS)
    return p, np.ones(N_DRAWS) if (wrong < 1).all() else p


def _draw_factor(checks: list[Check], weights: Floats, rng: np.random.Generator) -> Floats:
    """How many more pairs between clusters are the same than the asker expects, in each of the draws."""
    found = sum(weight for check, weight in zip(checks, weights, strict=True) if check.expected < 1 and check.same)
    expected = sum(check.expected for check in checks if check.expected < 1)
    return rng.gamma(found + TRUST, 1 / (expected + TRUST), N_DRAWS)


def _scores(right: Floats, inside: float, ratio: float, merges: Floats) -> tuple[Floats, Floats]:
    """Precision and recall where so many of the pairs inside are right, in each of the draws."""
    same = right + ratio * (inside - right) + merges
    precision = right / inside if inside else np.ones(N_DRAWS)
    return precision, np.divide(right, same, out=np.ones(N_DRAWS), where=same > 0)


def _weighed_interval(draws: Floats, weights: Floats) -> Interval:
    """Quantiles of draws that count for different amounts."""
    order = np.argsort(draws, kind="stable")
    below = np.cumsum(weights[order])
    at = np.searchsorted(below, np.array([(1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2]) * below[-1])
    low, middle, high = draws[order[np.minimum(at, len(draws) - 1)]]
    return float(low), float(middle), float(high)


def _interval(draws: Floats, highest: Floats) -> Interval:
    """Quantiles; the upper end is that of the highest."""
    low, middle = np.quantile(draws, [(1 - LEVEL) / 2, 0.5])
    return float(low), float(middle), float(np.quantile(highest, (1 + LEVEL) / 2))
