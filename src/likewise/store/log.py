"""The events of a project, and what follows from them. No input or output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from likewise.store.errors import NothingToUndoError, StoreError
from likewise.store.payloads import Confirmed, Merged, Named, Payload, Said, Withdrawn

if TYPE_CHECKING:
    from likewise.query.question import Answer
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
        ``confirm``, ``unconfirm``, ``tag``, ``adjudicate``, ``gold`` or ``withdraw``, or one outside the session.
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

        answers = self.payload.judgements()
        seconds = None if self.seconds is None else self.seconds / max(len(answers), 1)
        shown = self.payload.shown.get("check") if isinstance(self.payload, Said) else None
        check = min(1.0, max(0.0, float(shown))) if isinstance(shown, int | float) else 0.0
        return [Answer(form, items, value, self.annotator, seconds, check) for form, items, value in answers]

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
    """A cluster's name: the anchors are the items of which it is the last name given."""

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

        Several people's answers to one question are read as one (:class:`~likewise.store.votes.Votes`). A
        confirmation means that its items are the same: those of them that are still in the group.
        """
        return iter(self.votes().answers())

    def votes(self) -> Votes:
        """The answers in force, question by question."""
        from likewise.store.votes import Votes

        return Votes(self._speaking())

    def _speaking(self) -> Iterator[Event]:
        """The events in force, confirmations without the items that are no longer in their group."""
        left = {event.seq: items for event, items in self._groups()}
        for event in self.standing():
            if isinstance(event.payload, Confirmed):
                if event.seq not in left:
                    continue
                event = replace(event, payload=replace(event.payload, items=left[event.seq]))
            yield event

    def answers(self) -> list[Answer]:
        """The answers in force as a session takes them, in order."""
        return [answer for _, answer in self.said()]

    def bad(self) -> list[int]:
        """The items called bad and not restored since, sorted."""
        return sorted(item for item, event in self._last_events("bad", "restore") if event.kind == "bad")

    def confirmed(self) -> list[tuple[int, ...]]:
        """The groups that are confirmed; an item is in the one it was last confirmed in."""
        return [items for _, items in self._groups()]

    def merged(self) -> list[tuple[int, ...]]:
        """For every merge the items that it made the same: the first of each group."""
        merges = (event.payload for event in self.standing() if isinstance(event.payload, Merged))
        return [tuple(group[0] for group in merge.groups) for merge in merges]

    def names(self) -> list[Name]:
        """The names that hold, in the order in which they were given."""
        found = []
        for event, items in _gathered(self._last_events("name")):
            if isinstance(event.payload, Named) and event.payload.name:
                found.append(Name(event.payload.name, items, event.seq))
        return found

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

    def _groups(self) -> list[tuple[Event, tuple[int, ...]]]:
        last = self._last_events("confirm", "unconfirm")
        return [(event, items) for event, items in _gathered(last) if event.kind == "confirm"]

    def _last_events(self, *kinds: str) -> Iterator[tuple[int, Event]]:
        last = {item: event for event in self.standing() if event.kind in kinds for item in event.payload.images()}
        return iter(last.items())


def _gathered(last: Iterable[tuple[int, Event]]) -> list[tuple[Event, tuple[int, ...]]]:
    """Items by the last event about them, in the order of events and of its items."""
    items: dict[int, set[int]] = {}
    events: dict[int, Event] = {}
    for item, event in last:
        items.setdefault(event.seq, set()).add(item)
        events[event.seq] = event
    return [(events[seq], tuple(i for i in events[seq].payload.images() if i in items[seq])) for seq in sorted(items)]


def _how(event: Event) -> str:
    return event.payload.how if isinstance(event.payload, Withdrawn) else ""


def _called(annotator: str) -> str:
    return f"annotator {annotator!r}" if annotator else "the annotator"
