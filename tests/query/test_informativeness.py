"""Information of pairs and triplets against the mutual information of enumerated labels and answers."""

import itertools

import numpy as np
import pytest

from likewise.query import choose_form, informativeness


def said(y):
    if len(y) == 2:
        return int(y[0] != y[1])
    if y[0] == y[1] != y[2]:
        return 0
    if y[0] == y[2] != y[1]:
        return 1
    return 2 if y[1] == y[2] != y[0] else 3


def enumerated(p, n_items, epsilon):
    """Mutual information of labels and answer from their joint table."""
    n_answers = 2 if n_items == 2 else 4
    table = np.zeros((len(p) ** n_items, n_answers))
    for row, y in enumerate(itertools.product(range(len(p)), repeat=n_items)):
        noise = np.full(n_answers, epsilon / (n_answers - 1))
        noise[said(y)] = 1 - epsilon
        table[row] = np.prod([p[k] for k in y]) * noise
    outer = table.sum(1, keepdims=True) * table.sum(0, keepdims=True)
    on = table > 0
    return float((table[on] * np.log(table[on] / outer[on])).sum())


@pytest.mark.parametrize("epsilon", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(8))
def test_equals_enumeration(seed, epsilon):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 20, size=rng.integers(1, 6)) + (np.arange(1) == 0)
    told = informativeness(sizes, epsilon=epsilon)
    p = sizes / sizes.sum()
    assert told.pair == pytest.approx(enumerated(p, 2, epsilon), abs=1e-12)
    assert told.triplet == pytest.approx(enumerated(p, 3, epsilon), abs=1e-12)


@pytest.mark.parametrize("k", range(2, 40))
def test_equal_classes_have_the_closed_form_of_the_thesis_and_triplets_tell_more(k):
    told = informativeness(np.ones(k))
    share = 3 * (k - 1) / k**2
    assert told.pair == pytest.approx(np.log(k) - (1 - 1 / k) * np.log(k - 1) if k > 1 else 0)
    assert told.triplet == pytest.approx(
        2 * np.log(k) - share * np.log(k - 1) - (1 - share) * np.log(k**2 - 3 * (k - 1))
    )
    assert told.triplet > told.pair
    assert told.per_item[1] > told.per_item[0]


def test_the_corollary_holds_wherever_its_conditions_do():
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(3000):
        p = rng.dirichlet(np.full(rng.integers(2, 12), rng.uniform(0.2, 3)))
        told = informativeness(p)
        assert told.is_sure_by_corollary == (p.max() <= 2 / 3 and 3 * (p**2 * (1 - p)).sum() <= 1 - 1 / np.e)
        if told.is_sure_by_corollary:
            held += 1
            assert told.triplet >= told.pair - 1e-12
    assert held > 500


def test_one_class_with_most_of_the_items_is_not_sure():
    told = informativeness([0.97, 0.01, 0.01, 0.01])
    assert told.odd_one <= 1 - 1 / np.e  # the second condition alone would be sure
    assert not told.is_sure_by_corollary


def test_the_form_follows_information_a_second():
    assert choose_form([1, 1, 1], pair_seconds=1, triplet_seconds=1) == "triplet"
    assert choose_form([1, 1, 1], pair_seconds=1, triplet_seconds=100) == "pair"
    assert choose_form([1], pair_seconds=1, triplet_seconds=1) == "pair"  # nothing to tell
    assert choose_form([1] * 4, pair_seconds=2.6, triplet_seconds=5.1, triplet_error=0.5) == "pair"


def test_bad_sizes():
    for bad in ([], [-1, 2], [0, 0], [[1, 2]], [np.nan]):
        with pytest.raises(ValueError, match="class_sizes"):
            informativeness(bad)
    with pytest.raises(ValueError, match="epsilon"):
        informativeness([1, 2], epsilon=1.0)
    with pytest.raises(ValueError, match="seconds"):
        choose_form([1, 2], pair_seconds=0)
