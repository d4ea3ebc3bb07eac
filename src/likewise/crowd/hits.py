"""Hits from a table: who gave which item which keyword, or put it into which group."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from likewise.cells import read_csv

MARKS = ("keyword", "group")


def read_hits(path: str | Path, names: Sequence[str] | None = None) -> list[tuple[str, int, str | None]]:
    """Read a CSV with the columns ``hit``, ``item`` and either ``keyword`` or ``group``.

    Parameters
    ----------
    path : str or Path
        The file, one row a keyword (an item with several has several rows) or a group. An empty field says that the
        item was shown and got nothing.
    names : sequence of str, optional
        Names of the items, when the column ``item`` holds names and not row numbers from 0.

    Returns
    -------
    list of (hit, item, mark)
        For :func:`likewise.crowd.hit_similarity` and :class:`likewise.cluster.SemiCrowdClustering`. Keywords are
        compared without regard to case and outer blanks.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("hit,item,keyword\\nann-1,0,Cat\\nann-1,1, cat\\n")
    ...     file.flush()
    ...     read_hits(file.name)
    [('ann-1', 0, 'cat'), ('ann-1', 1, 'cat')]
    """
    number = None if names is None else {name: i for i, name in enumerate(names)}
    columns, rows = read_csv(path)
    mark = next((name for name in MARKS if name in columns), None)
    if mark is None or not {"hit", "item"} <= set(columns):
        raise ValueError(f"{path} needs the columns hit, item and keyword (or group), it has {columns}")
    return [
        (row["hit"], _item(row["item"].strip(), number, path, line), row[mark].strip().casefold() or None)
        for line, row in rows
    ]


def _item(text: str, number: dict[str, int] | None, path: str | Path, line: int) -> int:
    if number is not None and text in number:
        return number[text]
    if text.isdecimal():
        return int(text)
    raise ValueError(f"{path}, line {line}: there is no item {text!r}")
