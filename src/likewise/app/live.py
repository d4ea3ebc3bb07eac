"""A project while it is served: answers in, questions and clusters out.

Whoever collects answers comes through two verbs: :meth:`LiveProject.next_for` and :meth:`LiveProject.answer`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from likewise.app.edits import BreaksError, Edit
from likewise.app.evidence import Evidence, SourcedLedger
from likewise.app.gold import STREAM as GOLD_STREAM
from likewise.app.gold import draw_gold, is_due
from likewise.app.live_state import LiveState
from likewise.app.location import Location
from likewise.app.people import Person
from likewise.app.project_log import step_of
from likewise.app.queue import NotYoursError
from likewise.app.screens import Finished, NextScreen, Waiting, show_blind, show_question
from likewise.app.wall import Wall
from likewise.query.question import Answer, Question
from likewise.store import Entry, Event, Log
from likewise.store.payloads import read_payload
from likewise.store.votes import CHECK, GOLD, OVERLAP

OWN_MARKS = (GOLD, OVERLAP, CHECK)  # what only the app says of an answer
FIRST_CHECK = 10  # answers before there is anything worth checking


@dataclass(frozen=True)
class Answered:
    """An answer that was stored, with the contradiction it makes and what comes next."""

    seq: int
    conflict: dict[str, Any] | None
    next: NextScreen


class LiveProject(LiveState):
    """A project that is being served, and everything that people do with it.

    Parameters
    ----------
    location : Location
        Where the project is.
    """

    def __init__(self, location: Location) -> None:
        super().__init__(location)
        self._writing = threading.RLock()  # what is checked before it is stored is checked and stored at once

    def next_for(self, person: Person) -> NextScreen:
        """The next question for this person, a wait, or the end."""
        if not self.queue.holds_one(person.name):
            self._mix_in(person)
        question = self.queue.next(person.name)
        if question is not None and person.is_annotator:
            return show_blind(self.project, question, self.events.n_answers_of(person.name) + 1)
        if question is not None:
            ahead = self.queue.ahead(person.name)
            return show_question(self.project, self.wall, question, self.events.n_answers + 1, ahead)
        if self.queue.finished and self.index_state["state"] == "done":
            return Finished()
        return Waiting(self.ready, self.index_state["total"])

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
    ) -> Answered:
        """Store an answer, then give what comes next; sent again with the same key, it is stored once.

        Who was invited answers the question they hold and no other.

        Parameters
        ----------
        person : Person
            Who answers.
        items : sequence of int
            The pictures of the question.
        value : str
            One of the answers to a question of its form.
        key : str
            The sender's key for it.
        kind : "pair" or "triplet"
            The form of the question.
        seconds : float, optional
            How long it took.
        shown : mapping, optional
            What else was on the screen.
        """
        with self._writing:
            before = self.events.stored(key)
            if before is None or before.kind != "answer" or before.annotator != person.name:
                extra = {name: said for name, said in (shown or {}).items() if name not in OWN_MARKS}
                marks = {**extra, **self._marks(person, items)}
            else:  # sent again: what was added then is not known to the sender
                marks = before.payload.data()["shown"]
            payload = {"kind": kind, "items": list(items), "value": value, "shown": marks}
            event = self.append("answer", payload, annotator=person.name, key=key, seconds=seconds)
        made = [] if person.is_annotator else self.conflicts(event.seq)
        return Answered(event.seq, made[0] if made else None, self.next_for(person))

    def _mix_in(self, person: Person) -> None:
        """Let a gold question or a check question be next, where it is time for one."""
        settings, name = self.settings, person.name
        if settings["kind"] != "pair":
            return
        seed, n_own = int(settings["seed"]), self.events.n_answers_of(name)
        if person.is_annotator:
            rng = is_due(settings["gold_rate"], GOLD_STREAM, seed, n_own, annotator=name)
            test = (
                None if rng is None else draw_gold(self.gold(), rng, lambda q: self.queue.may_test(name, q))
            )
            if test is not None and self.queue.prefer(name, *test):
                return
        n = self.events.n_answers
        if n >= FIRST_CHECK and is_due(settings["check_rate"], seed, n, annotator=name) is not None:
            self.queue.prefer_check(name)

    def _marks(self, person: Person, items: Sequence[int]) -> dict[str, Any]:
        """What is kept beside an answer: that it was a test, how many people were to answer, a check."""
        find = self.queue.claim if person.is_annotator else self.queue.held
        lease = find(person.name, items)
        if lease is None:
            return {}
        if lease.gold:
            return {GOLD: lease.gold}
        marks: dict[str, Any] = {OVERLAP: lease.need} if lease.need > 1 else {}
        return marks | ({CHECK: lease.question.check} if lease.question.check else {})

    def append(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        annotator: str,
        key: str,
        seconds: float | None = None,
    ) -> Event:
        """Store an event."""
        return self.append_all([Entry(kind, payload, annotator, key, seconds)])

    def append_all(self, entries: Sequence[Entry]) -> Event:
        """Store several events at once, all or none; gives the first."""
        events, new = self.events.append(entries)
        self._follow(new)
        return events[0]

    def edit(
        self,
        person: Person,
        make: Callable[[Wall], Edit],
        *,
        key: str,
        withdraw: Iterable[int] = (),
        preview: bool = False,
    ) -> dict[str, Any]:
        """Change clusters by hand, in one step that is undone as one; sent again with the same key, it is done once.

        An edit that contradicts earlier answers is refused with a :class:`BreaksError`, unless these are taken back
        with it.

        Parameters
        ----------
        person : Person
            Who does it.
        make : callable
            Makes the edit from the wall: one of :mod:`likewise.app.edits`.
        key : str
            The sender's key for it.
        withdraw : iterable of int
            Events to take back with it.
        preview : bool
            Only say what it would contradict.
        """
        with self._writing:
            if (stored := self.events.stored(key)) is not None:
                return {"seq": stored.seq}
            edit, gone = make(self.wall), sorted(set(withdraw))
            breaks = self._would_break(edit, gone)
            if preview:
                return {"breaks": breaks, "moves": edit.moves}
            if breaks:
                raise BreaksError(breaks)
            entries = [
                Entry(kind, payload, person.name, f"{key}/{kind}" if k else key)
                for k, (kind, payload) in enumerate(edit.events())
            ]
            if gone:
                entries.append(Entry("withdraw", {"events": gone}, person.name, f"{key}/withdraw"))
                entries = [entries[-1], *entries[:-1]]
            self.append_all(entries)
            stored = self.events.stored(key)
            assert stored is not None
            return {"seq": stored.seq, "moves": edit.moves}

    def withdraw(self, seqs: Iterable[int], *, annotator: str, key: str) -> Event:
        """Take chosen events back."""
        return self.append("withdraw", {"events": sorted(set(seqs))}, annotator=annotator, key=key)

    def mark_picture(self, person: Person, kind: str, image: int, *, key: str) -> Event:
        """Leave a picture out (``bad``) or take it in again (``restore``).

        Who was invited may do so with the pictures of the question they hold.
        """
        with self._writing:
            if person.is_annotator and self.events.stored(key) is None:
                held = self.queue.next(person.name)
                if held is None or image not in held.items:
                    raise NotYoursError("this picture is not of the question in your hands")
            return self.append(kind, {"items": [image]}, annotator=person.name, key=key)

    def undo(self, person: Person, key: str) -> tuple[Event, Event]:
        """Take back the last thing somebody did, and what was stored with it; the withdrawal and the thing."""
        event, new = self.events.undo(person.name, key)
        self._follow(new)
        undone = self.events.named_by(event)
        step, number = step_of(undone), 0
        while (before := self.events.last(Log.to_undo, person.name)) is not None and step_of(before) == step:
            number += 1
            event, new = self.events.undo(person.name, f"{key}/{number}")
            self._follow(new)
            undone = before if before.key == step else undone
        answers = undone.answers()
        if undone.kind == "answer" and answers:
            marks = undone.payload.data()["shown"]
            again = Question(answers[0].kind, answers[0].items, reason="you took this one back")
            self.queue.hold(person.name, again, marks.get(GOLD, ""))
        return event, undone

    def redo(self, person: Person, key: str) -> Event:
        """Take somebody's last undo back, all of it; a question that others have answered since stays theirs."""
        with self._writing:
            self._require_room(person, key)
            event, new = self.events.redo(person.name, key)
            self._follow(new)
            step, number = step_of(self.events.named_by(event)), 0
            while (again := self._to_redo(person)) is not None and step_of(again) == step:
                number += 1
                event, new = self.events.redo(person.name, f"{key}/{number}")
                self._follow(new)
            return event

    def _to_redo(self, person: Person) -> Event | None:
        withdrawal = self.events.last(Log.to_redo, person.name)
        return None if withdrawal is None else self.events.named_by(withdrawal)

    def _require_room(self, person: Person, key: str) -> None:
        again = self._to_redo(person) if person.is_annotator else None
        if again is None or again.kind != "answer" or self.events.stored(key) is not None:
            return
        is_test = GOLD in again.payload.data()["shown"]
        if not is_test and not self.queue.has_room(person.name, again.payload.images()):
            raise NotYoursError("others have answered this question since")

    def _would_break(self, edit: Edit, gone: Sequence[int]) -> list[dict[str, Any]]:
        """The contradictions an edit would make, were the events in `gone` taken back."""
        forms = [form for kind, payload in edit.events() for form in read_payload(kind, payload).told()]
        before = [each for each in edit.then if each[0] == "unconfirm"]
        before += [("withdraw", {"events": list(gone)})] if gone else []
        ledger = self.ledger
        if before:  # what else says the same shows only when these are gone
            log, ledger = self.events.supposing(before), SourcedLedger()
            n, outvote = self.ledger.constraints.n, bool(self.settings["recheck"])
            ledger.become(n, Evidence.of(log.votes()), outvote=outvote)
        return self._describe(ledger.contradicted_by(Answer(*form) for form in forms))
