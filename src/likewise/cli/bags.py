"""A table of bags: which row is in which bag, and what the labels of the bag are."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from likewise.cli.app import fail


def read_bags(path: Path, n: int) -> dict[str, Any]:
    """The bag of every row, and the labels of the bags that have some, as :class:`BagSpectral` takes them.

    A line is a row number from 0, a bag, and labels with ``;`` between them or nothing. Labels on several lines of a
    bag count together. Rows that no line names are bags of their own.

    - `path`: The CSV; a first line that begins with no number is a header.
    - `n`: Number of rows of the data.
    """
    bag_of: dict[int, tuple[str, ...]] = {}
    labels: dict[tuple[str, ...], set[str]] = {}
    for number, cells in enumerate(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()), 1):
        cells = [cell.strip() for cell in cells]
        if not any(cells) or cells[0].startswith("#") or (number == 1 and not cells[0].isdecimal()):
            continue
        if len(cells) not in (2, 3) or not cells[0].isdecimal() or not cells[1]:
            fail(f"{path}, line {number}: a row number, a bag and labels are expected")
        row, bag = int(cells[0]), ("bag", cells[1])
        if row >= n:
            fail(f"{path}, line {number}: there are {n} rows, from 0 to {n - 1}, no {row}")
        if bag_of.setdefault(row, bag) != bag:
            fail(f"{path}, line {number}: row {row} is in two bags, {bag_of[row][1]!r} and {cells[1]!r}")
        said = {label.strip() for label in (cells[2] if len(cells) == 3 else "").split(";")} - {""}
        if said:
            labels.setdefault(bag, set()).update(said)
    ids = {bag: k for k, bag in enumerate(dict.fromkeys(bag_of.values()))}
    of_row = [ids[bag_of[row]] if row in bag_of else len(ids) + row for row in range(n)]
    return {"bags": of_row, "bag_labels": {ids[bag]: named for bag, named in labels.items()}}
