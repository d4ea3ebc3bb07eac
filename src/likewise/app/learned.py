"""The distance learned from a project's answers: kept with it, used by its search, and given to other projects."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numpy as np

from likewise.app.location import Location
from likewise.app.reduction import Floats, Reduction
from likewise.images.cache import write_atomically
from likewise.images.head import Head, read_head, write_head
from likewise.images.indexing import default_project
from likewise.images.vectors import model_key

LEARNED, START = "likewise-learned.onnx", "likewise-start.onnx"  # in the project folder


def head_of(reduction: Reduction, components: Floats, model: str, answers: int) -> Head:
    """What the engine does with vectors, and the distance it learned for what comes of that, in one.

    - `reduction`: Of the vectors.
    - `components` (k, k): As of :func:`~likewise.distances.rca.shrunk_components`.
    - `model`, `answers`: Name of the vectors, and the number of answers that it was learned from.
    """
    axes = components if reduction.axes is None else reduction.axes @ components
    return Head(reduction.centre, axes, model_key(model), answers)


def keep_learned(folder: Path, head: Head | None) -> None:
    """Keep what was learned last in the project folder; None where too few answers are left to learn from."""
    if head is not None:
        write_head(folder / LEARNED, head)
    else:
        with suppress(FileNotFoundError):
            (folder / LEARNED).unlink()


def learned_distance(location: Location) -> Reduction | None:
    """Vectors under the distance that was learned, here or where this project started from; None where none was."""
    for name in (LEARNED, START):
        found = _read(Path(location.folder) / name, model_key(location.model))
        if found is not None:
            return found
    return None


def start_of(folder: Path, model: str) -> Reduction | None:
    """What the vectors of a project are seen through from the start, where it was given a learned distance."""
    return _read(folder / START, model_key(model))


def find_head(where: Path) -> Path:
    """The file of a learned distance: itself, or that of a folder of pictures or of a project folder."""
    if where.is_file():
        return where
    for home in (default_project(where), where) if where.is_dir() else ():
        if (home / LEARNED).is_file():
            return home / LEARNED
    raise ValueError(f"{os.fspath(where)!r} has no learned distance: one is learned after 50 answers, in the app")


def take_start(location: Location, where: Path) -> Head:
    """Let a project start from a learned distance; one for other vectors is refused.

    - `where`: As of :func:`find_head`.
    """
    source = find_head(where)
    head = read_head(source)
    key = model_key(location.model)
    if head.model != key:
        raise ValueError(
            f"{os.fspath(where)!r} was learned for the vectors {head.model!r}, and these are {key!r}:"
            " choose the same with --model"
        )
    location.open_store().close()  # makes the folder, which is its owner's alone
    write_atomically(Path(location.folder) / START, source.read_bytes())
    return head


def reduction_of(head: Head) -> Reduction:
    """A head as the engine takes it."""
    return Reduction(np.asarray(head.centre), np.asarray(head.axes))


def _read(file: Path, key: str) -> Reduction | None:
    """The distance in a file; None where there is none, it is for other vectors, or it is damaged."""
    try:
        head = _read_once(file, file.stat().st_mtime_ns)
    except (OSError, ValueError):
        return None
    return reduction_of(head) if head.model == key else None


@lru_cache(4)
def _read_once(file: Path, modified_ns: int) -> Head:
    return read_head(file)
