"""The compiled distances and neighbours: against plain loops, on any number of threads, in any layout."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from likewise.kernels import threads
from likewise.kernels.metric.checks import find_asymmetry
from likewise.kernels.metric.distances import (
    CHI2,
    EUCLIDEAN,
    ROBUST,
    SQEUCLIDEAN,
    compute_distances,
    compute_sqeuclidean,
)
from likewise.kernels.metric.neighbours import find_neighbours, order_candidates, select_neighbours

VALUES = st.one_of(st.integers(0, 3).map(float), st.floats(1e-6, 100))


def slow_square(x, y):
    return sum((a - b) ** 2 for a, b in zip(x, y, strict=True))


def slow_chi2(x, y):
    return 0.5 * sum((a - b) ** 2 / (a + b) for a, b in zip(x, y, strict=True) if a + b > 0)


def slow_robust(x, y):
    squares = sorted((a - b) ** 2 for a, b in zip(x, y, strict=True))
    return sum(squares[: round(0.8 * len(squares))]) ** 0.5


SLOW = {
    SQEUCLIDEAN: slow_square,
    EUCLIDEAN: lambda x, y: slow_square(x, y) ** 0.5,
    CHI2: slow_chi2,
    ROBUST: slow_robust,
}


@pytest.fixture
def _threads_always(monkeypatch):
    monkeypatch.setattr(threads, "MIN_WORK", 0)


@pytest.mark.parametrize("kind", SLOW)
@settings(deadline=None)
@given(data=st.data())
def test_distances_equal_plain_sums(kind, data):
    d = data.draw(st.integers(1, 12))
    X, Y = (data.draw(arrays(float, (data.draw(st.integers(1, 5)), d), elements=VALUES)) for _ in range(2))
    expected = [[SLOW[kind](x, y) for y in Y.tolist()] for x in X.tolist()]
    np.testing.assert_allclose(compute_distances(X, Y, kind), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("kind", SLOW)
@pytest.mark.parametrize("shape", [(1, 1), (63, 4), (64, 4), (65, 3), (200, 70)])
def test_one_matrix_is_symmetric_and_equals_that_of_two(kind, shape):
    X = np.random.default_rng(0).random(shape)
    X[-1] = X[0]
    D = compute_distances(X, None, kind)
    np.testing.assert_array_equal(D, D.T)
    np.testing.assert_array_equal(np.diagonal(D), 0)
    assert D[0, -1] == 0
    np.testing.assert_array_equal(D, compute_distances(X, X.copy(), kind))


@pytest.mark.parametrize("kind", SLOW)
def test_a_few_columns_are_as_many(kind):
    rng = np.random.default_rng(1)
    X, Y = rng.random((1500, 6)), rng.random((100, 6))
    whole = compute_distances(X, Y, kind)
    np.testing.assert_array_equal(compute_distances(X, Y[:9], kind), whole[:, :9])
    np.testing.assert_array_equal(compute_distances(X, Y[:1], kind), whole[:, :1])
    assert compute_distances(X, Y[:9], kind).flags.c_contiguous


def compute_euclidean(X, Y=None):
    return compute_distances(X, Y, EUCLIDEAN)


def test_type_and_layout_do_not_matter():
    rng = np.random.default_rng(2)
    X32 = rng.random((70, 5)).astype(np.float32)
    X = X32.astype(np.float64)
    expected = compute_euclidean(X)
    np.testing.assert_array_equal(compute_euclidean(X32), expected)
    np.testing.assert_array_equal(compute_euclidean(np.asfortranarray(X)), expected)
    np.testing.assert_array_equal(compute_euclidean(X32, X), expected)
    np.testing.assert_array_equal(compute_distances(X, None, EUCLIDEAN, np.float32), expected.astype(np.float32))
    whole = rng.integers(0, 9, (70, 5))
    np.testing.assert_array_equal(compute_sqeuclidean(whole), compute_sqeuclidean(whole.astype(float)))


@settings(deadline=None)
@given(arrays(float, st.tuples(st.just(2), st.integers(1, 60)), elements=VALUES))
def test_robust_takes_exactly_the_smallest_four_fifths(X):
    (D,) = compute_distances(X[:1], X[1:], ROBUST)
    assert D[0] == pytest.approx(slow_robust(*X.tolist()), rel=1e-12, abs=0)


def test_small_histograms_do_not_vanish():
    X = np.array([[1e-200, 0.0], [0.0, 1e-200]])
    assert compute_distances(X[:1], X[1:], CHI2)[0, 0] == 1e-200


@pytest.mark.usefixtures("_threads_always")
@pytest.mark.parametrize("kind", SLOW)
def test_nothing_depends_on_the_number_of_threads(kind, monkeypatch):
    X = np.random.default_rng(3).random((300, 8))
    results = []
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(threads.config, "NUMBA_NUM_THREADS", n_threads)
        results.append((compute_distances(X, None, kind), *find_neighbours(X, None, kind, 5)))
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.usefixtures("_threads_always")
def test_several_threads_may_call_at_once():
    X = np.random.default_rng(4).random((300, 8))
    expected = compute_euclidean(X)
    with ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda _: compute_euclidean(X), range(12)):
            np.testing.assert_array_equal(result, expected)


@pytest.mark.usefixtures("_threads_always")
def test_an_error_in_a_block_is_raised():
    def fail(start, stop):
        raise ZeroDivisionError(start)

    with pytest.raises(ZeroDivisionError):
        threads.run_blocks(fail, 300, 1)


@pytest.mark.usefixtures("_threads_always")
@pytest.mark.parametrize("n_rows", [0, 1, 64, 65, 129])
def test_blocks_cover_every_row_once(n_rows):
    seen = np.zeros(n_rows, int)

    def count(start, stop):
        assert start % threads.BLOCK == 0
        seen[start:stop] += 1

    threads.run_blocks(count, n_rows, 1)
    assert (seen == 1).all()


@pytest.mark.parametrize("kind", SLOW)
@settings(deadline=None)
@given(data=st.data())
def test_neighbours_are_the_first_of_a_stable_sort(kind, data):
    n = data.draw(st.integers(2, 90))
    X = data.draw(arrays(float, (n, 2), elements=st.integers(0, 3).map(float)))
    k = data.draw(st.integers(1, n - 1))
    D = compute_distances(X, None, kind)
    np.fill_diagonal(D, np.inf)
    order = np.argsort(D, axis=1, kind="stable")[:, :k]
    for indices, distances in (find_neighbours(X, None, kind, k), select_neighbours(D, k, True)):
        np.testing.assert_array_equal(indices, order)
        np.testing.assert_array_equal(distances, np.take_along_axis(D, order, axis=1))


@settings(deadline=None)
@given(st.data())
def test_neighbours_among_others(data):
    n, m = data.draw(st.integers(1, 70)), data.draw(st.integers(1, 140))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    X, Y = rng.integers(0, 4, (n, 3)).astype(float), rng.integers(0, 4, (m, 3)).astype(float)
    k = data.draw(st.integers(1, m))
    order = np.argsort(compute_euclidean(X, Y), axis=1, kind="stable")[:, :k]
    np.testing.assert_array_equal(find_neighbours(X, Y, EUCLIDEAN, k)[0], order)
    np.testing.assert_array_equal(select_neighbours(compute_euclidean(X, Y), k, False)[0], order)


def test_candidates_are_ordered_exactly_and_gaps_come_last():
    rng = np.random.default_rng(5)
    X = rng.integers(0, 3, (50, 3)).astype(float)
    candidates = np.array([rng.permutation(50)[:20] for _ in range(50)])
    candidates[:, 3] = -1
    candidates[7] = -1
    indices, distances = order_candidates(X, X, EUCLIDEAN, candidates)
    D = compute_euclidean(X)
    for i in range(50):
        valid = sorted((D[i, j], j) for j in candidates[i].tolist() if j >= 0)
        n_gaps = 20 - len(valid)
        assert indices[i].tolist() == [j for _, j in valid] + [-1] * n_gaps
        assert distances[i].tolist() == [d for d, _ in valid] + [np.inf] * n_gaps


@pytest.mark.parametrize("n", [1, 2, 64, 65, 150])
def test_the_largest_asymmetry_is_found(n):
    rng = np.random.default_rng(n)
    D = rng.random((n, n))
    D += D.T
    assert find_asymmetry(D, 1e-9, 1e-12)[0] == 0
    if n > 1:
        i, j = sorted(rng.permutation(n)[:2].tolist())
        D[j, i] += 0.5
        D[0, n - 1] += 0.25 if (i, j) != (0, n - 1) else 0
        gap, *where = find_asymmetry(D, 1e-9, 1e-12)
        assert gap == pytest.approx(0.5)
        assert where == [i, j]


def test_a_gap_within_the_tolerance_is_none():
    D = np.array([[0.0, 1.0], [1.0 + 1e-12, 0.0]])
    assert find_asymmetry(D, 1e-9, 1e-12) == (0.0, 0, 0)
    assert find_asymmetry(D, 1e-14, 0.0)[0] > 0
