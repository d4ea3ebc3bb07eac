"""The desk: hands prepared questions to people, at once, and none to more of them than wanted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from likewise.app.leases import Lease, Leases
from likewise.app.prepared import Prepared
from likewise.constraints import Conflict, Constraints
from likewise.query.answers.ledger import Ledger
from likewise.query.question import Answer, Question
from likewise.store.votes import subject_of

LEASE_SECONDS = 300.0
AHEAD = 4  # questions whose pictures are fetched before they are put


class NotYoursError(Exception):
    """An answer to a question that this person does not hold; the text says why."""


@dataclass
class Asked:
    """Who answered one question, "unsure" left out, and how many are to."""

    question: Question
    need: int
    people: set[str]


class Desk:
    """Prepared questions, what is already known, and who holds which question.

    Choosing is a look-up: nothing here clusters or computes. A question is handed out only when its answer
    does not follow from what was said (unless that is in doubt), as many people as wanted neither answered it nor hold
    it, and this annotator was not asked it before. One that somebody answered goes to further people until as many
    as wanted did.

    Parameters
    ----------
    clock : callable
        Gives the time in seconds; of the day where `path` is given.
    lease_seconds : float
        After so long without an answer a question may go to somebody else.
    path : Path, optional
        Where leases are kept, so that they outlast the process.

    Attributes
    ----------
    overlap : int
        How many people are to answer a question that nobody answered yet.
    outvote : bool
        Whether answers that more contradict are set aside for those; from the next reset on.
    lease_seconds : float
        As given; may be changed.

    Examples
    --------
    >>> desk = Desk()
    >>> desk.reset(3, [], bad=[])
    >>> desk.offer(Prepared(0, [Question("pair", (0, 1)), Question("pair", (1, 2))]))
    >>> desk.next("ann").items, desk.next("bob").items, desk.next("ann").items
    ((0, 1), (1, 2), (0, 1))
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.time,
        lease_seconds: float = LEASE_SECONDS,
        path: Path | None = None,
    ) -> None:
        self._clock = clock
        self.lease_seconds = lease_seconds
        self.overlap = 1
        self.outvote = False
        self._lock = threading.RLock()
        self._prepared = Prepared(0, [])
        self._last: dict[str, Answer] = {}
        self._leases = Leases(clock, path)
        self._ledger = Ledger(0)
        self.reset(0, [], [])

    @property
    def constraints(self) -> Constraints:
        """What follows from the answers in force."""
        return self._ledger.constraints

    @property
    def finished(self) -> bool:
        """Whether the engine found every pair known."""
        return self._prepared.finished

    def reset(
        self,
        n_images: int,
        answers: Iterable[tuple[int, Answer]],
        bad: Iterable[int],
        asked: Iterable[tuple[Answer, int]] = (),
        confirmed: Collection[int] = (),
    ) -> None:
        """Start anew from all answers in force, with the events they are from: after an undo, say.

        Those in `asked` were given to questions, each with how many people were to answer it (0: it was a test).
        Events in `confirmed` are groups that were confirmed as a whole.
        """
        with self._lock:
            if (self._ledger.constraints.n, self._ledger.outvote) != (n_images, self.outvote):
                self._ledger = Ledger(n_images, outvote=self.outvote)
            answers = list(answers)
            said = [(statement, seq) for seq, answer in answers for statement in answer.statements()]
            self._ledger.become([(statement, seq in confirmed) for statement, seq in said])
            self._sources = [seq for _, seq in said]
            self._asked: dict[str, set[tuple[int, ...]]] = {}
            self._said: dict[tuple[int, ...], Asked] = {}
            self._begun: dict[tuple[int, ...], Asked] = {}  # answered by some, but not by as many as wanted
            self._bad = set(bad)
            for _, answer in answers:
                self._answered(answer)
            for answer, need in asked:
                self.note(answer, need)

    def note(self, answer: Answer, need: int) -> None:
        """Take note of who answered what, whatever follows from it; `need` is 0 for a test."""
        with self._lock:
            subject = subject_of(answer.items)
            self._asked.setdefault(answer.annotator, set()).add(subject)
            self._release(answer.annotator, subject)
            if need == 0 or answer.value == "unsure":
                return
            question = Question(answer.kind, answer.items)
            said = self._said.setdefault(subject, Asked(question, need, set()))
            said.people.add(answer.annotator)
            if len(said.people) < said.need:
                self._begun[subject] = said
            else:
                self._begun.pop(subject, None)

    def hear(self, answer: Answer, seq: int = 0, *, confirmed: bool = False) -> None:
        """Take one more answer in force, from the event `seq`; what a confirmed group says is never outweighed."""
        with self._lock:
            for statement in answer.statements():
                (self._ledger.give if confirmed else self._ledger.add)(statement)
                self._sources.append(seq)
            self._answered(answer)

    def _answered(self, answer: Answer) -> None:
        self._asked.setdefault(answer.annotator, set()).add(subject_of(answer.items))
        self._last[answer.annotator] = answer
        self._release(answer.annotator, subject_of(answer.items))

    def mark_bad(self, image: int) -> None:
        """Never ask about this picture again."""
        with self._lock:
            self._bad.add(image)

    def conflicts(self) -> list[tuple[Conflict, int, list[int]]]:
        """Contradictions: each with the event that was set aside, and the events of its chain."""
        with self._lock:
            return [self._with_sources(conflict) for conflict in self._ledger.conflicts()]

    def conflicts_of(self, seq: int) -> list[tuple[Conflict, int, list[int]]]:
        """Contradictions that the statements of one event made."""
        with self._lock:
            found = (c for c in self._ledger.conflicts() if self._sources[c.place] == seq)
            return [self._with_sources(conflict) for conflict in found]

    def would_break(self, answers: Iterable[Answer]) -> list[tuple[Conflict, int, list[int]]]:
        """What these answers would contradict; nothing is kept of them."""
        with self._lock:
            said = [statement for answer in answers for statement in answer.statements()]
            return [self._with_sources(conflict) for conflict in self._ledger.contradicted_by(said)]

    def _with_sources(self, conflict: Conflict) -> tuple[Conflict, int, list[int]]:
        return (
            conflict,
            self._source(conflict.place),
            [self._source(place) for place in conflict.chain_places],
        )

    def _source(self, place: int) -> int:
        """The event that a statement is from; 0 for one that is only supposed."""
        return self._sources[place] if place < len(self._sources) else 0

    def offer(self, prepared: Prepared) -> None:
        """Take what the engine prepared."""
        with self._lock:
            self._prepared = prepared

    def clear(self) -> None:
        """Take all questions back, prepared or in somebody's hands: they are to be of another form."""
        with self._lock:
            self._prepared = Prepared(0, [])
            self._leases.clear()

    @property
    def people(self) -> int:
        """How many people hold a question."""
        with self._lock:
            return sum(1 for _ in self._leases.active())

    def hold(self, annotator: str, question: Question, gold: str = "") -> None:
        """Put a question into somebody's hands: the one they just took back, or one that tests them."""
        with self._lock:
            said = self._said.get(subject_of(question.items))
            need = self.overlap if said is None else said.need
            self._leases.put(annotator, Lease(question, self._clock() + self.lease_seconds, gold, need))

    def held(self, annotator: str, items: Sequence[int]) -> Lease | None:
        """The lease under which somebody answers a question, or None where they hold no such one."""
        with self._lock:
            lease = self._leases.get(annotator)
            return (
                lease if lease is not None and subject_of(lease.question.items) == subject_of(items) else None
            )

    def claim(self, annotator: str, items: Sequence[int]) -> Lease:
        """The lease under which somebody answers, good until that is stored; an error where they may not."""
        with self._lock:
            lease = self.held(annotator, items)
            if subject_of(items) in self._asked.get(annotator, ()):
                raise NotYoursError("you have answered this question already")
            if lease is None:
                raise NotYoursError("this question was not put to you, or you were given another since")
            if not lease.gold and not self._has_room(subject_of(items), annotator):
                raise NotYoursError("you were away for long, and others have answered this question since")
            self.hold(annotator, lease.question, lease.gold)
            return lease

    def room(self, annotator: str, items: Sequence[int]) -> bool:
        """Whether one more person may answer a question."""
        with self._lock:
            return self._has_room(subject_of(items), annotator)

    def close(self) -> None:
        """Let the file of leases go."""
        with self._lock:
            self._leases.close()

    def _release(self, annotator: str, subject: tuple[int, ...]) -> None:
        lease = self._leases.get(annotator)
        if lease is not None and subject_of(lease.question.items) == subject:
            self._leases.drop(annotator)

    def _has_room(self, subject: tuple[int, ...], annotator: str) -> bool:
        said = self._said.get(subject)
        taken = 0 if said is None else len(said.people - {annotator})
        need = self.overlap if said is None else said.need
        for who, lease in self._leases.active():
            mine = who != annotator and not lease.gold and subject_of(lease.question.items) == subject
            taken += mine and (said is None or who not in said.people)
        return taken < need

    def prefer(self, annotator: str, question: Question, gold: str = "") -> None:
        """Make this somebody's next question, unless they hold one or may not be asked it."""
        with self._lock:
            held = self._leases.get(annotator)
            free = held is None or not self._may_ask(held.question, annotator, held.gold)
            if free and self._may_ask(question, annotator, gold):
                self.hold(annotator, question, gold)

    def may_test(self, annotator: str, question: Question) -> bool:
        """Whether a question whose answer is known may be put to somebody."""
        with self._lock:
            return self._may_ask(question, annotator, "known")

    def holds_one(self, annotator: str) -> bool:
        """Whether somebody holds a question that they may still be asked."""
        with self._lock:
            held = self._leases.get(annotator)
            return held is not None and self._may_ask(held.question, annotator, held.gold)

    def ahead(self, annotator: str) -> list[int]:
        """Pictures of the questions that may come after the one in somebody's hands, so that they can be fetched."""
        with self._lock:
            held, prepared = self._leases.get(annotator), self._prepared
            after: list[Question | None] = []
            if held is not None and prepared.questions and prepared.questions[0].items == held.question.items:
                after += prepared.after.values()
            after += prepared.questions[: AHEAD + 1]
            now = set() if held is None else set(held.question.items)
            items = [image for question in after if question is not None for image in question.items]
            return [image for image in dict.fromkeys(items) if image not in now][: 2 * AHEAD]

    def next(self, annotator: str) -> Question | None:
        """The question for this person now, or None when none is prepared for them."""
        with self._lock:
            held = self._leases.get(annotator)
            if held is not None and self._may_ask(held.question, annotator, held.gold):
                self.hold(annotator, held.question, held.gold)
                return held.question
            self._leases.drop(annotator)
            for question in self._candidates(annotator):
                if self._may_ask(question, annotator):
                    self.hold(annotator, question)
                    return question
            return None

    def _candidates(self, annotator: str) -> Iterator[Question]:
        """What others began, what was prepared for after this person's last answer, then the rest."""
        yield from [said.question for said in self._begun.values()]
        last, prepared = self._last.get(annotator), self._prepared
        if last is not None and prepared.questions and prepared.questions[0].items == last.items:
            follow_up = prepared.after.get(last.value)
            if follow_up is not None:
                yield follow_up
        yield from prepared.questions

    def _may_ask(self, question: Question, annotator: str, gold: str = "") -> bool:
        items, subject = question.items, subject_of(question.items)
        if any(image in self._bad or image >= self.constraints.n for image in items):
            return False
        if subject in self._asked.get(annotator, ()):
            return False
        if gold:  # it is known, and everybody may be asked it
            return True
        begun = subject in self._begun
        return (begun or question.again or not self._settled(items)) and self._has_room(subject, annotator)

    def _settled(self, items: Sequence[int]) -> bool:
        """Whether the answer follows from what was said: all pairs of it are known."""
        known = self.constraints.known
        return all(known(i, j) is not None for k, i in enumerate(items) for j in items[k + 1 :])
