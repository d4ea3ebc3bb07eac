"""The items of a project in SQL: an id that never changes, and the path of a picture or a region of it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, delete, insert, select

from likewise.images.catalog import FileState
from likewise.store import schema
from likewise.store.lookups import find_numbers, next_number
from likewise.store.payloads import check_text

__all__ = [
    "BLOCK",
    "PRESENT",
    "Image",
    "Item",
    "ItemPath",
    "Region",
    "blocks",
    "change_states",
    "check_region",
    "check_state",
    "count",
    "item_digest",
    "path_bytes",
    "read_items",
    "read_paths",
    "read_states",
    "region_bytes",
]

ItemPath: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]
Region: TypeAlias = tuple[int, int, int, int]
T = TypeVar("T")

BLOCK = 250  # items written at once: an answer that comes in between waits for one block, not for all
PRESENT = FileState("present", "", None, None, None)


@dataclass(frozen=True)
class Item:
    """What is asked about: a whole picture, or a region of one.

    Attributes
    ----------
    id : int
        Its number, from 0: the item number of sessions. Never given to another.
    path : str
        Where the picture is; bytes that are no text are escaped as :func:`os.fsdecode` does.
    status : "present", "waiting", "gone" or "unreadable"
        The state of the file; "waiting" is found and not read yet. That a person finds the picture bad is an event,
        not a status.
    reason : str
        Why it cannot be read, in plain words.
    width, height : int or None
        Size of the picture where it is known.
    added_at : datetime
        When it was added, in UTC.
    region : (x, y, width, height) or None
        The region in pixels of the upright picture; None is the whole picture.
    content : bytes or None
        SHA-256 of the file, where it was read.
    number : int
        Of a region: the how manieth of its picture it is, from 1; 0 for a whole picture.
    """

    id: int
    path: str
    status: str
    reason: str
    width: int | None
    height: int | None
    added_at: datetime
    region: Region | None = None
    content: bytes | None = None
    number: int = 0

    @property
    def name(self) -> str:
        """The path, and of a region its number: ``photo.jpg#2``."""
        return f"{self.path}#{self.number}" if self.number else self.path

    @property
    def position(self) -> int:
        """The id, by its name in earlier versions."""
        return self.id


Image = Item  # its name in earlier versions


def blocks(values: Iterable[T], size: int = BLOCK) -> Iterator[list[T]]:
    """Cut into lists of at most `size`."""
    iterator = iter(values)
    while block := list(islice(iterator, size)):
        yield block


def path_bytes(path: ItemPath) -> bytes:
    """Check a path and give the bytes under which it is kept."""
    name = os.fsencode(path)
    if not name or b"\0" in name:
        raise ValueError(f"{path!r} is not the path of a picture")
    return name


def region_bytes(region: Region | None) -> bytes:
    """A region as part of a digest; no path ends like this."""
    return b"" if region is None else b"\0" + ",".join(map(str, region)).encode()


def item_digest(path: bytes, region: Region | None) -> bytes:
    """What makes an item: its path and, of a region, where it is."""
    return hashlib.sha256(path + region_bytes(region)).digest()


def check_region(region: Region) -> Region:
    """Check a region and give it as plain numbers."""
    found = tuple(int(number) for number in region)
    if len(found) != 4 or found != tuple(region) or min(found) < 0 or min(found[2:]) < 1 or max(found) >= 2**31:
        raise ValueError(f"a region is x, y, width and height in pixels, got {region!r}")
    x, y, w, h = found
    return x, y, w, h


def count(connection: Connection, project_id: int) -> int:
    """Number of ids given so far."""
    return next_number(connection, schema.item, "id", project_id, 0)


class Adding:
    """Adding items to a project block by block; what is there is looked up before, so that no writer waits for it."""

    def __init__(self, connection: Connection, project_id: int, wanted: list[tuple[bytes, Region | None]]) -> None:
        self.project_id = project_id
        self.seen = count(connection, project_id)  # all that lies before was looked at
        digests = {item_digest(*each) for each in wanted}
        self.known = find_numbers(connection, schema.item, "id", "digest", project_id, digests)

    def write(self, connection: Connection, wanted: list[tuple[bytes, Region | None]]) -> list[int]:
        """Add the pictures and regions that are new and give the ids of all, in order."""
        self._catch_up(connection)
        now = datetime.now(UTC)
        digests = [item_digest(*each) for each in wanted]
        rows: list[dict[str, Any]] = []
        for (name, region), digest in zip(wanted, digests, strict=True):
            if digest not in self.known:
                self.known[digest] = self.seen + len(rows)
                row = {"project_id": self.project_id, "id": self.known[digest], "path": name}
                row |= dict(zip("xywh", region or (None,) * 4, strict=True))
                rows.append(row | {"digest": digest, "added_at": now})
        if rows:
            connection.execute(insert(schema.item), rows)
            self.seen += len(rows)
        return [self.known[digest] for digest in digests]

    def _catch_up(self, connection: Connection) -> None:
        table = schema.item.c
        new = select(table.digest, table.id).where(table.project_id == self.project_id, table.id >= self.seen)
        for digest, number in connection.execute(new.order_by(table.id)):
            self.known[digest] = number
            self.seen = number + 1


def read_items(
    connection: Connection, project_id: int, *conditions: Any
) -> Iterator[tuple[int, bytes, Region | None, datetime]]:
    """Id, path, region and time of adding of the items that meet the conditions, by id."""
    for *row, added_at in _select(connection, project_id, conditions, schema.item.c.added_at):
        yield *_listed(*row), added_at


def read_paths(connection: Connection, project_id: int, first: int) -> Iterator[tuple[int, bytes, Region | None]]:
    """Id, path and region of the items from one on, by id: without their times, which take longest to read."""
    for row in _select(connection, project_id, [schema.item.c.id >= first]):
        yield _listed(*row)


def _select(connection: Connection, project_id: int, conditions: Iterable[Any], *more: Any) -> Iterable[Any]:
    table = schema.item.c
    columns = (table.id, table.path, table.x, table.y, table.w, table.h, *more)
    mine = select(*columns).where(table.project_id == project_id, *conditions)
    return connection.execute(mine.order_by(table.id))


def _listed(number: int, path: bytes, x: int | None, y: int, w: int, h: int) -> tuple[int, bytes, Region | None]:
    return number, bytes(path), None if x is None else (x, y, w, h)


def read_states(connection: Connection, project_id: int, *conditions: Any) -> dict[int, FileState]:
    """The states of files that were kept in the database, by item."""
    table = schema.file_state.c
    columns = (table.item_id, table.status, table.reason, table.width, table.height, table.content)
    rows = connection.execute(select(*columns).where(table.project_id == project_id, *conditions))
    return {number: FileState(*state) for number, *state in rows}


def change_states(
    connection: Connection, project_id: int, changes: Mapping[int, Mapping[str, Any]], n_items: int
) -> None:
    """Set status, reason, width or height of some items, leaving their other fields."""
    old = read_states(connection, project_id)
    table = schema.file_state
    rows = []
    for number, change in changes.items():
        if not 0 <= number < n_items:
            raise ValueError(f"item {number} is not there: there are {n_items}")
        state = check_state({**old.get(number, PRESENT)._asdict(), **change})
        rows.append({"project_id": project_id, "item_id": number, **state})
    for block in blocks(rows):
        numbers = [row["item_id"] for row in block]
        connection.execute(delete(table).where(table.c.project_id == project_id, table.c.item_id.in_(numbers)))
        connection.execute(insert(table), block)


def check_state(state: dict[str, Any]) -> dict[str, Any]:
    """Check the state of a file; a ValueError says what is wrong."""
    if unknown := state.keys() - set(FileState._fields):
        raise ValueError(f"unknown field {min(unknown)!r} (fields are: {', '.join(FileState._fields)})")
    status, reason, width, height, content = FileState(**state)
    if status not in schema.STATES:
        raise ValueError(f"the status is one of {', '.join(schema.STATES)}, got {status!r}")
    for side in (width, height):
        if side is not None and not (isinstance(side, int) and 0 < side < 2**31):
            raise ValueError(f"width and height are numbers of pixels, got {side!r}")
    if content is not None and not (isinstance(content, bytes) and len(content) == 32):
        raise ValueError("the content is the SHA-256 of a file, 32 bytes")
    return {**state, "reason": check_text(reason, "reason")}
