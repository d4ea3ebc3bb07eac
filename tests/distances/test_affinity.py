"""Affinities: against their formulas, and where the formulas have no answer."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from likewise.distances import gaussian_affinity, local_affinity, nearest, pairwise, scale_locally


@pytest.fixture(name="X")
def vectors():
    return np.random.default_rng(0).normal(size=(60, 3))


def slow_local(D, n_neighbors, divisor):
    n = len(D)
    scale = [sorted(D[i][j] for j in range(n) if j != i)[min(n_neighbors, n - 1) - 1] for i in range(n)]
    return [[np.exp(-(D[i][j] ** 2) / (divisor * scale[i] * scale[j])) for j in range(n)] for i in range(n)]


@pytest.mark.parametrize("n", [2, 5, 8, 60])
@pytest.mark.parametrize("divisor", [1.0, 2.0])
def test_local_scaling_equals_its_formula(X, n, divisor):
    D = pairwise(X[:n])
    expected = slow_local(D.tolist(), 7, divisor)
    for A in (
        scale_locally(D, divisor=divisor),
        local_affinity(X[:n], divisor=divisor),
        local_affinity(D, metric="precomputed", divisor=divisor),
    ):
        np.testing.assert_allclose(A, expected, rtol=1e-12)
        np.testing.assert_array_equal(A, A.T)


def test_gaussian_equals_its_formula(X):
    D = pairwise(X)
    np.testing.assert_allclose(gaussian_affinity(X, sigma=0.7), np.exp(-(D**2) / (2 * 0.7**2)), rtol=1e-12)
    median = np.median(D[D > 0])
    np.testing.assert_allclose(gaussian_affinity(X), np.exp(-(D**2) / (2 * median**2)), rtol=1e-12)


@pytest.mark.parametrize("graph_neighbors", [1, 4, 10, 59])
@pytest.mark.parametrize("metric", ["euclidean", "precomputed", "chi2"])
def test_sparse_affinities_are_the_dense_ones_along_the_graph(X, graph_neighbors, metric):
    X = pairwise(X) if metric == "precomputed" else np.abs(X)
    chosen = np.zeros((60, 60), bool)
    np.put_along_axis(chosen, nearest(X, n_neighbors=graph_neighbors, metric=metric).indices, True, axis=1)
    kept = chosen | chosen.T | np.eye(60, dtype=bool)
    for affinity, options in [(local_affinity, {}), (gaussian_affinity, {"sigma": 0.5})]:
        sparse = affinity(X, metric=metric, graph_neighbors=graph_neighbors, **options)
        dense = affinity(X, metric=metric, **options)
        assert isinstance(sparse, csr_array)
        np.testing.assert_allclose(sparse.toarray(), np.where(kept, dense, 0.0), rtol=1e-12)
        assert abs(sparse - sparse.T).max() == 0


def test_the_sparse_gaussian_takes_its_scale_from_the_graph():
    S = gaussian_affinity([[0.0], [1.0], [3.0]], graph_neighbors=1)
    np.testing.assert_allclose(S.toarray()[0, 1], np.exp(-0.5 / 1.5**2))


def test_many_items_in_one_place_take_the_distance_to_the_next_as_their_scale():
    X = np.array([[0.0]] * 9 + [[2.0]] * 3 + [[5.0]])
    A = local_affinity(X)
    assert np.isfinite(A).all()
    assert (A[:9, :9] == 1).all()
    # the 9 at 0 are 2 from the next; the 7th neighbour of the 3 at 2 is one of those
    np.testing.assert_allclose(A[0, 9], np.exp(-(2.0**2) / (2 * 2)))
    for k in (1, 7, 12):
        S = local_affinity(X, graph_neighbors=k).toarray()
        np.testing.assert_allclose(S[S > 0], A[S > 0], rtol=1e-12)
        assert (np.diagonal(S) == 1).all()
    D = pairwise(X)
    S = local_affinity(D, metric="precomputed", graph_neighbors=7).toarray()
    np.testing.assert_allclose(S[S > 0], A[S > 0], rtol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 9, 20])
def test_all_items_in_one_place(n):
    X = np.full((n, 2), 3.0)
    for A in (local_affinity(X), gaussian_affinity(X)):
        np.testing.assert_array_equal(A, np.ones((n, n)))
    if n > 1:
        for affinity in (local_affinity, gaussian_affinity):
            S = affinity(X, graph_neighbors=1)
            assert set(S.data) == {1.0}


@pytest.mark.parametrize("scale", [1e-150, 1e-80, 1e80, 1e140])
def test_very_small_and_very_large_distances(X, scale):
    np.testing.assert_allclose(local_affinity(X * scale), local_affinity(X), rtol=1e-6)
    assert np.isfinite(gaussian_affinity(X * scale, sigma=1.0)).all()


def test_one_item_far_from_a_crowd_is_at_nothing_and_not_at_nan():
    X = np.array([[0.0]] * 4 + [[1e-140]] * 5 + [[1e140]])
    A = local_affinity(X, n_neighbors=3)
    assert np.isfinite(A).all()
    assert A[0, -1] == 0


@pytest.mark.parametrize(
    ("affinity", "options", "message"),
    [
        (gaussian_affinity, {"sigma": 0}, "sigma must be positive"),
        (gaussian_affinity, {"sigma": float("nan")}, "sigma must be positive"),
        (local_affinity, {"n_neighbors": 0}, "n_neighbors must be positive"),
        (local_affinity, {"n_neighbors": 0, "graph_neighbors": 1}, "n_neighbors must be positive"),
        (local_affinity, {"divisor": 0}, "divisor must be positive"),
        (local_affinity, {"graph_neighbors": 9}, "n_neighbors is 9, but there are only 1"),
        (gaussian_affinity, {"graph_neighbors": 0}, "n_neighbors must be positive"),
        (local_affinity, {"graph_neighbors": 0}, "graph_neighbors must be positive"),
        (local_affinity, {"graph_neighbors": 1, "method": "hnsw"}, "method must be 'auto'"),
    ],
)
def test_bad_options_are_refused(affinity, options, message):
    with pytest.raises(ValueError, match=message):
        affinity([[0.0], [1.0]], **options)
