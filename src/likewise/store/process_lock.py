"""Locks between processes: one at a time serves a project or writes its vectors; others learn which one."""

from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
import threading
from abc import ABC, abstractmethod
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from likewise.store.errors import ProjectInUseError, StoreError

__all__ = ["DatabaseLock", "FileLock", "ProcessLock"]

# The first of the two numbers of every advisory lock, so that other programs' locks are not ours.
LOCK_CLASS = 0x6C696B65
SERVING_CLASS = LOCK_CLASS + 1


class ProcessLock(ABC):
    """Something only one process has, until it releases it or dies."""

    @abstractmethod
    def release(self) -> None:
        """Let others have it; a second call does nothing."""

    @abstractmethod
    def keep(self) -> None:
        """Look whether it is still there; lost, it is taken again, or a ProjectInUseError says who took it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


class FileLock(ProcessLock):
    """A lock on a folder, by a small SQLite file in it.

    It is the write lock of that file: the system drops it when its holder dies, on every platform; a child
    process does not inherit it; and others can still read from the file who holds it.

    - `path`: The file; made when it is missing.
    - `what`: What is locked, for the message.
    - `wait`: Seconds to wait for another process.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "likewise.lock"
    >>> with FileLock(path, "the project"):
    ...     FileLock(path, "the project")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    likewise.store.errors.ProjectInUseError: the project is already open in process ...
    """

    def __init__(self, path: Path, what: str, wait: float = 0.0) -> None:
        self._path, self._what = path, what
        self._guard, self._dropped = threading.Lock(), False
        self._open(path, what, wait)

    def _open(self, path: Path, what: str, wait: float) -> None:
        try:
            self._connection = sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise StoreError(f"{os.fspath(path)!r} cannot be opened: {error}") from error
        try:
            self._take(wait)
        except sqlite3.Error as error:
            holder = _read_holder(self._connection)
            self._connection.close()
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise StoreError(f"{os.fspath(path)!r} cannot be used: {error}") from error
            raise ProjectInUseError(f"{what} is already open in {holder}") from None
        self._file = _file_number(path)

    def _take(self, wait: float) -> None:
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        # A reader that asks who we are may hold up the commit for a moment.
        run("PRAGMA busy_timeout = 5000")
        run("CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT, since TEXT)")
        run("DELETE FROM holder")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        run("INSERT INTO holder VALUES (?, ?, ?)", (os.getpid(), socket.gethostname(), now))
        run("COMMIT")
        run(f"PRAGMA busy_timeout = {round(1000 * wait)}")
        run("BEGIN IMMEDIATE")

    def keep(self) -> None:
        """Look whether the file is still there; deleted or exchanged, it is made and locked again."""
        with self._guard:
            if not self._dropped and _file_number(self._path) != self._file:
                self._connection.close()
                self._open(self._path, self._what, 0.0)

    def release(self) -> None:
        """Let others have it; a second call does nothing."""
        with self._guard:
            self._dropped = True
            self._connection.close()


def _file_number(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _read_holder(connection: sqlite3.Connection) -> str:
    with contextlib.suppress(sqlite3.Error):
        connection.execute("PRAGMA busy_timeout = 1000")
        row = connection.execute("SELECT pid, host, since FROM holder").fetchone()
        if row is not None:
            pid, host, since = row
            there = "" if host == socket.gethostname() else f" on {host}"
            return f"process {pid}{there} (since {since})"
    return "another process"


class DatabaseLock(ProcessLock):
    """A lock on a project in PostgreSQL, by an advisory lock of a connection of its own.

    Beside the project's own lock it holds a shared one for all projects, which keeps a newer version from
    migrating the tables under a running server.

    - `engine`, sqlalchemy.Engine: The database.
    - `number`: The project, or 0 for the whole database: that is refused while any project is locked.
    - `what`: What is locked, for the message.
    """

    def __init__(self, engine: Engine, number: int, what: str) -> None:
        self._engine, self._number, self._what = engine, number, what
        self._guard, self._dropped = threading.Lock(), False
        self._open()

    def _open(self) -> None:
        number = self._number
        self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            name = f"likewise process {os.getpid()} on {socket.gethostname()}"
            self._connection.execute(text("SELECT set_config('application_name', :name, false)"), {"name": name})
            taken = self._try("pg_try_advisory_lock_shared" if number else "pg_try_advisory_lock", 0)
            if not taken or (number and not self._try("pg_try_advisory_lock", number)):
                raise ProjectInUseError(f"{self._what} is already open in {self._holder(number)}")
        except BaseException:
            self._close()
            raise

    def keep(self) -> None:
        """Look whether the connection still holds it; lost with the connection, it is taken again."""
        with self._guard:
            if self._dropped:
                return
            try:
                if self._has():
                    return
            except DBAPIError:  # the connection is gone, and the lock with it
                pass
            self._close()
            try:
                self._open()
            except DBAPIError as error:
                raise StoreError(f"{self._what} cannot be locked again: {error.orig}") from error

    def _has(self) -> bool:
        question = text(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()"
            " AND classid = :class AND objid = :number"
        )
        return bool(self._connection.scalar(question, {"class": SERVING_CLASS, "number": self._number}))

    def _try(self, function: str, number: int) -> bool:
        question = text(f"SELECT {function}(:class, :number)")
        return bool(self._connection.scalar(question, {"class": SERVING_CLASS, "number": number}))

    def _holder(self, number: int) -> str:
        question = text(
            "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE locktype = 'advisory' AND granted AND classid = :class AND objid = :number"
            " AND pg_locks.pid <> pg_backend_pid()"
        )
        name = self._connection.scalar(question, {"class": SERVING_CLASS, "number": number}) or ""
        return name.removeprefix("likewise ") or "another process"

    def release(self) -> None:
        """Let others have it; a second call does nothing."""
        with self._guard:
            if not self._dropped:
                self._dropped = True
                self._close()

    def _close(self) -> None:
        # Closed rather than given back to the pool: the server drops the locks with the connection.
        if not self._connection.closed:
            self._connection.invalidate()
            self._connection.close()
