"""The catalogue: the pictures of a folder and the state of their files, in one SQLite file of the project folder.

Every change is whole or absent, also after a kill.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from likewise.images.cache import lock_file
from likewise.images.walking import MARKER, Skipped

__all__ = ["Catalog", "FileState", "Numbering", "WatchedCatalog", "open_catalog"]

VERSION = 2
SCHEMA = """
CREATE TABLE IF NOT EXISTS images (
    id INTEGER PRIMARY KEY,      -- of the item that is the whole picture; rows are never deleted
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
    fingerprint BLOB,
    taken REAL,                  -- seconds since 1970 by the clock of the camera
    camera TEXT,
    looked INTEGER               -- 1 where pictures that look alike were searched for; NULL where not
);
CREATE TABLE IF NOT EXISTS links (  -- pictures that look alike, by SHA-256: whatever becomes of their names
    a BLOB NOT NULL,
    b BLOB NOT NULL,
    likeness REAL NOT NULL,
    PRIMARY KEY (a, b)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS skipped (path BLOB PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""
# what version 1 lacks; its pictures are read once more, for what cameras wrote into them
UPGRADE = (
    "ALTER TABLE images ADD COLUMN taken REAL",
    "ALTER TABLE images ADD COLUMN camera TEXT",
    "ALTER TABLE images ADD COLUMN looked INTEGER",
    "CREATE TABLE links (a BLOB NOT NULL, b BLOB NOT NULL, likeness REAL NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID",
    "UPDATE images SET modified_ns = NULL",
    f"PRAGMA user_version = {VERSION}",
)
STATE = "gone, reason, width, height, content"
FILE, SHOWN = ("size", "modified_ns", "reason", "content"), ("width", "height", "format", "mode", "fingerprint")
RESULT = (*FILE, *SHOWN, "taken", "camera", "looked")
READABLE = "id, path, size, width, height, format, content, fingerprint, taken, camera"


class FileState(NamedTuple):
    """What is known of a picture's file; `content` (SHA-256) is None where it is not read yet or unreadable."""

    status: str
    reason: str
    width: int | None
    height: int | None
    content: bytes | None


class Numbering(Protocol):
    """Who gives the ids where the catalogue does not: :class:`likewise.store.Project`."""

    def whole_pictures(self) -> Mapping[bytes, int]:
        """The ids given so far, by path."""
        ...

    def add_items(self, paths: Sequence[bytes]) -> list[int]:
        """The ids of pictures, given now where they are new."""
        ...


class Catalog:
    """The tables over an open connection; every method is one change or one question."""

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
        row: tuple[int, int | None, int | None, int] | None = self.connection.execute(question, (path,)).fetchone()
        return row

    def add(self, numbers: Iterable[int], paths: Iterable[bytes]) -> None:
        """Add pictures that are still to be read."""
        rows = zip(numbers, paths, strict=True)
        self.connection.executemany("INSERT INTO images (id, path) VALUES (?, ?)", rows)

    def adopt(self, numbering: Numbering) -> None:
        """Take over the ids of others: rows are renumbered by path, and what is only there is added as gone.

        One change, and none where all agree.
        """
        given = dict(numbering.whole_pictures())
        rows = [(number, bytes(path)) for number, path in self.connection.execute("SELECT id, path FROM images")]
        unknown = [path for _, path in rows if path not in given]
        given |= zip(unknown, numbering.add_items(unknown) if unknown else (), strict=True)
        moved = [(given[path], number) for number, path in rows if given[path] != number]
        known = {path for _, path in rows}
        absent = [(number, path) for path, number in given.items() if path not in known]
        if not moved and not absent:
            return
        with self.whole():
            # in two steps: a new id may be the old one of another row
            self.connection.executemany("UPDATE images SET id = -1 - ? WHERE id = ?", moved)
            self.connection.execute("UPDATE images SET id = -1 - id WHERE id < 0")
            self.connection.executemany("INSERT INTO images (id, path, gone) VALUES (?, ?, 1)", absent)

    def states(self) -> dict[bytes, FileState]:
        """What is known of every file, by path."""
        rows = self.connection.execute(f"SELECT path, {STATE} FROM images")
        return {bytes(path): _state(row) for path, *row in rows}

    def state(self, path: bytes) -> FileState | None:
        """What is known of one file."""
        row = self.connection.execute(f"SELECT {STATE} FROM images WHERE path = ?", (path,)).fetchone()
        return None if row is None else _state(row)

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

    def fail(self, content: bytes, reason: str, *, lasting: bool) -> None:
        """Mark pictures of some content as unreadable: until the file changes, or until they are read again."""
        self.connection.execute(
            "UPDATE images SET reason = ?, content = NULL, size = CASE WHEN ? THEN size END WHERE content = ?",
            (reason, lasting, content),
        )

    def readable(self) -> list[tuple[Any, ...]]:
        """Give :data:`READABLE` of what can be shown, by id."""
        return self.connection.execute(
            f"SELECT {READABLE} FROM images WHERE NOT gone AND content IS NOT NULL ORDER BY id"
        ).fetchall()

    def contents(self) -> list[tuple[int, bytes]]:
        """Give id and content of all pictures that were ever read, by id."""
        rows = self.connection.execute("SELECT id, content FROM images WHERE content IS NOT NULL ORDER BY id")
        return [(number, bytes(content)) for number, content in rows]

    def unlooked(self) -> set[int]:
        """Give the ids of readable pictures for which none that look alike were searched for."""
        question = "SELECT id FROM images WHERE NOT gone AND content IS NOT NULL AND looked IS NULL"
        return {row[0] for row in self.connection.execute(question)}

    def links(self) -> list[tuple[bytes, bytes, float]]:
        """Give the pairs of contents that look alike, the most alike first."""
        question = "SELECT a, b, likeness FROM links ORDER BY likeness DESC, a, b"
        return [(bytes(a), bytes(b), likeness) for a, b, likeness in self.connection.execute(question)]

    def add_links(self, links: Iterable[tuple[bytes, bytes, float]], looked: Iterable[int]) -> None:
        """Keep pairs of contents that look alike, and for which pictures they were searched for."""
        with self.whole():
            self.connection.executemany("INSERT OR REPLACE INTO links VALUES (?, ?, ?)", links)
            self.connection.executemany("UPDATE images SET looked = 1 WHERE id = ?", ((number,) for number in looked))

    def unreadable(self) -> list[Skipped]:
        """Give what is present but not readable, in order of the paths."""
        rows = self.connection.execute(
            "SELECT path, reason FROM images WHERE NOT gone AND reason IS NOT NULL"
            " UNION ALL SELECT path, reason FROM skipped ORDER BY path"
        )
        return [Skipped(bytes(path), reason) for path, reason in rows]


def _state(row: Sequence[Any]) -> FileState:
    gone, reason, width, height, content = row
    if gone:
        status = "gone"
    elif reason is not None:
        status = "unreadable"
    else:
        status = "waiting" if content is None else "present"
    return FileState(status, reason or "", width, height, None if content is None else bytes(content))


class WatchedCatalog:
    """The catalogue of a project folder for those who read it again and again; it need not be there yet.

    - `project`: The project folder.
    """

    def __init__(self, project: Path) -> None:
        self._path = project / os.fsdecode(MARKER)
        self._lock = threading.Lock()
        self._file: int | None = None
        self._connection: sqlite3.Connection | None = None

    def version(self) -> tuple[int, int] | None:
        """Equal as long as nobody changed it; None where there is none."""
        with self._opened() as catalog:
            if catalog is None or self._file is None:
                return None
            return self._file, int(catalog.connection.execute("PRAGMA data_version").fetchone()[0])

    def states(self) -> dict[bytes, FileState]:
        """What is known of every file, by path."""
        with self._opened() as catalog:
            return {} if catalog is None else catalog.states()

    def state(self, path: bytes) -> FileState | None:
        """What is known of one file."""
        with self._opened() as catalog:
            return None if catalog is None else catalog.state(path)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._close()

    @contextmanager
    def _opened(self) -> Iterator[Catalog | None]:
        with self._lock:
            try:
                file = self._path.stat().st_ino
            except FileNotFoundError:
                file = None
            with _explained(self._path):
                if file != self._file:
                    self._close()
                    self._connection = None if file is None else _connect(self._path)
                    self._file = file
                yield None if self._connection is None else Catalog(self._connection)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._file = self._connection = None


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise OSError(f"the index {os.fspath(path)!r} cannot be used: {error}.") from error


@contextmanager
def open_catalog(project: Path, *, create: bool = False, alone: bool = False) -> Iterator[Catalog]:
    """Open the catalogue of a project folder.

    - `project`: The project folder.
    - `create`: Make it when it is not there.
    - `alone`: Refuse when another run is filling it, and keep others out until the end.
    """
    path = project / os.fsdecode(MARKER)
    if not create and not path.is_file():
        raise FileNotFoundError(f"there is no index in {os.fspath(project)!r}.")
    lock = lock_file(project / "indexing.lock", f"indexing into {os.fspath(project)!r}")
    with lock if alone else nullcontext(), _explained(path), closing(_connect(path)) as connection:
        yield Catalog(connection)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30.0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # Without a sync a commit costs microseconds; a kill loses nothing, a power cut at most the last ones.
        connection.execute("PRAGMA synchronous = NORMAL")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise OSError(f"the index {os.fspath(path)!r} was made by a newer likewise.")
        if version == 1:
            _upgrade(connection)
        if version == 0:
            connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    except BaseException:
        connection.close()
        raise
    return connection


def _upgrade(connection: sqlite3.Connection) -> None:
    """Bring a file of version 1 to this one, unless another process has just done so."""
    with Catalog(connection).whole():
        if connection.execute("PRAGMA user_version").fetchone()[0] == 1:
            for statement in UPGRADE:
                connection.execute(statement)
