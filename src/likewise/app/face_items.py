"""What is known of faces without asking: which are in one photograph, which are copies, which are hard to recognise."""

from __future__ import annotations

from collections.abc import Container, Iterable
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.distances import nearest
from likewise.images.catalog import open_catalog
from likewise.images.kept_faces import KeptFace, KeptFaces
from likewise.store import Project
from likewise.store.items import Item

Indices: TypeAlias = NDArray[np.int64]
AROUND, MOST_SUGGESTED = 20, 24  # faces around one that was left out that are looked at, and that are suggested
CROWD, MOST_ALIKE = 100, 16  # faces in one photograph, and of these how many most like one are held apart from it


def faces_apart(project: Project, model: str) -> list[tuple[int, ...]]:
    """The faces of each photograph that has several: no two are of one person.

    Of a crowd each face is held apart from those most like it: all pairs would be too many.

    - `model`: Name of the vectors: a face without one was in the photograph before it was changed.
    """
    try:
        vectors = project.vectors(model)
    except FileNotFoundError:
        return []
    present = vectors.present()
    here = ([item for item in faces if item < len(present) and present[item]] for faces in project.regions().values())
    apart: list[tuple[int, ...]] = []
    for faces in here:
        if len(faces) > CROWD:
            near = nearest(vectors.rows_of(faces).astype(np.float64), n_neighbors=MOST_ALIKE).indices
            pairs = {(min(k, other), max(k, other)) for k, others in enumerate(near.tolist()) for other in others}
            apart += [(faces[a], faces[b]) for a, b in sorted(pairs)]
        elif len(faces) > 1:
            apart.append(tuple(faces))
    return apart


def copied_faces(project: Project) -> Indices:
    """Pairs of faces at the same place of files with the same content, (m, 2)."""
    first: dict[object, int] = {}
    pairs = []
    for item in project.items():
        if item.region is not None and item.content is not None:
            one = first.setdefault((item.content, item.region), item.id)
            pairs += [(one, item.id)] if one != item.id else []
    return np.array(pairs, np.int64).reshape(-1, 2)


def known_faces(project: Project, model: str) -> dict[int, KeptFace]:
    """What the finder said of each face, by item."""
    if project.folder is None:
        return {}
    try:
        with open_catalog(Path(project.folder)) as catalog:
            kept = KeptFaces(catalog, model).all()
    except OSError:  # nothing was read yet
        return {}
    found: dict[int, KeptFace] = {}
    for item in project.items():
        if item.content is not None and item.region is not None and (item.content, item.region) in kept:
            found[item.id] = kept[item.content, item.region]
    return found


def known_face(project: Project, model: str, item: Item) -> KeptFace | None:
    """What the finder said of one face."""
    if project.folder is None or item.content is None:
        return None
    with open_catalog(Path(project.folder)) as catalog:
        kept = KeptFaces(catalog, model).of(item.content)
    return next((face for face in kept if face.region == item.region), None)


def hard_faces(project: Project, model: str) -> set[int]:
    """Faces that are hardly to be recognised."""
    return {item for item, face in known_faces(project, model).items() if face.flaws}


def like_left_out(project: Project, model: str, left_out: Iterable[int], shown: Container[int]) -> list[int]:
    """Faces that may be none, like others that people left out: each has one of those nearest of all faces.

    - `left_out`: What people left out.
    - `shown`: What is still asked about.
    - Returns list of int: The nearest first, at most 24.
    """
    try:
        vectors = project.vectors(model)
    except FileNotFoundError:
        return []
    items = np.flatnonzero(vectors.present())
    gone = np.isin(items, list(left_out))
    if not gone.any() or gone.all():
        return []
    X = vectors.rows_of(items).astype(np.float64)
    near = nearest(X[gone], X[~gone], n_neighbors=min(AROUND, int((~gone).sum()))).indices
    places = np.flatnonzero(~gone)[np.unique(near)]
    found = nearest(X[places], X, n_neighbors=2)  # the first is the face itself, or one just like it
    others = [next(k for k in row if k != place) for place, row in zip(places, found.indices, strict=True)]
    far = found.distances[:, 1]
    order = np.argsort(far, kind="stable")
    like = [int(items[places[k]]) for k in order if gone[others[k]]]
    return [item for item in like if item in shown][:MOST_SUGGESTED]


def why_no_faces(project: Project) -> str:
    """A sentence where faces were looked for and none was found; empty where there are some."""
    if project.regions():
        return ""
    n = len(project.whole_pictures())
    where = "There are no pictures yet" if not n else f"No face was found in {'the' if n == 1 else f'any of the {n:,}'}"
    pictures = "" if not n else " picture" if n == 1 else " pictures"
    return f"{where}{pictures}: a face is found when it looks at the camera and is not too small."
