"""COCO: categories, images, and one annotation for each picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from likewise.formats.names import class_names, inside, plain_text
from likewise.formats.rows import ClusterRow, ImageRow, Snapshot
from likewise.formats.writing import Written

__all__ = ["write_coco"]


def write_coco(snapshot: Snapshot, path: Path) -> Written:
    """Write one JSON file in COCO's layout.

    COCO has no label for a whole picture. Each annotation is therefore a box around all of it, because some
    readers require boxes; a picture of unknown size has an annotation without a box. Pictures that are only suggested
    are listed among the images and have no annotation.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "coco.json"
    >>> rows, images = [ClusterRow(0, "a.jpg", 3, "oak", "found")], [ImageRow(0, "a.jpg", "present", 8, 6)]
    >>> _ = write_coco(Snapshot("leaves", None, rows, images), path)
    >>> json.loads(path.read_text())["annotations"][0]["bbox"]
    [0, 0, 8, 6]
    """
    rows = snapshot.accepted()
    classes = class_names(rows)
    category = {cluster: number for number, cluster in enumerate(sorted(classes), 1)}
    images = {row.image: row for row in snapshot.images}
    listed: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for row in snapshot.clusters:
        size = _size(row, images.get(row.image), snapshot.folder)
        listed.append({"id": row.image, "file_name": plain_text(row.path), **size})
        if row.state != "suggested":
            annotations.append(_annotation(len(annotations) + 1, row, category[row.cluster], size))
    content = {
        "info": {
            "description": snapshot.project,
            "version": "1.0",
            "year": snapshot.made_at.year,
            "contributor": "likewise",
            "date_created": snapshot.made_at.date().isoformat(),
        },
        "licenses": [],
        "categories": [
            {"id": category[cluster], "name": classes[cluster], "supercategory": ""} for cluster in sorted(classes)
        ],
        "images": listed,
        "annotations": annotations,
    }
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return Written(path, len(annotations), "annotations")


def _annotation(number: int, row: ClusterRow, category: int, size: dict[str, int]) -> dict[str, Any]:
    about: dict[str, Any] = {
        "id": number,
        "image_id": row.image,
        "category_id": category,
        "iscrowd": 0,
        "segmentation": [],
    }
    about["attributes"] = {"state": row.state, "cluster": row.cluster} | (
        {"stack": plain_text(row.stack)} if row.stack else {}
    )
    if size:
        about["bbox"] = [0, 0, size["width"], size["height"]]
        about["area"] = size["width"] * size["height"]
    return about


def _size(row: ClusterRow, image: ImageRow | None, folder: Path | None) -> dict[str, int]:
    """Width and height as stored, or else from the header of the file; empty where it cannot be read."""
    if image is not None and image.width and image.height:
        return {"width": image.width, "height": image.height}
    if folder is None:
        return {}
    from PIL import Image

    try:
        with Image.open(inside(folder, row.path)) as picture:
            return {"width": picture.width, "height": picture.height}
    except (OSError, ValueError, Image.DecompressionBombError):
        return {}
