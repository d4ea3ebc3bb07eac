"""95 % intervals of means and of differences of two means, by Student's t, and how two methods stand by them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from scipy.stats import t

UPPER = 0.975  # the quantile at the upper end of a 95 % interval
NOT_JUDGED = "not judged"


class Sample(NamedTuple):
    """Mean, deviation (of n − 1) and number of values."""

    mean: float
    deviation: float
    n: int


class Difference(NamedTuple):
    """Difference of two means, and half of its 95 % interval; None where there is no interval."""

    mean: float
    half: float | None


def sample_of(values: Sequence[float]) -> Sample:
    """Mean, deviation and number of some values; the deviation of one is 0 and says nothing."""
    return Sample(fmean(values), stdev(values) if len(values) > 1 else 0.0, len(values))


def sample_kept(mean: float, deviation_of_n: float, n: int) -> Sample:
    """The sample of what was kept as a mean and a deviation of n (and not of n − 1), NumPy's default."""
    return Sample(mean, deviation_of_n * (n / (n - 1)) ** 0.5 if n > 1 else 0.0, n)


def half_width(deviation: float, n: int) -> float | None:
    """Half of the 95 % interval of a mean of n values with this deviation (of n − 1); None of one value.

    Examples
    --------
    >>> round(half_width(0.1, 5), 4)
    0.1242
    """
    return None if n < 2 else float(t.ppf(UPPER, n - 1)) * deviation / n**0.5


def half_width_kept(deviation_of_n: float, n: int) -> float | None:
    """Half of the 95 % interval of a mean of n values that was kept with a deviation of n."""
    return half_width(sample_kept(0.0, deviation_of_n, n).deviation, n)


def paired(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Difference of two methods on the same seeds: the interval of the mean of the differences."""
    apart = sample_of([a - b for a, b in zip(ours, theirs, strict=True)])
    return Difference(apart.mean, half_width(apart.deviation, apart.n))


def welch(ours: Sample, theirs: Sample) -> Difference:
    """Difference of two methods on different seeds: Welch's interval; none where one of them has one seed."""
    apart = ours.mean - theirs.mean
    if min(ours.n, theirs.n) < 2:
        return Difference(apart, None)
    errors = [side.deviation**2 / side.n for side in (ours, theirs)]
    total = sum(errors)
    if total == 0:
        return Difference(apart, 0.0)
    freedom = total**2 / sum(e**2 / (side.n - 1) for e, side in zip(errors, (ours, theirs), strict=True))
    return Difference(apart, float(t.ppf(UPPER, freedom)) * total**0.5)


def standing(apart: Difference) -> str:
    """ "above", "below", within the interval "level", and without an interval "not judged"."""
    if apart.half is None:
        return NOT_JUDGED
    if abs(apart.mean) <= apart.half:
        return "level"
    return "above" if apart.mean > 0 else "below"


def worst(verdicts: Iterable[str]) -> str:
    """How a method stands to several others: "above" only where it is above each of them."""
    found = set(verdicts)
    return next((verdict for verdict in ("below", NOT_JUDGED, "level") if verdict in found), "above")
