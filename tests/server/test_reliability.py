"""How often each person is right: as the equations with loops say, and the careless told apart from the careful."""

import math

import numpy as np

from likewise.crowd import CrowdAnswer
from likewise.crowd.reliability_em import PRIOR_ANSWERS, PRIOR_RIGHT, estimate_reliability


def simulated(rates, n_units, seed, gold=0.1):
    rng = np.random.default_rng(seed)
    answers = []
    for unit in range(n_units):
        truth = "same" if rng.random() < 0.3 else "different"
        is_gold = rng.random() < gold
        for who in rng.choice(len(rates), 2, replace=False):
            wrong = rng.random() < rates[who]
            said = truth if not wrong else ("same" if truth == "different" else "different")
            answers.append(CrowdAnswer(f"p{who}", unit, said, None, truth if is_gold else ""))
    return answers


def step_by_step(answers, rounds=400):
    people = {each.annotator for each in answers}
    right = dict.fromkeys(people, PRIOR_RIGHT / PRIOR_ANSWERS)
    for _ in range(rounds):
        same = {}
        for unit in {each.unit for each in answers}:
            here = [each for each in answers if each.unit == unit]
            known = next((each.truth for each in here if each.truth), "")
            yes = no = 1.0
            for each in here:
                p = right[each.annotator]
                yes *= p if each.value == "same" else 1 - p
                no *= p if each.value == "different" else 1 - p
            same[unit] = yes / (yes + no) if not known else float(known == "same")
        expected = dict.fromkeys(people, 0.0)
        for each in answers:
            expected[each.annotator] += same[each.unit] if each.value == "same" else 1 - same[each.unit]
        counts = {who: sum(each.annotator == who for each in answers) for who in people}
        right = {who: (expected[who] + PRIOR_RIGHT) / (counts[who] + PRIOR_ANSWERS) for who in people}
    return {who: expected[who] / counts[who] for who in people}


def test_it_is_what_the_equations_say():
    for seed in range(5):
        answers = simulated([0.3, 0.1, 0.0, 0.05], 25, seed)
        found, slow = estimate_reliability(answers), step_by_step(answers)
        assert found.keys() == slow.keys()
        for who, (low, middle, high) in found.items():
            assert math.isclose(middle, slow[who], abs_tol=1e-6)
            assert low <= middle <= high


def test_the_careless_is_told_apart():
    found = estimate_reliability(simulated([0.2] + [0.02] * 19, 2000, 0))
    careless = found.pop("p0")
    assert careless[2] < min(low for low, _, _ in found.values())
    assert abs(careless[1] - 0.8) < 0.08


def test_what_says_nothing_is_left_out():
    alone = [CrowdAnswer("ann", 1, "same"), CrowdAnswer("bob", 2, "unsure"), CrowdAnswer("bob", 1, "unsure")]
    assert estimate_reliability(alone) == {}
    assert estimate_reliability([CrowdAnswer("ann", (1, 2, 3), "1-2", None, "", "triplet")] * 2) == {}
