"""Finding the pictures of a folder: a sorted walk that follows no link and stumbles over nothing."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from likewise.images.reading import SUFFIXES
from likewise.images.video import MISSING, VIDEO_SUFFIXES, can_read_videos

__all__ = ["EXPORTED", "MARKER", "Found", "Skipped", "walk"]

MARKER = b"likewise-index.sqlite"  # a folder that holds this file is a project, not pictures
EXPORTED = ".likewise-export"  # a folder that holds this file was exported: copies of pictures that are known
PASSED_OVER = {MARKER, EXPORTED.encode()}
NOT_REGULAR = "not a regular file"
_VIDEOS = tuple(suffix.encode() for suffix in sorted(VIDEO_SUFFIXES))
_SUFFIXES = tuple(suffix.encode() for suffix in sorted(SUFFIXES))


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file named like a picture; the path is relative to the folder, in the file system's bytes."""

    path: bytes
    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that is not looked into, and why."""

    path: bytes
    reason: str


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, by device and number: mounted into itself it is still the same one."""

    identity: tuple[int, int]


def walk(folder: str | bytes, avoid: str | bytes | None = None) -> Iterator[Found | Skipped]:
    """Walk a folder for pictures, in an order that depends on the names alone.

    The files of a folder come before those of its subfolders, each sorted by the bytes of their names. Names
    that begin with a dot are passed over, and so is every likewise project and every exported folder below this
    one. Links are never followed; those that look like a picture or lead to a folder are given as skipped.

    - `folder`, str or bytes: Where to look; it must be a folder that can be listed.
    - `avoid`, str, bytes or None: A folder to stay out of, wherever it is.
    - Yields Found or Skipped: One for every file named like a picture, and for every folder or link that is passed
      over.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "b.jpg").touch(), (folder / "notes.txt").touch(), (folder / "a").mkdir()
    (None, None, None)
    >>> (folder / "a" / "c.png").touch()
    >>> [found.path for found in walk(str(folder))]
    [b'b.jpg', b'a/c.png']
    """
    root = os.path.realpath(os.fsencode(folder))
    entered = {_identity(os.stat(root))}
    if avoid is not None and os.path.isdir(avoid):
        entered.add(_identity(os.stat(avoid)))
    ahead = [b""]
    while ahead:
        below = ahead.pop()
        try:
            entries = sorted(os.scandir(os.path.join(root, below)), key=lambda entry: entry.name)
        except FileNotFoundError:
            continue
        except OSError as error:
            if not below:
                raise
            yield Skipped(below, "no permission to list it" if _denied(error) else _plain(error))
            continue
        if below and any(entry.name in PASSED_OVER for entry in entries):
            continue
        folders = []
        for entry in entries:
            if entry.name.startswith(b"."):
                continue
            path = os.path.join(below, entry.name)
            found = _look(entry, path, root)
            if isinstance(found, Folder):
                if found.identity not in entered:
                    entered.add(found.identity)
                    folders.append(path)
            elif found is not None:
                yield found
        ahead.extend(reversed(folders))


def _look(entry: os.DirEntry[bytes], path: bytes, root: bytes) -> Found | Skipped | Folder | None:
    """What an entry is: a picture, something to report, a folder, or None for what is of no interest."""
    video = entry.name.lower().endswith(_VIDEOS)
    like_picture = entry.name.lower().endswith(_SUFFIXES) or (video and can_read_videos())
    try:
        if entry.is_symlink():
            return _look_at_link(entry.path, path, root, like_picture)
        if entry.is_dir(follow_symlinks=False):
            return Folder(_identity(os.stat(entry.path)))
        if not like_picture:
            return Skipped(path, MISSING) if video else None
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Skipped(path, "no permission to read it" if _denied(error) else _plain(error))
    if not stat.S_ISREG(status.st_mode):
        return Skipped(path, NOT_REGULAR)
    return Found(path, status.st_size, status.st_mtime_ns)


def _look_at_link(full: bytes, path: bytes, root: bytes, like_picture: bool) -> Skipped | None:
    try:
        target = os.path.realpath(full, strict=True)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return Skipped(path, "a link loop")
        return Skipped(path, "a broken link") if like_picture else None
    if os.path.isdir(target):
        if _within(full, target):
            return Skipped(path, "a link loop")
    elif not like_picture:
        return None
    return Skipped(path, "a link inside the folder" if _within(target, root) else "a link out of the folder")


def _within(path: bytes, folder: bytes) -> bool:
    return path == folder or path.startswith(os.path.join(folder, b""))


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _denied(error: OSError) -> bool:
    return isinstance(error, PermissionError)


def _plain(error: OSError) -> str:
    return error.strerror or "it cannot be read"
