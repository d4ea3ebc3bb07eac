"""Kernel similarities in semi-crowdsourced clustering: Nyström features as vectors, against a closed form."""

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import rbf_kernel

from likewise.cluster import SemiCrowdClustering
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


def test_a_disc_in_a_ring_needs_the_kernel():
    rng = np.random.default_rng(0)
    truth = np.arange(200) % 2
    radius, angle = np.where(truth == 0, 0.5, 3.0) + 0.15 * rng.normal(size=200), rng.uniform(0, 2 * np.pi, 200)
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    hits = [(h, int(i), int(truth[i])) for h in range(30) for i in rng.choice(100, 20, replace=False)]
    features = Nystroem(kernel="rbf", gamma=0.5, n_components=60, random_state=0).fit_transform(X)
    planes = SemiCrowdClustering(2, random_state=0).fit(X, hits=hits)
    kernel = SemiCrowdClustering(2, random_state=0).fit(features, hits=hits)
    assert ari(truth, kernel.labels_) > 0.9 > ari(truth, planes.labels_)
