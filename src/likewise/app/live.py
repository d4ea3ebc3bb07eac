"""A project while it is served: answers in, questions and clusters out.

Whoever collects answers comes through two verbs: :meth:`LiveProject.next_for` and :meth:`LiveProject.answer`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from likewise.app.claim import Claim
from likewise.app.edits import cluster_on, describe_contradictions
from likewise.app.engine_process import EngineProcess, Orders, Report
from likewise.app.evidence import Contradiction, Evidence, SourcedLedger
from likewise.app.face_items import faces_apart, why_no_faces
from likewise.app.focus import Focus
from likewise.app.gold import STREAM as GOLD_STREAM, GoldPair, draw_gold, gold_pairs
from likewise.app.location import Location
from likewise.app.news import Stream
from likewise.app.people import Person
from likewise.app.project_log import ProjectLog, answers_asked_for
from likewise.app.queue import QuestionQueue, is_due
from likewise.app.screens import Finished, NextScreen, Waiting, show_blind, show_question
from likewise.app.settings import DEFAULTS, ENGINE_SETTINGS
from likewise.app.wall import Cluster, Clustering, Wall, changes, news_of, wall_of_log
from likewise.formats.words import worded
from likewise.images.faces import is_of_faces
from likewise.query.pending import pairs_of
from likewise.query.question import Answer, Form, Question
from likewise.store import Entry, Event, Log
from likewise.store.groups import TouchedGroups
from likewise.store.statements import SCREENS
from likewise.store.votes import CHECK, CONTROL, GOLD, OVERLAP

OWN_MARKS = (GOLD, OVERLAP, CHECK, CONTROL)  # what only the app says of an answer
SET_ASIDE = "{} stored events cannot be read and are set aside: 'likewise check' says which"
FIRST_CHECK = 10  # answers before there is anything worth checking
INDEXING: dict[str, Any] = {"state": "reading", "done": 0, "total": 0, "rate": 0.0}


@dataclass(frozen=True)
class Answered:
    """An answer that was stored, with the contradiction it makes and what comes next."""

    seq: int
    conflict: dict[str, Any] | None
    next: NextScreen


class LiveProject:
    """The state of a project that is being served, derived from its events and never ahead of them.

    An event is on disk before anything here changes; the queue and the engine follow.

    - `location`: Where the project is.
    """

    def __init__(self, location: Location) -> None:
        self.location = location
        self.store = location.open_store()
        self.project = location.project_of(self.store)
        self.claim = Claim(self.project.lock(), self.report_problem)
        self.stream = Stream()
        self.problem = ""
        self.too_large = ""  # why not all pictures are asked about
        self.index_state = INDEXING
        self.events = ProjectLog(self.project)
        self.ledger = SourcedLedger()
        self.queue = QuestionQueue(self.ledger, path=Path(location.folder) / f"leases-{self.project.uid}.jsonl")
        self._lock = self.events.lock
        self.writing = threading.RLock()  # what is checked before it is stored is checked and stored at once
        self._gold: tuple[int, list[GoldPair]] = (-1, [])
        self._gone: set[int] = set()  # pictures that are not in the folder any more
        self._wall = Wall(0, {}, {}, 0)
        self._clustering = Clustering.empty()
        self._adjusted: dict[str, Any] = {}  # settings for this time only
        self.settings = DEFAULTS | self.project.settings()
        self._apply_settings()
        self.of_faces = is_of_faces(location.model)
        self.focus = Focus(self)
        self.engine = EngineProcess(location, self._take_report, self._first_orders, self._lock)

    def start(self) -> None:
        """Read the events and start the engine."""
        self.follow(self.events.follow())
        if self.events.n_set_aside:
            self.report_problem(SET_ASIDE.format(self.events.n_set_aside))
        self.engine.start()
        self.claim.watch()

    def stop(self) -> None:
        """End the engine and let another process have the project."""
        self.engine.stop()
        self.queue.close()
        self.claim.release()
        self.store.close()

    def adjust(self, changes: Mapping[str, Any]) -> None:
        """Take settings for this time, before it is started."""
        self._adjusted |= changes
        self.settings = self.settings | self._adjusted
        self._apply_settings()

    def next_for(self, person: Person) -> NextScreen:
        """The next question for this person, a wait, or the end."""
        self.claim.require()
        if not self.queue.holds_one(person.name):
            self._mix_in(person)
        question = self.queue.next(person.name)
        if question is not None:
            question = replace(question, prompt=str(self.settings["prompt"]))
        if question is not None and person.is_annotator:
            return show_blind(self.project, question, self.events.n_answers_of(person.name) + 1)
        if question is not None:
            ahead = self.queue.ahead(person.name)
            number = self.events.n_answers + 1
            return show_question(self.project, self.wall, self.ledger.constraints, question, number, ahead)
        if self.queue.finished and self.index_state["state"] == "done":
            return Finished(worded(Finished.reason, self.of_faces))
        if person.is_annotator:  # whether there is something to ask about, but not how much
            return Waiting(min(self.ready, 1), 0)
        is_done = self.of_faces and self.index_state["state"] == "done" and not self.ready
        return Waiting(self.ready, self.index_state["total"], why_no_faces(self.project) if is_done else "")

    def answer(
        self,
        person: Person,
        items: Sequence[int],
        value: str,
        *,
        key: str,
        kind: str = "pair",
        seconds: float | None = None,
        shown: Mapping[str, Any] | None = None,
        chosen: Sequence[int] = (),
    ) -> Answered:
        """Store an answer, then give what comes next; sent again with the same key, it is stored once.

        Who was invited answers the question they hold and no other.

        - `person`: Who answers.
        - `items`, sequence of int: The pictures of the question.
        - `value`: One of the answers to a question of its form.
        - `key`: The sender's key for it.
        - `kind`: The form of the question.
        - `seconds`: How long it took.
        - `shown`: What else was on the screen.
        - `chosen`, sequence of int: Of a grid, the pictures that do not belong; of a pick, the example chosen.
        """
        with self.writing:
            before = self.events.stored(key)
            if before is None or before.kind != "answer" or before.annotator != person.name:
                extra = {name: said for name, said in (shown or {}).items() if name not in OWN_MARKS}
                marks = {**extra, **self._marks(person, Question(cast(Form, kind), tuple(items)))}
            else:  # sent again: what was added then is not known to the sender
                marks = before.payload.data()["shown"]
            payload = {"kind": kind, "items": list(items), "value": value, "shown": marks}
            payload |= {"chosen": list(chosen)} if kind in SCREENS or chosen else {}
            event = self.append("answer", payload, annotator=person.name, key=key, seconds=seconds)
        made = [] if person.is_annotator else self.conflicts(event.seq)
        return Answered(event.seq, made[0] if made else None, self.next_for(person))

    def append(
        self, kind: str, payload: Mapping[str, Any], *, annotator: str, key: str, seconds: float | None = None
    ) -> Event:
        """Store an event."""
        return self.append_all([Entry(kind, payload, annotator, key, seconds)])

    def append_all(self, entries: Sequence[Entry]) -> Event:
        """Store several events at once, all or none; gives the first."""
        self.claim.require()
        events, new = self.events.append(entries)
        self.follow(new)
        return events[0]

    def withdraw(self, seqs: Iterable[int], *, annotator: str, key: str) -> Event:
        """Take chosen events back."""
        return self.append("withdraw", {"events": sorted(set(seqs))}, annotator=annotator, key=key)

    def _mix_in(self, person: Person) -> None:
        """Let a gold question, one that others answered, or a check question be next, where it is time for one."""
        settings, name = self.settings, person.name
        if settings["kind"] == "triplet":
            return
        seed, n_own = int(settings["seed"]), self.events.n_answers_of(name)
        if person.is_annotator:
            rng = is_due(settings["gold_rate"], GOLD_STREAM, seed, n_own, annotator=name)
            test = None if rng is None else draw_gold(self.gold(), rng, lambda q: self.queue.may_test(name, q))
            if test is not None and self.queue.prefer(name, *test):
                return
        # with more than one answer wanted, questions are shared anyway
        if settings["overlap"] == 1 and self.queue.prefer_control(name, self.events.is_ruled):
            return
        n = self.events.n_answers
        if n >= FIRST_CHECK and is_due(settings["check_rate"], seed, n, annotator=name) is not None:
            self.queue.prefer_check(name)

    def _marks(self, person: Person, question: Question) -> dict[str, Any]:
        """What is kept beside an answer: that it was a test or asked again, how many people were to answer, a check."""
        find = self.queue.claim if person.is_annotator else self.queue.held
        lease = find(person.name, question)
        if lease is None:
            return {}
        if lease.gold:
            return {GOLD: lease.gold}
        marks: dict[str, Any] = {OVERLAP: lease.need} if lease.need > 1 else {}
        if lease.need == 1 and self.settings["recheck"]:  # what contradicts is weighed, and waits for nobody
            again = self.ledger.spoke_others(person.name, pairs_of(question.items))
            marks |= {CONTROL: True} if again else {}
        return marks | ({CHECK: lease.question.check} if lease.question.check else {})

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
        return self.describe(self.ledger.contradictions(seq))

    def log(self) -> Log:
        """The events so far."""
        return self.events.snapshot()

    @property
    def groups(self) -> TouchedGroups:
        """What people did by hand, as it is now."""
        return self.log().groups()

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
            self._adjusted = {name: value for name, value in self._adjusted.items() if name not in changes}
            stored = self.project.update_settings(changes)
            before, self.settings = self.settings, DEFAULTS | stored | self._adjusted
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
        gone = set(self.project.lost()) if done else self._gone
        is_changed = self.of_faces and done and self.ledger.apart != self.apart()
        if gone != self._gone or self.project.n_items != self.ledger.constraints.n or is_changed:
            with self._lock:
                self._gone = gone
                self._rebuild_queue()
        self.engine.order(Orders(indexing=not done))
        self.focus.follow()

    def _apply_settings(self) -> None:
        self.queue.overlap = int(self.settings["overlap"])
        self.queue.lease_seconds = 60.0 * float(self.settings["lease_minutes"])

    def _engine_options(self) -> dict[str, Any]:
        return {name: self.settings[name] for name in ENGINE_SETTINGS}

    def follow(self, new: Sequence[Event]) -> None:
        """Take new events into the queue and the wall, and send the engine what is new for it."""
        with self._lock:
            added = [self.events.take(event) for event in new]
            if len(new) == len(self.events) or None in added:
                self._rebuild_queue()
                self.engine.order(self._all_orders())
            else:
                self.engine.order(self._add(new, [answer for answers in added for answer in answers or ()]))
            if self.events.changes_wall(len(self.events) - len(new)):
                self._rebuild_wall()

    def _add(self, new: Sequence[Event], answers: list[tuple[int, Answer]]) -> Orders:
        """Take events that only add answers."""
        for seq, answer in answers:
            self.ledger.add(answer, seq)
        for event in new:
            for answer, need in answers_asked_for(event):
                self.queue.record(answer, need)
        waiting = self.events.votes.waiting()
        return Orders(added=answers, waiting=waiting, version=len(self.events), people=self.queue.people)

    def _all_orders(self, options: dict[str, Any] | None = None) -> Orders:
        """All that the engine has to know of the events."""
        orders = Orders.of_log(self.log(), options, indexing=self.index_state["state"] != "done")
        orders.people, orders.focus = self.queue.people, self.focus.order
        return orders

    def _first_orders(self) -> Orders:
        """All that a new engine has to know."""
        return self._all_orders(self._engine_options())

    def _rebuild_queue(self) -> None:
        self.events.rebuild()
        evidence = Evidence.of(self.events.votes)
        self.ledger.become(self.project.n_items, evidence, outvote=bool(self.settings["recheck"]), apart=self.apart())
        left_out = {*self.events.left_out(), *self._gone}
        self.queue.reset(self.events.answered(), left_out, self.events.reported())

    def apart(self) -> list[tuple[int, ...]]:
        """Groups of items no two of which are the same, by the data: the faces of one photograph."""
        return faces_apart(self.project, self.location.model) if self.of_faces else []

    def _rebuild_wall(self) -> None:
        """Lay the names and confirmations of now over the engine's clusters.

        It is built without holding anybody up, and built again where somebody changed something meanwhile.
        """
        while True:
            with self._lock:
                seen, before, clustering = len(self.events), self._wall, self._clustering
                log = self.events.snapshot()
            wall = wall_of_log(clustering, log, self.ledger.constraints, before)
            changed = changes(before, wall)
            with self._lock:
                if self._wall is before and not self.events.changes_wall(seen):
                    self._wall = wall
                    self.queue.stacks = wall.stacks
                    break
        self.stream.publish("clusters", news_of(clustering, wall, changed))

    def report_problem(self, text: str) -> None:
        """Let the manager know of something that a person has to look at."""
        self.problem = text
        self.stream.publish("problem", {"text": text})

    def _say_too_large(self, text: str) -> None:
        if text and text != self.too_large:
            self.report_problem(text)
        self.too_large = text

    def _take_report(self, report: Report) -> None:
        if report.problem:
            self.report_problem(report.problem)
        if report.too_large is not None:
            self._say_too_large(report.too_large)
        made_under = self.settings["kind"], self.focus.number
        if report.batch is not None and (report.batch.form, report.batch.focus) == made_under:
            self.queue.offer(report.batch)
            self.stream.publish("question", {"finished": report.batch.finished})
        if report.clustering is not None:
            with self._lock:
                self._clustering = report.clustering
            self._rebuild_wall()
            self.focus.follow()

    def describe(self, contradictions: Iterable[Contradiction]) -> list[dict[str, Any]]:
        """Contradictions in plain data."""
        return describe_contradictions(contradictions, self.events.event)
