"""Stacks of a project: found beside the vectors, kept in the catalogue, read by whoever shows or asks."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.app.reduction import DIMENSIONS, reduction_of_many
from likewise.distances import nearest
from likewise.distances.neighbours import Neighbours
from likewise.images.catalog import open_catalog
from likewise.images.indexing import open_index
from likewise.images.stacks import find_links
from likewise.store import Vectors

Indices: TypeAlias = NDArray[np.int64]
NEIGHBOURS = 10  # nearest by their vectors that a picture is compared with
MANY = 4000  # pictures from which on vectors are shortened first
FEW = 512  # pictures that are compared without kernels, which the first question would wait for


def look_for_stacks(home: Path, vectors: Vectors) -> int:
    """Find what looks like the pictures that are new since the last time, and keep it; how many were looked at.

    - `home`: The project folder.
    - `vectors`: Say what may look alike; pictures without one are looked at when they have one.
    """
    found = open_index(home)
    with open_catalog(home) as catalog:
        unlooked, kept = catalog.unlooked(), catalog.links()
    present = vectors.present()
    here = np.flatnonzero([number < len(present) and bool(present[number]) for number in found.ids.tolist()])
    new = np.array([number in unlooked for number in found.ids[here].tolist()], bool)
    if not new.any():
        return 0
    row_of = {content: row for row, content in reversed(list(enumerate(found.contents)))}
    linked = [(row_of.get(a.hex()), row_of.get(b.hex())) for a, b, _ in kept]
    old = [(a, b) for a, b in linked if a is not None and b is not None]
    candidates = _candidates(vectors, found.ids[here], here, np.flatnonzero(new))
    links = find_links(found, candidates, old, here[new])
    contents = [bytes.fromhex(content) for content in found.contents]
    with open_catalog(home) as catalog:
        pairs = [(contents[a], contents[b], alike) for a, b, alike in links]
        catalog.add_links(pairs, found.ids[here[new]].tolist())
    return int(new.sum())


def _candidates(vectors: Vectors, ids: Indices, here: Indices, new: Indices) -> Indices:
    """Pairs of rows of the index, the nearest first: each new picture with those nearest to it."""
    n_neighbors = min(NEIGHBOURS, len(ids) - 1)
    if n_neighbors < 1:
        return np.empty((0, 2), np.int64)
    read = vectors.reader(ids)
    many = len(ids) > MANY
    X = (
        reduction_of_many(read, len(ids), DIMENSIONS).apply_to_many(read, len(ids))
        if many
        else read(np.arange(len(ids)))
    )
    if len(ids) <= FEW:
        near = _nearest_of_few(X, new, n_neighbors + 1)
    else:
        near = nearest(X[new], X, n_neighbors=n_neighbors + 1, metric="euclidean" if many else "cosine")
    pairs = np.stack([np.repeat(here[new], n_neighbors + 1), here[near.indices.ravel()]], axis=1)
    order = np.argsort(near.distances.ravel(), kind="stable")
    others: Indices = pairs[order][pairs[order, 0] != pairs[order, 1]]
    return others


def _nearest_of_few(X: NDArray[np.float32], new: Indices, n_neighbors: int) -> Neighbours:
    """What ``nearest`` gives of some rows, by cosine: all with all, and nothing that has to be compiled."""
    rows = np.asarray(X, np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True).clip(1e-300)
    distances = 1 - np.einsum("id,jd->ij", rows[new], rows)  # sums in one order, whatever the number of threads
    order = np.argsort(distances, axis=1, kind="stable")[:, :n_neighbors]
    return Neighbours(order, np.take_along_axis(distances, order, axis=1))


def read_links(home: Path) -> Indices:
    """Pairs of items that are assumed to be the same, the most alike first, (m, 2); of gone pictures too.

    - `home`: The project folder.
    """
    try:
        with open_catalog(home) as catalog:
            contents, kept = catalog.contents(), catalog.links()
    except OSError:  # nothing was read yet, or there is nothing to read
        return np.empty((0, 2), np.int64)
    first: dict[bytes, int] = {}
    pairs = [(first[content], number) for number, content in contents if first.setdefault(content, number) != number]
    pairs += [(first[a], first[b]) for a, b, _ in kept if a in first and b in first]
    return np.array(pairs, np.int64).reshape(-1, 2)
