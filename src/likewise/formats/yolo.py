"""A data set for YOLO classification: a folder for each class in ``train`` and in ``val``."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path

from likewise.formats.folders import export_pictures
from likewise.formats.names import folder_names
from likewise.formats.rows import ClusterRow, Snapshot
from likewise.formats.writing import Mode, Written

__all__ = ["write_yolo"]

VALIDATION = 5  # one in five pictures of a class is for validation


def write_yolo(snapshot: Snapshot, path: Path, *, mode: Mode = "copy") -> Written:
    """Write ``train/CLASS/…`` and ``val/CLASS/…``, as Ultralytics documents it.

    A fifth of each class is for validation, but nothing of a class with one picture. It is chosen by the digests of
    the paths, so that a picture keeps its side when others come or go. Pictures that are only suggested are left out.
    Faces are cut out of their photographs.

    - `snapshot`: What to write.
    - `path`: An empty folder.
    - `mode`, "copy", "hardlink" or "symlink": Whether pictures are copied or linked.
    """
    rows = snapshot.accepted()
    names = folder_names(rows, snapshot.unnamed)
    held_out = _held_out(rows)
    wanted = ((row, path / ("val" if row in held_out else "train") / names[row.cluster]) for row in rows)
    skipped: list[tuple[str, str]] = []
    count = sum(1 for _ in export_pictures(snapshot, wanted, mode, skipped, cut=True))
    for side in ("train", "val"):  # readers need both sides with all classes, even where one is empty
        for name in names.values():
            (path / side / name).mkdir(parents=True, exist_ok=True)
    return Written(path, count, "pictures", skipped)


def _held_out(rows: list[ClusterRow]) -> set[ClusterRow]:
    classes: dict[int, list[ClusterRow]] = defaultdict(list)
    for row in rows:
        classes[row.cluster].append(row)
    chosen: set[ClusterRow] = set()
    for members in classes.values():
        if len(members) > 1:
            members.sort(key=_digest)
            chosen.update(members[: max(1, len(members) // VALIDATION)])
    return chosen


def _digest(row: ClusterRow) -> bytes:
    return hashlib.sha256(row.path.encode("utf-8", "surrogateescape")).digest()
