"""Clusters as class folders: a folder a cluster, with copies of or links to its pictures."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from likewise.formats.tables import ClusterRow


def write_folders(
    rows: Iterable[ClusterRow],
    pictures: Path,
    target: Path,
    mode: Literal["copy", "hardlink", "symlink"] = "copy",
) -> int:
    """Write a folder for each cluster into an empty or new folder; how many pictures it took.

    Parameters
    ----------
    rows : iterable of ClusterRow
        Suggested ones are left out: nobody said yes to them.
    pictures : path
        The folder that the rows' paths are below; never written to.
    target : path
        Where to; it must be empty or not there.
    mode : "copy", "hardlink" or "symlink"
        How a picture gets there.

    Examples
    --------
    >>> import tempfile
    >>> source = Path(tempfile.mkdtemp())
    >>> _ = (source / "a.jpg").write_bytes(b"...")
    >>> write_folders([ClusterRow(0, "a.jpg", 3, "", "found")], source, source / "out")
    1
    >>> [str(p.relative_to(source)) for p in (source / "out").rglob("*.jpg")]
    ['out/cluster-3/a.jpg']
    """
    if target.exists() and any(target.iterdir()):
        raise ValueError(f"{os.fspath(target)!r} is not empty: export into a new folder")
    ways: dict[str, Callable[[Path, Path], object]] = {
        "copy": shutil.copy2,
        "hardlink": os.link,
        "symlink": os.symlink,
    }
    put = ways[mode]
    count = 0
    for row in rows:
        if row.state == "suggested":
            continue
        source = pictures.absolute() / row.path
        folder = target / folder_name(row)
        folder.mkdir(parents=True, exist_ok=True)
        put(source, _free(folder / source.name))
        count += 1
    return count


def folder_name(row: ClusterRow) -> str:
    """A safe name for a cluster's folder: its own name where it has one, with the number where that is not enough.

    Examples
    --------
    >>> folder_name(ClusterRow(0, "a.jpg", 3, "../red oak", "found"))
    'red oak-3'
    """
    name = re.sub(r"[^\w .()+-]+", " ", row.name).strip(" .")[:80]
    return f"{name}-{row.cluster}" if name else f"cluster-{row.cluster}"


def _free(path: Path) -> Path:
    """The path, or with a number behind its name where two pictures share one."""
    candidate, number = path, 1
    while os.path.lexists(candidate):
        candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return candidate
