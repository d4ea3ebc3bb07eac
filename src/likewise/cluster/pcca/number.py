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
SIDES = ("must_link", "cannot_link")


def number_by_answers(
    X: NDArray[np.float64],
    constraints: WeighedConstraints,
    numbers: Sequence[int],
    price: float,
    random: np.random.RandomState,
) -> int | None:
    """The number with the most held-out pairs right, must-links and cannot-links counting half each.

    None where either kind has fewer pairs than folds. The lowest of equal numbers is taken.

    - `X` (n, d): Vectors.
    - `constraints`: The pairs.
    - `numbers`: What to choose from.
    - `price`: Of a violated pair.
    - `random`: For the folds and the starts, the same for every number.
    """
    given = constraints.keywords()
    if min(len(given[side]) for side in SIDES) < N_FOLDS:
        return None
    fold = {side: random.permutation(np.arange(len(given[side])) % N_FOLDS) for side in SIDES}
    seed = random.randint(2**31 - 1)
    scores = [_right(X, given, fold, number, price, seed) for number in numbers]
    return int(numbers[int(np.argmax(scores))])


def _right(X: Any, given: dict[str, Any], fold: dict[str, Any], number: int, price: float, seed: int) -> float:
    """Mean of the two shares of held-out pairs that are predicted."""
    right = dict.fromkeys(SIDES, 0)
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
            right[side] += int(((labels[i] == labels[j]) == (side == "must_link")).sum())
    return sum(right[side] / len(given[side]) for side in SIDES) / len(SIDES)
