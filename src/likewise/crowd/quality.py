"""How well each annotator did: accuracy on known answers, agreement with the others, estimated reliability."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from likewise.crowd.agreement import krippendorff_alpha
from likewise.crowd.reliability import estimate_reliability, last_answers, majority, weigh_answers

__all__ = ["AnnotatorQuality", "CrowdAnswer", "CrowdQuality", "crowd_quality"]


@dataclass(frozen=True)
class CrowdAnswer:
    """One answer: who, to which question, what, how long it took, the true answer (empty if unknown), and the form."""

    annotator: str
    unit: Hashable
    value: str
    seconds: float | None = None
    truth: str = ""
    kind: str = "pair"


@dataclass(frozen=True)
class AnnotatorQuality:
    """How well one annotator did; what cannot be estimated is None.

    Attributes
    ----------
    annotator : str
        Who.
    answers, unsure : int
        Number of answers, and of those that are *unsure*.
    seconds : float or None
        Median time of an answer.
    known, right : int
        Number of answers to questions whose truth is known, and of those that are right; *unsure* counts for neither.
    accuracy : float or None
        Share of the known ones that are right.
    agreement : float or None
        Share of equal answers, over all pairs of one of theirs and somebody else's to the same question.
    reliability : float or None
        Probability of a right answer (:func:`~likewise.crowd.estimate_reliability`).
    """

    annotator: str
    answers: int
    unsure: int
    seconds: float | None
    known: int
    right: int
    accuracy: float | None
    agreement: float | None
    reliability: float | None


@dataclass(frozen=True)
class CrowdQuality:
    """All annotators in order of first appearance, and figures on the whole crowd (those that are defined)."""

    annotators: list[AnnotatorQuality]
    figures: dict[str, float]


def crowd_quality(answers: Iterable[CrowdAnswer]) -> CrowdQuality:
    """Measure a crowd.

    Parameters
    ----------
    answers : iterable of CrowdAnswer
        Of several answers of one person to one question the last counts for agreement and reliability.

    Returns
    -------
    CrowdQuality
        Figures: ``alpha`` (Krippendorff), ``majority`` and ``weighted`` (accuracy of the majority and of
        :func:`~likewise.crowd.dawid_skene` without the truth, over the questions whose truth is known). They and the
        reliability are of the form that has most answers, pairs or triplets: the two have different values.

    Examples
    --------
    >>> answers = [("ann", 1, "same"), ("bob", 1, "same"), ("ann", 2, "different"), ("bob", 2, "same")]
    >>> found = crowd_quality(CrowdAnswer(*each, None, "same") for each in answers)
    >>> [(each.annotator, each.accuracy, each.agreement) for each in found.annotators]
    [('ann', 0.5, 0.5), ('bob', 1.0, 0.5)]
    >>> found.figures["majority"]
    0.5
    """
    every = list(answers)
    reliability = estimate_reliability(every)
    agreement = _agreement({(each.annotator, each.unit): each for each in every if each.value != "unsure"}.values())
    people: dict[str, list[CrowdAnswer]] = {}
    for each in every:
        people.setdefault(each.annotator, []).append(each)
    found = [_one(name, given, agreement.get(name), reliability.get(name)) for name, given in people.items()]
    figures = _figures(last_answers(every), {each.unit: each.truth for each in every if each.truth})
    return CrowdQuality(found, {name: value for name, value in figures.items() if not math.isnan(value)})


def _figures(answers: Sequence[CrowdAnswer], truth: dict[Hashable, str]) -> dict[str, float]:
    units, values = [each.unit for each in answers], [each.value for each in answers]
    if len(set(units)) == len(units):  # no question was answered by two people
        return {}
    figures = {"alpha": krippendorff_alpha(units, values)}
    if not truth.keys().isdisjoint(units):
        weighted = weigh_answers(units, [each.annotator for each in answers], values)[0].decisions()
        figures["majority"] = _accuracy(majority(units, values), truth)
        figures["weighted"] = _accuracy(weighted, truth)
    return figures


def _one(
    name: str, given: Sequence[CrowdAnswer], agreement: float | None, reliability: list[float] | None
) -> AnnotatorQuality:
    times = [each.seconds for each in given if each.seconds is not None]
    checked = [each for each in given if each.truth and each.value != "unsure"]
    right = sum(each.value == each.truth for each in checked)
    return AnnotatorQuality(
        name,
        len(given),
        sum(each.value == "unsure" for each in given),
        median(times) if times else None,
        len(checked),
        right,
        right / len(checked) if checked else None,
        agreement,
        None if reliability is None else reliability[1],
    )


def _agreement(answers: Collection[CrowdAnswer]) -> dict[str, float]:
    given: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for each in answers:
        given[each.unit][each.value] += 1
    alike: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for each in answers:
        counts = given[each.unit]
        alike[each.annotator] += counts[each.value] - 1
        pairs[each.annotator] += counts.total() - 1
    return {name: alike[name] / pairs[name] for name in pairs if pairs[name]}


def _accuracy(decisions: dict[Hashable, str], truth: dict[Hashable, str]) -> float:
    known = decisions.keys() & truth.keys()
    return sum(decisions[unit] == truth[unit] for unit in known) / len(known)
