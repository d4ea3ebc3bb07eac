"""PCKMeans against a plain sum over the closure's pairs, and against all labelings of small sets."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from likewise.cluster import COPKMeans, PCKMeans
from likewise.cluster.groups import constrained_groups
from likewise.cluster.kmeans.penalised import assign
from likewise.cluster.seeding import mean_seeds
from likewise.cluster.weighed import read_weighed, stack_levels, unweighed_levels
from likewise.constraints import Constraints
from likewise.kernels.assignment.counted import sum_counted
from likewise.kernels.assignment.penalised import Penalties, fill_empty


def slow_objective(X, labels, weight, constraints):
    """The sum as the paper writes it, pair by pair."""
    total = 0.0
    for cluster in set(labels):
        members = X[labels == cluster]
        total += ((members - members.mean(axis=0)) ** 2).sum()
    must_link, cannot_link = constraints.closure()
    total += weight * sum(labels[i] != labels[j] for i, j in must_link)
    return total + weight * sum(labels[i] == labels[j] for i, j in cannot_link)


def lowest_objective(X, n_clusters, weight, constraints):
    labelings = (np.array((0, *rest)) for rest in product(range(n_clusters), repeat=len(X) - 1))
    return min(
        slow_objective(X, labels, weight, constraints)
        for labels in labelings
        if len(set(labels.tolist())) == n_clusters
    )


def random_case(seed, n=30, n_clusters=3, n_pairs=15, error=0.2):
    """Points, and consistent constraints of which some fit no clusters."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(n, 2)).astype(float)  # many ties
    truth = rng.integers(n_clusters, size=n)
    answers = Constraints(n)
    for _ in range(n_pairs):
        i, j = rng.choice(n, 2, replace=False)
        same = (truth[i] == truth[j]) != (rng.random() < error)
        if answers.known(i, j) is None:
            answers.add(int(i), int(j), "same" if same else "different")
    return X, answers


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.sampled_from([0.0, 0.3, 2.0, 50.0]))
def test_objective_is_the_plain_sum_and_never_rises(seed, n_clusters, weight):
    X, known = random_case(seed, n_clusters=n_clusters)
    model = PCKMeans(n_clusters, weight=weight, n_init=2, random_state=seed)
    model.fit(X, must_link=known.must_link, cannot_link=known.cannot_link)
    expected = slow_objective(X, model.labels_, weight, known)
    assert model.objective_ == pytest.approx(expected, rel=1e-9, abs=1e-9)
    path = model.objective_path_
    assert (np.diff(path) <= 1e-9 * (1.0 + path[:-1])).all()
    assert path[-1] == model.objective_
    assert model.cluster_centers_ == pytest.approx(
        np.array([X[model.labels_ == k].mean(axis=0) for k in range(n_clusters)])
    )


def test_brute_force_is_a_bound_that_is_often_reached():
    reached = 0
    for seed in range(30):
        X, known = random_case(seed, n=7, n_clusters=2 + seed % 2, n_pairs=4)
        weight = [0.5, 3.0, 40.0][seed % 3]
        lowest = lowest_objective(X, 2 + seed % 2, weight, known)
        model = PCKMeans(2 + seed % 2, weight=weight, n_init=20, random_state=seed)
        model.fit(X, must_link=known.must_link, cannot_link=known.cannot_link)
        assert model.objective_ >= lowest - 1e-9
        reached += model.objective_ <= lowest + 1e-9
    assert reached >= 28


def test_every_item_and_group_is_where_it_costs_least():
    """At the end no single move of an item, and no move of a group, gains."""
    for seed in range(30):
        X, known = random_case(seed, n=20)
        model = PCKMeans(3, weight=2.0, tol=0.0, random_state=seed)
        model.fit(X, must_link=known.must_link, cannot_link=known.cannot_link)
        must_link, cannot_link = known.closure()

        def price(labels, centres=model.cluster_centers_, ml=must_link, cl=cannot_link, X=X):
            split = (labels[ml[:, 0]] != labels[ml[:, 1]]).sum()
            met = (labels[cl[:, 0]] == labels[cl[:, 1]]).sum()
            return ((X - centres[labels]) ** 2).sum() + 2.0 * (split + met)

        now = price(model.labels_)
        sizes = np.bincount(model.labels_)
        for unit in [*([i] for i in range(20)), *known.groups()]:
            left = sizes - np.bincount(model.labels_[unit], minlength=3)
            for cluster in range(3):
                if (left == 0)[np.arange(3) != cluster].any():
                    continue
                moved = model.labels_.copy()
                moved[unit] = cluster
                assert price(moved) >= now - 1e-9


def test_assignment_step_prices_what_it_returns():
    rng = np.random.default_rng(5)
    for seed in range(50):
        _, known = random_case(seed, n=25, n_pairs=20)
        levels = unweighed_levels(known)
        groups, layers = levels[0].groups, stack_levels(levels)
        own = rng.random((25, 4))
        must_link, cannot_link = known.closure()

        def slow_price(labels, own=own, ml=must_link, cl=cannot_link):
            violated = (labels[ml[:, 0]] != labels[ml[:, 1]]).sum() + (labels[cl[:, 0]] == labels[cl[:, 1]]).sum()
            return own[np.arange(25), labels].sum() + 0.7 * violated

        before = rng.permutation(np.arange(25) % 4)
        priced = sum_counted(own, groups, layers, 0.7, before)
        assert priced == pytest.approx(slow_price(before))
        for start in (None, before):
            labels, price = assign(own, groups, layers, 0.7, start, np.random.RandomState(seed))
            assert price == pytest.approx(slow_price(labels))
            assert set(labels) == {0, 1, 2, 3}
        assert price <= slow_price(before)


def one_price(n_slots, n_clusters, weight):
    """As distances: vectors of no width, squared norms of 1/2, a reach of 2; every violation costs the weight."""
    norms, reach = np.full((n_slots, 1, 1), 0.5), np.full(n_clusters, 2.0)
    return Penalties(np.empty((n_slots, 0)), norms, np.zeros(n_clusters, np.int64), reach, weight)


@pytest.mark.parametrize("weighed", [False, True])
def test_counting_gives_the_bits_of_the_sums_of_distances(weighed):
    rng = np.random.default_rng(6)
    for seed in range(60):
        n, n_clusters, weight = 40, 2 + seed % 5, float(rng.choice([0.0, 0.3, 1.7, 50.0]))
        _, known = random_case(seed, n=n, n_pairs=45)
        must, cannot = known.must_link, known.cannot_link
        weights = [rng.choice([0.5, 1.0, 3.0], len(side)) if weighed else None for side in (must, cannot)]
        levels = read_weighed(n, must, cannot, *weights).levels()
        groups, layers = levels[0].groups, stack_levels(levels)
        own = rng.random((n, n_clusters)) if seed % 2 else rng.integers(0, 3, (n, n_clusters)).astype(float)  # ties
        slow = one_price(len(groups.members), n_clusters, weight)
        for start in (None, rng.permutation(np.arange(n) % n_clusters)):
            found = [assign(own, groups, layers, p, start, np.random.RandomState(seed)) for p in (weight, slow)]
            assert found[0][0].tolist() == found[1][0].tolist()
            assert found[0][1] == found[1][1]


@pytest.mark.parametrize("weight", [0.0, 1.0, 1000.0])
def test_no_cluster_is_left_empty(weight):
    """Items and groups would rather all be in one cluster."""
    rng = np.random.default_rng(0)
    for seed in range(50):
        known = Constraints(8, [(0, 1), (1, 2), (3, 4), (5, 6)], [(0, 7)])
        levels = unweighed_levels(known)
        groups, layers = levels[0].groups, stack_levels(levels)
        own = rng.random((8, 4)) + np.array([0.0, 5.0, 5.0, 5.0])
        for start in (None, rng.permutation(np.arange(8) % 4), np.array([1, 1, 1, 0, 0, 2, 2, 3])):
            labels, _ = assign(own, groups, layers, weight, start, np.random.RandomState(seed))
            assert set(labels) == {0, 1, 2, 3}


def test_empty_clusters_take_unconstrained_items_first():
    own = np.array([[9.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    labels, sizes = np.zeros(3, np.int64), np.array([3, 0])
    fill_empty(own, np.array([0, -1, -1]), labels, sizes)
    assert labels.tolist() == [0, 0, 1]
    assert sizes.tolist() == [2, 1]


def test_first_start_is_weighted_farthest_first():
    """The largest group, then the largest size × squared distance: 2 × 10² beats 3 × 7² and 2 × 1²."""
    X = np.array([0.0, 0.0, 0.0, 0.0, 7.0, 7.0, 7.0, -10.0, -10.0, 1.0, 1.0])[:, None]
    groups = constrained_groups(Constraints(11, [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (9, 10)]))
    seeds = mean_seeds(X, groups, 3, np.random.RandomState(0), 0)
    assert seeds.ravel().tolist() == [0.0, -10.0, 7.0]


def test_starts_fill_up_with_items_that_differ_from_all_groups():
    X = np.array([0.0, 0.0, 5.0, 100.0, -100.0])[:, None]
    groups = constrained_groups(Constraints(5, [(0, 1)], [(1, 2)]))
    for seed in range(20):
        seeds = mean_seeds(X, groups, 2, np.random.RandomState(seed), 0)
        assert seeds.ravel().tolist() == [0.0, 5.0]


def test_no_weight_and_no_constraints_are_k_means():
    X, known = random_case(3)
    X[:10, 0] += 50.0
    X[20:, 1] += 50.0
    plain = PCKMeans(3, n_init=10, random_state=0).fit(X)
    weightless = PCKMeans(3, weight=0.0, n_init=10, random_state=0)
    weightless.fit(X, must_link=known.must_link, cannot_link=known.cannot_link)
    assert weightless.objective_ == pytest.approx(plain.objective_)
    assert COPKMeans(3, n_init=10, random_state=0).fit(X).inertia_ == pytest.approx(plain.objective_)


def test_automatic_weight_does_not_depend_on_scale():
    X, known = random_case(8)
    fits = [
        PCKMeans(3, random_state=0).fit(scale * X, must_link=known.must_link, cannot_link=known.cannot_link)
        for scale in (1.0, 1024.0)
    ]
    assert fits[0].labels_.tolist() == fits[1].labels_.tolist()
    assert fits[0].weight_ == pytest.approx(((X - X.mean(axis=0)) ** 2).sum() / len(X))


@pytest.mark.parametrize("w", [-1.0, "heavy", np.nan])
def test_bad_weight(w):
    with pytest.raises(ValueError, match="w"):
        PCKMeans(2, weight=w).fit([[0.0], [1.0]])
