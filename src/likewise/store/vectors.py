"""The vectors of a project's items: a view of files that keep them by the content of the pictures."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from likewise.images.vector_file import HEADER, VectorFile, rows_at
from likewise.images.vectors import model_key
from likewise.store.errors import StoreError, StoreFullError
from likewise.store.register import Files

__all__ = ["VECTOR_NAME", "VectorFolder", "Vectors"]

VECTOR_NAME = re.compile(r"[A-Za-z0-9_+-][A-Za-z0-9_.+-]*")
GIVEN = "from"  # in `about` of vectors that were given, not computed from the pictures
_FULL = (errno.ENOSPC, errno.EDQUOT)


class Vectors:
    """Vectors by item id; made by :meth:`Project.vectors <likewise.store.Project.vectors>`.

    A vector that was computed is kept under the hash of the picture's file: items that show the same share it, in all
    projects of the folder and also after a file was renamed. One that was given (with ``from`` in `about`), or whose
    picture was never read, is the item's own.

    Any number of processes may read and write.

    Parameters
    ----------
    file : VectorFile
        Where they are kept.
    files : callable
        Gives the items of the project with the states of their files, as of now.
    """

    def __init__(self, file: VectorFile, files: Callable[[], Files]) -> None:
        self._file = file
        self._now = files
        self._is_stale = True
        self._files: Files | None = None
        self._found: tuple[NDArray[np.int64], NDArray[Any]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._file.dimension

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the numbers."""
        return self._file.dtype

    @property
    def about(self) -> dict[str, Any]:
        """Where they come from."""
        return self._file.about

    @property
    def n_written(self) -> int:
        """Number of vectors in the file as it is now, whichever items have them; read at once, also of very many."""
        return len(self._file.refresh())

    def require(self, dim: int | None, about: Mapping[str, Any] | None) -> None:
        """Raise a ValueError where these are other vectors than somebody wants."""
        self._file.require(dim, about)

    def present(self) -> NDArray[np.bool_]:
        """Which items have a vector, (n_items,)."""
        return self._rows_by_item()[0] >= 0

    def rows_of(self, items: ArrayLike) -> NDArray[Any]:
        """The vectors of some items, (m, dim); NaN where there is none."""
        at, rows = self._rows_by_item()
        return rows_at(rows, at[np.asarray(items, np.int64)])

    def reader(self, items: ArrayLike) -> Callable[[ArrayLike], NDArray[Any]]:
        """A function that reads the vectors of some of these items, given by their places; in any thread.

        It sees the file as it is now.
        """
        at, rows = self._rows_by_item()
        places = at[np.asarray(items, np.int64)]
        return lambda some: rows_at(rows, places[np.asarray(some, np.int64)])

    @property
    def rows(self) -> NDArray[Any]:
        """The vectors of all items by id, (n_items, dim); NaN where there is none."""
        at, rows = self._rows_by_item()
        return rows_at(rows, at)

    def refresh(self) -> Self:
        """See what was added since; returns itself."""
        self._is_stale = True
        return self

    def put(self, items: ArrayLike, rows: ArrayLike) -> None:
        """Write the vectors of some items; when this returns they are on disk.

        Parameters
        ----------
        items : array-like of int, shape (m,)
            Their ids, each once.
        rows : array-like of shape (m, dim)
            The vectors; a row of NaN is left out.
        """
        with np.errstate(over="ignore"):  # what is too large is refused in a sentence
            ids, block, files = np.asarray(items), np.asarray(rows, self.dtype), self._now()
        if ids.size == 0 and block.size == 0:
            return
        if ids.ndim != 1 or ids.dtype.kind not in "iu" or block.shape != (len(ids), self.dim):
            raise ValueError(f"rows of shape {block.shape} do not fit {ids.shape} items and length {self.dim}")
        if not ((ids >= 0) & (ids < len(files))).all() or len(np.unique(ids)) < len(ids):
            raise ValueError(f"items are numbers from 0 to {len(files) - 1}, each once")
        self.put_contents([self._key(files, int(number)) for number in ids], block)
        self.refresh()

    def own(self) -> NDArray[np.int64]:
        """The items that have a vector of their own, whatever their pictures hold."""
        self._file.refresh()
        return np.flatnonzero(self._file.find(item.own_key for item in self._now().items) >= 0)

    def has_contents(self, contents: Iterable[bytes]) -> NDArray[np.bool_]:
        """Of which files there are vectors, by the SHA-256 of each."""
        return self._file.refresh().find(contents) >= 0

    def put_contents(self, contents: Sequence[bytes], rows: NDArray[Any]) -> None:
        """Write vectors computed from files, by the SHA-256 of each, without looking at the items."""
        with _explained(self._file.folder):
            self._file.add(contents, rows)

    def append(self, rows: ArrayLike) -> None:
        """Write the vectors of the items behind the last one that has a vector."""
        first = int(np.flatnonzero(self.present()).max(initial=-1)) + 1
        self.put(np.arange(first, first + len(np.asarray(rows))), rows)

    def _rows_by_item(self) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The row of each item, -1 where there is none, and all rows."""
        if self._is_stale or self._found is None:
            self._is_stale = False
            files = self._now()
            self._file.refresh()
            if self._found is None or files is not self._files or len(self._file) != len(self._found[1]):
                self._files, self._found = files, (self._find(files), self._file.rows)
        return self._found

    def _key(self, files: Files, number: int) -> bytes:
        key = None if GIVEN in self.about else files.picture_key(number)
        return files.items[number].own_key if key is None else key

    def _find(self, files: Files) -> NDArray[np.int64]:
        own = self._file.find(item.own_key for item in files.items)
        if GIVEN in self.about:
            return own
        pictures = self._file.find(files.picture_key(number) or b"" for number in range(len(files)))
        return np.where(pictures >= 0, pictures, own)


class VectorFolder:
    """The vectors in a project folder, by name.

    - `folder`: The project folder.
    - `uid`: The project.
    - `files`: Gives its items with the states of their files, as of now.
    """

    def __init__(self, folder: Path, uid: str, files: Callable[[], Files]) -> None:
        self.folder = folder / "vectors"
        self._old = self.folder / uid  # where versions before 0004 kept them, in the order of positions
        self._files = files
        self._opened: dict[Path, Vectors] = {}

    def open(
        self, name: str, dim: int | None, dtype: DTypeLike, about: Mapping[str, Any] | None, write: bool
    ) -> Vectors:
        """The vectors of a model or of another name."""
        folder = self.path(name)
        if (self._old / name / "rows.json").exists():
            self._take_over(name)
        with _explained(folder):
            if not (folder / "rows.json").exists():
                self._opened.pop(folder, None)
            if folder not in self._opened:
                file = VectorFile.open(folder, dim, dtype=dtype, about=about, create=write)
                self._opened[folder] = Vectors(file, self._files)
            self._opened[folder].require(dim, about)
            return self._opened[folder].refresh()

    def names(self) -> list[str]:
        """The names under which there are vectors of the project's items."""
        for old in self._old.glob("*/rows.json"):
            self._take_over(old.parent.name)
        found = sorted(path.parent.name for path in self.folder.glob("*/rows.json"))
        return [name for name in found if self.open(name, None, "<f4", None, False).present().any()]

    def path(self, name: str) -> Path:
        """The folder of a name; models are found under their key also where they are not installed."""
        if not name.endswith(".onnx") and not VECTOR_NAME.fullmatch(name):
            raise ValueError(f"the name of vectors is made of letters, digits, - and _, got {name!r}")
        try:
            return self.folder / model_key(name)
        except ImportError:
            made = sorted(self.folder.glob(f"{name}-*/rows.json"))
            return made[-1].parent if made else self.folder / name

    def _take_over(self, name: str) -> None:
        """Add the vectors of an older version; its folder is removed when they are all here."""
        old = self._old / name
        record = json.loads((old / "rows.json").read_bytes())
        dim, dtype = int(record["dim"]), np.dtype(record["dtype"])
        whole = max(0, (old / "vectors.npy").stat().st_size - HEADER) // (dim * dtype.itemsize)
        shape = (min(int(record["rows"]), whole), dim)
        rows = np.memmap(old / "vectors.npy", dtype, "r", HEADER, shape) if shape[0] else np.empty(shape)
        file = VectorFile.open(
            self.path(name), dim, dtype=dtype, about=record["about"] if GIVEN in record["about"] else None, create=True
        )
        vectors = Vectors(file, self._files)
        there = vectors.present()
        new = np.flatnonzero(~there[: len(rows)])
        for start in range(0, len(new), 4096):
            chunk = new[start : start + 4096]
            vectors.put(chunk, rows[chunk])
        (old / "rows.json").unlink()
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Turn errors of the disk into those of a store."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        text = f"vectors in {os.fspath(folder)!r}: {error.strerror or error}"
        raise (StoreFullError if error.errno in _FULL else StoreError)(text) from error
