"""How often each person is right: against all possible truths, one by one, and on cases known beforehand."""

import math
from itertools import product

import numpy as np
import pytest

from likewise.crowd import CrowdAnswer, crowd_quality, dawid_skene, estimate_reliability
from likewise.crowd.reliability import wilson


def simulated(rates, n_units, seed, gold=0.1):
    rng = np.random.default_rng(seed)
    answers = []
    for unit in range(n_units):
        truth = "same" if rng.random() < 0.3 else "different"
        is_gold = rng.random() < gold
        for who in rng.choice(len(rates), 2, replace=False):
            wrong = rng.random() < rates[who]
            value = truth if not wrong else ("same" if truth == "different" else "different")
            answers.append(CrowdAnswer(f"p{who}", unit, value, None, truth if is_gold else ""))
    return answers


def tiny(seed):
    """A few answers of three people to four questions, one of which is known."""
    rng = np.random.default_rng(seed)
    words = ["a", "b", "c"][: 2 + seed % 2]
    given = [(u, p, rng.choice(words)) for u in range(4) for p in range(3) if rng.random() < 0.8]
    units, people, values = (list(each) for each in zip(*given, strict=True))
    return units, people, [str(value) for value in values], {units[0]: "a"}


def all_truths(units, values, truth, table, prior, people, words):
    """By enumeration: the probability of each value for each question, and the log-likelihood of the answers."""
    names = list(dict.fromkeys(units))
    total, sums = 0.0, np.zeros((len(names), len(words)))
    for guess in product(range(len(words)), repeat=len(names)):
        of = dict(zip(names, guess, strict=True))
        if any(words[of[u]] != value for u, value in truth.items() if u in of):
            continue
        chance = math.prod(prior[k] for u, k in of.items() if u not in truth)
        for u, p, value in zip(units, people, values, strict=True):
            chance *= table[p, of[u], words.index(value)]
        total += chance
        for row, u in enumerate(names):
            sums[row, of[u]] += chance
    return sums / total, math.log(total)


@pytest.mark.parametrize("seed", range(8))
def test_probabilities_are_those_of_all_truths_enumerated(seed):
    units, people, values, truth = tiny(seed)
    found = dawid_skene(units, people, values, truth=truth, max_iter=5000, tol=1e-13)
    number = {name: k for k, name in enumerate(found.annotators)}
    at = [number[p] for p in people]
    slow, _ = all_truths(units, values, truth, found.confusion, found.prior, at, found.values)
    np.testing.assert_allclose(found.probability, slow, atol=1e-6)
    expected = np.zeros(len(number))
    for u, p, value in zip(units, at, values, strict=True):
        expected[p] += slow[found.units.index(u), found.values.index(value)]
    np.testing.assert_allclose(found.right, expected, atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_no_table_nearby_explains_the_answers_better(seed):
    units, people, values, truth = tiny(seed)
    found = dawid_skene(units, people, values, truth=truth, max_iter=20000, tol=1e-14)
    at = [found.annotators.index(p) for p in people]
    added = 1 + np.eye(len(found.values))  # the smoothing, as answers given before

    def explains(table):
        _, log_likelihood = all_truths(units, values, truth, table, found.prior, at, found.values)
        return log_likelihood + (added * np.log(table)).sum()

    best = explains(found.confusion)
    rng = np.random.default_rng(seed)
    for _ in range(30):
        moved = found.confusion * np.exp(0.05 * rng.normal(size=found.confusion.shape))
        assert explains(moved / moved.sum(axis=2, keepdims=True)) <= best + 1e-9


def test_the_careless_one_is_found():
    found = estimate_reliability(simulated([0.2] + [0.02] * 19, 2000, 0))
    careless = found.pop("p0")
    assert careless[2] < min(low for low, _, _ in found.values())
    assert abs(careless[1] - 0.8) < 0.08


def test_what_tells_nothing_is_left_out():
    alone = [CrowdAnswer("ann", 1, "same"), CrowdAnswer("bob", 2, "unsure"), CrowdAnswer("bob", 1, "unsure")]
    assert estimate_reliability(alone) == {}
    assert estimate_reliability([]) == {}
    assert estimate_reliability([CrowdAnswer("ann", (1, 2, 3), "1-2", None, "", "triplet")] * 2) == {}


def test_two_who_always_disagree_are_right_half_of_the_time_each():
    answers = [CrowdAnswer(who, k, value) for k in range(6) for who, value in (("ann", "same"), ("bob", "different"))]
    assert [middle for _, middle, _ in estimate_reliability(answers).values()] == pytest.approx([0.5, 0.5])


def test_a_known_answer_decides_who_of_two_is_right():
    truth = {0: "same", 1: "same", 2: "different", 3: "different"}
    other = {"same": "different", "different": "same"}
    answers = [CrowdAnswer("ann", k, value, truth=value) for k, value in truth.items()]
    answers += [CrowdAnswer("bob", k, other[value], truth=value) for k, value in truth.items()]
    found = estimate_reliability(answers)
    assert found == {"ann": wilson(4, 4), "bob": wilson(0, 4)}


def test_all_alike_and_one_value_only():
    answers = [CrowdAnswer(who, k, "same") for k in range(5) for who in ("ann", "bob")]
    assert estimate_reliability(answers) == {"ann": wilson(5, 5), "bob": wilson(5, 5)}


def test_the_last_answer_of_a_person_counts():
    changed = [CrowdAnswer("ann", 1, "different", truth="same"), CrowdAnswer("ann", 1, "same", truth="same")]
    assert estimate_reliability(changed) == {"ann": wilson(1, 1)}


def test_names_of_people_and_order_of_answers_change_nothing():
    answers = simulated([0.3, 0.1, 0.0, 0.05], 25, 1)
    found = estimate_reliability(answers)
    turned = estimate_reliability(answers[::-1])
    for name, interval in found.items():
        assert turned[name] == pytest.approx(interval, abs=1e-6)


def test_the_table_of_annotators_shows_the_same_estimate():
    answers = simulated([0.3, 0.1, 0.0, 0.05], 40, 2)
    estimated = estimate_reliability(answers)
    for each in crowd_quality(answers).annotators:
        assert each.reliability == estimated[each.annotator][1]


def test_the_interval_is_where_the_share_is_wilsons_distance_away():
    for right, n in ((0, 1), (1, 1), (3, 10), (9.5, 10), (500, 500)):
        low, share, high = wilson(right, n)
        assert 0 <= low <= share <= high <= 1
        for end in (low, high):
            assert (share - end) ** 2 == pytest.approx(1.96**2 * end * (1 - end) / n, abs=1e-9)
