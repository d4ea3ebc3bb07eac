"""Vectors on disk: one memory-mapped .npy that grows, beside it a key of 32 bytes for every row."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from likewise.images.cache import lock_file, write_atomically

__all__ = ["HEADER", "VectorFile", "npy_header", "rows_at"]

HEADER = 128
KEY = 32
WAIT_SECONDS = 60.0  # for another process that writes


class VectorFile:
    """Vectors by key: of a picture the SHA-256 of its file, so that no picture is computed twice.

    ``vectors.npy`` can be read by any program, ``keys`` holds the key of each of its rows, ``rows.json`` the number
    of rows that count. New rows and keys are synced to disk before they are counted, and the count is replaced in
    one step; what a killed writer left behind the last row that counts is cut off. A key that is added again has a
    new row, and the last one counts.

    Processes write in turn; any number read, and see more after :meth:`refresh`.

    - `folder`: Where the files are.
    - `record`: The content of ``rows.json``.

    Examples
    --------
    >>> import tempfile
    >>> kept = VectorFile.open(Path(tempfile.mkdtemp()) / "colour", 2, create=True)
    >>> kept.add([b"a" * 32, b"b" * 32], np.array([[1.0, 2.0], [5.0, 6.0]]))
    >>> kept.find([b"b" * 32, b"c" * 32]).tolist(), kept.rows[1].tolist()
    ([1, -1], [5.0, 6.0])
    """

    def __init__(self, folder: Path, record: dict[str, Any]) -> None:
        self.folder = folder
        self._record = record
        self._row_of: dict[bytes, int] = {}
        self._n_keys = 0
        self._rows: NDArray[Any] | None = None
        self._guard = threading.RLock()

    @classmethod
    def open(
        cls,
        folder: Path,
        dimension: int | None = None,
        *,
        dtype: DTypeLike = "<f4",
        about: Mapping[str, Any] | None = None,
        create: bool = False,
    ) -> Self:
        """Open vectors.

        - `folder`: Where they are.
        - `dimension`: Length of a vector; needed to make them, checked otherwise.
        - `dtype`, dtype: A floating point type, for new ones.
        - `about`: Where they come from: kept, and checked when they are opened again.
        - `create`: Whether to make them where there are none.
        """
        if create and not (folder / "rows.json").exists():
            folder.mkdir(parents=True, exist_ok=True)
            with _writing(folder):
                _create(folder, dimension, dtype, dict(about or {}))
        kept = cls(folder, _read_record(folder))
        kept.require(dimension, about)
        if create:
            kept._take_over()
        return kept.refresh()

    def __len__(self) -> int:
        return int(self._record["rows"])

    @property
    def dimension(self) -> int:
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
        """All rows in the order in which they were added, (n, dimension), mapped from the file and read-only."""
        if self._rows is None or len(self._rows) != len(self):
            shape = (len(self), self.dimension)
            if len(self):
                self._rows = np.memmap(self.folder / "vectors.npy", self.dtype, "r", HEADER, shape)
            else:
                self._rows = np.empty(shape, self.dtype)
        return self._rows

    def require(self, dimension: int | None, about: Mapping[str, Any] | None) -> None:
        """Raise a ValueError where these are other vectors than somebody wants; None is any."""
        wanted = {"dim": dimension, "about": None if about is None else json.loads(json.dumps(dict(about)))}
        for name, value in wanted.items():
            if value is not None and self._record[name] != value:
                had = self._record[name]
                raise ValueError(f"the vectors in {os.fspath(self.folder)!r} have {name} {had!r}, not {value!r}")

    def find(self, keys: Iterable[bytes]) -> NDArray[np.int64]:
        """The row of each key, -1 where there is none."""
        return np.array([self._row_of.get(key, -1) for key in keys], np.int64)

    def refresh(self) -> Self:
        """See what was added since; returns itself."""
        with self._guard:
            self._record = _read_record(self.folder)
            if len(self) < self._n_keys:  # made anew
                self._row_of, self._n_keys, self._rows = {}, 0, None
            with open(self.folder / "keys", "rb") as file:
                file.seek(KEY * self._n_keys)
                content = file.read(KEY * (len(self) - self._n_keys))
            for start in range(0, len(content), KEY):
                self._row_of[content[start : start + KEY]] = self._n_keys
                self._n_keys += 1
        return self

    def add(self, keys: Sequence[bytes], rows: NDArray[Any]) -> None:
        """Write rows under keys; when this returns they are on disk, or an OSError was raised and nothing changed.

        - `keys`, sequence of bytes: 32 bytes each.
        - `rows` (m, dimension): The vectors; a row of NaN is left out.
        """
        with np.errstate(over="ignore"):
            block = np.ascontiguousarray(rows, dtype=self.dtype)
        if block.shape != (len(keys), self.dimension) or any(len(key) != KEY for key in keys):
            raise ValueError(f"rows of shape {block.shape} do not fit {len(keys)} keys and length {self.dimension}")
        missing = np.isnan(block)
        kept = ~missing.all(axis=1)
        if missing[kept].any():
            raise ValueError("a row holds some NaN; a row is there or all NaN")
        if np.isinf(block).any():
            raise ValueError(f"a row holds infinity, or a number too large for {self.dtype}: scale the vectors down")
        if kept.any():
            with self._guard, _writing(self.folder):
                self.refresh()
                self._extend(b"".join(key for key, there in zip(keys, kept, strict=True) if there), block[kept])

    def _extend(self, keys: bytes, block: NDArray[Any]) -> None:
        first, last = len(self), len(self) + len(block)
        try:
            with (
                open(self.folder / "vectors.npy", "r+b", buffering=0) as data,
                open(self.folder / "keys", "r+b", buffering=0) as names,
            ):
                self._cut(data, names)
                _write(data, block.tobytes(), HEADER + first * self._width)
                _write(names, keys, first * KEY)
                os.fsync(data.fileno())
                os.fsync(names.fileno())
                record = {**self._record, "rows": last}
                write_atomically(self.folder / "rows.json", json.dumps(record).encode())
                _write(data, npy_header(last, self.dimension, self.dtype), 0)
        finally:
            self.refresh()

    def _cut(self, data: FileIO, names: FileIO) -> None:
        """Cut off what does not count."""
        data.truncate(HEADER + len(self) * self._width)
        names.truncate(len(self) * KEY)

    @property
    def _width(self) -> int:
        return self.dimension * self.dtype.itemsize

    def _take_over(self) -> None:
        """Add what versions before 0004 kept in files of their own, each removed when its rows are here."""
        record = np.dtype([("content", "V32"), ("vector", self.dtype, (self.dimension,))])
        for path in sorted(self.folder.glob("*.rows")):
            whole = path.stat().st_size // record.itemsize  # the last one may have been cut off in writing
            old = np.fromfile(path, record, whole)
            keys = [each.tobytes() for each in old["content"]]
            new = self.refresh().find(keys) < 0
            self.add([key for key, is_new in zip(keys, new, strict=True) if is_new], old["vector"][new])
            path.unlink(missing_ok=True)


def rows_at(rows: NDArray[Any], at: NDArray[np.int64]) -> NDArray[Any]:
    """Rows by number, NaN where the number is -1.

    Examples
    --------
    >>> rows_at(np.array([[1.0], [2.0]]), np.array([1, -1]))
    array([[ 2.],
           [nan]])
    """
    out = np.full((len(at), rows.shape[1]), np.nan, rows.dtype)
    out[at >= 0] = rows[at[at >= 0]]
    return out


def npy_header(rows: int, dimension: int, dtype: np.dtype[Any]) -> bytes:
    """A .npy header of always the same length, so that it can be replaced in place."""
    text = f"{{'descr': {dtype.str!r}, 'fortran_order': False, 'shape': ({rows}, {dimension}), }}"
    start = b"\x93NUMPY\x01\x00" + (HEADER - 10).to_bytes(2, "little")
    return start + text.ljust(HEADER - 11).encode() + b"\n"


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    with lock_file(folder / "writing.lock", f"writing to {os.fspath(folder)!r}", WAIT_SECONDS):
        yield


def _write(file: FileIO, content: bytes, offset: int) -> None:
    # Through the file and never through the map: on a full disk a map kills the process.
    left = memoryview(content)
    file.seek(offset)
    while left:
        left = left[file.write(left) :]


def _create(folder: Path, dimension: int | None, dtype: DTypeLike, about: dict[str, Any]) -> None:
    if (folder / "rows.json").exists():  # another process was quicker
        return
    number = np.dtype(dtype).newbyteorder("<")
    if dimension is None or dimension < 1 or number.kind != "f":
        raise ValueError(f"new vectors need a length and a floating point type, got {dimension} and {number}")
    (folder / "keys").write_bytes(b"")
    with open(folder / "vectors.npy", "wb", buffering=0) as file:
        _write(file, npy_header(0, dimension, number), 0)
        os.fsync(file.fileno())
    record = {"rows": 0, "dim": int(dimension), "dtype": number.str, "about": about}
    write_atomically(folder / "rows.json", json.dumps(record).encode())


def _read_record(folder: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((folder / "rows.json").read_bytes())
        width = int(record["dim"]) * np.dtype(record["dtype"]).itemsize
        if width < 1 or int(record["rows"]) < 0 or np.dtype(record["dtype"]).kind != "f":
            raise ValueError("rows.json is damaged")
        # Rows that a failing disk lost do not count, though they were counted.
        whole = max(0, (folder / "vectors.npy").stat().st_size - HEADER) // width
        record["rows"] = min(int(record["rows"]), whole, (folder / "keys").stat().st_size // KEY)
    except FileNotFoundError:
        raise FileNotFoundError(f"there are no vectors in {os.fspath(folder)!r}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise OSError(f"the vectors in {os.fspath(folder)!r} cannot be read: {error}") from error
    return record
