"""Thresholds of the best expected F1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]


def best_thresholds(scores: Reals, chances: Reals) -> Reals:
    """For every tag, the threshold of its scores at which F1 is highest when labels are on with these chances, (k,).

    F1 of the labels from a threshold on is taken as 2 Σ chances above / (number above + Σ chances), the ratio of the
    expectations. It is the lowest score of the best set; infinity where no label has any chance. O(n log n) a tag.

    - `scores` (n, k): By what labels are decided.
    - `chances` (n, k): Probability that they are on.

    Examples
    --------
    >>> best_thresholds(np.array([[0.3], [0.2], [0.1]]), np.array([[1.0], [0.8], [0.0]])).tolist()
    [0.2]
    """
    order = np.argsort(-scores, axis=0, kind="stable")
    falling = np.take_along_axis(scores, order, axis=0)
    right = np.cumsum(np.take_along_axis(chances, order, axis=0), axis=0)
    total = chances.sum(axis=0)
    count = np.arange(1, len(scores) + 1)[:, None]
    f1 = 2.0 * right / (count + total)
    f1[:-1][falling[:-1] == falling[1:]] = -1.0  # equal scores are on or off together
    best = f1.argmax(axis=0)
    found = np.take_along_axis(falling, best[None], axis=0)[0]
    return np.where(total > 0, found, np.inf)
