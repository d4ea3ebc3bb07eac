"""Rows of vectors as they are sent to another machine: the rows, or where they are in a file that it sees too."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class FileBlock(NamedTuple):
    """Rows of a memory-mapped array, read where they are needed."""

    filename: str
    dtype: str
    shape: tuple[int, int]
    offset: int
    order: str
    start: int
    stop: int

    def read(self) -> NDArray[Any]:
        """The rows, as an array."""
        whole = np.memmap(self.filename, self.dtype, "r", self.offset, self.shape, "F" if self.order == "F" else "C")
        return np.array(whole[self.start : self.stop])


def sendable(X: NDArray[Any], start: int, stop: int) -> Any:
    """Some rows to send: a copy, or a :class:`FileBlock` where they are mapped from a file."""
    if not is_mapped(X):
        return np.array(X[start:stop])
    order = "F" if X.flags.f_contiguous and not X.flags.c_contiguous else "C"
    shape = (X.shape[0], X.shape[1])
    return FileBlock(str(X.filename), X.dtype.str, shape, X.offset, order, start, stop)  # type: ignore[attr-defined]


def is_mapped(X: Any) -> bool:
    """Whether an array is mapped from a file."""
    return getattr(X, "filename", None) is not None


def received(block: Any) -> NDArray[Any]:
    """The rows of what :func:`sendable` gave."""
    rows: NDArray[Any] = block.read() if isinstance(block, FileBlock) else block
    return rows
