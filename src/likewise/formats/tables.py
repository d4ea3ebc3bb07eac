"""Clusters as a table: one row a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields


@dataclass(frozen=True)
class ClusterRow:
    """One picture and its cluster.

    Attributes
    ----------
    image : int
        Id of the picture.
    path : str
        Where it is, below the folder of pictures.
    cluster : int
        Id of its cluster.
    name : str
        What the cluster is called, or empty.
    state : "confirmed", "found" or "suggested"
        Whether people confirmed it, the program found it, or it waits for a person.
    """

    image: int
    path: str
    cluster: int
    name: str
    state: str


def write_csv(rows: Iterable[ClusterRow]) -> str:
    """Rows as CSV text; bytes of a path that are no text are written as ``\\xNN``.

    Examples
    --------
    >>> print(write_csv([ClusterRow(0, "a.jpg", 3, "oak, red", "found")]), end="")
    image,path,cluster,name,state
    0,a.jpg,3,"oak, red",found
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([each.name for each in fields(ClusterRow)])
    for row in rows:
        writer.writerow([_text(value) for value in astuple(row)])
    return out.getvalue()


def _text(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return value
