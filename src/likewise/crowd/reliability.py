"""What many people who err said, weighed by how far each can be trusted."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Consensus", "dawid_skene", "majority"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Consensus:
    """What a crowd says on each unit, and how reliable each annotator seems.

    Attributes
    ----------
    units : list
        The questions, in the order in which they came.
    values : list
        The values that occur, sorted.
    probability : ndarray of shape (n_units, n_values)
        How sure each value is for each unit.
    annotators : list
        The people, in the order in which they came.
    confusion : ndarray of shape (n_annotators, n_values, n_values)
        How probable it is that an annotator says the second value when the first is true.
    prior : ndarray of shape (n_values,)
        Share of the units for which each value is true.
    """

    units: list[Hashable]
    values: list[str]
    probability: Floats
    annotators: list[Hashable]
    confusion: Floats
    prior: Floats

    @property
    def reliability(self) -> dict[Hashable, float]:
        """The probability that an annotator is right, by annotator."""
        right = np.einsum("akk,k->a", self.confusion, self.prior)
        return dict(zip(self.annotators, right.tolist(), strict=True))

    def decisions(self) -> dict[Hashable, str]:
        """The surest value of each unit; of equally sure ones the first."""
        best = self.probability.argmax(axis=1)
        return {unit: self.values[k] for unit, k in zip(self.units, best.tolist(), strict=True)}


def majority(units: Sequence[Hashable], values: Sequence[str]) -> dict[Hashable, str]:
    """What most people said on each unit; of values said equally often the first in the alphabet.

    Examples
    --------
    >>> majority([1, 1, 1, 2, 2], ["same", "same", "different", "same", "different"])
    {1: 'same', 2: 'different'}
    """
    counts: dict[Hashable, dict[str, int]] = {}
    for unit, value in zip(units, values, strict=True):
        said = counts.setdefault(unit, {})
        said[value] = said.get(value, 0) + 1
    return {unit: min(said, key=lambda value: (-said[value], value)) for unit, said in counts.items()}


def dawid_skene(
    units: Sequence[Hashable],
    annotators: Sequence[Hashable],
    values: Sequence[str],
    *,
    smoothing: float = 1.0,
    max_iter: int = 200,
    tol: float = 1e-8,
) -> Consensus:
    """Weigh answers by how reliable each annotator is, found from the answers alone.

    Parameters
    ----------
    units, annotators, values : sequences of length m
        What each answer is about, who gave it, and what it says.
    smoothing : float
        Answers added to every cell of an annotator's table, those of the diagonal twice: somebody with few answers
        is taken to be a little better than chance.
    max_iter : int
        Steps at most.
    tol : float
        The largest change of a probability at which it stops.

    References
    ----------
    A. Dawid, A. Skene, *Maximum likelihood estimation of observer error-rates using the EM algorithm*, Applied
    Statistics 1979. Ours adds the smoothing.

    Examples
    --------
    >>> units = [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    >>> people = ["ann", "bob", "cid"] * 4
    >>> said = ["a", "a", "b", "b", "b", "a", "a", "a", "b", "b", "b", "b"]
    >>> crowd = dawid_skene(units, people, said)
    >>> crowd.decisions(), min(crowd.reliability, key=crowd.reliability.get)
    ({1: 'a', 2: 'b', 3: 'a', 4: 'b'}, 'cid')
    """
    if not len(units) == len(annotators) == len(values):
        raise ValueError("every answer has a unit, an annotator and a value")
    if not len(units):
        raise ValueError("there are no answers")
    at, unit_names = _number(units)
    who, people = _number(annotators)
    words = sorted(set(values))
    said = np.array([words.index(value) for value in values])
    kinds = len(words)
    added = smoothing * (1 + np.eye(kinds))
    votes = np.zeros((len(unit_names), kinds))
    np.add.at(votes, (at, said), 1.0)
    sure = votes / votes.sum(axis=1, keepdims=True)
    for _ in range(max_iter):
        said_when = np.zeros((len(people), kinds, kinds))  # by person, what they said, what is true
        np.add.at(said_when, (who, said), sure[at])
        table = said_when.transpose(0, 2, 1) + added
        table /= table.sum(axis=2, keepdims=True)
        prior = sure.mean(axis=0)
        weights = np.zeros_like(sure)
        np.add.at(weights, at, np.log(table[who, :, said]))
        weights += np.log(np.maximum(prior, 1e-300))
        weights = np.exp(weights - weights.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        moved = float(np.abs(weights - sure).max())
        sure = weights
        if moved < tol:
            break
    return Consensus(unit_names, words, sure, people, table, prior)


def _number(names: Sequence[Hashable]) -> tuple[NDArray[np.int64], list[Hashable]]:
    numbers: dict[Hashable, int] = {}
    found = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
    return found, list(numbers)
