"""Cells of tables that other programs open: a text is never taken for a formula, and is read back as it was."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO, TypeVar

T = TypeVar("T")
# What spreadsheets take for a formula; a text that looks like a guarded one is guarded too, so that both can be told.
FORMULA = re.compile(r"'*[=+\-@\t\r]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
GUARDED = re.compile(r"'+[=+\-@\t\r]")
LONGEST_LINE = 1 << 24  # characters: more than any table that people made has
csv.field_size_limit(LONGEST_LINE)


def guard_cell(value: T) -> T | str:
    """A value for a cell: texts that a spreadsheet would take for a formula begin with an apostrophe.

    Parameters
    ----------
    value : object
        What is not a text stays as it is, and so does a number as a text.

    Examples
    --------
    >>> [guard_cell(value) for value in ("oak", "=1+1", "-3.5", "-x", "'=1", -2)]
    ['oak', "'=1+1", '-3.5', "'-x", "''=1", -2]
    """
    if isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def read_cell(text: T) -> T | str:
    """What :func:`guard_cell` was given; a text that it did not change stays as it is.

    Parameters
    ----------
    text : object
        The content of a cell.

    Examples
    --------
    >>> [read_cell(text) for text in ("oak", "'=1+1", "-3.5", "''=1", "'t Hooft")]
    ['oak', '=1+1', '-3.5', "'=1", "'t Hooft"]
    """
    return text[1:] if isinstance(text, str) and GUARDED.match(text) else text


def csv_line(values: Iterable[object]) -> str:
    """A line of a CSV file with guarded cells; one with a line break of any kind is in quotes.

    Parameters
    ----------
    values : iterable of object
        One for each column.

    Examples
    --------
    >>> print(csv_line(["oak", "=1", 3, "a, b"]), end="")
    oak,'=1,3,"a, b"
    """
    line = io.StringIO()
    # with this end of line also a lone carriage return is put into quotes
    csv.writer(line, lineterminator="\r\n").writerow([guard_cell(value) for value in values])
    return f"{line.getvalue()[:-2]}\n"


def short_lines(file: TextIO, path: object) -> Iterator[str]:
    """The lines of a table; one that is too long to be one raises, before all of it is read.

    Parameters
    ----------
    file : TextIO
        Open for reading.
    path : object
        What it is called in the message.

    Examples
    --------
    >>> import io
    >>> list(short_lines(io.StringIO("a,b\\n1,2"), "table.csv"))
    ['a,b\\n', '1,2']
    """
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise ValueError(f"{str(path)!r}, line {number}: more than {LONGEST_LINE:,} characters, which no table has")
        yield line


def read_csv(path: str | Path) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The columns of a CSV file, and its rows by column, each with the number of its line.

    What is no CSV, or has a line that is too long to be one, raises with its line. Cells beyond the columns are left
    out, cells that are missing are empty.

    Parameters
    ----------
    path : str or Path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("item, note\\n7,'=1\\n8\\n")
    ...     file.flush()
    ...     read_csv(file.name)
    (['item', 'note'], [(2, {'item': '7', 'note': '=1'}), (3, {'item': '8', 'note': ''})])
    """
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(short_lines(file, path), restval="")
        try:
            columns = [name.strip() for name in reader.fieldnames or []]
            reader.fieldnames = columns
            return columns, [(reader.line_num, {name: read_cell(row[name]) for name in columns}) for row in reader]
        except csv.Error as error:
            raise ValueError(f"{str(path)!r}, line {reader.line_num}: not CSV: {error}") from None
        except UnicodeDecodeError as error:
            raise ValueError(f"{str(path)!r} is not text in UTF-8: {error.reason}") from None
