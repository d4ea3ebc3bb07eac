"""The queue never asks what is known, nor one thing twice, and never two people the same."""

import pytest

from likewise import Answer, Question
from likewise.app.engine_process import QuestionBatch
from likewise.app.evidence import Evidence, SourcedLedger
from likewise.app.queue import QuestionQueue


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


class Queue(QuestionQueue):
    """A queue with a ledger of its own, which hears of answers as the live project does."""

    def __init__(self, n, answers=(), *, outvote=False, groups=(), **options):
        self.ledger = SourcedLedger()
        confirmed = [(seq, Answer("membership", items, "belongs", group=seq)) for seq, items in groups]
        self.ledger.become(n, Evidence([*confirmed, *answers]), outvote=outvote)
        super().__init__(self.ledger, **options)
        for _, answer in answers:
            self.record(answer, 1)

    def hear(self, answer, seq=0):
        self.ledger.add(answer, seq)
        self.record(answer, 1)


@pytest.fixture
def queue(clock):
    queue = Queue(8, clock=clock, lease_seconds=60)
    queue.offer(QuestionBatch(0, [pair(0, 1), pair(2, 3), pair(4, 5)]))
    return queue


def test_two_people_never_hold_the_same_question(queue, clock):
    assert queue.next("ann") == queue.next("ann") == pair(0, 1)
    assert queue.next("bob") == pair(2, 3)
    assert queue.next("eve") == pair(4, 5)
    assert queue.next("dan") is None
    clock.now = 61
    assert queue.next("dan") == pair(0, 1)  # ann went away


def test_what_follows_is_not_asked(queue):
    queue.hear(said(0, 2))
    queue.hear(said(1, 2, "different"))
    assert queue.next("ann") == pair(2, 3)


def test_a_question_in_hand_is_dropped_when_it_becomes_known(queue):
    assert queue.next("ann") == pair(0, 1)
    queue.hear(said(0, 1, "same", "bob"))
    assert queue.next("ann") == pair(2, 3)


def test_unsure_is_not_put_to_the_same_person_again(queue):
    queue.next("ann")
    queue.hear(said(0, 1, "unsure"))
    assert queue.next("ann") == pair(2, 3)
    assert queue.next("bob") == pair(0, 1)


def test_what_was_prepared_for_the_answer_comes_first(queue):
    queue.offer(
        QuestionBatch(0, [pair(0, 1), pair(2, 3)], after={("same", ()): pair(6, 7), ("different", ()): pair(4, 5)})
    )
    queue.next("ann")
    queue.hear(said(0, 1, "different"))
    assert queue.next("ann") == pair(4, 5)


def test_bad_pictures_are_not_asked_about(queue):
    queue.reset([], left_out=[1])
    assert queue.next("ann") == pair(2, 3)


def test_a_question_taken_back_comes_again(queue):
    queue.next("ann")
    queue.hear(said(0, 1))
    assert queue.next("ann") == pair(2, 3)
    queue.ledger.become(8, Evidence(), outvote=False)
    queue.reset([], [])
    queue.hold("ann", pair(0, 1))
    assert queue.next("ann") == pair(0, 1)


def test_pictures_that_are_not_here_yet_are_not_asked_about(queue):
    queue.offer(QuestionBatch(0, [pair(0, 99), pair(2, 3)]))
    assert queue.next("ann") == pair(2, 3)


def test_contradictions_name_their_events():
    ledger = SourcedLedger()
    answers = [(1, said(0, 1)), (2, said(1, 2)), (5, said(0, 2, "different", "bob"))]
    ledger.become(4, Evidence(answers=answers), outvote=False)
    ((conflict, seq, chain),) = ledger.contradictions()
    assert (seq, chain) == (5, [1, 2])
    assert conflict.statement == (0, 2, "different")


def test_what_is_in_doubt_is_put_although_it_is_known(queue):
    queue.hear(said(0, 1))
    queue.hear(said(1, 2))
    again = Question("pair", (0, 2), again=True)
    queue.offer(QuestionBatch(0, [pair(0, 2), again]))
    assert queue.next("ann").again
    queue.hear(said(0, 2, "different"))
    assert queue.next("ann") is None  # not twice


def test_a_doubt_in_somebodys_hands_outlasts_the_process(tmp_path):
    answers = [(1, said(0, 1)), (2, said(1, 2))]
    queue = Queue(3, answers, path=tmp_path / "leases")
    queue.offer(QuestionBatch(0, [Question("pair", (0, 2), again=True)]))
    queue.next("ann")
    queue.close()
    queue = Queue(3, answers, path=tmp_path / "leases")
    assert queue.next("ann").items == (0, 2)


def test_what_is_outvoted_is_set_aside_with_its_events():
    ledger = SourcedLedger()
    answers = [(1, said(0, 1)), (2, said(1, 2)), (3, said(0, 3)), (4, said(0, 2, "different"))]
    answers += [(6, said(3, 1, "different", "bob"))]
    ledger.become(4, Evidence(answers=answers), outvote=False)
    assert [(seq, chain) for _, seq, chain in ledger.contradictions()] == [(4, [1, 2]), (6, [3, 1])]
    ledger.become(4, Evidence(answers=answers), outvote=True)
    ((conflict, seq, chain),) = ledger.contradictions()
    assert (conflict.statement, seq) == ((0, 1, "same"), 1)
    assert set(chain) in ({4, 2}, {3, 6})
    assert ledger.contradictions(1) == ledger.contradictions()
    assert ledger.contradictions(4) == []
    ledger.become(4, Evidence([(1, Answer("membership", (0, 1), "belongs", group=1)), *answers[1:]]), outvote=True)
    assert len(ledger.contradictions()) == 2  # a group that was confirmed stands


def test_what_would_contradict_is_listed_and_nothing_kept(queue):
    ledger = queue.ledger
    ledger.add(said(0, 1), 7)
    ledger.add(said(1, 2, "different"), 8)
    ((conflict, _, chain),) = ledger.contradicted_by([said(2, 3), said(3, 0)])
    assert conflict.statement == (3, 0, "same")
    assert sorted(chain) == [0, 7, 8]  # 0: one of the answers that were only tried
    assert ledger.constraints.known(2, 3) is None
    assert len(ledger.constraints) == 2


def test_triplets_are_open_while_any_pair_is(queue):
    queue.offer(QuestionBatch(0, [Question("triplet", (0, 1, 2))]))
    queue.hear(said(0, 1))
    assert queue.next("ann").kind == "triplet"
    queue.hear(said(1, 2, "different"))
    assert queue.next("ann") is None


def test_what_is_preferred_is_next_unless_something_is_held():
    queue = Queue(6)
    queue.offer(QuestionBatch(0, [pair(0, 1)]))
    assert queue.prefer("ann", pair(4, 5))
    assert queue.next("ann").items == (4, 5)
    assert queue.next("bob").items == (0, 1)
    assert not queue.prefer("bob", pair(2, 3))
    assert queue.next("bob").items == (0, 1)


def test_pictures_of_questions_to_come():
    queue = Queue(9)
    after = {("same", ()): pair(1, 7), ("different", ()): None}
    queue.offer(QuestionBatch(0, [pair(0, 1), pair(2, 3)], after))
    assert queue.next("ann").items == (0, 1)
    assert queue.ahead("ann") == [7, 2, 3]


def test_checks_stay_until_there_are_new_ones_and_are_open_pairs():
    queue = Queue(6)
    checks = [Question("pair", (0, 1), check=1.0), Question("pair", (2, 3), check=0.4)]
    queue.offer(QuestionBatch(0, [pair(4, 5)], checks=checks))
    queue.offer(QuestionBatch(1, [pair(4, 5)]))
    queue.hear(said(0, 1, who="bob"))
    assert queue.prefer_check("ann")
    assert queue.next("ann").check == 0.4
    assert not queue.prefer_check("bob")  # the other one is held by ann
    assert queue.next("bob").items == (4, 5)


def test_a_check_outlasts_the_process(tmp_path):
    queue = Queue(3, path=tmp_path / "leases")
    queue.offer(QuestionBatch(0, [], checks=[Question("pair", (0, 2), check=0.25)]))
    assert queue.prefer_check("ann")
    queue.close()
    assert Queue(3, path=tmp_path / "leases").next("ann").check == 0.25
