"""Bayesian clustering: messages against enumeration, gradients against differences, particles against simulation."""

import itertools

import numpy as np
import pytest
from scipy.stats import chisquare

from likewise.cluster import BayesianClustering
from likewise.cluster.logistic.answer_forest import AnswerForest, acyclic
from likewise.cluster.logistic.bayesian import WeightPosterior
from likewise.cluster.logistic.model import log_probabilities
from likewise.cluster.logistic.particles import Particles, Prior
from likewise.metrics import ari


def random_forest(rng, n, share=0.8):
    """Random answers without a cycle."""
    pairs = [tuple(rng.choice(n, 2, replace=False).tolist()) for _ in range(3 * n)]
    said = [(i, j, "same" if rng.random() < 0.5 else "different") for i, j in pairs]
    kept, _ = acyclic(said, n)
    return kept[: max(1, int(share * len(kept)))]


def chance(labels, p, statements, epsilon):
    """P(Y, answers), written out."""
    value = np.prod([p[i, y] for i, y in enumerate(labels)])
    for i, j, relation in statements:
        value *= 1 - epsilon if (labels[i] == labels[j]) == (relation == "same") else epsilon
    return value


def case(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 7)), int(rng.integers(2, 4))
    p = np.exp(log_probabilities(rng.normal(size=(n, 2)), 2 * rng.normal(size=(2, k))))
    return rng, n, k, p, random_forest(rng, n), float(rng.uniform(0.01, 0.3))


@pytest.mark.parametrize("seed", range(25))
def test_messages_equal_enumeration(seed):
    _, n, k, p, said, epsilon = case(seed)
    forest = AnswerForest.of(said)
    value, q = forest.likelihood(p[forest.nodes], epsilon)
    table = {y: chance(y, p, said, epsilon) for y in itertools.product(range(k), repeat=n)}
    total = sum(table.values())
    assert value == pytest.approx(np.log(total), abs=1e-10)
    for at, i in enumerate(forest.nodes):
        expected = [sum(v for y, v in table.items() if y[i] == c) / total for c in range(k)]
        np.testing.assert_allclose(q[at], expected, atol=1e-10)
    labels = p.argmax(axis=1)
    labels[forest.nodes] = forest.likeliest(np.log(p[forest.nodes]), epsilon)
    assert chance(labels, p, said, epsilon) == pytest.approx(max(table.values()))


@pytest.mark.parametrize("seed", range(10))
def test_what_pairs_tell_equals_enumeration(seed):
    rng, n, k, _, said, epsilon = case(seed)
    n += 2  # items nobody spoke of
    X = rng.normal(size=(n, 2))
    particles = Particles(X, rng.normal(size=(7, 2, k)), Prior(1.0, 1.0, epsilon), AnswerForest.of(said))
    tree = acyclic(said, n)[1]
    left, right = (
        side[tree[np.triu_indices(n, 1)[0]] != tree[np.triu_indices(n, 1)[1]]] for side in np.triu_indices(n, 1)
    )
    uncertain, info = particles.score(left, right)
    h = lambda t: -t * np.log(t) - (1 - t) * np.log(1 - t)  # noqa: E731
    for at in rng.choice(len(left), min(3, len(left)), replace=False):
        same = []
        for W in particles.W:
            p = np.exp(log_probabilities(X, W))
            table = {y: chance(y, p, said, epsilon) for y in itertools.product(range(k), repeat=n)}
            both = sum(chance(y, p, [*said, (left[at], right[at], "same")], epsilon) for y in table)
            same.append(both / sum(table.values()))
        assert uncertain[at] == pytest.approx(h(np.mean(same)), abs=1e-9)
        assert info[at] == pytest.approx(h(np.mean(same)) - np.mean(h(np.array(same))), abs=1e-8 / epsilon)


@pytest.mark.parametrize("seed", range(8))
def test_the_gradient_is_the_numerical_one(seed):
    rng = np.random.default_rng(seed)
    n, d, k = 9, 3, int(rng.integers(2, 5))
    posterior = WeightPosterior(rng.normal(size=(n, d)), AnswerForest.of(random_forest(rng, n)), Prior(3.0, 2.0, 0.1))
    W = rng.normal(size=(d, k))
    numeric = np.empty_like(W)
    for at in np.ndindex(W.shape):
        step = np.zeros_like(W)
        step[at] = 1e-5
        numeric[at] = (posterior(W + step)[0] - posterior(W - step)[0]) / 2e-5
    np.testing.assert_allclose(posterior(W)[1], numeric, atol=1e-7)


def test_particles_hold_their_likelihood_and_scores():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 3))
    particles = Particles.from_prior(X, 3, 30, Prior(2.0, 1.0, 0.1), rng)
    for t in range(1, 5):
        particles = particles.condition(random_forest(np.random.default_rng(1), 12)[:t], rng, 3)
    fresh = Particles(X, particles.W, particles.prior, particles.forest)
    np.testing.assert_allclose(particles.scores, fresh.scores, atol=1e-9)
    np.testing.assert_allclose(particles.likelihood, fresh.likelihood, atol=1e-9)
    for s in (0, 17):
        W = particles.W[s]
        value = WeightPosterior(X, particles.forest, particles.prior)(W)[0] + 0.5 * (W**2).sum()
        assert value == pytest.approx(particles.likelihood[s] - 2.0 * particles.entropy[s])


def draw_prior(rng, X, k, prior):
    """One exact draw from the prior: the factor beside the Gaussian is at most 1."""
    while True:
        W = rng.normal(size=(X.shape[1], k)) / np.sqrt(prior.regularization)
        log_p = log_probabilities(X, W)
        if rng.random() < np.exp(prior.tau * (np.exp(log_p) * log_p).sum(axis=1).mean()):
            return W


def simulated_ranks(n_runs, believed, n_drawn=9):
    """Ranks, (runs, 3), of what holds among draws of particles that believe in a prior; truth is drawn from TRUE."""
    ranks = []
    for seed in range(n_runs):
        rng = np.random.default_rng(1000 + seed)
        X = rng.normal(size=(10, 2))
        W = draw_prior(rng, X, 2, TRUE)
        p = np.exp(log_probabilities(X, W))
        labels = [rng.choice(2, p=row) for row in p]
        said = []
        for i, j, _ in random_forest(rng, 10)[:6]:
            holds = (labels[i] == labels[j]) != (rng.random() < TRUE.epsilon)
            said.append((i, j, "same" if holds else "different"))
        particles = Particles.from_prior(X, 2, 60, believed, rng)
        for t in range(1, len(said) + 1):
            particles = particles.condition(said[:t], rng, 6)
        forest = AnswerForest.of(said)
        # A few of many, so that draws which resampling doubled seldom meet.
        chosen = particles.W[rng.choice(60, n_drawn, replace=False)]
        found = np.array([statistics(np.exp(log_probabilities(X, w)), forest) for w in [W, *chosen]])
        below, ties = (found[1:] < found[0]).sum(axis=0), (found[1:] == found[0]).sum(axis=0)
        ranks.append(below + rng.integers(0, ties + 1))
    return np.array(ranks)


TRUE = Prior(2.0, 0.5, 0.1)


def statistics(p, forest):
    """What does not change when clusters swap their numbers: a pair, how sure the clusters are, the answers."""
    return (p[0] * p[1]).sum(), (p**2).sum(), forest.likelihood(p[forest.nodes], TRUE.epsilon)[0]


def evenness(ranks):
    """Probability of a rank histogram as uneven as this, for every statistic."""
    return [chisquare(np.bincount(column, minlength=10)).pvalue for column in ranks.T]


def test_simulation_based_calibration():
    """Ranks of what is true among ten are even, whatever is drawn from the prior (Talts et al. 2018)."""
    assert min(evenness(simulated_ranks(400, TRUE))) > 0.01


@pytest.mark.parametrize(
    "wrong", [Prior(2.0, 2.0, 0.1), Prior(2.0, 0.5, 0.4), Prior(0.0, 0.15, 0.1)], ids=["λ", "ε", "τ and λ"]
)
def test_the_calibration_check_sees_what_is_wrong(wrong):
    assert min(evenness(simulated_ranks(150, wrong))) < 1e-3


def two_splits(seed):
    rng = np.random.default_rng(seed)
    truth, other = rng.integers(0, 2, (2, 80))
    return rng, truth, np.column_stack([2 * truth, 2 * other]) + rng.normal(size=(80, 2)) * [0.5, 0.3]


def through_the_mean(X, truth):
    """The best that a line through the mean can do: the model has no bias, and some draws of the data want one."""
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    angles = np.linspace(0, np.pi, 90)
    return max(ari(truth, scaled @ [np.cos(t), np.sin(t)] > 0) for t in angles)


@pytest.mark.parametrize("seed", range(8))
def test_answers_turn_it_to_what_people_see(seed):
    rng, truth, X = two_splits(seed)
    pairs = rng.permutation(80)[:40].reshape(20, 2)
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    links = {"must_link": pairs[same], "cannot_link": pairs[~same]}
    model = BayesianClustering(2, random_state=0).fit(X, **links)
    assert len(model.forest_) == 20
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    many = BayesianClustering(2, n_init=40, random_state=1).fit(X, **links)
    assert model.log_posterior_ == pytest.approx(many.log_posterior_, abs=1e-3)  # no start finds better weights
    across, along = np.abs(model.coef_[0] - model.coef_[1])
    assert along < np.tan(np.radians(25)) * across  # the split people see, not the cleaner one at right angles
    assert ari(truth, model.predict(X)) > through_the_mean(X, truth) - 0.2
    assert ari(truth, model.labels_) >= ari(truth, model.predict(X)) - 1e-9


def test_answers_that_close_a_cycle_are_left_out_and_contradictions_named():
    _, _, X = two_splits(0)
    model = BayesianClustering(2, random_state=0).fit(X, must_link=[(0, 1), (1, 2), (0, 2), (0, 1)])
    assert model.forest_ == [(0, 1, "same"), (1, 2, "same")]
    with pytest.raises(ValueError, match="contradictory"):
        BayesianClustering(2).fit(X, must_link=[(0, 1)], cannot_link=[(1, 0)])
    with pytest.raises(ValueError, match="itself"):
        BayesianClustering(2).fit(X, must_link=[(3, 3)])


@pytest.mark.parametrize("X", [np.zeros((8, 2)), np.repeat([[1.0], [2.0]], 4, axis=0), np.ones((1, 1))])
def test_constant_features_and_few_different_items(X):
    k = min(3, len(X))
    links = {"must_link": [(0, 1)], "cannot_link": [(0, 5), (1, 6)]} if len(X) > 5 else {}
    model = BayesianClustering(k, random_state=0).fit(X, **links)
    assert model.n_clusters_ == len(set(model.labels_.tolist())) <= k
    assert np.isfinite(model.coef_).all()


@pytest.mark.parametrize("bad", [{"tau": -1}, {"regularization": 0}, {"epsilon": 0}, {"epsilon": 1}, {"n_clusters": 0}])
def test_bad_parameters(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        BayesianClustering(**bad).fit(np.arange(10.0)[:, None])
