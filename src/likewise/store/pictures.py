"""The images of a project in SQL: a position that never changes, a path, and the state of the file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, bindparam, insert, select, update

from likewise.store import schema
from likewise.store.lookups import find_numbers, next_number
from likewise.store.payloads import check_text

__all__ = [
    "BLOCK",
    "Image",
    "ImagePath",
    "blocks",
    "change_block",
    "count",
    "path_bytes",
    "read",
]

ImagePath: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]
T = TypeVar("T")

BLOCK = 250  # images written at once: an answer that comes in between waits for one block, not for all
FIELDS = ("status", "reason", "width", "height")


@dataclass(frozen=True)
class Image:
    """One image of a project.

    Attributes
    ----------
    position : int
        Its index, from 0: the item number of sessions and the row of its vector. Never given to another.
    path : str
        Where it is; bytes that are no text are escaped as :func:`os.fsdecode` does.
    status : "present", "gone" or "unreadable"
        The state of the file. That a person finds the picture bad is an event, not a status.
    reason : str
        Why it cannot be read, in plain words.
    width, height : int or None
        Its size where it is known.
    added_at : datetime
        When it was added, in UTC.
    """

    position: int
    path: str
    status: str
    reason: str
    width: int | None
    height: int | None
    added_at: datetime


def blocks(values: Iterable[T], size: int = BLOCK) -> Iterator[list[T]]:
    """Cut into lists of at most `size`."""
    iterator = iter(values)
    while block := list(islice(iterator, size)):
        yield block


def path_bytes(path: ImagePath) -> bytes:
    """Check a path and give the bytes under which it is kept."""
    name = os.fsencode(path)
    if not name or b"\0" in name:
        raise ValueError(f"{path!r} is not the path of an image")
    return name


def count(connection: Connection, project_id: int) -> int:
    """Number of positions given so far."""
    return next_number(connection, schema.image, "position", project_id, 0)


class Adding:
    """Adding images to a project block by block; what is there is looked up before, so that no writer waits for it."""

    def __init__(self, connection: Connection, project_id: int, names: list[bytes]) -> None:
        self.project_id = project_id
        self.seen = count(connection, project_id)  # all that lies before was looked at
        digests = {hashlib.sha256(name).digest() for name in names}
        self.known = find_numbers(connection, schema.image, "position", "path_digest", project_id, digests)

    def write(self, connection: Connection, names: list[bytes]) -> list[int]:
        """Add the paths that are new and give the positions of all, in order."""
        self._catch_up(connection)
        now = datetime.now(UTC)
        digests = [hashlib.sha256(name).digest() for name in names]
        rows: list[dict[str, Any]] = []
        for name, digest in zip(names, digests, strict=True):
            if digest not in self.known:
                self.known[digest] = self.seen + len(rows)
                rows.append(
                    {
                        "project_id": self.project_id,
                        "position": self.known[digest],
                        "path": name,
                        "path_digest": digest,
                        "status": "present",
                        "reason": "",
                        "added_at": now,
                    }
                )
        if rows:
            connection.execute(insert(schema.image), rows)
            self.seen += len(rows)
        return [self.known[digest] for digest in digests]

    def _catch_up(self, connection: Connection) -> None:
        table = schema.image.c
        new = select(table.path_digest, table.position).where(
            table.project_id == self.project_id, table.position >= self.seen
        )
        for digest, position in connection.execute(new.order_by(table.position)):
            self.known[digest] = position
            self.seen = position + 1


def check_change(position: int, change: Mapping[str, Any], n_images: int) -> dict[str, Any]:
    """Check what is to be changed of an image."""
    if not 0 <= position < n_images:
        raise ValueError(f"image {position} is not there: there are {n_images}")
    for name, value in change.items():
        if name not in FIELDS:
            raise ValueError(f"unknown field {name!r} (fields are: {', '.join(FIELDS)})")
        if name == "status" and value not in schema.STATUSES:
            raise ValueError(f"the status is one of {', '.join(schema.STATUSES)}, got {value!r}")
        if name == "reason":
            check_text(value, "reason")
        if (
            name in ("width", "height")
            and value is not None
            and not (isinstance(value, int) and 0 < value < 2**31)
        ):
            raise ValueError(f"the {name} is a number of pixels, got {value!r}")
    return dict(change)


def change_block(connection: Connection, project_id: int, changes: list[tuple[int, dict[str, Any]]]) -> None:
    """Write changes, those of the same fields together."""
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for position, change in changes:
        if change:
            row = {"at_position": position, **{f"new_{name}": value for name, value in change.items()}}
            alike.setdefault(tuple(sorted(change)), []).append(row)
    table = schema.image
    for names, rows in alike.items():
        statement = (
            update(table)
            .where(table.c.project_id == project_id, table.c.position == bindparam("at_position"))
            .values({name: bindparam(f"new_{name}") for name in names})
        )
        connection.execute(statement, rows)


def read(connection: Connection, project_id: int, *conditions: Any) -> list[Image]:
    """Give the images that meet the conditions, by position."""
    table = schema.image.c
    columns = (
        table.position,
        table.path,
        table.status,
        table.reason,
        table.width,
        table.height,
        table.added_at,
    )
    rows = connection.execute(
        select(*columns).where(table.project_id == project_id, *conditions).order_by(table.position)
    )
    return [Image(position, os.fsdecode(bytes(path)), *rest) for position, path, *rest in rows]
