"""A zip file of somebody else, opened with care: only names that are known, nothing that swells, nothing outside."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Self

from likewise.store.errors import StoreError

__all__ = ["BadArchiveError", "OpenArchive"]

KNOWN = re.compile(
    r"(manifest\.json|settings\.json|(events|images|annotators)\.jsonl|vectors/[A-Za-z0-9_+-][A-Za-z0-9_.+-]*\.npy"
    r"|beside/(truth|tags)\.csv|pictures/[0-9]{8,10})"
)
LINE = 1 << 24  # bytes of one line at most
SMALL = 1 << 26  # bytes of a file that is read in one go, and below which nothing counts as swelling
RATIO = 500  # times that a file may grow when unpacked
# Lists are held in memory, where they take several times their size: those that swell are refused before.
LIST_RATIO, SMALL_LIST = 60, 1 << 24


class BadArchiveError(StoreError, ValueError):
    """The archive is broken, foreign or dangerous; nothing was written."""


class OpenArchive:
    """An archive whose list of members was checked; what is in them is read piece by piece.

    - `path`: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except zipfile.BadZipFile as error:
            raise BadArchiveError(f"{os.fspath(path)!r} is not an archive: {error}") from None
        try:
            self._check_members()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._zip.close()

    def names(self, under: str) -> list[str]:
        """The members of a folder, in order."""
        return [name for name in self._zip.namelist() if name.startswith(under)]

    def json(self, name: str) -> Any:
        """One small member as JSON."""
        with self.open(name) as file:
            content = file.read(SMALL + 1)
        if len(content) > SMALL:
            raise BadArchiveError(f"{name} is too large")
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise BadArchiveError(f"{name} is not JSON: {error}") from None

    def lines(self, name: str) -> Iterator[dict[str, Any]]:
        """The objects of a member, one a line."""
        with self.open(name) as file:
            number = 0
            while content := self._line(file, name):
                number += 1
                try:
                    value = json.loads(content)
                except (ValueError, RecursionError) as error:
                    raise BadArchiveError(f"{name}, line {number}: not JSON: {error}") from None
                if not isinstance(value, dict):
                    raise BadArchiveError(f"{name}, line {number}: no object")
                yield value

    def is_same(self, name: str, path: Path) -> bool:
        """Whether a file holds what a member holds."""
        if path.stat().st_size != self._zip.getinfo(name).file_size:
            return False
        with self.open(name) as one, open(path, "rb") as other:
            while content := one.read(1 << 20):
                if content != other.read(len(content)):
                    return False
        return True

    def open(self, name: str) -> _ArchiveMember:
        """A member to read from."""
        try:
            return _ArchiveMember(self._zip.open(name), name)
        except KeyError:
            raise BadArchiveError(f"{name} is missing from the archive") from None
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise BadArchiveError(f"{name} cannot be read: {error}") from None

    def _line(self, file: _ArchiveMember, name: str) -> bytes:
        content = file.readline(LINE + 1)
        if len(content) > LINE:
            raise BadArchiveError(f"{name} has a line that is too long")
        return content

    def _check_members(self) -> None:
        seen: set[str] = set()
        total = 0
        for member in self._zip.infolist():
            name = member.filename
            if not KNOWN.fullmatch(name):
                raise BadArchiveError(f"the archive holds {name!r}, which does not belong into one")
            mode = member.external_attr >> 16
            if name in seen or (mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG)):
                raise BadArchiveError(f"the archive holds {name!r} twice, or as something that is no file")
            is_list = name.endswith(".jsonl")
            small, ratio = (SMALL_LIST, LIST_RATIO) if is_list else (SMALL, RATIO)
            if member.file_size > max(small, ratio * member.compress_size):
                raise BadArchiveError(f"{name} would swell from {member.compress_size:,} to {member.file_size:,} bytes")
            seen.add(name)
            total += member.file_size
        free = shutil.disk_usage(self.path.parent).free
        if total > free + 4 * self.path.stat().st_size:
            raise BadArchiveError(f"the archive needs {total:,} bytes, {free:,} are free")


class _ArchiveMember:
    """A member being read; all that can be wrong with it is a BadArchiveError."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self._name = file, name

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def read(self, size: int = -1) -> bytes:
        """Some bytes, or all."""
        return self._checked(lambda: self._file.read(size))

    def readline(self, size: int) -> bytes:
        """A line, or so many bytes of it."""
        return self._checked(lambda: self._file.readline(size))

    def _checked(self, read: Any) -> bytes:
        try:
            content: bytes = read()
        except (zipfile.BadZipFile, EOFError, OSError, RuntimeError) as error:
            raise BadArchiveError(f"{self._name} is damaged: {error}") from None
        except Exception as error:  # zlib, bz2 and lzma have errors of their own
            raise BadArchiveError(f"{self._name} is damaged: {type(error).__name__}: {error}") from None
        return content
