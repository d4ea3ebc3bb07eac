"""Faces as pictures: cut out of their photographs, and where in these they are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from likewise.app.edits import NotThereError
from likewise.app.face_items import known_face
from likewise.app.live import LiveProject
from likewise.images.face_regions import Region, cut_out
from likewise.images.inside import open_inside
from likewise.images.reading import UnreadableImage, decode, digest
from likewise.images.thumbnails import PREVIEW, THUMBNAIL, copy_path, write_copies
from likewise.store.items import Item
from likewise.store.register import region_key


@dataclass(frozen=True)
class FaceInPhotograph:
    """Where a face is.

    - `photograph`: The path of the photograph; `width` and `height` are its size in pixels.
    - `box`: Left, top, width and height, as shares of the photograph's width and height.
    - `flaws`: Why it is hardly to be recognised; mostly nothing.
    - `others`: The other faces of the photograph.
    """

    photograph: str
    width: int
    height: int
    box: list[float]
    flaws: list[str]
    others: list[int]


def face_in_photograph(live: LiveProject, image: int) -> FaceInPhotograph:
    """Where a face is in its photograph; an error where it is no face, or the photograph is gone."""
    item = live.project.item(image)
    if item.region is None or not item.width or not item.height:
        raise NotThereError(f"picture {image} is no face of a photograph that is there")
    x, y, w, h = item.region
    face = known_face(live.project, live.location.model, item)
    name = os.fsencode(item.path).decode("utf-8", "replace")
    here = live.wall.cluster_of
    others = [other for other in live.project.regions_of(item.path) if other != image and other in here]
    box = [x / item.width, y / item.height, w / item.width, h / item.height]
    return FaceInPhotograph(name, item.width, item.height, box, [] if face is None else list(face.flaws), others)


def open_face(folder: Path, home: Path, item: Item, size: str) -> BinaryIO:
    """The file of a face, open: cut out of its photograph when it was found, and again where that was removed.

    - `folder`: Of the pictures.
    - `home`: The project folder.
    - `size`: "thumb", or anything else for the largest there is.
    """
    if item.region is None or item.content is None or item.status == "gone":
        raise NotThereError(f"the photograph of face {item.id} is not in the folder any more")
    key = region_key(item.content, item.region).hex()
    if not copy_path(home, key, THUMBNAIL).exists():
        _cut_again(folder, home, item, item.region, key)
    preview = copy_path(home, key, PREVIEW)
    path = preview if size != "thumb" and preview.exists() else copy_path(home, key, THUMBNAIL)
    return open_inside(home, os.path.relpath(path, home))


def _cut_again(folder: Path, home: Path, item: Item, region: Region, key: str) -> None:
    with open_inside(folder, item.path) as file:
        if bytes.fromhex(digest(file)) != item.content:
            raise UnreadableImage(folder / item.path, "it changed since it was indexed", lasting=False)
        file.seek(0)
        image = decode(file, folder / item.path)[0]
    write_copies(cut_out(image, region), key, home)
