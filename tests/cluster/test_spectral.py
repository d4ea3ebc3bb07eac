"""Spectral learning and SpReg: the graph, its eigenvectors, and the rounding."""

import itertools

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from likewise import Constraints
from likewise.cluster import SpectralLearning, SpectralRegularized
from likewise.cluster.groups import constrained_groups
from likewise.cluster.spectral.rounding import certain_sets, round_rows, vote
from likewise.cluster.spectral.signed_graph import decompose, lead, write_constraints
from likewise.cluster.spectral.spectral import make_affinity
from likewise.distances import local_affinity


def random_constraints(rng, n, n_said=12, n_classes=3):
    truth = rng.integers(n_classes, size=n)
    pairs = [rng.choice(n, 2, replace=False).tolist() for _ in range(n_said)]
    same = [p for p in pairs if truth[p[0]] == truth[p[1]]]
    different = [p for p in pairs if truth[p[0]] != truth[p[1]]]
    return Constraints(n, same, different)


def random_affinity(rng, n, share=1.0):
    W = rng.random((n, n)) * (rng.random((n, n)) < share)
    W = np.triu(W, 1)
    return W + W.T + np.eye(n)


def blobs(sizes, seed=0, gap=8.0):
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    angle = 2 * np.pi * truth / len(sizes)
    return rng.normal(size=(len(truth), 2)) + gap * np.column_stack([np.cos(angle), np.sin(angle)]), truth


@pytest.mark.parametrize("cannot", [-1.0, 0.0])
def test_the_closure_is_written_and_nothing_else_is_touched(cannot):
    rng = np.random.default_rng(0)
    for _ in range(40):
        n = int(rng.integers(2, 14))
        W, said = random_affinity(rng, n, 0.6), random_constraints(rng, n, int(rng.integers(0, 12)))
        wanted = W.copy()
        for i, j in itertools.permutations(range(n), 2):
            known = said.known(i, j)
            wanted[i, j] = {"same": 1.0, "different": cannot, None: W[i, j]}[known]
        np.fill_diagonal(wanted, 0.0)
        for given in (W, csr_array(W)):
            graph = write_constraints(given, said, cannot)
            np.testing.assert_allclose(graph.toarray(), wanted, atol=1e-12)
            total = np.abs(wanted).sum(axis=1)
            np.testing.assert_allclose(graph.degrees, np.where(total > 0, total, 1.0))
            np.testing.assert_allclose(graph.signed_degrees, wanted.sum(axis=1), atol=1e-12)
            V = rng.normal(size=(n, 3))
            np.testing.assert_allclose(graph.apply(V), wanted @ V, atol=1e-12)
            np.testing.assert_allclose(graph.apply(V[:, 0]), wanted @ V[:, 0], atol=1e-12)


def test_with_signed_degrees_the_lowest_vectors_are_those_of_the_signed_laplacian():
    rng = np.random.default_rng(2)
    for n, share in ((12, 0.7), (30, 0.2), (420, 0.05)):
        W, said = random_affinity(rng, n, share), random_constraints(rng, n, n // 2)
        dense = write_constraints(W, said).toarray()
        scale = np.sqrt(np.abs(dense).sum(axis=1))
        L = (np.diag(dense.sum(axis=1)) - dense) / np.outer(scale, scale)
        values, vectors = np.linalg.eigh(L)
        assert values[0] < 0  # what is known to differ is pushed apart
        for given in (W, csr_array(W)):
            found = decompose(write_constraints(given, said), 4, "signed", start=rng.normal(size=n))
            np.testing.assert_allclose(found.values, values[:4], atol=1e-7)
            if values[4] - values[3] > 1e-3:
                overlap = np.linalg.svd(vectors[:, :4].T @ found.vectors, compute_uv=False)
                np.testing.assert_allclose(overlap, 1.0, atol=1e-6)


def test_without_negative_affinities_signs_make_no_difference():
    W = random_affinity(np.random.default_rng(3), 20, 0.8)
    graph = write_constraints(W, Constraints(20, [(0, 1)]))
    for one, other in zip(*(decompose(graph, 5, kind)[:2] for kind in ("normalized", "signed")), strict=True):
        np.testing.assert_allclose(np.abs(one), np.abs(other), atol=1e-9)


@pytest.mark.parametrize("laplacian", ["normalized", "unnormalized"])
def test_the_laplacian_stays_positive_semidefinite_and_its_lowest_vectors_are_found(laplacian):
    rng = np.random.default_rng(1)
    for n, share in ((12, 0.7), (30, 0.2), (420, 0.05)):
        W, said = random_affinity(rng, n, share), random_constraints(rng, n, n // 2)
        dense = write_constraints(W, said).toarray()
        degrees = np.abs(dense).sum(axis=1)
        L = np.diag(degrees) - dense
        if laplacian == "normalized":
            L = L / np.sqrt(np.outer(degrees, degrees))
        values, vectors = np.linalg.eigh(L)
        assert values[0] > -1e-9
        for given in (W, csr_array(W)):
            found = decompose(write_constraints(given, said), 4, laplacian, start=rng.normal(size=n))
            np.testing.assert_allclose(found.values, values[:4], atol=1e-7)
            if values[4] - values[3] > 1e-3:
                overlap = np.linalg.svd(vectors[:, :4].T @ found.vectors, compute_uv=False)
                np.testing.assert_allclose(overlap, 1.0, atol=1e-6)


def test_only_the_laplacians_there_are():
    with pytest.raises(ValueError, match="laplacian"):
        SpectralLearning(2, laplacian="other").fit(np.eye(5))


@pytest.mark.parametrize("cannot", [-1.0, 0.0])
def test_the_additive_normalisation_written_out(cannot):
    rng = np.random.default_rng(5)
    for n, share in ((9, 0.8), (25, 0.5), (40, 0.9)):
        W, said = random_affinity(rng, n, share), random_constraints(rng, n, n // 3)
        A = write_constraints(W, said, cannot).toarray()
        degrees = np.abs(A).sum(axis=1)
        N = (A + degrees.max() * np.eye(n) - np.diag(degrees)) / degrees.max()
        values, vectors = np.linalg.eigh(N)
        rows = vectors[:, -3:] / np.linalg.norm(vectors[:, -3:], axis=1, keepdims=True)
        model = SpectralLearning(
            3, affinity="precomputed", laplacian="additive", cannot_link_affinity=cannot, random_state=0
        ).fit(W, must_link=said.must_link, cannot_link=said.cannot_link)
        np.testing.assert_allclose(1 - model.eigenvalues_ / degrees.max(), values[::-1][:3], atol=1e-9)
        if values[-3] - values[-4] > 1e-6:  # else the rows are not unique
            np.testing.assert_allclose(model.embedding_ @ model.embedding_.T, rows @ rows.T, atol=1e-6)


def test_leading_vectors_of_a_large_operator_with_equal_eigenvalues():
    n = 600
    group = np.arange(n) % 5

    def apply(V):
        sums = np.zeros((5, *V.shape[1:]))
        np.add.at(sums, group, V)
        return sums[group] / 120

    values, vectors = lead(apply, 5, n=n)
    np.testing.assert_allclose(values, 1.0, atol=1e-8)
    np.testing.assert_allclose(apply(vectors), vectors, atol=1e-6)


@pytest.mark.parametrize("laplacian", ["normalized", "signed", "unnormalized", "additive"])
@pytest.mark.parametrize("graph_neighbors", [None, 6])
def test_blobs_are_found_on_dense_and_sparse_affinities(laplacian, graph_neighbors):
    X, truth = blobs([130, 110, 100])
    model = SpectralLearning(3, laplacian=laplacian, graph_neighbors=graph_neighbors, random_state=0).fit(X)
    assert adjusted_rand_score(truth, model.labels_) == 1
    assert model.embedding_.shape == (340, 3)
    assert (np.diff(model.eigenvalues_) > -1e-9).all()


def test_affinities_may_be_given_dense_sparse_or_by_a_function():
    X, _ = blobs([20, 15, 12], gap=3.0)
    W = local_affinity(X)
    wanted = SpectralLearning(3, random_state=0).fit_predict(X).tolist()
    given = SpectralLearning(3, affinity="precomputed", random_state=0)
    assert given.fit_predict(W).tolist() == wanted
    assert given.fit_predict(csr_array(W)).tolist() == wanted
    assert SpectralLearning(3, affinity=local_affinity, random_state=0).fit_predict(X).tolist() == wanted
    assert SpectralLearning(3, affinity=W, random_state=0).fit_predict(X).tolist() == wanted
    D = np.linalg.norm(X[:, None] - X, axis=2)
    assert SpectralLearning(3, metric="precomputed", random_state=0).fit_predict(D).tolist() == wanted


@pytest.mark.parametrize(
    ("W", "message"),
    [
        (np.array([[1.0, -0.5], [-0.5, 1.0]]), "negative"),
        (np.array([[1.0, 0.5], [0.2, 1.0]]), "symmetric"),
        (np.ones((2, 3)), "square"),
    ],
)
def test_affinities_that_are_none_are_refused(W, message):
    with pytest.raises(ValueError, match=message):
        SpectralLearning(1, affinity="precomputed").fit(W)


def test_affinities_of_other_items_or_of_another_name_are_refused():
    with pytest.raises(ValueError, match="affinities of 3 items"):
        make_affinity(np.zeros((4, 2)), np.eye(3))
    with pytest.raises(ValueError, match="affinity must be"):
        make_affinity(np.zeros((4, 2)), "nearest")


def test_a_disconnected_graph_is_cut_where_it_falls_apart():
    for n in (40, 400):
        truth = np.arange(n) % 4
        W = (truth[:, None] == truth).astype(float)
        for given in (W, csr_array(W)):
            labels = SpectralLearning(4, affinity="precomputed", random_state=0).fit_predict(given)
            assert adjusted_rand_score(truth, labels) == 1


@pytest.mark.parametrize("laplacian", ["normalized", "unnormalized"])
def test_an_isolated_point_is_no_trouble(laplacian):
    X, truth = blobs([20, 20])
    W = local_affinity(X)
    W[7], W[:, 7] = 0.0, 0.0
    for given in (W, csr_array(W)):
        model = SpectralLearning(2, affinity="precomputed", laplacian=laplacian, random_state=0).fit(
            given, must_link=[(0, 1)], cannot_link=[(0, 39)]
        )
        assert np.isfinite(model.embedding_).all()
        assert model.n_clusters_ == 2
        others = np.delete(np.arange(40), 7)
        assert adjusted_rand_score(truth[others], model.labels_[others]) == 1


def test_a_certain_set_that_is_a_whole_cluster_and_one_that_is_everything():
    X, truth = blobs([10, 12])
    whole = [(0, i) for i in range(1, 10)]
    labels = SpectralLearning(2, random_state=0).fit_predict(X, must_link=whole, cannot_link=[(0, 10)])
    assert adjusted_rand_score(truth, labels) == 1
    everything = SpectralLearning(2, random_state=0).fit(X, must_link=[(0, i) for i in range(1, 22)])
    assert everything.n_clusters_ == 1


def test_more_certain_sets_than_clusters():
    X, _ = blobs([8, 8, 8, 8])
    apart = list(itertools.combinations([0, 8, 16, 24], 2))
    model = SpectralLearning(2, random_state=0).fit(X, must_link=[(0, 1), (8, 9)], cannot_link=apart)
    assert model.n_clusters_ == 2
    assert model.labels_[0] == model.labels_[1] != model.labels_[8] == model.labels_[9]


@pytest.mark.parametrize("cannot", [-1.0, 0.0])
def test_constraints_move_clusters_without_being_kept_by_force(cannot):
    X, truth = blobs([15, 15, 15, 15], gap=4.0)
    wanted = truth % 2
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, 60, (800, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = wanted[pairs[:, 0]] == wanted[pairs[:, 1]]
    free = SpectralLearning(2, random_state=0).fit_predict(X)
    model = SpectralLearning(2, cannot_link_affinity=cannot, keep=False, random_state=0)
    labels = model.fit_predict(X, must_link=pairs[same], cannot_link=pairs[~same])
    assert adjusted_rand_score(wanted, labels) == 1
    assert adjusted_rand_score(wanted, free) < 0.5


def test_rounding_keeps_groups_and_apart_what_is_apart():
    rng = np.random.default_rng(3)
    for _ in range(60):
        n, k = int(rng.integers(4, 16)), int(rng.integers(1, 5))
        said = random_constraints(rng, n, int(rng.integers(0, 14)), 4)
        groups = constrained_groups(said)
        rows = rng.normal(size=(n, 2)).round(1) * rng.integers(0, 2)
        labels = round_rows(rows, min(k, n), np.random.RandomState(0), groups=groups)
        for i, j in said.must_link:
            assert labels[i] == labels[j]
        sets = certain_sets(groups, min(k, n))
        homes = [labels[groups.members[groups.start[g]]] for g in sets]
        assert len(set(homes)) == len(sets)
        n_units = len(groups.free) + len(groups.start) - 1
        assert len(np.unique(labels)) == min(k, n, n_units)


def test_certain_sets_are_a_clique_and_no_group_could_join_them():
    rng = np.random.default_rng(4)
    for _ in range(60):
        said = random_constraints(rng, 10, 16, 5)
        groups = constrained_groups(said)
        first = groups.members[groups.start[:-1]].tolist()
        sets = certain_sets(groups, 10)
        for a, b in itertools.combinations(sets, 2):
            assert said.known(first[a], first[b]) == "different"
        for g in set(range(len(first))) - set(sets):
            assert any(said.known(first[g], first[s]) is None for s in sets)


def test_rounding_finds_the_best_clusters_of_few_points():
    rng = np.random.default_rng(5)
    for _ in range(20):
        rows = rng.normal(size=(7, 2))

        def cost(labels, rows=rows):
            return sum(((rows[labels == c] - rows[labels == c].mean(axis=0)) ** 2).sum() for c in np.unique(labels))

        best = min(cost(np.array(labels)) for labels in itertools.product((0, 1), repeat=7) if len(set(labels)) == 2)
        found = cost(round_rows(rows, 2, np.random.RandomState(0), n_init=30))
        assert found == pytest.approx(best)


def test_spreg_is_the_regularised_cut_written_out():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(25, 3))
    links = [(0, 5), (5, 9), (2, 3)]
    model = SpectralRegularized(3, beta=20.0, random_state=0).fit(X, must_link=links, cannot_link=[(0, 2)])
    W = local_affinity(X)
    np.fill_diagonal(W, 0.0)
    U = np.zeros((4, 25))
    for row, (i, j) in enumerate([(0, 5), (5, 9), (0, 9), (2, 3)]):
        U[row, i], U[row, j] = 1.0, -1.0
    D = W.sum(axis=1)
    _, vectors = np.linalg.eigh((W - 20.0 * U.T @ U) / np.sqrt(np.outer(D, D)))
    wanted = vectors[:, -3:]
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    np.testing.assert_allclose(model.embedding_ @ model.embedding_.T, wanted @ wanted.T, atol=1e-7)


def test_spreg_glues_must_links():
    X, _ = blobs([12, 12, 12], gap=6.0)
    model = SpectralRegularized(2, random_state=0)
    labels = model.fit_predict(X, must_link=[(i, 12 + i) for i in range(12)])
    assert len(set(labels[:24].tolist())) == 1
    assert len(set(labels.tolist())) == 2


def test_a_vote_follows_what_is_near_and_leaves_certain_sets_and_small_clusters():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2], [9.0]])
    W = np.exp(-((X - X.T) ** 2))
    said = Constraints(8, [(0, 1), (4, 5)], [(0, 4)])
    groups = constrained_groups(said)
    labels = np.array([0, 0, 1, 1, 1, 1, 1, 2])
    for given in (W, csr_array(W)):
        assert vote(given, labels, groups, 3).tolist() == [0, 0, 0, 0, 1, 1, 1, 2]
    nothing = constrained_groups(Constraints(8))
    assert vote(W, labels, nothing, 3).tolist() == labels.tolist()


def test_a_vote_keeps_groups_whole():
    rng = np.random.default_rng(8)
    for _ in range(20):
        said = random_constraints(rng, 14, 10)
        groups = constrained_groups(said)
        W = random_affinity(rng, 14, 0.4)
        labels = round_rows(rng.normal(size=(14, 2)), 3, np.random.RandomState(0), groups=groups)
        voted = vote(W, labels, groups, 3)
        assert set(voted.tolist()) == set(labels.tolist())
        for i, j in said.must_link:
            assert voted[i] == voted[j]
