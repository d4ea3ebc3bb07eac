"""Distances of items that were not fitted: the program written out, solved by a general method."""

import numpy as np
import pytest
from scipy.optimize import minimize

from likewise.distances import DistLQP, pairwise


def program(d, sides, lengths, cost):
    """Value of a candidate under the soft program: slack of every inequality at its price."""
    i, j = sides

    def value(e):
        missed = np.maximum(0, np.stack([e[i] - e[j] - lengths, e[j] - e[i] - lengths, lengths - e[i] - e[j]]))
        return 0.5 * ((e - d) ** 2).sum() + (cost * missed).sum()

    return value


def solve_with_slack(d, sides, lengths, cost):
    """The same program as a smooth one with a slack for every inequality, by a general solver."""
    n, m = len(d), len(lengths)
    A = np.zeros((3 * m, n))
    t = np.arange(m)
    for s, (a, b) in enumerate(((-1, 1), (1, -1), (1, 1))):
        A[s * m + t, sides[0]] += a
        A[s * m + t, sides[1]] += b
    b = np.concatenate([-lengths, -lengths, lengths])
    price = np.tile(cost, 3)
    found = minimize(
        lambda x: 0.5 * ((x[:n] - d) ** 2).sum() + price @ x[n:],
        np.concatenate([d, np.maximum(0, b - A @ d)]),
        jac=lambda x: np.concatenate([x[:n] - d, price]),
        constraints={
            "type": "ineq",
            "fun": lambda x: A @ x[:n] + x[n:] - b,
            "jac": lambda x: np.hstack([A, np.eye(3 * m)]),
        },
        bounds=[(None, None)] * n + [(0, None)] * (3 * m),
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    return found.x[:n]


@pytest.mark.parametrize("seed", range(12))
def test_no_other_distances_are_better(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(7, 2))
    new = rng.normal(size=(3, 2))
    model = DistLQP(3, must_link_weight=rng.uniform(0.05, 3), cannot_link_weight=rng.uniform(0.05, 1), tol=1e-10)
    model.fit(pairwise(X), must_link=[(0, 1)], cannot_link=[(2, 3), (4, 5)])
    start = pairwise(new, X)
    found = model.distances_to(start)
    i, j = np.nonzero(np.triu(model.distances_ != pairwise(X), 1))
    lengths = model.distances_[i, j]
    cost = np.where(lengths < pairwise(X)[i, j], model.must_link_weight, model.cannot_link_weight)
    for d, e in zip(start, found, strict=True):
        value = program(d, (i, j), lengths, cost)
        best = solve_with_slack(d, (i, j), lengths, cost)
        assert value(e) <= value(best) + 1e-6
        np.testing.assert_allclose(e, best, atol=2e-3)


def test_with_all_triangles_they_hold_exactly():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, 3))
    D = pairwise(X)
    model = DistLQP(must_link_distance=0.0, triangles="all", tol=1e-10).fit(D, must_link=[(0, 1), (2, 3)])
    e = model.distances_to(pairwise(rng.normal(size=(5, 3)), X))
    learned = model.distances_
    i, j = np.nonzero(np.triu(learned != D, 1))
    assert (np.abs(e[:, i] - e[:, j]) <= learned[i, j] + 1e-6).all()
    assert (e[:, i] + e[:, j] >= learned[i, j] - 1e-6).all()
    np.testing.assert_allclose(e[:, 0], e[:, 1], atol=1e-6)  # must-links at 0 have one distance to everything


def test_without_constraints_nothing_moves_and_vectors_are_taken_too():
    rng = np.random.default_rng(1)
    X, new = rng.normal(size=(10, 2)), rng.normal(size=(4, 2))
    np.testing.assert_array_equal(DistLQP().fit(pairwise(X)).distances_to(pairwise(new, X)), pairwise(new, X))
    said = {"must_link": [(0, 1)], "cannot_link": [(2, 3)]}
    by_vectors = DistLQP(3, metric="euclidean").fit(X, **said).distances_to(new)
    by_distances = DistLQP(3).fit(pairwise(X), **said).distances_to(pairwise(new, X))
    np.testing.assert_array_equal(by_vectors, by_distances)


def test_distances_to_other_items_are_refused():
    model = DistLQP().fit(pairwise(np.random.default_rng(2).normal(size=(6, 2))))
    for bad in (np.ones((2, 5)), -np.ones((2, 6))):
        with pytest.raises(ValueError, match="6 fitted items"):
            model.distances_to(bad)
