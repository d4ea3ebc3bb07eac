"""COPKMeans against all feasible labelings of small sets; feasibility against exhaustive colouring."""

import pickle
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from likewise.cluster import COPKMeans
from likewise.cluster.feasible import FeasibleAssignment, InfeasibleError
from likewise.constraints import Constraints
from likewise.kernels.assignment.hard import place_groups


def random_constraints(rng, n, n_pairs, share_same=0.3):
    """Consistent, but not always feasible with few clusters."""
    known = Constraints(n)
    for _ in range(n_pairs):
        i, j = (int(k) for k in rng.choice(n, 2, replace=False))
        if known.known(i, j) is None:
            known.add(i, j, "same" if rng.random() < share_same else "different")
    return known


def feasible_labelings(known, n_clusters):
    """All labelings with every constraint kept and no cluster empty."""
    must_link, cannot_link = known.closure()
    for labels in product(range(n_clusters), repeat=known.n):
        kept = all(labels[i] == labels[j] for i, j in must_link)
        kept = kept and all(labels[i] != labels[j] for i, j in cannot_link)
        if kept and len(set(labels)) == n_clusters:
            yield np.array(labels)


def inertia(X, labels):
    return sum(((X[labels == k] - X[labels == k].mean(axis=0)) ** 2).sum() for k in set(labels))


def medoid_inertia(D, labels):
    return sum(D[np.ix_(labels == k, labels == k)].sum(axis=1).min() for k in set(labels.tolist()))


def assert_kept(known, labels):
    must_link, cannot_link = known.closure()
    assert (labels[must_link[:, 0]] == labels[must_link[:, 1]]).all()
    assert (labels[cannot_link[:, 0]] != labels[cannot_link[:, 1]]).all()


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 3), st.integers(0, 9), st.booleans())
def test_feasible_exactly_when_some_labeling_is(seed, n_clusters, n_pairs, distances):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(6, 2)).astype(float)
    known = random_constraints(rng, 6, n_pairs)
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    model = COPKMeans(n_clusters, metric="precomputed" if distances else "euclidean", random_state=seed)
    sides = {"must_link": known.must_link, "cannot_link": known.cannot_link}
    possible = list(feasible_labelings(known, n_clusters))
    if not possible:
        if len(known.groups()) >= n_clusters:
            with pytest.raises(InfeasibleError) as caught:
                model.fit(D if distances else X, **sides)
            assert_names_what_is_wrong(caught.value, known, n_clusters)
        return
    model.fit(D if distances else X, **sides)
    assert_kept(known, model.labels_)
    price = medoid_inertia(D, model.labels_) if distances else inertia(X, model.labels_)
    lowest = min(medoid_inertia(D, p) if distances else inertia(X, p) for p in possible)
    assert model.inertia_ == pytest.approx(price, abs=1e-9)
    assert model.inertia_ >= lowest - 1e-9


def assert_names_what_is_wrong(error, known, n_clusters):
    """The named cannot-links were given, meet in one group, and bar it from every cluster."""
    given_pairs = {tuple(pair) for pair in known.cannot_link.tolist()}
    assert len(error.cannot_link) == n_clusters
    assert set(error.cannot_link) <= given_pairs
    groups = known.labels()
    common = set.intersection(*({int(groups[i]), int(groups[j])} for i, j in error.cannot_link))
    assert common
    assert all(str(pair) in str(error) for pair in error.cannot_link)
    assert isinstance(error, ValueError)


def test_brute_force_is_often_reached():
    reached = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(8, 2))
        known = random_constraints(rng, 8, 5)
        possible = list(feasible_labelings(known, 2))
        if not possible:
            reached += 1
            continue
        model = COPKMeans(2, n_init=20, random_state=0)
        model.fit(X, must_link=known.must_link, cannot_link=known.cannot_link)
        reached += model.inertia_ <= min(inertia(X, p) for p in possible) + 1e-9
    assert reached >= 28


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_constraints_hold_and_inertia_never_rises(metric):
    rng = np.random.default_rng(7)
    for seed in range(30):
        X = rng.normal(size=(60, 2))
        truth = rng.integers(5, size=60)
        pairs = np.array([rng.choice(60, 2, replace=False) for _ in range(120)])
        same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
        known = Constraints(60, pairs[same], pairs[~same])
        D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
        model = COPKMeans(5, metric=metric, random_state=seed)
        model.fit(D if metric == "precomputed" else X, must_link=pairs[same], cannot_link=pairs[~same])
        assert_kept(known, model.labels_)
        assert set(model.labels_) == set(range(5))
        assert (np.diff(model.objective_path_) < 0).all()
        if metric == "precomputed":
            assert (model.labels_[model.medoid_indices_] == np.arange(5)).all()


def test_dead_ends_of_the_greedy_order_are_searched():
    """Three clusters suffice by construction, but the greedy order often misses that."""
    rng = np.random.default_rng(0)
    dead_ends = 0
    for _ in range(20):
        side = rng.permutation(np.arange(30) % 3)
        pairs = [(i, j) for i in range(30) for j in range(i) if side[i] != side[j] and rng.random() < 0.2]
        known = Constraints(30, None, pairs)
        assignment = FeasibleAssignment(known, 3)
        cost = rng.random((len(assignment.groups.sizes), 3))
        dead_ends += not place_groups(cost, *assignment.enemies)[1]
        assert_kept(known, COPKMeans(3, random_state=0).fit_predict(rng.normal(size=(30, 2)), cannot_link=pairs))
    assert dead_ends > 0


def test_colouring_is_matched_to_the_centres():
    """When the search has to find the labels, they still go to the nearest centres as a whole."""
    known = Constraints(4, None, [(0, 1), (2, 3)])
    assignment = FeasibleAssignment(known, 2)
    cost = np.array([[9.0, 0.0], [0.0, 9.0], [0.0, 5.0], [5.0, 0.0]])
    assert assignment._match_colours(cost).tolist() == [1, 0, 0, 1]


def test_a_chain_of_groups_changes_sides_together():
    """0-1-2-3 alternate; each would gain by changing sides, none can alone."""
    known = Constraints(4, None, [(0, 1), (1, 2), (2, 3)])
    assignment = FeasibleAssignment(known, 2)
    own = np.array([[0.0, 3.0], [3.0, 0.0], [0.0, 3.0], [3.0, 0.0]])
    wrong = np.array([1, 0, 1, 0])
    assert assignment._improve(own, assignment._group_cost(own), wrong).tolist() == [0, 1, 0, 1]


def test_too_few_clusters_for_four_different_items():
    X = np.arange(10.0)[:, None]
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    message = r"no labels satisfy every cannot_link with n_clusters=3: .*\(\d, \d\)"
    with pytest.raises(InfeasibleError, match=message) as caught:
        COPKMeans(3).fit(X, cannot_link=pairs)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.cannot_link) == (str(caught.value), caught.value.cannot_link)
    assert len(set(COPKMeans(4).fit_predict(X, cannot_link=pairs)[:4])) == 4


def test_a_hopeless_search_gives_up(monkeypatch):
    monkeypatch.setattr("likewise.cluster.feasible.MAX_STEPS", 5)
    rng = np.random.default_rng(0)
    pairs = [(i, j) for i in range(30) for j in range(i) if rng.random() < 0.5]
    with pytest.raises(InfeasibleError, match="no labels were found in 5 steps"):
        COPKMeans(3).fit(rng.normal(size=(30, 2)), cannot_link=pairs)


def test_medoids_minimise_plain_distances():
    D = np.abs(np.subtract.outer(*2 * [np.array([0.0, 1.0, 2.0, 50.0, 51.0, 53.0])]))
    model = COPKMeans(2, metric="precomputed", random_state=0).fit(D)
    assert model.medoid_indices_.tolist() == [1, 4]
    assert model.inertia_ == 5.0
