"""The index on disk: one SQLite file whose every change is whole or absent, also after a kill."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from likewise.images.walking import MARKER, Skipped

__all__ = ["Catalog", "open_catalog"]

VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS images (
    id INTEGER PRIMARY KEY,      -- 0, 1, … in order of discovery; rows are never deleted
    path BLOB NOT NULL UNIQUE,   -- relative to the folder, in the bytes of the file system
    size INTEGER,                -- of the file as it was read; NULL where it has to be read again
    modified_ns INTEGER,
    gone INTEGER NOT NULL DEFAULT 0,
    reason TEXT,                 -- why it cannot be read; NULL where it can
    content BLOB,                -- SHA-256 of the file
    width INTEGER,
    height INTEGER,
    format TEXT,
    mode TEXT,
    fingerprint BLOB
);
CREATE TABLE IF NOT EXISTS skipped (path BLOB PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""
RESULT = ("size", "modified_ns", "reason", "content", "width", "height", "format", "mode", "fingerprint")


class Catalog:
    """The tables of an index, over an open connection; every method is one change or one question."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Let many changes become one."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def fact(self, name: str) -> bytes | None:
        """Give a stored fact about the project, or None."""
        row = self.connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else bytes(row[0])

    def set_fact(self, name: str, value: bytes) -> None:
        """Store a fact about the project."""
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def count(self) -> int:
        """Give the number of ids given so far, which is also the next one."""
        return int(self.connection.execute("SELECT coalesce(max(id) + 1, 0) FROM images").fetchone()[0])

    def find(self, path: bytes) -> tuple[int, int | None, int | None, int] | None:
        """Give id, size, modification time and whether it is gone, or None for a path never seen."""
        question = "SELECT id, size, modified_ns, gone FROM images WHERE path = ?"
        row: tuple[int, int | None, int | None, int] | None = self.connection.execute(
            question, (path,)
        ).fetchone()
        return row

    def add(self, number: int, path: bytes) -> None:
        """Add an image that is still to be read."""
        self.connection.execute("INSERT INTO images (id, path) VALUES (?, ?)", (number, path))

    def mark_gone(self, numbers: Iterable[int], gone: bool) -> None:
        """Mark images as gone or as back."""
        rows = ((int(gone), number) for number in numbers)
        self.connection.executemany("UPDATE images SET gone = ? WHERE id = ?", rows)

    def present(self) -> Iterator[int]:
        """Give the ids of the images that are not marked as gone."""
        for row in self.connection.execute("SELECT id FROM images WHERE NOT gone"):
            yield row[0]

    def replace_skipped(self, skipped: Iterable[Skipped]) -> None:
        """Replace what the walk passed over."""
        self.connection.execute("DELETE FROM skipped")
        rows = ((each.path, each.reason) for each in skipped)
        self.connection.executemany("INSERT OR REPLACE INTO skipped VALUES (?, ?)", rows)

    def path_of(self, number: int) -> bytes:
        """Give the path of an image."""
        row = self.connection.execute("SELECT path FROM images WHERE id = ?", (number,)).fetchone()
        return bytes(row[0])

    def record(self, number: int, result: dict[str, Any]) -> None:
        """Keep what reading an image gave."""
        setters = ", ".join(f"{name} = ?" for name in RESULT)
        values = [result.get(name) for name in RESULT]
        self.connection.execute(f"UPDATE images SET {setters} WHERE id = ?", (*values, number))

    def readable(self) -> list[tuple[Any, ...]]:
        """Give id, path, size, width, height, format, content and fingerprint of what can be shown, by id."""
        return self.connection.execute(
            "SELECT id, path, size, width, height, format, content, fingerprint FROM images"
            " WHERE NOT gone AND content IS NOT NULL ORDER BY id"
        ).fetchall()

    def unreadable(self) -> list[Skipped]:
        """Give what is present but not readable, in order of the paths."""
        rows = self.connection.execute(
            "SELECT path, reason FROM images WHERE NOT gone AND reason IS NOT NULL"
            " UNION ALL SELECT path, reason FROM skipped ORDER BY path"
        )
        return [Skipped(bytes(path), reason) for path, reason in rows]


@contextmanager
def open_catalog(project: Path, *, create: bool = False, alone: bool = False) -> Iterator[Catalog]:
    """Open the index of a project.

    Parameters
    ----------
    project : pathlib.Path
        The project folder.
    create : bool, default=False
        Make it when it is not there.
    alone : bool, default=False
        Refuse when another run is filling it, and keep others out until the end.

    Yields
    ------
    Catalog
    """
    path = project / os.fsdecode(MARKER)
    if not create and not path.is_file():
        raise FileNotFoundError(f"there is no index in {os.fspath(project)!r}.")
    connections = []
    try:
        if alone:
            connections.append(_take_lock(project / "indexing.lock"))
        connections.append(_connect(path))
        yield Catalog(connections[-1])
    except sqlite3.DatabaseError as error:
        raise OSError(f"the index {os.fspath(path)!r} cannot be used: {error}.") from error
    finally:
        for connection in reversed(connections):
            connection.close()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30.0, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # Without a sync a commit costs microseconds; a kill loses nothing, a power cut at most the last ones.
        connection.execute("PRAGMA synchronous = NORMAL")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise OSError(f"the index {os.fspath(path)!r} was made by a newer likewise.")
        if version == 0:
            connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    except BaseException:
        connection.close()
        raise
    return connection


def _take_lock(path: Path) -> sqlite3.Connection:
    # The lock of an SQLite file is released by the system when its holder dies, on every platform.
    connection = sqlite3.connect(path, timeout=0.0, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        connection.close()
        if "locked" not in str(error):
            raise
        raise BlockingIOError(f"another run is indexing into {os.fspath(path.parent)!r}.") from None
    return connection
