"""The events of a project in memory, in step with the store: answers by question, counts, and keys."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from likewise.app.kept_log import KeptLog
from likewise.app.kept_votes import KeptVotes
from likewise.app.settled_curve import SettledCurve
from likewise.query.question import Answer
from likewise.store import Entry, Event, KeyReusedError, Log, NothingToUndoError, Project
from likewise.store.event_rows import SET_ASIDE
from likewise.store.payloads import Said
from likewise.store.votes import GOLD, RULINGS, SourcedAnswer, Votes, people_needed, subject_of

REBUILD = ("withdraw", "bad", "restore", "unstack")  # kinds that do not only add
ON_THE_WALL = ("edit", "name", "confirm", "unconfirm", *REBUILD)  # kinds that change the wall without the engine
NOT_COUNTED = ("gold",)  # kinds that are no answers to questions


class ProjectLog:
    """The log of a project while it is served.

    What is appended here is taken from the store's reply; the store is read only for events that other processes
    wrote, and at the start.

    - `project`: Written by :meth:`append`, :meth:`undo` and :meth:`redo`.
    """

    def __init__(self, project: Project) -> None:
        self.lock = threading.RLock()
        self.n_answers = 0
        self.n_set_aside = 0  # events that cannot be read
        self.votes = KeptVotes()
        self.settled_curve = SettledCurve()
        self._project = project
        self._log = KeptLog()
        self._seq_of: dict[str, int] = {}  # the event stored under a key
        self._n_answers_of: Counter[str] = Counter()
        self._counted: set[int] = set()  # numbers of the events that votes and counts take in
        self._last_counted = 0
        self._is_in_order = True  # whether they were taken in by their numbers
        self._untaken: set[int] = set()  # events that are here and that votes and counts do not know of yet
        self._asked_for: dict[int, list[tuple[Answer, int]]] = {}  # by event
        self.rulings_version = 0  # changes whenever the rulings may have

    def __len__(self) -> int:
        return len(self._log)

    def append(self, entries: Sequence[Entry]) -> tuple[list[Event], list[Event]]:
        """Store several events, all or none; those that were asked for, and all that are new here."""
        events = self._project.append_many(entries)
        return events, self.follow(events)

    def undo(self, annotator: str, key: str) -> tuple[Event, list[Event]]:
        """Take back somebody's last event; the withdrawal, and all that is new here."""
        event = self._project.undo(annotator, key=key)
        return event, self.follow([event])

    def redo(self, annotator: str, key: str) -> tuple[Event, list[Event]]:
        """Take somebody's last undo back; the withdrawal, and all that is new here."""
        event = self._project.redo(annotator, key=key)
        return event, self.follow([event])

    def follow(self, stored: Iterable[Event] | None = None) -> list[Event]:
        """Take events that were just stored, or read all that are missing here. Gives those that are new."""
        with self.lock:
            seen = len(self._log)
            new = [event for event in stored or () if event.seq > seen]
            without_gap = [event.seq for event in new] == list(range(seen + 1, seen + len(new) + 1))
            if stored is None or not without_gap:
                new = self._project.events(since=seen)
            for event in new:
                self._log.add(event)
                self._seq_of[event.key] = event.seq
                self._untaken.add(event.seq)
                self.n_set_aside += event.kind == SET_ASIDE
            return new

    def rebuild(self) -> None:
        """Bring votes and counts in step with the events in force; all are read anew only where it has to be."""
        with self.lock:
            self.rulings_version += 1
            self._untaken.clear()
            gone = [seq for seq in self._counted if not self._log.in_force(seq)]
            missing = [event for event in self._log.standing() if event.seq not in self._counted]
            at_end = self._is_in_order and all(event.seq > self._last_counted for event in missing)
            if not at_end or not all(self._take_out(self._log.event(seq)) for seq in gone):
                self._read_anew()
                return
            for event in missing:
                self._take_in(event)

    def take(self, event: Event) -> list[tuple[int, Answer]] | None:
        """Derive what a new event changes: the answers it adds, or None where all has to be rebuilt."""
        with self.lock:
            if event.kind in REBUILD:
                return None
            self._untaken.discard(event.seq)
            self.rulings_version += event.kind in RULINGS
            added = self._take_in(event)
            return None if added is None else [(source.seq, answer) for source, answer in added]

    def snapshot(self) -> Log:
        """The events so far."""
        with self.lock:
            log = self._log.copy()
            log.votes_of = self._votes_then(len(log))
            return log

    def supposing(self, events: Iterable[tuple[str, Any]]) -> Log:
        """The log as it would be after these events."""
        log = self.snapshot()
        for kind, payload in events:
            entry = Entry(kind, payload, key="supposed").checked()
            log.add(entry.numbered(len(log) + 1, datetime.now(UTC)))
        return log

    def event(self, seq: int) -> Event:
        """The event of a number."""
        with self.lock:
            return self._log.event(seq)

    def stored(self, key: str, *kinds: str) -> Event | None:
        """The event that was stored under a key: what is sent twice is done once.

        One of another kind than those given is refused: what is sent now is something else, and would be lost.
        """
        with self.lock:
            seq = self._seq_of.get(key)
            event = None if seq is None else self._log.event(seq)
        if event is not None and kinds and event.kind not in kinds:
            raise KeyReusedError(f"key {key!r} was used for another event")
        return event

    def left_out(self) -> list[int]:
        """Pictures that people left out."""
        with self.lock:
            return self._log.bad()

    def reported(self) -> dict[str, set[int]]:
        """Pictures that people reported and no manager has decided on, by who did."""
        with self.lock:
            reports = self._log.left_out().reports
        found: dict[str, set[int]] = {}
        for item, names in reports.items():
            for name in names:
                found.setdefault(name, set()).add(item)
        return found

    def answered(self) -> Iterator[tuple[Answer, int]]:
        """Every answer in force with how many people were to give one: see :func:`answers_asked_for`."""
        for event in self._log.standing():
            if (found := self._asked_for.get(event.seq)) is None:
                found = self._asked_for[event.seq] = answers_asked_for(event)
            yield from found

    def n_answers_of(self, annotator: str) -> int:
        """Number of answers of one person in force."""
        with self.lock:
            return self._n_answers_of[annotator]

    def n_answers_by_annotator(self) -> dict[str, int]:
        """Number of answers in force, by who gave them."""
        with self.lock:
            return dict(self._n_answers_of)

    def n_votes_on(self, items: Iterable[int]) -> int:
        """How many answers there are to one question."""
        with self.lock:
            ballot = self.votes.ballots.get(subject_of(list(items)))
            return 0 if ballot is None else len(ballot.votes)

    def is_ruled(self, items: Iterable[int]) -> bool:
        """Whether the answer to a question was given or decided."""
        with self.lock:
            ballot = self.votes.ballots.get(subject_of(list(items)))
            return ballot is not None and ballot.ruling is not None

    def rulings(self) -> list[tuple[tuple[int, ...], str]]:
        """Pairs whose truth was given or decided, with it."""
        with self.lock:
            ruled = [(s, b.ruling) for s, b in self.votes.ballots.items() if b.ruling is not None]
        return [(s, ruling[1].value) for s, ruling in ruled if ruling[1].kind == "pair"]

    def changes_wall(self, since: int) -> bool:
        """Whether an event after number `since` changes the wall by itself, without the engine."""
        with self.lock:
            return any(self._log.event(k).kind in ON_THE_WALL for k in range(since + 1, len(self._log) + 1))

    def named_by(self, withdrawal: Event) -> Event:
        """The event that a withdrawal takes back."""
        return self.event(withdrawal.payload.data()["events"][0])

    def last(self, find: Callable[[Log, str], Event], annotator: str) -> Event | None:
        """What somebody's next undo or redo would name; None where there is nothing."""
        with self.lock:
            try:
                return find(self._log, annotator)
            except NothingToUndoError:
                return None

    def _read_anew(self) -> None:
        self.votes, self.n_answers, self._last_counted, self._is_in_order = KeptVotes(), 0, 0, True
        self._counted.clear()
        self._n_answers_of.clear()
        for event in self._log.standing():
            self._take_in(event)

    def _take_in(self, event: Event) -> list[SourcedAnswer] | None:
        self._count(event, 1)
        self._counted.add(event.seq)
        self._is_in_order &= event.seq > self._last_counted
        self._last_counted = max(self._last_counted, event.seq)
        return self.votes.add(event)

    def _take_out(self, event: Event) -> bool:
        if not self.votes.remove(event):
            return False
        self._count(event, -1)
        self._counted.discard(event.seq)
        return True

    def _votes_then(self, n_events: int) -> Callable[[], Votes | None]:
        """Gives the votes as long as there are no more than so many events, and none otherwise."""

        def votes() -> Votes | None:
            with self.lock:
                return self.votes.twin() if len(self._log) == n_events and not self._untaken else None

        return votes

    def _count(self, event: Event, step: int) -> None:
        n = 0 if event.kind in NOT_COUNTED else step * len(event.payload.judgements())
        self.n_answers += n
        if n:
            self._n_answers_of[event.annotator] += n
            if not self._n_answers_of[event.annotator]:
                del self._n_answers_of[event.annotator]


def answers_asked_for(event: Event) -> list[tuple[Answer, int]]:
    """The answers of an event, each with how many people were to give one: 0 for a test, -1 where nobody was asked."""
    if event.memberships() is not None:
        return []
    if event.kind != "answer" or not isinstance(event.payload, Said):
        return [(answer, -1) for answer in event.answers()]
    shown = event.payload.shown
    return [(answer, 0 if shown.get(GOLD) else people_needed(shown)) for answer in event.answers()]


def step_of(event: Event) -> str:
    """The step that an event belongs to: keys of one step begin alike."""
    return event.key.partition("/")[0]
