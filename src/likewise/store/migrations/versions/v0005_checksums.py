"""Checksums of events, each by itself and chained, and of annotators' names; rows that are there get theirs now.

It also marks the version from which edits of groups carry the numbers of the groups (name, confirm, unconfirm, split,
move, merge, grid): older versions must refuse such projects.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

BLOCK = 2000
SIZE = 16
TRIGGER = """
CREATE TRIGGER event_UPDATE BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END
"""
# SQLite's driver fails on a whole answer where one text in it is damaged: they are read as bytes.
COLUMNS = {
    "sqlite": "CAST(kind AS BLOB), annotator_id, CAST(at AS BLOB), seconds, CAST(payload AS BLOB), CAST(key AS BLOB)",
    "postgresql": "kind, annotator_id, at, seconds, CAST(payload AS TEXT), key",
}
SET = sa.text("UPDATE event SET checksum = :checksum WHERE project_id = :project AND seq = :seq")
SET_NAME = sa.text("UPDATE annotator SET checksum = :checksum WHERE id = :id")


def upgrade() -> None:
    """Add the columns and fill them."""
    bind = op.get_bind()
    sqlite = bind.dialect.name == "sqlite"
    op.add_column("event", sa.Column("checksum", sa.LargeBinary))
    op.add_column("annotator", sa.Column("checksum", sa.LargeBinary))
    op.execute(
        "DROP TRIGGER IF EXISTS event_UPDATE" if sqlite else "ALTER TABLE event DISABLE TRIGGER event_append_only"
    )
    for (project,) in bind.execute(sa.text("SELECT id FROM project ORDER BY id")).all():
        _fill(bind, project)
    op.execute(TRIGGER if sqlite else "ALTER TABLE event ENABLE TRIGGER event_append_only")
    names = sa.text(f"SELECT id, {'CAST(name AS BLOB)' if sqlite else 'name'} FROM annotator")
    for number, name in bind.execute(names).all():
        bind.execute(SET_NAME, {"id": number, "checksum": _digest(_bytes(name))})


def _fill(bind: sa.Connection, project: int) -> None:
    columns = COLUMNS[bind.dialect.name]
    rows = sa.text(
        f"SELECT seq, {columns} FROM event WHERE project_id = :project AND seq > :after ORDER BY seq LIMIT {BLOCK}"
    )
    after, chain = 0, bytes(SIZE)
    while block := bind.execute(rows, {"project": project, "after": after}).all():
        new = []
        for row in block:
            own = _own(project, *row)
            chain = _digest(chain + own)
            new.append({"project": project, "seq": row[0], "checksum": own + chain})
        bind.execute(SET, new)
        after = block[-1][0]


def _own(
    project: int, seq: int, kind: Any, annotator: int, at: Any, seconds: float | None, payload: Any, key: Any
) -> bytes:
    about = f"{project} {seq} {annotator} {seconds!r}".encode()
    if isinstance(at, datetime):
        at = at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
    return _digest(b"\0".join((about, _bytes(at), _bytes(kind), _bytes(key), _bytes(payload))))


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=SIZE).digest()
