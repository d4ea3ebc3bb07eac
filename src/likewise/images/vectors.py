"""Vectors of an indexed folder, computed once and kept in its project."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path as FilePath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.images.ahead import OnError, Unreadable, reporter
from likewise.images.descriptors import choose_descriptors, describe
from likewise.images.embedding import DEFAULT, embed, load_embedder
from likewise.images.indexing import Index
from likewise.images.progress import Report
from likewise.images.reading import Path

__all__ = ["Recipe", "recipe", "vectors"]

REVISION = 1  # of the descriptors: raise it when any of them gives other numbers
CHUNK = 512  # pictures between two times of writing


class Recipe(NamedTuple):
    """How to make vectors: a name to keep them under, their form, the metric they are meant for, and the maker."""

    key: str
    dimension: int
    dtype: np.dtype[Any]
    metric: str
    compute: Callable[..., NDArray[Any]]


def recipe(
    model: str | os.PathLike[str] | None = None, descriptors: str | Iterable[str] | None = None
) -> Recipe:
    """Give the recipe of a model or of descriptors; without either, of the default embedding.

    Examples
    --------
    >>> recipe(descriptors=("hsv", "fourier"))[:2], recipe(descriptors="gist").metric
    (('hsv+fourier-1', 184), 'euclidean')
    """
    if model is not None and descriptors is not None:
        raise ValueError("a model or descriptors, not both")
    if descriptors is not None:
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

    return Recipe(_model_key(name), embedder.dimension, np.dtype("<f4"), "cosine", compute_embedding)


def _model_key(name: str) -> str:
    if name == DEFAULT:
        from likewise.images.efficientnet import efficientnet_lite0

        return efficientnet_lite0().stem
    plain = re.sub(r"[^\w.-]", "_", FilePath(name).stem)
    if name.endswith(".onnx"):
        return f"{plain}-{hashlib.sha256(FilePath(name).read_bytes()).hexdigest()[:16]}"
    return plain


def vectors(
    found: Index, how: Recipe, *, on_error: OnError = "warn", progress: bool | Report = False
) -> NDArray[Any]:
    """Give a vector for every picture of an index, computing only those that are not kept yet.

    What is computed is written to the project every 512 pictures, under the hash of the picture's file: an
    interrupted run is taken up where it was, ten new pictures cost ten, and a file that was renamed costs nothing.

    Parameters
    ----------
    found : Index
        As of :func:`likewise.images.index`.
    how : Recipe
        As of :func:`recipe`.
    on_error : "warn", "raise" or callable, default="warn"
        What to do about a picture that cannot be read any more: its row is NaN, as in :func:`likewise.images.embed`.
    progress : bool or callable, default=False
        Show a bar on standard error, or call this with the number done and the number to do.

    Returns
    -------
    ndarray of shape (n, d)
        In the order of the index.

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
    folder = found.project / "vectors" / how.key
    folder.mkdir(parents=True, exist_ok=True)
    out = np.full((len(found), how.dimension), np.nan, how.dtype)
    places: dict[bytes, list[int]] = {}
    for i, content in enumerate(found.contents):
        places.setdefault(bytes.fromhex(content), []).append(i)
    _fill(out, places, folder, how)
    todo = [content for content, rows in places.items() if np.isnan(out[rows[0], 0])]
    if todo:
        with reporter("Computing vectors", progress, len(todo)) as report:
            _compute(out, places, todo, found, folder, how, unreadable, report)
    unreadable.warn()
    return out


def _record(how: Recipe) -> np.dtype[Any]:
    return np.dtype([("content", "V32"), ("vector", how.dtype, (how.dimension,))])


def _fill(out: NDArray[Any], places: dict[bytes, list[int]], folder: FilePath, how: Recipe) -> None:
    """Fill in what is kept; the end of a file that was cut off in writing is passed over."""
    record = _record(how)
    for path in sorted(folder.glob("*.rows")):
        whole = path.stat().st_size // record.itemsize
        if not whole:
            continue
        for row in np.memmap(path, record, mode="r", shape=(whole,)):
            for place in places.get(row["content"].tobytes(), ()):
                out[place] = row["vector"]


def _compute(
    out: NDArray[Any],
    places: dict[bytes, list[int]],
    todo: list[bytes],
    found: Index,
    folder: FilePath,
    how: Recipe,
    unreadable: Unreadable,
    report: Callable[[int], None],
) -> None:
    # A file of its own for every run: two that run at once do not meet.
    with open(folder / f"{secrets.token_hex(8)}.rows", "wb") as file:
        for start in range(0, len(todo), CHUNK):
            chunk = todo[start : start + CHUNK]
            paths = [found.paths[places[content][0]] for content in chunk]
            rows = how.compute(
                paths, on_error=unreadable.meet, progress=lambda done, _, start=start: report(start + done)
            )
            kept = np.zeros(len(chunk), _record(how))
            kept["content"] = [np.void(content) for content in chunk]
            kept["vector"] = rows
            file.write(kept[~np.isnan(rows[:, 0])].tobytes())
            file.flush()
            for content, row in zip(chunk, rows, strict=True):
                out[places[content]] = row
