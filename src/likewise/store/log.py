"""The events of a project, and what follows from them. No input or output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from likewise.store.edit_events import FIRST_OLD_GROUP, Edited
from likewise.store.errors import NothingToUndoError, StoreError
from likewise.store.groups import TouchedGroups
from likewise.store.payloads import Confirmed, Payload, Said, Withdrawn
from likewise.store.statements import SCREENS

if TYPE_CHECKING:
    from likewise.query.question import Answer, Membership
    from likewise.store.left_out import LeftOut
    from likewise.store.votes import Votes

__all__ = ["Event", "Log", "Name"]


@dataclass(frozen=True)
class Event:
    """One answer or change by a person, as it was written; events are never changed or deleted.

    Attributes
    ----------
    seq : int
        Its number in the project: 1, 2, … without gaps.
    kind : str
        What it is: ``answer``, ``grid``, ``bad``, ``restore``, ``name``, ``merge``, ``split``, ``move``,
        ``confirm``, ``unconfirm``, ``edit``, ``tag``, ``unstack``, ``adjudicate``, ``gold`` or ``withdraw``, or one
        outside the session.
    annotator : str
        Who.
    at : datetime
        When it was stored, in UTC.
    seconds : float or None
        How long the person took.
    payload : Payload
        Its content.
    key : str
        The sender's key for it, unique in the project.
    """

    seq: int
    kind: str
    annotator: str
    at: datetime
    seconds: float | None
    payload: Payload
    key: str

    def answers(self) -> list[Answer]:
        """Its answers, as a session takes them; the time is shared out among several."""
        from likewise.query.question import Answer

        if (memberships := self.memberships()) is not None:
            return [
                Answer("membership", items, value, self.annotator, group=group) for group, value, items in memberships
            ]
        if isinstance(payload := self.payload, Said):
            shown = payload.shown.get("check")
            check = min(1.0, max(0.0, float(shown))) if isinstance(shown, int | float) else 0.0
            said = (payload.kind, payload.items, payload.value, self.annotator, self.seconds, check)
            return [Answer(*said, chosen=payload.chosen)]
        answers = payload.judgements()
        seconds = None if self.seconds is None else self.seconds / max(len(answers), 1)
        return [Answer(form, items, value, self.annotator, seconds) for form, items, value in answers]

    @property
    def action(self) -> str:
        """What was done: its kind, what kind of edit it is, or the form of the screen that it answers."""
        if isinstance(self.payload, Said) and self.payload.kind in SCREENS:
            return self.payload.kind
        return self.payload.what if isinstance(self.payload, Edited) else self.kind

    def memberships(self) -> list[tuple[int | None, Membership, tuple[int, ...]]] | None:
        """What it says of items and groups; None for an event that is not about groups."""
        payload = self.payload
        if isinstance(payload, Edited):
            return list(payload.memberships)
        if isinstance(payload, Confirmed):
            return [(FIRST_OLD_GROUP + self.seq, "belongs", payload.items)]
        return [(None, "open", payload.images())] if self.kind == "unconfirm" else None

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain data that JSON can hold."""
        return {
            "seq": self.seq,
            "kind": self.kind,
            "annotator": self.annotator,
            "at": self.at.isoformat(),
            "seconds": self.seconds,
            "payload": self.payload.data(),
            "key": self.key,
        }


@dataclass(frozen=True)
class Name:
    """The name of a group, with its items."""

    name: str
    items: tuple[int, ...]
    seq: int


class Log:
    """Events in order, each in force or taken back.

    An event is in force unless a withdrawal that is itself in force names it.

    Parameters
    ----------
    events : iterable of Event
        The first events of a project, from number 1 on.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._events: list[Event] = []
        self._against: list[int] = []  # withdrawals in force, by the event they name
        for event in events:
            self.add(event)

    def __len__(self) -> int:
        return len(self._events)

    def copy(self) -> Log:
        """A log that goes its own way."""
        twin = Log()
        twin._events = self._events.copy()
        twin._against = self._against.copy()
        return twin

    def add(self, event: Event) -> None:
        """Take the next event; constant time but for withdrawals of withdrawals."""
        if event.seq != len(self._events) + 1:
            raise StoreError(f"event {len(self._events) + 1} is missing: after it comes {event.seq}")
        if isinstance(event.payload, Withdrawn) and max(event.payload.events) >= event.seq:
            raise StoreError(f"event {event.seq} withdraws one that comes after it")
        self._events.append(event)
        self._against.append(0)
        if isinstance(event.payload, Withdrawn):
            self._weigh(event.payload, 1)

    def _weigh(self, payload: Withdrawn, step: int) -> None:
        waiting = [(payload, step)]
        while waiting:
            payload, step = waiting.pop()
            for seq in payload.events:
                before = self._against[seq - 1]
                self._against[seq - 1] = after = before + step
                named = self._events[seq - 1].payload
                if isinstance(named, Withdrawn) and (before == 0 or after == 0):
                    waiting.append((named, -step))

    def has(self, seq: int) -> bool:
        """Whether there is such an event."""
        return 1 <= seq <= len(self._events)

    def event(self, seq: int) -> Event:
        """The event of a number."""
        if not self.has(seq):
            raise IndexError(f"there is no event {seq}")
        return self._events[seq - 1]

    def in_force(self, seq: int) -> bool:
        """Whether an event has not been taken back."""
        return self._against[seq - 1] == 0

    def standing(self) -> Iterator[Event]:
        """The events in force, in order."""
        return (event for event, against in zip(self._events, self._against, strict=True) if not against)

    def said(self) -> Iterator[tuple[Event, Answer]]:
        """The answers in force as a session takes them, in order, each with its event.

        Several people's answers to one question are read as one (:class:`~likewise.store.votes.Votes`).
        """
        return iter(self.votes().answers())

    def votes(self) -> Votes:
        """The answers in force, question by question."""
        from likewise.store.votes import Votes

        return Votes(self.standing())

    def groups(self) -> TouchedGroups:
        """The groups that people made or touched, as they are now."""
        groups = TouchedGroups()
        for event in self.standing():
            groups.take(event)
        edits = (event.payload for event in self._events if isinstance(event.payload, Edited))
        groups.first_free = max((number + 1 for edit in edits for number in edit.numbers()), default=0)
        return groups

    def answers(self) -> list[Answer]:
        """The answers in force as a session takes them, in order."""
        return [answer for _, answer in self.said()]

    def bad(self) -> list[int]:
        """The items that are left out, sorted."""
        return sorted(self.left_out().items)

    def left_out(self) -> LeftOut:
        """The items that are left out, and those that people reported."""
        from likewise.store.left_out import read_left_out

        return read_left_out(self.standing())

    def apart(self) -> list[int]:
        """The items that people took out of their stacks, sorted."""
        return sorted({item for event in self.standing() if event.kind == "unstack" for item in event.payload.images()})

    def confirmed(self) -> list[tuple[int, ...]]:
        """The items of the groups that are confirmed."""
        groups = self.groups()
        found = [groups.memberships.members(group.number) for group in groups.all() if group.confirmed]
        return [tuple(items) for items in found if items]

    def names(self) -> list[Name]:
        """The names that hold, in the order in which they were given, each with the items seen or put there."""
        groups = self.groups()
        found = [Name(each.name, tuple(groups.items(each.number)), each.named) for each in groups.all() if each.name]
        return sorted((name for name in found if name.items), key=lambda name: name.seq)

    def to_undo(self, annotator: str) -> Event:
        """The annotator's last event in force, their undo and redo left out."""
        for event, against in zip(reversed(self._events), reversed(self._against), strict=True):
            mine = event.annotator == annotator and not event.payload.outside_session
            if mine and not against and _how(event) not in ("undo", "redo"):
                return event
        raise NothingToUndoError(f"{_called(annotator)} has nothing to undo")

    def to_redo(self, annotator: str) -> Event:
        """The undo that the annotator made last, unless they did something else since."""
        for event, against in zip(reversed(self._events), reversed(self._against), strict=True):
            if event.annotator != annotator or event.payload.outside_session:
                continue
            if _how(event) == "undo" and not against:
                return event
            if _how(event) not in ("undo", "redo"):  # what was undone before it stays undone
                break
        raise NothingToUndoError(f"{_called(annotator)} has nothing to redo")


def _how(event: Event) -> str:
    return event.payload.how if isinstance(event.payload, Withdrawn) else ""


def _called(annotator: str) -> str:
    return f"annotator {annotator!r}" if annotator else "the annotator"
