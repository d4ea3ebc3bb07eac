"""How often each person is right, and which answer is true, from answers that contradict each other."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from likewise.crowd.quality import CrowdAnswer

__all__ = ["Consensus", "dawid_skene", "estimate_reliability", "majority", "wilson"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Consensus:
    """The probable answer to each question, and how often each annotator is right.

    Attributes
    ----------
    units : list
        The questions, in order of first appearance.
    values : list
        The possible answers, sorted.
    probability : ndarray of shape (n_units, n_values)
        Probability that each value is the true answer to each question.
    annotators : list
        The people, in order of first appearance.
    confusion : ndarray of shape (n_annotators, n_values, n_values)
        Probability that an annotator gives the second value when the first is true.
    prior : ndarray of shape (n_values,)
        Share of the questions for which each value is true.
    right : ndarray of shape (n_annotators,)
        Expected number of right answers of each annotator.
    counts : ndarray of shape (n_annotators,)
        Number of answers of each annotator.
    """

    units: list[Hashable]
    values: list[str]
    probability: Floats
    annotators: list[Hashable]
    confusion: Floats
    prior: Floats
    right: Floats
    counts: NDArray[np.int64]

    @property
    def reliability(self) -> dict[Hashable, float]:
        """Expected share of right answers, by annotator."""
        return dict(zip(self.annotators, (self.right / self.counts).tolist(), strict=True))

    def intervals(self) -> dict[Hashable, list[float]]:
        """Reliability of each annotator with its 95 % interval: low, middle, high (see :func:`wilson`)."""
        tallies = zip(self.annotators, self.right.tolist(), self.counts.tolist(), strict=True)
        return {name: wilson(right, n) for name, right, n in tallies}

    def decisions(self) -> dict[Hashable, str]:
        """The most probable answer to each question; of equally probable ones the first."""
        best = self.probability.argmax(axis=1)
        return {unit: self.values[k] for unit, k in zip(self.units, best.tolist(), strict=True)}


def wilson(right: float, n: int, z: float = 1.96) -> list[float]:
    """Share of right answers with Wilson's interval, 95 % by default: low, middle, high.

    Examples
    --------
    >>> [round(x, 3) for x in wilson(9, 10)]
    [0.596, 0.9, 0.982]
    """
    share = right / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return [max(0.0, min(centre - half, share)), share, min(1.0, max(centre + half, share))]


def majority(units: Sequence[Hashable], values: Sequence[str]) -> dict[Hashable, str]:
    """The most frequent answer to each question; of equally frequent ones the first in the alphabet.

    Examples
    --------
    >>> majority([1, 1, 1, 2, 2], ["same", "same", "different", "same", "different"])
    {1: 'same', 2: 'different'}
    """
    counts: dict[Hashable, Counter[str]] = {}
    for unit, value in zip(units, values, strict=True):
        counts.setdefault(unit, Counter())[value] += 1
    return {unit: min(votes, key=lambda value: (-votes[value], value)) for unit, votes in counts.items()}


def estimate_reliability(answers: Iterable[CrowdAnswer]) -> dict[str, list[float]]:
    """Probability that each person is right, with its 95 % interval: low, middle, high.

    The model is that of :func:`dawid_skene`, with known answers taken as known. The interval is Wilson's, with the
    expected number of right answers as if it had been counted, and therefore a little too narrow.

    Parameters
    ----------
    answers : iterable of CrowdAnswer
        Of several answers of one person to one question the last counts. Left out are "unsure", questions that
        nobody else answered and whose truth is not known, and the form (pairs or triplets) with fewer answers.

    Examples
    --------
    >>> from likewise.crowd import CrowdAnswer
    >>> answers = [CrowdAnswer("ann", k, "same", truth="same") for k in range(30)]
    >>> answers += [CrowdAnswer("bob", k, "different", truth="same") for k in range(30)]
    >>> {name: round(middle, 2) for name, (_, middle, _) in estimate_reliability(answers).items()}
    {'ann': 1.0, 'bob': 0.0}
    """
    kept = last_answers(answers)
    truth = {each.unit: each.truth for each in kept if each.truth}
    people = Counter(each.unit for each in kept)
    kept = [each for each in kept if each.unit in truth or people[each.unit] > 1]
    if not kept:
        return {}
    units, values = [each.unit for each in kept], [each.value for each in kept]
    found = weigh_answers(units, [each.annotator for each in kept], values, truth)[0].intervals()
    return {str(name): interval for name, interval in found.items()}


def last_answers(answers: Iterable[CrowdAnswer]) -> list[CrowdAnswer]:
    """The last answer of each person to each question, of the form that has most of them; "unsure" is none."""
    last = {(each.annotator, each.unit): each for each in answers if each.value != "unsure"}
    forms = Counter(each.kind for each in last.values())
    form = max(forms, key=lambda kind: (forms[kind], kind), default="")
    return [each for each in last.values() if each.kind == form]


def dawid_skene(
    units: Sequence[Hashable],
    annotators: Sequence[Hashable],
    values: Sequence[str],
    *,
    truth: Mapping[Hashable, str] | None = None,
    smoothing: float = 1.0,
    max_iter: int = 200,
    tol: float = 1e-8,
) -> Consensus:
    """Estimate the true answers and how each annotator errs, in turn, by EM.

    Parameters
    ----------
    units, annotators, values : sequences of length m
        Question, annotator and value of each answer.
    truth : mapping, optional
        The true answer to the questions for which it is known.
    smoothing : float
        Number of answers added to every cell of an annotator's confusion table, twice as many on the diagonal.
    max_iter : int
        Maximum number of EM steps.
    tol : float
        Largest change of a probability at which EM stops.

    References
    ----------
    A. Dawid, A. Skene, *Maximum likelihood estimation of observer error-rates using the EM algorithm*, Applied
    Statistics 1979. Ours adds the smoothing and known answers.

    Examples
    --------
    >>> units = [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    >>> people = ["ann", "bob", "cid"] * 4
    >>> values = ["a", "a", "b", "b", "b", "a", "a", "a", "b", "b", "b", "b"]
    >>> crowd = dawid_skene(units, people, values)
    >>> crowd.decisions(), min(crowd.reliability, key=crowd.reliability.get)
    ({1: 'a', 2: 'b', 3: 'a', 4: 'b'}, 'cid')
    """
    found, settled = weigh_answers(units, annotators, values, truth, smoothing, max_iter, tol)
    if not settled:
        from sklearn.exceptions import ConvergenceWarning  # takes long: only where it is needed

        text = f"dawid_skene stopped at max_iter={max_iter} before it settled: raise max_iter"
        warnings.warn(text, ConvergenceWarning, stacklevel=2)
    return found


def weigh_answers(
    units: Sequence[Hashable],
    annotators: Sequence[Hashable],
    values: Sequence[str],
    truth: Mapping[Hashable, str] | None = None,
    smoothing: float = 1.0,
    max_iter: int = 200,
    tol: float = 1e-8,
) -> tuple[Consensus, bool]:
    """As :func:`dawid_skene`, and whether it settled; for where nobody could raise `max_iter`."""
    if not len(units) == len(annotators) == len(values):
        raise ValueError("every answer has a unit, an annotator and a value")
    if not len(units):
        raise ValueError("there are no answers")
    (unit, unit_names), (who, people) = _number(units), _number(annotators)
    known = {} if truth is None else {k: truth[name] for k, name in enumerate(unit_names) if name in truth}
    words = sorted({*values, *known.values()})
    answer = np.array([words.index(value) for value in values])
    fixed, certain = list(known), np.eye(len(words))[[words.index(value) for value in known.values()]]
    probability = _shares(unit, answer, len(words))
    probability[fixed] = certain
    settled = False
    for _ in range(max_iter):
        confusion = _confusion(who, answer, probability[unit], len(people), smoothing)
        prior = probability.mean(axis=0)
        before, probability = probability, _posterior(unit, np.log(confusion[who, :, answer]), prior)
        probability[fixed] = certain
        if np.abs(probability - before).max() < tol:
            settled = True
            break
    counts = np.bincount(who)
    right = np.minimum(np.bincount(who, probability[unit, answer]), counts)
    return Consensus(unit_names, words, probability, people, confusion, prior, right, counts), settled


def _shares(unit: NDArray[np.int64], answer: NDArray[np.int64], n_values: int) -> Floats:
    """By question, the share of the answers that give each value: where EM starts."""
    counts = np.zeros((int(unit.max()) + 1, n_values))
    np.add.at(counts, (unit, answer), 1.0)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _confusion(
    who: NDArray[np.int64], answer: NDArray[np.int64], truth: Floats, n_people: int, smoothing: float
) -> Floats:
    """M-step: by person and true value, the probability of each answer."""
    n_values = truth.shape[1]
    counts = np.zeros((n_people, n_values, n_values))
    np.add.at(counts, (who, answer), truth)
    table = counts.transpose(0, 2, 1) + smoothing * (1 + np.eye(n_values))
    return np.asarray(table / table.sum(axis=2, keepdims=True))


def _posterior(unit: NDArray[np.int64], evidence: Floats, prior: Floats) -> Floats:
    """E-step: by question, the probability of each value, from the log-likelihood of every answer."""
    weights = np.zeros((int(unit.max()) + 1, len(prior)))
    np.add.at(weights, unit, evidence)
    weights += np.log(np.maximum(prior, 1e-300))
    weights = np.exp(weights - weights.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _number(names: Sequence[Hashable]) -> tuple[NDArray[np.int64], list[Hashable]]:
    numbers: dict[Hashable, int] = {}
    found = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
    return found, list(numbers)
