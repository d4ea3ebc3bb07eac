"""Items known beforehand to be different: like statements made before all answers, but for what people do by hand."""

from itertools import combinations

import numpy as np
import pytest

from likewise import Session
from likewise.constraints import Constraints
from likewise.query.answers.taken import TakenAnswers
from likewise.query.question import Answer

N = 9


def random_answers(rng, n_answers=14):
    answers = []
    for _ in range(n_answers):
        i, j = rng.permutation(N)[:2].tolist()
        if rng.random() < 0.25:
            value = "belongs" if rng.random() < 0.7 else "does_not_belong"
            answers.append(Answer("membership", (i, j), value, group=int(rng.integers(2))))
        else:
            answers.append(Answer("pair", (i, j), "same" if rng.random() < 0.5 else "different"))
    return answers


def random_groups(rng):
    """Groups of no, one or several items; one may be there twice, and two may share items."""
    return [tuple(rng.integers(0, N, rng.integers(0, 4)).tolist()) for _ in range(3)]


def obvious(answers, apart):
    """Read in this order: what was done by hand, what is known beforehand where that leaves it open, the answers."""
    by_hand = TakenAnswers(N)
    by_hand.become([answer for answer in answers if answer.kind == "membership"])
    statements = [statement for statement, _ in by_hand.memberships.statements()]
    made = Constraints(N)
    for statement in statements:
        made.add(*statement)
    for group in apart:
        for i, j in combinations(group, 2):
            if made.known(i, j) != "same":
                made.add(i, j, "different")
    for answer in answers:
        for statement in answer.statements():
            made.add(*statement)
    return made


def everything(constraints):
    return {(i, j): constraints.known(i, j) for i, j in combinations(range(N), 2)}


@pytest.mark.parametrize("seed", range(40))
def test_it_is_as_if_it_had_been_said_before_all_answers(seed):
    rng = np.random.default_rng(seed)
    answers, apart = random_answers(rng), random_groups(rng)
    taken = TakenAnswers(N, apart=apart)
    for k, answer in enumerate(answers, 1):
        taken.take(answer)
        assert everything(taken.constraints) == everything(obvious(answers[:k], apart))
    for k in reversed(range(len(answers))):
        taken.take_back()
        assert everything(taken.constraints) == everything(obvious(answers[:k], apart))
    other = TakenAnswers(N, apart=apart)
    other.become(answers)
    assert everything(other.constraints) == everything(obvious(answers, apart))


@pytest.mark.parametrize("seed", range(10))
def test_no_vote_is_against_it(seed):
    rng = np.random.default_rng(seed)
    taken = TakenAnswers(N, outvote=True, apart=[(0, 1, 2)])
    for _ in range(5):
        for i, j in combinations(rng.permutation(3).tolist(), 2):
            taken.take(Answer("pair", (i, j), "same", annotator=f"person {rng.integers(3)}"))
    assert all(taken.constraints.known(i, j) == "different" for i, j in combinations(range(3), 2))
    assert len(taken.conflicts()) == 15


def test_a_session_never_asks_about_it_and_keeps_it(tmp_path):
    X = np.random.default_rng(0).normal(size=(8, 2))
    groups = [(0, 1, 2), (3, 4)]
    session = Session(X, apart=groups, random_state=0)
    assert session.apart == groups
    labels = session.labels_
    assert all(labels[i] != labels[j] for group in groups for i, j in combinations(group, 2))
    truth = [0, 1, 2, 0, 1, 2, 0, 1]
    asked = set()
    while (question := session.ask()) is not None:
        i, j = question.items
        asked.add((min(i, j), max(i, j)))
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    assert asked.isdisjoint(pair for group in groups for pair in combinations(group, 2))
    assert len(session.history) == len(asked)
    session.save(tmp_path / "session")
    loaded = Session.load(tmp_path / "session")
    assert loaded.apart == groups
    assert loaded.labels_.tolist() == session.labels_.tolist()
    with pytest.raises(ValueError, match="item 9 is not there"):
        Session(X, apart=[(0, 9)])
