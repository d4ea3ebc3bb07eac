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
from likewise.query.dendrogram.ground import Evidence, Floats
from likewise.query.dendrogram.reading import Reading
from likewise.query.question import Pair, Question

Integers = NDArray[np.int64]

WRONG, OF = 0.5, 50.0  # so many wrong answers of so many are taken as seen before anything is asked again
DOUBTFUL = 0.01  # what is wrong less probably is not asked about again
TESTED = 2.0  # answers that are tested by one that follows from others
MOST_COMPARED = 64  # items of each side that may stand for it
MOST_LOOKED_AT = 32  # items of a side whose neighbours are looked at
SURE = 1e-6
REASON = "an earlier answer about these two groups may be a slip: what about these two pictures?"


class Groups(NamedTuple):
    """What answers *same* join, as in :func:`~likewise.kernels.graphs.bridges.find_bridges`."""

    order: Integers
    head: Integers
    size: Integers

    def items(self, first: int, count: int) -> Integers:
        """The items from a place on; with a negative count the others of their group."""
        if count > 0:
            return self.order[first : first + count]
        head = int(self.head[self.order[first]])
        end = head + int(self.size[self.order[first]])
        return np.concatenate([self.order[head:first], self.order[first - count : end]])

    def at(self) -> Integers:
        """The place of every item."""
        at = np.empty(len(self.order), np.int64)
        at[self.order] = np.arange(len(at))
        return at


@dataclass
class Doubts:
    r"""Answers that no other confirms, and what it is worth to ask about each again.

    An answer *same* is confirmed when others join its two sides too, an answer *different* when another sets
    the same two groups apart. One that is not confirmed is wrong with the odds

    .. math:: \frac{\varepsilon}{1 - \varepsilon} \cdot \frac{1 - p}{p}

    for *same*, and with p/(1 - p) for *different*. Here p is how probably the sides are the same, had nobody been
    asked: the mean of the curve's probability at their distance and of the share of the one's cluster around the
    other; ε is the share of wrong answers, a few to begin with, then as found. Every answer that is set aside
    because of it multiplies the odds by :math:`(1 - \varepsilon)/\varepsilon`. To ask again is worth its probability
    of being wrong times the pairs that would change, and nothing where this probability is below 1 %.

    Attributes
    ----------
    groups : Groups
        Items known to be the same.
    near, far : ndarrays of shape (m,)
        The items that were asked about; the first lies on the smaller side.
    first, count : ndarrays of shape (m,)
        The smaller side, as of :meth:`Groups.items`.
    same : ndarray of shape (m,)
        What was said.
    worth : ndarray of shape (m,)
        What it is worth to ask again.
    """

    groups: Groups
    near: Integers
    far: Integers
    first: Integers
    count: Integers
    same: NDArray[np.bool_]
    worth: Floats

    @classmethod
    def of(cls, state: State, reading: Reading, evidence: Evidence) -> Doubts:
        """Those of a state; the evidence is that of the answers which stand."""
        ledger = state.ledger
        standing, given = ledger.standing(), [ledger.statements[place] for place in sorted(ledger.given)]
        pairs = np.array([statement[:2] for statement in standing], np.int64).reshape(-1, 2)
        same = np.array([statement[2] == "same" for statement in standing], bool)
        joined = np.array([each[:2] for each in given if each[2] == "same"], np.int64).reshape(-1, 2)
        left, right = np.vstack([pairs[same], joined]).T.copy()
        *found, first, count = find_bridges(state.n, left, right)
        groups = Groups(*found)
        bridges = _smaller_sides(groups, np.flatnonzero(same), first, count)
        alone, n_apart = _alone(groups, pairs, np.flatnonzero(~same))
        places, first, count = (np.concatenate(each) for each in zip(bridges, alone, strict=True))
        near, far = _oriented(groups, pairs[places], first, count)
        n_repeated = len(left) - (state.n - len(np.unique(groups.head))) + int((~same).sum()) - n_apart
        doubts = cls(groups, near, far, first, count, same[places], np.zeros(len(places)))
        probability = (
            reading.curve(evidence.distances, evidence.pairs)[places] if len(places) else np.zeros(0)
        )
        doubts._weigh(reading, probability, _rate(ledger, n_repeated), _against(ledger, places))
        return doubts

    def question(self, reading: Reading, at: int, skip: Collection[Pair]) -> Question | None:
        """What would confirm or contradict it: the closest items of its sides, others than it is about if possible.

        None when it is not doubtful, or all of them were put to this person.
        """
        if self.worth[at] == 0:
            return None
        first, count, other = int(self.first[at]), int(self.count[at]), int(self.far[at])
        left = self.groups.items(first, count)[:MOST_COMPARED]
        if self.same[at]:
            right = self.groups.items(first, -count)[:MOST_COMPARED]
        else:
            right = self.groups.items(int(self.groups.head[other]), int(self.groups.size[other]))[
                :MOST_COMPARED
            ]
        repeats = (left == self.near[at]).astype(int)[:, None] + (right == other)
        for k in np.lexsort((reading.ground.D[np.ix_(left, right)].ravel(), repeats.ravel())).tolist():
            i, j = int(left[k // len(right)]), int(right[k % len(right)])
            if (min(i, j), max(i, j)) not in skip:
                return Question("pair", (i, j), float(self.worth[at]), REASON, again=True)
        return None

    def halve_unsure(self, unsure: list[Pair]) -> None:
        """Halve the worth of what somebody was unsure about, once for every pair that lies on both sides of it."""
        if not unsure:
            return
        at, head = self.groups.at(), self.groups.head
        for pair in unsure:
            near, far = np.empty((2, 2, len(self.worth)), bool)
            for k, item in enumerate(pair):
                inside = (at[item] >= self.first) & (at[item] < self.first + np.abs(self.count))
                near[k] = (head[item] == head[self.near]) & (inside == (self.count > 0))
                far[k] = (head[item] == head[self.far]) & ~near[k]
            self.worth[(near & far[::-1]).any(axis=0)] /= 2

    def _weigh(self, reading: Reading, probability: Floats, rate: float, against: Integers) -> None:
        """Set the worth; against (m,): how many answers are set aside because of each."""
        labels, graph = reading.labels, reading.ground.graph
        sides = (self.first, self.count, labels[self.far], MOST_LOOKED_AT)
        around = share_around(*graph, labels, *self.groups, *sides)
        p = np.clip((probability + around) / 2, SURE, 1 - SURE)
        odds = np.where(self.same, (1 - p) / p, p / (1 - p)) * (rate / (1 - rate)) ** (1.0 - against)
        here, there = reading.sizes[labels[self.near]], reading.sizes[labels[self.far]]
        whole = self.groups.size[self.near]
        part = np.where(self.count > 0, self.count, whole + self.count) / whole
        pairs = np.where(self.same, here**2 * part * (1 - part), here * there)
        wrong = odds / (1 + odds)
        self.worth = np.where(wrong < DOUBTFUL, 0.0, wrong * pairs)


Sides = tuple[Integers, Integers, Integers]


def _smaller_sides(groups: Groups, places: Integers, first: Integers, count: Integers) -> Sides:
    """Places of the answers *same* that are bridges with more than one item on a side, and their smaller sides."""
    first, count = first[: len(places)], count[: len(places)]
    whole = groups.size[groups.order[first]]
    chosen = (count > 0) & (whole > 2)
    smaller = np.where(2 * count <= whole, count, -count)
    return places[chosen], first[chosen], smaller[chosen]


def _alone(groups: Groups, pairs: Integers, places: Integers) -> tuple[Sides, int]:
    """The same for answers *different* that alone set two groups apart; and how many pairs of groups are set apart."""
    heads = np.sort(groups.head[pairs[places]], axis=1)
    _, back, times = np.unique(heads, axis=0, return_inverse=True, return_counts=True)
    sizes = groups.size[groups.order[heads]]
    chosen = (times[back.ravel()] == 1) & (sizes.max(axis=1, initial=0) > 1)
    smaller = sizes.argmin(axis=1) if len(sizes) else np.zeros(0, np.int64)
    rows = np.arange(len(places))
    first, count = heads[rows, smaller], sizes[rows, smaller]
    return (places[chosen], first[chosen], count[chosen]), len(times)


def _oriented(groups: Groups, pairs: Integers, first: Integers, count: Integers) -> tuple[Integers, Integers]:
    """The items of each pair, the one on the smaller side first."""
    at = groups.at()
    inside = (at[pairs[:, 0]] >= first) & (at[pairs[:, 0]] < first + np.abs(count))
    turned = inside != (count > 0)
    return np.where(turned, pairs[:, 1], pairs[:, 0]), np.where(turned, pairs[:, 0], pairs[:, 1])


def _rate(ledger: Ledger, n_repeated: int) -> float:
    """Share of wrong answers: those set aside, of those that were tested by answers which follow from others."""
    n_aside = len(ledger.constraints.conflicts())
    return (WRONG + n_aside) / (OF + n_aside + TESTED * n_repeated)


def _against(ledger: Ledger, places: Integers) -> Integers:
    """How many answers are set aside because of each of those at these places among the standing."""
    said = ledger.standing_places()
    named = Counter(place for conflict in ledger.conflicts() for place in conflict.chain_places)
    return np.array([named[said[at]] for at in places.tolist()], np.int64)
