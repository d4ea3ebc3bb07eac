"""Intervals of the reports against those of scipy.stats."""

import math

import numpy as np
import pytest

pytest.importorskip("benchmarks.report")  # not in the source archive

from scipy import stats

from benchmarks.interval import (
    NOT_JUDGED,
    Difference,
    half_width,
    half_width_kept,
    paired,
    sample_kept,
    sample_of,
    standing,
    welch,
    worst,
)
from benchmarks.papers.seeds import mean_and_interval
from benchmarks.report.write import compare, tally


def drawn(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(2, 25, 2)
    return rng.normal(0.5, rng.uniform(0.001, 0.2), n), rng.normal(0.5, rng.uniform(0.001, 0.2), m)


@pytest.mark.parametrize("seed", range(40))
def test_intervals_are_those_of_scipy(seed):
    ours, theirs = drawn(seed)
    low, high = stats.ttest_1samp(ours, 0.0).confidence_interval(0.95)
    half = half_width(sample_of(ours).deviation, len(ours))
    assert half == pytest.approx((high - low) / 2)
    assert half_width_kept(float(np.std(ours)), len(ours)) == pytest.approx(half)
    assert mean_and_interval(ours) == (round(float(ours.mean()), 4), round(half, 4))
    low, high = stats.ttest_ind(ours, theirs, equal_var=False).confidence_interval(0.95)
    found = welch(sample_of(ours), sample_of(theirs))
    assert (found.mean - found.half, found.mean + found.half) == pytest.approx((low, high))
    kept = [sample_kept(float(v.mean()), float(np.std(v)), len(v)) for v in (ours, theirs)]
    assert welch(*kept) == pytest.approx(found)
    n = min(len(ours), len(theirs))
    low, high = stats.ttest_rel(ours[:n], theirs[:n]).confidence_interval(0.95)
    found = paired(ours[:n], theirs[:n])
    assert (found.mean - found.half, found.mean + found.half) == pytest.approx((low, high))


@pytest.mark.parametrize("seed", range(40))
def test_a_verdict_is_that_of_the_test_at_five_in_a_hundred(seed):
    ours, theirs = drawn(seed)
    ours = ours + 0.05 * (seed % 3)
    n = min(len(ours), len(theirs))
    test = stats.ttest_rel(ours[:n], theirs[:n])
    expected = "level" if test.pvalue > 0.05 else "above" if test.statistic > 0 else "below"
    assert compare(ours[:n], theirs[:n]) == expected
    test = stats.ttest_ind(ours, theirs, equal_var=False)
    expected = "level" if test.pvalue > 0.05 else "above" if test.statistic > 0 else "below"
    assert standing(welch(sample_of(ours), sample_of(theirs))) == expected


def test_one_seed_is_not_judged():
    assert half_width(0.0, 1) is None
    assert compare([0.5], [0.5]) == compare([0.5], [0.9]) == NOT_JUDGED
    one, more = sample_of([0.5]), sample_of([0.4, 0.6, 0.7])
    assert standing(welch(one, more)) == standing(welch(more, one)) == NOT_JUDGED
    assert standing(Difference(0.0, None)) == NOT_JUDGED


def test_seeds_that_all_agree_leave_no_doubt():
    same = sample_of([0.5, 0.5])
    assert welch(same, same) == (0.0, 0.0)
    assert compare([0.5, 0.5], [0.5, 0.5]) == "level"
    assert compare([0.5, 0.5], [0.25, 0.25]) == "above"
    assert standing(welch(same, sample_of([0.75, 0.75]))) == "below"


def test_a_normal_quantile_would_claim_too_much():
    ours, theirs = [0.5, 0.52], [0.49, 0.5]  # differences of .01 and .02: with two seeds this may be chance
    apart = np.subtract(ours, theirs)
    assert abs(apart.mean()) > 1.96 * apart.std(ddof=1) / math.sqrt(2)
    assert compare(ours, theirs) == "level"


def test_a_method_is_as_good_as_its_worst_comparison():
    assert worst(["above", "above"]) == "above"
    assert worst(["above", "level"]) == "level"
    assert worst(["level", NOT_JUDGED]) == NOT_JUDGED
    assert worst(["above", NOT_JUDGED, "below"]) == "below"


def test_what_is_not_judged_is_said():
    assert tally(["above", "level", "below"], "counts") == "above at 1 of 3 counts, level at 1, below at 1"
    assert tally(["level", NOT_JUDGED], "points").endswith("below at 0, not to be judged at 1 (one seed)")
