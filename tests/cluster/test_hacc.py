"""HACC against the textbook: sort all pairs, walk through them, look at every cannot-link."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.exceptions import ConvergenceWarning

from likewise.cluster import HACC, constrained_forest as forest_module
from likewise.distances import pairwise

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # small and odd data


def textbook(D, n_clusters, must_link, cannot_link, threshold=np.inf):
    """Kruskal with sets, nothing clever."""
    n = len(D)
    cluster = [{i} for i in range(n)]
    where = list(range(n))

    def join(i, j):
        a, b = where[i], where[j]
        cluster[a] |= cluster[b]
        for item in cluster[b]:
            where[item] = a
        cluster[b] = set()

    for i, j in must_link:
        if where[i] != where[j]:
            join(i, j)
    edges = sorted((D[i, j], i, j) for i in range(n) for j in range(i + 1, n))
    for d, i, j in edges:
        if len(set(where)) <= n_clusters or d > threshold:
            break
        if where[i] == where[j]:
            continue
        ends = {where[i], where[j]}
        if any({where[a], where[b]} == ends for a, b in cannot_link):
            continue
        join(i, j)
    number = {}
    return [number.setdefault(w, len(number)) for w in where]


@st.composite
def cases(draw):
    n = draw(st.integers(1, 18))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    D = rng.integers(1, draw(st.sampled_from([4, 20, 10_000])), (n, n)).astype(float)
    D = np.triu(D, 1)
    D += D.T
    truth = rng.integers(0, draw(st.integers(1, 6)), n)
    m = draw(st.integers(0, 20)) if n > 1 else 0
    pairs = [sorted(rng.choice(n, 2, replace=False).tolist()) for _ in range(m)]
    must = [p for p in pairs if truth[p[0]] == truth[p[1]]]
    cannot = [p for p in pairs if truth[p[0]] != truth[p[1]]]
    return D, draw(st.integers(1, n)), must, cannot


@given(cases())
@settings(max_examples=1000, deadline=None)
def test_equals_the_textbook(case):
    D, k, must, cannot = case
    model = HACC(k, metric="precomputed").fit(D, must_link=must, cannot_link=cannot)
    expected = textbook(D, k, must, cannot)
    assert model.labels_.tolist() == expected
    assert model.n_clusters_ == len(set(expected))
    assert model.dead_end_ == (len(set(expected)) > k)


@given(cases())
@settings(max_examples=200, deadline=None)
def test_chunks_do_not_change_the_result(case):
    D, k, must, cannot = case
    first, growth = forest_module.FIRST_EDGES, forest_module.GROWTH
    whole = HACC(k, metric="precomputed").fit(D, must_link=must, cannot_link=cannot)
    enough = forest_module.ENOUGH
    try:
        forest_module.FIRST_EDGES, forest_module.GROWTH, forest_module.ENOUGH = 0.2, 1.5, 1
        chunked = HACC(k, metric="precomputed").fit(D, must_link=must, cannot_link=cannot)
    finally:
        forest_module.FIRST_EDGES, forest_module.GROWTH, forest_module.ENOUGH = first, growth, enough
    assert chunked.labels_.tolist() == whole.labels_.tolist()
    assert chunked.edges_.tolist() == whole.edges_.tolist()


@given(cases(), st.sampled_from([0.0, 2.0, 3.0, 12.0]))
@settings(max_examples=200, deadline=None)
def test_threshold(case, threshold):
    D, _, must, cannot = case
    model = HACC(None, metric="precomputed", distance_threshold=threshold)
    assert model.fit(D, must_link=must, cannot_link=cannot).labels_.tolist() == textbook(D, 1, must, cannot, threshold)
    assert not model.dead_end_


@pytest.mark.parametrize("metric", ["euclidean", lambda a, b: float(abs(a - b).sum())])
def test_vectors_in_blocks_equal_their_matrix(metric, monkeypatch):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3))
    D = pairwise(X, metric=metric)
    cannot = [(0, 1), (4, 9)]
    expected = HACC(5, metric="precomputed").fit(D, cannot_link=cannot)
    monkeypatch.setattr(forest_module, "BLOCK_BYTES", 8 * 60 * 7)
    model = HACC(5, metric=metric).fit(X, cannot_link=cannot)
    assert model.labels_.tolist() == expected.labels_.tolist()
    np.testing.assert_allclose(model.distances_, expected.distances_)


def test_dead_end_is_reported():
    D = 1.0 - np.eye(3)
    model = HACC(1, metric="precomputed").fit(D, cannot_link=[(0, 1), (1, 2), (0, 2)])
    assert model.dead_end_
    assert model.n_clusters_ == 3


def test_fewer_clusters_than_asked_when_must_links_say_so():
    model = HACC(3).fit([[0.0], [1.0], [2.0]], must_link=[(0, 1), (1, 2)])
    assert model.n_clusters_ == 1
    assert not model.dead_end_


def test_neither_number_nor_threshold():
    with pytest.raises(ValueError, match="n_clusters, or a distance_threshold"):
        HACC(None).fit([[0.0], [1.0]])


def test_more_clusters_than_asked_for_are_told():
    X = np.arange(6.0)[:, None]
    with pytest.warns(ConvergenceWarning, match="no fewer than 3 clusters here; n_clusters is 2"):
        HACC(2).fit(X, cannot_link=[(0, 2), (2, 5), (0, 5)])
