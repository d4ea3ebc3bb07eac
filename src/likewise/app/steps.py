"""What was done, step by step: who, when, what; any step can be taken back, and done again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from likewise.app.edits import Edit, NotThereError
from likewise.app.people import Person
from likewise.app.project_log import step_of
from likewise.store import Entry, Event, Log
from likewise.store.edit_events import Edited
from likewise.store.groups import TouchedGroups
from likewise.store.payloads import Named, Said, Tagged, Withdrawn
from likewise.store.statements import SCREENS
from likewise.store.votes import OVERLAP, subject_of

if TYPE_CHECKING:
    from likewise.app.live import LiveProject


@dataclass(frozen=True)
class Step:
    """Something that somebody did; its events are taken back and done again together.

    - `seq`: Number of its main event.
    - `events`, tuple of int: Numbers of all its events.
    - `in_force`: Whether it was not taken back.
    - `n`: How many pictures it is about.
    """

    seq: int
    events: tuple[int, ...]
    annotator: str
    at: datetime
    kind: str
    text: str
    n: int
    in_force: bool


def list_steps(log: Log, *, before: int | None = None, limit: int = 50) -> list[Step]:
    """The last steps, newest first, at most `limit` and one more; undo and redo are no steps of their own."""
    groups, found = log.groups(), []
    for events in _steps(log, len(log) if before is None else min(before - 1, len(log))):
        found.append(_describe(events, log, groups))
        if len(found) > limit:
            break
    return found


def take_back(live: LiveProject, person: Person, seq: int, *, key: str) -> Event:
    """Take a whole step back, whoever did it."""
    with live.writing:
        if (stored := live.events.stored(key, "withdraw")) is not None:
            return stored
        log = live.log()
        step = _step_with(log, seq)
        events = [event.seq for event in step if log.in_force(event.seq)]
        if not events:
            raise NotThereError("this step was taken back already")
        return live.withdraw(events, annotator=person.name, key=key)


def do_again(live: LiveProject, person: Person, seq: int, *, key: str) -> Event:
    """Do a step again that was taken back."""
    with live.writing:
        if (stored := live.events.stored(key, "withdraw")) is not None:
            return stored
        log = live.log()
        step = {event.seq for event in _step_with(log, seq)}
        against = []
        for number in range(1, len(log) + 1):
            payload = log.event(number).payload
            if isinstance(payload, Withdrawn) and log.in_force(number) and step & set(payload.events):
                if not step >= set(payload.events):
                    raise ValueError("this was taken back together with other steps: take that step back instead")
                against.append(number)
        if not against:
            raise NotThereError("this step is in force")
        return live.withdraw(against, annotator=person.name, key=key)


def resolve(
    live: LiveProject, person: Person, seqs: Iterable[int], *, key: str, pair: Sequence[int] | None = None
) -> Event:
    """Take back what was wrong in contradictions: answers as a whole, of an edit only what contradicts.

    Of one look at thirty pictures, one wrong tap is taken back, not the look: of a screen that was asked for, the
    `pair` that was wrong is decided the other way round, and the rest of it stays.
    """
    with live.writing:
        if (stored := live.events.stored(key, "withdraw", "edit", "adjudicate")) is not None:
            return stored
        chosen, entries, whole = sorted(set(seqs)), [], []
        if pair is not None and (turned := _turned(live, chosen, pair)) is not None:
            return live.append("adjudicate", turned, annotator=person.name, key=key)
        for seq in chosen:
            payload = live.events.event(seq).payload if live.log().has(seq) else None
            items = _contradicting(live, seq) if isinstance(payload, Edited) else set()
            said = [] if not isinstance(payload, Edited) else payload.memberships
            parts = [(group, [each for each in some if each in items]) for group, _, some in said]
            n_said = sum(len(some) for _, _, some in said)
            if items and len(items) < n_said:
                entries += [(group, some) for group, some in parts if some]
            else:
                whole.append(seq)
        return live.append_all(_entries(entries, whole, person, key))


def _turned(live: LiveProject, seqs: Sequence[int], pair: Sequence[int]) -> dict[str, Any] | None:
    """The opposite of what one screen says of a pair, as a decision; None where no screen says anything of it."""
    log = live.log()
    events = [log.event(seq) for seq in seqs if log.has(seq)]
    if len(events) != 1 or not isinstance(events[0].payload, Said) or events[0].payload.kind not in SCREENS:
        return None
    said = {subject_of((i, j)): relation for answer in events[0].answers() for i, j, relation in answer.statements()}
    relation = said.get(subject_of(pair))
    if relation is None:
        return None
    return {"kind": "pair", "items": list(pair), "value": "different" if relation == "same" else "same"}


def _contradicting(live: LiveProject, seq: int) -> set[int]:
    """The pictures of an event's statements that are part of a contradiction; those that it put out, if there are."""
    found: dict[str, set[int]] = {"same": set(), "different": set()}
    for conflict, aside, chain in live.ledger.contradictions():
        for statement, source in [(conflict.statement, aside), *zip(conflict.chain, chain, strict=True)]:
            if source == seq:
                found[statement[2]].add(statement[1])
    return found["different"] or found["same"]


def _entries(opened: list[tuple[int, list[int]]], whole: list[int], person: Person, key: str) -> list[Entry]:
    entries = [
        Entry("edit", Edit("open", group, some, [(group, "open", some)]).payload(), person.name)
        for group, some in opened
    ]
    if whole:
        entries.append(Entry("withdraw", {"events": whole}, person.name))
    return [replace(entry, key=f"{key}/{k}" if k else key) for k, entry in enumerate(entries)]


def _steps(log: Log, last: int) -> Iterator[list[Event]]:
    """Events by step, the newest first."""
    step: list[Event] = []
    for seq in range(last, 0, -1):
        event = log.event(seq)
        if _is_no_step(event):
            continue
        if step and (step_of(event), event.annotator) != (step_of(step[0]), step[0].annotator):
            yield step
            step = []
        step.append(event)
    if step:
        yield step


def _is_no_step(event: Event) -> bool:
    undoing = isinstance(event.payload, Withdrawn) and event.payload.how in ("undo", "redo")
    return undoing or event.payload.outside_session


def _step_with(log: Log, seq: int) -> list[Event]:
    if not log.has(seq) or _is_no_step(log.event(seq)):
        raise NotThereError(f"there is no step {seq}")
    first = last = seq
    wanted = (step_of(log.event(seq)), log.event(seq).annotator)
    while first > 1 and (step_of(log.event(first - 1)), log.event(first - 1).annotator) == wanted:
        first -= 1
    while last < len(log) and (step_of(log.event(last + 1)), log.event(last + 1).annotator) == wanted:
        last += 1
    return [log.event(number) for number in range(first, last + 1)]


def _describe(events: list[Event], log: Log, groups: TouchedGroups) -> Step:
    main = next((event for event in events if event.key == step_of(event)), events[0])
    numbers = tuple(sorted(event.seq for event in events))
    n = len(main.payload.items) if isinstance(main.payload, Edited) else len(main.payload.images())
    return Step(
        main.seq,
        numbers,
        main.annotator,
        main.at,
        main.action,
        _text(main, groups),
        n,
        any(log.in_force(number) for number in numbers),
    )


def _text(event: Event, groups: TouchedGroups) -> str:
    payload = event.payload
    if isinstance(payload, Edited):
        return _text_of_edit(payload, groups)
    if isinstance(payload, Said):
        if payload.kind in SCREENS:
            return _text_of_screen(payload)
        verb = {"answer": "Answered", "adjudicate": "Decided", "gold": "Gave as known"}[event.kind]
        return f"{verb} {payload.value!r} about {len(payload.items)} pictures"
    if isinstance(payload, Withdrawn):
        return f"Took back {_count(len(payload.events), 'earlier entry', 'earlier entries')}"
    if isinstance(payload, Tagged):
        return f"Tagged {_count(len(payload.items))} {payload.name!r}: {payload.value}"
    if isinstance(payload, Named):
        return f"Named {_count(len(payload.items))} {payload.name!r}"
    n = _count(len(payload.images()))
    is_report = OVERLAP in getattr(payload, "shown", {})
    words = {
        "bad": f"Reported {n} as no use" if is_report else f"Left out {n}",
        "restore": f"Took {n} in again",
        "confirm": f"Confirmed {n}",
        "unconfirm": f"Let {n} change again",
        "grid": f"Checked {n} on a grid",
        "unstack": f"Took {n} out of their stacks",
    }
    return words.get(event.kind, f"{event.kind.capitalize()} of {n}")


def _text_of_screen(screen: Said) -> str:
    n = len(screen.items) - 1
    if screen.value == "unsure":
        return f"Not sure of {'a grid' if screen.kind == 'grid' else 'a pick'} of {n}"
    if screen.kind == "pick":
        return f"Put a picture into one of {n} groups" if screen.chosen else f"Put a picture into none of {n} groups"
    return f"Looked at {_count(n)} on a grid: {len(screen.chosen)} do not belong"


def _text_of_edit(edit: Edited, groups: TouchedGroups) -> str:
    group, n = groups.get(edit.group), _count(len(edit.items))
    called = repr(group.name) if group is not None and group.name else f"group {edit.group}"
    if edit.what == "name":
        return f"Named group {edit.group} {edit.name!r}" if edit.name else f"Took the name of group {edit.group} away"
    return {
        "confirm": f"Confirmed {called} ({n})",
        "unconfirm": f"Let {called} change again",
        "split": f"Split {n} off {called}",
        "group": f"Made a group of {n}",
        "move": f"Moved {n} to {called}",
        "merge": f"Merged {len(edit.merged) + 1} clusters into {called}",
        "reject": f"Said that {n} do not belong to {called}",
        "open": f"Took back what was said of {n} in {called}",
        "check": f"Checked {n} of {called} on a grid",
    }[edit.what]


def _count(n: int, one: str = "picture", many: str = "pictures") -> str:
    return f"1 {one}" if n == 1 else f"{n:,} {many}"
