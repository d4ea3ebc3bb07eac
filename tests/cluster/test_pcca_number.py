"""PCCA's number of clusters by held-out pairs."""

import numpy as np
import pytest

from likewise.cluster import PCCA, PCKMeans
from likewise.cluster.pcca.number import N_FOLDS, N_REPEATS, number_by_answers
from likewise.cluster.weighed import WeighedConstraints
from likewise.metrics import ari


def drawn(seed, k, count, n=90, apart=6.0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % k
    X = rng.normal(size=(n, 3)) + apart * rng.normal(size=(k, 3))[truth]
    pairs = np.array([rng.choice(n, 2, replace=False) for _ in range(count)])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return X, truth, pairs[same], pairs[~same]


def written_out(X, must, cannot, numbers, usual, price, random):
    """Every repeat, fold and number in plain loops."""
    right = {number: ([0.0] * len(must), [0.0] * len(cannot)) for number in numbers}
    for _ in range(N_REPEATS):
        folds = [random.permutation(np.arange(len(pairs)) % N_FOLDS) for pairs in (must, cannot)]
        seed = random.randint(2**31 - 1)
        for number in numbers:
            for held in range(N_FOLDS):
                kept = must[folds[0] != held], cannot[folds[1] != held]
                model = PCKMeans(number, weight=price, random_state=seed).fit(X, must_link=kept[0], cannot_link=kept[1])
                for side, pairs in enumerate((must, cannot)):
                    for at in np.flatnonzero(folds[side] == held):
                        same = model.labels_[pairs[at, 0]] == model.labels_[pairs[at, 1]]
                        right[number][side][at] += same == (side == 0)
    score = {k: sum(np.mean(side) for side in of) / N_REPEATS / 2 for k, of in right.items()}
    best = next(k for k in numbers if score[k] >= max(score.values()) - 1e-12)
    if usual not in score:
        return best
    variance = 0.0
    for one, other in zip(right[best], right[usual], strict=True):
        gaps = (np.array(one) - np.array(other)) / N_REPEATS
        variance += ((gaps - gaps.mean()) ** 2).sum() / (len(gaps) - 1) / len(gaps) / 4
    return usual if score[best] - score[usual] <= variance**0.5 else best


@pytest.mark.parametrize("seed", range(5))
def test_the_number_is_that_of_the_loops_written_out(seed):
    X, _, must, cannot = drawn(seed, 3, 60, n=40, apart=1.5)
    given = WeighedConstraints(len(X), must, cannot)
    for usual in (1, 3, 5):
        found = number_by_answers(X, given, range(2, 6), usual, 1.0, np.random.RandomState(seed))
        assert found == written_out(X, must, cannot, range(2, 6), usual, 1.0, np.random.RandomState(seed))


def test_the_usual_number_stands_where_pairs_tell_nothing():
    """Answers at random: no number predicts them."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2))
    pairs = rng.permutation(60).reshape(-1, 2)
    given = WeighedConstraints(60, pairs[:15], pairs[15:])
    usual = [number_by_answers(X, given, range(2, 6), k, 1.0, np.random.RandomState(k)) for k in (2, 3, 4, 5)]
    assert sum(found == k for found, k in zip(usual, (2, 3, 4, 5), strict=True)) >= 2


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
    assert number_by_answers(X, given, range(2, 5), 3, 1.0, np.random.RandomState(0)) is None
    few = PCCA(9, number="answers", random_state=0).fit(X)
    assert few.n_clusters_ == PCCA(9, random_state=0).fit(X).n_clusters_


def test_another_word_is_refused():
    with pytest.raises(ValueError, match="'tightness' or 'answers'"):
        PCCA(number="most").fit(np.eye(4))
