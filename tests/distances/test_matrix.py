"""Distance matrices: values by scipy and by hand, refusals, chunks."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from likewise.distances import check_distances, memory, pairwise, pairwise_chunks

METRICS = ["euclidean", "cosine", "chi2", "robust"]


@pytest.fixture
def vectors():
    rng = np.random.default_rng(0)
    X, Y = rng.random((130, 9)), rng.random((75, 9))
    Y[:3] = X[:3]
    return X, Y


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("both", [True, False])
def test_values_are_those_of_scipy(vectors, metric, both):
    X, Y = vectors
    expected = cdist(X, Y if both else X, metric)
    np.testing.assert_allclose(pairwise(X, Y if both else None, metric=metric), expected, atol=1e-14)


def test_chi2_by_hand():
    # ½ ((0.5 - 0.25)² / 0.75 + (0.5 - 0.75)² / 1.25 + 0/0)
    expected = 0.5 * (0.0625 / 0.75 + 0.0625 / 1.25)
    assert pairwise([[0.5, 0.5, 0]], [[0.25, 0.75, 0]], metric="chi2")[0, 0] == pytest.approx(expected)


def test_chi2_of_histograms_without_overlap_is_one():
    assert pairwise([[1, 0, 0]], [[0, 0.5, 0.5]], metric="chi2")[0, 0] == 1


@pytest.mark.parametrize(("d", "kept"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6), (8, 6), (10, 8)])
def test_robust_counts_the_nearest_whole_number_of_columns(d, kept):
    far = np.arange(1.0, d + 1)[::-1]
    expected = np.sqrt(np.sum(np.arange(1.0, kept + 1) ** 2))
    assert pairwise([np.zeros(d)], [far], metric="robust")[0, 0] == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("metric", METRICS)
def test_equal_rows_are_at_exactly_zero_and_the_matrix_is_symmetric(vectors, metric):
    X = np.vstack([vectors[0], vectors[0][::-1]])
    D = pairwise(X, metric=metric)
    np.testing.assert_array_equal(D, D.T)
    n = len(vectors[0])
    np.testing.assert_array_equal(D[np.arange(n), 2 * n - 1 - np.arange(n)], 0)
    check_distances(D)


def test_cosine_of_rows_in_the_same_and_in_opposite_directions():
    D = pairwise([[1.0, 2.0], [2.0, 4.0], [0.3, 0.6], [-1.0, -2.0]], metric="cosine")
    assert D[0, 1] == 0
    assert D[0, 2] < 1e-30
    assert D[0, 3] == pytest.approx(2, rel=1e-15)


def test_cosine_of_nearly_parallel_rows_keeps_its_digits():
    angle = 1e-9
    D = pairwise([[1.0, 0.0]], [[1.0, angle]], metric="cosine")
    assert D[0, 0] == pytest.approx(angle**2 / 2, rel=1e-6)  # 1 - cos would have lost all of it


def test_rows_of_zeros_are_at_right_angles_to_all_others():
    X = [[0.0, 0.0], [1.0, 0.0], [-3.0, 1.0], [0.0, 0.0]]
    D = pairwise(X, metric="cosine")
    np.testing.assert_allclose(D[0], [0, 1, 1, 0], atol=1e-15)
    assert D[0, 3] == 0
    assert D[1, 2] == pytest.approx(cdist(X[1:2], X[2:3], "cosine")[0, 0])
    np.testing.assert_array_equal(pairwise(X[:2], X, metric="cosine"), D[:2])


def test_cosine_does_not_depend_on_the_size_of_the_rows(vectors):
    X = vectors[0]
    scales = np.logspace(-300, 300, len(X))[:, None]
    np.testing.assert_allclose(pairwise(X * scales, metric="cosine"), pairwise(X, metric="cosine"), atol=1e-15)


def test_a_callable_metric(vectors):
    X, Y = vectors
    asked = []

    def city_block(x, y):
        asked.append(1)
        return np.abs(x - y).sum()

    np.testing.assert_allclose(pairwise(X[:20], metric=city_block), cdist(X[:20], X[:20], "cityblock"))
    assert len(asked) == 20 * 19 / 2
    np.testing.assert_allclose(pairwise(X[:5], Y[:4], metric=city_block), cdist(X[:5], Y[:4], "cityblock"))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_a_callable_that_gives_no_distance(value):
    with pytest.raises(ValueError, match="for rows 0 and 1, not a distance"):
        pairwise([[0.0], [1.0]], metric=lambda x, y: value)


@pytest.mark.parametrize("metric", METRICS)
def test_float32_is_rounded_once(vectors, metric):
    X, Y = vectors
    D = pairwise(X, Y, metric=metric, dtype=np.float32)
    assert D.dtype == np.float32
    np.testing.assert_array_equal(D, pairwise(X, Y, metric=metric).astype(np.float32))


def test_float32_vectors_are_compared_in_float64(vectors):
    X = vectors[0].astype(np.float32)
    for metric in METRICS:
        np.testing.assert_array_equal(pairwise(X, metric=metric), pairwise(X.astype(float), metric=metric))


@pytest.mark.parametrize("metric", [*METRICS, lambda x, y: float(np.abs(x - y).max())])
@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("max_bytes", [1, 7000, 10**9])
def test_chunks_put_together_are_the_matrix(vectors, metric, both, max_bytes):
    X, Y = vectors[0][:70], vectors[1] if both else None
    chunks = list(pairwise_chunks(X, Y, metric=metric, max_bytes=max_bytes))
    assert [rows.start for rows, _ in chunks[1:]] == [rows.stop for rows, _ in chunks[:-1]]
    assert all(block.nbytes <= max_bytes or len(block) == 1 for _, block in chunks)
    np.testing.assert_array_equal(np.vstack([block for _, block in chunks]), pairwise(X, Y, metric=metric))


def test_chunks_of_a_matrix():
    D = pairwise(np.arange(5.0)[:, None])
    blocks = [block for _, block in pairwise_chunks(D, metric="precomputed", max_bytes=80, dtype="float32")]
    assert [len(block) for block in blocks] == [4, 1]
    np.testing.assert_array_equal(np.vstack(blocks), D.astype(np.float32))


def test_a_matrix_is_checked_and_not_copied():
    D = pairwise([[0.0], [2.0]])
    assert check_distances(D) is D
    assert pairwise(D, metric="precomputed") is D
    assert check_distances([[0]]).dtype == np.float64


@pytest.mark.parametrize(
    ("D", "message"),
    [
        ([[0, 1, 2], [1, 0, 3]], "must be square, got 2 x 3"),
        ([[0, 1], [2, 0]], r"not symmetric: \[0, 1\] is 1, \[1, 0\] is 2"),
        ([[0, -1], [-1, 0]], "negative values, the lowest is -1"),
        ([[1, 1], [1, 0]], "zero on its diagonal"),
        ([[0, np.nan], [np.nan, 0]], "NaN"),
        ([[0, np.inf], [np.inf, 0]], "infinity"),
        (np.empty((0, 0)), "0 sample"),
        ([0, 1], "2D array"),
    ],
)
def test_what_is_no_distance_matrix(D, message):
    with pytest.raises(ValueError, match=message):
        check_distances(D)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([[1.0]],), {"metric": "nosuch"}, "metric must be one of 'chi2', 'cosine', .* got 'nosuch'"),
        (([[1.0]], [[1.0, 2.0]]), {}, "X has 1 columns, but Y has 2"),
        (([[np.nan]],), {}, "X contains NaN"),
        (([[1.0]], [[np.inf]]), {}, "Y contains infinity"),
        (([1.0, 2.0],), {}, "2D array"),
        (([[-1.0]],), {"metric": "chi2"}, "no negative values"),
        (([[1.0]], [[-1.0]]), {"metric": "chi2"}, "no negative values"),
        (([[1e200]],), {}, "scale the vectors down"),
        (([[0.0]],), {"dtype": int}, "dtype must be float64 or float32"),
        (([[0.0]], [[0.0]]), {"metric": "precomputed"}, "Y must be None"),
    ],
)
def test_bad_vectors_are_refused(arguments, options, message):
    for function in (pairwise, pairwise_chunks):
        with pytest.raises(ValueError, match=message):
            function(*arguments, **options)


def test_a_chunk_needs_room():
    with pytest.raises(ValueError, match="max_bytes must be positive"):
        pairwise_chunks([[0.0]], max_bytes=0)


def double(x, y):
    return 2 * abs(x[0] - y[0])


@pytest.mark.parametrize("metric", [*METRICS, double])
def test_what_does_not_fit_into_memory_is_refused_with_its_size_before_it_is_computed(monkeypatch, metric):
    X = np.ones((6000, 1))
    monkeypatch.setattr(memory, "free_bytes", lambda: 280 * 10**6)
    with pytest.raises(MemoryError, match=r"6,000 and 6,000 items take 0\.288 GB of memory, and 0\.28 GB are free"):
        pairwise(X, metric=metric)
    monkeypatch.setattr(memory, "free_bytes", lambda: None)  # a system that does not tell
    memory.require_memory(10**18, "anything")
