"""A project in one file: written from either database, read into either, event for event the same."""

from __future__ import annotations

import base64
import json
import os
import secrets
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection, insert

from likewise import __version__
from likewise.store import schema
from likewise.store.archive_reading import BadArchiveError, OpenArchive
from likewise.store.entries import Entry, check_annotator, insert_events
from likewise.store.errors import NewerVersionError
from likewise.store.log import Event, Log
from likewise.store.migration import HEAD
from likewise.store.payloads import Payload, check_text, plain_object
from likewise.store.pictures import blocks, path_bytes
from likewise.store.project import Project
from likewise.store.store import PROJECT_NAME_LENGTH, Store
from likewise.store.vectors import Vectors

__all__ = ["FORMAT", "VERSION", "BadArchiveError", "read_archive", "write_archive"]

FORMAT, VERSION = "likewise-project", 1
BESIDE = ("truth.csv", "tags.csv")  # files of the project folder that go with it


def write_archive(project: Project, path: Path, home: Path | None, *, pictures: Path | None = None) -> int:
    """Write a project as a zip file; how many events it holds.

    Secrets and invitations stay behind. Answers that come while it is written are in it or not, never in part.

    Parameters
    ----------
    project : Project
        Read, never written.
    path : path
        The file.
    home : path or None
        The project folder, for the files kept there (the truth, tags).
    pictures : path, optional
        The folder of pictures, when they are to be in it too.
    """
    events = project.events()
    images = project.images()
    annotators = project.annotators()
    outside = next((image.path for image in images if not _is_within(os.fsencode(image.path))), None)
    if outside is not None:
        raise ValueError(f"{outside!r} is no path within a folder of pictures: it cannot be in an archive")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        _write_lines(archive, "events.jsonl", (event.as_dict() for event in events))
        _write_lines(archive, "images.jsonl", (_image_data(asdict(image)) for image in images))
        people = ({"name": each.name, "created_at": each.created_at.isoformat()} for each in annotators)
        _write_lines(archive, "annotators.jsonl", people)
        archive.writestr("settings.json", json.dumps(project.settings()))
        vectors = _write_vectors(archive, project, len(images))
        for name in BESIDE:
            if home is not None and (home / name).is_file():
                archive.write(home / name, f"beside/{name}")
        if pictures is not None:
            for image in images:
                source = pictures / image.path
                if image.status == "present" and source.is_file():
                    archive.write(source, f"pictures/{image.position:08d}", zipfile.ZIP_STORED)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "tables": HEAD,
            "made_by": f"likewise {__version__}",
            "project": {"name": project.name, "created_at": project.created_at.isoformat()},
            "counts": {"images": len(images), "events": len(events), "annotators": len(annotators)},
            "vectors": vectors,
        }
        archive.writestr("manifest.json", json.dumps(manifest, indent=1))
    return len(events)


def read_archive(
    store: Store,
    path: Path,
    *,
    name: str | None = None,
    home: Path | None = None,
    pictures: Path | None = None,
) -> Project:
    """Make a project of an archive: all of it or nothing.

    Parameters
    ----------
    store : Store
        Where to; there must be no project of the name.
    path : path
        The file. What is in it is checked before anything is written: names, sizes, every event.
    name : str, optional
        What to call it, when not as it was called.
    home : path, optional
        The project folder, for the files kept there.
    pictures : path, optional
        The folder of pictures, for those that are in the archive; a file that is there is never replaced.

    Examples
    --------
    >>> import tempfile
    >>> with Store.open(tempfile.mkdtemp()) as one, Store.open(tempfile.mkdtemp()) as other:
    ...     leaves = one.create_project("leaves")
    ...     _ = leaves.add_images(["a.jpg", "b.jpg"])
    ...     _ = leaves.append("answer", {"kind": "pair", "items": [0, 1], "value": "same"})
    ...     path = Path(tempfile.mkdtemp()) / "leaves.zip"
    ...     _ = write_archive(leaves, path, None)
    ...     read_archive(other, path).events() == leaves.events()
    True
    """
    with OpenArchive(path) as archive:
        manifest = _checked_manifest(archive)
        title = check_text(name or manifest["project"]["name"], "the project's name", PROJECT_NAME_LENGTH)
        if any(each.name == title for each in store.projects()):
            raise ValueError(f"there is a project {title!r} already; it is never replaced")
        images = list(_read_images(archive, manifest))
        people = [_annotator_row(line) for line in archive.lines("annotators.jsonl")]
        events = _read_events(archive, len(images), {row["name"] for row in people})
        _check_counts(manifest, images, people, events)
        settings = plain_object(archive.json("settings.json"), "settings")
        placed = _plan_pictures(archive, images, pictures)
        uid = secrets.token_hex(8)
        made: list[Path] = []
        try:
            _copy_vectors(archive, manifest, store, uid, len(images), made)
            _copy_files(archive, placed, home, made)
            with store._database.write() as connection:
                number = _insert_project(connection, uid, title, manifest, settings)
                _insert_rows(connection, number, images, people, events)
        except BaseException:
            for each in reversed(made):
                shutil.rmtree(each) if each.is_dir() else each.unlink(missing_ok=True)
            raise
    return store.project(title)


def _write_lines(archive: zipfile.ZipFile, name: str, lines: Iterator[dict[str, Any]]) -> None:
    with archive.open(name, "w", force_zip64=True) as file:
        for line in lines:
            file.write(json.dumps(line).encode() + b"\n")


def _image_data(image: dict[str, Any]) -> dict[str, Any]:
    name = os.fsencode(image.pop("path"))
    try:
        path: dict[str, str] = {"path": name.decode()}
    except UnicodeDecodeError:  # the bytes of the file system, whatever they are
        path = {"path_bytes": base64.b64encode(name).decode()}
    return {**image, **path, "added_at": image["added_at"].isoformat()}


def _is_within(name: bytes) -> bool:
    return not name.startswith(b"/") and b".." not in name.split(b"/")


def _write_vectors(archive: zipfile.ZipFile, project: Project, n_images: int) -> list[dict[str, Any]]:
    if project._folder is None:
        return []
    about = []
    for folder in sorted((project._folder / "vectors" / project.uid).glob("*/rows.json")):
        name = folder.parent.name
        vectors = project.vectors(name)
        rows = vectors.rows[:n_images]  # pictures may have come since they were listed
        with archive.open(f"vectors/{name}.npy", "w", force_zip64=True) as file:
            header = {"descr": vectors.dtype.str, "fortran_order": False, "shape": rows.shape}
            np.lib.format.write_array_header_1_0(file, header)
            step = max(1, (1 << 22) // max(1, rows.shape[1] * rows.itemsize))
            for start in range(0, len(rows), step):
                file.write(np.ascontiguousarray(rows[start : start + step]).tobytes())
        about.append({"name": name, "dim": vectors.dim, "dtype": vectors.dtype.str, "about": vectors.about})
    return about


def _checked_manifest(archive: OpenArchive) -> dict[str, Any]:
    manifest = archive.json("manifest.json")
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BadArchiveError("this is no archive of a likewise project")
    if not isinstance(manifest.get("version"), int) or not isinstance(manifest.get("tables"), str):
        raise BadArchiveError("the archive does not say of which version it is")
    if manifest["version"] > VERSION or manifest["tables"] > HEAD:
        raise NewerVersionError(
            "the archive was made by a newer version of likewise: upgrade likewise to read it"
        )
    try:
        check_text(manifest["project"]["name"], "the project's name", PROJECT_NAME_LENGTH)
        datetime.fromisoformat(manifest["project"]["created_at"])
        for each in manifest["vectors"]:
            np.dtype(each["dtype"])
            if not str(each["name"]).replace("-", "").replace("_", "").isalnum() or int(each["dim"]) < 1:
                raise ValueError(f"{each['name']!r} is no name of vectors")
    except (KeyError, TypeError, ValueError) as error:
        raise BadArchiveError(f"the archive's manifest cannot be read: {error}") from None
    return manifest


def _read_images(archive: OpenArchive, manifest: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    seen: set[bytes] = set()
    for position, line in enumerate(archive.lines("images.jsonl")):
        try:
            name = base64.b64decode(line["path_bytes"]) if "path_bytes" in line else path_bytes(line["path"])
            path_bytes(name)
            if not _is_within(name) or name in seen:
                raise ValueError(f"{name!r} is no path within the folder of pictures, or there twice")
            if line["position"] != position or line["status"] not in schema.STATUSES:
                raise ValueError("position or status is wrong")
            size = {key: None if line[key] is None else int(line[key]) for key in ("width", "height")}
            row: dict[str, Any] = {
                "position": position,
                "path": name,
                "path_digest": sha256(name).digest(),
                **size,
            }
            row |= {"status": line["status"], "reason": check_text(line["reason"], "reason")}
            row["added_at"] = _moment(line["added_at"])
        except (KeyError, TypeError, ValueError) as error:
            raise BadArchiveError(f"images.jsonl, line {position + 1}: {error}") from None
        seen.add(name)
        yield row


def _annotator_row(line: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"name": check_annotator(line["name"]), "created_at": _moment(line["created_at"])}
    except (KeyError, TypeError, ValueError) as error:
        raise BadArchiveError(f"annotators.jsonl: {error}") from None


def _read_events(archive: OpenArchive, n_images: int, people: set[str]) -> list[Event]:
    log, found, keys = Log(), [], set()
    for number, line in enumerate(archive.lines("events.jsonl"), 1):
        try:
            at = _moment(line["at"])
            entry = Entry(
                line["kind"], line["payload"], line["annotator"], line["key"], line["seconds"], at
            ).checked()
            assert isinstance(entry.payload, Payload)
            if max(entry.payload.images(), default=-1) >= n_images or line["annotator"] not in people:
                raise ValueError("it names an image or an annotator that is not there")
            if line["key"] in keys:
                raise ValueError("its key is that of another event")
            event = entry.numbered(line["seq"], at)
            log.add(event)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise BadArchiveError(f"events.jsonl, line {number}: {error}") from None
        keys.add(line["key"])
        found.append(event)
    return found


def _moment(text: Any) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"the time {text!r} has no time zone")
    return moment


def _check_counts(
    manifest: Mapping[str, Any], images: list[Any], people: list[Any], events: list[Any]
) -> None:
    counts = {"images": len(images), "events": len(events), "annotators": len(people)}
    if manifest.get("counts") != counts:
        raise BadArchiveError(f"the archive holds {counts}, its manifest says {manifest.get('counts')}")


def _plan_pictures(
    archive: OpenArchive, images: list[dict[str, Any]], folder: Path | None
) -> list[tuple[str, Path]]:
    """Which members go where; a file that is there must be the very same, and then stays."""
    if folder is None:
        return []
    placed = []
    for name in archive.names("pictures/"):
        number = name.partition("/")[2]
        if not number.isdecimal() or int(number) >= len(images):
            raise BadArchiveError(f"{name!r} is a picture that is not in the list")
        target = folder / os.fsdecode(images[int(number)]["path"])
        inside = os.path.realpath(target).startswith(os.path.join(os.path.realpath(folder), ""))
        if not inside:
            raise BadArchiveError(f"{os.fspath(target)!r} leads out of the folder of pictures")
        if os.path.lexists(target):
            if not target.is_file() or not archive.is_same(name, target):
                raise ValueError(f"{os.fspath(target)!r} is there already and is another file")
        else:
            placed.append((name, target))
    return placed


def _copy_vectors(
    archive: OpenArchive, manifest: Mapping[str, Any], store: Store, uid: str, n_images: int, made: list[Path]
) -> None:
    if store.folder is None or not manifest["vectors"]:
        return
    made.append(store.folder / "vectors" / uid)
    for each in manifest["vectors"]:
        folder = store.folder / "vectors" / uid / each["name"]
        dtype, dim = np.dtype(each["dtype"]), int(each["dim"])
        about = plain_object(each["about"], "about")
        with (
            archive.open(f"vectors/{each['name']}.npy") as file,
            Vectors.open(folder, dim, dtype=dtype, about=about, write=True) as vectors,
        ):
            shape = _npy_shape(file, dtype)
            if len(shape) != 2 or shape[1] != dim or shape[0] > n_images:
                raise BadArchiveError(f"the vectors {each['name']!r} have the shape {shape}")
            step = max(1, (1 << 22) // (dim * dtype.itemsize))
            for start in range(0, shape[0], step):
                count = min(step, shape[0] - start)
                content = file.read(count * dim * dtype.itemsize)
                if len(content) < count * dim * dtype.itemsize:
                    raise BadArchiveError(f"the vectors {each['name']!r} are cut off")
                vectors.append(np.frombuffer(content, dtype).reshape(count, dim))


def _npy_shape(file: Any, dtype: np.dtype[Any]) -> tuple[int, ...]:
    try:
        version = np.lib.format.read_magic(file)
        if version != (1, 0):
            raise ValueError(f"version {version}")
        shape, by_columns, kind = np.lib.format.read_array_header_1_0(file)
    except (ValueError, EOFError) as error:
        raise BadArchiveError(f"the vectors cannot be read: {error}") from None
    if by_columns or kind != dtype:
        raise BadArchiveError(f"the vectors are of type {kind}, not {dtype}")
    return tuple(shape)


def _copy_files(
    archive: OpenArchive, placed: list[tuple[str, Path]], home: Path | None, made: list[Path]
) -> None:
    beside = [(f"beside/{name}", home / name) for name in BESIDE if home is not None]
    for name, target in [*placed, *((name, at) for name, at in beside if name in archive.names("beside/"))]:
        if os.path.lexists(target):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        made.append(target)
        with archive.open(name) as source, open(target, "xb") as out:
            shutil.copyfileobj(source, out)


def _insert_project(
    connection: Connection, uid: str, name: str, manifest: Mapping[str, Any], settings: dict[str, Any]
) -> int:
    created = datetime.fromisoformat(manifest["project"]["created_at"])
    row = {"uid": uid, "name": name, "created_at": created, "settings": settings}
    number = connection.scalar(insert(schema.project).values(row).returning(schema.project.c.id))
    assert number is not None
    return int(number)


def _insert_rows(
    connection: Connection,
    number: int,
    images: list[dict[str, Any]],
    people: list[dict[str, Any]],
    events: list[Event],
) -> None:
    for block in blocks(images):
        connection.execute(insert(schema.image), [{"project_id": number, **row} for row in block])
    ids: dict[str, int] = {}
    for row in people:
        new = insert(schema.annotator).values(project_id=number, **row)
        ids[row["name"]] = int(connection.scalar(new.returning(schema.annotator.c.id)) or 0)
    for some in blocks(events):
        insert_events(connection, number, some, ids)
