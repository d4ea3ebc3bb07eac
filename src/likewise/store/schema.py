"""The tables. Whatever changes here needs a migration; a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

__all__ = [
    "KEY_LENGTH",
    "NAMING",
    "STATES",
    "Moment",
    "annotator",
    "event",
    "file_state",
    "invite",
    "item",
    "metadata",
    "project",
    "secret",
]

KEY_LENGTH = 200
STATES = ("present", "gone", "unreadable")
REGION = "x >= 0 AND y >= 0 AND w > 0 AND h > 0"
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Moment(TypeDecorator[datetime]):
    """A point in time, in UTC on both databases (SQLite keeps no time zone)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Bring to UTC before it is written."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Give it back in UTC."""
        if value is None:
            return None
        moment: datetime = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        return moment


metadata = MetaData(naming_convention=NAMING)

project = Table(
    "project",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", String(32), nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("settings", JSON, nullable=False),
    UniqueConstraint("uid"),
    UniqueConstraint("name"),
)

# An item is a whole picture, or a region of one in pixels. The path is kept in the bytes of the file system, whatever
# they are. Items are unique by a digest of path and region: PostgreSQL indexes at most 2704 bytes of a value.
item = Table(
    "item",
    metadata,
    Column("project_id", Integer, ForeignKey("project.id"), primary_key=True),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("path", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("x", Integer),
    Column("y", Integer),
    Column("w", Integer),
    Column("h", Integer),
    Column("added_at", Moment, nullable=False),
    UniqueConstraint("project_id", "digest"),
    CheckConstraint("id >= 0", name="id"),
    CheckConstraint(f"(x IS NULL AND y IS NULL AND w IS NULL AND h IS NULL) OR ({REGION})", name="region"),
)

# Files that no catalogue knows: of archives read without their pictures, and of versions before 0004.
file_state = Table(
    "file_state",
    metadata,
    Column("project_id", Integer, primary_key=True),
    Column("item_id", Integer, primary_key=True, autoincrement=False),
    Column("status", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("width", Integer),
    Column("height", Integer),
    Column("content", LargeBinary),
    ForeignKeyConstraint(["project_id", "item_id"], ["item.project_id", "item.id"]),
    CheckConstraint("status IN ('present', 'gone', 'unreadable')", name="status"),
)

annotator = Table(
    "annotator",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("project_id", Integer, ForeignKey("project.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("checksum", LargeBinary),
    UniqueConstraint("project_id", "name"),
)

# JSON and not JSONB: the payload is given back as it was written, on both databases.
event = Table(
    "event",
    metadata,
    Column("project_id", Integer, ForeignKey("project.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("annotator_id", Integer, ForeignKey("annotator.id"), nullable=False),
    Column("at", Moment, nullable=False),
    Column("seconds", Float),
    Column("payload", JSON, nullable=False),
    Column("key", String(KEY_LENGTH), nullable=False),
    Column("checksum", LargeBinary),
    UniqueConstraint("project_id", "key"),
    CheckConstraint("seq >= 1", name="seq"),
    CheckConstraint("seconds >= 0", name="seconds"),
)

# Keys that never leave the server: not in settings, exports or archives.
secret = Table(
    "secret",
    metadata,
    Column("project_id", Integer, ForeignKey("project.id"), primary_key=True),
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

invite = Table(
    "invite",
    metadata,
    Column("project_id", Integer, ForeignKey("project.id"), primary_key=True),
    Column("uid", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("revoked_at", Moment),
)
