"""The question queue: gives prepared questions to people, at once, and none to more of them than wanted."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from zlib import crc32

import numpy as np

from likewise.app.engine_process import QuestionBatch
from likewise.app.evidence import SourcedLedger
from likewise.app.leases import Lease, Leases
from likewise.app.shown_stacks import Stacks
from likewise.query.question import Answer, Pair, Question
from likewise.store.statements import SCREENS
from likewise.store.votes import subject_of

LEASE_SECONDS = 300.0
AHEAD = 4  # questions whose pictures are fetched before they are asked
MOST_AHEAD = 40  # pictures fetched before they are asked about


class NotYoursError(Exception):
    """An answer to a question that this person does not hold; the text says why."""


@dataclass
class Answerers:
    """Who answered one question, "unsure" left out, and how many are to."""

    question: Question
    need: int
    people: set[str]


class QuestionQueue:
    """Prepared questions, and who holds which.

    Choosing is a look-up: nothing here clusters or computes. A question is given out only when its answer
    does not follow from earlier ones (unless these are in doubt), as many people as wanted neither answered it nor hold
    it, and this annotator was not asked it before. One that somebody answered goes to further people until as many
    as wanted did.

    - `ledger`: Says which pairs are known. Its lock is the lock of the queue.
    - `clock`: Gives the time in seconds; of the day where `path` is given.
    - `lease_seconds`: After so long without an answer a question may go to somebody else.
    - `path`: Where leases are kept, so that they outlast the process.
    - `overlap`: How many people are to answer a question that nobody answered yet.
    - `lease_seconds`: As given; may be changed.
    - `stacks`: Pictures that are assumed to be the same: no question is asked within one.

    Examples
    --------
    >>> from likewise.app.evidence import Evidence
    >>> ledger = SourcedLedger()
    >>> ledger.become(3, Evidence(), outvote=False)
    >>> queue = QuestionQueue(ledger)
    >>> queue.offer(QuestionBatch(0, [Question("pair", (0, 1)), Question("pair", (1, 2))]))
    >>> queue.next("ann").items, queue.next("bob").items, queue.next("ann").items
    ((0, 1), (1, 2), (0, 1))
    """

    def __init__(
        self,
        ledger: SourcedLedger,
        clock: Callable[[], float] = time.time,
        lease_seconds: float = LEASE_SECONDS,
        path: Path | None = None,
    ) -> None:
        self.lease_seconds = lease_seconds
        self.overlap = 1
        self.stacks = Stacks()
        self._ledger = ledger
        self._lock = ledger.lock
        self._clock = clock
        self._batch = QuestionBatch(0, [])
        self._last: dict[str, Answer] = {}
        self._leases = Leases(clock, path)
        self.reset((), ())

    @property
    def finished(self) -> bool:
        """Whether the engine found every pair known."""
        return self._batch.finished

    @property
    def is_ready(self) -> bool:
        """Whether somebody can be asked, or told that nothing is left to ask."""
        return self._batch.finished or bool(self._batch.questions)

    @property
    def people(self) -> int:
        """How many people hold a question."""
        with self._lock:
            return sum(1 for _ in self._leases.active())

    def reset(
        self,
        answers: Iterable[tuple[Answer, int]],
        left_out: Iterable[int],
        reported: Mapping[str, Collection[int]] | None = None,
    ) -> None:
        """Start anew from all answers in force, each with how many people were to give one (0: it was a test).

        Pictures in `left_out` are not asked about, those in `reported` not of the person who reported them.
        """
        with self._lock:
            self._asked: dict[str, set[tuple[int, ...]]] = {}
            self._answerers: dict[tuple[int, ...], Answerers] = {}
            self._begun: dict[tuple[int, ...], Answerers] = {}  # answered by some, but not by as many as wanted
            self._left_out = set(left_out)
            self._reported = {name: set(items) for name, items in (reported or {}).items()}
            for answer, need in answers:
                self.record(answer, need)

    def record(self, answer: Answer, need: int) -> None:
        """Take note of who answered what; `need` is how many are to, 0 for a test, -1 where nobody was asked."""
        with self._lock:
            if answer.kind == "membership":
                return
            question = Question(answer.kind, answer.items)
            subject = _subject(question)
            self._asked.setdefault(answer.annotator, set()).add(subject)
            self._last[answer.annotator] = answer
            if self.held(answer.annotator, question) is not None:
                self._leases.drop(answer.annotator)
            if need <= 0 or answer.value == "unsure":
                return
            given = self._answerers.setdefault(subject, Answerers(question, need, set()))
            given.people.add(answer.annotator)
            if len(given.people) < given.need:
                self._begun[subject] = given
            else:
                self._begun.pop(subject, None)

    def offer(self, batch: QuestionBatch) -> None:
        """Take the engine's questions; its earlier check questions stay until it has new ones."""
        with self._lock:
            self._batch = batch if batch.checks else replace(batch, checks=self._batch.checks)

    def clear(self) -> None:
        """Take all questions back, prepared or held: they are to be of another form."""
        with self._lock:
            self._batch = QuestionBatch(0, [])
            self._leases.clear()

    def close(self) -> None:
        """Let the file of leases go."""
        with self._lock:
            self._leases.close()

    def hold(self, annotator: str, question: Question, gold: str = "", *, control: bool = False) -> None:
        """Give a question to somebody: the one they just took back, or one that tests them."""
        with self._lock:
            given = self._answerers.get(_subject(question))
            need = self.overlap if given is None else given.need
            self._leases.put(annotator, Lease(question, self._clock() + self.lease_seconds, gold, need, control))

    def held(self, annotator: str, question: Question) -> Lease | None:
        """The lease under which somebody answers a question, or None where they hold no such one."""
        with self._lock:
            lease = self._leases.get(annotator)
            same = lease is not None and _subject(lease.question) == _subject(question)
            return lease if same else None

    def claim(self, annotator: str, question: Question) -> Lease:
        """The lease under which somebody answers, good until that is stored; an error where they may not."""
        with self._lock:
            lease = self.held(annotator, question)
            if _subject(question) in self._asked.get(annotator, ()):
                raise NotYoursError("you have answered this question already")
            if lease is None:
                raise NotYoursError("this question was not put to you, or you were given another since")
            if not (lease.gold or lease.control) and not self.has_room(annotator, question):
                raise NotYoursError("you were away for long, and others have answered this question since")
            self.hold(annotator, lease.question, lease.gold, control=lease.control)
            return lease

    def has_room(self, annotator: str, question: Question) -> bool:
        """Whether one more person may answer a question; who is not counted takes nobody's place."""
        with self._lock:
            subject = _subject(question)
            given = self._answerers.get(subject)
            out = {annotator, *self._ledger.not_counted}
            taken = 0 if given is None else len(given.people - out)
            need = self.overlap if given is None else given.need
            for who, lease in self._leases.active():
                theirs = who not in out and not (lease.gold or lease.control)
                theirs = theirs and _is_much_the_same(question, lease.question)
                taken += theirs and (given is None or who not in given.people)
            return taken < need

    def prefer(self, annotator: str, question: Question, gold: str = "", *, control: bool = False) -> bool:
        """Make this somebody's next question, unless they hold one or may not be asked it; whether it is."""
        with self._lock:
            free = not self.holds_one(annotator) and self._may_ask(question, annotator, test=bool(gold) or control)
            if free:
                self.hold(annotator, question, gold, control=control)
            return free

    def prefer_control(self, annotator: str, is_known: Callable[[Pair], bool]) -> bool:
        """Make what others answered somebody's next question, where it is time to test them by it.

        - `is_known`: Whether the answer to a pair was given or decided: that is gold, and no control.
        """
        with self._lock:
            held = self._leases.get(annotator)  # one that ran out, and that others have answered since
            late = None if held is None else _subject(held.question)

            def may_ask(pair: Pair) -> bool:
                return pair != late and not is_known(pair) and self.may_test(annotator, Question("pair", pair))

            found = self._ledger.control_question(annotator, may_ask)
            return found is not None and self.prefer(annotator, found, control=True)

    def prefer_check(self, annotator: str) -> bool:
        """Make a check question somebody's next one, where one is prepared that they may be asked."""
        with self._lock:
            return any(self.prefer(annotator, check) for check in self._batch.checks)

    def may_test(self, annotator: str, question: Question) -> bool:
        """Whether a question that has its answer may be put to somebody, to test them."""
        with self._lock:
            return self._may_ask(question, annotator, test=True)

    def holds_one(self, annotator: str) -> bool:
        """Whether somebody holds a question that they may still be asked."""
        with self._lock:
            held = self._leases.get(annotator)
            return held is not None and self._may_ask(held.question, annotator, test=_is_test(held))

    def ahead(self, annotator: str) -> list[int]:
        """Pictures of the questions that may come after the one that somebody holds, so that they can be fetched."""
        with self._lock:
            held, batch = self._leases.get(annotator), self._batch
            after: list[Question | None] = []
            if held is not None and batch.questions and batch.questions[0].items == held.question.items:
                after += batch.after.values()
            after += batch.questions[: AHEAD + 1]
            now = set() if held is None else set(held.question.items)
            items = [image for question in after if question is not None for image in question.items]
            return [image for image in dict.fromkeys(items) if image not in now][:MOST_AHEAD]

    def next(self, annotator: str) -> Question | None:
        """The question for this person now, or None when none is prepared for them."""
        with self._lock:
            held = self._leases.get(annotator)
            if held is not None:
                fit = self._without_bad(held.question, annotator)
                if self._may_ask(fit, annotator, test=_is_test(held)):
                    self.hold(annotator, fit, held.gold, control=held.control)
                    return fit
            self._leases.drop(annotator)
            for candidate in self._candidates(annotator):
                question = self._without_bad(candidate, annotator)
                if self._may_ask(question, annotator):
                    self.hold(annotator, question)
                    return question
            return None

    def _candidates(self, annotator: str) -> Iterator[Question]:
        """What others began, what was prepared for after this person's last answer, then the rest."""
        yield from [given.question for given in self._begun.values()]
        last, batch = self._last.get(annotator), self._batch
        if last is not None and batch.questions and batch.questions[0].items == last.items:
            follow_up = batch.after.get((last.value, last.chosen))
            if follow_up is not None:
                yield follow_up
        yield from batch.questions

    def _may_ask(self, question: Question, annotator: str, *, test: bool = False) -> bool:
        items, subject = question.items, _subject(question)
        if not self.stacks.parted(items):  # they are assumed to be the same, also where their truth is known
            return False
        if any(image in self._left_out or image >= self._ledger.constraints.n for image in items):
            return False
        if subject in self._asked.get(annotator, ()) or not set(items).isdisjoint(self._reported.get(annotator, ())):
            return False
        if test:  # it has its answer, and everybody may be asked it
            return True
        unsettled = subject in self._begun or question.again or not self._is_settled(question)
        return unsettled and self.has_room(annotator, question)

    def _is_settled(self, question: Question) -> bool:
        """Whether the answer follows from earlier ones: all pairs of it are known."""
        known = self._ledger.constraints.known
        return all(known(i, j) is not None for i, j in _pairs(question))

    def _without_bad(self, question: Question, annotator: str) -> Question:
        """A screen without the pictures shown on it that were left out since, or that this person reported."""
        if question.kind not in SCREENS:
            return question
        bad = self._left_out | self._reported.get(annotator, set())
        first, *shown = question.items
        left = [image for image in shown if image not in bad]
        return question if not left or len(left) == len(shown) else replace(question, items=(first, *left))


def _is_test(lease: Lease) -> bool:
    return bool(lease.gold) or lease.control


def _subject(question: Question) -> tuple[int, ...]:
    """What a question is about: a screen is about its first picture and those shown, the others about all alike."""
    if question.kind not in SCREENS:
        return subject_of(question.items)
    first, *shown = question.items
    return (-1 - SCREENS.index(question.kind), first, *sorted(shown))


def _pairs(question: Question) -> set[Pair]:
    """The pairs that an answer speaks of."""
    items = question.items
    pairs = ((items[0], item) for item in items[1:]) if question.kind in SCREENS else combinations(items, 2)
    return {(min(pair), max(pair)) for pair in pairs}


def _is_much_the_same(question: Question, other: Question) -> bool:
    """Whether two questions are one, or most of what the first asks is asked by the other."""
    if question.kind not in SCREENS and other.kind not in SCREENS:
        return subject_of(question.items) == subject_of(other.items)
    pairs = _pairs(question)
    return 2 * len(pairs & _pairs(other)) > len(pairs)


def is_due(rate: float, *seed: int, annotator: str) -> np.random.Generator | None:
    """Random numbers when it is time for a question of some rate, None otherwise.

    It depends on the seed and the annotator alone: asked twice, it is due twice.
    """
    rng = np.random.default_rng([*seed, crc32(annotator.encode())])
    return rng if rng.random() < rate else None
