"""A project while it is served: answers in, questions and clusters out."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from likewise.app.engine_process import EngineProcess, Orders, Report
from likewise.app.location import Location
from likewise.app.news import Stream
from likewise.app.queue import Desk
from likewise.app.wall import Cluster, Reading, Wall, build_wall, changes
from likewise.query.question import Answer, Question
from likewise.store import Entry, Event, Log, NothingToUndoError
from likewise.store.payloads import read_payload
from likewise.store.votes import GOLD, OVERLAP, RULINGS, Votes, subject_of

DEFAULTS: dict[str, Any] = {
    "strategy": "auto",
    "n_clusters": None,
    "seed": 0,
    "kind": "pair",
    "check_rate": 0.05,
    "recheck": True,
    "overlap": 1,
    "gold_rate": 0.1,
    "lease_minutes": 5.0,
}
REREAD = ("confirm", "unconfirm", "withdraw", "bad", "restore")  # what they change is not only added to
ENGINE_SETTINGS = ("strategy", "n_clusters", "seed", "kind", "recheck")


class NotThereError(LookupError):
    """A picture or cluster that is not there; the text says which."""


class BreaksError(Exception):
    """What was asked for contradicts earlier answers; they are in `breaks`."""

    def __init__(self, breaks: list[dict[str, Any]]) -> None:
        super().__init__("this contradicts earlier answers")
        self.breaks = breaks


class LiveProject:
    """The state of a project that is being served, derived from its events and never ahead of them.

    An event is on disk before anything here changes; the desk and the engine follow.

    Parameters
    ----------
    location : Location
        Where the project is.
    """

    def __init__(self, location: Location) -> None:
        self.location = location
        self.store = location.open_store()
        self.project = location.project_of(self.store)
        self._claim = self.project.claim()
        self.desk = Desk(path=Path(location.folder) / f"leases-{self.project.uid}.jsonl")
        self.stream = Stream()
        self.problem = ""
        self._lock = threading.RLock()
        self._n_answers = 0
        self._n_answers_of: Counter[str] = Counter()
        self._done: dict[str, int] = {}  # keys of the events that were stored
        self._log = Log()
        self._votes = self._log.votes()
        self._gold: list[tuple[int, int, str]] | None = None
        self._gone: set[int] = set()  # pictures that are not in the folder any more
        self._wall = Wall(0, {}, {}, 0)
        self._reading = Reading(0, np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))
        self.settings = DEFAULTS | self.project.settings()
        self._set_desk()
        self.engine = EngineProcess(location, self._hear_engine, self._engine_options())

    def start(self) -> None:
        """Read the events and start the engine."""
        with self._lock:
            self._follow()
        self.engine.start()

    def stop(self) -> None:
        """End the engine and let another process have the project."""
        self.engine.stop()
        self.desk.close()
        self._claim.release()
        self.store.close()

    def adjust(self, changes: Mapping[str, Any]) -> None:
        """Take settings for this time, before it is started."""
        self.settings = self.settings | dict(changes)
        self._set_desk()
        self.engine.options = self._engine_options()

    def read_now(self) -> None:
        """Cluster in this process and wait for it: for commands that serve nobody."""
        from likewise.app.engine_worker import Worker

        worker = Worker(self.project, self.location.model)
        worker.catch_up(Orders(options=self._engine_options(), indexing=False))
        with self._lock:
            self._follow_log()
            self._reading = worker.engine.read()
            self._hang()

    # what people say

    def append(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        annotator: str,
        key: str,
        seconds: float | None = None,
        withdraw: Iterable[int] = (),
        then: Iterable[tuple[str, Mapping[str, Any]]] = (),
    ) -> Event:
        """Store an event, before it a withdrawal of others, after it what goes with it: one step, undone as one."""
        entries = [Entry(kind, payload, annotator, key, seconds)]
        entries += [Entry(also, about, annotator, f"{key}/{also}") for also, about in then]
        taken_back = sorted(set(withdraw))
        if taken_back:
            entries.insert(0, Entry("withdraw", {"events": taken_back}, annotator, f"{key}/withdraw"))
        event = self.project.append_many(entries)[1 if taken_back else 0]
        self._follow()
        return event

    def append_all(self, entries: Sequence[Entry]) -> Event:
        """Store several events at once, all or none; gives the first."""
        events = self.project.append_many(entries)
        self._follow()
        return events[0]

    def stored(self, key: str) -> Event | None:
        """The event that was stored under a key."""
        with self._lock:
            seq = self._done.get(key)
            return None if seq is None else self._log.event(seq)

    def done(self, key: str) -> int | None:
        """The number of the event that was stored under a key: what is sent twice is done once."""
        with self._lock:
            return self._done.get(key)

    def withdraw(self, seqs: Iterable[int], *, annotator: str, key: str) -> Event:
        """Take chosen events back."""
        return self.append("withdraw", {"events": sorted(set(seqs))}, annotator=annotator, key=key)

    def undo(self, annotator: str, key: str) -> tuple[Event, Event]:
        """Take back the last thing the annotator did, and what was stored with it; the withdrawal and the thing."""
        event = self.project.undo(annotator, key=key)
        self._follow()
        undone = self._named_by(event)
        step, number = _step(undone), 0
        while (before := self._last(Log.to_undo, annotator)) is not None and _step(before) == step:
            number += 1
            event = self.project.undo(annotator, key=f"{key}/{number}")
            self._follow()
            undone = before if before.key == step else undone
        said = undone.answers()
        if undone.kind == "answer" and said:
            again = Question(said[0].kind, said[0].items, reason="you took this one back")
            self.desk.hold(annotator, again, undone.payload.data()["shown"].get(GOLD, ""))
        return event, undone

    def to_redo(self, annotator: str) -> Event | None:
        """What a redo of this annotator would bring back."""
        withdrawal = self._last(Log.to_redo, annotator)
        return None if withdrawal is None else self._named_by(withdrawal)

    def redo(self, annotator: str, key: str) -> Event:
        """Take the annotator's last undo back, all of it."""
        event = self.project.redo(annotator, key=key)
        self._follow()
        step, number = _step(self._named_by(event)), 0
        while (before := self._last(Log.to_redo, annotator)) is not None and _step(before) == step:
            number += 1
            event = self.project.redo(annotator, key=f"{key}/{number}")
            self._follow()
        return event

    def would_break(
        self,
        kind: str,
        payload: Mapping[str, Any],
        without: Iterable[int] = (),
        then: Iterable[tuple[str, Mapping[str, Any]]] = (),
    ) -> list[dict[str, Any]]:
        """The contradictions an event and what goes with it would make, were those in `without` taken back."""
        after = [(kind, payload), *then]
        told = [each for also, about in after for each in read_payload(also, about).told()]
        before: list[tuple[str, Mapping[str, Any]]] = [each for each in after if each[0] == "unconfirm"]
        if gone := sorted(set(without)):
            before.append(("withdraw", {"events": gone}))
        desk = self._supposing(before) if before else self.desk
        answers = [Answer(form, items, value) for form, items, value in told]
        return [self._describe(*each) for each in desk.would_break(answers)]

    def _supposing(self, events: Iterable[tuple[str, Mapping[str, Any]]]) -> Desk:
        """A desk as it would be after these: what else says the same shows only when they are gone."""
        log = self.log()
        for kind, payload in events:
            entry = Entry(kind, payload, key="supposed").checked()
            log.add(entry.numbered(len(log) + 1, datetime.now(UTC)))
        desk = Desk()
        desk.outvote = self.desk.outvote
        self._tell(desk, self.desk.constraints.n, list(log.said()))
        return desk

    @staticmethod
    def _tell(
        desk: Desk,
        n_images: int,
        told: Sequence[tuple[Event, Answer]],
        bad: Iterable[int] = (),
        asked: Iterable[tuple[Answer, int]] = (),
    ) -> None:
        """Let a desk start anew from what is in force."""
        confirmed = {event.seq for event, _ in told if event.kind == "confirm"}
        desk.reset(n_images, [(event.seq, answer) for event, answer in told], bad, asked, confirmed)

    # what people see

    @property
    def wall(self) -> Wall:
        """The clusters, with names and confirmed groups."""
        with self._lock:
            return self._wall

    def cluster(self, number: int) -> Cluster:
        """One cluster of the wall."""
        cluster = self.wall.clusters.get(number)
        if cluster is None:
            raise NotThereError(f"cluster {number} is not there any more")
        return cluster

    def conflicts(self, seq: int | None = None) -> list[dict[str, Any]]:
        """Contradictions among the answers, or those that one event made, each with the chain that makes it."""
        found = self.desk.conflicts() if seq is None else self.desk.conflicts_of(seq)
        return [self._describe(*each) for each in found]

    def log(self) -> Log:
        """The events so far."""
        with self._lock:
            return self._log.copy()

    @property
    def n_answers(self) -> int:
        """Number of answers in force; what a confirmed group says of its pictures is not counted."""
        with self._lock:
            return self._n_answers

    def n_answers_of(self, annotator: str) -> int:
        """Number of answers of one person in force."""
        with self._lock:
            return self._n_answers_of[annotator]

    def votes(self) -> Votes:
        """The answers in force, question by question."""
        return self.log().votes()

    def votes_on(self, items: Iterable[int]) -> int:
        """How many answers there are to one question."""
        with self._lock:
            ballot = self._votes.ballots.get(subject_of(list(items)))
            return 0 if ballot is None else len(ballot.votes)

    def rulings(self) -> list[tuple[tuple[int, ...], str]]:
        """Pairs whose truth was given or adjudicated, with it."""
        with self._lock:
            ruled = [(s, b.ruling) for s, b in self._votes.ballots.items() if b.ruling is not None]
        return [(s, ruling[1].value) for s, ruling in ruled if ruling[1].kind == "pair"]

    def n_disputed(self) -> int:
        """Number of questions on which people disagree and nobody has decided."""
        with self._lock:
            return len(self._votes.disputed())

    def gold(self) -> list[tuple[int, int, str]]:
        """Pairs whose truth is known, found anew when something was decided since."""
        from likewise.app.gold import gold_pairs

        if (found := self._gold) is None:
            found = self._gold = gold_pairs(self)
        return found

    @property
    def ready(self) -> int:
        """Number of pictures in the clusters."""
        return len(self._reading.images)

    def change_settings(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Keep new settings; the engine takes those that are for it."""
        with self._lock:
            before, self.settings = self.settings, DEFAULTS | self.project.update_settings(changes)
            self._set_desk()
            if before["recheck"] != self.settings["recheck"]:
                self._reset_desk()
        if before["kind"] != self.settings["kind"]:
            self.desk.clear()
        if any(name in changes for name in ENGINE_SETTINGS):
            self.engine.order(Orders(options=self._engine_options()))
        return self.settings

    def indexing(self, state: Mapping[str, Any]) -> None:
        """Let people and the engine know how far the reading of pictures is."""
        self.stream.publish("indexing", dict(state))
        gone = (
            {image.position for image in self.project.images("gone")}
            if state["state"] == "done"
            else self._gone
        )
        if gone != self._gone or self.project.n_images != self.desk.constraints.n:
            with self._lock:
                self._gone = gone
                self._reset_desk()
        self.engine.order(Orders(indexing=state["state"] != "done"))

    # how it keeps in step

    def _named_by(self, withdrawal: Event) -> Event:
        with self._lock:
            return self._log.event(withdrawal.payload.data()["events"][0])

    def _last(self, find: Callable[[Log, str], Event], annotator: str) -> Event | None:
        with self._lock:
            try:
                return find(self._log, annotator)
            except NothingToUndoError:
                return None

    def _set_desk(self) -> None:
        self.desk.overlap = int(self.settings["overlap"])
        self.desk.outvote = bool(self.settings["recheck"])
        self.desk.lease_seconds = 60.0 * float(self.settings["lease_minutes"])

    def _engine_options(self) -> dict[str, Any]:
        return {name: self.settings[name] for name in ENGINE_SETTINGS}

    def _follow(self) -> None:
        """Read the events that came since, into the desk and the wall; wake the engine."""
        self._follow_log()
        self.engine.order(Orders(people=self.desk.people))

    def _follow_log(self) -> None:
        with self._lock:
            new = self.project.events(since=len(self._log))
            for event in new:
                self._log.add(event)
                self._done[event.key] = event.seq
            anew = len(new) == len(self._log) or any(event.kind in REREAD for event in new)
            heard = [] if anew else [self._hear(event) for event in new]
            if anew or not all(heard):
                self._reset_desk()
            if self._words_since(len(self._log) - len(new)):
                self._hang()

    def _hear(self, event: Event) -> bool:
        """Let the desk know what a new event says; False where it changes what was said before."""
        told = self._votes.add(event)
        if event.kind in RULINGS:
            self._gold = None
        self._count(event)
        for source, answer in told or ():
            self.desk.hear(answer, source.seq)
        for answer, need in _asked(event):
            self.desk.note(answer, need)
        return told is not None

    def _count(self, event: Event) -> None:
        if event.kind not in ("confirm", "gold"):
            said = len(event.payload.told())
            self._n_answers += said
            self._n_answers_of[event.annotator] += said

    def _reset_desk(self) -> None:
        self._votes, self._gold, self._n_answers = self._log.votes(), None, 0
        self._n_answers_of.clear()
        asked = []
        for event in self._log.standing():
            self._count(event)
            asked += _asked(event)
        told = self._votes.told()
        self._tell(self.desk, self.project.n_images, told, {*self._log.bad(), *self._gone}, asked)

    def _hang(self) -> None:
        """Hang the wall again: what the engine read, under the names and confirmations of now.

        It is built without holding anybody up, and built again where somebody changed something meanwhile.
        """
        while True:
            with self._lock:
                seen, before, reading = len(self._log), self._wall, self._reading
                names = [(name.name, name.items) for name in self._log.names()]
                confirmed, merged, bad = self._log.confirmed(), self._log.merged(), self._log.bad()
            kept = ~np.isin(reading.images, bad)
            reading = Reading(
                reading.version, reading.images[kept], reading.labels[kept], reading.doubt[kept]
            )
            wall = build_wall(reading, names, confirmed, before, merged)
            changed = changes(before, wall)
            with self._lock:
                if self._wall is before and (seen == len(self._log) or not self._words_since(seen)):
                    self._wall = wall
                    break
        news = {
            "version": reading.version,
            "total": len(wall.clusters),
            "moved": sum(None not in (was, now) for _, was, now in changed),
            "joined": sum(was is None for _, was, _ in changed),
        }
        self.stream.publish("clusters", news)

    def _words_since(self, seen: int) -> bool:
        """Whether an event after number `seen` changes what the wall shows by itself."""
        later = (self._log.event(seq) for seq in range(seen + 1, len(self._log) + 1))
        return any(event.kind == "name" or event.kind in REREAD for event in later)

    def _hear_engine(self, report: Report) -> None:
        if report.problem:
            self.problem = report.problem
            self.stream.publish("problem", {"text": report.problem})
        if report.prepared is not None and report.prepared.kind == self.settings["kind"]:
            self.desk.offer(report.prepared)
            self.stream.publish("question", {"finished": report.prepared.finished})
        if report.reading is not None:
            with self._lock:
                self._reading = report.reading
            self._hang()

    def _describe(self, conflict: Any, seq: int, chain: list[int]) -> dict[str, Any]:
        """A contradiction in plain data; events that are only being tried have number 0."""
        with self._lock:
            events = {number: self._log.event(number) for number in (seq, *chain) if number}
        source = {number: (event.annotator, event.kind) for number, event in events.items()}

        def told(statement: tuple[int, int, str], number: int) -> dict[str, Any]:
            i, j, value = statement
            who, kind = source.get(number, ("", ""))
            return {"seq": number, "items": [i, j], "value": value, "annotator": who, "kind": kind}

        links = [told(link, number) for link, number in zip(conflict.chain, chain, strict=True)]
        return {"statement": told(conflict.statement, seq), "chain": links}


def _asked(event: Event) -> list[tuple[Answer, int]]:
    """The answer to a question, and how many people were to give one; 0 where it was a test."""
    if event.kind != "answer":
        return []
    shown = event.payload.data()["shown"]
    return [(answer, 0 if shown.get(GOLD) else int(shown.get(OVERLAP, 1))) for answer in event.answers()]


def _step(event: Event) -> str:
    """What an event was stored with: keys of one step begin alike."""
    return event.key.partition("/")[0]
