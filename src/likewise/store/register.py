"""The register: the items of a project joined with what the catalogue knows of their files."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from likewise.images.catalog import FileState, WatchedCatalog
from likewise.store import schema
from likewise.store.database import Database
from likewise.store.items import PRESENT, Region, read_paths, read_states, region_bytes

__all__ = ["Files", "Register", "RegisteredItem", "region_key", "registered_item"]


class RegisteredItem(NamedTuple):
    """An item in the register: its path, its region, the key of vectors that were given for it alone, and which region
    of its picture it is, from 1 (0: the whole picture).
    """

    path: bytes
    region: Region | None
    own_key: bytes
    number: int = 0


def registered_item(uid: str, path: bytes, region: Region | None, number: int = 0) -> RegisteredItem:
    """An item of the project with this uid."""
    own = f"likewise item {uid}\0".encode() + path + region_bytes(region)
    return RegisteredItem(path, region, hashlib.sha256(own).digest(), number)


def region_key(content: bytes, region: Region | None) -> bytes:
    """The key of vectors computed from a picture, or from a region of it."""
    return content if region is None else hashlib.sha256(content + region_bytes(region)).digest()


@dataclass(frozen=True, eq=False)
class Files:
    """All items and the states of their files, as of one moment; both by id."""

    items: list[RegisteredItem]
    states: list[FileState]

    def __len__(self) -> int:
        return len(self.states)

    def picture_key(self, number: int) -> bytes | None:
        """The key of vectors computed from what the item shows: None where that is not known."""
        content = self.states[number].content
        return None if content is None else region_key(content, self.items[number].region)


class Register:
    """Reads items and catalogue, and reads them again only where something changed.

    - `database`: Holds the items.
    - `project_id`, `uid`, int, str: The project.
    - `catalog`: The catalogue of the project folder. A file that it does not know has the state that the database
      has for it, and is present otherwise: as a list without a folder has it.
    """

    def __init__(self, database: Database, project_id: int, uid: str, catalog: WatchedCatalog | None) -> None:
        self._database = database
        self._project_id = project_id
        self._uid = uid
        self._catalog = catalog
        self._lock = threading.Lock()
        self._items: list[RegisteredItem] = []
        self._regions: dict[bytes, list[int]] = {}  # by path: the items that are regions of it
        self._files = Files([], [])
        self._seen: object = None

    def files(self) -> Files:
        """All items with the states of their files, as of now."""
        with self._caught_up() as connection:
            stored = read_states(connection, self._project_id)
            version = None if self._catalog is None else self._catalog.version()
            seen = (len(self._items), version, stored)
            if seen != self._seen:
                self._files = Files(self._items[:], self._states(stored))
                self._seen = seen
            return self._files

    def whole_pictures(self) -> dict[bytes, int]:
        """Ids by path, of items that are whole pictures."""
        with self._caught_up():
            return {item.path: number for number, item in enumerate(self._items) if item.region is None}

    def regions(self) -> dict[bytes, dict[int, Region]]:
        """Regions of pictures, by path and id."""
        with self._caught_up():
            found: dict[bytes, dict[int, Region]] = {}
            for path, numbers in self._regions.items():
                regions = ((number, self._items[number].region) for number in numbers)
                found[path] = {number: region for number, region in regions if region is not None}
            return found

    def regions_of(self, path: bytes) -> dict[int, Region]:
        """Regions of one picture, by id."""
        with self._caught_up():
            found = ((number, self._items[number].region) for number in self._regions.get(path, ()))
            return {number: region for number, region in found if region is not None}

    def n_regions(self) -> int:
        """Number of regions of all pictures."""
        with self._caught_up():
            return sum(map(len, self._regions.values()))

    def number_of(self, item: int) -> int:
        """Which region of its picture an item is, from 1; 0 for a whole picture."""
        with self._caught_up():
            return self._items[item].number

    def state(self, connection: Connection, number: int, path: bytes) -> FileState:
        """The state of one item's file."""
        found = None if self._catalog is None else self._catalog.state(path)
        if found is None:
            found = read_states(connection, self._project_id, schema.file_state.c.item_id == number).get(number)
        return PRESENT if found is None else found

    @contextmanager
    def _caught_up(self) -> Iterator[Connection]:
        """Read the items that are new, and keep other threads out."""
        # The connection first, then the lock, as in Project._current.
        with self._database.read() as connection, self._lock:
            for number, path, region in read_paths(connection, self._project_id, len(self._items)):
                assert number == len(self._items)
                mine = [] if region is None else self._regions.setdefault(path, [])
                mine.append(number)
                which = 0 if region is None else len(mine)
                self._items.append(registered_item(self._uid, path, region, which))
            yield connection

    def _states(self, stored: dict[int, FileState]) -> list[FileState]:
        known = {} if self._catalog is None else self._catalog.states()
        return [known.get(item.path) or stored.get(number, PRESENT) for number, item in enumerate(self._items)]
