"""How often each person is right, from gold questions and from those that others answered too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likewise.app.progress import wilson
from likewise.crowd import CrowdAnswer

PRIOR_RIGHT, PRIOR_ANSWERS = (
    9.0,
    10.0,
)  # as votes are weighed: right nine times in ten, as firmly as ten answers say
SURE = 50.0  # log-odds of what is known
STEPS, TOLERANCE = 200, 1e-9


def estimate_reliability(answers: Sequence[CrowdAnswer]) -> dict[str, list[float]]:
    """The probability that each person is right, with Wilson's 95 % interval: low, middle, high.

    One number a person, found by EM: how sure the answer to a question is follows from who said what, how reliable a
    person is from how sure their answers are. Where the truth is known it is used as such. The interval takes the
    expected number of right answers as counted, and is a little too narrow.

    Parameters
    ----------
    answers : sequence of CrowdAnswer
        Pairs; "unsure", triplets, and questions that nobody else answered and whose truth is not known, are left out.

    References
    ----------
    A. Dawid, A. Skene, *Maximum likelihood estimation of observer error-rates using the EM algorithm*, Applied
    Statistics 1979, with one error rate a person instead of a table, a prior on it, and known answers.

    Examples
    --------
    >>> said = [CrowdAnswer("ann", k, "same", truth="same") for k in range(30)]
    >>> said += [CrowdAnswer("bob", k, "different", truth="same") for k in range(30)]
    >>> {who: round(middle, 2) for who, (_, middle, _) in estimate_reliability(said).items()}
    {'ann': 1.0, 'bob': 0.0}
    """
    kept = [each for each in answers if each.kind == "pair" and each.value != "unsure"]
    truth = {each.unit: each.truth for each in kept if each.truth}
    others: dict[object, set[str]] = {}
    for each in kept:
        others.setdefault(each.unit, set()).add(each.annotator)
    kept = [each for each in kept if each.unit in truth or len(others[each.unit]) > 1]
    if not kept:
        return {}
    people = list(dict.fromkeys(each.annotator for each in kept))
    units = list(dict.fromkeys(each.unit for each in kept))
    number, place = {who: k for k, who in enumerate(people)}, {unit: k for k, unit in enumerate(units)}
    who = np.array([number[each.annotator] for each in kept])
    at = np.array([place[each.unit] for each in kept])
    side = np.array([1.0 if each.value == "same" else -1.0 for each in kept])
    known = np.array([{"same": SURE, "different": -SURE}.get(truth.get(unit, ""), 0.0) for unit in units])
    counts = np.bincount(who, minlength=len(people))
    right = np.full(len(people), PRIOR_RIGHT / PRIOR_ANSWERS)
    for _ in range(STEPS):
        odds = np.bincount(at, np.log(right / (1 - right))[who] * side, minlength=len(units))
        odds = np.where(known != 0, known, np.clip(odds, -SURE, SURE))
        expected = np.bincount(who, 1 / (1 + np.exp(-odds[at] * side)), minlength=len(people))
        before, right = right, (expected + PRIOR_RIGHT) / (counts + PRIOR_ANSWERS)
        if np.abs(right - before).max() < TOLERANCE:
            break
    return {
        name: wilson(float(share), int(n))
        for name, share, n in zip(people, expected.tolist(), counts.tolist(), strict=True)
    }
