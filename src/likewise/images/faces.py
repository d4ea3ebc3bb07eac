"""Faces in pictures: found, put upright, and made vectors; several in a picture are separate."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from pathlib import Path as FilePath
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from likewise.images.ahead import OnError, Unreadable, as_paths, attempt, map_ahead, reporter
from likewise.images.crew import default_workers
from likewise.images.progress import Report
from likewise.images.reading import Path, UnreadableImage, read_image
from likewise.plugins import load_plugins

__all__ = ["FACES", "DlibFaces", "FaceFinder", "Faces", "FoundFace", "find_faces", "is_of_faces", "load_finder"]

FACES = "faces-dlib"  # the name of the vectors of the finder that the extra brings
PACKAGE = "face_recognition_models"
# Five landmarks, not the 68 that the package also holds: those are licensed for research alone.
LANDMARKS = "shape_predictor_5_face_landmarks.dat"
RECOGNITION = "dlib_face_recognition_resnet_model_v1.dat"
DIMENSION = 128
LONGEST = 1024
SMALL = 64  # pixels of the picture as it is looked at: the network wants 150
BLURRED = 0.015  # variance of the second derivatives as a share of that of the greys; sharp faces have 0.04 and more
TURNED = 0.2  # of the distance of the eyes: how far the nose is from between them
SIDE_VIEWS = (1, 2)  # of the five detectors in one: a face seen from the left, from the right
CHIP = 96  # pixels: the size in which sharpness is measured


class FoundFace(NamedTuple):
    """A face in a picture.

    - `box`: Left, top, right and bottom, as shares of the upright picture's width and height.
    - `score`: How sure the finder is.
    - `vector`: Near those of the same person.
    - `flaws`: Why it is hardly to be recognised: "small", "blurred", "turned"; mostly none.
    """

    box: tuple[float, float, float, float]
    score: float
    vector: NDArray[np.float32]
    flaws: tuple[str, ...] = ()


class FaceFinder(Protocol):
    """Who finds faces in a picture and makes vectors of them.

    Register one for others under the entry point group ``likewise.faces``: a name, and something that gives a finder
    when called without arguments; ``likewise photos/ --faces --model NAME`` uses it.
    """

    dimension: int
    """Length of a vector."""
    longest: int
    """Longer side, in pixels, at which pictures are looked at."""

    def find(self, pixels: NDArray[np.uint8]) -> list[FoundFace]:
        """The faces of one RGB picture (height, width, 3), the surest first."""
        ...


def is_of_faces(model: str) -> bool:
    """Whether the vectors of this name are of the faces in pictures.

    Examples
    --------
    >>> is_of_faces("faces-dlib"), is_of_faces("efficientnet-lite0")
    (True, False)
    """
    return model == FACES or model in load_plugins("faces")


def load_finder(model: str = FACES) -> FaceFinder:
    """Give the finder of a name; an ImportError says what to install."""
    if model == FACES:
        return DlibFaces()
    made: FaceFinder = load_plugins("faces")[model].load()()
    return made


@dataclass(frozen=True)
class Faces:
    """The faces of many pictures, one row each, in the order of the pictures and of how sure each is.

    - `pictures` (m,): Which picture a face is in, by its index in the list.
    - `boxes` (m, 4): Left, top, right and bottom, as shares of the upright picture's width and height; a face that
      is cut off may reach beyond 0 or 1.
    - `scores` (m,): How sure the detector is; above 0.
    - `vectors` (m, 128), float32: Two of one person are mostly nearer than 0.6 (Euclidean).
    - `flaws`, list of tuples of str: Why each is hardly to be recognised: "small", "blurred", "turned"; mostly none.

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
    flaws: list[tuple[str, ...]] = field(default_factory=list)

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
    pictures, found = _find_all(as_paths(paths), DlibFaces(upsample, least_score), on_error, progress)
    return Faces(
        np.array(pictures, np.intp),
        np.array([face.box for face in found], np.float64).reshape(-1, 4),
        np.array([face.score for face in found], np.float64),
        np.array([face.vector for face in found], np.float32).reshape(-1, DIMENSION),
        [face.flaws for face in found],
    )


def _find_all(
    files: list[Path], finder: FaceFinder, on_error: OnError, progress: bool | Report
) -> tuple[list[int], list[FoundFace]]:
    """The picture of every face, and the faces."""
    unreadable = Unreadable(on_error)
    pictures: list[int] = []
    found: list[FoundFace] = []
    read = partial(attempt, lambda path: np.asarray(read_image(path, finder.longest)))
    ahead = map_ahead(read, files, threads=default_workers(), ahead=2 * default_workers())
    with reporter("Finding faces", progress, len(files)) as report, closing(ahead):
        for i, pixels in enumerate(ahead):
            if isinstance(pixels, UnreadableImage):
                unreadable.meet(pixels)
            else:
                faces = finder.find(pixels)
                pictures.extend([i] * len(faces))
                found.extend(faces)
            report(i + 1)
    unreadable.warn()
    return pictures, found


class DlibFaces:
    """Finds faces by dlib's detector, and makes vectors by its network (extra ``faces``).

    - `upsample`, `least_score`: As of :func:`find_faces`.
    """

    dimension = DIMENSION
    longest = LONGEST

    def __init__(self, upsample: int = 1, least_score: float = 0.0) -> None:
        self.upsample, self.least_score = upsample, least_score
        self._detector, self._landmarks, self._recognition = _models()

    def find(self, pixels: NDArray[np.uint8]) -> list[FoundFace]:
        """The faces of one RGB picture, the surest first."""
        height, width = pixels.shape[:2]
        boxes, scores, views = self._detector.run(pixels, self.upsample, self.least_score)
        faces = []
        for box, score, view in zip(boxes, scores, views, strict=True):
            shape = self._landmarks(pixels, box)
            # Aligning happens within: the face is turned and scaled by its landmarks before it is described.
            vector = np.array(self._recognition.compute_face_descriptor(pixels, shape), np.float32)
            left, top, right, bottom = box.left(), box.top(), box.right() + 1, box.bottom() + 1
            corners = (left / width, top / height, right / width, bottom / height)
            marks = np.array([(point.x, point.y) for point in shape.parts()], np.float64)
            turned = view in SIDE_VIEWS or turn_of(marks) > TURNED
            flaws = flaws_of(pixels[max(top, 0) : bottom, max(left, 0) : right], right - left, turned)
            faces.append(FoundFace(corners, float(score), vector, flaws))
        return faces


def turn_of(marks: NDArray[np.float64]) -> float:
    """How far the nose is from between the eyes, along the line through them, as a share of their distance.

    - `marks` (5, 2): The corners of one eye, those of the other, and the nose.

    Examples
    --------
    >>> turn_of(np.array([[0.0, 0.0], [2.0, 0.0], [8.0, 0.0], [10.0, 0.0], [7.0, 6.0]]))
    0.25
    """
    one, other = marks[:2].mean(axis=0), marks[2:4].mean(axis=0)
    across = other - one
    square = float(across @ across)
    return abs(float((marks[4] - (one + other) / 2) @ across)) / square if square else 0.0


def flaws_of(pixels: NDArray[np.uint8], width: int, turned: bool = False) -> tuple[str, ...]:
    """Why a face is hardly to be recognised.

    - `pixels` (height, width, 3): The face.
    - `width`: Of its box, in pixels of the picture as it is looked at.
    - `turned`: Whether it looks aside.

    Examples
    --------
    >>> flaws_of(np.zeros((20, 20, 3), np.uint8), 20)
    ('small', 'blurred')
    """
    found = [("small", width < SMALL), ("blurred", sharpness(pixels) < BLURRED), ("turned", turned)]
    return tuple(name for name, is_so in found if is_so)


def sharpness(pixels: NDArray[np.uint8]) -> float:
    """Variance of the second derivatives of a face as a share of the variance of its greys; 0 for one grey."""
    if not pixels.size:
        return 0.0
    grey = Image.fromarray(np.ascontiguousarray(pixels)).convert("L").resize((CHIP, CHIP), Image.Resampling.BILINEAR)
    g = np.asarray(grey, np.float64)
    second = g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:] - 4 * g[1:-1, 1:-1]
    spread = float(g.var())
    return float(second.var()) / spread if spread else 0.0


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
