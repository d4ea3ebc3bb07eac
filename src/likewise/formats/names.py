"""Names that are safe to write: of folders, of files, of classes; and paths that stay where they belong."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath

from likewise.formats.rows import ClusterRow

__all__ = ["class_names", "folder_names", "free_name", "inside", "plain_text", "safe_file_name", "safe_name"]

LENGTH = 80
# Windows refuses these as names, with any suffix.
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def safe_name(name: str) -> str:
    """A name as a folder or file can have on any system; empty where nothing of it is left.

    Examples
    --------
    >>> safe_name("../red oak"), safe_name("<b>a\\nb</b>"), safe_name("CON"), safe_name("..")
    ('red oak', 'b a b b', 'CON_', '')
    """
    text = unicodedata.normalize("NFC", plain_text(name))
    text = re.sub(r"[^\w .()+-]+", " ", text)
    text = re.sub(r"\s+", " ", text).strip(" .")[:LENGTH].strip(" .")
    while len(text.encode()) > 2 * LENGTH:
        text = text[:-1].strip(" .")
    return f"{text}_" if RESERVED.fullmatch(text) else text


def safe_file_name(name: str) -> str:
    """A file name as any system takes it, with as little changed as can be.

    Examples
    --------
    >>> safe_file_name("Tom & Jerry's #1.jpg"), safe_file_name("a<i>\\nb.png")
    ("Tom & Jerry's #1.jpg", 'a_i__b.png')
    """
    text = re.sub(r'[\x00-\x1f\x7f<>:"/\\|?*]', "_", plain_text(name)).rstrip(" .") or "_"
    return f"_{text}" if RESERVED.fullmatch(text) else text


def plain_text(text: str) -> str:
    """A text that every file can hold: bytes of a path that are no text are written as ``\\xNN``."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # halves of characters that stand for no byte either
        return text.encode("utf-8", "replace").decode()


def class_names(rows: Iterable[ClusterRow]) -> dict[int, str]:
    """The class of each cluster: its name, with its number where it has none or shares it.

    Examples
    --------
    >>> rows = [ClusterRow(0, "a", 1, "oak", ""), ClusterRow(1, "b", 2, "oak", ""), ClusterRow(2, "c", 3, "", "")]
    >>> class_names(rows)
    {1: 'oak-1', 2: 'oak-2', 3: 'cluster-3'}
    """
    return _apart({row.cluster: plain_text(row.name).strip() for row in rows})


def folder_names(rows: Iterable[ClusterRow]) -> dict[int, str]:
    """The folder of each cluster: like its class, and safe; no two are alike, not even without regard to case.

    Examples
    --------
    >>> rows = [ClusterRow(0, "a", 1, "a/b", ""), ClusterRow(1, "b", 2, "A\\\\B", ""), ClusterRow(2, "c", 3, "..", "")]
    >>> folder_names(rows)
    {1: 'a b-1', 2: 'A B-2', 3: 'cluster-3'}
    """
    return _apart({row.cluster: safe_name(row.name) for row in rows})


def _apart(names: dict[int, str]) -> dict[int, str]:
    called: dict[str, int] = {}
    for name in names.values():
        called[name.casefold()] = called.get(name.casefold(), 0) + 1
    taken = {name.casefold() for name in names.values() if called[name.casefold()] == 1}
    chosen: dict[int, str] = {}
    for number, name in names.items():
        candidate = name
        if not name or called[name.casefold()] > 1:
            candidate = stem = f"{name or 'cluster'}-{number}"
            again = 1
            while candidate.casefold() in taken:
                again += 1
                candidate = f"{stem}-{again}"
        taken.add(candidate.casefold())
        chosen[number] = candidate
    return chosen


def free_name(name: str, taken: set[str], *, by_stem: bool = False) -> str:
    """The name, or with a number where it is taken without regard to case; it is taken afterwards.

    With `by_stem` names that differ in their suffix alone count as one.

    Examples
    --------
    >>> taken = set()
    >>> free_name("a.jpg", taken), free_name("A.jpg", taken)
    ('a.jpg', 'A-1.jpg')
    """
    stem, suffix = os.path.splitext(name)
    behind = "" if by_stem else suffix
    candidate, number = stem, 0
    while (candidate + behind).casefold() in taken:
        number += 1
        candidate = f"{stem}-{number}"
    taken.add((candidate + behind).casefold())
    return candidate + suffix


def inside(folder: Path, path: str) -> Path:
    """The file of a relative path below a folder; refused where it would lead out of it.

    Examples
    --------
    >>> inside(Path("/photos"), "a/b.jpg").as_posix()
    '/photos/a/b.jpg'
    >>> inside(Path("/photos"), "../b.jpg")
    Traceback (most recent call last):
    ...
    ValueError: '../b.jpg' leads out of the folder of pictures
    """
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or (os.name == "nt" and _is_rooted(path)):
        raise ValueError(f"{path!r} leads out of the folder of pictures")
    return folder / path


def _is_rooted(path: str) -> bool:
    there = PureWindowsPath(path)
    return bool(there.drive or there.root or ".." in there.parts)
