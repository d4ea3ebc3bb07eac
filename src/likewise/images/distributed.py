"""Vectors of pictures computed by the workers of a Dask cluster, the same as on one machine."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.images.ahead import OnError, Unreadable, as_paths, reporter
from likewise.images.progress import Report
from likewise.images.reading import Path, UnreadableImage
from likewise.images.vectors import Recipe, recipe
from likewise.machines import ClusterError, collect, connect

__all__ = ["recipe_on_dask"]

PART = 32  # pictures a task: about a second's work, so that a worker that dies costs no more
CHUNK = 2048  # pictures between two times of writing


class Maker(NamedTuple):
    """How a worker makes the vectors: what to ask :func:`recipe` for, and the key that must come out."""

    key: str
    model: str | None
    descriptors: tuple[str, ...] | None


class PartVectors(NamedTuple):
    """What a worker made of some pictures: rows, those unreadable by their place, and the places it does not see."""

    rows: NDArray[Any]
    unreadable: list[tuple[int, UnreadableImage]]
    absent: list[int]


def recipe_on_dask(
    address: str, model: str | os.PathLike[str] | None = None, descriptors: str | Sequence[str] | None = None
) -> Recipe:
    """The recipe of :func:`likewise.images.vectors.recipe`, whose vectors the workers of a Dask cluster compute.

    Workers read the pictures themselves, under the same paths: the folder is shared with them. A picture that a worker
    does not see, or sees with another size, is computed here. Nothing is kept open between two calls, so that a
    scheduler may be started again meanwhile.

    - `address`: Of the scheduler.
    - `model`, `descriptors`: As of :func:`likewise.images.vectors.recipe`; a file of a network is shared, too.
    """
    how = recipe(model, descriptors)
    name = None if model is None else os.fspath(model)
    if name is not None and name.endswith(".onnx"):
        name = os.path.abspath(name)
    names = (descriptors,) if isinstance(descriptors, str) else descriptors
    maker = Maker(how.key, name, None if names is None else tuple(names))
    return how._replace(compute=partial(_compute, address, how, maker), chunk=CHUNK)


def _compute(
    address: str,
    how: Recipe,
    maker: Maker,
    paths: Sequence[Path],
    *,
    on_error: OnError = "warn",
    progress: bool | Report = False,
) -> NDArray[Any]:
    files, unreadable = as_paths(paths), Unreadable(on_error)
    out = np.full((len(files), how.dimension), np.nan, how.dtype)
    sizes = [_size(path) for path in files]
    sent = [k for k, size in enumerate(sizes) if size is not None]
    here = [k for k, size in enumerate(sizes) if size is None]  # gone: here the reason is found
    parts = [sent[start : start + PART] for start in range(0, len(sent), PART)]
    with reporter("Computing vectors", progress, len(files)) as report:
        if parts:
            with connect(address) as client:
                tasks = [[(os.fsencode(os.path.abspath(files[k])), sizes[k]) for k in part] for part in parts]
                # Not by content: a run that failed before is no result.
                futures = [client.submit(_compute_part, task, maker, pure=False) for task in tasks]
                done = 0
                for number, found in collect(client, futures):
                    part = parts[number]
                    out[part] = found.rows
                    for place, error in found.unreadable:
                        unreadable.meet(UnreadableImage(files[part[place]], error.reason, lasting=error.lasting))
                    here += [part[place] for place in found.absent]
                    done += len(part)
                    report(done)
        _compute_here(out, sorted(here), files, how, unreadable, len(sent))
        report(len(files))
    unreadable.warn()
    return out


def _compute_here(
    out: NDArray[Any], here: list[int], files: list[Path], how: Recipe, unreadable: Unreadable, n_sent: int
) -> None:
    """What the workers do not see; when they see nothing at all, the folder is not shared."""
    there = [k for k in here if _size(files[k]) is not None]
    if there and len(there) == n_sent:
        raise ClusterError(
            f"the workers of the Dask cluster do not see {os.fsdecode(files[there[0]])!r} as it is here: "
            "share the folder with them under the same path"
        )
    if there:
        warnings.warn(
            f"{len(there)} of {n_sent} pictures were computed here: not every Dask worker sees them",
            UserWarning,
            stacklevel=3,
        )
    if here:
        out[here] = how.compute([files[k] for k in here], on_error=unreadable.meet)


def _size(path: Path) -> int | None:
    try:
        return os.stat(path).st_size
    except OSError:
        return None


def _compute_part(pictures: Sequence[tuple[bytes, int]], maker: Maker) -> PartVectors:
    """The work of a worker."""
    how = _recipe_of(maker)
    paths = [os.fsdecode(path) for path, _ in pictures]
    there = [k for k, (path, size) in enumerate(pictures) if _size(path) == size]
    failed: list[UnreadableImage] = []
    threads: dict[str, Any] = {"threads" if maker.descriptors is None else "workers": 1}  # Dask has threads of its own
    rows = np.full((len(paths), how.dimension), np.nan, how.dtype)
    if there:
        rows[there] = how.compute([paths[k] for k in there], on_error=failed.append, **threads)
    place_of = {path: k for k, path in enumerate(paths)}
    absent = sorted(set(range(len(paths))) - set(there))
    return PartVectors(rows, [(place_of[os.fsdecode(error.path)], error) for error in failed], absent)


@lru_cache(maxsize=2)
def _recipe_of(maker: Maker) -> Recipe:
    how = recipe(maker.model, maker.descriptors)
    if how.key != maker.key:
        raise ClusterError(f"a Dask worker makes other vectors, {how.key}, not {maker.key}: install the same there")
    return how
