"""Safe names of folders, files and classes, and paths that stay below a folder."""

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
    """Return a name that is valid for a folder on any system; empty where no character is left.

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
    """Return a file name that is valid on any system, with as few changes as possible.

    Examples
    --------
    >>> safe_file_name("Tom & Jerry's #1.jpg"), safe_file_name("a<i>\\nb.png")
    ("Tom & Jerry's #1.jpg", 'a_i__b.png')
    """
    text = re.sub(r'[\x00-\x1f\x7f<>:"/\\|?*]', "_", plain_text(name)).rstrip(" .") or "_"
    return f"_{text}" if RESERVED.fullmatch(text) else text


def plain_text(text: str) -> str:
    """Return a text that UTF-8 can encode: other bytes of a path are written as ``\\xNN``."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # lone surrogates that stand for no byte either
        return text.encode("utf-8", "replace").decode()


def class_names(rows: Iterable[ClusterRow], unnamed: str = "cluster") -> dict[int, str]:
    """Class of each cluster: its name, with its number where it has no name (and is one `unnamed`) or shares it.

    Examples
    --------
    >>> rows = [ClusterRow(0, "a", 1, "oak", ""), ClusterRow(1, "b", 2, "oak", ""), ClusterRow(2, "c", 3, "", "")]
    >>> class_names(rows)
    {1: 'oak-1', 2: 'oak-2', 3: 'cluster-3'}
    """
    return _make_unique({row.cluster: plain_text(row.name).strip() for row in rows}, unnamed)


def folder_names(rows: Iterable[ClusterRow], unnamed: str = "cluster") -> dict[int, str]:
    """Folder of each cluster: a safe form of its class; no two are equal, even if case is ignored.

    Examples
    --------
    >>> rows = [ClusterRow(0, "a", 1, "a/b", ""), ClusterRow(1, "b", 2, "A\\\\B", ""), ClusterRow(2, "c", 3, "..", "")]
    >>> folder_names(rows)
    {1: 'a b-1', 2: 'A B-2', 3: 'cluster-3'}
    """
    return _make_unique({row.cluster: safe_name(row.name) for row in rows}, unnamed)


def _make_unique(names: dict[int, str], unnamed: str) -> dict[int, str]:
    count: dict[str, int] = {}
    for name in names.values():
        count[name.casefold()] = count.get(name.casefold(), 0) + 1
    taken = {name.casefold() for name in names.values() if count[name.casefold()] == 1}
    chosen: dict[int, str] = {}
    for number, name in names.items():
        candidate = name
        if not name or count[name.casefold()] > 1:
            candidate = stem = f"{name or unnamed}-{number}"
            again = 1
            while candidate.casefold() in taken:
                again += 1
                candidate = f"{stem}-{again}"
        taken.add(candidate.casefold())
        chosen[number] = candidate
    return chosen


def free_name(name: str, taken: set[str], *, by_stem: bool = False) -> str:
    """Return the name, with a number where it is taken (case is ignored), and mark it as taken.

    With `by_stem`, names that differ only in their suffix count as equal.

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
    """Return the file of a relative path below a folder; a path that leads out of it raises.

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
    windows = PureWindowsPath(path)
    return bool(windows.drive or windows.root or ".." in windows.parts)
