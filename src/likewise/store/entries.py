"""What is to be written, checked before a transaction is begun."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from likewise.store import schema
from likewise.store.errors import KeyReusedError
from likewise.store.event_rows import read_rows, select_events
from likewise.store.fields import check_size
from likewise.store.log import Event
from likewise.store.lookups import find_numbers, next_number
from likewise.store.payloads import Payload, check_text, read_payload

__all__ = ["Entry", "check_annotator", "check_key", "check_moment", "find_keys"]

ANNOTATOR_LENGTH = 200
FREE = ("shown", "choices")  # fields that hold any object
MOST_SECONDS = 1e9
FIRST_YEAR, LAST_YEAR = 1000, 9000


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
        for name in FREE:
            if value := getattr(payload, name, None):
                check_size(value, f"{self.kind}: {name}")
        seconds = self.seconds
        if seconds is not None:
            seconds = float(seconds) + 0.0  # not -0.0, which one of the databases does not keep
            if not 0 <= seconds <= MOST_SECONDS:
                raise ValueError(f"seconds is how long the person took, got {seconds}")
        if self.at is not None:
            check_moment(self.at)
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


def check_moment(at: datetime) -> datetime:
    """Check a time that comes from elsewhere: both databases keep it, and give it back in any time zone."""
    if at.tzinfo is None:
        raise ValueError("a time needs its time zone")
    if not FIRST_YEAR <= at.year <= LAST_YEAR:
        raise ValueError(f"a time lies between {FIRST_YEAR} and {LAST_YEAR}, got {at.isoformat()}")
    return at


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


def find_keys(connection: Connection, project_id: int, keys: list[str]) -> dict[str, Event]:
    """The events that already have one of the keys."""
    seqs = find_numbers(connection, schema.event, "seq", "key", project_id, keys)
    if not seqs:
        return {}
    first, last = min(seqs.values()), max(seqs.values())
    rows = connection.execute(
        select_events(project_id).where(schema.event.c.seq.between(first, last)).order_by(schema.event.c.seq)
    )
    n_items = next_number(connection, schema.item, "id", project_id, 0)
    events = read_rows(rows.all(), project_id, first - 1, n_items)
    return {event.key: event for event in events if event.key in seqs}
