"""Files that are written whole or not at all, and locked; the folder for what can be made again."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

__all__ = ["cache_folder", "lock_file", "write_atomically"]


def cache_folder() -> Path:
    """Give the folder that keeps what can be made again, made when missing.

    - Returns: ``$LIKEWISE_CACHE`` where it is set, else the platform's own folder for caches.

    Examples
    --------
    >>> cache_folder().is_dir()
    True
    """
    if chosen := os.environ.get("LIKEWISE_CACHE"):
        folder = Path(chosen)
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches" / "likewise"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "likewise" / "Cache"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "likewise"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that others see it whole or not at all, also when several write it at once.

    Examples
    --------
    >>> path = Path(tempfile.mkdtemp()) / "kept"
    >>> write_atomically(path, b"all of it")
    >>> path.read_bytes()
    b'all of it'
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


@contextmanager
def lock_file(path: Path, what: str, wait: float = 0.0) -> Iterator[None]:
    """Keep other processes out by a file, until the end of the block or of this process.

    - `path`: The file, made when missing.
    - `what`: What the others do meanwhile, for the message of the BlockingIOError.
    - `wait`: Seconds to wait for another.

    Examples
    --------
    >>> path = Path(tempfile.mkdtemp()) / "lock"
    >>> with lock_file(path, "counting"), lock_file(path, "counting"):
    ...     pass
    Traceback (most recent call last):
    ...
    BlockingIOError: another run is counting.
    """
    # The lock of an SQLite file is released by the system when its holder dies, on every platform.
    with closing(sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise OSError(f"{os.fspath(path)!r} cannot be used: {error}.") from error
            raise BlockingIOError(f"another run is {what}.") from None
        yield
