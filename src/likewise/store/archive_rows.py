"""What is in an archive, read line by line and checked before anything is written."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import numpy as np

from likewise.store.archive_reading import BadArchiveError, OpenArchive
from likewise.store.entries import Entry, check_annotator, check_key, check_moment
from likewise.store.errors import NewerVersionError
from likewise.store.event_rows import MOST_TEXT, SET_ASIDE, read_stored
from likewise.store.items import Region, check_state, path_bytes, region_bytes
from likewise.store.log import Event, Log
from likewise.store.migration import HEAD
from likewise.store.payloads import check_text
from likewise.store.store import PROJECT_NAME_LENGTH
from likewise.store.vectors import VECTOR_NAME

__all__ = [
    "FORMAT",
    "VERSION",
    "annotator_row",
    "check_counts",
    "checked_manifest",
    "is_within",
    "npy_shape",
    "read_events",
    "read_items",
]

FORMAT, VERSION = "likewise-project", 1


def is_within(name: bytes) -> bool:
    """Whether a path stays in the folder it is relative to."""
    return not name.startswith(b"/") and b".." not in name.split(b"/")


def checked_manifest(archive: OpenArchive) -> dict[str, Any]:
    """The manifest of an archive."""
    manifest = archive.json("manifest.json")
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BadArchiveError("this is no archive of a likewise project")
    if not isinstance(manifest.get("version"), int) or not isinstance(manifest.get("tables"), str):
        raise BadArchiveError("the archive has no version")
    if manifest["version"] > VERSION or manifest["tables"] > HEAD:
        raise NewerVersionError("the archive was made by a newer version of likewise: upgrade likewise to read it")
    try:
        check_text(manifest["project"]["name"], "the project's name", PROJECT_NAME_LENGTH)
        _moment(manifest["project"]["created_at"])
        for each in manifest["vectors"]:
            np.dtype(each["dtype"])
            if not VECTOR_NAME.fullmatch(str(each["name"])) or int(each["dim"]) < 1:
                raise ValueError(f"{each['name']!r} is no name of vectors")
    except (KeyError, TypeError, ValueError) as error:
        raise BadArchiveError(f"the archive's manifest cannot be read: {error}") from None
    return manifest


def read_items(archive: OpenArchive) -> Iterator[dict[str, Any]]:
    """Rows of items, each with the state of its file."""
    seen: set[bytes] = set()
    for number, line in enumerate(archive.lines("images.jsonl")):
        try:
            name = base64.b64decode(line["path_bytes"]) if "path_bytes" in line else path_bytes(line["path"])
            region = _read_region(line.get("region"))
            digest = sha256(path_bytes(name) + region_bytes(region)).digest()
            if not is_within(name) or digest in seen:
                raise ValueError(f"{name!r} is no path within the folder of pictures, or there twice")
            if line["position"] != number:
                raise ValueError("the position is wrong")
            content = line.get("content")
            state = {field: line[field] for field in ("status", "reason", "width", "height")}
            state = check_state({**state, "content": None if content is None else bytes.fromhex(content)})
            row = {"id": number, "path": name, "digest": digest, "added_at": _moment(line["added_at"])}
            row["region"] = region
        except (KeyError, TypeError, ValueError) as error:
            raise BadArchiveError(f"images.jsonl, line {number + 1}: {error}") from None
        seen.add(digest)
        yield {**row, "state": state}


def _read_region(value: Any) -> Region | None:
    if value is None:
        return None
    x, y, w, h = map(int, value)
    if min(x, y) < 0 or min(w, h) < 1:
        raise ValueError(f"{value!r} is no region of a picture")
    return x, y, w, h


def annotator_row(line: dict[str, Any]) -> dict[str, Any]:
    """The row of an annotator."""
    try:
        return {"name": check_annotator(line["name"]), "created_at": _moment(line["created_at"])}
    except (KeyError, TypeError, ValueError) as error:
        raise BadArchiveError(f"annotators.jsonl: {error}") from None


def read_events(archive: OpenArchive, n_items: int, people: set[str]) -> list[Event]:
    """All events, each checked as if it were appended."""
    log, found, keys = Log(), [], set()
    for number, line in enumerate(archive.lines("events.jsonl"), 1):
        try:
            event = _set_aside(line) if line["kind"] == SET_ASIDE else _event(line)
            if max(event.payload.images(), default=-1) >= n_items or line["annotator"] not in people:
                raise ValueError("it names an image or an annotator that is not there")
            if line["key"] in keys:
                raise ValueError("its key is that of another event")
            log.add(event)
        except (KeyError, TypeError, AttributeError, ValueError, ArithmeticError, RuntimeError) as error:
            raise BadArchiveError(f"events.jsonl, line {number}: {error}") from None
        keys.add(line["key"])
        found.append(event)
    return found


def _event(line: dict[str, Any]) -> Event:
    at = _moment(line["at"])
    entry = Entry(line["kind"], line["payload"], line["annotator"], line["key"], line["seconds"], at).checked()
    return entry.numbered(line["seq"], at)


def _set_aside(line: dict[str, Any]) -> Event:
    """An event that could not be read when the archive was written: it stays marked, with the text it had."""
    payload = read_stored(SET_ASIDE, line["payload"])
    for text in payload.data().values():
        check_text(text, "an unreadable event", MOST_TEXT)
    name, key = check_annotator(line["annotator"]), check_key(line["key"])
    return Event(line["seq"], SET_ASIDE, name, _moment(line["at"]).astimezone(UTC), None, payload, key)


def _moment(text: Any) -> datetime:
    return check_moment(datetime.fromisoformat(text))


def check_counts(manifest: Mapping[str, Any], items: list[Any], people: list[Any], events: list[Any]) -> None:
    """Raise an error where lines are missing."""
    counts = {"images": len(items), "events": len(events), "annotators": len(people)}
    if manifest.get("counts") != counts:
        raise BadArchiveError(f"the archive holds {counts}, its manifest says {manifest.get('counts')}")


def npy_shape(file: Any, dtype: np.dtype[Any]) -> tuple[int, ...]:
    """Read the header of an array."""
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
