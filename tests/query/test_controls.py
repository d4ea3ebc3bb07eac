"""Who spoke of which pair: kept up to date, it is what a look at all answers says."""

from collections import Counter

import numpy as np
import pytest

from likewise import Session
from likewise.query.answers.controls import EVERY, N_TESTS, ControlPairs
from likewise.query.answers.taken import TakenAnswers
from likewise.query.pending import pairs_of
from likewise.query.question import Answer

PEOPLE = ("ann", "bob", "eve", "")


def anything(pair):
    return True


def some_answer(rng, n=7):
    kind = str(rng.choice(["pair", "pair", "grid", "pick", "triplet", "membership"]))
    items = tuple(rng.permutation(n)[: {"pair": 2, "triplet": 3, "membership": 2}.get(kind, 4)].tolist())
    who = str(rng.choice(PEOPLE))
    if kind == "membership":
        return Answer(kind, items, "belongs", who, group="roses")
    if rng.random() < 0.15:
        return Answer(kind, items, "unsure", who)
    if kind in ("pair", "triplet"):
        return Answer(
            kind, items, str(rng.choice(["same", "different"] if kind == "pair" else ["ab", "ac", "none"])), who
        )
    if kind == "grid":
        return Answer(kind, items, "marked", who, chosen=tuple(i for i in items[1:] if rng.random() < 0.5))
    chosen = items[1:2] if rng.random() < 0.5 else ()
    return Answer(kind, items, "chosen" if chosen else "none", who, chosen=chosen)


def looked_at(answers, who):
    """The same by a look at all answers: pairs asked, pairs of each person that others spoke of, by what was said."""
    screens = (a for a in answers if a.kind in ("pair", "grid", "pick") and a.annotator == who)
    asked = {pair for answer in screens for pair in pairs_of(answer.items)}
    first, voters = {}, {}
    for answer in answers:
        for i, j, relation in answer.statements():
            pair = (min(i, j), max(i, j))
            first.setdefault(pair, relation)
            voters.setdefault(pair, set()).add(answer.annotator)
    tests = Counter(first[pair] for pair, names in voters.items() if who in names and len(names) > 1)
    n_answers = sum(a.annotator == who and a.kind != "membership" for a in answers)
    return asked, voters, tests, n_answers


@pytest.mark.parametrize("seed", range(6))
def test_it_is_what_a_look_at_all_answers_says(seed):
    rng = np.random.default_rng(seed)
    controls, answers = ControlPairs(), []
    for _ in range(120):
        if answers and rng.random() < 0.4:
            controls.remove(answers.pop())
        else:
            answers.append(some_answer(rng))
            controls.add(answers[-1])
        fresh = ControlPairs()
        for answer in answers:
            fresh.add(answer)
        for who in PEOPLE:
            asked, voters, tests, n_answers = looked_at(answers, who)
            assert set(controls.asked(who)) == asked
            assert all(set(controls.voters(pair)) == names for pair, names in voters.items())
            found = controls.question(who, anything)
            assert found == fresh.question(who, anything), "undone, it is as if it had never been said"
            total = sum(tests.values())
            left = [pair for pair, names in voters.items() if who not in names and pair not in asked]
            due = who != "" and total < N_TESTS and total * EVERY <= n_answers
            assert (found is not None) == (due and bool(left))
            assert found is None or found.items in left


def test_one_in_three_is_a_question_that_others_answered_up_to_eight():
    controls, tests, kinds = ControlPairs(), 0, Counter()
    for k in range(30):
        controls.add(Answer("pair", (k, k + 1), "same" if k % 5 else "different", "ann"))
    for k in range(60):
        question = controls.question("bob", anything)
        if question is not None:
            kinds["different" if question.items[0] % 5 == 0 else "same"] += 1
            assert question.again
        controls.add(Answer("pair", question.items if question else (100 + k, 200 + k), "same", "bob"))
        tests += question is not None
        assert tests <= 1 + k // EVERY
    assert tests == N_TESTS
    assert kinds == {"same": 4, "different": 4}
    assert controls.question("", anything) is None, "nobody in particular"
    assert controls.question("cid", anything).items in controls.asked("bob"), "what several spoke of comes first"
    assert controls.question("cid", lambda pair: False) is None


def test_nobody_is_tested_by_what_only_people_said_who_are_not_counted():
    taken = TakenAnswers(4, outvote=True)
    taken.take(Answer("pair", (0, 1), "same", "eve"))
    assert taken.control_question("ann", anything).items == (0, 1)
    taken.people["eve"] = type("Rates", (), {"weight": 0.0})()
    assert taken.not_counted == {"eve"}
    assert taken.control_question("ann", anything) is None
    assert TakenAnswers(4).control_question("ann", anything) is None, "nothing is doubted"


def test_a_session_asks_the_same_after_undo():
    rng = np.random.default_rng(0)
    session = Session(rng.normal(size=(12, 2)), random_state=0, recheck=True)
    for k in range(20):
        name = ("ann", "bob")[k % 2]
        session.answer(session.ask(annotator=name), "different", annotator=name)
    before = session.ask(annotator="cid")
    session.answer((0, 5), "same", annotator="cid")
    session.undo()
    assert session.ask(annotator="cid") == before
