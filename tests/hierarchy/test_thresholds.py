"""Thresholds of the best expected F1, and intercepts that are free."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from likewise.hierarchy import LabelHierarchy
from likewise.hierarchy.logistic import Features, climb
from likewise.hierarchy.thresholds import best_thresholds

pytestmark = pytest.mark.filterwarnings("ignore:LabelHierarchy stopped at max_iter")  # few rounds are enough here


def expected_f1(chance, on):
    return 2 * chance[on].sum() / (on.sum() + chance.sum())


def test_the_threshold_is_the_best_of_all():
    rng = np.random.default_rng(0)
    for n, digits in ((1, 3), (5, 1), (30, 1), (40, 6)):
        scores, chances = rng.random((n, 4)).round(digits), rng.random((n, 4)) ** 3
        chances[:, 3] = 0.0
        found = best_thresholds(scores, chances)
        assert np.isinf(found[3])
        for tag in range(3):
            score, chance = scores[:, tag], chances[:, tag]
            all_of_them = {t: expected_f1(chance, score >= t) for t in score}
            assert all_of_them[found[tag]] == pytest.approx(max(all_of_them.values()))


def test_with_certain_labels_it_is_the_threshold_of_the_best_f1():
    from sklearn.metrics import f1_score

    rng = np.random.default_rng(1)
    truth = rng.random(50) < 0.2
    scores = truth + 0.8 * rng.normal(size=50)
    found = best_thresholds(scores[:, None], truth[:, None].astype(float))[0]
    assert f1_score(truth, scores >= found) == pytest.approx(max(f1_score(truth, scores >= t) for t in scores))


def tagged(seed=0, n=300):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    above = X[:, 0] + 0.7 * rng.normal(size=n) > 1.0
    Y = np.column_stack([above, above & (X[:, 1] + 0.7 * rng.normal(size=n) > 0.8), X[:, 2] > 0])
    return X, Y, Y & (rng.random(Y.shape) > 0.1)


def test_labels_by_thresholds_keep_the_tree_and_find_more_of_rare_tags():
    from sklearn.metrics import f1_score

    X, Y, Z = tagged(n=1500)
    usual = LabelHierarchy([(0, 1)], regularization=3.0).fit(X[:500], Z[:500])
    best = LabelHierarchy([(0, 1)], regularization=3.0, decide="best-f1").fit(X[:500], Z[:500])
    np.testing.assert_array_equal(usual.thresholds_, best.thresholds_)
    found = best.predict(X[500:])
    assert (found[:, 1] <= found[:, 0]).all()
    above = best.predict_proba(X[500:]) >= best.thresholds_
    np.testing.assert_array_equal(found[:, [0, 2]], above[:, [0, 2]])
    assert f1_score(Y[500:, 1], found[:, 1]) > f1_score(Y[500:, 1], usual.predict(X[500:])[:, 1])
    with pytest.raises(ValueError, match="decide"):
        LabelHierarchy(decide="other").fit(X, Z)


def test_one_threshold_for_all_tags_has_the_best_expected_f1_micro():
    X, _, Z = tagged(2, n=120)
    model = LabelHierarchy([(0, 1)], regularization=3.0, decide="best-f1-micro").fit(X, Z)
    scores, chances = model.predict_proba(X), model.posterior(X, Z)
    all_of_them = {t: expected_f1(chances, scores >= t) for t in scores.ravel().tolist()}
    assert all_of_them[model.threshold_] == pytest.approx(max(all_of_them.values()))
    above = scores >= model.threshold_
    above[:, 1] &= above[:, 0]
    np.testing.assert_array_equal(model.predict(X), above)


@pytest.mark.parametrize("wide", [False, True])
def test_a_free_intercept_is_that_of_scikit_learn(wide):
    rng = np.random.default_rng(2)
    n, d = (12, 20) if wide else (80, 3)
    X = rng.normal(size=(n, d)) + 1.0
    y = rng.random(n) < 0.25
    y[:2] = True, False
    features = Features.turn(X, 1000.0)
    target = y[None].astype(float)
    W = np.zeros((1, features.X.shape[1]))
    W, _, _, _ = climb(features, W, np.zeros_like(target), np.ones_like(target), target, 5.0, 500)
    coef, intercept = features.unturn(W)
    theirs = LogisticRegression(C=1 / 5.0, tol=1e-10, max_iter=5000).fit(X, y)
    np.testing.assert_allclose(coef, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(intercept, theirs.intercept_, atol=1e-3)


def test_a_warm_start_with_a_free_intercept_goes_on_where_it_was():
    X, _, Z = tagged(4)
    model = LabelHierarchy([(0, 1)], free_intercept=True, warm_start=True, max_iter=60).fit(X, Z)
    before = model.intercept_.copy()
    model.set_params(max_iter=1).fit(X, Z)
    np.testing.assert_allclose(model.intercept_, before, atol=0.05)
