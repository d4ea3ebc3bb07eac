"""Answers that may be wrong, and the questions that would show it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from likewise.kernels.graphs.bridges import share_around
from likewise.query.answers.sides import Sides, find_sides
from likewise.query.answers.weighing import CERTAIN
from likewise.query.base import State
from likewise.query.dendrogram.answered_distances import AnsweredDistances
from likewise.query.dendrogram.estimate import ClusterEstimate
from likewise.query.dendrogram.geometry import Floats, Integers
from likewise.query.dendrogram.known_groups import KnownGroups
from likewise.query.dendrogram.noise import OTHERS, Noise, SlipCounts, statement_kinds
from likewise.query.question import Pair, Question

MOST_LOOKS = 4.0  # what the looks say at most, as log-odds
MOST_FOR = 2.0  # what they say at most for an answer: they are too sure
AROUND, LEAST_SHARE = 0.25, 0.02  # how far the clusters around count among them, and their least share
MOST_LOOKED_AT = 32  # maximum number of items of a side whose neighbours count
DOUBTFUL = 0.01  # answers that are wrong with a lower probability are not asked about again
MOST_COMPARED = 64  # maximum number of items of each side that may represent it
SURENESS = 0.75  # of the log-odds: what speaks for a belief is less independent than it is taken to be
NONE = np.empty(0, np.int64)
REASON = "an earlier answer about these two groups may be a slip: what about these two pictures?"


class JoinedItems(NamedTuple):
    """Groups of items, one after another: the order, and by item where its group begins and how large it is."""

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

    @classmethod
    def of(cls, n: int, groups: list[Integers]) -> JoinedItems:
        """Of n items these groups, and the others alone."""
        alone = np.ones(n, bool)
        alone[np.concatenate([NONE, *groups])] = False
        order = np.concatenate([*groups, np.flatnonzero(alone)])
        sizes = np.array([*map(len, groups), *[1] * int(alone.sum())], np.int64)
        head, size = np.empty(n, np.int64), np.empty(n, np.int64)
        head[order], size[order] = np.repeat(np.cumsum(sizes) - sizes, sizes), np.repeat(sizes, sizes)
        return cls(order, head, size)

    def at(self) -> Integers:
        """Position of every item."""
        at = np.empty(len(self.order), np.int64)
        at[self.order] = np.arange(len(at))
        return at


@dataclass
class Rechecks:
    r"""Beliefs that may be wrong, and the value of checking each by another question.

    Believed is that the sides of a known group are the same (:func:`~likewise.query.answers.sides.find_sides`), and
    that two known groups differ. With L the log-odds of all statements between the two, those set aside against, each
    worth :math:`\log((1 - \varepsilon)/\varepsilon)`, and η what the looks say for *same* (that of
    :class:`~likewise.query.dendrogram.noise.Noise`, as ε, and a quarter of the log-odds of the share of the one's
    cluster around the other), a belief is right with the log-odds

    .. math:: L + \eta \text{ for same,}\qquad L - \eta \text{ for different,}

    where the looks say at most 2 for it, and 4 against it. The same pair is not asked again: evidence comes from other
    pairs between the same sides, and the looks alone never set an answer aside. The value of asking again is the
    probability that the belief is wrong times the pairs that would change; 0 where this probability is below 1 %. In
    the value the looks may say 4 for it too: so what surprises is asked first, and what they confirm last.

    - `groups`: Items known to be the same.
    - `near`, `far` (m,): Two items that were asked about; the first lies on the smaller side.
    - `first`, `count` (m,): The smaller side, as of :meth:`JoinedItems.items`.
    - `same` (m,): Whether the sides are believed to be the same.
    - `value` (m,): Value of asking again.
    - `wrong`, `pairs` (m,): Probability that it is wrong, and the pairs that would change.
    - `error_rate`: Share of wrong answers, but for what grids confirm.
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
    error_rate: float = 0.0

    @classmethod
    def of(
        cls, state: State, estimate: ClusterEstimate, answered: AnsweredDistances, kept: KeptSides | None = None
    ) -> Rechecks:
        """Those of a state; `answered` holds the answers that are not set aside."""
        said = WeighedStatements.of(state, estimate.known)
        groups, *same = said.joining({} if kept is None else kept)
        columns = zip(same, said.parting(groups), strict=True)
        places, first, count, net = (np.concatenate(each) for each in columns)
        near, far = _oriented(groups, said.pairs[places], first, count)
        rechecks = cls(groups, near, far, first, count, said.same[places], *np.zeros((3, len(places))))
        standing = np.array(state.ledger.standing_places(), np.int64)
        held = said.held(groups, places, net)[standing]
        noise = Noise.read(estimate.curve, answered, said.kinds[standing], held, said.counts)
        rechecks.error_rate = float(noise.rates[OTHERS])
        looks = noise.looks[np.searchsorted(standing, places)]
        rechecks._set_value(estimate, looks, net * -logit(noise.rates)[said.kinds[places]])
        return rechecks

    def of_statements(self) -> Floats:
        """Probability that what was said of the two items is wrong, (m,).

        It is where the belief is, and where one of the two does not belong to its side: 1 - Π (1 - p) of the belief and
        of those that join each of the two, alone, to its group. Their log-odds are taken three quarters.
        """
        wrong = expit(SURENESS * logit(self.wrong))
        smaller = np.where(self.count > 0, self.count, self.groups.size[self.near] + self.count)
        alone = self.same & (smaller == 1)  # what joins the near item, alone
        misplaced = np.zeros(len(self.groups.order))
        misplaced[self.near[alone]] = wrong[alone]
        near = np.where(alone, 0.0, misplaced[self.near])
        return np.asarray(1 - (1 - wrong) * (1 - near) * (1 - misplaced[self.far]))

    def question(self, estimate: ClusterEstimate, at: int, state: State, skip: Collection[Pair]) -> Question | None:
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
            if state.may_ask(i, j, skip):
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

    def _set_value(self, estimate: ClusterEstimate, looks: Floats, evidence: Floats) -> None:
        """Compute the value; evidence (m,): log-odds that what is believed is right, by the statements alone."""
        labels = estimate.labels
        sides = (self.first, self.count, labels[self.far], MOST_LOOKED_AT)
        around = share_around(estimate.graph, labels, self.groups, *sides)
        looks = looks + AROUND * logit(np.clip(around, LEAST_SHARE, 1 - LEAST_SHARE))
        looks = np.clip(np.where(self.same, looks, -looks), -MOST_LOOKS, MOST_LOOKS)
        here, there = estimate.sizes[labels[self.near]], estimate.sizes[labels[self.far]]
        whole = self.groups.size[self.near]
        part = np.where(self.count > 0, self.count, whole + self.count) / whole
        self.pairs = np.where(self.same, here**2 * part * (1 - part), here * there)
        self.wrong = expit(-evidence - np.minimum(looks, MOST_FOR))
        self.value = np.where(self.wrong < DOUBTFUL, 0.0, expit(-evidence - looks) * self.pairs)


# by doubt: the place of a statement that is believed, the smaller side, and the log-odds that it is right
Doubts = tuple[Integers, Integers, Integers, Floats]
KeptSides = dict[tuple[bytes, bytes], Sides]


@dataclass
class WeighedStatements:
    """All statements, and how strong each is.

    - `pairs` (m, 2), `same` (m,), `stands` (m,): What they say, and whether it is believed.
    - `weights` (m,): For how many typical ones each counts.
    - `kinds` (m,): The kind of each.
    - `groups` (n,): Group of every item, -1 for those not named.
    - `counts`: What tells how many are wrong, apart from the looks.
    """

    pairs: Integers
    same: NDArray[np.bool_]
    stands: NDArray[np.bool_]
    weights: Floats
    kinds: Integers
    groups: Integers
    counts: SlipCounts

    @classmethod
    def of(cls, state: State, known: KnownGroups) -> WeighedStatements:
        """Those of a state."""
        ledger = state.ledger
        pairs = np.array([each[:2] for each in ledger.statements], np.int64).reshape(-1, 2)
        same = np.array([each[2] == "same" for each in ledger.statements], bool)
        stands = np.ones(len(pairs), bool)
        stands[[*(conflict.place for conflict in ledger.conflicts()), *ledger.not_counted]] = False
        kinds = statement_kinds(state)
        counts = SlipCounts.of(state, known, kinds, pairs, same, stands)
        return cls(pairs, same, stands, np.array(ledger.weights), kinds, known.group_of, counts)

    @property
    def strength(self) -> Floats:
        """Log-odds that a typical one is right, by statement and without the looks, (m,)."""
        return np.asarray(-logit(self.counts.rates)[self.kinds])

    def held(self, groups: JoinedItems, places: Integers, net: Floats) -> Floats:
        """By statement: the least net weight of what it joins or parts; infinite where that follows from others.

        - `places`, `net` (d,): Position and net weight of what is doubted, as of :meth:`joining` and :meth:`parting`.
        """
        found = np.full(len(self.pairs), np.inf)
        np.minimum.at(found, places, net)
        sizes, heads = groups.size[self.pairs], groups.head[self.pairs]
        two = np.where(heads[:, 0] == heads[:, 1], sizes[:, 0] == 2, sizes.sum(axis=1) == 2)  # these are not doubted
        return np.where(two, self.weights, found)

    def joining(self, kept: KeptSides) -> tuple[JoinedItems, Integers, Integers, Integers, Floats]:
        """The groups, and what joins the sides of each; `kept` holds those of groups that did not change."""
        ends = self.groups[self.pairs]
        inside = np.flatnonzero((ends[:, 0] == ends[:, 1]) & (self.stands | ~self.same))
        inside = inside[np.argsort(ends[inside, 0], kind="stable")]
        starts = np.flatnonzero(np.diff(ends[inside, 0], prepend=-1))
        by_group = np.split(inside, starts[1:]) if len(inside) else []
        found = [self._sides_of(places, kept) for places in by_group]
        used = dict(found)
        kept.clear()
        kept.update(used)
        groups = JoinedItems.of(len(self.groups), [sides.order for _, sides in found])
        columns: list[tuple[Integers, Integers, Integers, Floats]] = [(NONE, NONE, NONE, np.zeros(0))]
        for places, (_, sides) in zip(by_group, found, strict=True):
            whole = len(sides.order)
            if whole > 2:
                smaller = np.where(2 * sides.count <= whole, sides.count, -sides.count)
                first = sides.first + groups.head[sides.order[0]]
                columns.append((places[sides.link], first, smaller, sides.net))
        place, first, count, net = (np.concatenate(each) for each in zip(*columns, strict=True))
        chosen = net < CERTAIN / 2
        return groups, place[chosen], first[chosen], count[chosen], net[chosen]

    def _sides_of(self, places: Integers, kept: KeptSides) -> tuple[tuple[bytes, bytes], Sides]:
        """The sides of a group by the statements inside it, and what to keep them by."""
        weights = np.where(self.same[places], self.weights[places], -self.weights[places])
        pairs = self.pairs[places]
        key = pairs.tobytes(), weights.tobytes()  # not by place: what was taken back leaves it to others
        if key in kept:
            return key, kept[key]
        edges = list(zip(*pairs.T.tolist(), weights.tolist(), strict=True))
        return key, find_sides(np.unique(pairs).tolist(), edges)

    def nets(self) -> Floats:
        """By statement: the weight of all that speaks for what is believed of its two items, less what is against.

        Of two groups that is all that was said between them; inside a group it is what crosses the weakest of its sides
        that parts the two.
        """
        found = np.zeros(len(self.pairs))
        counted = np.flatnonzero(self.weights)
        about: dict[tuple[int, int], list[int]] = {}
        for place, (g, h) in zip(counted.tolist(), self.groups[self.pairs[counted]].tolist(), strict=True):
            about.setdefault((min(g, h), max(g, h)), []).append(place)
        for (g, h), listed in about.items():
            places = np.array(listed)
            signed = np.where(self.same[places], -self.weights[places], self.weights[places])
            found[places] = self._weakest(places) if g == h else signed.sum()
        return found

    def _weakest(self, places: Integers) -> Floats:
        """By statement inside a group: what crosses the weakest side between its two items."""
        _, sides = self._sides_of(places, {})
        items = np.sort(sides.order)
        at = np.empty(len(items), np.int64)
        at[np.searchsorted(items, sides.order)] = np.arange(len(items))
        ends = at[np.searchsorted(items, self.pairs[places])]
        found = np.full(len(places), np.inf)
        for first, count, net in zip(sides.first, sides.count, sides.net, strict=True):
            inside = (ends >= first) & (ends < first + count)
            crossing = inside[:, 0] != inside[:, 1]
            found[crossing] = np.minimum(found[crossing], net)
        return found

    def parting(self, groups: JoinedItems) -> Doubts:
        """What parts two groups."""
        ends = np.sort(groups.head[self.pairs], axis=1)
        between = np.flatnonzero(ends[:, 0] != ends[:, 1])
        heads, back = np.unique(ends[between], axis=0, return_inverse=True)
        apart = between[self.stands[between]]
        signed = np.where(self.same, -self.weights, self.weights)[between]
        net = np.bincount(back.ravel(), signed, len(heads)) if len(heads) else np.zeros(0)
        place = np.full(len(heads), -1)
        place[back.ravel()[::-1][np.isin(between[::-1], apart)]] = apart[::-1]
        sizes = groups.size[groups.order[heads]]
        chosen = (sizes.max(axis=1, initial=0) > 1) & (net < CERTAIN / 2) & (place >= 0)
        rows, smaller = np.arange(len(heads)), sizes.argmin(axis=1) if len(sizes) else np.zeros(0, np.int64)
        return place[chosen], heads[rows, smaller][chosen], sizes[rows, smaller][chosen], net[chosen]


def _oriented(groups: JoinedItems, pairs: Integers, first: Integers, count: Integers) -> tuple[Integers, Integers]:
    """The items of each pair, the one on the smaller side first."""
    at = groups.at()
    inside = (at[pairs[:, 0]] >= first) & (at[pairs[:, 0]] < first + np.abs(count))
    turned = inside != (count > 0)
    return np.where(turned, pairs[:, 1], pairs[:, 0]), np.where(turned, pairs[:, 0], pairs[:, 1])
