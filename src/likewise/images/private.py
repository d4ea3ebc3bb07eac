"""Files of a project are its owner's alone: other people of the same machine neither read nor change them."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

__all__ = ["OWNER_ONLY", "keep_private", "write_private"]

OWNER_ONLY = 0o077  # as a umask: new files are 0600, new folders 0700
OWN_FOLDER = ".likewise"
# What a project keeps in its folder: somebody may have chosen one that holds other things too, which are not ours.
OWN_NAMES = re.compile(
    r"likewise[.-].*|leases-.*|.*\.lock|truth\.csv|tags\.csv|server\.json|signed-out\.jsonl|open-page\.html"
    r"|vectors|256|1024|unfinished|\.export-.*"
)


def keep_private(folder: str | os.PathLike[str]) -> None:
    """Make a project folder where there is none, and take away what others may do with what is in it.

    Of a folder that holds other things too, only the files of the project are changed. Links are left alone, and so is
    what belongs to somebody else. A folder inside that is private already is not looked through again: what is made in
    it is private from the start.

    - `folder`, path-like: The project folder.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / ".likewise"
    >>> keep_private(folder)
    >>> (folder / "likewise.db").touch(0o644)
    >>> keep_private(folder)
    >>> [oct(path.stat().st_mode & 0o777) for path in (folder, folder / "likewise.db")]
    ['0o700', '0o600']
    """
    home = Path(folder)
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.scandir(home) as entries:
        found = list(entries)
    ours = [each for each in found if home.name == OWN_FOLDER or OWN_NAMES.fullmatch(each.name)]
    if len(ours) == len(found):
        _close(os.fspath(home), home.stat())
    ahead = ours
    while ahead:
        entry = ahead.pop()
        with suppress(OSError):  # it is gone already, or somebody else's
            was_open = _close(entry.path, entry.stat(follow_symlinks=False))
            if was_open and entry.is_dir(follow_symlinks=False):
                ahead.extend(os.scandir(entry.path))


def _close(path: str, status: os.stat_result) -> bool:
    """Take away what others may do with a file or folder; whether they could do anything."""
    is_ours = stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)
    if not is_ours or not status.st_mode & OWNER_ONLY:
        return False
    with suppress(OSError):  # somebody else's, or a disk without rights
        os.chmod(path, stat.S_IMODE(status.st_mode) & ~OWNER_ONLY)
    return True


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner reads: made so from the start, and put in place at once."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
