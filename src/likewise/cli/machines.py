"""``--dask``: the option that has other machines compute."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

Dask = Annotated[
    str | None,
    typer.Option(help="Address of a Dask scheduler whose workers compute; or local, or a number of processes here."),
]


@contextmanager
def scheduler(where: str | None) -> Iterator[str | None]:
    """The address of the scheduler that ``--dask`` names, reached; None without one."""
    if where is None:
        yield None
        return
    from likewise.machines import open_cluster

    with open_cluster(where) as address:
        yield address
