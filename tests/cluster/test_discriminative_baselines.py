"""Constrained EM: without constraints a Gaussian mixture, with them what they say."""

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture

from likewise.cluster import ConstrainedEM
from likewise.metrics import ari


def blobs(seed, n=150):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % 3)
    return rng.normal(size=(n, 2)) + 4 * np.array([[0, 0], [1, 0], [0, 1]])[truth], truth, rng


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
@pytest.mark.parametrize("seed", range(3))
def test_without_constraints_it_is_a_gaussian_mixture(seed, covariance):
    X, _, _ = blobs(seed)
    ours = ConstrainedEM(3, covariance=covariance, floor=1e-9, tol=1e-7, max_iter=500, random_state=0).fit(X)
    form = {"full": "full", "diagonal": "diag"}[covariance]
    theirs = GaussianMixture(
        3, covariance_type=form, means_init=ours.cluster_centers_, random_state=0, tol=1e-9, max_iter=500
    )
    theirs.fit(X)
    order = np.argsort(ours.cluster_centers_[:, 0] + 0.01 * ours.cluster_centers_[:, 1])
    other = np.argsort(theirs.means_[:, 0] + 0.01 * theirs.means_[:, 1])
    np.testing.assert_allclose(ours.cluster_centers_[order], theirs.means_[other], atol=0.05)


@pytest.mark.parametrize("seed", range(3))
def test_constraints_hold_and_help(seed):
    rng = np.random.default_rng(seed)
    truth, other = rng.integers(0, 2, (2, 150))
    X = np.column_stack([2 * truth, 2.6 * other]) + rng.normal(size=(150, 2)) * 0.5
    pairs = rng.permutation(150)[:120].reshape(60, 2)
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    told = ConstrainedEM(2, random_state=0).fit(X, must_link=pairs[same], cannot_link=pairs[~same])
    plain = ConstrainedEM(2, random_state=0).fit(X)
    assert (told.labels_[pairs[same, 0]] == told.labels_[pairs[same, 1]]).all()
    assert (told.labels_[pairs[~same, 0]] != told.labels_[pairs[~same, 1]]).mean() > 0.95
    assert ari(truth, told.labels_) > ari(truth, plain.labels_)


@pytest.mark.parametrize("X", [np.zeros((8, 2)), np.repeat([[1.0], [2.0]], 4, axis=0), np.ones((1, 1))])
def test_constant_features_and_few_different_items(X):
    model = ConstrainedEM(min(3, len(X)), random_state=0).fit(X)
    assert model.n_clusters_ == len(set(model.labels_.tolist()))
    with pytest.raises(ValueError, match="covariance"):
        ConstrainedEM(1, covariance="round").fit(X)
