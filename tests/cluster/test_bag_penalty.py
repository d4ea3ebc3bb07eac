"""The penalty of bag constraints against its four sums, and what moving items by it does."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from likewise.cluster import bag_penalty, refine_with_bags
from likewise.cluster.spectral.bag_penalty import _Penalty
from likewise.metrics import ari


def drawn(seed, n=24, n_bags=7, k=3):
    rng = np.random.default_rng(seed)
    bags = np.concatenate([np.arange(n_bags), rng.integers(n_bags, size=n - n_bags)])
    labels = rng.integers(k, size=n)
    named = {b: set(rng.choice(4, rng.integers(1, 3), replace=False).tolist()) for b in range(n_bags - 1)}
    return bags, labels, named


def four_sums(labels, bags, named):
    """Eq. 2.2 as it is printed."""
    k = labels.max() + 1
    class_shares = {b: np.array([(c in kinds) / len(kinds) for c in range(4)]) for b, kinds in named.items()}
    clusters = {b: np.bincount(labels[bags == b], minlength=k) / (bags == b).sum() for b in named}
    pairs = [(i, j) for i in named for j in named]
    by_class = {pair: class_shares[pair[0]] @ class_shares[pair[1]] for pair in pairs}
    by_cluster = {pair: clusters[pair[0]] @ clusters[pair[1]] for pair in pairs}
    total = sum((by_class[p] - by_class[q]) * (by_cluster[p] - by_cluster[q]) for p in pairs for q in pairs)
    return total / (2 * len(named) ** 2)


@pytest.mark.parametrize("seed", range(10))
def test_the_penalty_is_that_of_the_four_sums(seed):
    bags, labels, named = drawn(seed)
    assert bag_penalty(labels, bags, named) == pytest.approx(four_sums(labels, bags, named))
    assert bag_penalty(np.eye(3)[labels], bags, named) == pytest.approx(bag_penalty(labels, bags, named))


@pytest.mark.parametrize("seed", range(5))
def test_gains_are_differences_of_the_penalty(seed):
    bags, labels, named = drawn(seed)
    penalty = _Penalty(np.eye(3)[labels], bags, named)
    rng = np.random.default_rng(seed)
    for item in rng.permutation(24)[:12]:
        now = bag_penalty(np.eye(3)[labels], bags, named)
        gains = penalty.gains(item, labels[item])
        for new in range(3):
            moved = labels.copy()
            moved[item] = new
            assert gains[new] == pytest.approx(bag_penalty(np.eye(3)[moved], bags, named) - now, abs=1e-12)
        new = int(rng.integers(3))
        penalty.move(item, labels[item], new)
        labels[item] = new
        assert penalty.value() == pytest.approx(bag_penalty(np.eye(3)[labels], bags, named))


def objective(X, labels, bags, named, alpha, k):
    inside = sum(((X[labels == c] - X[labels == c].mean(axis=0)) ** 2).sum() for c in np.unique(labels))
    return -inside / ((X - X.mean(axis=0)) ** 2).sum() + alpha * bag_penalty(np.eye(k)[labels], bags, named)


@pytest.mark.parametrize("seed", range(6))
def test_refining_never_lowers_the_objective_and_ends_where_no_item_would_move(seed):
    rng = np.random.default_rng(seed)
    bags, labels, named = drawn(seed, n=40)
    X = rng.normal(size=(40, 2)) + labels[:, None]
    alpha = rng.uniform(0, 2)
    found = refine_with_bags(X, labels, bags, named, alpha=alpha)
    assert objective(X, found, bags, named, alpha, 3) >= objective(X, labels, bags, named, alpha, 3) - 1e-9
    np.testing.assert_array_equal(refine_with_bags(X, found, bags, named, alpha=alpha), found)


def test_bags_help_k_means_and_without_weight_it_is_k_means():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=120)
    X = rng.normal(size=(120, 3)) + 1.2 * truth[:, None]
    bags = np.repeat(np.arange(40), 3)
    order = np.argsort(truth, kind="stable")
    X, truth = X[order], truth[order]  # most bags are of one class
    named = {b: set(truth[bags == b].tolist()) for b in range(40)}
    start = KMeans(2, n_init=10, random_state=0).fit_predict(X)
    np.testing.assert_array_equal(refine_with_bags(X, start, bags, named, alpha=0.0), start)
    assert ari(truth, refine_with_bags(X, start, bags, named, alpha=2.0)) > ari(truth, start)
