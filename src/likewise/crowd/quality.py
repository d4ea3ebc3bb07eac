"""How each annotator did: accuracy against the truth, agreement with the others, reliability without the truth."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from likewise.crowd.agreement import krippendorff_alpha
from likewise.crowd.reliability import dawid_skene, majority

__all__ = ["AnnotatorQuality", "CrowdAnswer", "CrowdQuality", "crowd_quality"]


@dataclass(frozen=True)
class CrowdAnswer:
    """One answer: who, to which question, what, how long it took, the right answer or an empty text, and the form."""

    annotator: str
    unit: Hashable
    value: str
    seconds: float | None = None
    truth: str = ""
    kind: str = "pair"


@dataclass(frozen=True)
class AnnotatorQuality:
    """How one annotator did; what cannot be told is None.

    Attributes
    ----------
    annotator : str
        Who.
    answers, unsure : int
        Answers, and those of them that say *unsure*.
    seconds : float or None
        Median time.
    known, right : int
        Answers of which the truth is known, and those that say it; *unsure* counts for neither.
    accuracy : float or None
        Right ones among the known.
    agreement : float or None
        Among all pairs of one of their answers and somebody else's to the same question, those that say the same.
    reliability : float or None
        The probability of a right answer, estimated from all answers without the truth.
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
    """All annotators in the order in which they came, and figures on the whole (those that are defined)."""

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
        :func:`~likewise.crowd.dawid_skene`, over the questions whose truth is known). They and the reliability are of
        the form that has most answers, pairs or triplets: values of the two cannot be compared.

    Examples
    --------
    >>> said = [("ann", 1, "same"), ("bob", 1, "same"), ("ann", 2, "different"), ("bob", 2, "same")]
    >>> found = crowd_quality(CrowdAnswer(*each, None, "same") for each in said)
    >>> [(each.annotator, each.accuracy, each.agreement) for each in found.annotators]
    [('ann', 0.5, 0.5), ('bob', 1.0, 0.5)]
    >>> found.figures["majority"]
    0.5
    """
    every = list(answers)
    last = list({(each.annotator, each.unit): each for each in every if each.value != "unsure"}.values())
    figures, reliability = _figures(last, {each.unit: each.truth for each in every if each.truth})
    agreement = _agreement(last)
    people: dict[str, list[CrowdAnswer]] = {}
    for each in every:
        people.setdefault(each.annotator, []).append(each)
    found = [_one(name, given, agreement.get(name), reliability.get(name)) for name, given in people.items()]
    return CrowdQuality(found, {name: value for name, value in figures.items() if not math.isnan(value)})


def _figures(
    answers: Sequence[CrowdAnswer], truth: dict[Hashable, str]
) -> tuple[dict[str, float], dict[Hashable, float]]:
    forms = Counter(each.kind for each in answers)
    form = max(forms, key=lambda kind: (forms[kind], kind), default="")
    chosen = [each for each in answers if each.kind == form]
    units, values = [each.unit for each in chosen], [each.value for each in chosen]
    if len(set(units)) == len(units):  # nobody was asked what another was asked
        return {}, {}
    crowd = dawid_skene(units, [each.annotator for each in chosen], values)
    figures = {
        "alpha": krippendorff_alpha(units, values),
        "majority": _accuracy(majority(units, values), truth),
        "weighted": _accuracy(crowd.decisions(), truth),
    }
    return figures, crowd.reliability


def _one(
    name: str, given: Sequence[CrowdAnswer], agreement: float | None, reliability: float | None
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
        reliability,
    )


def _agreement(answers: Sequence[CrowdAnswer]) -> dict[str, float]:
    said: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for each in answers:
        said[each.unit][each.value] += 1
    alike: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for each in answers:
        counts = said[each.unit]
        alike[each.annotator] += counts[each.value] - 1
        pairs[each.annotator] += counts.total() - 1
    return {name: alike[name] / pairs[name] for name in pairs if pairs[name]}


def _accuracy(decisions: dict[Hashable, str], truth: dict[Hashable, str]) -> float:
    known = [unit for unit in decisions if unit in truth]
    return sum(decisions[unit] == truth[unit] for unit in known) / len(known) if known else math.nan
