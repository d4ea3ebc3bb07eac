"""SparseLP against every corner of its linear program."""

import itertools

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.distances import SparseLP


def written_out(A, X, triplets, price):
    missed = 0.0
    for a, b, c in triplets:
        near, far = X[a] - X[b], X[a] - X[c]
        missed += max(0.0, 1.0 - (far @ A @ far - near @ A @ near))
    return missed + price * np.abs(A).sum()


def corners(X, triplets):
    """Every metric of two columns at which three of the planes meet between which the objective is linear."""
    planes = [(1, 1, 0, 0), (1, -1, 0, 0), (0, 1, 1, 0), (0, -1, 1, 0), (0, 1, 0, 0)]  # a ± b, c ± b, b = 0
    for a, b, c in triplets:
        near, far = X[a] - X[b], X[a] - X[c]
        gap = np.outer(far, far) - np.outer(near, near)
        planes.append((gap[0, 0], 2 * gap[0, 1], gap[1, 1], 1))
    for three in itertools.combinations(np.array(planes, float), 3):
        M = np.array(three)
        if abs(np.linalg.det(M[:, :3])) > 1e-9:
            a, b, c = np.linalg.solve(M[:, :3], M[:, 3])
            if a >= abs(b) - 1e-9 and c >= abs(b) - 1e-9:
                yield np.array([[a, b], [b, c]])


@pytest.mark.parametrize("seed", range(12))
def test_no_corner_is_better(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(8, 2)) if seed % 3 else rng.integers(0, 3, (8, 2)).astype(float)  # with ties
    triplets = [rng.choice(8, 3, replace=False).tolist() for _ in range(7)]
    price = float(rng.uniform(0.01, 1.0))
    model = SparseLP(price).fit(X, triplets=triplets)
    least = min(written_out(A, X, triplets, price) for A in [np.zeros((2, 2)), *corners(X, triplets)])
    assert model.objective_ == pytest.approx(least, abs=1e-7)
    if not np.array_equal(model.metric_, np.eye(2)):  # all entries too dear: nothing is learned
        assert written_out(model.metric_, X, triplets, price) == pytest.approx(least, abs=1e-6)


def test_the_metric_is_dominant_sparse_and_what_comparisons_ask_for():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    X = rng.normal(size=(60, 6))
    X[:, 2] += 4 * truth
    draws = [rng.choice(60, 3, replace=False) for _ in range(300)]
    triplets = [t for t in draws if truth[t[0]] == truth[t[1]] != truth[t[2]]]
    metric = SparseLP().fit(X, triplets=triplets).metric_
    off = np.abs(metric).sum(axis=1) - np.diag(metric)
    assert (np.diag(metric) >= off - 1e-9).all()
    assert (np.abs(metric) < 1e-9).sum() > 18  # of 36
    assert np.diag(metric).argmax() == 2
    dear = SparseLP(1e9).fit(X, triplets=triplets)
    np.testing.assert_array_equal(dear.metric_, np.eye(6))
    pairs = SparseLP().fit(X, must_link=[(0, 1)], cannot_link=[(0, 2)])
    three = SparseLP().fit(X, triplets=[(0, 1, 2)])
    np.testing.assert_allclose(pairs.metric_, three.metric_)
    with pytest.raises(ValueError, match="regularization"):
        SparseLP(0.0).fit(X)


@parametrize_with_checks([SparseLP()])
def test_scikit_learn(estimator, check):
    check(estimator)
