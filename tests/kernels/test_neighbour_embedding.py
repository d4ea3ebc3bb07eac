"""The forces of the neighbour embedding are the gradient of what it minimises; its weights are as the paper wants."""

import numpy as np
import pytest
from scipy.optimize import curve_fit

from likewise.kernels.neighbour_embedding import CURVE, NEAR, move_places, pull, push, weigh_neighbours

A, B = CURVE


def loss_of_joined(u, v):
    """Cross-entropy of an edge with weight 1: the logarithm of 1 / (1 + a d^2b), turned round."""
    return np.log1p(A * ((u - v) @ (u - v)) ** B)


def loss_of_apart(u, v):
    """Cross-entropy of a pair with weight 0."""
    return -np.log(1 - 1 / (1 + A * ((u - v) @ (u - v)) ** B))


def slope(loss, u, v, step=1e-6):
    """The gradient by the first place, from differences."""
    found = []
    for axis in np.eye(2):
        found.append((loss(u + step * axis, v) - loss(u - step * axis, v)) / (2 * step))
    return np.array(found)


@pytest.mark.parametrize("seed", range(20))
def test_forces_are_the_gradient(seed):
    rng = np.random.default_rng(seed)
    u, v = rng.normal(scale=rng.choice([0.2, 1.0, 5.0]), size=(2, 2))
    squared = (u - v) @ (u - v)
    assert squared > NEAR
    np.testing.assert_allclose(pull(squared, A, B) * (u - v), slope(loss_of_joined, u, v), rtol=1e-5)
    np.testing.assert_allclose(-push(squared, A, B) * (u - v), slope(loss_of_apart, u, v), rtol=1e-5)


def test_places_on_top_of_each_other_have_no_infinite_forces():
    assert pull(0.0, A, B) == 0.0
    assert push(0.0, A, B) == push(NEAR, A, B) < np.inf


def test_the_curve_is_the_nearest_to_that_of_the_paper():
    d = np.linspace(0, 3, 300)
    wanted = np.where(d < 0.1, 1.0, np.exp(0.1 - d))
    (a, b), _ = curve_fit(lambda d, a, b: 1 / (1 + a * d ** (2 * b)), d, wanted)
    np.testing.assert_allclose([a, b], CURVE, rtol=1e-3)


def test_weights_sum_to_the_logarithm_of_the_number_of_neighbours():
    distances = np.sort(np.random.default_rng(0).uniform(0.5, 3, (50, 15)), axis=1)
    weights = weigh_neighbours(distances)
    assert (weights[:, 0] == 1).all()
    assert (np.diff(weights, axis=1) <= 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), np.log2(15), rtol=1e-6)


def test_weights_of_equal_pictures_are_finite():
    assert (weigh_neighbours(np.zeros((4, 3))) == 1).all()


def test_joined_places_come_together_and_others_go_apart():
    places = np.array([[0.0, 0.0], [4.0, 0.0], [0.1, 0.1], [4.1, 0.1]])
    heads, tails = np.array([0, 1, 2, 3]), np.array([1, 0, 3, 2])
    move_places(places, heads, tails, np.ones(4), np.ones(4), 300, 5, 0)
    near, far = np.linalg.norm(places[0] - places[1]), np.linalg.norm(places[0] - places[2])
    assert near < 2 < far


def test_places_with_a_rate_of_zero_stay():
    places = np.random.default_rng(0).normal(size=(6, 2))
    before, rates = places.copy(), np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0])
    move_places(places, np.arange(6), np.roll(np.arange(6), 1), np.ones(6), rates, 20, 5, 0)
    assert (places[::2] == before[::2]).all()
    assert (places[1::2] != before[1::2]).all()
