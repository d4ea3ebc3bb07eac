"""What is to be written, checked before a transaction is begun, and the writing of it."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Select, insert, select

from likewise.store import schema
from likewise.store.errors import KeyReusedError
from likewise.store.log import Event
from likewise.store.lookups import find_numbers, next_number
from likewise.store.payloads import Payload, check_text, read_payload

__all__ = [
    "Entry",
    "check_annotator",
    "check_key",
    "find_keys",
    "insert_events",
    "last_seq",
    "read_event",
    "select_events",
]

ANNOTATOR_LENGTH = 200


@dataclass(frozen=True)
class Entry:
    """An event that has no number yet.

    Attributes
    ----------
    kind : str
        The kind of event.
    payload : mapping or Payload
        Its content.
    annotator : str
        Who.
    key : str or None
        The sender's key: sent again, the first event is given back and nothing is written. None makes one.
    seconds : float or None
        How long the person took.
    at : datetime or None
        When; None is now. For events that come from elsewhere.
    """

    kind: str
    payload: Payload | Mapping[str, Any]
    annotator: str = ""
    key: str | None = None
    seconds: float | None = None
    at: datetime | None = None

    def checked(self) -> Entry:
        """Check all of it and fill in the key."""
        payload = read_payload(self.kind, self.payload)
        seconds = self.seconds
        if seconds is not None:
            seconds = float(seconds)
            if not math.isfinite(seconds) or seconds < 0:
                raise ValueError(f"seconds is how long the person took, got {seconds}")
        if self.at is not None and self.at.tzinfo is None:
            raise ValueError("a time needs its time zone")
        return Entry(self.kind, payload, check_annotator(self.annotator), check_key(self.key), seconds, self.at)

    def numbered(self, seq: int, now: datetime) -> Event:
        """The event it becomes."""
        assert isinstance(self.payload, Payload)
        assert self.key is not None
        at = now if self.at is None else self.at.astimezone(UTC)
        return Event(seq, self.kind, self.annotator, at, self.seconds, self.payload, self.key)

    def require_same(self, event: Event) -> Event:
        """Give back the event that already has the key, or refuse when its content is another."""
        theirs = (event.kind, event.annotator, event.seconds, event.payload)
        ours = (self.kind, self.annotator, self.seconds, self.payload)
        if ours != theirs or (self.at is not None and self.at != event.at):
            raise KeyReusedError(f"the key {self.key!r} is that of event {event.seq}, which says something else")
        return event


def check_annotator(name: str) -> str:
    """Check an annotator's name; the empty one is the only person at a laptop."""
    return check_text(name, "the annotator's name", ANNOTATOR_LENGTH)


def check_key(key: str | None) -> str:
    """Check a sender's key, or make one."""
    if key is None:
        return uuid.uuid4().hex
    if key == "":
        raise ValueError("the key is empty")
    return check_text(key, "the key", schema.KEY_LENGTH)


def select_events(project_id: int) -> Select[Any]:
    """The question for events, to be narrowed further."""
    table = schema.event.c
    columns = (table.seq, table.kind, schema.annotator.c.name, table.at, table.seconds, table.payload, table.key)
    joined = schema.event.join(schema.annotator, table.annotator_id == schema.annotator.c.id)
    return select(*columns).select_from(joined).where(table.project_id == project_id)


def read_event(row: Sequence[Any]) -> Event:
    """Make an event of a row of :func:`select_events`."""
    seq, kind, annotator, at, seconds, payload, key = row
    return Event(seq, kind, annotator, at, seconds, read_payload(kind, payload), key)


def last_seq(connection: Connection, project_id: int) -> int:
    """The number of the last event, 0 before the first."""
    return next_number(connection, schema.event, "seq", project_id, 1) - 1


def find_keys(connection: Connection, project_id: int, keys: list[str]) -> dict[str, Event]:
    """The events that already have one of the keys."""
    seqs = find_numbers(connection, schema.event, "seq", "key", project_id, keys)
    if not seqs:
        return {}
    found = {}
    between = schema.event.c.seq.between(min(seqs.values()), max(seqs.values()))
    for row in connection.execute(select_events(project_id).where(between)):
        if (event := read_event(row)).key in seqs:
            found[event.key] = event
    return found


def insert_events(connection: Connection, project_id: int, events: list[Event], annotators: Mapping[str, int]) -> None:
    """Write events that have their numbers."""
    rows = [
        {
            "project_id": project_id,
            "seq": event.seq,
            "kind": event.kind,
            "annotator_id": annotators[event.annotator],
            "at": event.at,
            "seconds": event.seconds,
            "payload": event.payload.data(),
            "key": event.key,
        }
        for event in events
    ]
    if rows:
        connection.execute(insert(schema.event), rows)
