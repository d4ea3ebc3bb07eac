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
    "STATUSES",
    "Moment",
    "annotator",
    "event",
    "image",
    "invite",
    "metadata",
    "project",
    "secret",
]

KEY_LENGTH = 200
STATUSES = ("present", "gone", "unreadable")
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

# A path is kept in the bytes of the file system, whatever they are. It is unique by its digest because
# PostgreSQL indexes at most 2704 bytes of a value and a path may be longer.
image = Table(
    "image",
    metadata,
    Column("project_id", Integer, ForeignKey("project.id"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("path", LargeBinary, nullable=False),
    Column("path_digest", LargeBinary, nullable=False),
    Column("status", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("width", Integer),
    Column("height", Integer),
    Column("added_at", Moment, nullable=False),
    UniqueConstraint("project_id", "path_digest"),
    CheckConstraint("position >= 0", name="position"),
    CheckConstraint("status IN ('present', 'gone', 'unreadable')", name="status"),
)

annotator = Table(
    "annotator",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("project_id", Integer, ForeignKey("project.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
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
