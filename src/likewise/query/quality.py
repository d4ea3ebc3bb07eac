"""How good the clusters are, from check questions drawn at random: pairwise precision and recall with intervals."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from likewise.constraints import Constraints
from likewise.query.base import Labels, Pair, Question
from likewise.query.ground import Floats
from likewise.query.reading import Reading
from likewise.query.regroup import merge_probability

CHECK = "a check at random: it tells how good the groups are by now"
RECENT = (
    2 / 3
)  # checks count from this share of the answers on: earlier ones are about clusters that are no more
LEVEL = 0.95
N_DRAWS = 4000
TRIES = 1000
Interval = tuple[float, float, float]


@dataclass(frozen=True)
class Apart:
    """What an asker expects of the pairs that are the same and lie in different clusters.

    Attributes
    ----------
    ratio : float
        How many such pairs a misplaced item makes, as a multiple of the wrong pairs it makes inside its cluster.
    probability, pairs : ndarrays of shape (m,)
        Two clusters not known to differ: how probably they are the same, and the number of pairs between them.
    """

    ratio: float
    probability: Floats
    pairs: Floats

    @classmethod
    def of(cls, reading: Reading) -> Apart:
        """What a reading of the answers expects."""
        sizes, own = reading.sizes, reading.labels
        elsewhere = np.where((reading.carried >= 0) & (reading.carried != own[:, None]), reading.shares, 0.0)
        there = (elsewhere * sizes[reading.carried]).sum()
        here = (elsewhere * sizes[own][:, None]).sum()
        probability = merge_probability(reading)
        left, right = np.nonzero(np.triu(probability > 0, 1))
        ratio = float(there / here) if here > 0 else 1.0
        return cls(ratio, probability[left, right], sizes[left] * sizes[right])


@dataclass(frozen=True)
class Quality:
    """Pairwise precision and recall, each as (low, middle, high), and the number of checks they rest on."""

    precision: Interval
    recall: Interval
    n_checks: int

    def meets(self, precision: float, recall: float) -> bool:
        """Whether both are at least so high, as surely as the intervals say."""
        return self.precision[0] >= precision and self.recall[0] >= recall


def draw_check(
    labels: Labels, constraints: Constraints, rng: np.random.Generator, skip: Collection[Pair] = ()
) -> Question | None:
    """A pair drawn evenly from the unknown pairs inside clusters; None when there is none in sight.

    Parameters
    ----------
    labels : ndarray of shape (n,)
        The present clusters.
    constraints : Constraints
        What is known.
    rng : numpy Generator
        Where chance comes from.
    skip : collection of pairs
        Pairs that were put to this person before.

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
    if pairs.sum() == 0:
        return None
    for cluster in rng.choice(len(sizes), size=TRIES, p=pairs / pairs.sum()).tolist():
        one, other = rng.choice(sizes[cluster], size=2, replace=False) + starts[cluster]
        i, j = sorted((int(order[one]), int(order[other])))
        if constraints.known(i, j) is None and (i, j) not in skip:
            return Question("pair", (i, j), reason=CHECK, check=True)
    return None


def estimate_quality(
    labels: Labels,
    constraints: Constraints,
    checks: Sequence[tuple[int, bool]],
    apart: Apart | None = None,
    *,
    n_answers: int | None = None,
    random_state: int = 0,
) -> Quality:
    r"""Pairwise precision and recall of clusters, with 95 % intervals.

    Of the pairs inside clusters some are known; of the others a share p is the same, of which the check questions are
    a sample: with k of m the same, p follows :math:`\mathrm{Beta}(k + ½, m - k + ½)` (Jeffreys; up to 1 when k = m).
    Only checks of the last third of the answers count. Precision follows. For recall, what is the same and lies apart
    is made up of misplaced items, which miss as many pairs as they make wrong ones, times `apart.ratio`, and of
    clusters that are the same as others, each with its probability.

    Parameters
    ----------
    labels : ndarray of shape (n,)
        The present clusters.
    constraints : Constraints
        What is known.
    checks : sequence of (int, bool)
        For each check question, how many answers there were before it, and whether the two were the same.
    apart : Apart, optional
        What the asker expects of pairs that lie apart; without it, no two clusters are the same.
    n_answers : int, optional
        How many answers there are now; by default as many as before the last check, and that one.
    random_state : int
        Seed of the draws.

    Examples
    --------
    >>> labels = np.repeat([0, 1], 50)
    >>> quality = estimate_quality(labels, Constraints(100), [(500, True)] * 38 + [(500, False)] * 2)
    >>> [round(x, 2) for x in quality.precision]
    [0.85, 0.95, 0.99]
    """
    rng = np.random.default_rng(random_state)
    now = n_answers if n_answers is not None else max((before + 1 for before, _ in checks), default=0)
    latest = np.array([same for before, same in checks if before >= RECENT * now], bool)
    sizes = np.bincount(labels)
    inside = float((sizes * (sizes - 1) // 2).sum())
    known = _known_inside(labels, constraints)
    p = rng.beta(latest.sum() + 0.5, (~latest).sum() + 0.5, N_DRAWS)
    merges = np.zeros(N_DRAWS) if apart is None else _draw_merges(apart, rng)
    ratio = 1.0 if apart is None else apart.ratio
    precision, recall = _scores(known + p * (inside - known), inside, ratio, merges)
    best = _scores(np.full(N_DRAWS, inside), inside, ratio, merges) if latest.all() else (precision, recall)
    return Quality(_interval(precision, best[0]), _interval(recall, best[1]), len(latest))


def _scores(right: Floats, inside: float, ratio: float, merges: Floats) -> tuple[Floats, Floats]:
    """Precision and recall where so many of the pairs inside are right, in each of the draws."""
    same = right + ratio * (inside - right) + merges
    precision = right / inside if inside else np.ones(N_DRAWS)
    return precision, np.divide(right, same, out=np.ones(N_DRAWS), where=same > 0)


def _known_inside(labels: Labels, constraints: Constraints) -> float:
    """Number of pairs inside clusters that are known to be the same."""
    groups = constraints.labels()
    sizes = np.bincount(groups)
    return float((sizes * (sizes - 1) // 2).sum())


def _draw_merges(apart: Apart, rng: np.random.Generator) -> Floats:
    """Pairs between clusters that are the same, in each of the draws; improbable ones by their mean."""
    likely = np.argsort(-apart.probability * apart.pairs, kind="stable")
    first, rest = likely[:200], likely[200:]
    drawn = rng.random((N_DRAWS, len(first))) < apart.probability[first]
    return np.asarray(drawn @ apart.pairs[first] + apart.probability[rest] @ apart.pairs[rest])


def _interval(draws: Floats, best: Floats) -> Interval:
    """Quantiles; the upper one is that of `best`, where no check found anything wrong."""
    low, middle = np.quantile(draws, [(1 - LEVEL) / 2, 0.5])
    return float(low), float(middle), float(np.quantile(best, (1 + LEVEL) / 2))
