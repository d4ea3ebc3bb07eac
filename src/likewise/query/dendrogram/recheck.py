"""Answers that may be wrong, and the questions that would show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.graphs.bridges import find_bridges, share_around
from likewise.query.answers.ledger import Ledger
from likewise.query.base import State
from likewise.query.dendrogram.answered_distances import AnsweredDistances
from likewise.query.dendrogram.estimate import ClusterEstimate
from likewise.query.dendrogram.geometry import Floats
from likewise.query.question import Pair, Question

Integers = NDArray[np.int64]

PRIOR_WRONG, PRIOR_TESTED = 0.5, 50.0  # wrong answers, of answers tested, before there are any
OVERLOOKED = 2.5  # the same for pictures on grids that do not belong and were overlooked, by wrong answers
DOUBTFUL = 0.01  # answers that are wrong with a lower probability are not asked about again
TESTED = 2.0  # answers tested by one that follows from others
MOST_COMPARED = 64  # maximum number of items of each side that may represent it
MOST_LOOKED_AT = 32  # maximum number of items of a side whose neighbours count
SURE = 1e-6
REASON = "an earlier answer about these two groups may be a slip: what about these two pictures?"


class JoinedItems(NamedTuple):
    """Groups that answers *same* join, as in :func:`~likewise.kernels.graphs.bridges.find_bridges`."""

    order: Integers
    head: Integers
    size: Integers

    def items(self, first: int, count: int) -> Integers:
        """`count` items from a position on; with a negative count the others of their group."""
        if count > 0:
            return self.order[first : first + count]
        head = int(self.head[self.order[first]])
        end = head + int(self.size[self.order[first]])
        return np.concatenate([self.order[head:first], self.order[first - count : end]])

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(np.count_nonzero(self.head[self.order] == np.arange(len(self.order))))

    def at(self) -> Integers:
        """Position of every item."""
        at = np.empty(len(self.order), np.int64)
        at[self.order] = np.arange(len(at))
        return at


@dataclass
class Rechecks:
    r"""Answers that no other confirms, and the value of checking each by another question.

    An answer *same* is confirmed when others join its two sides too, an answer *different* when another says that
    the same two groups differ. One that is not confirmed is wrong with the odds

    .. math:: \frac{\varepsilon}{1 - \varepsilon} \cdot \frac{1 - p}{p}

    for *same*, and with p/(1 - p) for *different*. Here p is the probability that the sides are the same without the
    answer: the mean of the curve's probability at their distance and of the share of the one's cluster around the
    other; ε is the share of wrong answers, a small prior at first, then as found; what grids confirm has one of its
    own. Every answer that is set aside because of it multiplies the odds by :math:`(1 - \varepsilon)/\varepsilon`.
    The value of asking again is the probability that the answer is wrong times the pairs that would change; 0 where
    this probability is below 1 %.

    - `groups`: Items known to be the same.
    - `near`, `far` (m,): The items that were asked about; the first lies on the smaller side.
    - `first`, `count` (m,): The smaller side, as of :meth:`JoinedItems.items`.
    - `same` (m,): Whether the answer was *same*.
    - `value` (m,): Value of asking again.
    - `wrong`, `pairs` (m,): Probability that it is wrong, and the pairs that would change.
    """

    groups: JoinedItems
    near: Integers
    far: Integers
    first: Integers
    count: Integers
    same: NDArray[np.bool_]
    value: Floats
    wrong: Floats
    pairs: Floats

    @classmethod
    def of(cls, state: State, estimate: ClusterEstimate, answered: AnsweredDistances) -> Rechecks:
        """Those of a state; `answered` holds the answers that are not set aside."""
        ledger = state.ledger
        standing, given = ledger.standing(), [ledger.statements[place] for place in sorted(ledger.given)]
        pairs = np.array([statement[:2] for statement in standing], np.int64).reshape(-1, 2)
        same = np.array([statement[2] == "same" for statement in standing], bool)
        joined = np.array([each[:2] for each in given if each[2] == "same"], np.int64).reshape(-1, 2)
        left, right = np.vstack([pairs[same], joined]).T.copy()
        *found, first, count = find_bridges(state.n, left, right)
        groups = JoinedItems(*found)
        bridges = _smaller_sides(groups, np.flatnonzero(same), first, count)
        unconfirmed, n_different = _unconfirmed(groups, pairs, np.flatnonzero(~same))
        answers, first, count = (np.concatenate(each) for each in zip(bridges, unconfirmed, strict=True))
        near, far = _oriented(groups, pairs[answers], first, count)
        n_repeated = len(left) - (state.n - groups.n_groups) + int((~same).sum()) - n_different
        rechecks = cls(groups, near, far, first, count, same[answers], *np.zeros((3, len(answers))))
        probability = estimate.curve(answered.distances, answered.pairs)[answers] if len(answers) else np.zeros(0)
        rates = _rates(ledger, _on_grid(state), n_repeated)[answers]
        rechecks._set_value(estimate, probability, rates, _against(ledger, answers))
        return rechecks

    def question(self, estimate: ClusterEstimate, at: int, skip: Collection[Pair]) -> Question | None:
        """What would confirm or contradict it: the closest items of its sides, if possible not those asked before.

        None when it is not doubtful, or when this person has seen all of them.
        """
        if self.value[at] == 0:
            return None
        first, count, other = int(self.first[at]), int(self.count[at]), int(self.far[at])
        left = self.groups.items(first, count)[:MOST_COMPARED]
        if self.same[at]:
            right = self.groups.items(first, -count)[:MOST_COMPARED]
        else:
            right = self.groups.items(int(self.groups.head[other]), int(self.groups.size[other]))[:MOST_COMPARED]
        repeats = (left == self.near[at]).astype(int)[:, None] + (right == other)
        for k in np.lexsort((estimate.structure.geometry.between(left, right).ravel(), repeats.ravel())).tolist():
            i, j = int(left[k // len(right)]), int(right[k % len(right)])
            if (min(i, j), max(i, j)) not in skip:
                return Question("pair", (i, j), float(self.value[at]), REASON, again=True)
        return None

    def halve_unsure(self, unsure: list[Pair]) -> None:
        """Halve the value of what somebody was unsure about, once for every pair across its two sides."""
        if not unsure:
            return
        at, head = self.groups.at(), self.groups.head
        for pair in unsure:
            near, far = np.empty((2, 2, len(self.value)), bool)
            for k, item in enumerate(pair):
                inside = (at[item] >= self.first) & (at[item] < self.first + np.abs(self.count))
                near[k] = (head[item] == head[self.near]) & (inside == (self.count > 0))
                far[k] = (head[item] == head[self.far]) & ~near[k]
            self.value[(near & far[::-1]).any(axis=0)] /= 2

    def _set_value(self, estimate: ClusterEstimate, probability: Floats, rate: Floats, against: Integers) -> None:
        """Compute the value; rate (m,): share of wrong ones among its like; against (m,): number set aside for each."""
        labels, graph = estimate.labels, estimate.graph
        sides = (self.first, self.count, labels[self.far], MOST_LOOKED_AT)
        around = share_around(graph, labels, self.groups, *sides)
        p = np.clip((probability + around) / 2, SURE, 1 - SURE)
        odds = np.where(self.same, (1 - p) / p, p / (1 - p)) * (rate / (1 - rate)) ** (1.0 - against)
        here, there = estimate.sizes[labels[self.near]], estimate.sizes[labels[self.far]]
        whole = self.groups.size[self.near]
        part = np.where(self.count > 0, self.count, whole + self.count) / whole
        pairs = np.where(self.same, here**2 * part * (1 - part), here * there)
        self.wrong, self.pairs = odds / (1 + odds), pairs
        self.value = np.where(self.wrong < DOUBTFUL, 0.0, self.wrong * pairs)


Sides = tuple[Integers, Integers, Integers]


def _smaller_sides(groups: JoinedItems, answers: Integers, first: Integers, count: Integers) -> Sides:
    """The answers *same* that are bridges with more than one item on a side, and their smaller sides."""
    first, count = first[: len(answers)], count[: len(answers)]
    whole = groups.size[groups.order[first]]
    chosen = (count > 0) & (whole > 2)
    smaller = np.where(2 * count <= whole, count, -count)
    return answers[chosen], first[chosen], smaller[chosen]


def _unconfirmed(groups: JoinedItems, pairs: Integers, answers: Integers) -> tuple[Sides, int]:
    """The same for answers *different* that no other confirms; and the number of pairs of groups that differ."""
    heads = np.sort(groups.head[pairs[answers]], axis=1)
    _, back, times = np.unique(heads, axis=0, return_inverse=True, return_counts=True)
    sizes = groups.size[groups.order[heads]]
    chosen = (times[back.ravel()] == 1) & (sizes.max(axis=1, initial=0) > 1)
    smaller = sizes.argmin(axis=1) if len(sizes) else np.zeros(0, np.int64)
    rows = np.arange(len(answers))
    first, count = heads[rows, smaller], sizes[rows, smaller]
    return (answers[chosen], first[chosen], count[chosen]), len(times)


def _oriented(groups: JoinedItems, pairs: Integers, first: Integers, count: Integers) -> tuple[Integers, Integers]:
    """The items of each pair, the one on the smaller side first."""
    at = groups.at()
    inside = (at[pairs[:, 0]] >= first) & (at[pairs[:, 0]] < first + np.abs(count))
    turned = inside != (count > 0)
    return np.where(turned, pairs[:, 1], pairs[:, 0]), np.where(turned, pairs[:, 0], pairs[:, 1])


def _on_grid(state: State) -> NDArray[np.bool_]:
    """By statement of the ledger: whether a grid says *same*, where an odd picture may have been overlooked."""
    ledger, history = state.ledger, state.history
    found = np.zeros(len(ledger.statements), bool)
    for place, source in enumerate(state.taken.sources):
        found[place] = source >= 0 and history[source].kind == "grid" and ledger.statements[place][2] == "same"
    return found


def _rates(ledger: Ledger, on_grid: NDArray[np.bool_], n_repeated: int) -> Floats:
    """By statement that stands: share of wrong ones among its like, those of grids that say *same*, or the others.

    Wrong are those set aside, of those tested by answers that follow from others.

    - `on_grid`: By statement of the ledger: whether it is of the first kind.
    - `n_repeated`: Number of answers that follow from others.
    """
    standing = on_grid[ledger.standing_places()]
    aside = on_grid[[conflict.place for conflict in ledger.conflicts()]]
    rates = np.empty(len(standing))
    for grid, prior in ((True, OVERLOOKED * PRIOR_WRONG), (False, PRIOR_WRONG)):
        like, n_aside = standing == grid, int((aside == grid).sum())
        tested = TESTED * n_repeated * float(like.mean()) if len(like) else 0.0
        rates[like] = (prior + n_aside) / (PRIOR_TESTED + n_aside + tested)
    return rates


def _against(ledger: Ledger, answers: Integers) -> Integers:
    """Number of answers set aside because of each of these, counted among those that are not."""
    statements = ledger.standing_places()
    named = Counter(place for conflict in ledger.conflicts() for place in conflict.chain_places)
    return np.array([named[statements[at]] for at in answers.tolist()], np.int64)
