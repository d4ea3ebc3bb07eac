"""What *same* and *different* of each person weigh, against EM with loops; which way shared pairs lean."""

from collections import defaultdict
from math import exp, log

import numpy as np
import pytest

from likewise import Session
from likewise.query.answers.ledger import Ledger
from likewise.query.answers.people import AnnotatorRates
from likewise.query.answers.shared_pairs import EARNED, EVEN, EVERYBODY, HEAVIEST, LIGHTEST, PRIOR, weigh_shared

PEOPLE = {"ann": (0.05, 0.02), "bob": (0.3, 0.05), "cid": (0.9, 0.0), "dot": (0.5, 0.5)}


def crowd(seed, n_pairs=60, share=0.2):
    """Statements of two to four people about each pair, and some about pairs of their own."""
    rng = np.random.default_rng(seed)
    said, names, truth = [], [], {}
    for pair in range(n_pairs):
        truth[2 * pair, 2 * pair + 1] = same = rng.random() < share
        for name in rng.permutation(list(PEOPLE))[: rng.integers(1, 5)].tolist():
            missed, taken = PEOPLE[name]
            says_same = rng.random() < (1 - missed if same else taken)
            said.append((2 * pair, 2 * pair + 1, "same" if says_same else "different"))
            names.append(name)
    return said, names, truth, rng.random(len(said))


def slow_weights(said, names, by_others, left_out=()):
    """EM as one would write it down, statement by statement."""
    typical = log(0.95 / 0.05)
    voters = defaultdict(set)
    for (i, j, _), name in zip(said, names, strict=True):
        voters[i, j].add(name)
    shared = [pair for pair, who in voters.items() if len(who) > 1]
    counted = [name not in left_out for name in names]
    p = {}
    for pair in shared:
        votes = [s[2] == "same" for s, here in zip(said, counted, strict=True) if here and s[:2] == pair]
        p[pair] = sum(votes) / max(1, len(votes))
    for _ in range(100):
        tested, wrong = defaultdict(float), defaultdict(float)
        for (i, j, relation), name, other, here in zip(said, names, by_others, counted, strict=True):
            is_same = p.get((i, j), other)
            count = here * (1.0 if (i, j) in p else abs(2 * other - 1))
            for kind, probability in (("same", is_same), ("different", 1 - is_same)):
                tested[name, kind] += count * probability
                wrong[name, kind] += count * probability * (relation != kind)
        rates = {}
        for kind in ("same", "different"):
            total = [sum(table[name, kind] for name in set(names)) for table in (wrong, tested)]
            of_all = (0.05 * EVERYBODY + total[0]) / (EVERYBODY + total[1])
            for name in set(names):
                rates[name, kind] = (PRIOR * of_all + wrong[name, kind]) / (PRIOR + tested[name, kind])
        weight = {}
        for name in set(names):
            n_tests = tested[name, "same"] + tested[name, "different"]
            for kind, other in (("same", "different"), ("different", "same")):
                found = log((1 - rates[name, kind]) / rates[name, other]) / typical
                found = min(max(found, LIGHTEST), HEAVIEST)
                weight[name, kind] = found if found <= 1 else 1 + n_tests / (n_tests + EARNED) * (found - 1)
        share = (EVEN / 2 + sum(p.values())) / (EVEN + len(p))
        leaning = log(share / (1 - share))
        odds = dict.fromkeys(p, leaning)
        for (i, j, relation), name, here in zip(said, names, counted, strict=True):
            if here and (i, j) in p:
                odds[i, j] += typical * weight[name, relation] * (1 if relation == "same" else -1)
        p = {pair: 1 / (1 + exp(-value)) for pair, value in odds.items()}
    return weight, shared, leaning / typical, p


@pytest.mark.parametrize("left_out", [(), ("dot",)])
@pytest.mark.parametrize("seed", range(3))
def test_weights_are_those_of_em_with_loops(seed, left_out):
    said, names, _, by_others = crowd(seed)
    found = weigh_shared(said, names, by_others, left_out)
    weight, shared, leaning, _ = slow_weights(said, names, by_others, left_out)
    assert found.shared == shared
    assert found.leaning == pytest.approx(leaning, abs=1e-4)
    for name in set(names) - set(left_out):
        assert found.same[name] == pytest.approx(weight[name, "same"], abs=1e-3)
        assert found.different[name] == pytest.approx(weight[name, "different"], abs=1e-3)


def test_somebody_who_calls_nearly_all_different_is_believed_where_they_say_same():
    said, names, _, by_others = crowd(5, n_pairs=400)
    found = weigh_shared(said, names, by_others)
    assert found.same["cid"] > 1 > 0.2 > found.different["cid"]
    assert found.same["dot"] == found.different["dot"] == LIGHTEST
    assert found.leaning < -0.3  # one in five is the same


def test_where_nobody_spoke_of_the_same_pair_nothing_leans():
    said = [(0, 1, "same"), (2, 3, "different")]
    found = weigh_shared(said, ["ann", "bob"], np.full(2, 0.5))
    assert found.shared == []
    assert found.leaning == 0.0
    assert found.same == pytest.approx({"ann": 1.0, "bob": 1.0})


def test_where_people_were_only_unsure_nobody_is_weighed():
    session = Session(np.arange(12.0)[:, None], random_state=0, recheck=True)
    session.belongs([0, 1, 2], "roses")
    for k in range(12):
        session.answer((k, (k + 1) % 12), "unsure", annotator="ab"[k % 2])
    assert session.annotators_ == {}
    assert session.known(0, 2) == "same"


def test_an_even_vote_goes_where_such_pairs_lean_and_undo_leaves_that():
    ledger = Ledger(4, outvote=True)
    for statement in ((0, 1, "same"), (0, 1, "different"), (2, 3, "different")):
        ledger.add(statement)
    ledger.reweigh([1.0, 1.0, 1.0], {(0, 1): -0.5})
    assert ledger.constraints.known(0, 1) == "different"
    ledger.add((2, 3, "same"))
    ledger.undo()
    ledger.reweigh([1.0, 1.0, 1.0], {(0, 1): 0.5})
    assert ledger.constraints.known(0, 1) == "same"
    assert [conflict.statement for conflict in ledger.conflicts()] == [(0, 1, "different")]


def test_what_nobody_contradicts_stands_whichever_way_pairs_lean():
    ledger = Ledger(2, outvote=True)
    ledger.add((0, 1, "same"))
    ledger.reweigh([0.2], {(0, 1): -5.0})
    assert ledger.constraints.known(0, 1) == "same"


def test_a_person_who_is_not_counted_has_a_say_only_where_others_spoke_too():
    rates = AnnotatorRates("cid", 90, 80.0, 40.0, 0.9, 0.01, 0.0, "always different", 1.4, 0.1)
    assert rates.weight_of("same") == rates.weight_of("different") == 0.0
    assert rates.weight_of("same", shared=True) == 1.4
    assert AnnotatorRates("liar", 9, 9.0, 9.0, 0.9, 0.9, 0.0, "opposite").weight_of("same", shared=True) == 0.0
