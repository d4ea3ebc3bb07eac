"""Tables to import (CSV, JSON Lines, JSON, Parquet): rows with line numbers, problems with line and column."""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from likewise.cells import read_cell, short_lines

__all__ = ["Problem", "Row", "find_columns", "open_table"]

Row: TypeAlias = tuple[int, Mapping[str, Any]]
SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")


@dataclass(frozen=True)
class Problem:
    """What is wrong with one line of a file.

    Examples
    --------
    >>> print(Problem(7, "answer", "'perhaps' is not an answer"))
    line 7, column answer: 'perhaps' is not an answer
    """

    line: int
    column: str
    text: str

    def __str__(self) -> str:
        where = f"line {self.line}" + (f", column {self.column}" if self.column else "")
        return f"{where}: {self.text}"


def open_table(path: str | os.PathLike[str]) -> tuple[list[str], list[Row], list[Problem]]:
    """Read a table: its columns, its rows with the numbers of their lines, and the lines that are broken.

    - `path`, path-like: ``.csv`` and ``.tsv`` (comma, semicolon or tab; the first line names the columns),
      ``.jsonl``, ``.json`` (a list of objects), ``.parquet``.
    """
    source = Path(path)
    suffix = source.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{os.fspath(source)!r} is not a table in {', '.join(SUFFIXES)}")
    if not source.is_file():
        raise FileNotFoundError(f"there is no file {os.fspath(source)!r}")
    if suffix == ".parquet":
        return _read_parquet(source)
    is_csv = suffix in (".csv", ".tsv")
    try:
        # a cell may hold any line break, and only that of Unix ends a line of JSON
        with open(source, encoding="utf-8-sig", newline="" if is_csv else "\n") as file:
            if suffix == ".json":
                return _read_list(file.read(), source)
            lines = short_lines(file, source)
            if is_csv:
                return _read_csv(lines, source)
            return _read_objects(((n, line) for n, line in enumerate(lines, 1) if line.strip()), source)
    except UnicodeDecodeError as error:
        raise ValueError(f"{os.fspath(source)!r} is not text in UTF-8: {error.reason}") from None


def find_columns(
    columns: Iterable[str], variants: Mapping[str, tuple[str, ...]], needed: Iterable[str], path: object
) -> dict[str, str]:
    """Find the column for each meaning by the names it may have; a missing needed column raises.

    Examples
    --------
    >>> find_columns(["Worker ID", "a"], {"annotator": ("annotator", "worker_id"), "a": ("a",)}, ["a"], "x.csv")
    {'annotator': 'Worker ID', 'a': 'a'}
    """
    plain: dict[str, str] = {}
    for column in columns:
        plain.setdefault(column.strip().lower().replace(" ", "_").replace("-", "_"), column)
    found = {}
    for meaning, names in variants.items():
        known = [plain[name] for name in names if name in plain]
        if known:
            found[meaning] = known[0]
    missing = [meaning for meaning in needed if meaning not in found]
    if missing:
        wanted = " and ".join(f"{meaning} (or {', '.join(variants[meaning][1:])})" for meaning in missing)
        raise ValueError(f"{str(path)!r} lacks the column {wanted}; it has {', '.join(plain.values()) or 'none'}")
    return found


def _read_csv(lines: Iterator[str], source: Path) -> tuple[list[str], list[Row], list[Problem]]:
    first = next(lines, "")
    delimiter = max(",;\t", key=lambda mark: (first.count(mark), mark == ","))
    reader = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
    rows: list[Row] = []
    problems: list[Problem] = []
    try:
        columns = [name.strip() for name in next(reader, [])]
        twice = {name for name, count in Counter(columns).items() if count > 1 and name}
        if not any(columns) or twice:
            why = f"has the column {min(twice)!r} twice" if twice else "is empty"
            raise ValueError(f"{os.fspath(source)!r} {why}")
        start = reader.line_num + 1
        for cells in reader:
            line, start = start, reader.line_num + 1
            if not cells:
                continue
            if len(cells) == len(columns):
                rows.append((line, dict(zip(columns, map(read_cell, cells), strict=True))))
            else:
                problems.append(Problem(line, "", f"{len(cells)} cells where there are {len(columns)} columns"))
    except csv.Error as error:
        problems.append(Problem(reader.line_num, "", f"not CSV: {error}"))
    return columns, rows, problems


def _read_objects(
    lines: Iterable[tuple[int, Any]], source: Path, *, is_text: bool = True
) -> tuple[list[str], list[Row], list[Problem]]:
    rows: list[Row] = []
    problems: list[Problem] = []
    columns: dict[str, None] = {}
    for number, line in lines:
        try:
            value = json.loads(line) if is_text else line
        except (ValueError, RecursionError) as error:
            problems.append(Problem(number, "", f"not JSON: {error}"))
            continue
        if isinstance(value, dict):
            columns |= dict.fromkeys(value)
            rows.append((number, value))
        else:
            problems.append(Problem(number, "", f"an object was expected, got {type(value).__name__}"))
    if not rows and not problems:
        raise ValueError(f"{os.fspath(source)!r} is empty")
    return list(columns), rows, problems


def _read_list(text: str, source: Path) -> tuple[list[str], list[Row], list[Problem]]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{os.fspath(source)!r} is not JSON: {error}") from None
    if not isinstance(content, list):
        raise ValueError(f"{os.fspath(source)!r} is not a list")
    return _read_objects(enumerate(content, 1), source, is_text=False)


def _read_parquet(source: Path) -> tuple[list[str], list[Row], list[Problem]]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ValueError("Parquet needs pyarrow: install likewise[parquet]") from None
    try:
        table = pyarrow.parquet.read_table(source)
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(f"{os.fspath(source)!r} is not a table: {error}") from None
    return table.column_names, list(enumerate(table.to_pylist(), 1)), []
