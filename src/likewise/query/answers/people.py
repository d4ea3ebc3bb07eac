"""How often each person errs, by what others said, and whose answers are not counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Constraints, Relation, Statement
from likewise.query.answers.shared_pairs import HEAVIEST, LIGHTEST, TYPICAL, SaidWeights
from likewise.query.answers.sides import find_sides

Floats = NDArray[np.float64]
Suspicion: TypeAlias = Literal["", "opposite", "always same", "always different", "random"]

PRIOR = 4.0  # number of statements that the typical share of wrong ones is worth, of each kind
MOST_GIVEN = 10.0  # weight of what was given, when it tests somebody
STRENGTH = 2.0  # log-odds that one statement of the others is right, when it tests somebody
USELESS, SURELY = 0.45, 2.33  # errors of both kinds together from which somebody tells little; deviations to be sure
MAX_STEPS, TOLERANCE = 50, 1e-6
NOBODY: Mapping[str, Suspicion] = {}


@dataclass(frozen=True)
class AnnotatorRates:
    """How often somebody errs, as far as what others said tells.

    Attributes
    ----------
    annotator : str
        Who it is.
    statements : int
        What they said about pairs of items.
    tested : float
        For how many of these the others say enough to tell whether they are right.
    wrong : float
        How many of these are expected to be wrong.
    different_for_same, same_for_different : float
        Share of the pairs that are the same and were called different, and the other way; shrunk to 5 %.
    weight : float
        For how many typical statements each of theirs counts, on average of both kinds; 0 when they are not counted.
    suspicion : str
        Empty, or what the answers look like: ``opposite``, ``always same``, ``always different`` or ``random``.
    same_weight, different_weight : float, optional
        The weight of those that say *same*, and *different*; as `weight` where there is no difference. Of somebody who
        is not counted (unless they say the opposite) they hold for pairs that others spoke of too: who calls nearly
        everything different is right where they say *same*.
    """

    annotator: str
    statements: int
    tested: float
    wrong: float
    different_for_same: float
    same_for_different: float
    weight: float
    suspicion: Suspicion
    same_weight: float | None = None
    different_weight: float | None = None

    def weight_of(self, relation: Relation, *, shared: bool = False) -> float:
        """For how many typical statements one counts that says so; `shared` is whether others spoke of the pair too."""
        found = self.same_weight if relation == "same" else self.different_weight
        if found is None or (self.suspicion and not shared):
            return self.weight
        return found

    def weighed(self, said: SaidWeights) -> AnnotatorRates:
        """The same, with these weights."""
        if self.suspicion == "opposite":
            return self
        same, different = said.same[self.annotator], said.different[self.annotator]
        weight = self.weight if self.suspicion else (same + different) / 2
        return replace(self, weight=weight, same_weight=same, different_weight=different)

    @classmethod
    def of(cls, annotator: str, said: NDArray[np.bool_], same: Floats, *, suspected: Suspicion = "") -> AnnotatorRates:
        """From what somebody said (whether *same*), and how probable that is by all that others said.

        The rates and the probability that each statement is wrong are found in turn, by EM; a statement counts as far
        as the others tell. Who tells little must surely do so; who was `suspected` before stays so until it is more
        probable that they tell something, and of saying the opposite as long as they are suspected of anything.
        """
        from scipy.special import logit

        told = np.abs(2 * same - 1)
        rates = np.full(2, TYPICAL)
        tested = wrong = np.zeros(2)
        for _ in range(MAX_STEPS):
            if_same, if_different = (
                same * np.where(said, 1 - rates[0], rates[0]),
                (1 - same) * np.where(said, rates[1], 1 - rates[1]),
            )
            is_same = if_same / (if_same + if_different)
            tested = np.array([told @ is_same, told @ (1 - is_same)])
            wrong = np.array([told @ (is_same * ~said), told @ ((1 - is_same) * said)])
            before, rates = rates, (TYPICAL * PRIOR + wrong) / (PRIOR + tested)
            if np.abs(rates - before).max() < TOLERANCE:
                break
        variance = float((rates * (1 - rates) / (PRIOR + tested + 1)).sum())
        is_useless = rates.sum() - (0.0 if suspected else SURELY * sqrt(variance)) > USELESS
        suspicion = _looks_like(*((wrong + 1) / (tested + 2)).tolist()) if is_useless else ""
        if suspicion and suspected == "opposite":
            suspicion = suspected
        share = (2 * TYPICAL * PRIOR + wrong.sum()) / (2 * PRIOR + tested.sum())
        weight = 0.0 if suspicion else float(np.clip(logit(1 - share) / logit(1 - TYPICAL), LIGHTEST, HEAVIEST))
        counts = float(tested.sum()), float(wrong.sum())
        return cls(annotator, len(said), *counts, float(rates[0]), float(rates[1]), weight, suspicion)


def _looks_like(different_for_same: float, same_for_different: float) -> Suspicion:
    """What answers look like with these rates, in which the one and the other of no tests would be ½."""
    if min(different_for_same, same_for_different) > 0.5:
        return "opposite"
    if min(different_for_same, same_for_different) > 0.25:
        return "random"
    return "always same" if same_for_different > different_for_same else "always different"


def same_by_others(
    constraints: Constraints, statements: Sequence[Statement], names: Sequence[str | None], weights: Sequence[float]
) -> Floats:
    """By statement: probability that its two items are the same, by what others say of the same two sides.

    Parameters are those of :func:`rate_annotators`.
    """
    from scipy.special import expit  # on use: whoever only reads answers starts without it

    return np.asarray(expit(STRENGTH * _evidence(constraints, statements, names, weights)))


def rate_annotators(
    constraints: Constraints, statements: Sequence[Statement], names: Sequence[str | None], weights: Sequence[float]
) -> dict[str, AnnotatorRates]:
    """How often everybody errs: each statement is held against what all others say of the same two sides.

    The sides of a statement about two groups are these groups; of one inside a group, those of the group at which the
    others hold the two items together least (:func:`~likewise.query.answers.sides.find_sides`).

    - `constraints`: What is believed.
    - `statements`, `names`, `weights`, sequences of length m: What was said, by whom (None: nobody, it was given), and
      for how much it counts.
    """
    return rate_by_others(statements, names, same_by_others(constraints, statements, names, weights))


def rate_by_others(
    statements: Sequence[Statement],
    names: Sequence[str | None],
    same: Floats,
    suspected: Mapping[str, Suspicion] = NOBODY,
) -> dict[str, AnnotatorRates]:
    """How often everybody errs, where each statement is about a pair that is the same with this probability.

    - `suspected`, mapping of str to str: Who was suspected so far, and of what.
    """
    said = np.array([relation == "same" for _, _, relation in statements], bool)
    numbers = {name: k for k, name in enumerate(dict.fromkeys(name for name in names if name is not None))}
    whose = np.array([-1 if name is None else numbers[name] for name in names], np.int64)
    return {
        name: AnnotatorRates.of(name, said[whose == k], same[whose == k], suspected=suspected.get(name, ""))
        for name, k in numbers.items()
    }


def keep_most(people: dict[str, AnnotatorRates]) -> dict[str, AnnotatorRates]:
    """The same, with those who err least counted all the same where otherwise less than half of the statements were.

    Examples
    --------
    >>> ann = AnnotatorRates("ann", 9, 9.0, 9.0, 0.8, 0.7, 0.0, "opposite")
    >>> keep_most({"ann": ann})["ann"].suspicion
    ''
    """
    left = sum(each.statements for each in people.values()) / 2
    kept = {}
    for each in sorted(
        people.values(), key=lambda one: (one.different_for_same + one.same_for_different, one.annotator)
    ):
        counted = each if left <= 0 or not each.suspicion else replace(each, weight=LIGHTEST, suspicion="")
        kept[each.annotator] = counted
        left -= each.statements
    return {name: kept[name] for name in people}


def _evidence(
    constraints: Constraints, statements: Sequence[Statement], names: Sequence[str | None], weights: Sequence[float]
) -> Floats:
    """By statement: the weight of all that others say for *same* less that for *different*."""
    found = np.zeros(len(statements))
    about: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place, (i, j, _) in enumerate(statements):
        g, h = constraints.group_of(i), constraints.group_of(j)
        about[min(g, h), max(g, h)].append(place)
    people = {name: k for k, name in enumerate(dict.fromkeys(names))}
    who = np.array([people[name] for name in names], np.int64)
    signed = np.minimum(weights, MOST_GIVEN) * np.where([each[2] == "same" for each in statements], 1.0, -1.0)
    for (g, h), places in about.items():
        by_person = np.bincount(who[places], signed[places], len(people))
        if g != h:
            found[places] = by_person.sum() - by_person[who[places]]
            continue
        crossing = _crossing(statements, signed, places)
        for k, place in enumerate(places):
            sides = crossing[crossing[:, k]]
            others = np.where(who[places] == who[place], 0.0, signed[places])
            found[place] = (sides @ others).min() if len(sides) else others.sum()
    return found


def _crossing(statements: Sequence[Statement], signed: Floats, places: list[int]) -> NDArray[np.bool_]:
    """By side of a group and statement inside it: whether it is between the side and the rest."""
    pairs = np.array([statements[place][:2] for place in places])
    items = np.unique(pairs)
    edges = [(int(i), int(j), float(signed[place])) for (i, j), place in zip(pairs, places, strict=True)]
    sides = find_sides(items.tolist(), edges)
    at = np.empty(len(items), np.int64)
    at[np.searchsorted(items, sides.order)] = np.arange(len(items))
    ends = at[np.searchsorted(items, pairs)]
    inside = (ends >= sides.first[:, None, None]) & (ends < (sides.first + sides.count)[:, None, None])
    return np.asarray(inside[:, :, 0] != inside[:, :, 1])
