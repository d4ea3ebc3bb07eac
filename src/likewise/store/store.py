"""Opening a store, and the projects in it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, Select, insert, select

from likewise.images.catalog import WatchedCatalog
from likewise.store import schema
from likewise.store.database import Database
from likewise.store.errors import StoreError, UnknownProjectError
from likewise.store.fields import check_size
from likewise.store.migration import back_up, bring_up_to_date
from likewise.store.payloads import check_text, plain_object
from likewise.store.project import Project

__all__ = ["Store"]

PROJECT_NAME_LENGTH = 200


class Store:
    """Projects in one database: SQLite in a folder, or PostgreSQL.

    Answers are append-only events. When :meth:`Project.append <likewise.store.Project.append>` returns, the
    event is on disk; all state is rebuilt from the events alone.

    Examples
    --------
    >>> import tempfile
    >>> with Store.open(tempfile.mkdtemp()) as store:
    ...     project = store.create_project("leaves")
    ...     ids = project.add_items(["a.jpg", "b.jpg", "c.jpg"])
    ...     answer = {"kind": "pair", "items": [0, 1], "value": "same"}
    ...     event = project.append("answer", answer, annotator="ann", seconds=1.5)
    ...     merged = project.append("merge", {"groups": [[0, 1], [2]]}, annotator="ann")
    ...     taken_back = project.undo("ann")
    ...     project.answers()
    [Answer(kind='pair', items=(0, 1), value='same', annotator='ann', seconds=1.5)]
    """

    def __init__(self, database: Database, folder: Path | None, backup: Path | None = None) -> None:
        self.folder = folder
        self._catalog = None if folder is None else WatchedCatalog(folder)
        self.upgraded_from = backup
        self._database = database

    @classmethod
    def open(
        cls, where: str | os.PathLike[str], *, folder: str | os.PathLike[str] | None = None, create: bool = True
    ) -> Self:
        """Open a store; tables of an older version are upgraded, after a copy where it is SQLite.

        Parameters
        ----------
        where : str or path-like
            A folder (SQLite in ``likewise.db``), or a URL: ``sqlite:///file.db``,
            ``postgresql://user:password@host/name``.
        folder : str or path-like, optional
            The project folder: catalogue and vectors. By default that of the SQLite file.
        create : bool
            Whether to make it where there is none (PostgreSQL: the tables, not the database).

        Returns
        -------
        Store
            Its `upgraded_from` is the copy made before an upgrade, or None.
        """
        database = Database(where)
        if database.file is not None:
            if not create and not database.file.is_file():
                raise FileNotFoundError(f"there is no project in {os.fspath(database.file.parent)!r}")
            _require_usable(database.file)
            database.file.parent.mkdir(parents=True, exist_ok=True)
            folder = database.file.parent if folder is None else folder
        try:
            backup = bring_up_to_date(database)
        except BaseException:
            database.close()
            raise
        return cls(database, None if folder is None else Path(folder), backup)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Store({str(self._database)!r})"

    def close(self) -> None:
        """Close all connections; nothing is waiting to be written."""
        if self._catalog is not None:
            self._catalog.close()
        self._database.close()

    def projects(self) -> list[Project]:
        """All projects, oldest first."""
        with self._database.read() as connection:
            rows = connection.execute(_select_projects()).all()
        return [self._project(row) for row in rows]

    def project(self, name: str | None = None) -> Project:
        """The project of a name, or the only one there is."""
        if name is not None:
            with self._database.read() as connection:
                row = _find(connection, name)
            if row is None:
                raise UnknownProjectError(f"there is no project {name!r} in {self._database}")
            return self._project(row)
        projects = self.projects()
        if len(projects) != 1:
            names = ", ".join(repr(each.name) for each in projects) or "none"
            raise UnknownProjectError(f"say which project of {self._database}: there is {names}")
        return projects[0]

    def create_project(
        self, name: str, settings: Mapping[str, Any] | None = None, *, exist_ok: bool = False
    ) -> Project:
        """Make a project, or with `exist_ok` give the one of that name with the settings it has."""
        if not check_text(name, "the project's name", PROJECT_NAME_LENGTH).strip():
            raise ValueError("a project needs a name")
        kept = plain_object(settings or {}, "settings")
        check_size(kept, "settings")
        row = {"uid": secrets.token_hex(8), "name": name, "created_at": datetime.now(UTC), "settings": kept}
        with self._database.write() as connection:
            found = _find(connection, name)
            if found is None:
                connection.execute(insert(schema.project).values(row))
                found = _find(connection, name)
            elif not exist_ok:
                raise ValueError(f"there is a project {name!r} already")
        assert found is not None
        return self._project(found)

    def back_up(self, target: str | os.PathLike[str]) -> None:
        """Copy the SQLite database to a file, also while it is written to; pg_dump does it for PostgreSQL."""
        if self._database.file is None:
            raise StoreError("a PostgreSQL database is copied with pg_dump")
        back_up(self._database.file, Path(target))

    def _project(self, row: Sequence[Any]) -> Project:
        return Project(self._database, self.folder, self._catalog, *row)


def _require_usable(file: Path) -> None:
    """Refuse a database that would be replaced by an empty one, or that cannot be written to."""
    folder = file.parent
    if not file.exists():
        return
    for path in (file, folder):
        if not os.access(path, os.W_OK):
            raise StoreError(f"the project in {os.fspath(folder)!r} cannot be written to: {path.name!r} is read-only")
    others = ("likewise-index.sqlite", f"{file.name}-wal", "vectors", "leases-*.jsonl", f"{file.stem}-*.backup.db")
    if file.stat().st_size == 0 and any(found for name in others for found in folder.glob(name)):
        raise StoreError(
            f"{os.fspath(file)!r} is empty, and there are other files of a project beside it: put a copy of the"
            " database there, or import an archive elsewhere; to begin anew, delete the empty file"
        )


def _select_projects() -> Select[Any]:
    table = schema.project.c
    return select(table.id, table.uid, table.name, table.created_at).order_by(table.id)


def _find(connection: Connection, name: str) -> Sequence[Any] | None:
    return connection.execute(_select_projects().where(schema.project.c.name == name)).first()
