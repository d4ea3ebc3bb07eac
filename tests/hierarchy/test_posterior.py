"""Posteriors on a tree against the sum over all labelings, for up to ten tags."""

from itertools import product

import numpy as np
import pytest

from likewise.hierarchy.em import Features, Search, attach, edge_weights, infer
from likewise.hierarchy.trees import top_down
from likewise.kernels.inference.logistic import squash_scores


def random_tree(rng, k):
    parents = np.array([rng.integers(-1, c) for c in range(k)])
    names = rng.permutation(k)  # parents need not come first
    out = np.empty(k, np.int64)
    out[names] = np.where(parents < 0, -1, names[parents])
    return out


def chances(scores):
    on, off, log_off = (np.empty_like(scores) for _ in range(3))
    squash_scores(scores, on, off, log_off)
    return on, off, log_off


def log_joint(labels, tags, scores, parents, alpha, epsilon):
    """log P(labels, tags) of one instance, straight from table 5.1."""
    total = 0.0
    for c, y in enumerate(labels):
        above = 1 if parents[c] < 0 else labels[parents[c]]
        on = 1 / (1 + np.exp(-scores[c])) if above else epsilon
        total += np.log(on if y else 1 - on)
        if tags[c] and not y:
            return -np.inf
        if y:
            total += np.log(1 - alpha if tags[c] else alpha)
    return total


def enumerate_posterior(tags, scores, parents, alpha, epsilon):
    k = len(scores)
    labelings = np.array(list(product((0, 1), repeat=k)))
    logs = np.array([log_joint(y, tags, scores, parents, alpha, epsilon) for y in labelings])
    p = np.exp(logs - logs.max())
    likelihood = logs.max() + np.log(p.sum())
    p /= p.sum()
    return (labelings * p[:, None]).T @ labelings, likelihood, labelings, p


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
def test_pairwise_posteriors_are_those_of_enumeration(k):
    rng = np.random.default_rng(k)
    for _ in range(3 if k < 9 else 1):
        n = 5 if k < 8 else 2
        parents = random_tree(rng, k)
        scores = 3 * rng.normal(size=(k, n))
        tags = rng.random((k, n)) < rng.choice([0.0, 0.3, 1.0], p=[0.1, 0.8, 0.1])
        alpha, epsilon = rng.uniform(0.05, 0.6), rng.uniform(0.001, 0.2)
        on, off, log_off = chances(scores)
        found = infer(on, off, tags, parents, alpha, epsilon)
        both, weights, likelihood = np.zeros((k, k)), np.zeros((k + 1, k)), 0.0
        for i in range(n):
            pairs, log_p, labelings, p = enumerate_posterior(tags[:, i], scores[:, i], parents, alpha, epsilon)
            np.testing.assert_allclose(found.marginal[:, i], np.diag(pairs), atol=1e-12)
            for partner in range(-1, k):
                together = found.beside(np.full(k, partner))[:, i]
                expected = np.diag(pairs) if partner < 0 else pairs[partner]
                np.testing.assert_allclose(together, expected, atol=1e-12)
            both += pairs
            likelihood += log_p
            for parent, c in product(range(-1, k), range(k)):
                above = labelings[:, parent] if parent >= 0 else 1
                chance = np.where(above, on[c, i], epsilon)
                weights[parent, c] += p @ np.log(np.where(labelings[:, c], chance, 1 - chance))
        off_diagonal = ~np.eye(k, dtype=bool)
        np.testing.assert_allclose(found.pair_sums(scores)[0][off_diagonal], both[off_diagonal], rtol=1e-10, atol=1e-12)
        assert found.likelihood == pytest.approx(likelihood, rel=1e-11)
        inner, root = edge_weights(found, scores, log_off, epsilon)
        np.testing.assert_allclose(inner[off_diagonal], weights[:k][off_diagonal], rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(root, weights[k], rtol=1e-9, atol=1e-10)


def test_joint_with_the_parent_is_that_of_any_pair():
    rng = np.random.default_rng(0)
    parents = random_tree(rng, 12)
    scores = rng.normal(size=(12, 200))
    on, off, _ = chances(scores)
    found = infer(on, off, rng.random((12, 200)) < 0.2, parents, 0.3, 0.05)
    quick = found.beside(parents)
    for c in range(12):
        partners = np.full(12, parents[c])
        np.testing.assert_allclose(quick[c], found.beside(partners)[c], atol=1e-14)


def test_blocks_change_nothing():
    rng = np.random.default_rng(3)
    parents = random_tree(rng, 6)
    scores, tags = rng.normal(size=(6, 333)), rng.random((6, 333)) < 0.3
    on, off, _ = chances(scores)
    whole = infer(on, off, tags, parents, 0.2, 0.05)
    part = np.ascontiguousarray
    cut = [
        infer(part(on[:, s]), part(off[:, s]), part(tags[:, s]), parents, 0.2, 0.05) for s in (np.s_[:100], np.s_[100:])
    ]
    np.testing.assert_allclose(whole.marginal, np.hstack([c.marginal for c in cut]), atol=1e-15)
    sums = [c.pair_sums(part(scores[:, s]))[1] for c, s in zip(cut, (np.s_[:100], np.s_[100:]), strict=True)]
    np.testing.assert_allclose(whole.pair_sums(scores)[1], sums[0] + sums[1], atol=1e-10)


def test_enormous_scores_stay_finite():
    scores = np.array([[1e4, -1e4, 1e4], [-1e4, -1e4, 1e4], [-1e4, 1e4, -1e4]])
    tags = np.array([[0, 1, 0], [1, 1, 0], [1, 1, 1]], bool)
    on, off, _ = chances(scores)
    for parents in ([-1, 0, 1], [-1, 0, 0], [-1, -1, -1]):
        found = infer(on, off, tags, np.array(parents), 0.1, 1e-6)
        assert np.isfinite(found.likelihood)
        assert np.isfinite(found.marginal).all()
        assert np.isfinite(found.beside(np.array([1, 2, 0]))).all()


def problem(seed, n=80, d=4, k=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    tree = random_tree(rng, k)
    on = X @ rng.normal(size=(d, k)) + rng.normal(size=k) > 0
    for c in top_down(tree):
        if tree[c] >= 0:
            on[:, c] &= on[:, tree[c]]
    return X, on & (rng.random(on.shape) > 0.3), tree


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("learn_tree", [True, False])
def test_the_bound_never_falls(seed, learn_tree):
    X, Z, tree = problem(seed)
    features = Features.turn(X)
    search = Search(features, np.ascontiguousarray(Z.T), 0.1 + seed, 3, learn_tree=learn_tree)
    model = attach(search.flat(0.2, 20), tree if seed % 2 else np.full(len(tree), -1))
    path = []
    for _, each in zip(range(40), search.rounds(model, 0.05, 1.0), strict=False):
        path += [each.before, each.after]
        assert search.value(each.model, 0.05) >= each.after - 1e-9 * abs(each.after)
    assert np.diff(path).min() >= -1e-9 * abs(path[0])
    assert path[-1] > path[0]
