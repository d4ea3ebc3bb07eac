"""Competitive agglomeration and PCCA: every part against the equations written out, and the number of clusters."""

import itertools

import numpy as np
import pytest

from likewise.cluster import PCCA, CompetitiveAgglomeration, PCKMeans
from likewise.cluster.pcca.fuzzy import _Parts, euclidean, group_sums, mahalanobis, merge_map, spread, violations
from likewise.cluster.pcca.search import FuzzySearch
from likewise.cluster.weighed import stack_levels, unweighed_levels
from likewise.constraints import Constraints
from likewise.kernels.assignment.memberships import balance_bound, balance_free

BOTH = [CompetitiveAgglomeration(6, random_state=0), PCCA(6, random_state=0)]


def blobs(seed, n_clusters=4, d=2, apart=8.0, sizes=(40, 150)):
    """Normal clusters of uneven sizes whose centres are at least `apart` standard deviations from each other."""
    rng = np.random.default_rng(seed)
    while True:
        centres = rng.uniform(0, 1.5 * apart * n_clusters ** (1 / d), (n_clusters, d))
        gaps = [np.linalg.norm(a - b) for a, b in itertools.combinations(centres, 2)]
        if min(gaps) > apart:
            break
    truth = np.repeat(np.arange(n_clusters), rng.integers(*sizes, n_clusters))
    return centres[truth] + rng.normal(size=(len(truth), d)), truth


def mixed_blobs(seed):
    """Clusters that overlap, and many pairs: items, must-links, cannot-links."""
    X, truth = blobs(seed, apart=2.0, sizes=(20, 40))
    rng = np.random.default_rng(seed)
    pairs = np.array([rng.choice(len(X), 2, replace=False) for _ in range(200)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return X, pairs[same], pairs[~same]


def random_case(seed, n=14, c=4):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    pairs = np.array([rng.choice(n, 2, replace=False) for _ in range(10)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    constraints = Constraints(n, pairs[same], pairs[~same])
    return rng, rng.dirichlet(np.ones(c), n), constraints


def plain_violations(U, constraints):
    """The second term of eq. 3, as it is written, over the pairs of the closure."""
    must, cannot = constraints.closure()
    clusters = range(U.shape[1])
    total = sum(U[i, k] * U[j, m] for i, j in must for k in clusters for m in clusters if m != k)
    return total + sum(U[i, k] * U[j, k] for i, j in cannot for k in clusters)


@pytest.mark.parametrize("seed", range(40))
def test_a_row_is_at_the_minimum_over_the_simplex(seed):
    rng = np.random.default_rng(seed)
    c = int(rng.integers(1, 7))
    D = rng.choice([1e-9, 0.5, 1.0, 4.0], (1, c)) if seed % 2 else rng.random((1, c)) + 1e-3
    b = np.round(rng.normal(size=c) * rng.choice([0.0, 0.1, 10.0]), 1)
    U = np.empty((1, c))
    balance_free(D, b, np.array([0]), U)
    u = U[0]
    assert (u >= 0).all()
    assert u.sum() == pytest.approx(1.0)
    price = 2 * D[0] * u + b  # equal where u > 0, and no lower elsewhere: the conditions of a minimum
    level = price[u > 0]
    assert np.ptp(level) < 1e-7 * (1 + np.abs(level).max())
    assert (price >= level.min() - 1e-7 * (1 + np.abs(level).max())).all()


@pytest.mark.parametrize("seed", range(20))
def test_what_all_clusters_cost_alike_changes_no_row(seed):
    rng = np.random.default_rng(seed)
    D, b = rng.random((1, 5)) + 1e-3, np.round(rng.normal(size=5), 3)
    plain, shifted = np.empty((1, 5)), np.empty((1, 5))
    balance_free(D, b, np.array([0]), plain)
    balance_free(D, b + rng.choice([-1e7, 1e5, 1e7]), np.array([0]), shifted)
    assert shifted == pytest.approx(plain, abs=1e-4)
    assert shifted.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(10))
def test_a_high_price_is_paid_by_nobody(seed):
    X, must, cannot = mixed_blobs(seed)
    model = PCCA(10, alpha=1e6, random_state=seed).fit(X, must_link=must, cannot_link=cannot)
    known = Constraints(len(X), must, cannot)
    broken = violations(np.eye(model.n_clusters_)[model.labels_], unweighed_levels(known))
    assert broken <= 0.1 * sum(map(len, known.closure()))
    assert model.memberships_.sum(axis=1) == pytest.approx(np.ones(len(X)))


@pytest.mark.parametrize("seed", range(5))
def test_more_starts_with_the_same_number_cost_no_more(seed):
    X, must, cannot = mixed_blobs(seed)
    one, more = (PCCA(10, n_init=n, random_state=0).fit(X, must_link=must, cannot_link=cannot) for n in (1, 3))
    assert one.n_clusters_ == more.n_clusters_
    assert more.objective_ <= one.objective_


@pytest.mark.parametrize("seed", range(10))
def test_memberships_are_the_sum_of_the_three_terms_of_the_paper(seed):
    rng, U, constraints = random_case(seed)
    levels = unweighed_levels(constraints)
    groups, layers = levels[0].groups, stack_levels(levels)
    n, c = U.shape
    D = rng.random((n, c)) + 0.5
    alpha, beta, sizes = 0.02, 0.001, U.sum(axis=0)
    must, cannot = constraints.closure()
    violated = np.zeros((n, c))
    for pairs, cost in ((must, lambda j: 1 - U[j]), (cannot, lambda j: U[j])):
        for i, j in pairs:
            violated[i] += cost(j)
            violated[j] += cost(i)
    inverse = 1 / D
    fcm = inverse / inverse.sum(axis=1, keepdims=True)
    mean_violated = (violated * inverse).sum(axis=1, keepdims=True) / inverse.sum(axis=1, keepdims=True)
    mean_size = (sizes * inverse).sum(axis=1, keepdims=True) / inverse.sum(axis=1, keepdims=True)
    expected = fcm + alpha / (2 * D) * (mean_violated - violated) + beta / D * (sizes - mean_size)
    assert (expected > 0).all()
    found = U.copy()
    balance_free(D, -2 * beta * sizes, groups.free, found)
    assert found[groups.free] == pytest.approx(expected[groups.free])
    for g in range(len(groups.sizes)):
        # The first of every group, when nothing else has changed yet.
        alone, first = U.copy(), groups.members[groups.start[g]]
        start = np.array([groups.start[g], groups.start[g] + 1])
        only = groups._replace(start=start)
        balance_bound(D, -2 * beta * sizes, alpha, only, layers, alone, group_sums(U, groups))
        assert alone[first] == pytest.approx(expected[first])


@pytest.mark.parametrize("seed", range(15))
def test_violations_are_the_plain_sum_over_the_closure(seed):
    _, U, constraints = random_case(seed)
    assert violations(U, unweighed_levels(constraints)) == pytest.approx(plain_violations(U, constraints))


@pytest.mark.parametrize("seed", range(5))
def test_crisp_memberships_cost_what_pckmeans_pays(seed):
    rng, _, constraints = random_case(seed)
    X = rng.normal(size=(14, 2))
    model = PCKMeans(4, weight=0.3, random_state=seed)
    model.fit(X, must_link=constraints.must_link, cannot_link=constraints.cannot_link)
    U = np.eye(4)[model.labels_]
    cost = spread(U, euclidean(X, model.cluster_centers_)) + 0.3 * violations(U, unweighed_levels(constraints))
    assert cost == pytest.approx(model.objective_)


@pytest.mark.parametrize("seed", range(8))
def test_without_competition_the_cost_never_rises(seed):
    rng, _, constraints = random_case(seed, n=40)
    X = rng.normal(size=(40, 3))
    search = FuzzySearch(X, unweighed_levels(constraints), X[:5].copy(), None, 0.0, 0.0)
    search.alpha = 0.5
    costs = []
    for _ in range(25):
        search.compete(0.0, 10.0, 1)
        D = np.maximum(euclidean(X, search.centres), 1e-12)
        costs.append(spread(search.U, D) + 0.5 * violations(search.U, search.levels))
    assert (np.diff(costs) <= 1e-9 * costs[0]).all()
    assert costs[-1] < costs[0]


def test_mahalanobis_is_the_quadratic_form_with_determinant_one():
    rng = np.random.default_rng(0)
    X, U = rng.normal(size=(30, 3)) * [1.0, 2.0, 5.0], rng.dirichlet(np.ones(2), 30)
    centres = rng.normal(size=(2, 3))
    found = mahalanobis(X, centres, U, 0.2, 1e-9)
    for k in range(2):
        S = np.cov(X.T, aweights=U[:, k] ** 2, ddof=0)
        mean = np.average(X, axis=0, weights=U[:, k] ** 2)
        S += np.outer(mean - centres[k], mean - centres[k])
        S = 0.8 * S + 0.2 * np.trace(S) / 3 * np.eye(3)
        A = np.linalg.det(S) ** (1 / 3) * np.linalg.inv(S)
        Z = X - centres[k]
        assert found[:, k] == pytest.approx(np.einsum("ij,jk,ik->i", Z, A, Z), rel=1e-6)


def test_joined_parts_are_those_of_joined_labels():
    rng, _, constraints = random_case(3)
    X, labels = rng.normal(size=(14, 2)), np.arange(14) % 4
    levels = unweighed_levels(constraints)
    joined = _Parts(X, labels, levels)
    joined.join(1, 3)
    direct = _Parts(X, np.where(labels == 3, 1, labels), levels)
    for name in ("sizes", "means", "covariances"):
        assert getattr(joined, name) == pytest.approx(getattr(direct, name))
    off = ~np.eye(3, dtype=bool)
    assert joined.votes[off] == pytest.approx(direct.votes[off])


def test_votes_count_pairs_of_the_closure_across_clusters():
    rng, _, constraints = random_case(5)
    labels = np.arange(14) % 4
    votes = _Parts(rng.normal(size=(14, 2)), labels, unweighed_levels(constraints)).votes
    must, cannot = constraints.closure()
    expected = np.zeros((4, 4))
    for pairs, sign in ((must, 1), (cannot, -1)):
        for i, j in pairs:
            expected[labels[i], labels[j]] += sign
            expected[labels[j], labels[i]] += sign
    off = ~np.eye(4, dtype=bool)
    assert votes[off] == pytest.approx(expected[off])


def test_halves_of_a_cluster_merge_and_far_clusters_do_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2)) + np.repeat([[0.0], [9.0]], 200, axis=0)
    quarters = 2 * (np.arange(400) >= 200) + (X[:, 0] % 9 > 4.5)
    nothing = unweighed_levels(Constraints(400))
    assert merge_map(X, quarters, nothing, 1.0, 0.01).tolist() == [0, 0, 1, 1]
    left, right = np.flatnonzero(quarters == 0)[0], np.flatnonzero(quarters == 1)[0]
    against = unweighed_levels(Constraints(400, cannot_link=[(left, right)]))
    assert merge_map(X, quarters, against, 1.0, 0.01).tolist() == [0, 1, 2, 2]
    across = unweighed_levels(Constraints(400, must_link=[(0, 200)]))
    assert merge_map(X, quarters, across, 1e6, 0.01).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("factor", [3, 6, 10])
@pytest.mark.parametrize("d", [2, 6])
def test_the_number_of_clusters_is_found(factor, d):
    right = 0
    for seed in range(20):
        X, truth = blobs(seed, 4, d)
        labels = PCCA(4 * factor, random_state=seed).fit_predict(X)
        right += len(np.unique(labels)) == 4 and len(set(zip(labels, truth, strict=True))) == 4
    assert right >= 19


def test_the_number_of_clusters_is_found_under_mahalanobis():
    right = 0
    for seed in range(10):
        X, _ = blobs(seed, 3, 2)
        X = X @ np.array([[1.0, 0.7], [0.0, 0.4]])
        right += PCCA(12, metric="mahalanobis", random_state=seed).fit(X).n_clusters_ == 3
    assert right >= 9


def test_constraints_split_and_join():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 2)) + np.repeat([[0.0, 0.0], [3.0, 0.0], [30.0, 0.0]], 30, axis=0)
    truth = np.repeat([0, 1, 2], 30)
    pairs = np.array([rng.choice(90, 2, replace=False) for _ in range(120)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    said = {"must_link": pairs[same], "cannot_link": pairs[~same]}
    assert PCCA(9, random_state=0).fit(X).n_clusters_ == 2
    model = PCCA(9, random_state=0).fit(X, **said)
    assert model.n_clusters_ == 3
    assert (model.labels_ == truth).mean() > 0.98
    blind = CompetitiveAgglomeration(9, random_state=0)
    assert blind.fit_predict(X, **said).tolist() == blind.fit_predict(X).tolist()


@pytest.mark.parametrize("metric", ["euclidean", "mahalanobis"])
@pytest.mark.parametrize("model", BOTH, ids=lambda m: type(m).__name__)
def test_what_is_exposed_fits_together(model, metric):
    X, _ = blobs(2)
    fitted = type(model)(12, metric=metric, random_state=1).fit(X)
    again = type(model)(12, metric=metric, random_state=1).fit(X)
    assert fitted.labels_.tolist() == again.labels_.tolist()
    assert fitted.memberships_.shape == (len(X), fitted.n_clusters_)
    assert fitted.memberships_.sum(axis=1) == pytest.approx(np.ones(len(X)))
    assert (fitted.memberships_ >= 0).all()
    assert fitted.memberships_.argmax(axis=1).tolist() == fitted.labels_.tolist()
    assert fitted.cluster_centers_.shape == (fitted.n_clusters_, 2)
    _, first = np.unique(fitted.labels_, return_index=True)
    assert (np.diff(first) > 0).all()


@pytest.mark.parametrize("metric", ["euclidean", "mahalanobis"])
@pytest.mark.parametrize("X", [np.ones((7, 2)), [[1.0]], [[0.0], [1.0]], np.arange(5.0)[:, None]])
def test_degenerate_sets(X, metric):
    for kind in (CompetitiveAgglomeration, PCCA):
        model = kind(4, metric=metric, random_state=0).fit(X)
        assert np.isfinite(model.memberships_).all()
        assert set(model.labels_.tolist()) == set(range(model.n_clusters_))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"max_clusters": 0}, "max_clusters"),
        ({"metric": "cosine"}, "metric must be one of euclidean, mahalanobis"),
        ({"alpha": "none"}, "alpha must be a number or 'auto'"),
        ({"alpha": -1.0}, "must be >= 0"),
        ({"tau": 0.0}, "tau"),
        ({"shrinkage": 2.0}, "shrinkage"),
        ({"overlap": -0.1}, "overlap"),
        ({"min_size": -1.0}, "min_size"),
    ],
)
def test_bad_parameters(bad, message):
    with pytest.raises(ValueError, match=message):
        PCCA(**bad).fit(np.arange(6.0)[:, None])


def test_a_few_stray_cannot_links_do_not_keep_halves_apart():
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(size=(80, 2)), rng.normal(size=(40, 2)) + np.array([12.0, 0.0])])
    labels = np.repeat([0, 1, 2], 40)
    labels[:80] = X[:80, 1] > 0  # two halves of one cluster
    low, high, far = (np.flatnonzero(labels == k) for k in range(3))
    between = [*zip(low[:20], far[:20], strict=True), *zip(high[:20], far[20:40], strict=True)]

    def merged(inside):
        levels = unweighed_levels(Constraints(120, cannot_link=[*between, *inside]))
        return merge_map(X, labels.astype(np.int64), levels, 1e-6, 0.01).tolist()

    assert merged(zip(low[20:22], high[20:22], strict=True)) == [0, 0, 1]
    assert merged(zip(low[:20], high[:20], strict=True)) == [0, 1, 2]
