"""A table of triplets: three rows, and which two of them belong together."""

from __future__ import annotations

import csv
from pathlib import Path

from likewise.cli.app import fail
from likewise.query.question import ANSWERS


def read_triplets(path: Path, n: int) -> list[tuple[int, int, int, str]]:
    """Triplets as :class:`DiscriminativeClustering` takes them.

    - `path`: CSV of three different row numbers from 0 and ``ab``, ``ac``, ``bc``, ``none`` or ``unsure``; a first line
      that begins with no number is a header.
    - `n`: Number of rows of the data.
    """
    found = []
    for number, line in enumerate(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()), 1):
        cells = [cell.strip() for cell in line]
        if not any(cells) or cells[0].startswith("#") or (number == 1 and not cells[0].isdecimal()):
            continue
        if len(cells) != 4 or not all(cell.isdecimal() for cell in cells[:3]) or cells[3] not in ANSWERS["triplet"]:
            fail(f"{path}, line {number}: three row numbers and one of {', '.join(ANSWERS['triplet'])} are expected")
        a, b, c = map(int, cells[:3])
        if max(a, b, c) >= n:
            fail(f"{path}, line {number}: there are {n} rows, from 0 to {n - 1}, no {max(a, b, c)}")
        if len({a, b, c}) < 3:
            fail(f"{path}, line {number}: a triplet is three different rows")
        found.append((a, b, c, cells[3]))
    return found
