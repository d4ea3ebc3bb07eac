"""MPCKMeans against the sum over pairs as the paper writes it, and its parts against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.metrics import adjusted_rand_score

from likewise.cluster import MPCKMeans, PCKMeans
from likewise.cluster.kmeans.learned_metric import Tallies, farthest, improve
from likewise.cluster.kmeans.mpckmeans import _MetricSearch
from likewise.cluster.kmeans.penalised import assign
from likewise.cluster.weighed import unweighed_levels
from likewise.constraints import Constraints
from likewise.kernels.assignment.penalised import sum_costs

SHAPES = [(False, False), (False, True), (True, False), (True, True)]


def random_case(seed, n=24, n_clusters=3, n_pairs=14, error=0.2, d=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, size=(n, d)) * np.array([1.0, 3.0, 0.2])[:d]
    truth = rng.integers(n_clusters, size=n)
    known = Constraints(n)
    for _ in range(n_pairs):
        i, j = rng.choice(n, 2, replace=False)
        same = (truth[i] == truth[j]) != (rng.random() < error)
        if known.known(i, j) is None:
            known.add(int(i), int(j), "same" if same else "different")
    return X, known


def square(form):
    return np.diag(form) if form.ndim == 1 else form


def slow_objective(X, labels, forms, metric_of, farthest_pairs, weight, prior, constraints):
    """Eq. 4-6 of the paper with loops, and the prior."""
    forms = [square(form) for form in forms]
    variance = np.diag(np.where(X.var(axis=0) > 0, X.var(axis=0), 1.0))

    def distance(a, b, cluster):
        return (a - b) @ forms[metric_of[cluster]] @ (a - b)

    def log_det(form):
        return np.log(np.linalg.det(form))

    total = sum(prior * (np.trace(form @ variance) - log_det(form)) for form in forms)
    for i, label in enumerate(labels):
        mean = X[labels == label].mean(axis=0)
        total += distance(X[i], mean, label) - log_det(forms[metric_of[label]])
    must_link, cannot_link = constraints.closure()
    for i, j in must_link:
        if labels[i] != labels[j]:
            total += 0.5 * weight * distance(X[i], X[j], labels[i])
            total += 0.5 * weight * distance(X[i], X[j], labels[j])
    for i, j in cannot_link:
        if labels[i] == labels[j]:
            a, b = farthest_pairs[metric_of[labels[i]]]
            widest = distance(X[a], X[b], labels[i])
            total += weight * (widest - distance(X[i], X[j], labels[i]))
    return total


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.sampled_from(SHAPES), st.sampled_from([0.0, 0.2, 1.0, 10.0]))
def test_objective_is_the_plain_sum_and_never_rises(seed, n_clusters, shape, weight):
    per_cluster, full = shape
    X, known = random_case(seed, n_clusters=n_clusters)
    model = MPCKMeans(
        n_clusters, weight=weight, per_cluster=per_cluster, full=full, prior=0.7, n_init=1, random_state=seed
    )
    model.fit(X, must_link=known.must_link, cannot_link=known.cannot_link)
    metric_of = np.arange(n_clusters) if per_cluster else np.zeros(n_clusters, int)
    expected = slow_objective(X, model.labels_, model.matrices_, metric_of, model.farthest_, weight, 0.7, known)
    assert model.objective_ == pytest.approx(expected, rel=1e-8, abs=1e-8)
    path = model.objective_path_
    assert (np.diff(path) <= 1e-9 * (1.0 + np.abs(path[:-1]))).all()
    assert model.matrices_.shape == (n_clusters if per_cluster else 1,) + (3,) * (1 + full)
    for form in model.matrices_:
        assert (np.linalg.eigvalsh(square(form)) > 0).all()


@pytest.mark.parametrize(("per_cluster", "full"), SHAPES)
def test_assignment_price_equals_the_tallies(per_cluster, full):
    """Two ways to the same sum: item by item in the kernel, form by form in the metric step."""
    for seed in range(20):
        X, known = random_case(seed, n_pairs=20, error=0.4)
        X = X - X.mean(axis=0)
        rng = np.random.default_rng(seed)
        search = _MetricSearch(
            MPCKMeans(3, weight=1.3, per_cluster=per_cluster, full=full), X, unweighed_levels(known), 3
        )
        roots = rng.normal(size=(3 if per_cluster else 1, 3, 3))
        forms = roots @ roots.transpose(0, 2, 1) + np.eye(3) if full else np.abs(roots[:, 0]) + 0.1
        far = [farthest(X, form) for form in forms]
        centres = rng.normal(size=(3, 3))
        groups, penalties = search.groups, search._penalties(forms, far)
        own = search._own(forms, centres)

        def tally(labels, search=search, forms=forms, far=far, centres=centres):
            tallies = search.tallies.gather(labels, centres)
            total = sum(t.value(form, f.reach) for t, form, f in zip(tallies, forms, far, strict=True))
            return total - search._prior_price(forms)

        before = rng.permutation(np.arange(24) % 3)
        priced = sum_costs(own, groups, search.layers, penalties, before)
        assert priced == pytest.approx(tally(before), rel=1e-9)
        for start in (None, before):
            labels, price = assign(own, groups, search.layers, penalties, start, np.random.RandomState(seed))
            assert price == pytest.approx(tally(labels), rel=1e-9)
        assert price <= priced


@pytest.mark.parametrize("full", [False, True])
def test_metric_step_is_the_minimum_when_no_cannot_link_is_violated(full):
    X, known = random_case(4)
    X = X - X.mean(axis=0)
    only_must = unweighed_levels(Constraints(len(X), known.must_link))
    prior = np.diag(X.var(axis=0)) if full else X.var(axis=0)
    tallies = Tallies(X, only_must, 1.0, np.zeros(3, np.int64), prior, 1.0)
    labels = np.random.default_rng(0).integers(3, size=len(X))
    centres = np.array([X[labels == k].mean(axis=0) for k in range(3)])
    (tally,) = tallies.gather(labels, centres)
    form = np.eye(3) if full else np.ones(3)
    best, _ = improve(X, form, farthest(X, form), tally, reaching=False)
    value = tally.value(best, 0.0)
    rng = np.random.default_rng(1)
    for _ in range(200):
        nudge = rng.normal(size=(3, 3)) * 0.02 * np.sqrt(np.diag(square(best)))
        other = square(best) + (nudge + nudge.T) * np.sqrt(np.diag(square(best)))[:, None] / 2
        other = (other + other.T) / 2
        assert tally.value(other if full else np.diag(other), 0.0) >= value - 1e-9


@pytest.mark.parametrize("ties", [False, True])
def test_farthest_pair_is_nearly_always_exact(ties):
    exact = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n, d = rng.integers(1, 60), rng.integers(1, 12)
        X = rng.integers(0, 3, size=(n, d)).astype(float) if ties else rng.normal(size=(n, d))
        root = rng.normal(size=(d, d))
        form = root @ root.T + np.eye(d) if seed % 2 else rng.random(d) + 0.1
        (i, j), difference, reach = farthest(X, form)
        gaps = X[:, None] - X
        squares = np.einsum("ijk,kl,ijl->ij", gaps, square(form), gaps)
        assert squares[i, j] == pytest.approx(reach)
        assert (difference == X[i] - X[j]).all()
        assert reach >= 0.7 * squares.max()
        assert squares[j].max() <= reach * (1 + 1e-9)
        exact += reach >= squares.max() * (1 - 1e-9)
        held = farthest(X, form, (0, n - 1)).reach
        assert held >= squares[0, n - 1] * (1 - 1e-9)
    assert exact >= 150


def test_it_learns_which_feature_matters():
    """Clusters lie along one feature; another, much wider one is noise."""
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 30)
    X = np.column_stack([truth + 0.1 * rng.normal(size=90), 20.0 * rng.normal(size=90)])
    pairs = np.array([rng.choice(90, 2, replace=False) for _ in range(60)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    sides = {"must_link": pairs[same], "cannot_link": pairs[~same]}
    learned = MPCKMeans(3, random_state=0).fit(X, **sides)
    assert adjusted_rand_score(truth, learned.labels_) == 1.0
    assert learned.matrices_[0, 0] > 100 * learned.matrices_[0, 1]
    fixed = PCKMeans(3, weight=1.0, random_state=0).fit_predict(X, **sides)
    assert adjusted_rand_score(truth, fixed) < 0.5


@pytest.mark.parametrize(("per_cluster", "full"), SHAPES)
def test_singular_data(per_cluster, full):
    """A constant feature, a copied feature, more features than items, clusters of one item."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, 12))
    X[:, 3] = 5.0
    X[:, 4] = X[:, 5]
    model = MPCKMeans(6, per_cluster=per_cluster, full=full, random_state=0)
    model.fit(X, must_link=[(0, 1)], cannot_link=[(1, 2), (3, 4)])
    assert np.isfinite(model.matrices_).all()
    assert len(set(model.labels_)) == 6


def test_per_cluster_matrices_belong_to_the_clusters():
    """A flat and a tall cluster: each gets its own metric, in the order of the labels."""
    rng = np.random.default_rng(0)
    flat = rng.normal(size=(60, 2)) * [5.0, 0.2]
    tall = rng.normal(size=(60, 2)) * [0.2, 5.0] + [0.0, 30.0]
    for X in (np.vstack([flat, tall]), np.vstack([tall, flat])):
        model = MPCKMeans(2, per_cluster=True, random_state=0).fit(X, cannot_link=[(0, 60)])
        assert model.labels_.tolist() == [0] * 60 + [1] * 60
        within = [X[model.labels_ == k].var(axis=0) for k in range(2)]
        assert (np.argmax(model.matrices_, axis=1) == np.argmin(within, axis=1)).all()
        assert model.cluster_centers_ == pytest.approx(np.array([X[:60].mean(axis=0), X[60:].mean(axis=0)]))


@pytest.mark.parametrize("bad", [{"weight": -1.0}, {"prior": 0.0}, {"weight": np.inf}, {"tol": -1.0}])
def test_bad_parameters(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        MPCKMeans(2, **bad).fit([[0.0], [1.0]])
