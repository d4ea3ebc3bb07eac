"""The desk: hands prepared questions to people, at once, and never the same one to two of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from likewise.constraints import Conflict, Constraints
from likewise.query.base import Answer, Question
from likewise.server.engine import Prepared

LEASE_SECONDS = 300.0
AHEAD = 4  # questions whose pictures are fetched before they are put


@dataclass(frozen=True)
class Lease:
    """A question in somebody's hands, until a time."""

    question: Question
    until: float


class Desk:
    """Prepared questions, what is already known, and who holds which question.

    Choosing is a look-up: nothing here clusters or computes. A question is handed out only when its answer
    does not follow from what was said, nobody else holds it, and this annotator was not asked it before.

    Parameters
    ----------
    clock : callable
        Gives the time in seconds.
    lease_seconds : float
        After so long without an answer a question may go to somebody else.

    Examples
    --------
    >>> desk = Desk()
    >>> desk.reset(3, [], bad=[])
    >>> desk.offer(Prepared(0, [Question("pair", (0, 1)), Question("pair", (1, 2))]))
    >>> desk.next("ann").items, desk.next("bob").items, desk.next("ann").items
    ((0, 1), (1, 2), (0, 1))
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, lease_seconds: float = LEASE_SECONDS
    ) -> None:
        self._clock = clock
        self._lease_seconds = lease_seconds
        self._lock = threading.RLock()
        self._prepared = Prepared(0, [])
        self._last: dict[str, Answer] = {}
        self._leases: dict[str, Lease] = {}
        self.reset(0, [], [])

    @property
    def constraints(self) -> Constraints:
        """What follows from the answers in force."""
        return self._constraints

    @property
    def finished(self) -> bool:
        """Whether the engine found every pair known."""
        return self._prepared.finished

    def reset(self, n_images: int, answers: Iterable[tuple[int, Answer]], bad: Iterable[int]) -> None:
        """Start anew from all answers in force, with the events they are from: after an undo, say."""
        with self._lock:
            self._constraints = Constraints(n_images)
            self._sources: list[int] = []
            self._asked: dict[str, set[tuple[int, ...]]] = {}
            self._bad = set(bad)
            for seq, answer in answers:
                self.hear(answer, seq)

    def hear(self, answer: Answer, seq: int = 0) -> None:
        """Take one more answer in force, from the event `seq`."""
        with self._lock:
            for statement in answer.statements():
                self._constraints.add(*statement)
                self._sources.append(seq)
            self._asked.setdefault(answer.annotator, set()).add(_subject(answer.items))
            self._last[answer.annotator] = answer
            lease = self._leases.get(answer.annotator)
            if lease is not None and _subject(lease.question.items) == _subject(answer.items):
                del self._leases[answer.annotator]

    def mark_bad(self, image: int) -> None:
        """Never ask about this picture again."""
        with self._lock:
            self._bad.add(image)

    def conflicts(self) -> list[tuple[Conflict, int, list[int]]]:
        """Contradictions: each with the event that was set aside, and the events of its chain."""
        with self._lock:
            return [self._with_sources(conflict) for conflict in self._constraints.conflicts()]

    def conflicts_of(self, seq: int) -> list[tuple[Conflict, int, list[int]]]:
        """Contradictions that the statements of one event made."""
        with self._lock:
            found = (c for c in self._constraints.conflicts() if self._sources[c.place] == seq)
            return [self._with_sources(conflict) for conflict in found]

    def would_break(self, answers: Iterable[Answer]) -> list[tuple[Conflict, int, list[int]]]:
        """What these answers would contradict; nothing is kept of them."""
        with self._lock:
            added, broken = 0, []
            for answer in answers:
                for statement in answer.statements():
                    conflict = self._constraints.add(*statement)
                    self._sources.append(0)
                    added += 1
                    if conflict is not None:
                        broken.append(self._with_sources(conflict))
            for _ in range(added):
                self._constraints.undo()
                self._sources.pop()
            return broken

    def _with_sources(self, conflict: Conflict) -> tuple[Conflict, int, list[int]]:
        chain = [self._sources[place] for place in conflict.chain_places]
        return conflict, self._sources[conflict.place], chain

    def offer(self, prepared: Prepared) -> None:
        """Take what the engine prepared."""
        with self._lock:
            self._prepared = prepared

    def clear(self) -> None:
        """Take all questions back, prepared or in somebody's hands: they are to be of another form."""
        with self._lock:
            self._prepared = Prepared(0, [])
            self._leases.clear()

    def hold(self, annotator: str, question: Question) -> None:
        """Put a question into somebody's hands: the one they just took back."""
        with self._lock:
            self._leases[annotator] = Lease(question, self._clock() + self._lease_seconds)

    def prefer(self, annotator: str, question: Question) -> None:
        """Make this somebody's next question, unless they hold one or may not be asked it."""
        with self._lock:
            held = self._leases.get(annotator)
            free = held is None or not self._may_ask(held.question, annotator)
            if free and self._may_ask(question, annotator):
                self.hold(annotator, question)

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
            if held is not None and self._may_ask(held.question, annotator):
                return held.question
            self._leases.pop(annotator, None)
            for question in self._candidates(annotator):
                if self._may_ask(question, annotator):
                    self.hold(annotator, question)
                    return question
            return None

    def _candidates(self, annotator: str) -> Iterator[Question]:
        """What was prepared for after this person's last answer, then the rest."""
        last, prepared = self._last.get(annotator), self._prepared
        if last is not None and prepared.questions and prepared.questions[0].items == last.items:
            follow_up = prepared.after.get(last.value)
            if follow_up is not None:
                yield follow_up
        yield from prepared.questions

    def _may_ask(self, question: Question, annotator: str) -> bool:
        items = question.items
        if any(image in self._bad or image >= self._constraints.n for image in items):
            return False
        if _subject(items) in self._asked.get(annotator, ()) or self._settled(items):
            return False
        now = self._clock()
        return not any(
            who != annotator and lease.until > now and _subject(lease.question.items) == _subject(items)
            for who, lease in self._leases.items()
        )

    def _settled(self, items: Sequence[int]) -> bool:
        """Whether the answer follows from what was said: all pairs of it are known."""
        known = self._constraints.known
        return all(known(i, j) is not None for k, i in enumerate(items) for j in items[k + 1 :])


def _subject(items: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(items))
