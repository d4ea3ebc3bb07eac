"""Bringing a database to the version of this program: made, upgraded after a copy, or refused."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, nullcontext
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from likewise.store.database import WAIT_SECONDS, Database, explain
from likewise.store.errors import NewerVersionError, ProjectInUseError, StoreError
from likewise.store.process_lock import ProcessLock

__all__ = ["HEAD", "MIGRATIONS", "back_up", "bring_up_to_date"]

HEAD = "0007"
MIGRATIONS = Path(__file__).parent / "migrations"
PATIENCE_SECONDS = 5.0  # for whoever else is upgrading


def bring_up_to_date(database: Database, migrations: Path = MIGRATIONS, head: str = HEAD) -> Path | None:
    """Make the tables where there are none, or upgrade older ones; all or nothing.

    - `database`: What to bring up to date.
    - `migrations`: The folder with the steps.
    - `head`: The last step.
    - Returns: The copy made before an upgrade (SQLite).
    """
    if database.is_sqlite:
        _use_write_ahead_log(database)
    else:
        _require_utf8(database)
    patience = time.monotonic() + PATIENCE_SECONDS
    while True:
        with database.read() as connection:
            version = _checked_version(connection, database, head)
        if version == head:
            return None
        try:
            # A server of the older version would go on with tables it does not know.
            with _lock(database) if version is not None else nullcontext():
                return _upgrade(database, migrations, head)
        except ProjectInUseError:  # by a server, or by another process that upgrades
            if time.monotonic() > patience:
                raise
            time.sleep(0.1)


def back_up(source: Path, target: Path) -> None:
    """Copy a SQLite database, also while it is written to; the copy appears whole or not at all."""
    unfinished = target.with_name(target.name + ".unfinished")
    for left in (unfinished, *(unfinished.with_name(unfinished.name + end) for end in ("-journal", "-wal", "-shm"))):
        left.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(unfinished)) as new:
            old.backup(new)
        with open(unfinished, "rb") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    except sqlite3.Error as error:
        unfinished.unlink(missing_ok=True)
        raise StoreError(f"{os.fspath(source)!r} could not be copied: {error}") from error


def _lock(database: Database) -> ProcessLock:
    return database.lock(0, f"{database} is to be upgraded, but")


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


def _checked_version(connection: Connection, database: Database, head: str) -> str | None:
    version = _version(connection)
    if version is None and inspect(connection).has_table("project"):
        raise StoreError(f"{database} holds the tables of another program")
    if version is not None and not version.isdecimal():
        raise StoreError(f"{database} holds the tables of another program (version {version!r})")
    if version is not None and int(version) > int(head):
        raise NewerVersionError(
            f"{database} was made by a newer version of likewise (tables {version}, this version knows"
            f" {head}): upgrade likewise to open it"
        )
    return version


def _upgrade(database: Database, migrations: Path, head: str) -> Path | None:
    # Imported here: most openings find the tables as they should be, and Alembic takes long to load.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", os.fspath(migrations).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    copy = None
    with database.rebuild() as connection:
        version = _checked_version(connection, database, head)
        if version == head:  # another process was quicker
            return None
        if database.file is not None and version is not None:
            copy = _free_name(database.file.with_name(f"{database.file.stem}-{version}.backup.db"))
            back_up(database.file, copy)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        if _version(connection) != head or not _references_hold(connection, database):
            raise StoreError(f"{database} could not be brought to version {head}; it is as it was")
    return copy


def _references_hold(connection: Connection, database: Database) -> bool:
    return not database.is_sqlite or not connection.execute(text("PRAGMA foreign_key_check")).all()


def _free_name(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _use_write_ahead_log(database: Database) -> None:
    """Set the mode, which the file keeps; SQLite does not wait by itself when another process does the same.

    A file system without shared memory refuses, and the older journal is as safe, only slower.
    """
    patience = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            with closing(sqlite3.connect(str(database.file), timeout=WAIT_SECONDS)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the driver cannot even put the damage into words
            busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > patience:
                raise explain(error, str(database)) from error
        time.sleep(0.01)


def _require_utf8(database: Database) -> None:
    with database.read() as connection:
        encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise StoreError(f"{database} is encoded in {encoding}: names need a database in UTF8")
