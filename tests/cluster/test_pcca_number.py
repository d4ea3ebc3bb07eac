"""PCCA's number of clusters by held-out pairs."""

import numpy as np
import pytest

from likewise.cluster import PCCA, PCKMeans
from likewise.cluster.pcca.number import N_FOLDS, number_by_answers
from likewise.cluster.weighed import WeighedConstraints
from likewise.metrics import ari


def drawn(seed, k, count, n=90, apart=6.0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % k
    X = rng.normal(size=(n, 3)) + apart * rng.normal(size=(k, 3))[truth]
    pairs = np.array([rng.choice(n, 2, replace=False) for _ in range(count)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return X, truth, pairs[same], pairs[~same]


def written_out(X, must, cannot, numbers, price, random):
    """Every fold and number in plain loops."""
    folds = random.permutation(np.arange(len(must)) % N_FOLDS), random.permutation(np.arange(len(cannot)) % N_FOLDS)
    seed = random.randint(2**31 - 1)
    best = None
    for number in numbers:
        right = [0, 0]
        for held in range(N_FOLDS):
            kept = must[folds[0] != held], cannot[folds[1] != held]
            model = PCKMeans(number, weight=price, random_state=seed).fit(X, must_link=kept[0], cannot_link=kept[1])
            for i, j in must[folds[0] == held]:
                right[0] += model.labels_[i] == model.labels_[j]
            for i, j in cannot[folds[1] == held]:
                right[1] += model.labels_[i] != model.labels_[j]
        score = right[0] / len(must) / 2 + right[1] / len(cannot) / 2
        if best is None or score > best[0] + 1e-12:
            best = score, number
    return best[1]


@pytest.mark.parametrize("seed", range(5))
def test_the_number_is_that_of_the_loops_written_out(seed):
    X, _, must, cannot = drawn(seed, 3, 60, n=40, apart=1.5)
    given = WeighedConstraints(len(X), must, cannot)
    found = number_by_answers(X, given, range(2, 6), 1.0, np.random.RandomState(seed))
    assert found == written_out(X, must, cannot, range(2, 6), 1.0, np.random.RandomState(seed))


def test_classes_of_several_blobs_have_the_number_of_the_answers():
    """Two classes of two blobs each: the data alone say four, the answers two."""
    rng = np.random.default_rng(0)
    blob = np.arange(120) % 4
    X = 0.5 * rng.normal(size=(120, 2)) + np.array([[0.0, 0], [0, 4], [12, 0], [12, 4]])[blob]
    truth = blob // 2
    pairs = np.array([rng.choice(120, 2, replace=False) for _ in range(150)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    model = PCCA(10, number="answers", random_state=0).fit(X, must_link=pairs[same], cannot_link=pairs[~same])
    assert model.n_clusters_ == 2
    assert ari(truth, model.labels_) == 1


@pytest.mark.parametrize("k", [2, 3, 5])
def test_blobs_are_counted(k):
    X, truth, must, cannot = drawn(1, k, 150, apart=12.0)
    model = PCCA(12, number="answers", random_state=0).fit(X, must_link=must, cannot_link=cannot)
    assert model.n_clusters_ == k
    assert ari(truth, model.labels_) == 1


def test_with_few_pairs_it_is_the_tightest_as_by_default():
    X, _, must, cannot = drawn(2, 3, 4)
    given = WeighedConstraints(len(X), must, cannot)
    assert number_by_answers(X, given, range(2, 5), 1.0, np.random.RandomState(0)) is None
    few = PCCA(9, number="answers", random_state=0).fit(X)
    assert few.n_clusters_ == PCCA(9, random_state=0).fit(X).n_clusters_


def test_another_word_is_refused():
    with pytest.raises(ValueError, match="'tightness' or 'answers'"):
        PCCA(number="most").fit(np.eye(4))
