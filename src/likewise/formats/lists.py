"""Lists of pictures, with labels and tags where they have them."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from likewise.formats.table_reading import Problem, find_columns, open_table

__all__ = ["LIST_COLUMNS", "PictureLine", "read_list"]

LIST_COLUMNS: dict[str, tuple[str, ...]] = {
    "path": ("path", "file", "filename", "file_name", "filepath", "image_path", "image", "picture", "name"),
    "label": ("label", "class", "category", "class_name", "species", "truth"),
    "tags": ("tags", "tag", "keywords", "labels"),
}


@dataclass(frozen=True)
class PictureLine:
    """One picture of a list: line number, path, class (empty where it has none) and tags."""

    line: int
    path: str
    label: str = ""
    tags: tuple[str, ...] = ()


def read_list(path: str | os.PathLike[str]) -> tuple[list[PictureLine], list[Problem]]:
    """Read a list of pictures.

    Parameters
    ----------
    path : path-like
        CSV, JSON Lines, JSON or Parquet with a column ``path`` and optionally ``label`` and ``tags`` (a list, or a text
        separated by semicolons or bars), under these or other common names. A picture named twice gets all its tags;
        two different labels for it are a problem.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("file,class,tags\\na.jpg,oak,green; old\\n")
    ...     file.flush()
    ...     read_list(file.name)[0]
    [PictureLine(line=2, path='a.jpg', label='oak', tags=('green', 'old'))]
    """
    columns, rows, problems = open_table(path)
    found = find_columns(columns, LIST_COLUMNS, ("path",), os.fspath(path))
    lines: dict[str, PictureLine] = {}
    for number, row in rows:
        line = _read(number, row, found)
        before = lines.get(line.path)
        if not line.path:
            problems.append(Problem(number, found["path"], "the picture is missing"))
        elif before is None:
            lines[line.path] = line
        elif before.label and line.label and before.label != line.label:
            text = f"{line.path!r} is {before.label!r} in line {before.line} and {line.label!r} here"
            problems.append(Problem(number, found["label"], text))
        else:
            tags = tuple(dict.fromkeys(before.tags + line.tags))
            lines[line.path] = PictureLine(before.line, line.path, before.label or line.label, tags)
    return list(lines.values()), sorted(problems, key=lambda each: each.line)


def _read(number: int, row: Mapping[str, Any], found: Mapping[str, str]) -> PictureLine:
    path, label, tags = (row.get(found[name]) if name in found else None for name in LIST_COLUMNS)
    return PictureLine(number, _text(path), _text(label), _tags(tags))


def _text(value: Any) -> str:
    return "" if value is None or value != value else str(value).strip()


def _tags(value: Any) -> tuple[str, ...]:
    if isinstance(value, str) and value.strip().startswith("["):
        with contextlib.suppress(ValueError):
            value = json.loads(value)
    words = value if isinstance(value, list | tuple) else re.split(r"[;|]", _text(value))
    return tuple(dict.fromkeys(word for word in map(_text, words) if word))
