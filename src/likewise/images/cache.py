"""The folder for what can be made again: written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

__all__ = ["cache_folder", "write_atomically"]


def cache_folder() -> Path:
    """Give the folder, made when missing, that keeps what can be made again.

    Returns
    -------
    pathlib.Path
        ``$LIKEWISE_CACHE`` where it is set, else the platform's own place for caches.

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
        folder = (
            Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "likewise" / "Cache"
        )
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
