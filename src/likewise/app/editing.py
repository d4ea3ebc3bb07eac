"""What people do besides answering: edits of clusters by hand, pictures left out, undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from likewise.app.edits import Board, BreaksError, Edit, with_both_faces
from likewise.app.evidence import Evidence, SourcedLedger
from likewise.app.people import Person
from likewise.app.project_log import step_of
from likewise.app.queue import NotYoursError
from likewise.app.team import require_few_reports
from likewise.query.question import Question
from likewise.store import Entry, Event, Log
from likewise.store.payloads import Said
from likewise.store.votes import CONTROL, GOLD, OVERLAP

if TYPE_CHECKING:
    from likewise.app.live import LiveProject


def edit(
    live: LiveProject,
    person: Person,
    make: Callable[[Board], Edit],
    *,
    key: str,
    withdraw: Iterable[int] = (),
    twice: bool = False,
    preview: bool = False,
    seconds: float | None = None,
) -> dict[str, Any]:
    """Do something to a group by hand; sent again with the same key, it is done once.

    An edit that contradicts earlier answers is refused with a :class:`BreaksError`, unless these are taken back
    with it.

    - `person`: Who does it.
    - `make`: Makes the edit: one of :mod:`likewise.app.edits`.
    - `key`: The sender's key for it.
    - `withdraw`, iterable of int: Events to take back with it.
    - `twice`: Whether one person may be twice in a photograph, as in a mirror: what brings two faces of one together
      then says that both belong to the group.
    - `preview`: Only say what it would contradict.
    - `seconds`: How long it took.
    """
    with live.writing:
        if (stored := live.events.stored(key, "edit")) is not None:
            return {"seq": stored.seq}
        gone = sorted(set(withdraw))
        edit = make(Board(live.wall, live.groups, live.ledger.constraints))
        breaks = _would_break(live, edit, gone, twice)
        if twice:
            edit = with_both_faces(edit, live.apart())
        if preview:
            return {"breaks": breaks, "moves": edit.moves}
        if breaks:
            raise BreaksError(breaks)
        entries = [Entry("edit", edit.payload(), person.name, key, seconds)]
        if gone:
            entries.insert(0, Entry("withdraw", {"events": gone}, person.name, f"{key}/withdraw"))
        live.append_all(entries)
        stored = live.events.stored(key)
        assert stored is not None
        return {"seq": stored.seq, "moves": edit.moves, "cluster": edit.group}


def mark_picture(live: LiveProject, person: Person, kind: str, image: int, *, key: str) -> Event:
    """Leave a picture out (``bad``) or take it in again (``restore``).

    Who was invited may do so with the pictures of the question they hold: a report, which counts when as many people
    as are asked a question say so, and of which only some may wait for the manager.
    """
    with live.writing:
        stored = live.events.stored(key)
        payload: dict[str, Any] = {"items": [image]}
        if person.is_annotator and stored is not None:  # sent again
            payload["shown"] = stored.payload.data().get("shown", {})
        elif person.is_annotator:
            held = live.queue.next(person.name)
            if held is None or image not in held.items:
                raise NotYoursError("this picture is not of the question in your hands")
            require_few_reports(live, person)
            payload["shown"] = {OVERLAP: live.queue.overlap}
        return live.append(kind, payload, annotator=person.name, key=key)


def take_apart(live: LiveProject, person: Person, images: Sequence[int], *, key: str) -> Event:
    """Take pictures out of their stacks, until somebody takes that back; nothing is said of what they are."""
    return live.append("unstack", {"items": list(images)}, annotator=person.name, key=key)


def undo(live: LiveProject, person: Person, key: str) -> tuple[Event, Event]:
    """Take back the last thing somebody did, and what was stored with it; the withdrawal and the thing."""
    event, new = live.events.undo(person.name, key)
    live.follow(new)
    undone = live.events.named_by(event)
    step, number = step_of(undone), 0
    while (before := live.events.last(Log.to_undo, person.name)) is not None and step_of(before) == step:
        number += 1
        event, new = live.events.undo(person.name, f"{key}/{number}")
        live.follow(new)
        undone = before if before.key == step else undone
    if isinstance(undone.payload, Said) and undone.kind == "answer":
        marks = undone.payload.shown
        again = replace(_question(undone.payload), reason="you took this one back")
        live.queue.hold(person.name, again, marks.get(GOLD, ""), control=bool(marks.get(CONTROL)))
    return event, undone


def redo(live: LiveProject, person: Person, key: str) -> Event:
    """Take somebody's last undo back, all of it; a question that others have answered since stays theirs."""
    with live.writing:
        _require_room(live, person, key)
        event, new = live.events.redo(person.name, key)
        live.follow(new)
        step, number = step_of(live.events.named_by(event)), 0
        while (undo := live.events.last(Log.to_redo, person.name)) is not None and step_of(undo) == step:
            number += 1
            event, new = live.events.redo(person.name, f"{key}/{number}")
            live.follow(new)
        return event


def _question(payload: Said) -> Question:
    return Question(payload.kind, payload.items)


def _to_redo(live: LiveProject, person: Person) -> Event | None:
    withdrawal = live.events.last(Log.to_redo, person.name)
    return None if withdrawal is None else live.events.named_by(withdrawal)


def _require_room(live: LiveProject, person: Person, key: str) -> None:
    again = _to_redo(live, person) if person.is_annotator else None
    if again is None or again.kind != "answer" or live.events.stored(key) is not None:
        return
    payload = again.payload
    if not isinstance(payload, Said) or GOLD in payload.shown or CONTROL in payload.shown:
        return
    if not live.queue.has_room(person.name, _question(payload)):
        raise NotYoursError("others have answered this question since")


def _would_break(live: LiveProject, edit: Edit, gone: Sequence[int], twice: bool) -> list[dict[str, Any]]:
    """The contradictions an edit would make, were the events in `gone` taken back."""
    ledger = live.ledger
    if gone or twice:  # what else says the same shows only when these are gone
        log, ledger = live.events.supposing([("withdraw", {"events": list(gone)})] if gone else []), SourcedLedger()
        n, outvote = live.ledger.constraints.n, bool(live.settings["recheck"])
        ledger.become(n, Evidence.of(log.votes()), outvote=outvote, apart=() if twice else live.apart())
    found = live.describe([*ledger.differing(edit.together), *ledger.contradicted_by(edit.answers())])
    told: dict[tuple[int, ...], dict[str, Any]] = {}
    for each in found:  # what is taken back for one contradiction is not asked about again
        told.setdefault(tuple(sorted({link["seq"] for link in each["chain"]})), each)
    return list(told.values())
