"""Writing completely or not at all: an unfinished file never has the final name."""

from __future__ import annotations

import errno
import glob
import os
import secrets
import shutil
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from platform import node
from typing import Literal, TypeAlias

from likewise.images.walking import EXPORTED

__all__ = ["Mode", "TargetExistsError", "Written", "copy_or_link", "fresh_file", "fresh_folder"]

Mode: TypeAlias = Literal["copy", "hardlink", "symlink"]
HOST = f"{zlib.crc32(node().encode()):08x}"  # numbers of processes are those of one machine
MARK = EXPORTED  # only a folder that holds this file is ever replaced
_COPY_OR_LINK: dict[str, Callable[[Path, Path], object]] = {
    "copy": shutil.copy2,
    "hardlink": os.link,
    "symlink": os.symlink,
}


class TargetExistsError(ValueError):
    """The target exists and may not be replaced."""


@dataclass(frozen=True)
class Written:
    """Summary of an export: number and kind of what was written, and what was left out, with reasons."""

    path: Path
    count: int
    what: str
    skipped: list[tuple[str, str]] = field(default_factory=list)


@contextmanager
def fresh_file(target: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield a path to write to, which becomes the target if the block succeeds and is removed otherwise.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with fresh_file(folder / "a.txt") as path:
    ...     _ = path.write_text("all")
    >>> (folder / "a.txt").read_text(), len(list(folder.iterdir()))
    ('all', 1)
    """
    target = _checked(target, force)
    if target.is_dir() and not target.is_symlink():
        raise TargetExistsError(f"{os.fspath(target)!r} is a folder: give the name of a file")
    unfinished = _beside(target, "unfinished")
    unfinished.touch(exist_ok=False)
    try:
        yield unfinished
        with open(unfinished, "rb") as file:
            os.fsync(file.fileno())
        _checked(target, force)
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def fresh_folder(target: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield a folder to fill, which becomes the target if the block succeeds and is removed otherwise.

    An existing folder is replaced only with `force` and only if an export made it; an empty one always is.
    """
    target = target.absolute()
    target.parent.mkdir(parents=True, exist_ok=True)
    _check_folder(target, force)
    unfinished = _beside(target, "unfinished")
    unfinished.mkdir()
    try:
        yield unfinished
        (unfinished / MARK).touch()
        _check_folder(target, force)
        _exchange(unfinished, target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def copy_or_link(source: Path, target: Path, mode: Mode) -> None:
    """Copy or link a file; a link that the file system refuses raises a clear message."""
    try:
        _COPY_OR_LINK[mode](source.absolute(), target)
    except OSError as error:
        if mode == "copy" or error.errno not in (errno.EXDEV, errno.EPERM, errno.ENOTSUP):
            raise
        raise ValueError(f"a {mode} cannot be made in {os.fspath(target.parent)!r}: choose copy") from error


def _checked(target: Path, force: bool) -> Path:
    target = target.absolute()
    if not target.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {os.fspath(target.parent)!r}")
    if os.path.lexists(target) and not force:
        raise TargetExistsError(f"{os.fspath(target)!r} is there already: --force replaces it")
    return target


def _check_folder(target: Path, force: bool) -> None:
    if not os.path.lexists(target):
        return
    if target.is_symlink() or not target.is_dir():
        raise TargetExistsError(f"{os.fspath(target)!r} is there already and is no folder")
    if not any(target.iterdir()):
        return
    if not force:
        raise TargetExistsError(f"{os.fspath(target)!r} is not empty: export into a new folder")
    if not (target / MARK).exists():
        raise TargetExistsError(f"{os.fspath(target)!r} was not made by an export, so it is not replaced")


def _exchange(new: Path, target: Path) -> None:
    if not target.exists():
        os.rename(new, target)
        return
    old = _beside(target, "old")
    os.rename(target, old)
    try:
        os.rename(new, target)
    except OSError:
        os.rename(old, target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _beside(target: Path, what: str) -> Path:
    """A name beside the target; what a process that is gone left under such a name is removed."""
    first = f".{target.name[:80]}."
    for left in target.parent.glob(f"{glob.escape(first)}{HOST}-*.unfinished"):
        number = left.name.removeprefix(first).split("-")[1]
        if number.isdecimal() and not _is_running(int(number)):
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)
    return target.with_name(f"{first}{HOST}-{os.getpid()}-{secrets.token_hex(4)}.{what}")


def _is_running(process: int) -> bool:
    if sys.platform == "win32":  # there it cannot be asked without ending it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
