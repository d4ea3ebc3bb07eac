"""Where compiled kernels are kept: beside the sources, in the home folder, or else in a private temporary folder."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path

KERNELS = Path(__file__).parent


def choose_cache_folder() -> str | None:
    """A folder for compiled kernels where Numba would find none that it may write to, and then stop; else None.

    A service often runs as a user without a home, on files of somebody else. Compiled kernels run when they are read:
    a folder that others could have written into is not taken.
    """
    if os.environ.get("NUMBA_CACHE_DIR") or os.access(KERNELS, os.W_OK) or _may_write(_user_cache()):
        return None
    number = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"likewise-kernels-{number}"
    if not _is_private(folder):
        folder = Path(tempfile.mkdtemp(prefix="likewise-kernels-"))
    return os.fspath(folder)


def use_cache_folder() -> None:
    """Let Numba, here and in processes started from here, keep what it compiles where that is possible."""
    folder = choose_cache_folder()
    if folder is not None:
        os.environ["NUMBA_CACHE_DIR"] = folder
        if "numba" in sys.modules:
            sys.modules["numba"].config.CACHE_DIR = folder


def _user_cache() -> Path:
    """As Numba chooses it."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home())
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))


def _may_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _is_private(folder: Path) -> bool:
    """Whether a folder is this user's alone, made where there is none."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = os.lstat(folder)
    except OSError:
        return False
    is_mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    is_closed = os.name == "nt" or not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return stat.S_ISDIR(found.st_mode) and is_mine and is_closed
