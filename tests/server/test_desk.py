"""The desk never asks what is known, nor one thing twice, and never two people the same."""

import pytest

from likewise import Answer, Question
from likewise.app.prepared import Prepared
from likewise.app.queue import Desk


def pair(i, j):
    return Question("pair", (i, j))


def said(i, j, value="same", who="ann"):
    return Answer("pair", (i, j), value, who)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def desk(clock):
    desk = Desk(clock, lease_seconds=60)
    desk.reset(8, [], [])
    desk.offer(Prepared(0, [pair(0, 1), pair(2, 3), pair(4, 5)]))
    return desk


def test_two_people_never_hold_the_same_question(desk, clock):
    assert desk.next("ann") == desk.next("ann") == pair(0, 1)
    assert desk.next("bob") == pair(2, 3)
    assert desk.next("eve") == pair(4, 5)
    assert desk.next("dan") is None
    clock.now = 61
    assert desk.next("dan") == pair(0, 1)  # ann went away


def test_what_follows_is_not_asked(desk):
    desk.hear(said(0, 2))
    desk.hear(said(1, 2, "different"))
    assert desk.next("ann") == pair(2, 3)


def test_a_question_in_hand_is_dropped_when_it_becomes_known(desk):
    assert desk.next("ann") == pair(0, 1)
    desk.hear(said(0, 1, "same", "bob"))
    assert desk.next("ann") == pair(2, 3)


def test_unsure_is_not_put_to_the_same_person_again(desk):
    desk.next("ann")
    desk.hear(said(0, 1, "unsure"))
    assert desk.next("ann") == pair(2, 3)
    assert desk.next("bob") == pair(0, 1)


def test_what_was_prepared_for_the_answer_comes_first(desk):
    desk.offer(Prepared(0, [pair(0, 1), pair(2, 3)], after={"same": pair(6, 7), "different": pair(4, 5)}))
    desk.next("ann")
    desk.hear(said(0, 1, "different"))
    assert desk.next("ann") == pair(4, 5)


def test_bad_pictures_are_not_asked_about(desk):
    desk.mark_bad(1)
    assert desk.next("ann") == pair(2, 3)


def test_a_question_taken_back_comes_again(desk):
    desk.next("ann")
    desk.hear(said(0, 1))
    assert desk.next("ann") == pair(2, 3)
    desk.reset(8, [], [])
    desk.hold("ann", pair(0, 1))
    assert desk.next("ann") == pair(0, 1)


def test_pictures_that_are_not_here_yet_are_not_asked_about(desk):
    desk.offer(Prepared(0, [pair(0, 99), pair(2, 3)]))
    assert desk.next("ann") == pair(2, 3)


def test_contradictions_name_their_events():
    desk = Desk()
    desk.reset(4, [(1, said(0, 1)), (2, said(1, 2)), (5, said(0, 2, "different", "bob"))], [])
    ((conflict, seq, chain),) = desk.conflicts()
    assert (seq, chain) == (5, [1, 2])
    assert conflict.statement == (0, 2, "different")


def test_what_is_in_doubt_is_put_although_it_is_known(desk):
    desk.hear(said(0, 1))
    desk.hear(said(1, 2))
    again = Question("pair", (0, 2), again=True)
    desk.offer(Prepared(0, [pair(0, 2), again]))
    assert desk.next("ann").again
    desk.hear(said(0, 2, "different"))
    assert desk.next("ann") is None  # not twice


def test_a_doubt_in_somebodys_hands_outlasts_the_process(tmp_path):
    desk = Desk(path=tmp_path / "leases")
    desk.reset(3, [(1, said(0, 1)), (2, said(1, 2))], [])
    desk.offer(Prepared(0, [Question("pair", (0, 2), again=True)]))
    desk.next("ann")
    desk.close()
    desk = Desk(path=tmp_path / "leases")
    desk.reset(3, [(1, said(0, 1)), (2, said(1, 2))], [])
    assert desk.next("ann").items == (0, 2)


def test_what_more_contradict_is_set_aside_with_its_events():
    desk = Desk()
    answers = [(1, said(0, 1)), (2, said(1, 2)), (3, said(0, 3)), (4, said(0, 2, "different"))]
    answers += [(6, said(3, 1, "different", "bob"))]
    desk.reset(4, answers, [])
    assert [(seq, chain) for _, seq, chain in desk.conflicts()] == [(4, [1, 2]), (6, [3, 1])]
    desk.outvote = True
    desk.reset(4, answers, [])
    ((conflict, seq, chain),) = desk.conflicts()
    assert (conflict.statement, seq) == ((0, 1, "same"), 1)
    assert set(chain) in ({4, 2}, {3, 6})
    assert desk.conflicts_of(1) == desk.conflicts()
    desk.reset(4, answers, [], confirmed={1})
    assert len(desk.conflicts()) == 2  # a group that was confirmed stands


def test_what_would_break_is_said_and_nothing_kept(desk):
    desk.hear(said(0, 1), seq=7)
    desk.hear(said(1, 2, "different"), seq=8)
    ((conflict, _, chain),) = desk.would_break([said(2, 3), said(3, 0)])
    assert conflict.statement == (3, 0, "same")
    assert sorted(chain) == [0, 7, 8]  # 0: one of the answers that were only tried
    assert desk.constraints.known(2, 3) is None
    assert len(desk.constraints) == 2


def test_triplets_are_open_while_any_pair_is(desk):
    desk.offer(Prepared(0, [Question("triplet", (0, 1, 2))]))
    desk.hear(said(0, 1))
    assert desk.next("ann").kind == "triplet"
    desk.hear(said(1, 2, "different"))
    assert desk.next("ann") is None
