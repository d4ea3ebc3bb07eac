"""The loop: what is asked, what is kept, and that nothing is lost."""

import copy
import itertools
import pickle

import numpy as np
import pytest

from likewise import Answer, Question, Session
from likewise.query import RandomPairs, make_strategy, strategies


@pytest.fixture
def blobs():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 5)
    return rng.normal(size=(15, 2)) * 0.1 + truth[:, None] * 5.0, truth


def run(session, truth, n):
    asked = []
    for _ in range(n):
        question = session.ask()
        if question is None:
            break
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
        asked.append(question.items)
    return asked


def state_of(session):
    return session.history, session.must_link.tolist(), session.cannot_link.tolist(), session.labels_.tolist()


def test_same_seed_and_answers_give_the_same_questions_and_labels(blobs):
    X, truth = blobs
    first, second = (Session(X, strategy="random", n_clusters=3, random_state=7) for _ in range(2))
    assert run(first, truth, 12) == run(second, truth, 12)
    assert state_of(first) == state_of(second)
    replayed = Session(X, strategy="random", n_clusters=3, random_state=7).replay(first.history)
    assert state_of(replayed) == state_of(first)
    assert replayed.ask() == first.ask()
    other = Session(X, strategy="random", n_clusters=3, random_state=8)
    assert run(other, truth, 12) != run(Session(X, strategy="random", n_clusters=3, random_state=7), truth, 12)


def test_without_a_seed_one_is_drawn_and_kept(blobs):
    X, truth = blobs
    session = Session(X, strategy="random", n_clusters=3)
    asked = run(session, truth, 5)
    assert run(Session(X, strategy="random", n_clusters=3, random_state=session.seed), truth, 5) == asked


def test_undo_goes_back_exactly_and_without_limit(blobs):
    X, truth = blobs
    session = Session(X, strategy="random", n_clusters=3, random_state=1)
    states, questions = [], []
    for _ in range(10):
        states.append(state_of(session))
        questions.append(session.ask())
        run(session, truth, 1)
    for before, question in zip(reversed(states), reversed(questions), strict=True):
        session.undo()
        assert state_of(session) == before
        assert session.ask() == question
    with pytest.raises(IndexError, match="nothing to undo"):
        session.undo()


def test_what_is_implied_is_not_asked_and_it_ends(blobs):
    X, truth = blobs
    session = Session(X, strategy="random", n_clusters=3, random_state=2)
    known = session.state.constraints.known
    while (question := session.ask()) is not None:
        assert known(*question.items) is None
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    assert session.finished
    assert session.ask(4) == []
    assert session.labels_.tolist() == truth.tolist()
    session.undo()
    assert not session.finished


def test_unsure_is_kept_and_not_asked_of_the_same_person_again():
    session = Session([[0.0], [1.0]], strategy="random", n_clusters=2, random_state=0)
    question = session.ask(annotator="ann")
    session.answer(question, "unsure", annotator="ann")
    assert session.ask(annotator="ann") is None
    assert not session.finished
    assert session.ask(annotator="bob") == question
    assert len(session.must_link) == len(session.cannot_link) == 0
    assert session.history == [Answer("pair", question.items, "unsure", "ann")]


def follows(n, statements, items):
    from likewise import Constraints

    constraints = Constraints(n)
    if any(constraints.add(i, j, r) is not None for i, j, r in statements):
        return False
    return constraints.known(*items) is not None


@pytest.mark.parametrize("seed", range(5))
def test_no_answer_of_a_batch_follows_from_the_others(seed, blobs):
    X, truth = blobs
    session = Session(X, strategy="random", n_clusters=3, random_state=seed)
    run(session, truth, 6)
    batch = session.ask(4)
    assert len(batch) == 4
    said = [s for answer in session.history for s in answer.statements()]
    for left_out in batch:
        rest = [q.items for q in batch if q != left_out]
        for values in itertools.product(["same", "different"], repeat=len(rest)):
            more = [(*items, value) for items, value in zip(rest, values, strict=True)]
            assert not follows(session.n, said + more, left_out.items)


def test_triplets_say_things_about_pairs():
    session = Session([[0.0], [1.0], [5.0], [6.0]], strategy="random", n_clusters=2, random_state=0)
    session.answer((0, 1, 2), "ab")
    assert session.must_link.tolist() == [[0, 1]]
    assert session.cannot_link.tolist() == [[0, 2], [1, 2]]
    session.answer(Question("triplet", (0, 2, 3)), "none")
    session.answer((0, 1, 3), "unsure")
    assert session.triplets == [(0, 1, 2, "ab"), (0, 2, 3, "none")]
    assert len(session.must_link) == 1
    session.undo()
    session.undo()
    session.undo()
    assert len(session.cannot_link) == 0


def test_a_contradiction_is_kept_listed_and_undone():
    session = Session([[0.0], [1.0], [2.0]], strategy="random", n_clusters=1, random_state=0)
    session.answer((0, 1), "same")
    session.answer((1, 2), "same")
    before = session.labels_.tolist()
    conflict = session.answer((0, 2), "different", annotator="bob")
    assert conflict.chain == ((0, 1, "same"), (1, 2, "same"))
    assert session.conflicts == [conflict]
    assert session.history[-1] == Answer("pair", (0, 2), "different", "bob")
    assert session.labels_.tolist() == before
    session.undo()
    assert session.conflicts == []


@pytest.mark.parametrize(
    ("items", "value", "message"),
    [
        ((0, 99), "same", "item 99 is not there"),
        ((-1, 2), "same", "item -1 is not there"),
        ((1, 1), "same", "must differ"),
        ((0, 1), "maybe", "one of same, different, unsure"),
        ((0, 1), "ab", "one of same, different, unsure"),
        ((0, 1, 2), "same", "one of ab, ac, bc, none, unsure"),
        ((0,), "same", "two or three items"),
        ((0, 1, 2, 3), "ab", "two or three items"),
    ],
)
def test_bad_answers_leave_the_session_as_it_was(items, value, message, blobs):
    X, truth = blobs
    session = Session(X, strategy="random", n_clusters=3, random_state=1)
    run(session, truth, 4)
    before, question = state_of(session), session.ask()
    with pytest.raises(ValueError, match=message):
        session.answer(items, value)
    assert state_of(session) == before
    assert session.ask() == question


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        ([[np.nan, 1.0]], {}, "NaN"),
        (np.ones((2, 3)), {"metric": "precomputed"}, "must be square"),
        ([[0.0, 1.0], [2.0, 0.0]], {"metric": "precomputed"}, "not symmetric"),
        ([[0.0, -1.0], [-1.0, 0.0]], {"metric": "precomputed"}, "negative"),
        ([[1.0, 1.0], [1.0, 1.0]], {"metric": "precomputed"}, "zero on its diagonal"),
        (np.empty((0, 2)), {}, "0 sample"),
        ([[0.0], [1.0]], {"n_clusters": 3}, "between 1 and the 2 items"),
        ([[0.0], [1.0]], {"n_clusters": 0}, "between 1 and the 2 items"),
        ([[0.0], [1.0]], {"strategy": "oracle"}, "there is no strategy 'oracle'"),
        ([[0.0], [1.0]], {"strategy": "random", "probability": 1}, "has no option probability"),
        ([[0.0], [1.0]], {"strategy": RandomPairs(), "clusterer": 1}, "given by name"),
    ],
)
def test_bad_input_gets_a_clear_error(X, options, message):
    with pytest.raises(ValueError, match=message):
        Session(X, **options)


def test_one_item_has_nothing_to_ask():
    session = Session([[1.0]], strategy="random", random_state=0)
    assert session.ask() is None
    assert session.finished
    assert session.labels_.tolist() == [0]


def test_batch_of_none_is_refused(blobs):
    with pytest.raises(ValueError, match="at least one question"):
        Session(blobs[0], strategy="random").ask(0)


def test_strategy_by_name_and_as_an_object(blobs):
    X, _ = blobs
    assert "random" in strategies()
    assert isinstance(make_strategy("random"), RandomPairs)
    assert Session(X, strategy=RandomPairs(), n_clusters=3, random_state=0).ask().kind == "pair"


def test_an_object_that_asks_and_clusters_is_enough():
    class Plain:
        def ask(self, state, n=1, skip=()):
            return [Question("pair", (0, 1))]

        def cluster(self, state):
            return state.constraints.labels()

    session = Session([[0.0], [1.0], [2.0]], strategy=Plain(), random_state=0)
    session.answer(session.ask(), "same")
    assert session.labels_.tolist() == [0, 0, 1]


def test_given_groups_are_known_are_no_answers_and_outlast_undo_and_replay():
    X = np.arange(12.0)[:, None]
    session = Session(X, strategy="random", given=[(0, 5, 9), (2, 3)], random_state=0)
    assert session.given == [(0, 5, 9), (2, 3)]
    assert session.known(5, 9) == session.known(2, 3) == "same"
    assert session.history == []
    asked = {question.items for question in session.ask(40)}
    assert not asked & {(0, 5), (0, 9), (5, 9), (2, 3)}
    session.answer((0, 2), "different")
    assert session.known(9, 3) == "different"
    session.undo()
    assert session.known(9, 3) is None
    assert session.known(5, 9) == "same"
    assert session.state.after(0).constraints.known(5, 9) == "same"
    labels = session.labels_
    assert labels[0] == labels[5] == labels[9]


def test_a_given_group_is_never_outvoted():
    session = Session(np.arange(6.0)[:, None], strategy="random", given=[(0, 1)], recheck=True)
    for other in (2, 3, 4):
        session.answer((0, other), "same")
        session.answer((1, other), "different")
    assert session.known(0, 1) == "same"


@pytest.mark.parametrize("strategy", ["auto", "random", "minmax"])
def test_pairs_to_leave_out_are_not_asked(strategy):
    X = np.random.default_rng(0).normal(size=(20, 3))
    session = Session(X, strategy=strategy, n_clusters=3, random_state=1)
    first = session.ask(5)
    skip = {(min(q.items), max(q.items)) for q in first}
    assert not skip & {(min(q.items), max(q.items)) for q in session.ask(5, skip=skip)}
    assert session.ask(5) == first  # nothing is remembered of it


def test_triplets_are_a_pair_with_the_closest_item_of_another_cluster_that_is_open():
    X = np.repeat(np.eye(3) * 5, 4, axis=0) + np.random.default_rng(0).normal(size=(12, 3)) * 0.1
    session = Session(X, strategy="random", n_clusters=3, forms=("triplet",), random_state=0)
    labels = session.labels_
    found = [question for question in session.ask(20) if question.kind == "triplet"]
    assert found
    for question in found:
        i, j, k = question.items
        others = np.flatnonzero((labels != labels[i]) & (labels != labels[j]))
        distance = np.linalg.norm(X[[i, j]][:, None] - X[others], axis=2).min(axis=0)
        assert k == others[distance.argmin()]
    session.answer(found[0], "ab")
    assert session.known(*found[0].items[:2]) == "same"
    assert Session(X[:4], strategy="random", forms=("triplet",), n_clusters=1).ask().kind == "pair"


@pytest.mark.parametrize("forms", [(), ("quartet",), ("pair", "colour")])
def test_unknown_forms_are_refused(forms):
    with pytest.raises(ValueError, match="forms of questions are pair, triplet"):
        Session(np.eye(3), forms=forms)


@pytest.mark.parametrize("group", [(0, 3), (-1, 1)])
def test_given_items_that_are_not_there_are_refused(group):
    with pytest.raises(ValueError, match="is not there: there are 3 items"):
        Session(np.eye(3), given=[group])


def test_outvoting_is_for_every_strategy_and_doubting_for_those_that_can():
    X = np.random.default_rng(0).normal(size=(8, 2))
    contradicting = [((3, 5), "same"), ((0, 3), "same"), ((3, 5), "different"), ((0, 5), "different")]
    for recheck, expected in ((True, "different"), (False, "same"), (None, "same")):
        session = Session(X, strategy="random", recheck=recheck, random_state=0)
        for pair, value in contradicting:
            session.answer(pair, value)
        assert session.known(3, 5) == expected
    assert Session(X, recheck=True).strategy.recheck
    assert not Session(X).strategy.recheck


def test_a_batch_of_checks_has_no_pair_twice_and_begins_with_the_single_one():
    X = np.repeat(np.eye(2) * 9, 6, axis=0) + np.random.default_rng(0).normal(size=(12, 2)) * 0.1
    session = Session(X, n_clusters=2, random_state=3)
    checks = session.check(8)
    assert len({question.items for question in checks}) == len(checks) == 8
    assert all(question.check > 0 for question in checks)
    assert session.check() == checks[0]
    assert not {checks[0].items} & {question.items for question in session.check(8, skip={checks[0].items})}


@pytest.mark.parametrize("strategy", ["auto", "random", "active-hacc"])
def test_copies_and_pickles_of_a_session_go_their_own_way(strategy):
    X = np.random.default_rng(0).normal(size=(20, 2))
    session = Session(X, strategy=strategy, n_clusters=3, random_state=0)
    for _ in range(6):
        question = session.ask()
        session.answer(question, "same" if sum(question.items) % 2 else "different")
    history, asked = session.history, session.ask()
    for twin in (copy.deepcopy(session), pickle.loads(pickle.dumps(session))):
        assert twin.history == history
        assert twin.ask() == asked
        twin.belongs([0, 1], "roses")
        for _ in range(7):
            twin.undo()
        assert session.history == history
        assert session.ask() == asked


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_clusters": True}, "n_clusters must be a whole number, got True"),
        ({"n_clusters": 2.5}, "n_clusters must be a whole number, got 2.5"),
        ({"random_state": -1}, "random_state must not be negative, got -1"),
        ({"random_state": 1.5}, "random_state must be a whole number"),
        ({"metric": "nosuch"}, "metric must be one of"),
        ({"strategy": object()}, "an object with ask and cluster"),
        ({"strategy": RandomPairs}, "an object with ask and cluster"),
        ({"given": [(0, 1.5)]}, "an item must be a whole number, got 1.5"),
    ],
)
def test_wrong_arguments_are_refused_at_once(options, words):
    with pytest.raises(ValueError, match=words):
        Session(np.eye(5), **options)


@pytest.mark.parametrize("items", [(0.7, 1.2), (True, 3), ("0", "1")])
def test_items_are_whole_numbers(items):
    session = Session(np.eye(5), random_state=0)
    with pytest.raises(ValueError, match="an item must be a whole number"):
        session.answer(items, "same")
    assert session.history == []


@pytest.mark.parametrize("item", [-1, 5])
def test_what_is_known_of_an_item_that_is_not_there_is_an_error(item):
    with pytest.raises(ValueError, match=f"item {item} is not there"):
        Session(np.eye(5), random_state=0).known(0, item)
