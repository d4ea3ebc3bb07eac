"""Reads the faces in the pictures of a folder: each is an item, with a vector of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from likewise.app.indexer import Indexer
from likewise.app.location import Location
from likewise.images.catalog import open_catalog
from likewise.images.face_regions import Region, cut_out, match_regions, region_of
from likewise.images.faces import FaceFinder, FoundFace, load_finder
from likewise.images.inside import open_inside
from likewise.images.kept_faces import KeptFace, KeptFaces
from likewise.images.reading import UnreadableImage, decode
from likewise.images.thumbnails import write_copies
from likewise.images.vectors import Recipe, model_key
from likewise.store import Project
from likewise.store.register import region_key

CHUNK = 8  # pictures looked through before the next report: each takes as long as tens of vectors
LONGEST = 4096  # pixels of a picture from which faces are cut out


class FaceIndexer(Indexer):
    """Brings the faces of a project up to date with a folder.

    A face is an item from the moment on in which it was found, and keeps its id when the picture is saved again, as
    long as it is in the same place of it.

    - `finder`: Who finds them; by default the one of the project's model.
    """

    def __init__(
        self,
        project: Project,
        location: Location,
        pictures: Path,
        report: Callable[[dict[str, Any]], None],
        finder: FaceFinder | None = None,
    ) -> None:
        super().__init__(project, location, Path(os.path.realpath(pictures)), report)
        self.finder = load_finder(location.model) if finder is None else finder
        key, dimension = model_key(location.model), self.finder.dimension
        self._here = self._wanted = self._recipe = Recipe(
            key, dimension, np.dtype("<f4"), "euclidean", self._compute_none, CHUNK
        )
        self._names: dict[bytes, list[str]] = {}  # pictures by content, of those that wait

    def _compute_none(self, *_: Any, **__: Any) -> NDArray[Any]:
        raise NotImplementedError("faces have vectors, pictures have none")

    def _is_made(self, names: list[str], contents: list[bytes]) -> Sequence[bool]:
        with open_catalog(Path(self.location.folder)) as catalog:
            kept = KeptFaces(catalog, self.location.model)
            looked = kept.looked(contents)
            known = [
                (name, kept.of(content)) for name, content in zip(names, contents, strict=True) if content in looked
            ]
        there = self.project.regions()
        self.project.add_regions(
            (name, face.region)
            for name, faces in known
            for face in faces
            if face.region not in there.get(os.fsencode(name), {}).values()
        )
        for name, content in zip(names, contents, strict=True):
            if content not in looked and name not in self._names.setdefault(content, []):
                self._names[content].append(name)
        return [content in looked for content in contents]

    def _make(self, chunk: dict[bytes, Path], failed: list[UnreadableImage]) -> None:
        for content, path in chunk.items():
            try:
                self._look_through(content, path)
            except UnreadableImage as error:
                failed.append(error)

    def _look_through(self, content: bytes, path: Path) -> None:
        """Find the faces of a picture, and keep them: items first, so that whoever sees the rest finds them."""
        name = os.path.relpath(path, self.pictures)
        names = self._names.pop(content, [name])
        with open_inside(self.pictures, name) as file:
            image, header = decode(file, path, LONGEST)
        found = self._find(image, path)
        before = self.project.regions_of(names[0])
        regions = match_regions([region_of(face.box, header.width, header.height) for face in found], before)
        faces = dict(zip(regions, found, strict=True))  # two boxes of the same pixels are one face
        self.project.add_regions([(name, region) for name in names for region in faces])
        home = Path(self.location.folder)
        keys = [region_key(content, region) for region in faces]
        for key, region in zip(keys, faces, strict=True):
            scaled = _scaled_region(region, image.width / header.width, image.height / header.height)
            write_copies(cut_out(image, scaled), key.hex(), home)
        if keys:
            self._vectors().put_contents(keys, _rows(list(faces.values()), self.finder.dimension))
        with open_catalog(home) as catalog:
            kept = [KeptFace(region, face.score, face.flaws) for region, face in faces.items()]
            KeptFaces(catalog, self.location.model).keep(content, kept)

    def _find(self, image: Image.Image, path: Path) -> list[FoundFace]:
        """The faces of a picture; one on which the finder fails cannot be read."""
        try:
            found = self.finder.find(_scaled(image, self.finder.longest))
        except (RuntimeError, MemoryError) as error:
            raise UnreadableImage(path, f"faces cannot be looked for in it: {error}") from error
        return [face for face in found if _is_somewhere(face)]

    def _look_for_stacks(self) -> None:
        """Copies of pictures are found by their content where they are asked about."""


def _is_somewhere(face: FoundFace) -> bool:
    """Whether a finder gave numbers, and a box that is not empty: what is nowhere in a picture is no face."""
    left, top, right, bottom = face.box
    is_number = np.isfinite(face.box).all() and np.isfinite(face.vector).all()
    return bool(is_number) and left < right and top < bottom


def _scaled(image: Image.Image, longest: int) -> NDArray[np.uint8]:
    if max(image.size) > longest:
        image = image.copy()
        image.thumbnail((longest, longest), Image.Resampling.LANCZOS, reducing_gap=2.0)
    return np.asarray(image)


def _scaled_region(region: Region, across: float, down: float) -> Region:
    x, y, w, h = region
    return round(x * across), round(y * down), max(round(w * across), 1), max(round(h * down), 1)


def _rows(faces: list[FoundFace], dimension: int) -> NDArray[np.float32]:
    rows = np.array([face.vector for face in faces], np.float32)
    if rows.shape != (len(faces), dimension):
        raise ValueError(f"the finder of faces gave vectors of shape {rows.shape}, not {(len(faces), dimension)}")
    return rows
