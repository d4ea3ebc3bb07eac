"""Neighbours and their graph: exact against sorting, faiss against exact."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.sparse import csr_array

from likewise.distances import knn_graph, nearest, neighbours, pairwise

METRICS = ["euclidean", "cosine", "chi2", "robust"]


@pytest.fixture(name="X")
def vectors():
    rng = np.random.default_rng(0)
    X = rng.random((400, 6))
    X[300:] = X[:100]
    return X


@pytest.mark.parametrize("metric", [*METRICS, lambda x, y: float(np.abs(x - y).sum())])
def test_exact_neighbours_are_a_stable_sort(X, metric):
    X = X[280:330]
    D = pairwise(X, metric=metric)
    off = D + np.diag(np.full(len(X), np.inf))
    order = np.argsort(off, axis=1, kind="stable")[:, :9]
    found = nearest(X, n_neighbors=9, metric=metric)
    np.testing.assert_array_equal(found.indices, order)
    np.testing.assert_array_equal(found.distances, np.take_along_axis(off, order, axis=1))
    np.testing.assert_array_equal(nearest(D, n_neighbors=9, metric="precomputed").indices, order)
    among = nearest(X[:7], X, n_neighbors=3, metric=metric)
    np.testing.assert_array_equal(among.indices, np.argsort(D[:7], axis=1, kind="stable")[:, :3])


def test_a_duplicate_is_a_neighbour_and_oneself_is_not():
    found = nearest([[1.0], [1.0], [1.0]], n_neighbors=2)
    assert found.indices.tolist() == [[1, 2], [0, 2], [0, 1]]
    assert not found.distances.any()


@pytest.mark.parametrize("method", ["faiss", "ivf"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_faiss_finds_the_same_as_exact(X, method, metric, offset):
    pytest.importorskip("faiss")
    X = X + offset if metric == "euclidean" else X
    found = nearest(X, n_neighbors=10, metric=metric, method=method, n_probe=100)
    exact = nearest(X, n_neighbors=10, metric=metric, method="exact")
    np.testing.assert_array_equal(found.indices, exact.indices)
    np.testing.assert_array_equal(found.distances, exact.distances)
    among = nearest(X[:9], X[5:], n_neighbors=4, metric=metric, method=method, n_probe=100)
    np.testing.assert_array_equal(
        among.indices, nearest(X[:9], X[5:], n_neighbors=4, metric=metric, method="exact").indices
    )


def test_cells_miss_some_neighbours_and_give_no_wrong_distance(X):
    pytest.importorskip("faiss")
    found = nearest(X, n_neighbors=5, method="ivf", n_probe=1)
    exact = nearest(X, n_neighbors=5, method="exact")
    np.testing.assert_array_equal(found.distances, np.take_along_axis(pairwise(X), found.indices, axis=1))
    assert (found.distances >= exact.distances).all()
    assert 0.3 < np.mean(found.indices == exact.indices) < 1
    again = nearest(X, n_neighbors=5, method="ivf", n_probe=1)
    np.testing.assert_array_equal(again.indices, found.indices)


def test_cells_that_hold_too_few_are_made_up_for(X):
    pytest.importorskip("faiss")
    found = nearest(X, n_neighbors=250, method="ivf", n_probe=1)
    exact = nearest(X, n_neighbors=250, method="exact")
    np.testing.assert_array_equal(found.indices, exact.indices)
    others = nearest(X[:10], X[10:], n_neighbors=250, method="ivf", n_probe=1)
    np.testing.assert_array_equal(others.indices, nearest(X[:10], X[10:], n_neighbors=250, method="exact").indices)


def test_many_duplicates_with_cells_too_small():
    pytest.importorskip("faiss")
    X = np.repeat(np.arange(4.0), 100)[:, None]
    found = nearest(X, n_neighbors=120, method="ivf", n_probe=1)
    assert (found.indices != np.arange(400)[:, None]).all()
    assert (found.distances[:, 98] == 0).all()
    np.testing.assert_array_equal(found.distances, nearest(X, n_neighbors=120).distances)


def test_faiss_takes_over_when_there_is_much_to_do(X, monkeypatch):
    pytest.importorskip("faiss")
    used = []
    original = neighbours._search_faiss

    def search(A, base, n_asked, n_probe, seed):
        used.append(n_probe)
        return original(A, base, n_asked, n_probe, seed)

    monkeypatch.setattr(neighbours, "_search_faiss", search)
    nearest(X)
    assert used == []
    monkeypatch.setattr(neighbours, "FAISS_WORK", 1)
    nearest(X)
    nearest(X, metric="chi2")
    nearest(X, method="exact")
    assert used == [None]
    monkeypatch.setattr(neighbours, "IVF_WORK", 1)
    nearest(X, n_probe=5)
    assert used == [None, 5]


def test_without_faiss_everything_is_exact(X, monkeypatch):
    monkeypatch.setattr(neighbours.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(neighbours, "FAISS_WORK", 1)
    np.testing.assert_array_equal(nearest(X).indices, nearest(X, method="exact").indices)
    with pytest.raises(ImportError, match=r"faiss-cpu"):
        nearest(X, method="faiss")


@settings(deadline=None)
@given(st.integers(2, 40), st.integers(0, 99), st.data())
def test_the_graph_in_its_three_forms(n, seed, data):
    X = np.random.default_rng(seed).integers(0, 3, (n, 2)).astype(float)
    k = data.draw(st.integers(1, n - 1))
    found = nearest(X, n_neighbors=k)
    chosen = np.zeros((n, n), bool)
    np.put_along_axis(chosen, found.indices, True, axis=1)
    D = pairwise(X)
    for symmetric, kept in [(None, chosen), ("union", chosen | chosen.T), ("mutual", chosen & chosen.T)]:
        graph = knn_graph(X, n_neighbors=k, symmetric=symmetric)
        assert isinstance(graph, csr_array)
        assert graph.has_sorted_indices
        stored = np.zeros((n, n), bool)
        stored[graph.tocoo().row, graph.tocoo().col] = True
        np.testing.assert_array_equal(stored, kept)
        np.testing.assert_array_equal(graph.toarray()[kept], D[kept])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be positive"),
        ({"n_neighbors": 3}, "n_neighbors is 3, but there are only 2 to choose from"),
        ({"n_neighbors": 3, "metric": lambda x, y: 1.0}, "only 2 to choose from"),
        ({"n_neighbors": 1, "method": "hnsw"}, "method must be 'auto', 'exact', 'faiss' or 'ivf'"),
        ({"n_neighbors": 1, "method": "faiss", "metric": "chi2"}, "is for a metric of"),
        ({"n_neighbors": 1, "method": "ivf", "metric": "precomputed"}, "is for vectors"),
        ({"n_neighbors": 1, "metric": "nope"}, "metric must be one of"),
    ],
)
def test_bad_options_are_refused(options, message):
    for function in (nearest, knn_graph):
        with pytest.raises(ValueError, match=message):
            function([[0.0], [1.0], [2.0]], **options)


def test_a_bad_form_of_graph():
    with pytest.raises(ValueError, match="symmetric must be 'union', 'mutual' or None"):
        knn_graph([[0.0], [1.0]], n_neighbors=1, symmetric="both")


def test_a_single_item_has_no_neighbours():
    with pytest.raises(ValueError, match="only 0 to choose from"):
        nearest([[1.0]], n_neighbors=1)
