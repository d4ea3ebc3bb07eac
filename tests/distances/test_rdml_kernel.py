"""Kernel similarities in semi-crowdsourced clustering: Nyström features as vectors, against a closed form."""

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import rbf_kernel

from likewise.cluster import SemiCrowdClustering
from likewise.cluster.semicrowd import kernel_features, scale_rows
from likewise.distances import RDML
from likewise.metrics import ari


@pytest.mark.parametrize("seed", range(5))
def test_similarities_are_those_of_the_regression_in_the_feature_space(seed):
    """S = K (K + λnI)⁻¹ A (K + λnI)⁻¹ K, which needs no features at all."""
    rng = np.random.default_rng(seed)
    n, penalty = 25, rng.uniform(0.05, 2)
    X, groups = rng.normal(size=(n, 3)), rng.integers(4, size=n)
    A = (groups[:, None] == groups).astype(float)
    features = Nystroem(kernel="rbf", gamma=0.7, n_components=n, random_state=0).fit_transform(X)
    Z = RDML(penalty).fit(features, similarity=A).transform(features)
    K = rbf_kernel(X, gamma=0.7)
    smooth = np.linalg.solve(K + penalty * n * np.eye(n), K)
    np.testing.assert_allclose(Z @ Z.T, smooth.T @ A @ smooth, atol=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_the_kernel_of_semi_crowd_is_that_regression(seed):
    """With all items as landmarks and annotated; features of length 1 are scaled to the root of their number."""
    rng = np.random.default_rng(seed)
    X, groups, n = rng.normal(size=(25, 3)), rng.integers(4, size=25), 25
    hits = [(h, i, int(groups[i])) for h in range(3) for i in range(n)]
    gamma, penalty = (0.7, 0.4) if seed % 2 else (None, 1.0)
    options = {"method": "raw", "regularization": penalty, "kernel": "rbf", "gamma": gamma, "random_state": 0}
    model = SemiCrowdClustering(4, **options).fit(X, hits=hits)
    width = 0.7 if gamma else 1 / np.mean([((a - b) ** 2).sum() for a in X for b in X])
    K = n * rbf_kernel(X, gamma=width)
    smooth = np.linalg.solve(K + penalty * n * np.eye(n), K)
    Z = model.learner_.transform(scale_rows(kernel_features(X, gamma, 300, 0)))
    np.testing.assert_allclose(Z @ Z.T, smooth.T @ model.similarity_ @ smooth, atol=1e-7)
    alone = SemiCrowdClustering(4, method="raw", regularization=penalty, random_state=0)
    by_hand = alone.fit(kernel_features(X, gamma, 300, 0), hits=hits)
    assert model.labels_.tolist() == by_hand.labels_.tolist()


def test_a_disc_in_a_ring_needs_the_kernel():
    rng = np.random.default_rng(0)
    truth = np.arange(200) % 2
    radius, angle = np.where(truth == 0, 0.5, 3.0) + 0.15 * rng.normal(size=200), rng.uniform(0, 2 * np.pi, 200)
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    hits = [(h, int(i), int(truth[i])) for h in range(30) for i in rng.choice(100, 20, replace=False)]
    features = Nystroem(kernel="rbf", gamma=0.5, n_components=60, random_state=0).fit_transform(X)
    planes = SemiCrowdClustering(2, random_state=0).fit(X, hits=hits)
    given = SemiCrowdClustering(2, random_state=0).fit(features, hits=hits)
    kernel = SemiCrowdClustering(2, kernel="rbf", random_state=0).fit(X, hits=hits)
    assert ari(truth, given.labels_) > 0.9 > ari(truth, planes.labels_)
    assert ari(truth, kernel.labels_) > 0.9


def test_other_kernels_are_refused():
    for options, said in (
        ({"kernel": "cubic"}, "kernel must be 'rbf' or None"),
        ({"gamma": -1.0}, "gamma"),
        ({"n_components": 0}, "n_components"),
    ):
        with pytest.raises(ValueError, match=said):
            SemiCrowdClustering(2, **{"kernel": "rbf"} | options).fit(np.eye(4))
    assert len(SemiCrowdClustering(2, kernel="rbf", random_state=0).fit(np.ones((4, 2))).labels_) == 4
