"""Tables that commands write as CSV, to standard output or to a file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from likewise.cells import csv_line

__all__ = ["write_clusters", "write_rows", "write_table"]


def write_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], out: Path | None) -> int:
    """Write rows as CSV to a file or to standard output, and return their number.

    In a file, bytes of a path that are not UTF-8 are written as ``\\xNN``.
    """
    if out is None:
        return _write(sys.stdout, columns, rows)
    with open(out, "w", newline="", encoding="utf-8", errors="backslashreplace") as file:
        return _write(file, columns, rows)


def _write(file: IO[str], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    file.write(csv_line(columns))
    count = 0
    for row in rows:
        file.write(csv_line(row))
        count += 1
    return count


def write_rows(out: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> int:
    """Write mappings from column to value, and return their number."""
    return write_table(columns, ([row.get(column, "") for column in columns] for row in rows), out)


def write_clusters(labels: Sequence[int], names: Sequence[str] | None, out: Path | None) -> None:
    """Write the cluster of every item, given by its name or else its number."""
    items = range(len(labels)) if names is None else names
    write_table(("item", "cluster"), zip(items, labels, strict=True), out)
