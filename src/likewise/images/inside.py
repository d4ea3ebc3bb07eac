"""Opening a file below a folder without following any link on the way to it."""

from __future__ import annotations

import errno
import os
from typing import BinaryIO

from likewise.images.reading import UnreadableImage, check_status, say_why

__all__ = ["is_inside", "open_inside"]

A_LINK = "it, or a folder on the way to it, is a link now, and links are not followed"
OUTSIDE = "it is outside of the folder of pictures"
BY_FOLDER = os.open in os.supports_dir_fd


def open_inside(folder: str | os.PathLike[str], name: str) -> BinaryIO:
    """Open a regular file below a folder for reading, by its path within it.

    Links are followed nowhere below the folder: not in place of the file, and not in place of a folder on the way,
    also when one is put there in this moment.

    - `folder`, path-like: Where the pictures are; no link itself.
    - `name`: The path within it, decoded by :func:`os.fsdecode`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_text("inside")
    >>> with open_inside(folder, "a.txt") as file:
    ...     file.read()
    b'inside'
    >>> (folder / "b.txt").symlink_to("a.txt")
    >>> open_inside(folder, "b.txt")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    likewise.images.reading.UnreadableImage: ...
    """
    full = os.path.join(os.fspath(folder), name)
    handle = -1
    try:
        handle = _descend(os.fspath(folder), _parts(full, name))
        check_status(full, os.fstat(handle))
        return open(handle, "rb")
    except BaseException as error:
        if handle >= 0:
            os.close(handle)
        if not isinstance(error, OSError):
            raise
        raise UnreadableImage(full, _reason(error), lasting=False) from None


def _descend(folder: str, parts: list[bytes]) -> int:
    """Open what is at the end of a path, one folder after the other."""
    *parents, last = parts
    flags = _flags("O_NONBLOCK", "O_BINARY")  # a pipe is never waited for
    if not BY_FOLDER:  # a system that opens files by their whole path only
        full = os.path.join(folder, *map(os.fsdecode, parts))
        if not is_inside(folder, full):
            raise OSError(errno.ELOOP, A_LINK)
        return os.open(full, flags)
    handle = os.open(folder, _flags("O_DIRECTORY"))
    try:
        for part in parents:
            below = os.open(part, _flags("O_DIRECTORY"), dir_fd=handle)
            os.close(handle)
            handle = below
        return os.open(last, flags, dir_fd=handle)
    finally:
        os.close(handle)


def _reason(error: OSError) -> str:
    if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
        return A_LINK
    return "it is not there any more" if isinstance(error, FileNotFoundError) else say_why(error)


def is_inside(folder: str | os.PathLike[str], path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to what is really below a folder, over no link; it may change the moment after."""
    root = os.path.realpath(folder)
    return os.path.realpath(path) == os.path.join(root, os.path.relpath(path, folder))


def _flags(*names: str) -> int:
    return sum((getattr(os, name, 0) for name in (*names, "O_NOFOLLOW", "O_CLOEXEC")), os.O_RDONLY)


def _parts(full: str, name: str) -> list[bytes]:
    parts = os.fsencode(name).split(os.fsencode(os.sep))
    if any(part in (b"", b".", b"..") or b"\0" in part for part in parts):
        raise UnreadableImage(full, OUTSIDE)
    return parts
