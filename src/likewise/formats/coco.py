"""COCO: categories, images, and one annotation for each picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from likewise.formats.names import class_names, inside, plain_text
from likewise.formats.rows import ClusterRow, FaceRow, ImageRow, Snapshot
from likewise.formats.writing import Written

__all__ = ["write_coco"]


def write_coco(snapshot: Snapshot, path: Path) -> Written:
    """Write one JSON file in COCO's layout.

    COCO has no label for a whole picture. Each annotation is therefore a box around all of it, because some
    readers require boxes; a picture of unknown size has an annotation without a box. Pictures that are only suggested
    are listed among the images and have no annotation. Of faces, the images are the photographs, and the boxes those
    of the faces.

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
    classes = class_names(rows, snapshot.unnamed)
    category = {cluster: number for number, cluster in enumerate(sorted(classes), 1)}
    images = {row.image: row for row in snapshot.images}
    listed: dict[int, dict[str, Any]] = {}
    annotations: list[dict[str, Any]] = []
    for row in snapshot.clusters:
        face, file = snapshot.faces.get(row.image), snapshot.file_of(row)
        number = row.image if face is None else face.number
        if number not in listed:
            size = _size(file, images.get(number), snapshot.folder)
            listed[number] = {"id": number, "file_name": plain_text(file), **size}
        if row.state != "suggested":
            box = _box(listed[number], face)
            annotations.append(_annotation(len(annotations) + 1, row, number, category[row.cluster], box))
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
        "images": list(listed.values()),
        "annotations": annotations,
    }
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return Written(path, len(annotations), "annotations")


def _box(image: dict[str, Any], face: FaceRow | None) -> list[int] | None:
    """The box of a face, or of a whole picture; None where its size is not known."""
    if face is not None:
        return [face.x, face.y, face.width, face.height]
    return [0, 0, image["width"], image["height"]] if "width" in image else None


def _annotation(number: int, row: ClusterRow, image: int, category: int, box: list[int] | None) -> dict[str, Any]:
    about: dict[str, Any] = {"id": number, "image_id": image, "category_id": category, "iscrowd": 0, "segmentation": []}
    about["attributes"] = {"state": row.state, "cluster": row.cluster} | (
        {"stack": plain_text(row.stack)} if row.stack else {}
    )
    if box is not None:
        about["bbox"] = box
        about["area"] = box[2] * box[3]
    return about


def _size(file: str, image: ImageRow | None, folder: Path | None) -> dict[str, int]:
    """Width and height as stored, or else from the header of the file; empty where it cannot be read."""
    if image is not None and image.width and image.height:
        return {"width": image.width, "height": image.height}
    if folder is None:
        return {}
    from PIL import Image

    try:
        with Image.open(inside(folder, file)) as picture:
            return {"width": picture.width, "height": picture.height}
    except (OSError, ValueError, Image.DecompressionBombError):
        return {}
