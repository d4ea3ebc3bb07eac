"""Grids and picks in the loop: one screen is one answer, taken and taken back as a whole."""

import itertools

import numpy as np
import pytest

from likewise import Answer, Question, Session
from likewise.constraints import Constraints
from likewise.query.question import Pair


@pytest.fixture
def session():
    return Session(np.arange(8.0)[:, None], strategy="random", random_state=0)


def state_of(session):
    return session.history, session.must_link.tolist(), session.cannot_link.tolist(), session.labels_.tolist()


def test_a_grid_says_of_every_picture_whether_it_belongs(session):
    session.answer(Question("grid", (3, 5, 0, 7)), iter([7, 5]), annotator="ann", seconds=3.5)
    assert session.history == [Answer("grid", (3, 5, 0, 7), "marked", "ann", 3.5, chosen=(5, 7))]
    assert session.must_link.tolist() == [[3, 0]]
    assert session.cannot_link.tolist() == [[3, 5], [3, 7]]
    assert session.known(5, 7) is None
    session.answer(Question("grid", (1, 2, 6)), [])
    assert session.known(2, 6) == "same"


def test_a_pick_says_which_group_it_is_and_which_it_is_not(session):
    session.answer(Question("pick", (3, 5, 0, 7)), np.int64(0))
    assert session.must_link.tolist() == [[3, 0]]
    assert session.cannot_link.tolist() == [[3, 5], [3, 7]]
    session.answer(Question("pick", (1, 2, 6)), "none")
    assert session.known(1, 2) == session.known(1, 6) == "different"
    assert session.known(2, 6) is None
    assert session.history[0].value == "chosen"


def enumerated(question, truth):
    """The statements of a right answer, from the classes alone."""
    first, *others = question.items
    return {(first, other, "same" if truth[first] == truth[other] else "different") for other in others}


@pytest.mark.parametrize("kind", ["grid", "pick"])
def test_the_statements_of_right_answers_are_those_of_the_truth(kind):
    for truth in itertools.product(range(3), repeat=4):
        question = Question(kind, (0, 1, 2, 3))
        matching = [i for i in (1, 2, 3) if truth[i] == truth[0]]
        if kind == "pick" and len(matching) > 1:
            continue  # the groups of a pick differ
        session = Session(np.eye(4), strategy="random", random_state=0)
        odd = [i for i in (1, 2, 3) if truth[i] != truth[0]]
        session.answer(question, odd if kind == "grid" else (matching or ["none"])[0])
        assert set(session.history[0].statements()) == enumerated(question, truth)


@pytest.mark.parametrize(("kind", "value"), [("grid", "unsure"), ("pick", "unsure")])
def test_unsure_says_nothing_and_no_pair_of_the_screen_comes_back(kind, value, session):
    session.answer(Question(kind, (3, 5, 0)), value, annotator="ann")
    assert len(session.must_link) == len(session.cannot_link) == 0
    asked: set[Pair] = {tuple(sorted(q.items)) for q in session.ask(100, annotator="ann")}
    assert not asked & {(3, 5), (0, 3)}
    seen = set()
    while (question := session.ask(annotator="ann")) is not None:
        seen.add(tuple(sorted(question.items)))
        session.answer(question, "unsure", annotator="ann")
    assert len(seen) == 8 * 7 // 2 - 2
    assert session.ask(annotator="bob") is not None


@pytest.mark.parametrize(
    ("question", "value", "message"),
    [
        (Question("grid", (0, 1, 2)), [0], "0 is not among what the grid showed: 1, 2"),
        (Question("grid", (0, 1, 2)), [True], "True is not among"),
        (Question("grid", (0, 1, 2)), ["1"], "'1' is not among"),
        (Question("grid", (0, 1, 2)), "same", "the items that do not belong, or unsure, got 'same'"),
        (Question("grid", (0, 1, 2)), "marked", "the items that do not belong, or unsure, got 'marked'"),
        (Question("grid", (0, 1, 2)), "none", "the items that do not belong"),
        (Question("grid", (0, 1, 2)), 1, "a list of the items"),
        (Question("grid", (0,)), [], "at least two items"),
        (Question("grid", (0, 1, 1)), [], "must differ"),
        (Question("grid", (0, 1, 9)), [], "item 9 is not there"),
        (Question("pick", (0, 1, 2)), 5, "5 is not among what the pick showed: 1, 2"),
        (Question("pick", (0, 1, 2)), 0, "0 is not among"),
        (Question("pick", (0, 1, 2)), [1], "one example, none or unsure"),
        (Question("pick", (0, 1, 2)), "chosen", "an example shown, none or unsure"),
        (Question("pick", (0, 1, 2)), 1.0, "1.0 is not among"),
        (Question("pair", (0, 1)), 1, "one of same, different, unsure"),
        (Question("pair", (0, 1)), [1], "one of same, different, unsure"),
        (Question("pair", (0, 1, 2)), "same", "two or three items"),
        ((0, 1, 2, 3), [1], "two or three items"),
    ],
)
def test_bad_answers_get_a_sentence_and_change_nothing(question, value, message, session):
    before = state_of(session)
    with pytest.raises(ValueError, match=message):
        session.answer(question, value)
    assert state_of(session) == before


def random_screen(rng, n):
    items = tuple(rng.choice(n, int(rng.integers(2, 6)), replace=False).tolist())
    kind = ("grid", "pick", "pair")[rng.integers(3)]
    if kind == "pair":
        return Question("pair", items[:2]), ("same", "different", "unsure")[rng.integers(3)]
    if kind == "grid":
        return Question("grid", items), [i for i in items[1:] if rng.random() < 0.5]
    return Question("pick", items), (*items[1:], "none", "unsure")[rng.integers(len(items) + 1)]


@pytest.mark.parametrize("recheck", [False, True])
@pytest.mark.parametrize("strategy", ["auto", "random"])
@pytest.mark.parametrize("seed", range(4))
def test_undo_and_replay_are_exact_with_contradictory_screens(seed, strategy, recheck):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(14, 2))
    session = Session(X, strategy=strategy, recheck=recheck, random_state=seed, forms="auto")
    states, questions = [], []
    for _ in range(20):
        states.append(state_of(session))
        questions.append(session.ask())
        session.answer(*random_screen(rng, 14), annotator="ann")
    assert session.conflicts
    twin = Session(X, strategy=strategy, recheck=recheck, random_state=seed, forms="auto").replay(session.history)
    assert state_of(twin) == state_of(session)
    assert twin.ask() == session.ask()
    assert [c.statement for c in twin.conflicts] == [c.statement for c in session.conflicts]
    for before, question in zip(reversed(states), reversed(questions), strict=True):
        session.undo()
        assert state_of(session) == before
        assert session.ask() == question


def test_it_is_said_which_screen_is_behind_a_conflict():
    session = Session(np.eye(6), strategy="random", random_state=0, given=[(4, 5)])
    session.answer(Question("grid", (0, 1, 2, 3)), [3])
    session.answer(Question("pick", (4, 2, 3)), 2)
    conflict = session.answer((1, 5), "different", annotator="bob")
    behind = session.answers_behind(conflict)
    assert [answer.kind for answer in behind] == ["pair", "grid", "grid", "pick"]  # what is given is nobody's
    assert behind[0].annotator == "bob"
    assert set(conflict.chain) <= {s for a in behind[1:] for s in a.statements()} | {(4, 5, "same")}
    for each in session.conflicts:
        constraints = Constraints(6, must_link=[(4, 5)])
        for answer in session.answers_behind(each)[1:]:
            for i, j, relation in answer.statements():
                constraints.add(i, j, relation)
        i, j, relation = each.statement
        assert constraints.known(i, j) not in (None, relation)


def test_an_overlooked_picture_is_outvoted_and_the_rest_of_its_screen_stands():
    session = Session(np.eye(6), strategy="random", random_state=0, recheck=True)
    session.answer(Question("grid", (0, 1, 2, 3)), [])
    session.answer((0, 3), "different")
    session.answer((1, 3), "different")
    assert session.known(0, 3) == "different"
    assert session.known(0, 2) == "same"
    assert [c.statement for c in session.conflicts] == [(0, 3, "same")]


def test_every_question_carries_the_words_of_the_owner():
    session = Session(np.arange(6.0)[:, None], n_clusters=2, random_state=0, prompt="the same species?")
    assert session.ask().prompt == session.check().prompt == "the same species?"
    assert all(question.prompt == "the same species?" for question in [*session.ask(2), *session.check(2)])
    assert Session(np.eye(3), random_state=0).ask().prompt == ""
    assert Question("pair", (0, 1), prompt="?") == Question("pair", (0, 1))


def test_auto_is_pairs_grids_and_picks():
    assert Session(np.eye(3), forms="auto").forms == ("pair", "grid", "pick")
    with pytest.raises(ValueError, match="forms of questions are pair, triplet, grid, pick"):
        Session(np.eye(3), forms="all")
