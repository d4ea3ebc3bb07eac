"""Kernel features, starts that follow the answers, and λ by held-out answers."""

import itertools

import numpy as np
import pytest

from likewise.cluster import BayesianClustering, DiscriminativeClustering
from likewise.cluster.logistic.answer_forest import AnswerForest, acyclic
from likewise.cluster.logistic.answers import MeanField, error_model, read_answers
from likewise.cluster.logistic.bayesian import WeightPosterior
from likewise.cluster.logistic.features import ItemFeatures
from likewise.cluster.logistic.model import log_probabilities, with_ones
from likewise.cluster.logistic.particles import Prior
from likewise.cluster.logistic.supervised_start import statements_of, supervised_start
from likewise.cluster.logistic.variational_em import Setting, VariationalSearch
from likewise.metrics import ari


def rings(seed=0, n=80):
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1], n // 2)
    angle, radius = rng.uniform(0, 2 * np.pi, n), np.where(truth == 0, 1.0, 4.0) + 0.2 * rng.normal(size=n)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), truth


def random_pairs(rng, truth, m):
    pairs = [rng.choice(len(truth), 2, replace=False).tolist() for _ in range(m)]
    same = [p for p in pairs if truth[p[0]] == truth[p[1]]]
    return {"must_link": same, "cannot_link": [p for p in pairs if truth[p[0]] != truth[p[1]]]}


@pytest.mark.parametrize("gamma", [None, 0.3])
def test_with_every_item_a_landmark_the_inner_products_are_the_centred_kernel(gamma):
    rng = np.random.default_rng(1)
    for n, d in ((6, 2), (15, 4)):
        X = 3 + 2 * rng.normal(size=(n, d))
        features = ItemFeatures.of(X, True, "rbf", gamma, n, np.random.RandomState(0))
        columns = (X - X.mean(axis=0)) / X.std(axis=0)
        squared = ((columns[:, None] - columns) ** 2).sum(axis=2)
        width = 1 / np.median(squared[np.triu_indices(n, 1)]) if gamma is None else gamma
        centre = np.eye(n) - 1 / n
        K = centre @ np.exp(-width * squared) @ centre
        K *= (columns**2).sum() / np.trace(K)
        V = features.apply(X)
        np.testing.assert_allclose(V @ V.T, K, atol=1e-6)
        np.testing.assert_allclose(features.apply(X[:2]), V[:2], atol=1e-9)


def test_few_landmarks_are_the_nystroem_approximation():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(30, 3))
    features = ItemFeatures.of(X, False, "rbf", 0.5, 8, np.random.RandomState(3))
    L = features.landmarks
    K = np.exp(-0.5 * ((X[:, None] - L) ** 2).sum(axis=2))
    middle = np.exp(-0.5 * ((L[:, None] - L) ** 2).sum(axis=2))
    approximation = K @ np.linalg.inv(middle) @ K.T
    centre = np.eye(30) - 1 / 30
    wanted = centre @ approximation @ centre
    V = features.apply(X)
    np.testing.assert_allclose(V @ V.T, wanted * (X**2).sum() / np.trace(wanted), atol=1e-6)


def test_columns_alone_without_a_kernel_and_what_makes_no_sense_is_refused():
    X = np.random.default_rng(0).normal(size=(9, 2))
    random = np.random.RandomState(0)
    np.testing.assert_array_equal(ItemFeatures.of(X, False, None, None, 5, random).apply(X), X)
    for bad in ({"kernel": "linear"}, {"kernel": "rbf", "gamma": 0.0}, {"kernel": "rbf", "n_components": 0}):
        for model in (DiscriminativeClustering, BayesianClustering):
            with pytest.raises(ValueError, match=r"kernel|gamma|n_components"):
                model(2, **bad).fit(X)


@pytest.mark.parametrize("model", [DiscriminativeClustering, BayesianClustering])
@pytest.mark.parametrize("X", [np.zeros((4, 2)), np.ones((1, 3)), np.array([[0.0], [0.0], [1.0]])])
def test_a_kernel_on_few_different_items(model, X):
    k = min(2, len(X))
    given = {"must_link": [(0, 1)]} if len(X) > 1 else {}
    fitted = model(k, kernel="rbf", random_state=0).fit(X, **given)
    assert np.isfinite(fitted.coef_).all()
    assert fitted.predict(X).shape == (len(X),)


@pytest.mark.parametrize("model", [DiscriminativeClustering, BayesianClustering])
def test_with_a_kernel_rings_are_found_that_no_plane_separates(model):
    X, truth = rings()
    given = random_pairs(np.random.default_rng(0), truth, 60)
    options = {"regularization": 0.1} if model is BayesianClustering else {}
    found = model(2, kernel="rbf", random_state=0, **options).fit(X, **given)
    assert ari(truth, found.labels_) > 0.9
    assert ari(truth, found.predict(X)) > 0.8
    assert ari(truth, model(2, random_state=0, **options).fit(X, **given).predict(X)) < 0.5


def test_triplets_say_pairs():
    answers = read_answers(6, [(0, 1)], [(1, 2)], [(0, 1, 2, "bc"), (3, 4, 5, "none"), (0, 3, 4, "ac")])
    said = statements_of(answers)
    truth = [0, 0, 1, 2, 0, 1]
    assert said[:2] == [(0, 1, "same"), (1, 2, "different")]
    assert (1, 2, "same") in said
    assert (1, 0, "different") in said
    assert {(3, 4, "different"), (3, 5, "different"), (4, 5, "different")} <= set(said)
    assert all((truth[i] == truth[j]) == (r == "same") for i, j, r in said if {i, j} <= {0, 3, 4})


@pytest.mark.parametrize("seed", range(4))
def test_the_climb_never_ends_below_the_start_that_follows_the_answers(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=45)
    X = rng.normal(size=(45, 3)) + 1.2 * rng.normal(size=(3, 3))[truth]
    given = random_pairs(rng, truth, 25)
    V = (X - X.mean(axis=0)) / X.std(axis=0)
    answers = read_answers(45, given["must_link"], given["cannot_link"], None)
    forest = acyclic(statements_of(answers), 45)[0]
    follows = supervised_start(with_ones(V), forest, 3, 0.01, seed)
    given_start = follows[:-1][None]
    bayesian = BayesianClustering(3, start=given_start, n_init=1, random_state=seed).fit(X, **given)
    posterior = WeightPosterior(V, AnswerForest.of(bayesian.forest_), Prior(1.0, 10.0, 0.05))
    assert bayesian.log_posterior_ >= posterior(follows[:-1])[0]
    search = VariationalSearch(with_ones(V), MeanField(answers, error_model(0.05)), 3, Setting(1.0, 2.0**-6, 0.05))
    other = 0.1 * rng.normal(size=follows.shape)
    found = search.best([other, follows], 0, np.random.RandomState(0), 100, 1e-4)
    bound = search._bound(np.float64)
    assert found.bounds[-1] >= max(bound.start(W).value for W in (other, follows)) - 1e-5  # tried in single precision


@pytest.mark.parametrize("model", [DiscriminativeClustering, BayesianClustering])
def test_the_start_that_follows_the_answers_is_among_the_starts(model, monkeypatch):
    import likewise.cluster.logistic as room

    tried = []

    def record(wide, statements, *rest):
        tried.append(statements)
        return supervised_start(wide, statements, *rest)

    name = "discriminative" if model is DiscriminativeClustering else "bayesian"
    monkeypatch.setattr(getattr(room, name), "supervised_start", record)
    X, truth = rings(n=40)
    given = random_pairs(np.random.default_rng(1), truth, 20)
    model(2, random_state=0).fit(X, **given)
    assert len(tried) == 1
    assert len(acyclic(tried[0], 40)[0]) == len(tried[0]) > 0
    model(2, random_state=0).fit(X)
    assert len(tried) == 1  # nothing was said


@pytest.mark.parametrize("seed", range(6))
def test_the_chance_of_a_held_out_answer_equals_enumeration(seed):
    rng = np.random.default_rng(seed)
    n, k, epsilon = 6, int(rng.integers(2, 4)), 0.1
    X, W = rng.normal(size=(n, 2)), rng.normal(size=(2, k))
    pairs = [tuple(rng.choice(n, 2, replace=False).tolist()) for _ in range(8)]
    said, _ = acyclic([(i, j, "same" if rng.random() < 0.5 else "different") for i, j in pairs], n)
    held, kept = said[-1], said[:-1]
    p = np.exp(log_probabilities(X, W))

    def chance(statements):
        total = 0.0
        for labels in itertools.product(range(k), repeat=n):
            value = np.prod([p[i, y] for i, y in enumerate(labels)])
            for i, j, relation in statements:
                value *= 1 - epsilon if (labels[i] == labels[j]) == (relation == "same") else epsilon
            total += value
        return total

    posterior = WeightPosterior(X, AnswerForest.of(kept), Prior(1.0, 1.0, epsilon))
    assert posterior.predictive(W, [held]) == pytest.approx(np.log(chance(said) / chance(kept)))


def test_held_out_answers_choose_the_precision():
    rng = np.random.default_rng(4)
    truth = np.repeat([0, 1], 30)
    X = rng.normal(size=(60, 2)) + 3 * truth[:, None]
    given = random_pairs(rng, truth, 30)
    model = BayesianClustering(2, regularization=[1000.0, 10.0, 0.1], random_state=0).fit(X, **given)
    assert model.regularization_ in (10.0, 0.1)  # 1000 leaves all pairs even
    alone = BayesianClustering(2, regularization=[model.regularization_], random_state=0).fit(X, **given)
    assert ari(truth, model.labels_) >= ari(truth, alone.labels_) - 1e-12
    assert BayesianClustering(2, regularization=[3.0, 2.0, 1.0], random_state=0).fit(X).regularization_ == 2.0
    with pytest.raises(ValueError, match="regularization"):
        BayesianClustering(2, regularization=[1.0, 0.0]).fit(X)
