"""Cells of tables that other programs open: a text is never taken for a formula, and is read back as it was."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
# What spreadsheets take for a formula; a text that looks like a guarded one is guarded too, so that both can be told.
FORMULA = re.compile(r"'*[=+\-@\t\r]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
GUARDED = re.compile(r"'+[=+\-@\t\r]")


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
