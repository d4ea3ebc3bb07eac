"""Descriptors by name: pictures in, one row of numbers each out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from likewise.images.ahead import OnError, Unreadable, as_paths, attempt, map_ahead, reporter
from likewise.images.colour import hsv_histogram, laplacian_histogram, probability_histogram
from likewise.images.crew import default_workers
from likewise.images.gist import gist
from likewise.images.progress import Report
from likewise.images.reading import Path, UnreadableImage, read_image
from likewise.images.shape import curvature_histogram
from likewise.images.texture import fourier_histogram, hough_histogram

__all__ = ["DESCRIPTORS", "JOINT", "Descriptor", "choose_descriptors", "describe", "reduce_rows"]


@dataclass(frozen=True)
class Descriptor:
    """A hand-made description of a picture.

    ``compute`` takes RGB pixels (h, w, 3) and gives ``dimension`` numbers; ``size`` is the longer side at which the
    picture is read; ``metric`` is the distance it is meant for, a name of :func:`likewise.distances.pairwise`.

    Examples
    --------
    >>> DESCRIPTORS["gist"].dimension, DESCRIPTORS["shape"].metric
    (512, 'chi2')
    """

    name: str
    compute: Callable[[NDArray[np.uint8]], NDArray[np.float64]]
    dimension: int
    size: int
    metric: str


DESCRIPTORS = {
    each.name: each
    for each in (
        Descriptor("laplacian", laplacian_histogram, 216, 256, "chi2"),
        Descriptor("probability", probability_histogram, 216, 256, "chi2"),
        Descriptor("hough", hough_histogram, 49, 256, "chi2"),
        Descriptor("fourier", fourier_histogram, 64, 256, "chi2"),
        Descriptor("hsv", hsv_histogram, 120, 256, "chi2"),
        Descriptor("gist", gist, 512, 256, "euclidean"),
        Descriptor("shape", curvature_histogram, 630, 512, "chi2"),
    )
}
JOINT = ("laplacian", "probability", "hough", "fourier", "hsv")


def describe(
    paths: Sequence[Path],
    descriptors: str | Iterable[str] = JOINT,
    *,
    pca: Literal["fifth"] | int | None = None,
    root: bool = False,
    workers: int | None = None,
    on_error: OnError = "warn",
    progress: bool | Report = False,
) -> NDArray[np.float64]:
    """Describe pictures by hand-made descriptors, joined in the order they are named.

    Parameters
    ----------
    paths : sequence of path-like
        The pictures.
    descriptors : str or iterable of str
        Any of ``laplacian``, ``probability``, ``hough``, ``fourier``, ``hsv``, ``gist``, ``shape``; by default the
        first five, 665 numbers in all, each of the five summing to 1.
    pca : "fifth", int or None, default=None
        Reduce the rows by linear principal components, to a fifth of their length (rounded up) or to so many, but
        never to more than there are readable pictures. Rows then depend on all the pictures.
    root : bool, default=False
        Take the square root of every number first. The Euclidean distance between histograms is then Hellinger's,
        which replaces χ² where a distance between vectors is needed, as with ``pca``.
    workers : int or None, default=None
        Threads; by default one a processor, at most eight. They do not change the result.
    on_error : "warn", "raise" or callable, default="warn"
        What to do about a picture that cannot be read: leave its row NaN and warn once at the end, raise its
        :class:`~likewise.images.UnreadableImage`, or leave its row NaN and call this with it.
    progress : bool or callable, default=False
        Show a bar on standard error, or call this with the number done and the number in all.

    Returns
    -------
    ndarray of shape (n, d)
        One row a picture, in order.

    References
    ----------
    N. Grira, M. Crucianu and N. Boujemaa, "Semi-supervised image database categorization using pairwise
    constraints", ICIP 2005, section 4, names the five and the reduction; each is defined on its own page.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from PIL import Image
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for colour in ("red", "green", "blue"):
    ...     Image.new("RGB", (32, 32), colour).save(folder / f"{colour}.png")
    >>> paths = sorted(folder.iterdir())
    >>> describe(paths, "hsv").argmax(axis=1)  # blue, green, red
    array([80, 43,  8])
    """
    chosen = choose_descriptors(descriptors)
    _check_pca(pca)
    out = _describe_all(as_paths(paths), chosen, workers, on_error, progress)
    if root:
        np.sqrt(out, out=out)
    return out if pca is None else reduce_rows(out, pca)


def _describe_all(
    files: list[Path], chosen: Sequence[Descriptor], workers: int | None, on_error: OnError, progress: bool | Report
) -> NDArray[np.float64]:
    threads = default_workers() if workers is None else workers
    if threads < 1:
        raise ValueError(f"workers must be 1 or more, got {workers}")
    unreadable = Unreadable(on_error)
    out = np.full((len(files), sum(each.dimension for each in chosen)), np.nan)
    describe_one = partial(attempt, partial(_describe_one, chosen=chosen))
    rows = map_ahead(describe_one, files, threads=threads, ahead=4 * threads)
    with reporter("Describing pictures", progress, len(files)) as report, closing(rows):
        for i, row in enumerate(rows):
            if isinstance(row, UnreadableImage):
                unreadable.meet(row)
            else:
                out[i] = row
            report(i + 1)
    unreadable.warn()
    return out


def choose_descriptors(descriptors: str | Iterable[str]) -> list[Descriptor]:
    """Give the descriptors of one or several names; ValueError when a name is unknown or comes twice.

    Examples
    --------
    >>> [each.dimension for each in choose_descriptors(("hsv", "gist"))]
    [120, 512]
    """
    names = [descriptors] if isinstance(descriptors, str) else list(descriptors)
    unknown = [name for name in names if name not in DESCRIPTORS]
    if unknown or not names:
        what = f"unknown descriptor {unknown[0]!r}" if unknown else "no descriptor"
        raise ValueError(f"{what}: choose from {', '.join(DESCRIPTORS)}")
    if len(set(names)) < len(names):
        raise ValueError(f"a descriptor is named twice in {', '.join(names)}")
    return [DESCRIPTORS[name] for name in names]


def _describe_one(path: Path, chosen: Sequence[Descriptor]) -> NDArray[np.float64]:
    sizes = {each.size for each in chosen}
    # Read once a size, not scaled from one to the other: a descriptor must not depend on which others are asked for.
    pixels = {size: np.asarray(read_image(path, size)) for size in sizes}
    return np.concatenate([each.compute(pixels[each.size]) for each in chosen])


def _check_pca(pca: object) -> None:
    if pca is None or pca == "fifth":
        return
    if isinstance(pca, bool) or not isinstance(pca, int | np.integer) or pca < 1:
        raise ValueError(f"pca must be None, 'fifth' or a positive number of components, got {pca!r}")


def reduce_rows(rows: NDArray[np.float64], pca: Literal["fifth"] | int) -> NDArray[np.float64]:
    """Reduce rows by linear principal components; rows of NaN stay out of it and stay NaN.

    - `rows` (n, d): As of :func:`describe`.
    - `pca`, "fifth" or int: How many components: a fifth of d, rounded up, or so many; never more than rows that
      hold numbers.

    Examples
    --------
    >>> reduce_rows(np.array([[0.0, 0.0], [3.0, 4.0]]), 1).ravel().round(6)
    array([-2.5,  2.5])
    """
    _check_pca(pca)
    readable = ~np.isnan(rows).any(axis=1)
    wanted = -(-rows.shape[1] // 5) if pca == "fifth" else int(pca)
    out = np.full((len(rows), min(wanted, rows.shape[1], int(readable.sum()))), np.nan)
    centred = rows[readable] - rows[readable].mean(axis=0) if readable.any() else rows[readable]
    u, values, axes = linalg.svd(centred, full_matrices=False)
    # The sign of a component is free: its largest weight is made positive, so that it is the same everywhere.
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)] if len(axes) else np.ones(0)
    out[readable] = (u * values * np.where(largest < 0, -1.0, 1.0))[:, : out.shape[1]]
    return out
