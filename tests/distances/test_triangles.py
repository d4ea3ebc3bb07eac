"""The share of violated triangles: by enumeration, by hand, and by sampling."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from likewise.distances import pairwise, triangle_violations, triangles


def random_matrix(n, seed, high=6):
    D = np.triu(np.random.default_rng(seed).integers(1, high, (n, n)), 1)
    return (D + D.T).astype(float)


def slow_check(D):
    excess = {}
    for i, j, k in combinations(range(len(D)), 3):
        a, b, c = sorted([D[i, j], D[i, k], D[j, k]])
        excess[i, j, k] = c - (a + b)
    return sum(e > 0 for e in excess.values()), max([0.0, *excess.values()]), excess


@settings(deadline=None)
@given(st.integers(1, 12), st.integers(0, 999))
def test_all_triangles_equal_enumeration(n, seed):
    D = random_matrix(n, seed)
    count, worst, excess = slow_check(D)
    found = triangle_violations(D)
    assert found.n_checked == len(excess)
    assert found.share == (count / len(excess) if excess else 0.0)
    assert found.worst == worst
    assert found.exact
    assert (found.triangle is None) == (count == 0)
    if found.triangle:
        assert excess[found.triangle] == worst


def test_a_true_distance_violates_nothing():
    X = np.random.default_rng(0).random((60, 4))
    assert triangle_violations(pairwise(X)) == (0.0, 0.0, None, 34220, True)


def test_points_on_a_line_are_within_rounding():
    D = pairwise(np.linspace(0, 1, 40)[:, None])
    assert triangle_violations(D).share == 0
    assert triangle_violations(D, tolerance=0).share > 0


def test_the_square_of_a_distance_violates():
    found = triangle_violations(pairwise([[0.0], [1.0], [3.0]]) ** 2)
    assert found == (1.0, 9.0 - 5.0, (0, 1, 2), 1, True)


def test_a_sample_is_near_the_truth_and_repeats_itself():
    D = random_matrix(80, 1)
    exact = triangle_violations(D)
    found = triangle_violations(D, n_samples=50_000, random_state=0)
    assert not found.exact
    assert found.n_checked == 50_000
    assert found.share == pytest.approx(exact.share, abs=0.01)
    assert found.worst <= exact.worst
    assert found == triangle_violations(D, n_samples=50_000, random_state=0)
    assert found != triangle_violations(D, n_samples=50_000, random_state=1)
    i, j, k = found.triangle
    assert i < j < k
    a, b, c = sorted([D[i, j], D[i, k], D[j, k]])
    assert c - (a + b) == found.worst


def test_batches_do_not_change_what_is_drawn_for(monkeypatch):
    D = random_matrix(30, 2)
    monkeypatch.setattr(triangles, "BATCH", 100)
    found = triangle_violations(D, n_samples=1050, random_state=0)
    assert found.n_checked == 1050
    assert 0 < found.share < 1


def test_large_sets_are_sampled_unless_told_otherwise(monkeypatch):
    D = random_matrix(40, 3)
    monkeypatch.setattr(triangles, "ALL_UP_TO", 39)
    monkeypatch.setattr(triangles, "SAMPLED", 500)
    assert triangle_violations(D, random_state=0).n_checked == 500
    assert triangle_violations(D, n_samples=10**6).exact


def test_drawn_triples_are_distinct_and_even():
    triples = triangles._draw_triples(4, 24_000, np.random.default_rng(0))
    assert (np.diff(np.sort(triples, axis=1), axis=1) > 0).all()
    _, counts = np.unique(triples, axis=0, return_counts=True)
    assert len(counts) == 24
    assert (np.abs(counts - 1000) < 160).all()  # five standard deviations


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_samples": 0}, "n_samples must be positive"),
        ({"tolerance": -1}, "tolerance must not be negative"),
        ({"tolerance": float("nan")}, "tolerance must not be negative"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        triangle_violations([[0, 1], [1, 0]], **options)


def test_what_is_no_distance_matrix_is_refused():
    with pytest.raises(ValueError, match="not symmetric"):
        triangle_violations([[0, 1], [2, 0]])
