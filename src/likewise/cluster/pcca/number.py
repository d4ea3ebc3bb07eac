"""The number of clusters under which constrained k-means predicts pairs that it was not given."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from likewise.cluster.kmeans.pckmeans import PCKMeans
from likewise.cluster.weighed import WeighedConstraints

N_FOLDS = 5
N_REPEATS = 4
SIDES = ("must_link", "cannot_link")
Reals = NDArray[np.float64]
Right = dict[str, Reals]
"""For every pair of either side, the share of repeats in which it was predicted when it was held out."""


def number_by_answers(
    X: Reals,
    constraints: WeighedConstraints,
    numbers: Sequence[int],
    usual: int,
    price: float,
    random: np.random.RandomState,
) -> int | None:
    """The number with the most held-out pairs right, or the usual one while pairs do not tell the two apart.

    Must-links and cannot-links count half each; every pair is held out once in each repeat. The usual number stands
    while it is behind by no more than one standard error of the difference, pair by pair; among others the lowest of
    equals is taken. None where either kind has fewer pairs than folds.

    - `X` (n, d): Vectors.
    - `constraints`: The pairs.
    - `numbers`: What to choose from.
    - `usual`: What it is without answers; need not be among the numbers.
    - `price`: Of a violated pair.
    - `random`: For the folds and the starts, the same for every number.
    """
    given = constraints.keywords()
    if min(len(given[side]) for side in SIDES) < N_FOLDS:
        return None
    right = {number: {side: np.zeros(len(given[side])) for side in SIDES} for number in numbers}
    for _ in range(N_REPEATS):
        fold = {side: random.permutation(np.arange(len(given[side])) % N_FOLDS) for side in SIDES}
        seed = random.randint(2**31 - 1)
        for number in numbers:
            _count_right(X, given, fold, number, price, seed, right[number])
    best = max(numbers, key=lambda number: (_score(right[number]), -number))
    if usual in right and _score(right[best]) - _score(right[usual]) <= _error(right[best], right[usual]):
        return usual
    return best


def _score(right: Right) -> float:
    """Mean of the two shares of held-out pairs that are predicted."""
    return sum(float(right[side].mean()) for side in SIDES) / len(SIDES)


def _error(one: Right, other: Right) -> float:
    """Standard error of the difference of two scores on the same pairs."""
    gaps = [one[side] - other[side] for side in SIDES]
    return float(np.sqrt(sum(gap.var(ddof=1) / len(gap) for gap in gaps))) / len(SIDES)


def _count_right(
    X: Reals, given: dict[str, Any], fold: dict[str, Any], number: int, price: float, seed: int, right: Right
) -> None:
    """Add to the shares what constrained k-means predicts of each fold without its pairs."""
    for held in range(N_FOLDS):
        rows = {side: fold[side] != held for side in SIDES}
        kept = {side: given[side][rows[side]] for side in SIDES}
        for side in SIDES:
            weights = given[f"{side}_weights"]
            kept[f"{side}_weights"] = None if weights is None else weights[rows[side]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            labels = PCKMeans(number, weight=price, random_state=seed).fit(X, **kept).labels_
        for side in SIDES:
            i, j = given[side][~rows[side]].T
            right[side][~rows[side]] += ((labels[i] == labels[j]) == (side == "must_link")) / N_REPEATS
