"""Agreement, reliability and accuracy against what is slower and obvious."""

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from likewise.crowd import CrowdAnswer, crowd_quality, dawid_skene, krippendorff_alpha, majority


def alpha_by_pairs(units, values):
    """Krippendorff's own way: a table of coincidences, filled pair of answers by pair of answers."""
    by_unit = {}
    for unit, value in zip(units, values, strict=True):
        by_unit.setdefault(unit, []).append(value)
    together = Counter()
    for said in by_unit.values():
        for one, other in permutations(range(len(said)), 2):
            together[said[one], said[other]] += 1 / (len(said) - 1)
    totals = Counter()
    for (one, _), weight in together.items():
        totals[one] += weight
    n = sum(totals.values())
    observed = sum(weight for (one, other), weight in together.items() if one != other)
    expected = sum(totals[x] * totals[y] for x in totals for y in totals if x != y)
    return 1 - (n - 1) * observed / expected if expected else math.nan


def test_alpha_is_that_of_the_table_of_coincidences():
    rng = np.random.default_rng(0)
    for _ in range(200):
        m = int(rng.integers(0, 40))
        units = rng.integers(0, rng.integers(1, 12), m).tolist()
        values = rng.choice(list("abc")[: rng.integers(1, 4)], m).tolist()
        expected = alpha_by_pairs(units, values)
        found = krippendorff_alpha(units, values)
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_alpha_of_the_worked_example():
    # Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), part C: four observers, twelve units
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    said = [(unit, value) for row in observers for unit, value in enumerate(row) if value is not None]
    assert krippendorff_alpha([u for u, _ in said], [v for _, v in said]) == pytest.approx(0.743, abs=5e-4)


def test_alpha_needs_a_value_for_each_unit():
    with pytest.raises(ValueError, match="a unit and a value"):
        krippendorff_alpha([1, 2], ["a"])


def em_step_by_step(units, people, values, rounds, smoothing=1.0):
    """Dawid and Skene's equations with loops: equal to the fast one after as many rounds."""
    names, who, words = list(dict.fromkeys(units)), list(dict.fromkeys(people)), sorted(set(values))
    sure = {u: dict.fromkeys(words, 0.0) for u in names}
    for u, v in zip(units, values, strict=True):
        sure[u][v] += 1
    for u in names:
        total = sum(sure[u].values())
        sure[u] = {w: sure[u][w] / total for w in words}
    for _ in range(rounds):
        table = {p: {t: {s: smoothing * (1 + (s == t)) for s in words} for t in words} for p in who}
        for u, p, v in zip(units, people, values, strict=True):
            for t in words:
                table[p][t][v] += sure[u][t]
        for p in who:
            for t in words:
                total = sum(table[p][t].values())
                table[p][t] = {s: table[p][t][s] / total for s in words}
        prior = {t: sum(sure[u][t] for u in names) / len(names) for t in words}
        new = {u: dict(prior) for u in names}
        for u, p, v in zip(units, people, values, strict=True):
            for t in words:
                new[u][t] *= table[p][t][v]
        for u in names:
            total = sum(new[u].values())
            new[u] = {t: new[u][t] / total for t in words}
        sure = new
    return np.array([[sure[u][w] for w in words] for u in names])


@pytest.mark.filterwarnings("ignore:dawid_skene stopped at max_iter")
def test_reliability_is_that_of_the_equations():
    rng = np.random.default_rng(1)
    for rounds in (1, 2, 7):
        for _ in range(15):
            m = int(rng.integers(1, 40))
            units = rng.integers(0, 8, m).tolist()
            people = rng.integers(0, 4, m).tolist()
            values = rng.choice(["a", "b", "c"], m).tolist()
            found = dawid_skene(units, people, values, max_iter=rounds, tol=0.0)
            np.testing.assert_allclose(found.probability, em_step_by_step(units, people, values, rounds), atol=1e-9)


def test_a_bad_annotator_is_found_and_outvoted():
    rng = np.random.default_rng(2)
    truth = rng.choice(["same", "different"], 400)
    rates = {"good": 0.02, "fair": 0.05, "bad": 0.45, "worse": 0.45, "worst": 0.5}
    said = []
    for unit, right in enumerate(truth):
        other = "same" if right == "different" else "different"
        said += [CrowdAnswer(p, unit, other if rng.random() < r else right, 1.0, right) for p, r in rates.items()]
    found = crowd_quality(said)
    by_name = {each.annotator: each for each in found.annotators}
    assert found.figures["weighted"] > found.figures["majority"] + 0.02
    for name, rate in rates.items():
        assert by_name[name].accuracy == pytest.approx(1 - rate, abs=0.06)
        assert by_name[name].reliability == pytest.approx(by_name[name].accuracy, abs=0.06)


def test_what_cannot_be_told_is_none():
    (only,) = crowd_quality([CrowdAnswer("ann", 1, "same"), CrowdAnswer("ann", 2, "unsure", 3.0)]).annotators
    assert (only.answers, only.unsure, only.seconds, only.known) == (2, 1, 3.0, 0)
    assert only.accuracy is only.agreement is only.reliability is None
    assert crowd_quality([]).annotators == []
    assert crowd_quality([]).figures == {}


def test_agreement_is_counted_pair_by_pair():
    said = [("ann", 1, "same"), ("bob", 1, "same"), ("cid", 1, "different"), ("ann", 2, "same"), ("bob", 2, "unsure")]
    found = {each.annotator: each.agreement for each in crowd_quality(CrowdAnswer(*s) for s in said).annotators}
    assert found == {"ann": 0.5, "bob": 0.5, "cid": 0.0}


def test_pairs_and_triplets_are_not_mixed():
    pairs = [CrowdAnswer(p, u, "same" if u else "different") for p in ("ann", "bob") for u in range(3)]
    triplets = [
        CrowdAnswer(p, ("t", u), v, kind="triplet") for p, v in (("ann", "ab"), ("bob", "bc")) for u in range(2)
    ]
    found = crowd_quality([*pairs, *triplets])
    assert found.figures["alpha"] == 1.0
    assert [each.answers for each in found.annotators] == [5, 5]
    assert found.annotators[0].agreement == pytest.approx(3 / 5)


def test_a_tie_goes_to_the_first_in_the_alphabet():
    assert majority([1, 1], ["same", "different"]) == {1: "different"}
    with pytest.raises(ValueError, match="no answers"):
        dawid_skene([], [], [])
