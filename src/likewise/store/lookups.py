"""Finding many rows of a project by a unique value."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Table, func, select

__all__ = ["find_numbers", "next_number"]

V = TypeVar("V", str, bytes)

# One question for one value costs about as much as reading this many rows.
ROWS_A_QUESTION = 70


def next_number(connection: Connection, table: Table, number: str, project_id: int, first: int) -> int:
    """The number after the last one given in a project, `first` when none was."""
    last = connection.scalar(select(func.max(table.c[number])).where(table.c.project_id == project_id))
    return first if last is None else int(last) + 1


def find_numbers(
    connection: Connection, table: Table, number: str, value: str, project_id: int, wanted: Collection[V]
) -> dict[V, int]:
    """The numbers of those rows of a project whose value is wanted.

    One by one, or by reading all where that is less: PostgreSQL searches a long list of values for every row
    as long as it has no statistics of the table, which is when it is being filled.

    - `table`, sqlalchemy.Table: Where to look; it has a unique index on the project and the value.
    - `number`, `value`: Names of its columns.
    - `wanted`, collection of str or bytes: The values.
    """
    columns = select(table.c[value], table.c[number]).where(table.c.project_id == project_id)
    worth = len(wanted) * ROWS_A_QUESTION
    if len(wanted) == 1 or worth < next_number(connection, table, number, project_id, 0):
        return _read(connection, columns, *[table.c[value] == each for each in wanted])
    every = _read(connection, columns, table.c[number] >= 0)
    return {each: every[each] for each in wanted if each in every}


def _read(connection: Connection, columns: Any, *conditions: ColumnElement[bool]) -> dict[Any, int]:
    return {key: at for condition in conditions for key, at in connection.execute(columns.where(condition))}
