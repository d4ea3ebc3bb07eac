"""Rows of events: written with their checksums, and read one by one: what cannot be read is set aside.

No stored event keeps a project from opening. A row that is damaged, missing, or of which no sense can be made becomes
an event that says nothing, in its place and under its number; what is in the row stays there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, Connection, Float, Integer, Select, insert, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from likewise.store import schema
from likewise.store.checksums import SIZE, START, chained, is_whole, moment_bytes, own_checksum
from likewise.store.database import JsonText, to_json
from likewise.store.errors import StoreError
from likewise.store.fields import Payload
from likewise.store.log import Event
from likewise.store.payloads import Withdrawn, read_payload

__all__ = ["SET_ASIDE", "SetAside", "StoredRow", "insert_events", "last_row", "read_rows", "select_events"]

SET_ASIDE = "unreadable"  # the kind of events that were set aside; nobody can append one
MOST_BYTES = 12 * 2**20  # of one payload: a line of an archive holds it
MOST_TEXT = 2**20  # characters of an unreadable payload that are shown and archived
MOST_MISSING = 100_000
REASON_LENGTH = 300
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class SetAside(Payload):
    """An event that cannot be read: it says nothing, and can be withdrawn like any other.

    - `reason`: Why, in plain words.
    - `was`: The kind in its row.
    - `text`: The payload in its row, as far as it is text.
    """

    outside_session: ClassVar[bool] = True

    reason: str
    was: str = ""
    text: str = ""


class Raw(FunctionElement[Any]):
    """A column as it is on disk: SQLite's driver fails on a whole answer where one text in it is damaged."""

    inherit_cache = True


@compiles(Raw, "sqlite")
def _raw_sqlite(element: Raw, compiler: SQLCompiler, **options: Any) -> str:
    (column,) = element.clauses
    text = compiler.process(element.clauses, **options)
    if isinstance(column.type, Float | Integer):  # as a text it would lose digits; as a text it is damaged
        return f"CASE typeof({text}) WHEN 'text' THEN NULL ELSE {text} END"
    return f"CAST({text} AS BLOB)"


@compiles(Raw)
def _raw_postgresql(element: Raw, compiler: SQLCompiler, **options: Any) -> str:
    (column,) = element.clauses
    text = compiler.process(element.clauses, **options)
    return f"CAST({text} AS TEXT)" if isinstance(column.type, JSON) else text


def select_events(project_id: int) -> Select[Any]:
    """The question for the rows of events, to be narrowed further."""
    table, people = schema.event.c, schema.annotator.c
    texts = [Raw(column) for column in (table.kind, people.name, table.at, table.payload, table.key)]
    columns = (table.seq, *texts, Raw(table.annotator_id), Raw(table.seconds), Raw(table.checksum))
    joined = schema.event.outerjoin(schema.annotator, table.annotator_id == people.id)
    return select(*columns).select_from(joined).where(table.project_id == project_id)


@dataclass(slots=True)
class StoredRow:
    """A row of :func:`select_events`: as it is in the database, whatever that is."""

    seq: int
    kind: Any
    annotator: Any
    at: Any
    payload: Any
    key: Any
    annotator_id: Any
    seconds: Any
    checksum: Any

    def chain(self) -> bytes | None:
        """The chained half of the checksum."""
        return chain_of(self.checksum)

    def own(self, project_id: int) -> bytes:
        """The checksum of what is in it; an error where that is not what a row holds."""
        at = moment_bytes(self.at) if isinstance(self.at, datetime) else self.at
        texts = (_bytes(at), _bytes(self.kind), _bytes(self.key), _bytes(self.payload))
        return own_checksum(project_id, self.seq, self.annotator_id, self.seconds, *texts)

    def read(self, project_id: int, before: bytes | None, n_items: int) -> Event:
        """The event; an error says why it cannot be read."""
        if not is_whole(self.checksum, self.own(project_id), before):
            raise ValueError("it is damaged: its checksum does not fit")
        kind, key, name = _text(self.kind), _text(self.key), _text(self.annotator)
        payload = read_stored(kind, json.loads(_text(self.payload)))
        if isinstance(payload, Withdrawn) and max(payload.events) >= self.seq:
            raise ValueError("it withdraws an event that comes after it")
        if max(payload.images(), default=-1) >= n_items:
            raise ValueError("it names an image that is not there")
        return Event(self.seq, kind, name, _moment(self.at), self.seconds, payload, key)

    def set_aside(self, reason: str) -> Event:
        """The event that takes its place."""
        kind, name, text, key = (_shown(each) for each in (self.kind, self.annotator, self.payload, self.key))
        try:
            at = _moment(self.at)
        except (ValueError, TypeError):
            at = UNKNOWN_TIME
        payload = SetAside(reason=reason[:REASON_LENGTH], was=kind[:100], text=text[:MOST_TEXT])
        return Event(self.seq, SET_ASIDE, name[:200], at, None, payload, key[:200] or f"{SET_ASIDE}/{self.seq}")


def read_stored(kind: str, data: Any) -> Payload:
    """What a stored event says: also one that was set aside before it was archived."""
    if kind != SET_ASIDE:
        return read_payload(kind, data)
    return SetAside(**{name: str(data.get(name, ""))[:MOST_TEXT] for name in ("reason", "was", "text")})


def read_rows(rows: Iterable[Sequence[Any]], project_id: int, after: int, n_items: int) -> Iterator[Event]:
    """The events of rows in order, without a gap from number `after` + 1 on: what cannot be read is set aside.

    - `rows`: Of :func:`select_events`, by number.
    - `project_id`: Whose rows they are.
    - `after`: The number of the event before the first of them.
    - `n_items`: How many items there are.
    """
    before = START if after == 0 else None
    for each in rows:
        row = StoredRow(*each)
        if not isinstance(row.seq, int) or row.seq > after + MOST_MISSING:
            raise StoreError(f"event {after + 1} is missing: after it comes {row.seq}; the database is damaged")
        for missing in range(after + 1, row.seq):
            before = None
            reason = SetAside(reason="it is missing")
            yield Event(missing, SET_ASIDE, "", UNKNOWN_TIME, None, reason, f"{SET_ASIDE}/{missing}")
        try:
            yield row.read(project_id, before, n_items)
        except MemoryError:
            raise
        except Exception as error:  # whatever it is, the other events are read
            yield row.set_aside(str(error) or type(error).__name__)
        after, before = row.seq, row.chain()


def last_row(connection: Connection, project_id: int) -> tuple[int, bytes]:
    """Number and chained checksum of the last event; 0 and the start of the chain before the first."""
    table = schema.event.c
    mine = select(table.seq, Raw(table.checksum)).where(table.project_id == project_id)
    row = connection.execute(mine.order_by(table.seq.desc()).limit(1)).first()
    return (0, START) if row is None else (int(row[0]), chain_of(row[1]) or START)


def insert_events(
    connection: Connection, project_id: int, events: list[Event], annotators: Mapping[str, int], before: bytes
) -> bytes:
    """Write events that have their numbers; the chained checksum of the last.

    - `connection`: Of the transaction.
    - `project_id`: The project.
    - `events`: What to write.
    - `annotators`: Numbers of the annotators by name.
    - `before`: The chained checksum of the event before the first of them.
    """
    rows = []
    for event in events:
        text, number = to_json(event.payload.data()), annotators[event.annotator]
        if len(text) > MOST_BYTES:
            raise ValueError(f"{event.kind}: this takes {len(text):,} bytes, at most {MOST_BYTES:,} are kept")
        texts = (moment_bytes(event.at), event.kind.encode(), event.key.encode(), text.encode())
        own = own_checksum(project_id, event.seq, number, event.seconds, *texts)
        before = chained(before, own)
        row = {"project_id": project_id, "seq": event.seq, "kind": event.kind, "annotator_id": number, "at": event.at}
        row |= {"seconds": event.seconds, "payload": JsonText(text), "key": event.key, "checksum": own + before}
        rows.append(row)
    if rows:
        connection.execute(insert(schema.event), rows)
    return before


def chain_of(checksum: Any) -> bytes | None:
    """The chained half of a stored checksum, where there is one."""
    return checksum[SIZE:] if isinstance(checksum, bytes) and len(checksum) == 2 * SIZE else None


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise ValueError("a text is missing")
    return value


def _shown(value: Any) -> str:
    """A text to look at, whatever is there."""
    text = value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value or "")
    return text.replace("\0", "\\0")


def _moment(value: Any) -> datetime:
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(_text(value))
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
