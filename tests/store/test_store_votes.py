"""Several people's answers to one question, read as one: against a slow and obvious reading, and by hand."""

import math
from datetime import UTC, datetime
from itertools import count

import numpy as np
import pytest

from likewise.store import Entry, Log
from likewise.store.votes import PRIOR_RIGHT, PRIOR_TESTS, SURE, Votes, subject_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def event(seq, kind, items, value, who, **shown):
    payload = {"kind": "pair" if len(items) == 2 else "triplet", "items": items, "value": value, "shown": shown}
    return Entry(kind, payload, who, f"k{seq}").checked().numbered(seq, NOW)


def said(*entries):
    """What a session is told of answers (who, items, value[, shown])."""
    seq = count(1)
    events = []
    for who, items, value, *more in entries:
        kind = "answer"
        if who in ("adjudicate", "gold"):
            kind, who = who, "boss"
        events.append(event(next(seq), kind, items, value, who, **(more[0] if more else {})))
    return Votes(events)


def values(votes):
    return [(answer.items, answer.value) for _, answer in votes.answers()]


TWO = {"overlap": 2}


def test_one_person_is_taken_at_their_word():
    votes = said(("ann", [0, 1], "same"), ("ann", [1, 0], "different"), ("bob", [2, 3], "unsure"))
    assert values(votes) == [((0, 1), "same"), ((1, 0), "different"), ((2, 3), "unsure")]
    assert votes.disputed() == []


def test_nothing_follows_before_as_many_as_wanted_answered():
    votes = said(("ann", [0, 1], "same", TWO), ("bob", [5, 6], "unsure", TWO))
    assert values(votes) == [((5, 6), "unsure")]
    assert votes.waiting() == {(0, 1)}
    votes = said(("ann", [0, 1], "same", TWO), ("bob", [1, 0], "same", TWO))
    assert values(votes) == [((0, 1), "same")]
    assert votes.waiting() == set()


def test_two_who_disagree_leave_it_open_until_somebody_decides():
    votes = said(("ann", [0, 1], "same", TWO), ("bob", [0, 1], "different", TWO))
    assert values(votes) == []
    (ballot,) = votes.disputed()
    assert ballot.voters == {"ann", "bob"}
    assert votes.waiting() == {(0, 1)}
    decided = said(("ann", [0, 1], "same", TWO), ("bob", [0, 1], "different", TWO), ("adjudicate", [0, 1], "different"))
    assert values(decided) == [((0, 1), "different")]
    assert decided.disputed() == []
    aside = said(("ann", [0, 1], "same"), ("bob", [0, 1], "different"), ("adjudicate", [0, 1], "unsure"))
    assert values(aside) == []
    assert aside.disputed() == []
    assert aside.waiting() == {(0, 1)}


def test_most_win_and_the_more_reliable_win_more():
    three, values_ = {"overlap": 3}, ("same", "same", "different")
    votes = said(*((who, [0, 1], value, three) for who, value in zip("abc", values_, strict=True)))
    assert values(votes) == [((0, 1), "same")]
    good = [("ann", [2 * k, 2 * k + 1], "same", {"gold": "same"}) for k in range(1, 31)]
    bad = [("bob", [2 * k, 2 * k + 1], "same", {"gold": "different"}) for k in range(1, 11)]
    votes = said(*good, *bad, ("ann", [0, 1], "same", TWO), ("bob", [0, 1], "different", TWO))
    assert values(votes) == [((0, 1), "same")]
    late = said(("ann", [0, 1], "same", TWO), ("bob", [0, 1], "different", TWO), *good, *bad)
    assert values(late) == [((0, 1), "same")]


def test_an_answer_to_gold_is_no_vote():
    votes = said(("gold", [0, 1], "same"), ("ann", [0, 1], "different", {"gold": "same"}))
    assert values(votes) == [((0, 1), "same")]
    assert votes.tests() == {"ann": [False]}
    assert votes.weight("ann") < votes.weight("bob")


def test_what_tests_somebody_is_taken_beside_the_vote_and_divides_nobody():
    beside = {"control": True}
    votes = said(("ann", [0, 1], "same"), ("bob", [1, 0], "different", beside), ("cid", [0, 1], "same", beside))
    assert values(votes) == [((0, 1), "same"), ((1, 0), "different"), ((0, 1), "same")]
    assert votes.disputed() == []
    assert votes.waiting() == set()
    decided = said(("ann", [0, 1], "same"), ("bob", [0, 1], "same", beside), ("adjudicate", [0, 1], "different"))
    assert values(decided) == [((0, 1), "different")]
    alone = said(("bob", [0, 1], "different", beside), ("ann", [0, 1], "same"))
    assert len(alone.disputed()) == 1, "beside nobody it is a vote"


def test_triplets_agree_whatever_the_order_of_their_pictures():
    votes = said(("ann", [4, 5, 9], "ab", TWO), ("bob", [9, 5, 4], "bc", TWO))
    assert values(votes) == [((4, 5, 9), "ab")]
    votes = said(("ann", [4, 5, 9], "ab", TWO), ("bob", [4, 5, 9], "bc", TWO))
    assert len(votes.disputed()) == 1
    assert votes.waiting() == {(4, 5)}


def slow_combination(events):
    """The rule once more, over whole lists: what is told, as a sorted list of (place, items, value)."""
    tests = {}
    for each in events:
        truth = each.payload.shown.get("gold")
        if each.kind == "answer" and truth and each.payload.value != "unsure":
            tests.setdefault(each.annotator, []).append(each.payload.value == truth)

    def weight(who):
        right = tests.get(who, [])
        p = (sum(right) + PRIOR_RIGHT) / (len(right) + PRIOR_TESTS)
        return math.log(p / (1 - p))

    told = []
    for subject in {subject_of(each.payload.items) for each in events}:
        here = [each for each in events if subject_of(each.payload.items) == subject]
        rulings = [each for each in here if each.kind != "answer"]
        answers = [each for each in here if each.kind == "answer" and "gold" not in each.payload.shown]
        told += [(each.seq, each.payload.value) for each in answers if each.payload.value == "unsure"]
        votes, controls = [], []
        for each in (each for each in answers if each.payload.value != "unsure"):
            beside = each.payload.shown.get("control") and any(vote.annotator != each.annotator for vote in votes)
            (controls if beside else votes).append(each)
        if rulings:
            if rulings[-1].payload.value != "unsure":
                told.append((rulings[-1].seq, rulings[-1].payload.value))
            continue
        told += [(each.seq, each.payload.value) for each in controls]
        people = {each.annotator for each in votes}
        choices = {each.payload.value for each in votes}
        need = votes[0].payload.shown.get("overlap", 1) if votes else 1
        if need == 1 and (len(people) == 1 or len(choices) == 1):
            told += [(each.seq, each.payload.value) for each in votes]
            continue
        if len(people) < need or not votes:
            continue
        last = {each.annotator: each.payload.value for each in votes}
        sides = sorted((sum(weight(who) for who in last if last[who] == value), value) for value in set(last.values()))[
            ::-1
        ]
        if len(sides) > 1 and sides[0][0] - sides[1][0] < SURE:
            continue
        if len(choices) > 1:
            place = votes[-1].seq
        else:
            place = next(e.seq for k, e in enumerate(votes) if len({v.annotator for v in votes[: k + 1]}) == need)
        told.append((place, sides[0][1]))
    return sorted(told)


@pytest.mark.parametrize("seed", range(60))
def test_step_by_step_is_as_all_at_once_and_as_the_slow_combination(seed):
    rng = np.random.default_rng(seed)
    need = {(i, j): int(rng.integers(1, 4)) for i in range(3) for j in range(3, 5)}
    events, votes, before = [], Votes(), []
    for seq in range(1, 60):
        subject = list(need)[rng.integers(len(need))]
        kind = rng.choice(["answer", "adjudicate", "gold"], p=[0.92, 0.05, 0.03])
        value = str(rng.choice(["same", "different", "unsure"], p=[0.5, 0.4, 0.1]))
        if kind == "gold" and value == "unsure":
            value = "same"
        shown = {"overlap": need[subject]} if need[subject] > 1 else {}
        if kind == "answer" and rng.random() < 0.3:
            shown = {"gold": str(rng.choice(["same", "different"]))}
        elif rng.random() < 0.2:
            shown["control"] = True
        items = list(subject) if rng.random() < 0.5 else list(subject)[::-1]
        events.append(event(seq, str(kind), items, value, f"p{rng.integers(5)}", **shown))
        told = votes.add(events[-1])
        now = votes.answers()
        assert now == Votes(events).answers()
        if told is not None:
            assert now == before + told
        before = now
    ranks = [(rank[0], answer.value) for rank, _, answer in votes._in_order]
    assert sorted(ranks) == slow_combination(events)
    assert ranks == sorted(ranks, key=lambda each: each[0])


def test_the_log_reads_votes_and_withdrawals(project):
    project.append("answer", {"kind": "pair", "items": [0, 1], "value": "same", "shown": TWO}, annotator="ann")
    project.append("answer", {"kind": "pair", "items": [0, 1], "value": "same", "shown": TWO}, annotator="bob")
    assert [answer.value for answer in project.answers()] == ["same"]
    project.undo("bob")
    assert project.answers() == []
    project.redo("bob")
    project.append("adjudicate", {"kind": "pair", "items": [0, 1], "value": "different"}, annotator="boss")
    assert [answer.value for answer in project.answers()] == ["different"]
    project.undo("boss")
    assert [answer.value for answer in project.answers()] == ["same"]
    assert Log(project.events()).votes().answers() == project.log().votes().answers()
