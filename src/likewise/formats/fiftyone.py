"""FiftyOne's ``FiftyOneImageClassificationDataset``: a folder of pictures and ``labels.json``."""

from __future__ import annotations

import json
from pathlib import Path

from likewise.formats.folders import export_pictures
from likewise.formats.names import class_names
from likewise.formats.rows import Snapshot
from likewise.formats.writing import Mode, Written

__all__ = ["write_fiftyone"]


def write_fiftyone(snapshot: Snapshot, path: Path, *, mode: Mode = "copy") -> Written:
    """Write ``data/`` and ``labels.json`` with the classes and the class number of each picture.

    FiftyOne finds a picture by its file name without the suffix, so these are made unique. Pictures that are only
    suggested are left out. Faces are cut out of their photographs.

    - `snapshot`: What to write.
    - `path`: An empty folder.
    - `mode`, "copy", "hardlink" or "symlink": Whether pictures are copied or linked.
    """
    rows = snapshot.accepted()
    names = class_names(rows, snapshot.unnamed)
    classes = [names[cluster] for cluster in sorted(names)]
    number = {cluster: k for k, cluster in enumerate(sorted(names))}
    (path / "data").mkdir()
    labels: dict[str, int] = {}
    skipped: list[tuple[str, str]] = []
    wanted = ((row, path / "data") for row in rows)
    for row, target in export_pictures(snapshot, wanted, mode, skipped, by_stem=True, cut=True):
        labels[target.stem] = number[row.cluster]
    content = {"classes": classes, "labels": labels}
    (path / "labels.json").write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
    return Written(path, len(labels), "pictures", skipped)
