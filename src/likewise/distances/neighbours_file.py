"""Nearest items in a folder: two .npy files that are mapped, not read, and checked before they are used."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.distances.metric import Metric, prepare
from likewise.distances.neighbours import Neighbours
from likewise.kernels.metric.neighbours import order_candidates

CHUNK = 1 << 16  # rows checked at a time
LOOKED_AT = 64  # rows whose distances are computed again
TYPES = {"indices": np.dtype("<i8"), "distances": np.dtype("<f8")}


class NeighboursWriter:
    """Writes nearest items block by block; nothing is there under the final names before all of it is on disk.

    - `folder`: Made where it is not there; what it held is replaced at the end.
    - `n`, `n_neighbors`: Number of items, and of neighbours of each.
    """

    def __init__(self, folder: str | os.PathLike[str], n: int, n_neighbors: int) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.shape = (n, n_neighbors)
        self._files = {name: self._begin(name, dtype) for name, dtype in TYPES.items()}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file, _ in self._files.values():
            if error is None:
                file.flush()
                os.fsync(file.fileno())
            file.close()
        if error is not None:
            for name in TYPES:
                self._part(name).unlink(missing_ok=True)
            return
        (self.folder / "distances.npy").unlink(missing_ok=True)  # never the indices of one beside distances of another
        for name in TYPES:
            self._part(name).replace(self.folder / f"{name}.npy")

    def put(self, start: int, found: Neighbours) -> None:
        """Write the neighbours of the items from `start` on."""
        # Through the file and never through a map: on a full disk a map kills the process.
        for name, dtype in TYPES.items():
            block = np.ascontiguousarray(getattr(found, name), dtype)
            file, offset = self._files[name]
            file.seek(offset + start * self.shape[1] * dtype.itemsize)
            file.write(block.tobytes())

    def _begin(self, name: str, dtype: np.dtype[Any]) -> tuple[BinaryIO, int]:
        file = open(self._part(name), "wb")  # noqa: SIM115 - closed with the writer
        header = {"descr": dtype.str, "fortran_order": False, "shape": self.shape}
        np.lib.format.write_array_header_1_0(file, header)
        return file, file.tell()

    def _part(self, name: str) -> Path:
        return self.folder / f"{name}.npy.part"


def save_neighbours(folder: str | os.PathLike[str], found: Neighbours) -> None:
    """Keep nearest items in a folder, as ``indices.npy`` and ``distances.npy``.

    Parameters
    ----------
    folder : path-like
        Made where it is not there.
    found : Neighbours
        As of :func:`nearest`, of items among themselves.
    """
    with NeighboursWriter(folder, *found.indices.shape) as writer:
        for start in range(0, len(found.indices), CHUNK):
            some = slice(start, start + CHUNK)
            writer.put(start, Neighbours(found.indices[some], found.distances[some]))


def open_neighbours(
    folder: str | os.PathLike[str], X: ArrayLike | None = None, *, metric: Metric = "euclidean"
) -> Neighbours:
    """Nearest items kept by :func:`save_neighbours` or :func:`nearest_on_dask`, mapped from their files.

    All of it is checked in one pass: whole files of one shape, items that exist and are not their own neighbours,
    finite distances in order.

    Parameters
    ----------
    folder : path-like
        Where they are.
    X : array-like of shape (n, d), optional
        The vectors they belong to: their number is checked, and the distances of 64 items.
    metric : str
        The distance between the vectors.

    Returns
    -------
    Neighbours
        Read-only.

    Examples
    --------
    >>> import tempfile
    >>> from likewise.distances import nearest
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> folder = tempfile.mkdtemp()
    >>> save_neighbours(folder, nearest(X, n_neighbors=1))
    >>> open_neighbours(folder, X).indices.ravel().tolist()
    [1, 0, 1]
    """
    found = Neighbours(*(_map(Path(folder), name) for name in TYPES))
    problem = _problem(found)
    if problem is None and X is not None:
        problem = _mismatch(found, np.asanyarray(X), metric)
    if problem is not None:
        raise ValueError(f"the neighbours in {os.fspath(folder)!r} cannot be used: {problem}")
    return found


def _map(folder: Path, name: str) -> NDArray[Any]:
    path = folder / f"{name}.npy"
    try:
        mapped: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise FileNotFoundError(f"there are no neighbours in {os.fspath(folder)!r}: {name}.npy is missing") from None
    except (ValueError, EOFError, OSError) as error:
        raise ValueError(f"{os.fspath(path)!r} is cut short or no .npy file: {error}") from None
    if mapped.dtype != TYPES[name]:
        raise ValueError(f"{os.fspath(path)!r} holds {mapped.dtype}, not {TYPES[name]}")
    return mapped


def _problem(found: Neighbours) -> str | None:
    indices, distances = found
    if indices.ndim != 2 or indices.shape != distances.shape or indices.shape[1] < 1:
        return f"indices have shape {indices.shape}, distances {distances.shape}"
    n = len(indices)
    for start in range(0, n, CHUNK):
        near, far = indices[start : start + CHUNK], distances[start : start + CHUNK]
        if not np.isfinite(far).all() or (far < 0).any():
            return "a distance is negative, infinite or no number"
        if (near < 0).any() or (near >= n).any():
            return f"a neighbour is none of the {n:,} items"
        if (near == np.arange(start, start + len(near))[:, None]).any():
            return "an item is its own neighbour"
        if (np.diff(far, axis=1) < 0).any():
            return "the nearest is not the first"
    return None


def _mismatch(found: Neighbours, X: NDArray[Any], metric: Metric) -> str | None:
    n = len(found.indices)
    if len(X) != n:
        return f"they are of {n:,} items, and there are {len(X):,}"
    if callable(metric) or metric == "precomputed":
        return "they are of vectors with a named metric"
    rows = np.unique(np.linspace(0, n - 1, LOOKED_AT, dtype=np.int64))
    used = np.unique(np.concatenate([rows, found.indices[rows].ravel()]))
    A = prepare(X[used], None, metric)
    places = np.searchsorted(used, found.indices[rows])
    own = np.searchsorted(used, rows)
    again = order_candidates(A.A[own], A.A, A.kind, places)[1]
    if not np.allclose(again, found.distances[rows], rtol=1e-6, atol=1e-9):
        return "their distances are not those of these vectors"
    return None
