"""One database, reached in two ways: read, and write alone. SQLite by default, PostgreSQL by URL."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, Transaction, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, TimeoutError as PoolTimeoutError

from likewise.store.errors import StoreBusyError, StoreError, StoreFullError
from likewise.store.fair_lock import FairLock
from likewise.store.process_lock import LOCK_CLASS, DatabaseLock, FileLock, ProcessLock

__all__ = ["FILE_NAME", "WAIT_SECONDS", "Database", "JsonText", "explain", "to_json"]

FILE_NAME = "likewise.db"
WAIT_SECONDS = 60  # how long a writer waits for another process's write
_BEGIN = "likewise_begin"

# A connection to a machine that is gone is noticed after half a minute, not after hours.
ALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}
_ALONE = text("SELECT pg_advisory_xact_lock(:class, :number)")

to_json = partial(json.dumps, allow_nan=False, sort_keys=True, separators=(",", ":"))


class JsonText:
    """JSON that is written already: it goes into the database as it is."""

    def __init__(self, text: str) -> None:
        self.text = text


def _serialize(value: Any) -> str:
    return value.text if isinstance(value, JsonText) else to_json(value)


class Database:
    """An engine with the rules by which it is used.

    Writers of one process wait in line. Between processes SQLite's own write lock is taken at the start of
    the transaction (BEGIN IMMEDIATE), and PostgreSQL's advisory lock of the project: whoever writes sees all
    that was written before, so that numbers are given without gaps.

    - `where`, str or path-like: A folder (``likewise.db`` in it), or a URL: ``sqlite:///file.db``,
      ``postgresql://user@host/name``.
    """

    def __init__(self, where: str | os.PathLike[str]) -> None:
        self.url = _read_url(where)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.file = Path(self.url.database or "") if self.is_sqlite else None
        self.engine = _sqlite_engine(self.url) if self.is_sqlite else _postgresql_engine(self.url)
        self._process = os.getpid()
        self._writers: dict[int, FairLock] = {}
        self._guard = threading.Lock()

    def __str__(self) -> str:
        if self.file is not None:
            return os.fspath(self.file)
        return self.url.set(drivername="postgresql").render_as_string(hide_password=True)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection to read with; all it reads inside one transaction."""
        with self._translated(), self._connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self, project_id: int = 0) -> Iterator[Connection]:
        """Give a connection that writes alone (in PostgreSQL: alone in its project).

        It is committed to disk when the block ends, and nothing is written when the block or the commit
        fails.
        """
        with self._writer(project_id), self._translated(), self._connect() as connection, _begun(connection):
            if not self.is_sqlite:
                connection.execute(_ALONE, {"class": LOCK_CLASS, "number": project_id})
            yield connection

    @contextmanager
    def rebuild(self) -> Iterator[Connection]:
        """Give a connection like :meth:`write` that may also replace tables which others refer to."""
        if not self.is_sqlite:
            with self.write() as connection:
                yield connection
            return
        with self._writer(0), self._translated(), self._connect() as connection:
            connection.detach()  # it is closed afterwards: the pool's connections keep their foreign keys
            # SQLite takes this setting only outside of a transaction.
            connection.connection.cursor().execute("PRAGMA foreign_keys = OFF")
            with _begun(connection):
                yield connection

    def lock(self, project_id: int, what: str) -> ProcessLock:
        """Lock a project for this process; SQLite locks the whole file."""
        if self.file is not None:
            return FileLock(self.file.with_suffix(".lock"), what)
        with self._translated():
            return DatabaseLock(self.engine, project_id, what)

    def close(self) -> None:
        """Close all connections."""
        if os.getpid() == self._process:
            self.engine.dispose()

    def _connect(self) -> Connection:
        if os.getpid() != self._process:
            raise StoreError("a store does not survive a fork: open it again in the new process")
        return self.engine.connect()

    def _writer(self, project_id: int) -> FairLock:
        with self._guard:
            return self._writers.setdefault(0 if self.is_sqlite else project_id, FairLock())

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise explain(error.orig, str(self)) from error
        except PoolTimeoutError as error:
            raise StoreBusyError(f"{self}: all connections are in use") from error
        except UnicodeDecodeError as error:
            raise StoreError(f"{self} is not a database that can be read: a text in it is damaged") from error


def _begun(connection: Connection) -> Transaction:
    return connection.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"}).begin()


def _read_url(where: str | os.PathLike[str]) -> URL:
    if not isinstance(where, str) or "://" not in where:
        return URL.create("sqlite", database=os.path.join(os.path.abspath(where), FILE_NAME))
    try:
        url = make_url(where)
    except ArgumentError:
        raise ValueError("the database is a folder or a URL such as postgresql://user@host/name") from None
    backend = {"postgres": "postgresql"}.get(url.get_backend_name(), url.get_backend_name())
    if backend == "postgresql":
        if find_spec("psycopg") is None:
            raise StoreError("PostgreSQL needs psycopg: pip install 'likewise[postgres]'")
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise ValueError(f"the database is SQLite or PostgreSQL, not {backend}")
    if url.database in (None, "", ":memory:"):
        raise ValueError("answers are kept on disk: give the URL of a file, sqlite:///file.db")
    return URL.create("sqlite", database=os.path.abspath(str(url.database)))


def _sqlite_engine(url: URL) -> Engine:
    engine = create_engine(
        url, json_serializer=_serialize, connect_args={"timeout": WAIT_SECONDS}, pool_size=5, max_overflow=40
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, record: Any) -> None:
        connection.isolation_level = None  # the driver would begin too late: see begin()
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that reads first and writes later fails when another wrote in between.
        connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))

    return engine


def _postgresql_engine(url: URL) -> Engine:
    engine = create_engine(
        url,
        json_serializer=_serialize,
        isolation_level="READ COMMITTED",  # a writer must see what was committed while it waited
        pool_pre_ping=True,
        pool_size=5,
        max_overflow=40,
        connect_args={"connect_timeout": 10, **ALIVE},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = '{WAIT_SECONDS}s'")
            # A committed event is on disk even where the server is set to acknowledge it too early.
            cursor.execute(
                "SELECT set_config('synchronous_commit', 'on', false)"
                " WHERE current_setting('synchronous_commit') = 'off'"
            )
        connection.commit()

    return engine


def explain(error: BaseException | None, where: str) -> StoreError:
    """Put an error of a database driver into words."""
    reason = str(error).strip().split("\n")[0]
    number = getattr(error, "sqlite_errorcode", 0) & 0xFF
    state = getattr(error, "sqlstate", None)
    if number == sqlite3.SQLITE_FULL or state == "53100":
        return StoreFullError(f"{where}: no space is left, nothing was written ({reason})")
    if number in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or state == "55P03":
        return StoreBusyError(f"{where}: another program is writing and does not finish ({reason})")
    if number in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return StoreError(f"{where} is not a database that can be read: {reason}")
    if number == sqlite3.SQLITE_READONLY or state == "25006":
        return StoreError(f"{where} cannot be written to: {reason}")
    return StoreError(f"{where}: {reason}")
