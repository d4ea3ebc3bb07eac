"""Clusters as CSV: one row for each picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

from likewise.cells import csv_line
from likewise.formats.names import plain_text
from likewise.formats.rows import ClusterRow, Snapshot
from likewise.formats.writing import Written

__all__ = ["write_csv", "write_table"]


def write_csv(snapshot: Snapshot, path: Path) -> Written:
    """Write the clusters; bytes of a path that are not UTF-8 are written as ``\\xNN``.

    Texts that a spreadsheet would take for a formula begin with an apostrophe, which reading takes away.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "clusters.csv"
    >>> rows = [ClusterRow(0, "a.jpg", 3, "oak, red", "found")]
    >>> write_csv(Snapshot("leaves", clusters=rows), path).count
    1
    >>> print(path.read_text(), end="")
    image,path,cluster,name,state,stack
    0,a.jpg,3,"oak, red",found,
    """
    return Written(path, write_table(path, ClusterRow, snapshot.clusters), "pictures")


def write_table(path: Path, kind: type, rows: Iterable[Any]) -> int:
    """Write rows of one dataclass as CSV with its fields as columns; return the number of rows."""
    count = 0
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write(csv_line(each.name for each in fields(kind)))
        for row in rows:
            file.write(csv_line(_cell(value) for value in astuple(row)))
            count += 1
    return count


def _cell(value: object) -> object:
    if isinstance(value, str):
        return plain_text(value)
    return round(value, 6) if isinstance(value, float) else value
