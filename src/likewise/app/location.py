"""Where a project is: what another process needs to open it too."""

from __future__ import annotations

import os
from dataclasses import dataclass

from likewise.images.private import keep_private
from likewise.store import Project, Store


@dataclass(frozen=True)
class Location:
    """A project in a store.

    - `where`: Folder or URL of the store.
    - `folder`: The project folder: vectors, thumbnails and, with SQLite, the database.
    - `name`: The project's name in the store.
    - `model`: Name of the vectors that are used.
    """

    where: str
    folder: str
    name: str
    model: str

    @property
    def answers(self) -> str:
        """Where the answers are kept, for a message."""
        return "the database" if "://" in self.where else self.folder

    def open_store(self, *, create: bool = True) -> Store:
        """Open the store; made where there is none, unless `create` is false."""
        if create or os.path.isdir(self.folder):
            keep_private(self.folder)
        return Store.open(self.where, folder=self.folder, create=create)

    def find(self, store: Store) -> Project:
        """The project in it; an error where it is not there."""
        return store.project(self.name)

    def project_of(self, store: Store) -> Project:
        """The project in it, made when it is not there."""
        names = [project.name for project in store.projects()]
        return store.project(self.name) if self.name in names else store.create_project(self.name)
