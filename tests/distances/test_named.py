"""Names of scikit-learn's metrics mean what they mean there."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import PAIRWISE_DISTANCE_FUNCTIONS

from likewise import Session
from likewise.cluster import HACC, KMedoids, Subclustering
from likewise.distances import nearest, pairwise, pairwise_chunks
from likewise.distances.named import ALIASES, NAMED, OF_SETS

# those of scikit-learn, and of scipy's that it documents
OF_SKLEARN = {*PAIRWISE_DISTANCE_FUNCTIONS} - {"precomputed"} | {
    *(
        "braycurtis",
        "canberra",
        "chebyshev",
        "correlation",
        "dice",
        "hamming",
        "jaccard",
        "minkowski",
        "rogerstanimoto",
    ),
    *("russellrao", "sokalsneath", "sqeuclidean", "yule"),
}
X = np.abs(np.random.default_rng(0).normal(size=(30, 2)))


def data_for(metric):
    rng = np.random.default_rng(1)
    if ALIASES.get(metric, metric) in OF_SETS:
        return np.column_stack([np.ones(30), rng.random((30, 9)) < 0.4])
    return rng.random((30, 6)) if metric == "correlation" else X


def test_no_name_is_forgotten():
    assert {*NAMED, *ALIASES, "euclidean", "cosine"} >= OF_SKLEARN


@pytest.mark.parametrize("metric", sorted(OF_SKLEARN))
def test_distances_are_those_of_scikit_learn(metric):
    A = data_for(metric)
    typed = A.astype(bool) if ALIASES.get(metric, metric) in OF_SETS else A
    expected = pairwise_distances(typed, metric=metric)
    np.testing.assert_allclose(pairwise(A, metric=metric), expected, atol=1e-7)
    across = pairwise_distances(typed[:5], typed, metric=metric)
    np.testing.assert_allclose(pairwise(A[:5], A, metric=metric), across, atol=1e-7)
    blocks = [block for _, block in pairwise_chunks(A[:5], A, metric=metric, max_bytes=500)]
    np.testing.assert_allclose(np.concatenate(blocks), across, atol=1e-7)
    assert pairwise(A.astype(np.float32), metric=metric, dtype=np.float32).dtype == np.float32


@pytest.mark.parametrize("metric", ["manhattan", "jaccard", "correlation"])
def test_who_takes_a_metric_takes_every_name(metric):
    A = data_for(metric)
    D = pairwise(A, metric=metric)
    assert nearest(A, n_neighbors=3, metric=metric).indices.tolist() == (
        nearest(D, n_neighbors=3, metric="precomputed").indices.tolist()
    )
    for model in (HACC(3), KMedoids(3, random_state=0), Subclustering(2, size=4, random_state=0)):
        given = model.set_params(metric="precomputed").fit_predict(D)
        assert model.set_params(metric=metric).fit_predict(A).tolist() == given.tolist()
    named, given = Session(A, metric=metric, random_state=0), Session(D, metric="precomputed", random_state=0)
    for _ in range(3):
        question = named.ask()
        assert question.items == given.ask().items
        for session in (named, given):
            session.answer(question, "different")


def test_the_same_distance_by_another_name_asks_the_same():
    asked = [Session(X, metric=metric, random_state=0).ask().items for metric in ("euclidean", "l2", "minkowski")]
    assert len({*asked}) == 1


@pytest.mark.parametrize(
    ("metric", "A", "message"),
    [
        ("mahalanobis", X, "depends on all vectors: scale them first"),
        ("seuclidean", X, "depends on all vectors"),
        ("correlation", [[1.0, 1.0], [1.0, 2.0]], "has no value for rows 0 and 1"),
        ("haversine", np.zeros((2, 3)), "2 columns, not 3"),
    ],
)
def test_what_a_name_cannot_do_is_said(metric, A, message):
    with pytest.raises(ValueError, match=message):
        pairwise(A, metric=metric)
