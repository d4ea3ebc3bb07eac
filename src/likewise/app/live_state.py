"""The state of a project that is being served, derived from its events and never ahead of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from likewise.app.edits import cluster_on, describe_conflict
from likewise.app.engine_process import EngineProcess, Orders, Report
from likewise.app.evidence import Contradiction, Evidence, SourcedLedger
from likewise.app.gold import GoldPair, gold_pairs
from likewise.app.location import Location
from likewise.app.news import Stream
from likewise.app.project_log import ProjectLog, answers_asked_for
from likewise.app.queue import QuestionQueue
from likewise.app.settings import DEFAULTS, ENGINE_SETTINGS
from likewise.app.wall import Cluster, Clustering, Wall, changes, wall_of_log
from likewise.store import Event, Log

INDEXING: dict[str, Any] = {"state": "reading", "done": 0, "total": 0, "rate": 0.0}


class LiveState:
    """Log, ledger, queue, engine and wall of a project, kept in step with each other.

    An event is on disk before anything here changes; the queue and the engine follow.

    Parameters
    ----------
    location : Location
        Where the project is.
    """

    def __init__(self, location: Location) -> None:
        self.location = location
        self.store = location.open_store()
        self.project = location.project_of(self.store)
        self._process_lock = self.project.lock()
        self.stream = Stream()
        self.problem = ""
        self.index_state = INDEXING
        self.events = ProjectLog(self.project)
        self.ledger = SourcedLedger()
        self.queue = QuestionQueue(
            self.ledger, path=Path(location.folder) / f"leases-{self.project.uid}.jsonl"
        )
        self._lock = self.events.lock
        self._gold: tuple[int, list[GoldPair]] = (-1, [])
        self._gone: set[int] = set()  # pictures that are not in the folder any more
        self._wall = Wall(0, {}, {}, 0)
        self._clustering = Clustering.empty()
        self.settings = DEFAULTS | self.project.settings()
        self._apply_settings()
        self.engine = EngineProcess(location, self._take_report, self._engine_options())

    def start(self) -> None:
        """Read the events and start the engine."""
        self._follow(self.events.follow())
        self.engine.start()

    def stop(self) -> None:
        """End the engine and let another process have the project."""
        self.engine.stop()
        self.queue.close()
        self._process_lock.release()
        self.store.close()

    def adjust(self, changes: Mapping[str, Any]) -> None:
        """Take settings for this time, before it is started."""
        self.settings = self.settings | dict(changes)
        self._apply_settings()
        self.engine = EngineProcess(self.location, self._take_report, self._engine_options())

    @property
    def wall(self) -> Wall:
        """The clusters, with names and confirmed groups."""
        with self._lock:
            return self._wall

    def cluster(self, number: int) -> Cluster:
        """One cluster of the wall."""
        return cluster_on(self.wall, number)

    @property
    def clustering(self) -> Clustering:
        """The engine's clusters, and how good they are by the check questions."""
        return self._clustering

    @property
    def ready(self) -> int:
        """Number of pictures in the clusters."""
        return len(self._clustering.images)

    def conflicts(self, seq: int | None = None) -> list[dict[str, Any]]:
        """Contradictions among the answers, or those that one event made, each with the chain that makes it."""
        return self._describe(self.ledger.contradictions(seq))

    def log(self) -> Log:
        """The events so far."""
        return self.events.snapshot()

    @property
    def n_answers(self) -> int:
        """Number of answers in force; the pairs of a confirmed group are not counted."""
        return self.events.n_answers

    def n_answers_of(self, annotator: str) -> int:
        """Number of answers of one person in force."""
        return self.events.n_answers_of(annotator)

    def n_disputed(self) -> int:
        """Number of questions on which people disagree and nobody has decided."""
        with self._lock:
            return len(self.events.votes.disputed())

    def done(self, key: str) -> int | None:
        """The number of the event that was stored under a key: what is sent twice is done once."""
        stored = self.events.stored(key)
        return None if stored is None else stored.seq

    def gold(self) -> list[GoldPair]:
        """Pairs whose truth is known, found anew when something was decided since."""
        version = self.events.rulings_version
        if self._gold[0] != version:
            pairs = gold_pairs(self.log().confirmed(), self.events.rulings(), self.ledger.constraints)
            self._gold = (version, pairs)
        return self._gold[1]

    def change_settings(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Keep new settings; the engine takes those that are for it."""
        with self._lock:
            before, self.settings = self.settings, DEFAULTS | self.project.update_settings(changes)
            self._apply_settings()
            if before["recheck"] != self.settings["recheck"]:
                self._rebuild_queue()
        if before["kind"] != self.settings["kind"]:
            self.queue.clear()
        if any(name in changes for name in ENGINE_SETTINGS):
            self.engine.order(Orders(options=self._engine_options()))
        return self.settings

    def indexing(self, state: Mapping[str, Any]) -> None:
        """Let people and the engine know how far the reading of pictures is."""
        self.index_state = dict(state)
        self.stream.publish("indexing", dict(state))
        done = state["state"] == "done"
        gone = set(self.project.ids("gone")) if done else self._gone
        if gone != self._gone or self.project.n_items != self.ledger.constraints.n:
            with self._lock:
                self._gone = gone
                self._rebuild_queue()
        self.engine.order(Orders(indexing=not done))

    def _apply_settings(self) -> None:
        self.queue.overlap = int(self.settings["overlap"])
        self.queue.lease_seconds = 60.0 * float(self.settings["lease_minutes"])

    def _engine_options(self) -> dict[str, Any]:
        return {name: self.settings[name] for name in ENGINE_SETTINGS}

    def _follow(self, new: Sequence[Event]) -> None:
        """Take new events into the queue and the wall; wake the engine."""
        with self._lock:
            added = [self.events.take(event) for event in new]
            if len(new) == len(self.events) or None in added:
                self._rebuild_queue()
            else:
                for event, answers in zip(new, added, strict=True):
                    for seq, answer in answers or ():
                        self.ledger.add(answer, seq)
                    for answer, need in answers_asked_for(event):
                        self.queue.record(answer, need)
            if self.events.changes_wall(len(self.events) - len(new)):
                self._rebuild_wall()
        self.engine.order(Orders(people=self.queue.people))

    def _rebuild_queue(self) -> None:
        self.events.rebuild()
        evidence = Evidence.of(self.events.votes)
        self.ledger.become(self.project.n_items, evidence, outvote=bool(self.settings["recheck"]))
        self.queue.reset(self.events.answered(), {*self.events.left_out(), *self._gone})

    def _rebuild_wall(self) -> None:
        """Lay the names and confirmations of now over the engine's clusters.

        It is built without holding anybody up, and built again where somebody changed something meanwhile.
        """
        while True:
            with self._lock:
                seen, before, clustering = len(self.events), self._wall, self._clustering
                log = self.events.snapshot()
            wall = wall_of_log(clustering, log, before)
            changed = changes(before, wall)
            with self._lock:
                if self._wall is before and not self.events.changes_wall(seen):
                    self._wall = wall
                    break
        news = {
            "version": clustering.version,
            "total": len(wall.clusters),
            "moved": sum(None not in (was, now) for _, was, now in changed),
            "joined": sum(was is None for _, was, _ in changed),
        }
        self.stream.publish("clusters", news)

    def _take_report(self, report: Report) -> None:
        if report.problem:
            self.problem = report.problem
            self.stream.publish("problem", {"text": report.problem})
        if report.batch is not None and report.batch.form == self.settings["kind"]:
            self.queue.offer(report.batch)
            self.stream.publish("question", {"finished": report.batch.finished})
        if report.clustering is not None:
            with self._lock:
                self._clustering = report.clustering
            self._rebuild_wall()

    def _describe(self, contradictions: Iterable[Contradiction]) -> list[dict[str, Any]]:
        found = list(contradictions)
        numbers = {number for _, seq, chain in found for number in (seq, *chain) if number}
        events = {number: self.events.event(number) for number in numbers}
        sources = {number: (event.annotator, event.kind) for number, event in events.items()}
        return [describe_conflict(conflict, seq, chain, sources) for conflict, seq, chain in found]
