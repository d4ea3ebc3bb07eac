"""Vectors of an indexed folder, computed once and kept in its project folder by the content of the files."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.images.ahead import OnError, Unreadable, reporter
from likewise.images.embedding import DEFAULT, PACKAGED, embed, load_embedder
from likewise.images.indexing import Index
from likewise.images.known_models import KNOWN
from likewise.images.progress import Report
from likewise.images.reading import Path
from likewise.images.vector_file import VectorFile, rows_at

__all__ = ["Recipe", "model_key", "recipe", "vectors"]

REVISION = 1  # of the descriptors: raise it when any of them gives other numbers
UNSAFE = re.compile(r"[^A-Za-z0-9_.+-]")  # in the name of a folder
CHUNK = 512  # pictures between two times of writing


class Recipe(NamedTuple):
    """How to make vectors: a name to keep them under, their form, the metric they are meant for, and the maker.

    `chunk` is how many pictures are made at once at the most, None for as many as is usual.
    """

    key: str
    dimension: int
    dtype: np.dtype[Any]
    metric: str
    compute: Callable[..., NDArray[Any]]
    chunk: int | None = None


def recipe(model: str | os.PathLike[str] | None = None, descriptors: str | Iterable[str] | None = None) -> Recipe:
    """Give the recipe of a model or of descriptors; without either, of the default embedding.

    Examples
    --------
    >>> recipe(descriptors=("hsv", "fourier"))[:2], recipe(descriptors="gist").metric
    (('hsv+fourier-1', 184), 'euclidean')
    """
    if model is not None and descriptors is not None:
        raise ValueError("a model or descriptors, not both")
    if descriptors is not None:
        from likewise.images.descriptors import choose_descriptors, describe  # on use: a store needs no kernels

        chosen = choose_descriptors(descriptors)
        names = [each.name for each in chosen]
        metrics = {each.metric for each in chosen}
        metric = metrics.pop() if len(metrics) == 1 else "euclidean"
        dimension = sum(each.dimension for each in chosen)

        def compute(paths: Sequence[Path], **options: Any) -> NDArray[Any]:
            return describe(paths, names, **options)

        return Recipe(f"{'+'.join(names)}-{REVISION}", dimension, np.dtype("<f8"), metric, compute)
    name = os.fspath(model) if model is not None else DEFAULT
    embedder = load_embedder(name)

    def compute_embedding(paths: Sequence[Path], **options: Any) -> NDArray[Any]:
        return embed(paths, embedder, **options)

    return Recipe(model_key(name), embedder.dimension, np.dtype("<f4"), "cosine", compute_embedding)


@lru_cache
def model_key(name: str) -> str:
    """The name under which the vectors of a model are kept: networks with their hash; a key is its own key."""
    if name == DEFAULT:
        from likewise.images.efficientnet import efficientnet_lite0

        return efficientnet_lite0().stem
    if name.endswith(".onnx"):
        plain = UNSAFE.sub("_", FilePath(name).stem).lstrip(".") or "network"
        return f"{plain}-{hashlib.sha256(FilePath(name).read_bytes()).hexdigest()[:16]}"
    if name in KNOWN:
        return f"{name}-{KNOWN[name].picture.sha256[:16]}"
    return UNSAFE.sub("_", name if name.startswith(PACKAGED) else FilePath(name).name)


def vectors(found: Index, how: Recipe, *, on_error: OnError = "warn", progress: bool | Report = False) -> NDArray[Any]:
    """Give a vector for every picture of an index, computing only those that are not kept yet.

    What is computed is written to the project folder every 512 pictures, under the hash of the picture's file: an
    interrupted run is taken up where it was, ten new pictures cost ten, and a file that was renamed costs nothing.

    - `found`: As of :func:`likewise.images.index`.
    - `how`: As of :func:`recipe`.
    - `on_error`, "warn", "raise" or callable: What to do about a picture that cannot be read any more: its row is
      NaN, as in :func:`likewise.images.embed`.
    - `progress`, bool or callable: Show a bar on standard error, or call this with the number done and the number
      to do.
    - Returns ndarray of shape (n, d): In the order of the index.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from PIL import Image
    >>> from likewise.images import index
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> Image.new("RGB", (32, 32), "red").save(folder / "red.png")
    >>> found = index(folder, workers=0)
    >>> vectors(found, recipe(descriptors="hsv")).shape
    (1, 120)
    """
    unreadable = Unreadable(on_error)
    kept = VectorFile.open(found.project / "vectors" / how.key, how.dimension, dtype=how.dtype, create=True)
    contents = [bytes.fromhex(content) for content in found.contents]
    path_of = dict(zip(contents, found.paths, strict=True))
    todo = [content for content, row in zip(path_of, kept.find(path_of), strict=True) if row < 0]
    if todo:
        with reporter("Computing vectors", progress, len(todo)) as report:
            at_once = how.chunk or CHUNK
            for start in range(0, len(todo), at_once):
                chunk = todo[start : start + at_once]
                rows = how.compute(
                    [path_of[content] for content in chunk],
                    on_error=unreadable.meet,
                    progress=lambda done, _, start=start: report(start + done),
                )
                kept.add(chunk, rows)
    unreadable.warn()
    return rows_at(kept.rows, kept.find(contents))
