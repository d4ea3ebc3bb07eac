"""The items of a project, the state of their files, and their vectors."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from likewise.images.catalog import FileState, WatchedCatalog
from likewise.store import schema
from likewise.store.database import Database
from likewise.store.errors import StoreError
from likewise.store.items import (
    Adding,
    Item,
    ItemPath,
    Region,
    blocks,
    change_states,
    check_region,
    count,
    path_bytes,
    read_items,
)
from likewise.store.register import Register
from likewise.store.vectors import VectorFolder, Vectors

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

__all__ = ["ProjectItems"]


class ProjectItems:
    """The part of a :class:`~likewise.store.Project` that is about its items.

    - `database`: Where the items are.
    - `folder`: The project folder, for vectors.
    - `catalog`: What is known of the files in the folder of pictures.
    - `id`, `uid`, int, str: The project.
    """

    def __init__(
        self, database: Database, folder: Path | None, catalog: WatchedCatalog | None, id: int, uid: str
    ) -> None:
        self.id = id
        self.uid = uid
        self.folder = folder
        self._database = database
        self._register = Register(database, id, uid, catalog)
        self._vectors = None if folder is None else VectorFolder(folder, uid, self._register.files)
        self._n_items = 0

    @property
    def n_items(self) -> int:
        """Number of ids given so far; items whose picture is gone keep theirs."""
        with self._database.read() as connection:
            self._n_items = count(connection, self.id)
        return self._n_items

    def add_items(self, paths: Iterable[ItemPath]) -> list[int]:
        """Add whole pictures as items; one that is there keeps its id.

        Written in blocks: interrupted, some are in, and adding all again completes it.

        - `paths`, iterable of str, bytes or path-like: Where they are, in whatever form the caller wants to find
          them under again.
        - Returns list of int: The id of each.
        """
        return self._add([(path_bytes(path), None) for path in paths])

    def add_regions(self, regions: Iterable[tuple[ItemPath, Region]]) -> list[int]:
        """Add regions of pictures as items; one that is there keeps its id.

        - `regions`, iterable of (path, (x, y, width, height)): The pictures as of :meth:`add_items`, and the regions in
          pixels of the upright picture.
        - Returns list of int: The id of each.
        """
        return self._add([(path_bytes(path), check_region(region)) for path, region in regions])

    def _add(self, wanted: list[tuple[bytes, Region | None]]) -> list[int]:
        with self._database.read() as connection:
            adding = Adding(connection, self.id, wanted)
        ids: list[int] = []
        for block in blocks(wanted):
            with self._database.write(self.id) as connection:
                ids += adding.write(connection, block)
        return ids

    def items(self, status: str | None = None) -> list[Item]:
        """All items by id, or those whose picture has one status."""
        files = self._register.files()
        with self._database.read() as connection:
            rows = list(read_items(connection, self.id, schema.item.c.id < len(files)))
        parts = zip(rows, files.states, files.items, strict=True)
        found = (_item(row, state, registered.number) for row, state, registered in parts)
        return [item for item in found if status in (None, item.status)]

    def item(self, number: int) -> Item:
        """One item; an IndexError where there is none."""
        with self._database.read() as connection:
            for row in read_items(connection, self.id, schema.item.c.id == number):
                which = 0 if row[2] is None else self._register.number_of(number)
                return _item(row, self._register.state(connection, number, row[1]), which)
        raise IndexError(f"item {number} is not there")

    def ids(self, status: str) -> list[int]:
        """Ids of the items whose picture has a status."""
        return [number for number, state in enumerate(self._register.files().states) if state.status == status]

    def lost(self) -> list[int]:
        """Ids of the items whose picture was read and is gone; a name that never led to a file is no loss."""
        states = self._register.files().states
        return [number for number, state in enumerate(states) if state.status == "gone" and state.content is not None]

    def whole_pictures(self) -> dict[bytes, int]:
        """Ids by path, of the items that are whole pictures."""
        return self._register.whole_pictures()

    def regions(self) -> dict[bytes, dict[int, Region]]:
        """The items that are regions of pictures, by path and id."""
        return self._register.regions()

    def regions_of(self, path: ItemPath) -> dict[int, Region]:
        """The items that are regions of one picture, by id."""
        return self._register.regions_of(path_bytes(path))

    @property
    def n_regions(self) -> int:
        """Number of items that are regions of pictures."""
        return self._register.n_regions()

    def update_items(self, changes: Mapping[int, Mapping[str, Any]]) -> None:
        """Set status, reason, width, height or content of items whose files no folder's index knows, by id."""
        n_items = self.n_items
        with self._database.write(self.id) as connection:
            change_states(connection, self.id, changes, n_items)

    def forget_states(self) -> None:
        """Remove what :meth:`update_items` and older versions kept: the catalogue now knows all files."""
        table = schema.file_state
        with self._database.read() as connection:
            some = connection.execute(select(table.c.item_id).where(table.c.project_id == self.id).limit(1)).first()
        if some is not None:
            with self._database.write(self.id) as connection:
                connection.execute(delete(table).where(table.c.project_id == self.id))

    # by their names in earlier versions
    n_images = n_items
    add_images = add_items
    images = items
    image = item
    update_images = update_items

    def vectors(
        self,
        name: str,
        dim: int | None = None,
        *,
        dtype: DTypeLike = "float32",
        about: Mapping[str, Any] | None = None,
        write: bool = False,
    ) -> Vectors:
        """The vectors of a model or of another name: see :class:`~likewise.store.Vectors`.

        - `name`: A model as of :func:`likewise.images.embed`, or the name under which others were imported.
        - `dim`: Length of a vector; needed to make them, checked otherwise.
        - `dtype`, dtype: A floating point type, for new ones.
        - `about`: Where they come from: kept, and checked when they are opened again. With ``from`` in it they were
          given and not computed from the pictures.
        - `write`: Whether to make them where there are none.
        """
        return self._vector_folder().open(name, dim, dtype, about, write)

    def vector_names(self) -> list[str]:
        """The names under which there are vectors of the items."""
        return [] if self._vectors is None else self._vectors.names()

    def _vector_folder(self) -> VectorFolder:
        if self._vectors is None:
            raise StoreError("vectors are files: open the store with a folder for them")
        return self._vectors


def _item(row: tuple[int, bytes, Region | None, datetime], state: FileState, which: int) -> Item:
    number, path, region, added_at = row
    return Item(number, os.fsdecode(path), *state[:4], added_at, region, state.content, which)
