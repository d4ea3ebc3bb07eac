"""Discriminative clustering against enumeration of all labellings and numerical gradients."""

import itertools

import numpy as np
import pytest

from likewise.cluster import DiscriminativeClustering
from likewise.cluster.logistic.answers import MeanField, error_model, read_answers
from likewise.cluster.logistic.model import Objective, log_probabilities, with_ones
from likewise.cluster.logistic.variational_em import Setting, VariationalSearch
from likewise.kernels.inference.exponential import LEAST, exponential
from likewise.metrics import ari

VALUES = ("ab", "ac", "bc", "none")


def said_of(labels, items):
    """What one who never errs says, written out from eq. 3.1 and 3.2."""
    y = [labels[i] for i in items]
    if len(items) == 2:
        return 0 if y[0] == y[1] else 1
    if y[0] == y[1] != y[2]:
        return 0
    if y[0] == y[2] != y[1]:
        return 1
    return 2 if y[1] == y[2] != y[0] else 3


def random_answers(rng, n, n_pairs, n_triplets):
    must, cannot, triplets = [], [], []
    for _ in range(n_pairs):
        pair = tuple(rng.choice(n, 2, replace=False).tolist())
        (must if rng.random() < 0.5 else cannot).append(pair)
    for _ in range(n_triplets):
        triplets.append((*rng.choice(n, 3, replace=False).tolist(), VALUES[rng.integers(4)]))
    return must, cannot, triplets


def written_out(must, cannot, triplets):
    rows = [(pair, 0) for pair in must] + [(pair, 1) for pair in cannot]
    return rows + [(t[:3], VALUES.index(t[3])) for t in triplets]


def tables(rng, even):
    if even:
        e = float(rng.uniform(0.02, 0.3))
        pair = np.array([[1 - e, e], [e, 1 - e]])
        triplet = np.full((4, 4), e / 3)
        np.fill_diagonal(triplet, 1 - e)
        return error_model(e), pair, triplet
    pair, triplet = rng.uniform(1, 10, (2, 2)), rng.uniform(1, 10, (4, 4))
    model = error_model(0.05, pair, triplet)
    smooth = [t / t.sum(1, keepdims=True) + 0.005 for t in (pair, triplet)]
    return model, *(t / t.sum(1, keepdims=True) for t in smooth)


def joint(log_p, rows, pair, triplet):
    """log P(answers, Y) of every labelling."""
    n, k = log_p.shape
    out = {}
    for labels in itertools.product(range(k), repeat=n):
        total = sum(log_p[i, y] for i, y in enumerate(labels))
        for items, said in rows:
            total += np.log((pair if len(items) == 2 else triplet)[said_of(labels, items), said])
        out[labels] = total
    return out


def random_case(seed, even=True):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(3, 6)), int(rng.integers(2, 4))
    given = random_answers(rng, n, int(rng.integers(0, 5)), int(rng.integers(1, 4)))
    model, pair, triplet = tables(rng, even)
    log_p = log_probabilities(rng.normal(size=(n, 3)), rng.normal(size=(3, k)))
    return rng, given, model, pair, triplet, log_p


@pytest.mark.parametrize("even", [True, False])
@pytest.mark.parametrize("seed", range(15))
def test_the_mean_field_is_a_fixed_point_of_the_enumerated_update(seed, even):
    _, given, model, pair, triplet, log_p = random_case(seed, even)
    field = MeanField(read_answers(len(log_p), *given), model)
    q = np.exp(log_p)
    q[field.items] = field.update(log_p[field.items], q[field.items], tol=1e-13, max_sweeps=5000)
    score = joint(log_p, written_out(*given), pair, triplet)
    for i in field.items:
        expected = np.zeros(log_p.shape[1])
        for labels, value in score.items():
            others = np.prod([q[j, y] for j, y in enumerate(labels) if j != i])
            expected[labels[i]] += others * value
        expected = np.exp(expected - expected.max())
        np.testing.assert_allclose(q[i], expected / expected.sum(), atol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_the_bound_is_the_enumerated_one_and_lies_below_the_likelihood(seed):
    rng, given, model, pair, triplet, log_p = random_case(seed, even=seed % 2 == 0)
    field = MeanField(read_answers(len(log_p), *given), model)
    q = rng.dirichlet(np.ones(log_p.shape[1]), size=len(field.items))
    local = {int(i): at for at, i in enumerate(field.items)}
    rows = [([local[i] for i in items], said) for items, said in written_out(*given)]
    score = joint(log_p[field.items], rows, pair, triplet)
    chance = {labels: np.prod([q[i, y] for i, y in enumerate(labels)]) for labels in score}
    expected = sum(c * (score[labels] - np.log(c)) for labels, c in chance.items())
    assert field.bound(log_p[field.items], q) == pytest.approx(expected, abs=1e-10)
    likelihood = np.logaddexp.reduce(list(score.values()))
    assert field.bound(log_p[field.items], field.update(log_p[field.items], q)) <= likelihood + 1e-12


@pytest.mark.parametrize("seed", range(15))
def test_hard_answers_leave_only_the_most_compatible_clusters(seed):
    _, given, _, _, _, log_p = random_case(seed)
    n, k = log_p.shape
    field = MeanField(read_answers(n, *given), error_model(0.0))
    q = np.exp(log_p)
    before = q.copy()
    q[field.items] = field.update(log_p[field.items], q[field.items], max_sweeps=1)
    rows = written_out(*given)
    for i in field.items:
        fits = np.zeros(k)
        for items, said in (row for row in rows if i in row[0]):
            for labels in itertools.product(range(k), repeat=n):
                others = np.prod([before[j, y] for j, y in enumerate(labels) if j != i])
                fits[labels[i]] += others * (said_of(labels, items) == said)
        allowed = fits >= fits.max() - 1e-9
        expected = np.where(allowed, before[i], 0)
        before[i] = expected / expected.sum()
        np.testing.assert_allclose(q[i], before[i], atol=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_the_gradient_is_the_numerical_one(seed):
    rng = np.random.default_rng(seed)
    n, d, k = 12, 3, int(rng.integers(2, 5))
    wide = with_ones(rng.normal(size=(n, d)))
    spoken = rng.random(n) < 0.5
    target = rng.dirichlet(np.ones(k), size=n) * spoken[:, None]
    objective = Objective(wide, target.T.copy(), spoken / 4, (~spoken) / max((~spoken).sum(), 1), 0.7, 0.03)
    W = rng.normal(size=(d + 1, k))
    numeric = np.empty_like(W)
    for at in np.ndindex(W.shape):
        step = np.zeros_like(W)
        step[at] = 1e-5
        numeric[at] = (objective(W + step)[0] - objective(W - step)[0]) / 2e-5
    np.testing.assert_allclose(objective(W)[1], numeric, atol=1e-8)
    p = np.exp(log_probabilities(wide, W))
    mean = p.mean(axis=0)
    value = (target[spoken] * np.log(p[spoken])).sum() / 4 - 0.03 * (W[:-1] ** 2).sum()
    value += 0.7 * (-(mean * np.log(mean)).sum() + (p[~spoken] * np.log(p[~spoken])).sum() / (~spoken).sum())
    assert objective(W)[0] == pytest.approx(value)


def blobs(seed=0, n=90, k=3, gap=2.0):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % k)
    return rng.normal(size=(n, 2)) + gap * np.array([[0, 0], [1.5, 0], [0, 1.5]])[truth], truth, rng


def sample(rng, truth, m):
    triplets = [tuple(rng.choice(len(truth), 3, replace=False).tolist()) for _ in range(m)]
    pairs = np.array([rng.choice(len(truth), 2, replace=False) for _ in range(m)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return pairs[same], pairs[~same], [(*t, VALUES[said_of(truth, t)]) for t in triplets]


@pytest.mark.parametrize("epsilon", [0.0, 0.05])
@pytest.mark.parametrize("kinds", ["pairs", "triplets", "both"])
def test_answers_of_either_form_turn_it_to_what_people_see(kinds, epsilon):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        truth, other = rng.integers(0, 2, (2, 120))  # left to itself it finds the other split, which is cleaner
        X = np.column_stack([2 * truth, 2 * other]) + rng.normal(size=(120, 2)) * [0.5, 0.3]
        must, cannot, triplets = sample(rng, truth, 60)
        given = {"must_link": must, "cannot_link": cannot} if kinds != "triplets" else {}
        given |= {"triplets": triplets} if kinds != "pairs" else {}
        plain = DiscriminativeClustering(2, random_state=0).fit(X)
        told = DiscriminativeClustering(2, epsilon=epsilon, random_state=0).fit(X, **given)
        assert ari(truth, plain.labels_) < 0.1
        assert ari(truth, told.labels_) > 0.8


@pytest.mark.filterwarnings("ignore:DiscriminativeClustering stopped at max_iter")
@pytest.mark.parametrize("seed", range(4))
def test_the_bound_never_falls(seed):
    X, truth, rng = blobs(seed, gap=1.0)
    must, cannot, triplets = sample(rng, truth, 40)
    model = DiscriminativeClustering(3, random_state=0, tol=0, max_iter=30)
    model.fit(X, must_link=must, cannot_link=cannot, triplets=triplets)
    assert np.diff(model.lower_bound_).min() > -1e-4  # the E-step stops at a tolerance of its own
    assert model.lower_bound_[-1] > model.lower_bound_[0]


@pytest.mark.parametrize("seed", range(4))
def test_it_ends_where_neither_weights_nor_mean_field_can_do_better(seed):
    X, truth, rng = blobs(seed, gap=1.0)
    field = MeanField(read_answers(len(X), *sample(rng, truth, 40)), error_model(0.05))
    search = VariationalSearch(with_ones(X), field, 3, Setting(1.0, 2.0**-6, 0.05))
    found = search.best([0.1 * rng.normal(size=(3, 3))], 3, np.random.RandomState(0), 300, 0.0)
    bound = search._bound(np.float64)
    q = field.update(log_probabilities(with_ones(X)[field.items], found.W), found.probabilities[field.items])
    np.testing.assert_allclose(q, found.probabilities[field.items], atol=1e-3)
    value, gradient, _ = bound(found.W, q)
    assert value == pytest.approx(found.bounds[-1], abs=1e-5)
    assert np.abs(gradient).max() < 1e-3
    for _ in range(20):  # EM as in the thesis, from here: no further
        target = np.zeros((3, len(X)))
        target[:, field.items] = q.T
        bound.objective.target[:] = target
        W, _ = bound.objective.climb(found.W, 10)
        q = field.update(log_probabilities(with_ones(X)[field.items], W), q)
    assert bound(W, q)[0] == pytest.approx(value, abs=1e-4)


def test_one_start_is_enough_when_the_answers_agree_with_it():
    X, truth, rng = blobs(gap=8.0)
    must, cannot, triplets = sample(rng, truth, 60)
    one, many = (
        DiscriminativeClustering(3, n_starts=n, random_state=0).fit(
            X, must_link=must, cannot_link=cannot, triplets=triplets
        )
        for n in (1, 12)
    )
    np.testing.assert_array_equal(one.coef_, many.coef_)
    search = VariationalSearch(
        with_ones(X),
        MeanField(read_answers(len(X), must, cannot, triplets), error_model(0.05)),
        3,
        Setting(1.0, 0.01, 0.05),
    )
    assert search.fits_answers(
        np.vstack(
            [
                many.coef_.T / many.features_.scale.deviation[:, None],
                many.intercept_ - many.coef_ @ (many.features_.scale.mean / many.features_.scale.deviation),
            ]
        )
    )
    assert not search.fits_answers(np.zeros((3, 3)))  # all in one cluster: no cannot-link holds


def test_single_precision_is_near_to_double():
    rng = np.random.default_rng(0)
    wide, target = with_ones(rng.normal(size=(40, 5))), rng.dirichlet(np.ones(4), size=40).T
    weight = rng.random(40) / 40
    exact = Objective(wide, target, weight, weight[::-1], 0.7, 0.01)
    quick = Objective(wide.astype(np.float32), target, weight, weight[::-1], 0.7, 0.01)
    W = rng.normal(size=(6, 4))
    assert quick(W)[0] == pytest.approx(exact(W)[0], abs=1e-5)
    np.testing.assert_allclose(quick(W)[1], exact(W)[1], atol=1e-5)
    assert quick(W)[1].dtype == np.float64


def test_the_exponential():
    x = np.linspace(LEAST, 0, 4001)
    np.testing.assert_allclose([exponential(v) for v in x], np.exp(x), rtol=1e-11)


def test_new_points_go_where_their_neighbours_are():
    X, truth, rng = blobs(gap=4.0)
    must, _, _ = sample(rng, truth, 60)
    model = DiscriminativeClustering(3, random_state=0).fit(X[:60], must_link=must[(must < 60).all(1)])
    assert ari(truth[60:], model.predict(X[60:])) > 0.9
    proba = model.predict_proba(X[60:])
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert proba.argmax(axis=1).tolist() == model.predict(X[60:]).tolist()
    silent = np.setdiff1d(np.arange(60), must[(must < 60).all(1)])
    assert model.predict(X[:60])[silent].tolist() == model.labels_[silent].tolist()
    np.testing.assert_allclose(model.predict_proba(X[:60])[silent], model.probabilities_[silent])


def test_contradictions_and_repetitions_are_evidence():
    X = np.repeat([[0.0], [1.0]], 10, axis=0) + np.random.default_rng(0).normal(scale=0.4, size=(20, 1))
    for epsilon in (0.0, 0.1):
        model = DiscriminativeClustering(2, epsilon=epsilon, random_state=0)
        fitted = model.fit(X, must_link=[(0, 1), (0, 1), (3, 4)], cannot_link=[(0, 1), (0, 19), (0, 19)])
        assert np.isfinite(fitted.probabilities_).all()
        assert fitted.labels_[0] == fitted.labels_[1]
        assert fitted.labels_[0] != fitted.labels_[19]
    mostly = DiscriminativeClustering(2, random_state=0)
    apart = mostly.fit(X, must_link=[(0, 1)], cannot_link=[(0, 1)] * 4).labels_
    assert apart[0] != apart[1]


@pytest.mark.parametrize(
    "bad",
    [
        {"must_link": [(3, 3)]},
        {"cannot_link": [(0, 40)]},
        {"triplets": [(1, 1, 2, "ab")]},
        {"triplets": [(1, 2, 1, "none")]},
        {"triplets": [(0, 1, 2, "abc")]},
        {"triplets": [(0, 1, 40, "ab")]},
    ],
)
def test_answers_that_name_an_item_twice_or_none_at_all_are_refused(bad):
    with pytest.raises(ValueError, match=r"itself|index|triplet"):
        DiscriminativeClustering(2).fit(np.arange(10.0)[:, None], **bad)


def test_unsure_says_nothing():
    X, _, _ = blobs()
    told = DiscriminativeClustering(3, random_state=0).fit(X, triplets=[(0, 1, 2, "unsure")])
    assert told.labels_.tolist() == DiscriminativeClustering(3, random_state=0).fit(X).labels_.tolist()


@pytest.mark.parametrize("X", [np.zeros((8, 2)), np.repeat([[1.0], [2.0]], 4, axis=0), np.ones((1, 1))])
@pytest.mark.parametrize("epsilon", [0.0, 0.05])
def test_constant_features_and_few_different_items(X, epsilon):
    k = min(3, len(X))
    links = {"must_link": [(0, 1)], "cannot_link": [(0, 5)]} if len(X) > 5 else {}
    model = DiscriminativeClustering(k, epsilon=epsilon, random_state=0).fit(X, **links)
    assert np.isfinite(model.probabilities_).all()
    assert model.n_clusters_ == len(set(model.labels_.tolist())) <= k
    wide = DiscriminativeClustering(k, epsilon=epsilon, random_state=0)
    wide.fit(np.column_stack([np.full(len(X), 1e9), X]), **links)
    np.testing.assert_array_equal(wide.probabilities_, model.probabilities_)
    np.testing.assert_array_equal(wide.coef_[:, 1:], model.coef_)
    assert (wide.coef_[:, 0] == 0).all()


def test_every_item_spoken_of():
    X, truth, _ = blobs(n=12)
    pairs = np.array(list(itertools.combinations(range(12), 2)))
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    model = DiscriminativeClustering(3, random_state=0)
    assert ari(truth, model.fit_predict(X, must_link=pairs[same], cannot_link=pairs[~same])) == 1.0


def test_held_out_answers_choose_the_parameters():
    X, truth, rng = blobs(1, gap=1.5)
    must, cannot, triplets = sample(rng, truth, 30)
    model = DiscriminativeClustering(
        3, tau=[0.0, 1.0], regularization=[2.0**-6, 50.0], epsilon=[0.05, 0.1], cv=3, random_state=0
    )
    model.fit(X, must_link=must, cannot_link=cannot, triplets=triplets)
    assert model.regularization_ == 2.0**-6  # 50 flattens all probabilities
    assert model.tau_ in (0.0, 1.0)
    assert model.epsilon_ in (0.05, 0.1)
    few = DiscriminativeClustering(3, tau=[0.5, 1.0, 1.5], random_state=0).fit(X, must_link=must[:1])
    assert few.tau_ == 1.0


def test_uneven_errors():
    X, truth, rng = blobs(2, gap=1.4)
    must, cannot, _ = sample(rng, truth, 200)
    wrong = rng.random(len(cannot)) < 0.4  # different images are often called the same, never the other way round
    links = {"must_link": np.vstack([must, cannot[wrong]]), "cannot_link": cannot[~wrong]}
    even = DiscriminativeClustering(3, epsilon=0.2, random_state=0).fit(X, **links)
    uneven = DiscriminativeClustering(3, pair_confusion=[[1, 0], [0.4, 0.6]], random_state=0).fit(X, **links)
    assert ari(truth, uneven.labels_) > ari(truth, even.labels_)
    for bad in ([[1, 0]], [[1, -1], [0, 1]], [[0, 0], [0, 1]]):
        with pytest.raises(ValueError, match="confusion table"):
            DiscriminativeClustering(3, pair_confusion=bad).fit(X, **links)
    with pytest.raises(ValueError, match="never wrong"):
        DiscriminativeClustering(3, epsilon=0.0, pair_confusion=np.eye(2)).fit(X, **links)


@pytest.mark.parametrize("bad", [{"tau": -1}, {"regularization": -1}, {"epsilon": 1.0}, {"tau": []}, {"n_clusters": 0}])
def test_bad_parameters(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        DiscriminativeClustering(**bad).fit(np.arange(10.0)[:, None])
