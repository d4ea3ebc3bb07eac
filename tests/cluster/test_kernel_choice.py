"""Discriminative clustering chooses between planes and a Gaussian kernel by the answers it did not see."""

import numpy as np
import pytest

from likewise.cluster import DiscriminativeClustering
from likewise.metrics import ari


def pairs_of(truth, count, seed):
    rng = np.random.default_rng(seed)
    pairs = np.array([rng.choice(len(truth), 2, replace=False) for _ in range(count)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return {"must_link": pairs[same], "cannot_link": pairs[~same]}


def disc_in_ring(seed=0, n=120):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    radius = np.where(truth == 0, 0.5, 3.0) + 0.2 * rng.normal(size=n)
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), truth


def test_a_disc_in_a_ring_takes_the_kernel_and_two_blobs_are_found_with_either():
    X, truth = disc_in_ring()
    model = DiscriminativeClustering(2, kernel=(None, "rbf"), random_state=0).fit(X, **pairs_of(truth, 80, 0))
    assert model.kernel_ == "rbf"
    assert ari(truth, model.labels_) > 0.9

    rng = np.random.default_rng(1)
    blobs = rng.normal(size=(120, 2)) + 6 * truth[:, None]
    model = DiscriminativeClustering(2, kernel=(None, "rbf"), random_state=0).fit(blobs, **pairs_of(truth, 80, 1))
    assert ari(truth, model.labels_) > 0.9


@pytest.mark.parametrize("kernel", [None, "rbf"])
def test_a_sequence_of_one_kernel_is_that_kernel(kernel):
    X, truth = disc_in_ring(2, 60)
    given = pairs_of(truth, 30, 2)
    settings = {"tau": [0.5, 1.0], "random_state": 0}
    one = DiscriminativeClustering(2, kernel=kernel, **settings).fit(X, **given)
    several = DiscriminativeClustering(2, kernel=[kernel], **settings).fit(X, **given)
    np.testing.assert_array_equal(one.coef_, several.coef_)
    assert several.kernel_ == kernel


def test_no_kernel_at_all_is_an_error():
    with pytest.raises(ValueError, match="at least one"):
        DiscriminativeClustering(2, kernel=[]).fit(np.eye(4))
    with pytest.raises(ValueError, match="'rbf' or None"):
        DiscriminativeClustering(2, kernel=[None, "cosine"]).fit(np.eye(4))
