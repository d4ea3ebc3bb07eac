"""Bag constraints: Table 2.1 of the thesis, the operator, and what it does to clusters."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import normalized_mutual_info_score

from likewise.cluster import BagSpectral, SpectralLearning, bag_links
from likewise.cluster.spectral.bag_constraints import read_bags, write_bag_links
from likewise.distances import local_affinity


def random_bags(rng, n=20, n_bags=7, n_classes=4, unlabelled=0.3):
    bags = rng.permutation(np.concatenate([np.arange(n_bags), rng.integers(n_bags, size=n - n_bags)]))
    labels = {}
    for bag in range(n_bags):
        if rng.random() > unlabelled:
            size = int(rng.integers(1, n_classes + 1))
            labels[bag] = set(rng.choice(n_classes, size, replace=False).tolist())
    return bags, labels


def dense(bags, labels):
    """Q as eq. 2.12 has it."""
    names = np.unique(bags)
    classes = sorted(set().union(*labels.values())) if labels else []
    B = (np.asarray(bags)[:, None] == names).astype(float)
    Y = np.array([[(c in labels.get(m, ())) / max(len(labels.get(m, ())), 1) for m in names] for c in classes])
    Y = Y.reshape(len(classes), len(names))
    mu = (Y.T @ Y).sum() / len(names) ** 2
    return B @ (Y.T @ Y - mu * np.eye(len(names))) @ B.T, mu


def test_the_operator_is_the_dense_matrix():
    rng = np.random.default_rng(0)
    for _ in range(30):
        bags, labels = random_bags(rng, n_bags=int(rng.integers(1, 12)))
        Q, mu = dense(bags, labels)
        read = read_bags(bags, labels, len(bags))
        assert read.mu == pytest.approx(mu)
        np.testing.assert_allclose(read.apply(np.eye(len(bags))), Q, atol=1e-12)
        v = rng.normal(size=len(bags))
        np.testing.assert_allclose(read.apply(v), Q @ v, atol=1e-12)


def test_table_2_1_entry_by_entry():
    rng = np.random.default_rng(1)
    met = set()
    for _ in range(30):
        bags, labels = random_bags(rng, unlabelled=0.0)
        read = read_bags(bags, labels, len(bags))
        Q = read.apply(np.eye(len(bags)))
        same, different = (set(map(tuple, pairs.tolist())) for pairs in bag_links(bags, labels))
        for p in range(len(bags)):
            for q in range(len(bags)):
                mine, other = labels[bags[p]], labels[bags[q]]
                if bags[p] == bags[q]:
                    row = "ML inside" if len(mine) == 1 else "N/A inside"
                    assert Q[p, q] == pytest.approx(1 / len(mine) - read.mu)
                elif not mine & other:
                    row = "CL"
                    assert Q[p, q] == pytest.approx(0)
                elif len(mine) == len(other) == 1:
                    row = "ML across"
                    assert Q[p, q] == pytest.approx(1)
                else:
                    row = "N/A across"
                    assert Q[p, q] == pytest.approx(len(mine & other) / (len(mine) * len(other)))
                    assert 0 < Q[p, q] < 1
                met.add(row)
                if p < q:
                    assert ((p, q) in same) == row.startswith("ML")
                    assert ((p, q) in different) == (row == "CL")
    assert met == {"ML inside", "ML across", "CL", "N/A inside", "N/A across"}


def test_without_links_the_must_link_entries_are_zero_and_the_rest_is_left():
    rng = np.random.default_rng(2)
    for _ in range(20):
        bags, labels = random_bags(rng)
        read = read_bags(bags, labels, len(bags))
        wanted = read.apply(np.eye(len(bags)))
        for i, j in bag_links(bags, labels)[0]:
            wanted[i, j] = wanted[j, i] = 0.0
        for i, bag in enumerate(bags):
            if len(labels.get(bag, ())) == 1:
                wanted[i, i] = 0.0
        np.testing.assert_allclose(read.apply(np.eye(len(bags)), with_links=False), wanted, atol=1e-12)


def test_the_penalty_summed_over_all_pairs_of_bags_has_a_constant_where_the_thesis_has_the_identity():
    rng = np.random.default_rng(3)
    bags, labels = random_bags(rng, n=8, n_bags=4, unlabelled=0.0)
    read = read_bags(bags, labels, 8)
    like = read.shares.T @ read.shares
    B = np.eye(4)[read.of_item]
    total = np.zeros((8, 8))
    pairs = [(i, j) for i in range(4) for j in range(4)]
    for i, j in pairs:
        for r, s in pairs:
            total += (like[i, j] - like[r, s]) * (np.outer(B[:, j], B[:, i]) - np.outer(B[:, s], B[:, r]))
    np.testing.assert_allclose(total / (2 * 4**2), B @ (like - read.mu) @ B.T, atol=1e-12)


def test_no_labels_and_no_weight_are_plain_spectral_clustering():
    X = np.random.default_rng(4).normal(size=(40, 3))
    plain = BagSpectral(3, random_state=0).fit(X)
    bags, labels = random_bags(np.random.default_rng(5), n=40)
    unweighted = BagSpectral(3, alpha=0.0, random_state=0).fit(X, bags=bags, bag_labels=labels)
    assert plain.labels_.tolist() == unweighted.labels_.tolist()
    W = local_affinity(X)
    scale = 1 / np.sqrt(W.sum(axis=1))
    _, vectors = np.linalg.eigh(W * np.outer(scale, scale))
    rows = vectors[:, -3:] / np.linalg.norm(vectors[:, -3:], axis=1, keepdims=True)
    np.testing.assert_allclose(plain.embedding_ @ plain.embedding_.T, rows @ rows.T, atol=1e-7)


def bagged_classes(seed, n_bags=60, n_classes=5):
    """Overlapping classes, three items a bag."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=3 * n_bags)
    X = rng.normal(size=(len(truth), 4)) + 1.6 * rng.normal(size=(n_classes, 4))[truth]
    bags = np.repeat(np.arange(n_bags), 3)
    return X, truth, bags, {b: set(truth[bags == b].tolist()) for b in range(n_bags)}


@pytest.mark.parametrize("n_clusters", [5, 8])
@pytest.mark.parametrize("graph_neighbors", [None, 15])
def test_labels_of_bags_help(n_clusters, graph_neighbors):
    gains = []
    for seed in range(4):
        X, truth, bags, labels = bagged_classes(seed)
        options = {"graph_neighbors": graph_neighbors, "random_state": 0}
        plain = SpectralLearning(n_clusters, **options).fit_predict(X)
        found = BagSpectral(n_clusters, **options).fit_predict(X, bags=bags, bag_labels=labels)
        gains.append(normalized_mutual_info_score(truth, found) - normalized_mutual_info_score(truth, plain))
    assert np.mean(gains) > 0.02


@pytest.mark.parametrize("n_clusters", [5, 7])
def test_links_are_left_out_whatever_the_number_of_clusters(n_clusters):
    X, _, bags, labels = bagged_classes(0)
    model = BagSpectral(n_clusters, with_links=False, random_state=0).fit(X, bags=bags, bag_labels=labels)
    W, read = local_affinity(X), read_bags(bags, labels, len(X))
    scale = 1 / np.sqrt(W.sum(axis=1))
    Q = read.apply(np.eye(len(X)), with_links=False)
    _, vectors = np.linalg.eigh((W + model.alpha * Q) * np.outer(scale, scale))
    rows = vectors[:, -n_clusters:] / np.linalg.norm(vectors[:, -n_clusters:], axis=1, keepdims=True)
    np.testing.assert_allclose(model.embedding_ @ model.embedding_.T, rows @ rows.T, atol=1e-6)


@pytest.mark.parametrize("must_link", [True, False])
def test_links_of_the_labels_are_written_pair_by_pair(must_link):
    rng = np.random.default_rng(8)
    for unlabelled in (0.0, 0.3, 1.0):
        for _ in range(10):
            bags, labels = random_bags(rng, n_bags=int(rng.integers(1, 9)), unlabelled=unlabelled)
            n = len(bags)
            W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.5), 1)
            W += W.T
            wanted = W.copy()
            same, different = bag_links(bags, labels, must_link=must_link)
            wanted[same[:, 0], same[:, 1]] = wanted[same[:, 1], same[:, 0]] = 1.0
            wanted[different[:, 0], different[:, 1]] = wanted[different[:, 1], different[:, 0]] = 0.0
            read = read_bags(bags, labels, n)
            for given in (W, csr_array(W)):
                found = write_bag_links(given, read, must_link=must_link)
                found = found if isinstance(found, np.ndarray) else found.toarray()
                off = ~np.eye(n, dtype=bool)
                np.testing.assert_array_equal(found[off], wanted[off])


@pytest.mark.parametrize("links", ["both", "cannot"])
def test_written_links_are_those_that_could_be_given(links):
    rng = np.random.default_rng(9)
    bags, labels = random_bags(rng, n=40, n_bags=15, n_classes=3)
    X = rng.normal(size=(40, 3))
    same, different = bag_links(bags, labels, must_link=links == "both")
    model = BagSpectral(3, write_links=links, graph_neighbors=6, random_state=0)
    given = BagSpectral(3, graph_neighbors=6, random_state=0)
    written = model.fit(X, bags=bags, bag_labels=labels).embedding_
    wanted = given.fit(X, bags=bags, bag_labels=labels, must_link=same, cannot_link=different).embedding_
    np.testing.assert_allclose(written @ written.T, wanted @ wanted.T, atol=1e-8)
    with pytest.raises(ValueError, match="write_links"):
        BagSpectral(2, write_links="must").fit(X)


def test_names_of_bags_and_classes_may_be_anything_and_mistakes_are_named():
    X = np.random.default_rng(0).normal(size=(6, 2))
    bags = ["a", "a", "b", "b", "c", "c"]
    model = BagSpectral(2, random_state=0).fit(X, bags=bags, bag_labels={"a": {"x"}, "b": {"x", 3}, "c": ()})
    assert model.n_clusters_ == 2
    assert model.mu_ == pytest.approx((1.5**2 + 0.5**2) / 9)
    with pytest.raises(ValueError, match="holds no item: 'z'"):
        model.fit(X, bags=bags, bag_labels={"z": {"x"}})
    with pytest.raises(ValueError, match="each of 6 items"):
        model.fit(X, bags=bags[:5])
    with pytest.raises(ValueError, match="alpha"):
        BagSpectral(2, alpha=-1.0).fit(X)


def test_pairs_of_items_may_be_given_besides():
    X, _, bags, labels = bagged_classes(1)
    model = BagSpectral(5, random_state=0).fit(X, bags=bags, bag_labels=labels, must_link=[(0, 1)])
    other = BagSpectral(5, random_state=0).fit(X, bags=bags, bag_labels=labels)
    near = [np.linalg.norm(m.embedding_[0] - m.embedding_[1]) for m in (model, other)]
    assert near[0] < near[1]
