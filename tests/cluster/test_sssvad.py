"""SSSVaD against all labellings and a grid of weights."""

import itertools

import numpy as np
import pytest
from scipy.special import xlogy

from likewise.cluster import SSSVaD
from likewise.cluster.logistic.sssvad import SSSVaDObjective, comparisons_of
from likewise.metrics import ari

SHARES = np.linspace(0, 1, 2001)


def case(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(6, 2)) * [1, 2]
    compared = np.array([rng.choice(6, 3, replace=False) for _ in range(5)])
    return rng, X, compared, float(rng.uniform(0.2, 3)), float(rng.uniform(0.3, 2))


def cost_of_cluster(X, inside, compared, weight, spread, w):
    """What a cluster adds to the objective under the weights (w, 1 - w), written out."""
    w = np.array([w, 1 - w])
    own = X[inside]
    total = ((own - own.mean(axis=0)) ** 2 @ w).sum() + len(own) * spread * xlogy(w, w).sum()
    total /= len(X)
    for a, b, c in compared:
        if inside[a]:
            total += weight / len(compared) * max(0.0, (X[a] - X[b]) ** 2 @ w - (X[a] - X[c]) ** 2 @ w)
    return total


@pytest.mark.parametrize("seed", range(8))
def test_the_weights_are_those_of_a_fine_grid(seed):
    rng, X, compared, weight, spread = case(seed)
    inside = rng.random(6) < 0.6
    inside[0] = True
    _, found = SSSVaDObjective(X, compared, weight, spread).describe(inside)
    assert found.sum() == pytest.approx(1.0)
    costs = [cost_of_cluster(X, inside, compared, weight, spread, w) for w in SHARES]
    grid = min(costs)
    ours = cost_of_cluster(X, inside, compared, weight, spread, found[0])
    assert ours <= grid + 1e-9
    assert abs(found[0] - SHARES[np.argmin(costs)]) <= 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_all_starts_is_the_best_of_all_labellings(seed):
    _, X, compared, weight, spread = case(seed)
    problem = SSSVaDObjective(X, compared, weight, spread)
    least, found = np.inf, np.inf
    for labels in itertools.product(range(2), repeat=6):
        y = np.array(labels)
        value = 0.0
        for cluster in set(labels):
            w = problem.describe(y == cluster)[1][0]
            value += cost_of_cluster(X, y == cluster, compared, weight, spread, w)
        least = min(least, value)
        end = problem.descend(y, 2, 50)
        assert end.value <= value + 1e-8  # it never goes up
        found = min(found, end.value)
    assert found == pytest.approx(least, abs=1e-7)


def test_comparisons_turn_it_to_what_people_see():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        truth, other = rng.integers(0, 2, (2, 120))
        X = np.column_stack([2 * truth, 2.3 * other]) + rng.normal(size=(120, 2)) * 0.4
        draws = [rng.choice(120, 3, replace=False).tolist() for _ in range(120)]
        triplets = [(a, b, c, "ab") for a, b, c in draws if truth[a] == truth[b] != truth[c]]
        assert ari(truth, SSSVaD(2, random_state=0).fit(X).labels_) < 0.1
        assert ari(truth, SSSVaD(2, weight=5.0, spread=0.1, random_state=0).fit_predict(X, triplets=triplets)) > 0.9


def test_answers_and_degenerate_items():
    said = [(0, 1, 2, "ab"), (0, 1, 2, "ac"), (0, 1, 2, "bc"), (0, 1, 2, "none"), (0, 1, 2, "unsure")]
    assert comparisons_of(3, said).tolist() == [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 0, 1], [1, 2, 0], [2, 1, 0]]
    for X in (np.zeros((8, 2)), np.repeat([[1.0], [2.0]], 4, axis=0)):
        model = SSSVaD(3, random_state=0).fit(X, triplets=said)
        assert model.n_clusters_ == len(set(model.labels_.tolist())) == len(model.feature_weights_)
        assert np.isfinite(model.feature_weights_).all()
    pairs = SSSVaD(2, random_state=0).fit(X, must_link=[(0, 1)], cannot_link=[(0, 2)])
    assert np.isfinite(pairs.objective_)
    with pytest.raises(ValueError, match="weight"):
        SSSVaD(2, weight=-1).fit(X)
    with pytest.raises(ValueError, match="spread"):
        SSSVaD(2, spread=0).fit(X)
