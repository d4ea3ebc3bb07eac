"""A picture's folder in the file manager of the person at the machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from likewise.app.edits import NotThereError
from likewise.images.inside import is_inside

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def has_file_manager() -> bool:
    """Whether a folder can be opened on a screen of this machine."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in SCREENS) and shutil.which("xdg-open") is not None


def show_in_file_manager(folder: Path, name: str) -> None:
    """Open the folder in which a picture is, in the file manager.

    No file is opened, only its folder, by its whole path and without a shell: whatever it is called, nothing runs.

    - `folder`: The folder of pictures.
    - `name`: The picture's path within it.
    """
    path = folder.absolute() / name
    if not path.exists() or not is_inside(folder.absolute(), path):
        raise NotThereError("this picture is not in the folder any more")
    if not has_file_manager():
        raise ValueError("there is no screen, or no file manager, on the machine that likewise runs on")
    if sys.platform == "win32":
        os.startfile(path.parent)
        return
    command = ["open", "-R", os.fspath(path)] if sys.platform == "darwin" else ["xdg-open", os.fspath(path.parent)]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.Popen(command, start_new_session=True, **quiet)  # type: ignore[call-overload]
