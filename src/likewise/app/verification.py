"""Whether a project is as it was written: every event, name, item, setting, invitation, vector and lease."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import select, text

from likewise.app.leases import read_line
from likewise.app.settings import DEFAULTS
from likewise.images.vector_file import HEADER, KEY
from likewise.store import Project, Store, schema
from likewise.store.checksums import START, chained, name_checksum
from likewise.store.entries import check_annotator
from likewise.store.event_rows import SET_ASIDE, Raw, StoredRow, read_rows, select_events
from likewise.store.items import read_items, region_bytes

__all__ = ["verify"]

MOST = 1000  # findings of one sort; a file that is damaged all over needs no longer list
BLOCK = 5000


def verify(store: Store, project: Project, home: Path) -> list[str]:
    """Look at all that is kept of a project, changing nothing; a sentence for each thing that is damaged.

    - `store`: Where it is.
    - `project`: Which one.
    - `home`: The project folder.
    """
    found: list[str] = []
    for sort in (
        _databases(store, home),
        _events(store, project),
        _names(store, project),
        _settings(project),
        _invitations(project),
        _items(store, project),
        _vectors(home),
        _leases(home, project),
    ):
        found += _first(sort)
    return found


def _first(found: Iterator[str]) -> list[str]:
    some = []
    try:
        for each in found:
            some.append(each)
            if len(some) == MOST:
                return [*some, f"and more: only the first {MOST:,} are listed"]
    except Exception as error:  # what is so damaged that it cannot be looked at is a finding too
        some.append(f"cannot be checked further: {error}")
    return some


def _databases(store: Store, home: Path) -> Iterator[str]:
    database = store._database
    if database.file is not None:
        with database.read() as connection:
            for (said,) in connection.execute(text("PRAGMA integrity_check(20)")):
                if said != "ok":
                    yield f"{database.file.name}: {said}"
            for row in connection.execute(text("PRAGMA foreign_key_check")).all():
                yield f"{database.file.name}: a row of {row[0]} refers to one of {row[2]} that is not there"
    catalogue = home / "likewise-index.sqlite"
    if catalogue.is_file():
        try:
            with closing(sqlite3.connect(f"{catalogue.as_uri()}?mode=ro", uri=True)) as index:
                for (said,) in index.execute("PRAGMA integrity_check(20)"):
                    if said != "ok":
                        yield f"{catalogue.name}: {said}"
        except sqlite3.Error as error:
            yield f"{catalogue.name} cannot be read: {error}"


def _events(store: Store, project: Project) -> Iterator[str]:
    n_items, after, chain = project.n_items, 0, START
    table = schema.event.c
    while True:
        with store._database.read() as connection:
            some = select_events(project.id).where(table.seq > after).order_by(table.seq).limit(BLOCK)
            rows = connection.execute(some).all()
        if not rows:
            return
        stored = {row[0]: StoredRow(*row) for row in rows}
        for event in read_rows(rows, project.id, after, n_items):
            row = stored.get(event.seq)
            if event.kind == SET_ASIDE:
                yield f"event {event.seq}: {event.payload.data()['reason']}"
            elif row is not None and row.chain() != chained(chain, row.own(project.id)):
                yield f"event {event.seq}: it does not follow the event before it: one was changed, lost or exchanged"
            chain = (row.chain() if row is not None else None) or START
        after = rows[-1][0]


def _names(store: Store, project: Project) -> Iterator[str]:
    table = schema.annotator.c
    question = select(table.id, Raw(table.name), Raw(table.checksum)).where(table.project_id == project.id)
    with store._database.read() as connection:
        rows = connection.execute(question.order_by(table.id)).all()
    for number, name, checksum in rows:
        shown = name.decode("utf-8", "backslashreplace") if isinstance(name, bytes) else str(name)
        if checksum != name_checksum(shown):
            yield f"annotator {number}: the name {shown!r} is damaged: its checksum does not fit"


def _settings(project: Project) -> Iterator[str]:
    for name, value in project.settings().items():
        default = DEFAULTS.get(name)
        if default is None or value is None:
            continue
        number = isinstance(default, int | float) and not isinstance(default, bool)
        if not isinstance(value, int | float if number else type(default)):
            yield f"settings: {name} is {json.dumps(value)[:60]}, not a {type(default).__name__}"


def _invitations(project: Project) -> Iterator[str]:
    for invite in project.invites.all():
        try:
            check_annotator(invite.name)
            if not invite.name or invite.expires_at <= invite.created_at or not invite.uid.isalnum():
                raise ValueError("its name, number or times are wrong")
        except (ValueError, TypeError) as error:
            yield f"invitation {invite.uid!r}: {error}"


def _items(store: Store, project: Project) -> Iterator[str]:
    table = schema.item.c
    with store._database.read() as connection:
        digests = dict(connection.execute(select(table.id, table.digest).where(table.project_id == project.id)).all())
        rows = list(read_items(connection, project.id))
    for expected, (number, path, region, _) in enumerate(rows):
        if number != expected:
            yield f"item {expected} is missing: after it comes {number}"
            return
        if hashlib.sha256(path + region_bytes(region)).digest() != bytes(digests[number]):
            yield f"item {number}: its path {os.fsdecode(path)!r} is damaged: its checksum does not fit"


def _vectors(home: Path) -> Iterator[str]:
    for path in sorted((home / "vectors").glob("*/rows.json")):
        try:
            record: dict[str, Any] = json.loads(path.read_bytes())
            rows, dim, size = int(record["rows"]), int(record["dim"]), np.dtype(str(record["dtype"])).itemsize
            if rows < 0 or dim < 1 or not isinstance(record["about"], dict):
                raise ValueError("it holds no number of rows")
            vectors, keys = path.with_name("vectors.npy").stat().st_size, path.with_name("keys").stat().st_size
            if vectors < HEADER + rows * dim * size or keys < KEY * rows:
                raise ValueError(f"there are fewer vectors than the {rows:,} it counts")
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            folder = os.fspath(path.parent)
            yield f"the vectors in {folder!r} cannot be used ({error}): delete that folder, they are computed again"


def _leases(home: Path, project: Project) -> Iterator[str]:
    path = home / f"leases-{project.uid}.jsonl"
    if not path.is_file():
        return
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            read_line(line)
        except (ValueError, KeyError, TypeError, RecursionError):
            yield f"{path.name}, line {number} cannot be read and is passed over: somebody is given another question"
