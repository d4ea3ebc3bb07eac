"""Pictures dropped on the first page: copied into one new folder, under names that lead nowhere else."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

MOST_BYTES = 256 << 20  # of a file
MOST_FILES = 50_000
MOST_IN_ALL = 20 << 30  # bytes
MOST_DEEP = 8  # folders in folders
LONGEST_NAME = 80  # characters of a file's or folder's name
HEAD = 32  # bytes that say what a file is
PIECE = 1 << 20
UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]')
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")  # names that Windows keeps for itself


class RefusedFileError(ValueError):
    """A file that is not taken, with the reason and the HTTP status."""

    def __init__(self, reason: str, status: int = 422) -> None:
        super().__init__(reason)
        self.status = status


class DroppedFiles:
    """Takes files into a folder, which is made with the first of them.

    - `folder`: A path where nothing is yet.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.n_files = 0
        self._n_bytes = 0
        self._lock = threading.Lock()

    def take(self, name: str, length: int, read: Callable[[int], bytes]) -> Path:
        """Copy a file; gives where it is. Nothing is left of one that is refused, or that breaks off.

        - `name`: Its path below what was dropped, as the browser says it.
        - `length`: Bytes that follow.
        - `read`: Gives at most so many of the next bytes.
        """
        parts = safe_parts(name)
        self._check(parts[-1], length)
        self._count(length)
        try:
            return self._write(parts, length, read)
        except BaseException:
            self._count(-length)
            raise

    def _check(self, name: str, length: int) -> None:
        from likewise.images.reading import SUFFIXES

        if os.path.splitext(name)[1].lower() not in SUFFIXES:
            raise RefusedFileError("it is not named like a picture")
        if length < 1:
            raise RefusedFileError("it is empty")
        if length > MOST_BYTES:
            raise RefusedFileError(f"it is larger than {MOST_BYTES >> 20} MB", 413)

    def _count(self, length: int) -> None:
        with self._lock:
            if length > 0 and (self.n_files >= MOST_FILES or self._n_bytes + length > MOST_IN_ALL):
                reason = f"more than {MOST_FILES:,} files or {MOST_IN_ALL >> 30} GB are not copied: choose their folder"
                raise RefusedFileError(reason, 413)
            self.n_files += 1 if length > 0 else -1
            self._n_bytes += length

    def _write(self, parts: list[str], length: int, read: Callable[[int], bytes]) -> Path:
        from likewise.images.reading import looks_like_picture

        head = _read_exactly(read, min(HEAD, length))
        if not looks_like_picture(head, parts[-1]):
            raise RefusedFileError("there is no picture in it")
        place = self.folder.joinpath(*parts[:-1])
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        path, handle = _new_file(place, parts[-1])
        try:
            with open(handle, "wb") as file:
                file.write(head)
                left = length - len(head)
                while left:
                    piece = _read_exactly(read, min(left, PIECE))
                    file.write(piece)
                    left -= len(piece)
        except BaseException:
            with suppress(OSError):
                path.unlink()
            raise
        return path


def safe_parts(name: str) -> list[str]:
    """The folders and the file of a path, each under a name that is one on every system and leads nowhere else.

    Examples
    --------
    >>> safe_parts("../../etc/.pass\\x00wd.jpg")
    ['etc', 'passwd.jpg']
    >>> safe_parts("C:\\\\beach\\\\con.jpg")
    ['C', 'beach', '_con.jpg']
    """
    parts = [_safe(part) for part in re.split(r"[/\\]", name)]
    kept = [part for part in parts if part]
    if not kept or not parts[-1]:
        raise RefusedFileError("it has no name")
    return [*kept[:-1][-MOST_DEEP:], kept[-1]]


def _safe(part: str) -> str:
    part = UNSAFE.sub("", part).strip(" .")
    stem, suffix = os.path.splitext(part)
    part = f"{stem[: LONGEST_NAME - len(suffix)]}{suffix}" if len(suffix) < LONGEST_NAME else part[:LONGEST_NAME]
    part = part.strip(" .")
    return f"_{part}" if RESERVED.fullmatch(part) else part


def _new_file(place: Path, name: str) -> tuple[Path, int]:
    """A new file, never one that is there: the second of a name has a number."""
    stem, suffix = os.path.splitext(name)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    for number in range(1, MOST_FILES + 2):
        path = place / (name if number == 1 else f"{stem} ({number}){suffix}")
        with suppress(FileExistsError):
            return path, os.open(path, flags, 0o600)
    raise RefusedFileError("there are too many of this name")


def _read_exactly(read: Callable[[int], bytes], length: int) -> bytes:
    pieces, left = [], length
    while left:
        piece = read(left)
        if not piece:
            raise RefusedFileError("it broke off", 400)
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def folder_for_dropped(home: Path, now: datetime) -> Path:
    """A folder of this person where nothing is yet, named after the time.

    Examples
    --------
    >>> folder_for_dropped(Path("/home/ann"), datetime(2026, 11, 17, 18, 5)).as_posix()
    '/home/ann/likewise pictures/2026-11-17 18.05'
    """
    named = home / "likewise pictures" / now.strftime("%Y-%m-%d %H.%M")
    free, number = named, 1
    while os.path.lexists(free):
        number += 1
        free = named.with_name(f"{named.name} ({number})")
    return free
