"""People who answer at random, always the same or the opposite are found; honest ones are not suspected."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from likewise import Constraints, Session
from likewise.metrics import ari
from likewise.query.answers.people import AnnotatorRates, keep_most, rate_annotators
from likewise.query.answers.taken import TakenAnswers
from likewise.query.question import Answer
from likewise.simulate import SimulatedAnnotator

OTHER = {"same": "different", "different": "same"}


def take_turns(seed, n, manner, error_rate=0.02):
    """Three people take turns; how the third answers, given the right answer and a random number."""
    X, truth = make_blobs(80, n_features=3, centers=5, cluster_std=1.0, center_box=(-8, 8), random_state=seed)
    session = Session(X, random_state=seed, recheck=True)
    people = {name: SimulatedAnnotator(truth, error_rate=error_rate, random_state=k) for k, name in enumerate("abc")}
    rng = np.random.default_rng(seed)
    for k in range(n):
        name = "abc"[k % 3]
        question = session.ask(annotator=name)
        if question is None:
            break
        said = people[name].answer(question)
        session.answer(question, manner(said, rng.random()) if name == "c" else said, annotator=name)
    return session, truth


MANNERS = {
    "opposite": lambda said, _: OTHER[said],
    "always same": lambda said, _: "same",
    "always different": lambda said, _: "different",
    "random": lambda said, number: "same" if number < 0.5 else "different",
}


@pytest.mark.parametrize("seed", range(3))
def test_somebody_who_says_the_opposite_is_found_and_does_no_harm(seed):
    session, truth = take_turns(seed, 120, MANNERS["opposite"])
    found = session.annotators_
    assert [name for name, rates in found.items() if rates.suspicion] == ["c"]
    assert found["c"].weight == 0
    assert found["c"].wrong > 0.5 * found["c"].tested > 5
    assert ari(truth, session.labels_) > 0.9
    assert len(session.history) == 120  # nothing is dropped


@pytest.mark.parametrize("seed", range(8))
def test_honest_people_are_not_suspected(seed):
    session, _ = take_turns(seed, 90, lambda said, _: said, error_rate=0.1)
    assert not any(rates.suspicion for rates in session.annotators_.values())


@pytest.mark.parametrize("manner", MANNERS)
def test_rates_are_those_of_people_whose_answers_others_cover(manner):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 30)
    said, names = [], []
    for _ in range(150):
        i, j = rng.choice(30, 2, replace=False).tolist()
        right = "same" if truth[i] == truth[j] else "different"
        for name in "abc":
            said.append((i, j, MANNERS[manner](right, rng.random()) if name == "c" else right))
            names.append(name)
    weights = [1.0] * len(said)
    for _ in range(2):
        rates = rate_annotators(Constraints.from_labels(truth), said, names, weights)
        weights = [rates[name].weight for name in names]
    assert [rates[name].suspicion for name in "abc"] == ["", "", manner]
    assert rates["a"].weight > 1
    mine = [(truth[i] == truth[j], value) for (i, j, value), name in zip(said, names, strict=True) if name == "c"]
    share = np.mean([value == "different" for same, value in mine if same])
    assert rates["c"].different_for_same == pytest.approx(share, abs=0.1)


def test_nobody_is_rated_where_one_person_answers():
    session = Session([[0.0], [1.0], [5.0]], random_state=0, recheck=True)
    for pair in ((0, 1), (1, 2)):
        session.answer(pair, "same", annotator="ann")
    assert session.annotators_ == {}
    assert session.state.taken.control_question("ann", lambda pair: True) is None


def test_more_than_half_is_always_counted():
    rates = {
        name: AnnotatorRates(name, 10, 9.0, 9.0, e, e, 0.0, "random")
        for name, e in (("a", 0.9), ("b", 0.6), ("c", 0.5))
    }
    assert [bool(each.suspicion) for each in keep_most(rates).values()] == [True, False, False]


@pytest.mark.parametrize("seed", range(2))
def test_undo_and_replay_lead_to_the_same_people(seed):
    session, _ = take_turns(seed, 47, MANNERS["opposite"])
    again = Session(session.vectors, random_state=seed, recheck=True).replay(session.history)
    assert again.annotators_ == session.annotators_
    assert again.labels_.tolist() == session.labels_.tolist()
    for _ in range(15):
        session.undo()
    shorter = Session(session.vectors, random_state=seed, recheck=True).replay(session.history)
    assert shorter.annotators_ == session.annotators_
    assert shorter.conflicts == session.conflicts
    assert shorter.labels_.tolist() == session.labels_.tolist()


@pytest.mark.parametrize("recheck", [None, True])
def test_votes_of_several_people_count(recheck):
    session = Session(np.arange(6.0)[:, None], random_state=0, recheck=recheck)
    for name, said in (("ann", "same"), ("bob", "different"), ("cleo", "different")):
        session.answer((0, 1), said, annotator=name)
    assert session.known(0, 1) == "different"
    assert session.labels_[0] != session.labels_[1]
    assert [conflict.statement for conflict in session.conflicts] == [(0, 1, "same")]
    assert len(session.history) == 3  # nothing is lost


def test_without_recheck_the_first_answer_stands_if_wanted():
    session = Session(np.arange(6.0)[:, None], random_state=0, recheck=False)
    for name, said in (("ann", "same"), ("bob", "different"), ("cleo", "different")):
        session.answer((0, 1), said, annotator=name)
    assert session.known(0, 1) == "same"


def test_one_person_who_contradicts_themselves_is_not_outvoted():
    session = Session(np.arange(6.0)[:, None], random_state=0)
    for said in ("same", "different", "different"):
        session.answer((0, 1), said, annotator="ann")
    assert session.known(0, 1) == "same"


@pytest.mark.parametrize("seed", range(20))
def test_votes_are_what_the_answers_say_whatever_was_undone(seed):
    """Answers taken, undone and taken again give what reading them all at once gives."""
    rng = np.random.default_rng(seed)
    taken = TakenAnswers(5, outvote=None)
    for _ in range(40):
        if taken.answers and rng.random() < 0.35:
            taken.take_back()
        else:
            i, j = (int(x) for x in rng.choice(5, 2, replace=False))
            said = ["same", "different"][rng.integers(2)]
            taken.take(Answer("pair", (i, j), said, annotator="abb"[rng.integers(3)]))
        anew = TakenAnswers(5, outvote=None)
        anew.become(taken.answers)
        several = len({answer.annotator for answer in taken.answers}) > 1
        assert taken.outvote == anew.outvote == several
        pairs = [(i, j) for i in range(5) for j in range(i)]
        assert [taken.constraints.known(*p) for p in pairs] == [anew.constraints.known(*p) for p in pairs]


def test_a_saved_session_goes_on_counting_votes(tmp_path):
    session = Session(np.arange(6.0)[:, None], random_state=0)
    session.answer((0, 1), "same", annotator="ann")
    session.save(tmp_path / "kept")
    again = Session.load(tmp_path / "kept")
    for name in ("bob", "cleo"):
        again.answer((0, 1), "different", annotator=name)
    assert again.known(0, 1) == "different"
