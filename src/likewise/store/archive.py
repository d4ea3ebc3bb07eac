"""A project in one file: written from either database, read into either, event for event the same."""

from __future__ import annotations

import base64
import json
import os
import secrets
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection, insert

from likewise import __version__
from likewise.images.catalog import FileState
from likewise.images.inside import is_inside
from likewise.images.reading import SUFFIXES
from likewise.store import schema
from likewise.store.archive_reading import BadArchiveError, OpenArchive
from likewise.store.archive_rows import (
    FORMAT,
    VERSION,
    annotator_row,
    check_counts,
    checked_manifest,
    is_within,
    npy_shape,
    read_events,
    read_items,
)
from likewise.store.checksums import START, name_checksum
from likewise.store.database import to_json
from likewise.store.event_rows import insert_events
from likewise.store.fields import check_size
from likewise.store.items import PRESENT, Item, blocks
from likewise.store.log import Event
from likewise.store.migration import HEAD
from likewise.store.payloads import check_text, plain_object
from likewise.store.project import Project
from likewise.store.register import Files, registered_item
from likewise.store.settings import check_settings
from likewise.store.store import PROJECT_NAME_LENGTH, Store
from likewise.store.vectors import VectorFolder

__all__ = ["FORMAT", "VERSION", "BadArchiveError", "read_archive", "write_archive"]

BESIDE = ("truth.csv", "tags.csv")  # files of the project folder that go with it


def write_archive(project: Project, path: Path, home: Path | None, *, pictures: Path | None = None) -> int:
    """Write a project as a zip file; how many events it holds.

    Secrets and invitations stay behind. Answers that come while it is written are in it or not, never in part.

    - `project`: Read, never written.
    - `path`: The file.
    - `home`: The project folder, for the files kept there (the truth, tags).
    - `pictures`: The folder of pictures, when they are to be in it too.
    """
    events = project.events()
    items = project.items()
    annotators = project.annotators()
    outside = next((item.path for item in items if not is_within(os.fsencode(item.path))), None)
    if outside is not None:
        raise ValueError(f"{outside!r} is no path within a folder of pictures: it cannot be in an archive")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        _write_lines(archive, "events.jsonl", (event.as_dict() for event in events))
        _write_lines(archive, "images.jsonl", (_item_data(item) for item in items))
        people = ({"name": each.name, "created_at": each.created_at.isoformat()} for each in annotators)
        _write_lines(archive, "annotators.jsonl", people)
        archive.writestr("settings.json", json.dumps(project.settings()))
        vectors = _write_vectors(archive, project, len(items))
        for name in BESIDE:
            if home is not None and (home / name).is_file():
                archive.write(home / name, f"beside/{name}")
        if pictures is not None:
            for item in items:
                source = pictures / item.path
                is_there = item.status in ("present", "waiting") and source.is_file() and is_inside(pictures, source)
                if item.region is None and is_there:
                    archive.write(source, f"pictures/{item.id:08d}", zipfile.ZIP_STORED)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "tables": HEAD,
            "made_by": f"likewise {__version__}",
            "project": {"name": project.name, "created_at": project.created_at.isoformat()},
            "counts": {"images": len(items), "events": len(events), "annotators": len(annotators)},
            "vectors": vectors,
        }
        archive.writestr("manifest.json", json.dumps(manifest, indent=1))
    return len(events)


def read_archive(
    store: Store, path: Path, *, name: str | None = None, home: Path | None = None, pictures: Path | None = None
) -> Project:
    """Make a project of an archive: all of it or nothing.

    - `store`: Where to; there must be no project of the name.
    - `path`: The file. What is in it is checked before anything is written: names, sizes, every event.
    - `name`: What to call it, when not as it was called.
    - `home`: The project folder, for the files kept there.
    - `pictures`: The folder of pictures, for those that are in the archive; a file that is there is never replaced.

    Examples
    --------
    >>> import tempfile
    >>> with Store.open(tempfile.mkdtemp()) as one, Store.open(tempfile.mkdtemp()) as other:
    ...     leaves = one.create_project("leaves")
    ...     _ = leaves.add_items(["a.jpg", "b.jpg"])
    ...     _ = leaves.append("answer", {"kind": "pair", "items": [0, 1], "value": "same"})
    ...     path = Path(tempfile.mkdtemp()) / "leaves.zip"
    ...     _ = write_archive(leaves, path, None)
    ...     read_archive(other, path).events() == leaves.events()
    True
    """
    with OpenArchive(path) as archive:
        manifest = checked_manifest(archive)
        title = check_text(name or manifest["project"]["name"], "the project's name", PROJECT_NAME_LENGTH)
        if any(each.name == title for each in store.projects()):
            raise ValueError(f"there is a project {title!r} already; it is never replaced")
        items = list(read_items(archive))
        people = [annotator_row(line) for line in archive.lines("annotators.jsonl")]
        events = read_events(archive, len(items), {row["name"] for row in people})
        check_counts(manifest, items, people, events)
        settings = plain_object(archive.json("settings.json"), "settings")
        check_size(settings, "settings")
        check_settings(settings)
        planned = _plan_pictures(archive, items, pictures)
        uid = secrets.token_hex(8)
        made: list[Path] = []
        try:
            _copy_vectors(archive, manifest, store, uid, items, made)
            _copy_files(archive, planned, home, made)
            with store._database.write() as connection:
                number = _insert_project(connection, uid, title, manifest, settings)
                _insert_rows(connection, number, items, people, events)
        except BaseException:
            for each in reversed(made):
                shutil.rmtree(each) if each.is_dir() else each.unlink(missing_ok=True)
            raise
    return store.project(title)


def _write_lines(archive: zipfile.ZipFile, name: str, lines: Iterator[dict[str, Any]]) -> None:
    with archive.open(name, "w", force_zip64=True) as file:
        for line in lines:
            file.write(to_json(line).encode() + b"\n")


def _item_data(item: Item) -> dict[str, Any]:
    name = os.fsencode(item.path)
    try:
        path: dict[str, str] = {"path": name.decode()}
    except UnicodeDecodeError:  # the bytes of the file system, whatever they are
        path = {"path_bytes": base64.b64encode(name).decode()}
    status = "present" if item.status == "waiting" else item.status
    data = {"position": item.id, "status": status, "reason": item.reason, "width": item.width, "height": item.height}
    content = None if item.content is None else item.content.hex()
    return {**data, "content": content, "region": item.region, **path, "added_at": item.added_at.isoformat()}


def _write_vectors(archive: zipfile.ZipFile, project: Project, n_items: int) -> list[dict[str, Any]]:
    about = []
    for name in project.vector_names():
        vectors = project.vectors(name)
        with archive.open(f"vectors/{name}.npy", "w", force_zip64=True) as file:
            header = {"descr": vectors.dtype.str, "fortran_order": False, "shape": (n_items, vectors.dim)}
            np.lib.format.write_array_header_1_0(file, header)
            step = _rows_at_once(vectors.dim, vectors.dtype)
            for start in range(0, n_items, step):
                file.write(vectors.rows_of(np.arange(start, min(start + step, n_items))).tobytes())
        about.append({"name": name, "dim": vectors.dim, "dtype": vectors.dtype.str, "about": vectors.about})
    return about


def _rows_at_once(dim: int, dtype: np.dtype[Any]) -> int:
    return max(1, (1 << 22) // (dim * dtype.itemsize))


def _plan_pictures(archive: OpenArchive, items: list[dict[str, Any]], folder: Path | None) -> list[tuple[str, Path]]:
    """Which members go where; a file that is there must be the very same, and then stays."""
    if folder is None:
        return []
    planned = []
    for name in archive.names("pictures/"):
        number = name.partition("/")[2]
        if not number.isdecimal() or int(number) >= len(items):
            raise BadArchiveError(f"{name!r} is a picture that is not in the list")
        path = os.fsdecode(items[int(number)]["path"])
        if Path(path).suffix.lower() not in SUFFIXES or any(part.startswith(".") for part in Path(path).parts):
            raise BadArchiveError(f"{path!r} is not the name of a picture")
        target = folder / path
        inside = os.path.realpath(target).startswith(os.path.join(os.path.realpath(folder), ""))
        if not inside:
            raise BadArchiveError(f"{os.fspath(target)!r} leads out of the folder of pictures")
        if os.path.lexists(target):
            if not target.is_file() or not archive.is_same(name, target):
                raise ValueError(f"{os.fspath(target)!r} is there already and is another file")
        else:
            planned.append((name, target))
    return planned


def _copy_vectors(
    archive: OpenArchive,
    manifest: Mapping[str, Any],
    store: Store,
    uid: str,
    items: list[dict[str, Any]],
    made: list[Path],
) -> None:
    if store.folder is None or not manifest["vectors"]:
        return
    listed = [registered_item(uid, row["path"], row["region"]) for row in items]
    files = Files(listed, [FileState(**row["state"]) for row in items])
    vector_folder = VectorFolder(store.folder, uid, lambda: files)
    for each in manifest["vectors"]:
        folder = vector_folder.path(each["name"])
        if not folder.exists():
            made.append(folder)
        dtype, dim = np.dtype(each["dtype"]), int(each["dim"])
        with archive.open(f"vectors/{each['name']}.npy") as file:
            shape = npy_shape(file, dtype)
            if len(shape) != 2 or shape[1] != dim or shape[0] > len(items):
                raise BadArchiveError(f"the vectors {each['name']!r} have the shape {shape}")
            vectors = vector_folder.open(each["name"], dim, dtype, plain_object(each["about"], "about"), True)
            step = _rows_at_once(dim, dtype)
            for start in range(0, shape[0], step):
                count = min(step, shape[0] - start)
                content = file.read(count * dim * dtype.itemsize)
                if len(content) < count * dim * dtype.itemsize:
                    raise BadArchiveError(f"the vectors {each['name']!r} are cut off")
                vectors.put(np.arange(start, start + count), np.frombuffer(content, dtype).reshape(count, dim))


def _copy_files(archive: OpenArchive, planned: list[tuple[str, Path]], home: Path | None, made: list[Path]) -> None:
    beside = [(f"beside/{name}", home / name) for name in BESIDE if home is not None]
    for name, target in [*planned, *((name, at) for name, at in beside if name in archive.names("beside/"))]:
        if os.path.lexists(target):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        # Beside it first: a picture that was copied in part would be another file than the one in the archive.
        unfinished = target.with_name(f".{sha256(os.fsencode(target.name)).hexdigest()[:16]}.unfinished")
        made += [unfinished, target]
        with archive.open(name) as source, open(unfinished, "wb") as out:
            shutil.copyfileobj(source, out)
        os.replace(unfinished, target)


def _insert_project(
    connection: Connection, uid: str, name: str, manifest: Mapping[str, Any], settings: dict[str, Any]
) -> int:
    created = datetime.fromisoformat(manifest["project"]["created_at"])
    row = {"uid": uid, "name": name, "created_at": created, "settings": settings}
    number = connection.scalar(insert(schema.project).values(row).returning(schema.project.c.id))
    assert number is not None
    return int(number)


def _item_row(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: row[name] for name in ("id", "path", "digest", "added_at")}
    return {"project_id": number, **kept, **dict(zip("xywh", row["region"] or (None,) * 4, strict=True))}


def _insert_rows(
    connection: Connection, number: int, items: list[dict[str, Any]], people: list[dict[str, Any]], events: list[Event]
) -> None:
    for block in blocks(items):
        connection.execute(insert(schema.item), [_item_row(number, row) for row in block])
        states = [
            {"project_id": number, "item_id": row["id"], **row["state"]}
            for row in block
            if FileState(**row["state"]) != PRESENT
        ]
        if states:
            connection.execute(insert(schema.file_state), states)
    ids: dict[str, int] = {}
    for row in people:
        new = insert(schema.annotator).values(project_id=number, **row, checksum=name_checksum(row["name"]))
        ids[row["name"]] = int(connection.scalar(new.returning(schema.annotator.c.id)) or 0)
    chain = START
    for some in blocks(events):
        chain = insert_events(connection, number, some, ids, chain)
