"""The answers of several people to one question, combined into one. No input or output.

Every answer stays an event. This is how a session takes them: one person's answer holds as it is; several are a
majority, weighed by how often each was right where the truth is known; what stays undecided is open, and waits for
somebody to adjudicate it. What was asked of somebody although another had answered it (a control) is no vote: it is
taken as it is, beside what holds, and weighed by the session. A screen of many pictures is voted on pair by pair, and
read as a screen of those pairs that hold. All of it is a function of the events in force.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from likewise.store.payloads import Said
from likewise.store.statements import SCREENS, join_parts, split_answer

if TYPE_CHECKING:
    from likewise.query.question import Answer
    from likewise.store.log import Event

__all__ = ["Ballot", "Votes", "people_needed", "subject_of"]

SourcedAnswer: TypeAlias = "tuple[Event, Answer]"
Rank: TypeAlias = tuple[int, int]  # number of the event, number of the answer or of the pair in it
RankedAnswer: TypeAlias = "tuple[Rank, Event, Answer]"
RULINGS = ("adjudicate", "gold")
# what the app writes into `shown` of an answer
GOLD, OVERLAP, CHECK, CONTROL = "gold", "overlap", "check", "control"
# Before anybody was tested they are taken to be right nine times in ten, as firmly as ten tests would show.
PRIOR_RIGHT, PRIOR_TESTS = 9.0, 10.0
SURE = math.log(0.85 / 0.15)  # log-odds from which on a divided vote is decided


def subject_of(items: Sequence[int]) -> tuple[int, ...]:
    """What a question is about, whatever the order of its pictures."""
    return tuple(sorted(items))


def choice_of(answer: Answer) -> Any:
    """What an answer chooses, whatever the order of its items: equal for answers that mean the same."""
    if answer.kind == "pair" or answer.value in ("none", "unsure"):
        return answer.value
    a, b, c = answer.items
    return subject_of({"ab": (a, b), "ac": (a, c), "bc": (b, c)}[answer.value])


@dataclass
class Ballot:
    """The answers to one question.

    - `need`: How many people were to answer it when the first of them did.
    - `votes`, list of (Event, Answer): The answers that are not "unsure", in order.
    - `ruling` (Event, Answer) or None: The last adjudication, or the truth that is known: it wins over the votes.
    - `controls`, list of (Event, Answer): Answers of people who were asked although others had answered.
    """

    need: int = 1
    votes: list[SourcedAnswer] = field(default_factory=list)
    ruling: SourcedAnswer | None = None
    controls: list[SourcedAnswer] = field(default_factory=list)

    @property
    def voters(self) -> set[str]:
        """Who answered."""
        return {event.annotator for event, _ in self.votes}

    @property
    def choices(self) -> set[Any]:
        """The different choices."""
        return {choice_of(answer) for _, answer in self.votes}

    @property
    def complete(self) -> bool:
        """Whether as many people as wanted answered."""
        return len(self.voters) >= self.need

    def last_words(self) -> dict[str, SourcedAnswer]:
        """The last answer of each person."""
        return {event.annotator: (event, answer) for event, answer in self.votes}


class Votes:
    """All ballots, and what follows from them in order.

    - `events`, iterable of Event: Events in force, in order.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.ballots: dict[tuple[int, ...], Ballot] = {}
        self._tests: dict[str, list[bool]] = {}  # by annotator: right or wrong where the truth was known
        self._divided: set[tuple[int, ...]] = set()
        self._in_order: list[RankedAnswer] = []  # by rank
        self._of: dict[tuple[int, ...], list[RankedAnswer]] = {}
        self._gathering = True  # a ballot that changes moves its answers; at first they are put in order once
        for event in events:
            self.add(event)
        self._in_order += (each for answers in self._of.values() for each in answers)
        self._in_order.sort(key=lambda entry: entry[0])
        self._gathering = False

    def answers(self) -> list[SourcedAnswer]:
        """The answers a session takes, in order, each with its event; pairs of one screen are one answer."""
        return _join(self._in_order)

    def add(self, event: Event) -> list[SourcedAnswer] | None:
        """Take the next event in force.

        - Returns list of (Event, Answer), or None: What is added behind all answers before; None where one of those
          changed too.
        """
        if not isinstance(event.payload, Said):
            return _join(self._append([((event.seq, k), event, each) for k, each in enumerate(event.answers())]))
        (answer,) = event.answers()
        shown = event.payload.shown
        if event.kind == "answer" and shown.get(GOLD) and answer.kind not in SCREENS:
            return self._test(event, answer, shown[GOLD])
        if answer.value == "unsure" and event.kind == "answer":
            return _join(self._append([((event.seq, 0), event, answer)]))
        added: list[RankedAnswer] | None = []
        for part in split_answer(answer):
            new = self._vote(event, part, people_needed(shown))
            added = None if added is None or new is None else [*added, *new]
        return None if added is None else _join(added)

    def _vote(self, event: Event, answer: Answer, need: int) -> list[RankedAnswer] | None:
        subject = subject_of(answer.items)
        ballot = self.ballots.setdefault(subject, Ballot(need))
        if event.kind in RULINGS:
            ballot.ruling = (event, answer)
        elif isinstance(event.payload, Said) and event.payload.shown.get(CONTROL) and ballot.voters - {event.annotator}:
            ballot.controls.append((event, answer))
        else:
            if not ballot.votes:
                ballot.need = need
            ballot.votes.append((event, answer))
            if len(ballot.choices) > 1:
                self._divided.add(subject)
        return self._read(subject, event.seq)

    def weight(self, annotator: str) -> float:
        """The log-odds that this person is right, from the questions whose truth is known."""
        tests = self._tests.get(annotator, [])
        right = (sum(tests) + PRIOR_RIGHT) / (len(tests) + PRIOR_TESTS)
        return math.log(right / (1 - right))

    def tests(self) -> dict[str, list[bool]]:
        """By annotator: whether they were right, question by question whose truth is known."""
        return {who: list(right) for who, right in self._tests.items()}

    def disputed(self) -> list[Ballot]:
        """Questions on which people disagree and nobody has decided, oldest first."""
        found = (self.ballots[subject] for subject in self._divided)
        open_ = [b for b in found if b.ruling is None and b.complete and self._decide(b) is None]
        return sorted(open_, key=lambda ballot: ballot.votes[0][0].seq)

    def waiting(self) -> set[tuple[int, int]]:
        """Pairs that somebody answered and of which nothing follows yet, or never will: not to be asked anew.

        Of a triplet it is the two pictures that were named first: the third was put beside them.
        """
        found = set()
        for subject, ballot in self.ballots.items():
            if not self._of.get(subject) and (ballot.votes or ballot.ruling):
                _, answer = ballot.ruling or ballot.votes[0]
                i, j, *_ = answer.items
                found.add((min(i, j), max(i, j)))
        return found

    def _test(self, event: Event, answer: Answer, truth: str) -> list[SourcedAnswer] | None:
        if answer.value == "unsure":
            return []
        self._tests.setdefault(event.annotator, []).append(answer.value == truth)
        mine = [s for s in self._divided if event.annotator in self.ballots[s].voters]
        changed = [self._read(subject, event.seq) for subject in mine]
        return None if any(each is None or each for each in changed) else []

    def _append(self, new: list[RankedAnswer]) -> list[RankedAnswer]:
        self._in_order += new
        return new

    def _read(self, subject: tuple[int, ...], now: int) -> list[RankedAnswer] | None:
        """Read a ballot again; what is new at the end, or None where more changed."""
        before, after = self._of.get(subject, []), self._ranked(self.ballots[subject])
        if after == before:
            return []
        self._of[subject] = after
        if self._gathering:
            return None
        kept = len(before)
        if after[:kept] == before and all(rank[0] == now for rank, _, _ in after[kept:]):
            return self._append(after[kept:])
        gone = {rank for rank, _, _ in before}
        self._in_order = [each for each in self._in_order if each[0] not in gone]
        for each in after:
            insort(self._in_order, each, key=lambda entry: entry[0])
        return None

    def _ranked(self, ballot: Ballot) -> list[RankedAnswer]:
        """The answers of a ballot, each with its rank in the order of events."""
        if ballot.ruling is not None:
            event, answer = ballot.ruling
            return [] if answer.value == "unsure" else [((event.seq, 0), event, answer)]
        controls = [(_rank(control), *control) for control in ballot.controls]
        return sorted([*self._held(ballot), *controls], key=lambda each: each[0])

    def _held(self, ballot: Ballot) -> list[RankedAnswer]:
        """What holds of the votes."""
        if ballot.need <= 1 and (len(ballot.voters) == 1 or len(ballot.choices) == 1):
            return [(_rank(vote), *vote) for vote in ballot.votes]
        decided = self._decide(ballot) if ballot.complete else None
        if decided is None:
            return []
        last = ballot.votes[-1] if len(ballot.choices) > 1 else _completing(ballot)
        return [(_rank(last), *decided)]

    def _decide(self, ballot: Ballot) -> SourcedAnswer | None:
        """The first vote for what the weighed majority chose, or None where it is no clear one."""
        last = ballot.last_words()
        sides: dict[Any, float] = {}
        for who, (_, answer) in last.items():
            choice = choice_of(answer)
            sides[choice] = sides.get(choice, 0.0) + self.weight(who)
        first, *others = sorted(sides, key=lambda choice: -sides[choice])
        if others and sides[first] - sides[others[0]] < SURE:
            return None
        return next(vote for vote in ballot.votes if choice_of(vote[1]) == first)


def people_needed(shown: dict[str, Any]) -> int:
    """How many people were to answer, from what was kept beside an answer."""
    need = shown.get(OVERLAP, 1)
    return need if isinstance(need, int) and need >= 1 else 1


def _completing(ballot: Ballot) -> SourcedAnswer:
    """The vote with which as many people as wanted had answered."""
    seen: set[str] = set()
    for event, answer in ballot.votes:
        seen.add(event.annotator)
        if len(seen) == ballot.need:
            return event, answer
    raise AssertionError("a ballot that is not complete has no last vote")


def _rank(vote: SourcedAnswer) -> Rank:
    """The place of a vote in the order of events: a pair of a screen by the place of its picture there."""
    event, answer = vote
    items = event.payload.images()
    return event.seq, items.index(answer.items[1]) if len(items) > len(answer.items) else 0


def _join(ranked: Iterable[RankedAnswer]) -> list[SourcedAnswer]:
    """Answers in order; those of one screen that count from the same moment on are one."""
    found: list[SourcedAnswer] = []
    for _, some in groupby(ranked, key=lambda each: (each[0][0], each[1].seq)):
        _, (event, *_), parts = zip(*some, strict=True)
        screen = event.answers()[0] if isinstance(event.payload, Said) and event.payload.kind in SCREENS else None
        if screen is None or screen.value == "unsure":
            found += [(event, part) for part in parts]
        else:
            found.append((event, join_parts(screen, {part.items[1] for part in parts})))
    return found
