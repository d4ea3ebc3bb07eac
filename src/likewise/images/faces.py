"""Faces in pictures: found, put upright, and made vectors; several in a picture are separate."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from pathlib import Path as FilePath
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.images.ahead import OnError, Unreadable, as_paths, attempt, map_ahead, reporter
from likewise.images.crew import default_workers
from likewise.images.progress import Report
from likewise.images.reading import Path, UnreadableImage, read_image

__all__ = ["Faces", "find_faces"]

PACKAGE = "face_recognition_models"
# Five landmarks, not the 68 that the package also holds: those are licensed for research alone.
LANDMARKS = "shape_predictor_5_face_landmarks.dat"
RECOGNITION = "dlib_face_recognition_resnet_model_v1.dat"
DIMENSION = 128
LONGEST = 1024

_Face: TypeAlias = tuple[tuple[float, ...], float, NDArray[np.float32]]  # box, score, vector


@dataclass(frozen=True)
class Faces:
    """The faces of many pictures, one row each, in the order of the pictures and of how sure each is.

    - `pictures` (m,): Which picture a face is in, by its index in the list.
    - `boxes` (m, 4): Left, top, right and bottom, as shares of the upright picture's width and height; a face that
      is cut off may reach beyond 0 or 1.
    - `scores` (m,): How sure the detector is; above 0.
    - `vectors` (m, 128), float32: Two of one person are mostly nearer than 0.6 (Euclidean).

    Examples
    --------
    >>> found = Faces(np.array([0, 0, 2]), np.zeros((3, 4)), np.ones(3), np.zeros((3, 128), np.float32))
    >>> len(found), found.cannot_link.tolist()
    (3, [[0, 1]])
    """

    pictures: NDArray[np.intp]
    boxes: NDArray[np.float64]
    scores: NDArray[np.float64]
    vectors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.pictures)

    @property
    def cannot_link(self) -> NDArray[np.intp]:
        """Pairs (k, 2) of faces in one picture, which are hardly ever of one person."""
        groups = np.split(np.arange(len(self)), np.flatnonzero(np.diff(self.pictures)) + 1)
        pairs = [pair for group in groups for pair in combinations(group.tolist(), 2)]
        return np.array(pairs, np.intp).reshape(-1, 2)


def find_faces(
    paths: Sequence[Path],
    *,
    upsample: int = 1,
    least_score: float = 0.0,
    on_error: OnError = "warn",
    progress: bool | Report = False,
) -> Faces:
    """Find the faces of pictures and make vectors of them (extra ``faces``).

    Pictures are read at no more than 1,024 pixels a side. A frontal face is found when it is about 80 pixels wide
    there, or half of that each time the picture is enlarged.

    - `paths`, sequence of path-like: The pictures.
    - `upsample`: How many times to double the picture before looking; each finds faces half as large in four times
      the time.
    - `least_score`: Leave out faces the detector is less sure of; negative values admit doubtful ones.
    - `on_error`, "warn", "raise" or callable: What to do about a picture that cannot be read: it has no faces and a
      warning at the end names it, its :class:`~likewise.images.UnreadableImage` is raised, or this is called with
      it.
    - `progress`, bool or callable: Show a bar on standard error, or call this with the number done and the number
      in all.
    - Returns: One row a face; a picture may have none.

    References
    ----------
    D. E. King, "Dlib-ml: a machine learning toolkit", Journal of Machine Learning Research 10, 2009: its detector
    (histograms of gradients), alignment by five landmarks, and a residual network of 29 layers for the vectors.

    Examples
    --------
    >>> find_faces(["family.jpg"]).vectors.shape  # doctest: +SKIP
    (5, 128)
    """
    if upsample < 0:
        raise ValueError(f"upsample must be 0 or more, got {upsample}")
    pictures, found = _find_all(as_paths(paths), upsample, least_score, on_error, progress)
    return Faces(
        np.array(pictures, np.intp),
        np.array([box for box, _, _ in found], np.float64).reshape(-1, 4),
        np.array([score for _, score, _ in found], np.float64),
        np.array([vector for _, _, vector in found], np.float32).reshape(-1, DIMENSION),
    )


def _find_all(
    files: list[Path], upsample: int, least_score: float, on_error: OnError, progress: bool | Report
) -> tuple[list[int], list[_Face]]:
    """The picture of every face, and the faces."""
    unreadable = Unreadable(on_error)
    models = _models()
    pictures: list[int] = []
    found: list[_Face] = []
    read = partial(attempt, lambda path: np.asarray(read_image(path, LONGEST)))
    ahead = map_ahead(read, files, threads=default_workers(), ahead=2 * default_workers())
    with reporter("Finding faces", progress, len(files)) as report, closing(ahead):
        for i, pixels in enumerate(ahead):
            if isinstance(pixels, UnreadableImage):
                unreadable.meet(pixels)
            else:
                faces = _faces_of(pixels, models, upsample, least_score)
                pictures.extend([i] * len(faces))
                found.extend(faces)
            report(i + 1)
    unreadable.warn()
    return pictures, found


def _faces_of(
    pixels: NDArray[np.uint8], models: tuple[Any, Any, Any], upsample: int, least_score: float
) -> list[_Face]:
    detector, landmarks, recognition = models
    height, width = pixels.shape[:2]
    boxes, scores, _ = detector.run(pixels, upsample, least_score)
    faces: list[_Face] = []
    for box, score in zip(boxes, scores, strict=True):
        # Aligning happens within: the face is turned and scaled by its landmarks before it is described.
        vector = np.array(recognition.compute_face_descriptor(pixels, landmarks(pixels, box)), np.float32)
        corners = (box.left() / width, box.top() / height, (box.right() + 1) / width, (box.bottom() + 1) / height)
        faces.append((corners, float(score), vector))
    return faces


@cache
def _models() -> tuple[Any, Any, Any]:
    # Found without importing it: its code needs setuptools, which need not be there.
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations or importlib.util.find_spec("dlib") is None:
        raise ImportError("finding faces needs dlib and its models: install likewise[faces]")
    import dlib

    folder = FilePath(spec.submodule_search_locations[0], "models")
    return (
        dlib.get_frontal_face_detector(),
        dlib.shape_predictor(str(folder / LANDMARKS)),
        dlib.face_recognition_model_v1(str(folder / RECOGNITION)),
    )
