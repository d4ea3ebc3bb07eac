"""MMC that weighs columns only: no weights on a grid are better, and its gradient is that of differences."""

import numpy as np
import pytest

from likewise.distances import MMC
from likewise.distances.mmc import _ratio_of_columns


def drawn(seed, d):
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=40)
    X = rng.normal(size=(40, d)) * rng.uniform(0.3, 3, d)
    X[:, 0] += 3 * truth
    pairs = np.array([rng.choice(40, 2, replace=False) for _ in range(60)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return X, pairs[same], pairs[~same]


def ratio(X, must, cannot, squares):
    """Xing's sum over cannot-links for a unit sum over must-links, of weights of the squared columns."""
    near, far = X[must[:, 0]] - X[must[:, 1]], X[cannot[:, 0]] - X[cannot[:, 1]]
    return np.sqrt(far**2 @ squares).sum() / np.sqrt((near**2 @ squares).sum())


@pytest.mark.parametrize("seed", range(8))
def test_no_weights_on_a_grid_are_better(seed):
    X, must, cannot = drawn(seed, 3)
    model = MMC(diagonal=True, regularization=0.0).fit(X, must_link=must, cannot_link=cannot)
    assert np.count_nonzero(model.metric_ - np.diag(np.diagonal(model.metric_))) == 0
    found = ratio(X, must, cannot, np.diagonal(model.metric_))
    assert model.objective_ == pytest.approx(found)
    scale = 1 / X.var(axis=0)
    for a in np.linspace(0, 1, 21):
        for b in np.linspace(0, 1 - a, 21):
            assert ratio(X, must, cannot, scale * [a, b, max(1 - a - b, 0)]) <= found * (1 + 1e-9)


def test_the_gradient_is_that_of_differences():
    rng = np.random.default_rng(0)
    for _ in range(10):
        w, U = rng.uniform(0.2, 2, 5), rng.normal(size=(12, 5))
        value, gradient = _ratio_of_columns(w, U)
        for k in range(5):
            step = 1e-6 * np.eye(5)[k]
            higher, lower = _ratio_of_columns(w + step, U)[0], _ratio_of_columns(w - step, U)[0]
            assert gradient[k] == pytest.approx((higher - lower) / 2e-6, abs=1e-6)
        assert value == pytest.approx(_ratio_of_columns(3 * w, U)[0])  # the scale is divided out


def test_the_full_metric_is_at_least_as_good_and_a_column_without_variance_gets_none():
    X, must, cannot = drawn(3, 4)
    said = {"must_link": must, "cannot_link": cannot}
    assert (
        MMC(regularization=0.0).fit(X, **said).objective_
        >= MMC(diagonal=True, regularization=0.0).fit(X, **said).objective_
    )
    flat = np.column_stack([X, np.ones(40)])
    found = MMC(diagonal=True, regularization=0.0).fit(flat, **said)
    assert found.metric_[4, 4] == 0
