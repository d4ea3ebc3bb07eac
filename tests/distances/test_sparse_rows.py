"""Distances of sparse rows are those of dense ones, and who takes sparse vectors clusters as with dense ones."""

import numpy as np
import pytest
from scipy import sparse

from likewise import Session
from likewise.cluster import HACC, KMedoids
from likewise.distances import knn_graph, nearest, pairwise, pairwise_chunks


def rows(seed, n=12, d=7):
    """Random rows with many zeros, among them an empty one and two that are equal."""
    rng = np.random.default_rng(seed)
    X = rng.integers(1, 9, (n, d)) / 3 * (rng.random((n, d)) < 0.4)
    X[n // 2], X[-1] = 0, X[0]
    return X


def shuffled(X):
    """The same rows with their columns out of order, some of them in two halves, and zeros that are written down."""
    rng = np.random.default_rng(0)
    i, j = np.indices(X.shape).reshape(2, -1)
    order = rng.permutation(2 * X.size)
    return sparse.coo_array((np.tile(X.ravel() / 2, 2)[order], (np.tile(i, 2)[order], np.tile(j, 2)[order])), X.shape)


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix, sparse.csc_array, shuffled])
@pytest.mark.parametrize("seed", range(5))
def test_distances_are_those_of_dense_rows_to_the_last_bit(seed, make):
    X, Y = rows(seed), rows(seed + 100, n=5)
    for metric in ("euclidean", "chi2"):
        assert pairwise(make(X), metric=metric).tolist() == pairwise(X, metric=metric).tolist()
        for left, right in ((make(X), make(Y)), (make(X), Y), (X, make(Y))):
            assert pairwise(left, right, metric=metric).tolist() == pairwise(X, Y, metric=metric).tolist()
    found = pairwise(make(X), metric="cosine")
    np.testing.assert_allclose(found, pairwise(X, metric="cosine"), atol=1e-15)
    assert found[0, -1] == 0
    np.testing.assert_allclose(pairwise(make(X), Y, metric="cosine"), pairwise(X, Y, metric="cosine"), atol=1e-15)
    blocks = [block for _, block in pairwise_chunks(make(X), metric="cosine", max_bytes=400)]
    assert np.concatenate(blocks).tolist() == found.tolist()
    assert len(blocks) > 1
    assert pairwise(make(X).astype(np.float32), dtype=np.float32).dtype == np.float32


def test_of_no_columns_and_of_zeros_alone_all_is_near():
    assert pairwise(sparse.csr_array((3, 4))).tolist() == np.zeros((3, 3)).tolist()
    assert pairwise(sparse.csr_array((3, 4)), metric="cosine").tolist() == np.zeros((3, 3)).tolist()


@pytest.mark.parametrize("metric", ["euclidean", "chi2"])
def test_neighbours_are_those_of_dense_rows(metric):
    X, Y = rows(3, n=30), rows(4, n=9)
    for other in ((), (Y,)):
        dense = nearest(X, *other, n_neighbors=4, metric=metric)
        found = nearest(sparse.csr_array(X), *map(sparse.csr_array, other), n_neighbors=4, metric=metric)
        assert found.indices.tolist() == dense.indices.tolist()
        assert found.distances.tolist() == dense.distances.tolist()
    graph = knn_graph(sparse.csr_array(X), metric=metric, symmetric="union")
    assert (graph.toarray() == knn_graph(X, metric=metric, symmetric="union").toarray()).all()


@pytest.mark.parametrize("model", [HACC(3), KMedoids(3, random_state=0), KMedoids(3, restricted=20, random_state=0)])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_clusters_are_those_of_dense_rows(model, metric):
    X = rows(5, n=40, d=5)
    said = {"must_link": [(0, 1)], "cannot_link": [(0, 2)]}
    model.set_params(metric=metric)
    expected = model.fit_predict(X, **said).tolist()
    assert model.fit_predict(sparse.csr_array(X), **said).tolist() == expected
    if hasattr(model, "predict"):
        assert model.predict(sparse.csr_array(X)).tolist() == model.predict(X).tolist()
        assert model.cluster_centers_.tolist() == X[model.medoid_indices_].tolist()


def test_what_sparse_rows_cannot_do_is_said():
    X = sparse.csr_array(rows(0))
    for call in (pairwise, nearest, lambda X, metric: HACC(2, metric=metric).fit(X)):
        with pytest.raises(TypeError, match=r"sparse vectors have the metrics chi2, cosine, euclidean.*toarray"):
            call(X, metric="manhattan")
    with pytest.raises(ValueError, match="'faiss' is for dense vectors"):
        nearest(X, method="faiss")
    with pytest.raises(ValueError, match="n_neighbors is 12, but there are only 11"):
        nearest(X, n_neighbors=12)
    with pytest.raises(ValueError, match="X has 7 columns, but Y has 3"):
        pairwise(X, np.ones((2, 3)))
    with pytest.raises(ValueError, match="no negative values"):
        pairwise(-X, metric="chi2")
    with pytest.raises(ValueError, match="NaN"):
        pairwise(sparse.csr_array([[np.nan, 1.0]]))
    with pytest.raises(ValueError, match="cannot be squared"):
        pairwise(sparse.csr_array([[1e200, 1.0]]))
    with pytest.raises(TypeError, match=r"dense data is required.*TruncatedSVD.*precomputed"):
        Session(X)
    told = Session(pairwise(X, metric="cosine"), metric="precomputed", random_state=0)
    assert told.ask() is not None
