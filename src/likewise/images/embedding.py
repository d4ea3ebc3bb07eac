"""Embeddings: pictures in, one vector each out, by a network or by what others registered."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from likewise.images.ahead import OnError, Unreadable, as_paths, attempt, map_ahead, reporter
from likewise.images.crew import default_workers
from likewise.images.known_models import KNOWN
from likewise.images.progress import Report
from likewise.images.reading import Path, UnreadableImage, read_image
from likewise.plugins import load_plugins

__all__ = ["DEFAULT", "PACKAGED", "Embedder", "embed", "knows_words", "load_embedder", "normalise"]

PACKAGED = ("timm:", "open_clip:")
NOT_A_NUMBER = "the model gives what is no number for it"
DEFAULT = "efficientnet-lite0"
Normalisation = Literal["l2", "root"]


@runtime_checkable
class Embedder(Protocol):
    """What makes vectors of pictures.

    Register one for others under the entry point group ``likewise.embedders``: a name, and something that gives an
    embedder when called without arguments. Both methods may be called from several threads at once. One that has
    ``embed_text`` too, which gives the vectors (n, dimension) of words, can be searched by words.
    """

    dimension: int
    """Length of a vector."""
    read_size: int
    """Shorter side, in pixels, at which pictures need to be read."""

    def prepare(self, image: Image.Image) -> NDArray[Any]:
        """Make an array of one RGB picture, of the same shape for all."""
        ...

    def embed(self, batch: NDArray[Any]) -> NDArray[np.float32]:
        """Give the vectors (n, dimension) of such arrays, stacked."""
        ...


def embed(
    paths: Sequence[Path],
    model: str | os.PathLike[str] | Embedder = DEFAULT,
    *,
    normalize: Normalisation | None = None,
    batch_size: int = 4,
    threads: int | None = None,
    on_error: OnError = "warn",
    progress: bool | Report = False,
) -> NDArray[np.float32]:
    """Embed pictures by a network.

    Pictures are read in threads ahead of the network, which runs on all processors meanwhile; no more than a few
    batches are in memory.

    Parameters
    ----------
    paths : sequence of path-like
        The pictures.
    model : str, path-like or Embedder, default="efficientnet-lite0"
        The packaged network (1280 numbers), the path of an ``.onnx`` file, the name of a known network
        (:data:`likewise.images.known_models.KNOWN`) or of a registered embedder, ``timm:NAME`` or
        ``open_clip:NAME/WEIGHTS`` where these packages are installed, or an embedder such as
        :class:`likewise.images.network.OnnxEmbedder`.
    normalize : "l2", "root" or None, default=None
        Scale every vector to length 1, so that Euclidean distances order as cosines do; ``"root"`` takes the square
        root of every number's size first, keeping its sign, so that a few strong ones do not decide alone.
    batch_size : int, default=4
        Pictures a run of the network. Larger ones gain nothing on a processor, whose cache they outgrow.
    threads : int or None, default=None
        Runs at once; by default one a processor, at most eight. They do not change the result.
    on_error : "warn", "raise" or callable, default="warn"
        What to do about a picture that cannot be read: leave its row NaN and warn once at the end, raise its
        :class:`~likewise.images.UnreadableImage`, or leave its row NaN and call this with it.
    progress : bool or callable, default=False
        Show a bar on standard error, or call this with the number done and the number in all.

    Returns
    -------
    ndarray of shape (n, d), float32
        One row a picture, in order.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for colour in ("red", "green"):
    ...     Image.new("RGB", (64, 48), colour).save(folder / f"{colour}.png")
    >>> embed(sorted(folder.iterdir()), normalize="l2").shape
    (2, 1280)
    """
    if normalize not in (None, "l2", "root"):
        raise ValueError(f"normalize must be None, 'l2' or 'root', got {normalize!r}")
    if batch_size < 1 or (threads is not None and threads < 1):
        raise ValueError("batch_size and threads must be 1 or more")
    unreadable = Unreadable(on_error)
    out = _embed_all(load_embedder(model), as_paths(paths), unreadable, batch_size, threads, progress)
    unreadable.warn()
    return out if normalize is None else normalise(out, normalize)


def _embed_all(
    embedder: Embedder,
    files: list[Path],
    unreadable: Unreadable,
    batch_size: int,
    threads: int | None,
    progress: bool | Report,
) -> NDArray[np.float32]:
    out = np.full((len(files), embedder.dimension), np.nan, np.float32)
    with reporter("Embedding pictures", progress, len(files)) as report:
        for done, rows, vectors in _run(embedder, files, unreadable, batch_size, threads or default_workers()):
            out[rows] = vectors
            for row in np.asarray(rows)[~np.isfinite(vectors).all(axis=1)].tolist():
                out[row] = np.nan
                unreadable.meet(UnreadableImage(files[row], NOT_A_NUMBER, lasting=False))
            report(done)
        report(len(files))
    return out


def _run(
    embedder: Embedder, files: list[Path], unreadable: Unreadable, batch_size: int, threads: int
) -> Iterator[tuple[int, list[int], NDArray[np.float32]]]:
    """Read ahead, batch, and run batches in threads; how many are done, and the rows and vectors of a batch."""
    prepare = partial(attempt, lambda path: embedder.prepare(read_image(path, embedder.read_size, cover=True)))

    def run(batch: tuple[list[int], list[NDArray[Any]]]) -> tuple[int, list[int], NDArray[np.float32]]:
        rows, inputs = batch
        vectors = np.asarray(embedder.embed(np.stack(inputs)), np.float32)
        if vectors.shape != (len(rows), embedder.dimension):
            raise ValueError(f"the embedder gave {vectors.shape}, not {(len(rows), embedder.dimension)}")
        return rows[-1] + 1, rows, vectors

    with closing(map_ahead(prepare, files, threads=threads, ahead=2 * threads * batch_size)) as arrays:
        yield from map_ahead(run, _batches(arrays, unreadable, batch_size), threads=threads, ahead=threads + 1)


def _batches(
    arrays: Iterator[NDArray[Any] | UnreadableImage], unreadable: Unreadable, batch_size: int
) -> Iterator[tuple[list[int], list[NDArray[Any]]]]:
    rows: list[int] = []
    inputs: list[NDArray[Any]] = []
    for i, array in enumerate(arrays):
        if isinstance(array, UnreadableImage):
            unreadable.meet(array)
            continue
        rows.append(i)
        inputs.append(array)
        if len(rows) == batch_size:
            yield rows, inputs
            rows, inputs = [], []
    if rows:
        yield rows, inputs


def load_embedder(model: str | os.PathLike[str] | Embedder = DEFAULT) -> Embedder:
    """Give the embedder of a name or a file.

    - `model`, str, path-like or Embedder: As of :func:`embed`.

    Examples
    --------
    >>> load_embedder("efficientnet-lite0").dimension
    1280
    """
    if not isinstance(model, str | os.PathLike):
        if not isinstance(model, Embedder):
            raise TypeError(f"model must be a name, a path or an embedder, got {type(model).__name__}")
        return model
    return _load_named(os.fspath(model))


def _load_named(name: str) -> Embedder:
    if name == DEFAULT:
        from likewise.images.efficientnet import efficientnet_lite0
        from likewise.images.network import OnnxEmbedder

        return OnnxEmbedder(efficientnet_lite0())
    if name == "pixels":
        from likewise.images.pixels import Pixels

        return Pixels()
    plugins = load_plugins("embedders")
    if name in plugins:
        made: Embedder = plugins[name].load()()
        return made
    if name.endswith(".onnx"):
        from likewise.images.network import OnnxEmbedder

        return OnnxEmbedder(name)
    if name in KNOWN:
        return _load_known(name)
    if name.startswith(PACKAGED):
        from likewise.images.packaged import load_packaged

        return load_packaged(name)
    names = [DEFAULT, "pixels", *KNOWN, *sorted(plugins)]
    raise ValueError(
        f"unknown model {name!r}: choose {', '.join(names)}, an .onnx file, timm:NAME or open_clip:NAME/WEIGHTS"
    )


def _load_known(name: str) -> Embedder:
    from likewise.images.hub import fetch
    from likewise.images.network import OnnxEmbedder

    known, files = KNOWN[name], fetch(name)
    text = (files["text"], files["tokenizer"]) if known.text is not None else None
    mean, std = known.colours
    options: dict[str, Any] = {"fit": known.fit, "crop": known.crop, "mean": mean, "std": std}
    embedder = OnnxEmbedder(files["picture"], output=known.output, text=text, **options)
    if embedder.dimension != known.dimension:
        raise ValueError(f"{name} gives {embedder.dimension} numbers a picture, not {known.dimension}")
    return embedder


def knows_words(embedder: Embedder) -> bool:
    """Whether an embedder makes vectors of words too: it has ``embed_text``, and does not say that it knows none.

    Examples
    --------
    >>> knows_words(load_embedder("pixels"))
    False
    """
    return hasattr(embedder, "embed_text") and bool(getattr(embedder, "knows_words", True))


def normalise(vectors: NDArray[np.float32], how: Normalisation = "l2") -> NDArray[np.float32]:
    """Scale rows to length 1, with ``"root"`` after taking signed square roots; a row of zeros stays.

    Examples
    --------
    >>> normalise(np.array([[3.0, -4.0], [0.0, 0.0]], np.float32))
    array([[ 0.6, -0.8],
           [ 0. ,  0. ]], dtype=float32)
    """
    if how == "root":
        vectors = np.sign(vectors) * np.sqrt(np.abs(vectors))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), np.float32)
