"""A project: its items, its annotators, and its events."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from sqlalchemy import Connection, insert, select, update

from likewise.images.catalog import WatchedCatalog
from likewise.store import schema
from likewise.store.checksums import name_checksum
from likewise.store.database import Database
from likewise.store.entries import Entry, check_annotator, check_key, find_keys
from likewise.store.errors import AbsentError, KeyReusedError, UnknownProjectError
from likewise.store.event_rows import SET_ASIDE, insert_events, last_row, read_rows, select_events
from likewise.store.fields import check_size
from likewise.store.invites import Invites
from likewise.store.items import blocks, count
from likewise.store.log import Event, Log, Name
from likewise.store.payloads import Payload, Withdrawn, plain_object
from likewise.store.process_lock import ProcessLock
from likewise.store.project_items import ProjectItems

if TYPE_CHECKING:
    from likewise.query.question import Answer
    from likewise.session import Session

__all__ = ["Annotator", "Project"]

T = TypeVar("T")


@dataclass(frozen=True)
class Annotator:
    """A person who answers in a project."""

    id: int
    name: str
    created_at: datetime


class Project(ProjectItems):
    """Items, annotators and events of one project; made by :class:`~likewise.store.Store`.

    All methods may be called from many threads, and the same project may be open in several processes.

    Attributes
    ----------
    id : int
        Its number in the database.
    uid : str
        Its number everywhere, also in copies of the database.
    name : str
        What people call it.
    created_at : datetime
        When it was made, in UTC.
    invites : Invites
        The invitations of its annotators.
    """

    def __init__(
        self,
        database: Database,
        folder: Path | None,
        catalog: WatchedCatalog | None,
        id: int,
        uid: str,
        name: str,
        created_at: datetime,
    ) -> None:
        super().__init__(database, folder, catalog, id, uid)
        self.name = name
        self.created_at = created_at
        self.invites = Invites(database, id)
        self._log = Log()
        self._log_lock = threading.Lock()
        self._annotator_ids: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"Project({self.name!r})"

    def append(
        self,
        kind: str,
        payload: Payload | Mapping[str, Any],
        *,
        annotator: str = "",
        key: str | None = None,
        seconds: float | None = None,
    ) -> Event:
        """Write one event; when this returns it is on disk.

        Parameters
        ----------
        kind : str
            The kind of event.
        payload : mapping or Payload
            Its content; items by id.
        annotator : str
            Who did it.
        key : str, optional
            The sender's key. Sent again with the same content, the first event is given back and nothing is
            written; with another content it is refused.
        seconds : float, optional
            How long the person took.

        Returns
        -------
        Event
        """
        return self.append_many([Entry(kind, payload, annotator, key, seconds)])[0]

    def append_many(self, entries: Iterable[Entry]) -> list[Event]:
        """Write several events, all or none; a withdrawal may name an event that comes before it here."""
        checked = [entry.checked() for entry in entries]
        self._require_items(checked)
        with self._database.write(self.id) as connection:
            return self._number(connection, checked)

    def undo(self, annotator: str = "", *, key: str | None = None) -> Event:
        """Take back the annotator's last event that is in force; without limit.

        Returns
        -------
        Event
            The withdrawal; what it took back is in ``payload.events``.
        """
        return self._withdraw("undo", Log.to_undo, annotator, key)

    def redo(self, annotator: str = "", *, key: str | None = None) -> Event:
        """Take back the annotator's last undo, unless they did something else since."""
        return self._withdraw("redo", Log.to_redo, annotator, key)

    def events(self, since: int = 0) -> list[Event]:
        """All events with a number above `since`, taken back or not, in order; what cannot be read is set aside."""
        with self._database.read() as connection:
            return self._read_events(connection, since)

    def set_aside(self) -> list[Event]:
        """The events that cannot be read: they say nothing, and keep their numbers."""
        return [event for event in self.events() if event.kind == SET_ASIDE]

    def log(self) -> Log:
        """The events and what follows from them, as of now."""
        return self._current(Log.copy)

    def answers(self) -> list[Answer]:
        """The answers in force, in order: those that a session takes."""
        return self._current(Log.answers)

    def rebuild(self, session: Session) -> Session:
        """Replay all answers in force into a new session, and give it back."""
        return session.replay(self.answers())

    def names(self) -> list[Name]:
        """The names of clusters that hold, with their anchors."""
        return self._current(Log.names)

    def confirmed(self) -> list[tuple[int, ...]]:
        """The groups of items that are confirmed."""
        return self._current(Log.confirmed)

    def bad_images(self) -> list[int]:
        """The items that people called bad, sorted."""
        return self._current(Log.bad)

    def annotators(self) -> list[Annotator]:
        """All annotators, in the order in which they came."""
        table = schema.annotator.c
        with self._database.read() as connection:
            rows = connection.execute(
                select(table.id, table.name, table.created_at).where(table.project_id == self.id).order_by(table.id)
            ).all()
        return [Annotator(*row) for row in rows]

    def settings(self) -> dict[str, Any]:
        """The settings, as they are now."""
        with self._database.read() as connection:
            return self._settings(connection)

    def update_settings(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Set some settings, leave the others, and give all of them."""
        plain = plain_object(changes, "settings")
        with self._database.write(self.id) as connection:
            settings = self._settings(connection) | plain
            check_size(settings, "settings")
            connection.execute(update(schema.project).where(schema.project.c.id == self.id).values(settings=settings))
        return settings

    def lock(self) -> ProcessLock:
        """Lock the project for this process, or raise an error that says which process has it.

        Reading and writing stay possible for others; the lock keeps two servers from preparing questions
        for the same project. SQLite locks the whole file.
        """
        return self._database.lock(self.id, f"the project {self.name!r}")

    def _settings(self, connection: Connection) -> dict[str, Any]:
        table = schema.project.c
        row = connection.execute(select(table.settings).where(table.id == self.id)).first()
        if row is None:
            raise UnknownProjectError(f"the project {self.name!r} is gone")
        settings: dict[str, Any] = row[0]
        return settings

    def _current(self, view: Callable[[Log], T]) -> T:
        # The connection first, then the lock, as in _withdraw: the other way round two could wait in a circle.
        with self._database.read() as connection, self._log_lock:
            self._catch_up(connection)
            return view(self._log)

    def _catch_up(self, connection: Connection) -> None:
        for event in self._read_events(connection, len(self._log)):
            self._log.add(event)

    def _read_events(self, connection: Connection, since: int) -> list[Event]:
        new = select_events(self.id).where(schema.event.c.seq > since).order_by(schema.event.c.seq)
        if not (rows := connection.execute(new).all()):
            return []
        self._n_items = count(connection, self.id)
        return list(read_rows(rows, self.id, since, self._n_items))

    def _require_items(self, entries: list[Entry]) -> None:
        largest = max(
            (i for entry in entries if isinstance(entry.payload, Payload) for i in entry.payload.images()), default=-1
        )
        # Ids are never taken away, so that a count read earlier is at worst too small.
        if largest >= self._n_items and largest >= self.n_items:
            raise AbsentError(f"image {largest} is not there: there are {self._n_items}")

    def _number(self, connection: Connection, entries: list[Entry]) -> list[Event]:
        known = find_keys(connection, self.id, [str(entry.key) for entry in entries])
        seq, chain = last_row(connection, self.id)
        now = datetime.now(UTC)
        withdrawing = any(entry.kind == "withdraw" for entry in entries)
        log = self._copied_log(connection) if withdrawing else None
        events: list[Event] = []
        new: list[Event] = []
        for entry in entries:
            found = known.get(str(entry.key))
            if found is not None:
                events.append(entry.require_same(found))
                continue
            event = entry.numbered(seq + len(new) + 1, now)
            if log is not None:
                _require_in_force(event, log)
                log.add(event)
            known[event.key] = event
            new.append(event)
            events.append(event)
        insert_events(connection, self.id, new, self._ids_of(connection, {event.annotator for event in new}), chain)
        return events

    def _copied_log(self, connection: Connection) -> Log:
        with self._log_lock:
            self._catch_up(connection)
            return self._log.copy()

    def _withdraw(
        self, how: Literal["undo", "redo"], choose: Callable[[Log, str], Event], annotator: str, key: str | None
    ) -> Event:
        annotator, key = check_annotator(annotator), check_key(key)
        with self._database.write(self.id) as connection:
            found = find_keys(connection, self.id, [key]).get(key)
            if found is not None:
                return _require_withdrawal(found, how, annotator)
            log = self._copied_log(connection)
            payload = Withdrawn(events=(choose(log, annotator).seq,), how=how)
            seq, chain = last_row(connection, self.id)
            event = Event(seq + 1, "withdraw", annotator, datetime.now(UTC), None, payload, key)
            insert_events(connection, self.id, [event], self._ids_of(connection, {annotator}), chain)
        return event

    def _ids_of(self, connection: Connection, names: set[str]) -> dict[str, int]:
        """Numbers of annotators by name; those who are new are added."""
        missing = [name for name in sorted(names) if name not in self._annotator_ids]
        table = schema.annotator
        for some in blocks(missing):
            rows = connection.execute(
                select(table.c.name, table.c.id).where(table.c.project_id == self.id, table.c.name.in_(some))
            )
            self._annotator_ids.update((name, number) for name, number in rows)
        # Those added here are not remembered before they are committed.
        ids = {name: self._annotator_ids.get(name, 0) for name in names}
        for name in missing:
            if not ids[name]:
                row = {"project_id": self.id, "name": name, "created_at": datetime.now(UTC)}
                new = insert(table).values(**row, checksum=name_checksum(name))
                ids[name] = connection.scalar(new.returning(table.c.id))
        return ids


def _require_withdrawal(event: Event, how: str, annotator: str) -> Event:
    is_one = isinstance(event.payload, Withdrawn) and event.payload.how == how
    if not is_one or event.annotator != annotator:
        raise KeyReusedError(f"the key {event.key!r} is that of event {event.seq}, which is not this {how}")
    return event


def _require_in_force(event: Event, log: Log) -> None:
    if isinstance(event.payload, Withdrawn):
        for seq in event.payload.events:
            if not log.has(seq):
                raise AbsentError(f"withdraw: there is no event {seq}")
            if not log.in_force(seq):
                raise AbsentError(f"withdraw: event {seq} has already been taken back")
