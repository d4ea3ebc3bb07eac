"""Probability that two items are the same, for all pairs, in bins that are fast to search."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

N_CODES = 256
SAMPLE_ROWS = 512


class BinnedValues(NamedTuple):
    """Values of all pairs in 256 bins.

    - `codes` (n, n), uint8: Bin of each pair; higher for higher values.
    - `low`, `high` (256,): Lowest and highest value in each bin; NaN for an empty one.
    """

    codes: NDArray[np.uint8]
    low: Floats
    high: Floats


class PairProbability(NamedTuple):
    """A value for every pair, and the probability of being the same as a function of it.

    - `values` (n, n): Probabilities themselves, or distances.
    - `codes`: The same in bins, one byte a pair.
    - `probability`: Probability of being the same for an array of values; monotone.
    - `rising`: Whether the probability rises with the value.
    """

    values: Floats
    codes: BinnedValues
    probability: Callable[[Floats], Floats]
    rising: bool

    def bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest probability in each bin, (256,); (0, 0) for an empty one."""
        ends = self.probability(np.nan_to_num(np.stack([self.codes.low, self.codes.high])))
        unused = np.isnan(self.codes.low)
        return np.where(unused, 0.0, ends.min(axis=0)), np.where(unused, 0.0, ends.max(axis=0))


def bin_values(values: Floats) -> BinnedValues:
    """Sort the values of all pairs into 256 bins: one a value if there are so few, else finer at the low end.

    - `values` (n, n): One for every pair.

    Examples
    --------
    >>> bin_values(np.array([[0.0, 0.5], [0.5, 1.0]])).codes
    array([[0, 1],
           [1, 2]], dtype=uint8)
    """
    rows = np.linspace(0, len(values) - 1, min(len(values), SAMPLE_ROWS)).astype(np.int64)
    seen = np.unique(values[rows])
    if len(seen) > N_CODES:
        # quadratic: good questions are among the closest pairs, or the few with any probability
        seen = np.unique(np.quantile(seen, np.linspace(0, 1, N_CODES) ** 2))
    codes = np.empty(values.shape, np.uint8)
    low, high = np.full(N_CODES, np.inf), np.full(N_CODES, -np.inf)
    for start in range(0, len(values), SAMPLE_ROWS):  # in blocks: searchsorted takes eight bytes a pair
        block = values[start : start + SAMPLE_ROWS]
        bins = np.searchsorted(seen, block.ravel(), side="right") - 1
        bins = bins.clip(0, N_CODES - 1)
        np.minimum.at(low, bins, block.ravel())
        np.maximum.at(high, bins, block.ravel())
        codes[start : start + SAMPLE_ROWS] = bins.reshape(block.shape)
    low[np.isinf(low)] = np.nan
    high[np.isinf(high)] = np.nan
    return BinnedValues(codes, low, high)
