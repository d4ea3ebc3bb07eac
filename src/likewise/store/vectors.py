"""Vectors beside the database: one memory-mapped .npy that grows, rows by image position."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from likewise.images.cache import write_atomically
from likewise.store.errors import StoreError, StoreFullError
from likewise.store.payloads import plain_object
from likewise.store.process_lock import FileClaim

__all__ = ["Vectors"]

HEADER = 128
CHUNK = 1 << 24  # bytes written at once behind the last row
_FULL = (errno.ENOSPC, errno.EDQUOT)


class Vectors:
    """Vectors of images in a file that grows.

    ``vectors.npy`` can be read by any program; ``rows.json`` says how many of its rows count.

    Row i belongs to the image at position i. A row that holds NaN is absent: not computed yet, or not
    computable. New rows are synced to disk before they are counted, and the count is replaced in one step; what
    a killed writer left behind the last row that counts is cut off. An absent row is filled in place: until all
    of it has arrived some NaN is left, so that half a row is an absent one. A row that is there is made absent
    before it is replaced.

    One process writes; any number read, and see more after :meth:`refresh`.

    Examples
    --------
    >>> import tempfile
    >>> with Vectors.open(Path(tempfile.mkdtemp()) / "clip", dim=2, write=True) as vectors:
    ...     vectors.put([0, 2], [[1.0, 2.0], [5.0, 6.0]])
    ...     vectors.present().tolist(), vectors.rows[2].tolist()
    ([True, False, True], [5.0, 6.0])
    """

    def __init__(self, folder: Path, record: dict[str, Any], claim: FileClaim | None) -> None:
        self.folder = folder
        self._claim = claim
        self._record = record
        self._rows: NDArray[Any] | None = None

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        dim: int | None = None,
        *,
        dtype: DTypeLike = "float32",
        about: Mapping[str, Any] | None = None,
        write: bool = False,
    ) -> Self:
        """Open vectors; for writing they are made where there are none.

        Parameters
        ----------
        folder : str or path-like
            Where they are.
        dim : int, optional
            Length of a vector; needed to make them, checked otherwise.
        dtype : dtype
            A floating point type, for new ones.
        about : mapping, optional
            Where they come from (the model, its version, …): kept, and checked when they are opened again.
        write : bool
            Whether to write; refused while another process does.
        """
        folder = Path(folder)
        wanted: dict[str, Any] = {
            "dim": dim,
            "about": None if about is None else plain_object(about, "about"),
        }
        if not write:
            return cls(folder, _checked_record(folder, wanted), None)
        folder.mkdir(parents=True, exist_ok=True)
        claim = FileClaim(folder / "writing.lock", f"{os.fspath(folder)!r}")
        try:
            if not (folder / "rows.json").exists():
                _create(folder, dim, dtype, wanted["about"] or {})
            vectors = cls(folder, _checked_record(folder, wanted), claim)
            vectors._cut()
        except BaseException:
            claim.release()
            raise
        return vectors

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __len__(self) -> int:
        return int(self._record["rows"])

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._record["dim"])

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the numbers."""
        return np.dtype(str(self._record["dtype"]))

    @property
    def about(self) -> dict[str, Any]:
        """Where they come from."""
        return dict(self._record["about"])

    @property
    def rows(self) -> NDArray[Any]:
        """All rows, (n, dim), mapped from the file and read-only; rows that are absent hold NaN."""
        if self._rows is None or len(self._rows) != len(self):
            shape = (len(self), self.dim)
            if len(self):
                self._rows = np.memmap(self._data, self.dtype, "r", HEADER, shape)
            else:
                self._rows = np.empty(shape, self.dtype)
        return self._rows

    def present(self, start: int = 0) -> NDArray[np.bool_]:
        """Which rows from `start` on are there, (n - start,)."""
        there: NDArray[np.bool_] = ~np.isnan(self.rows[start:]).any(axis=1)
        return there

    def refresh(self) -> Self:
        """See what was written since; returns itself."""
        self._record = _checked_record(self.folder, {})
        self._rows = None
        return self

    def append(self, rows: ArrayLike) -> None:
        """Write rows behind the last one."""
        rows = np.asarray(rows)
        self.put(range(len(self), len(self) + len(rows)), rows)

    def put(self, positions: ArrayLike | range, rows: ArrayLike) -> None:
        """Write rows at positions; those between the last row and a position behind it are absent.

        When this returns they are on disk. When the disk is full, old rows are as they were, or absent where
        they were to be replaced.

        Parameters
        ----------
        positions : array-like of int, shape (m,)
            Where, each once.
        rows : array-like of shape (m, dim)
            The vectors; a row of NaN only is absent.
        """
        if self._claim is None:
            raise StoreError("these vectors were opened for reading")
        at, block = self._checked(positions, rows)
        old, new = at < len(self), at >= len(self)
        try:
            with open(self._data, "r+b", buffering=0) as file:
                self._replace(file, at[old], block[old])
                if new.any():
                    self._extend(file, at[new], block[new])
        except OSError as error:
            self._rows = None
            self._cut()
            words = f"vectors could not be written to {os.fspath(self._data)!r}: {error.strerror}"
            raise (StoreFullError if error.errno in _FULL else StoreError)(words) from error

    def close(self) -> None:
        """Let another process write."""
        self._rows = None
        if self._claim is not None:
            self._claim.release()
            self._claim = None

    @property
    def _data(self) -> Path:
        return self.folder / "vectors.npy"

    @property
    def _width(self) -> int:
        return self.dim * self.dtype.itemsize

    def _checked(
        self, positions: ArrayLike | range, rows: ArrayLike
    ) -> tuple[NDArray[np.int64], NDArray[Any]]:
        at = np.asarray(positions)
        block = np.ascontiguousarray(rows, dtype=self.dtype)
        if at.size == 0 and block.size == 0:
            return np.empty(0, np.int64), block.reshape(0, self.dim)
        if at.ndim != 1 or at.dtype.kind not in "iu" or block.shape != (len(at), self.dim):
            raise ValueError(
                f"rows of shape {block.shape} do not fit {at.shape} positions and vectors of length {self.dim}"
            )
        if (at < 0).any() or len(np.unique(at)) < len(at):
            raise ValueError("positions are from 0 on, each once")
        missing = np.isnan(block)
        if (missing.any(axis=1) != missing.all(axis=1)).any():
            raise ValueError("a row holds NaN in places; a row is there or all NaN")
        return at.astype(np.int64), block

    def _replace(self, file: FileIO, at: NDArray[np.int64], block: NDArray[Any]) -> None:
        if not len(at):
            return
        taken = at[self.present()[at]]
        absent = np.full(self.dim, np.nan, self.dtype).tobytes()
        for position in taken.tolist():
            _write(file, absent, HEADER + position * self._width)
        if len(taken):
            os.fsync(file.fileno())
        for position, row in zip(at.tolist(), block, strict=True):
            _write(file, row.tobytes(), HEADER + position * self._width)
        os.fsync(file.fileno())

    def _extend(self, file: FileIO, at: NDArray[np.int64], block: NDArray[Any]) -> None:
        first, last = len(self), int(at.max()) + 1
        order = np.argsort(at)
        at, block = at[order], block[order]
        step = max(1, CHUNK // self._width)
        for start in range(first, last, step):
            stop = min(start + step, last)
            chunk = np.full((stop - start, self.dim), np.nan, self.dtype)
            low, high = np.searchsorted(at, [start, stop])
            chunk[at[low:high] - start] = block[low:high]
            _write(file, chunk.tobytes(), HEADER + start * self._width)
        os.fsync(file.fileno())
        self._count(last)
        _write(file, _header(last, self.dim, self.dtype), 0)

    def _count(self, rows: int) -> None:
        record = {**self._record, "rows": rows}
        write_atomically(self.folder / "rows.json", json.dumps(record).encode())
        self._record = record

    def _cut(self) -> None:
        """Cut off what does not count."""
        with open(self._data, "r+b", buffering=0) as file:
            file.truncate(HEADER + len(self) * self._width)
            _write(file, _header(len(self), self.dim, self.dtype), 0)


def _header(rows: int, dim: int, dtype: np.dtype[Any]) -> bytes:
    """A .npy header of always the same length, so that it can be replaced in place."""
    words = f"{{'descr': {dtype.str!r}, 'fortran_order': False, 'shape': ({rows}, {dim}), }}"
    start = b"\x93NUMPY\x01\x00" + (HEADER - 10).to_bytes(2, "little")
    return start + words.ljust(HEADER - 11).encode() + b"\n"


def _write(file: FileIO, content: bytes, offset: int) -> None:
    # Through the file and never through the map: on a full disk a map kills the process.
    left = memoryview(content)
    file.seek(offset)
    while left:
        left = left[file.write(left) :]


def _create(folder: Path, dim: int | None, dtype: DTypeLike, about: dict[str, Any]) -> None:
    number = np.dtype(dtype).newbyteorder("<")
    if dim is None or dim < 1 or number.kind != "f":
        raise ValueError(f"new vectors need a length and a floating point type, got {dim} and {number}")
    with open(folder / "vectors.npy", "wb", buffering=0) as file:
        _write(file, _header(0, dim, number), 0)
        os.fsync(file.fileno())
    record = {"rows": 0, "dim": int(dim), "dtype": number.str, "about": about}
    write_atomically(folder / "rows.json", json.dumps(record).encode())


def _checked_record(folder: Path, wanted: Mapping[str, Any]) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((folder / "rows.json").read_bytes())
        size = (folder / "vectors.npy").stat().st_size
        width = int(record["dim"]) * np.dtype(record["dtype"]).itemsize
        # Rows that a failing disk lost do not count, though they were counted.
        record["rows"] = min(int(record["rows"]), max(0, size - HEADER) // width)
    except FileNotFoundError:
        raise FileNotFoundError(f"there are no vectors in {os.fspath(folder)!r}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"the vectors in {os.fspath(folder)!r} cannot be read: {error}") from error
    for name, value in wanted.items():
        if value is not None and record[name] != value:
            raise ValueError(
                f"the vectors in {os.fspath(folder)!r} have {name} {record[name]!r}, not {value!r}"
            )
    return record
