"""Agreement of several people beyond chance: Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["krippendorff_alpha"]


def krippendorff_alpha(units: Sequence[Hashable], values: Sequence[Hashable]) -> float:
    """Krippendorff's alpha for nominal values, of any number of people with any number of answers missing.

    1 is full agreement, 0 what chance would give, below 0 systematic disagreement. Cost: linear in the answers, and
    a table of units by values.

    Parameters
    ----------
    units : sequence of length m
        The question of each answer. Only units with two answers or more count.
    values : sequence of length m
        The answers. Leave "unsure" out: it is a missing value.

    Returns
    -------
    float
        NaN where it is not defined: no unit has two answers, or all answers that count are the same.

    References
    ----------
    K. Krippendorff, *Content Analysis*, 2nd ed. 2004, ch. 11: 1 - D_o / D_e with the nominal difference function.

    Examples
    --------
    >>> krippendorff_alpha(["q1", "q1", "q2", "q2"], ["same", "same", "different", "different"])
    1.0
    >>> round(krippendorff_alpha([1, 1, 2, 2, 3, 3], ["a", "a", "b", "b", "a", "b"]), 3)
    0.444
    """
    if len(units) != len(values):
        raise ValueError(f"every answer has a unit and a value, got {len(units)} and {len(values)}")
    table = _count(units, values)
    sizes = table.sum(axis=1)
    table, sizes = table[sizes >= 2], sizes[sizes >= 2]
    n = sizes.sum()
    totals = table.sum(axis=0)
    expected = n * n - (totals * totals).sum()
    if expected == 0:
        return float("nan")
    observed = ((sizes * sizes - (table * table).sum(axis=1)) / (sizes - 1)).sum()
    return float(1 - (n - 1) * observed / expected)


def _count(units: Sequence[Hashable], values: Sequence[Hashable]) -> NDArray[np.float64]:
    rows: dict[Hashable, int] = {}
    columns: dict[Hashable, int] = {}
    at = [rows.setdefault(unit, len(rows)) for unit in units]
    column = [columns.setdefault(value, len(columns)) for value in values]
    table = np.zeros((len(rows), max(len(columns), 1)))
    np.add.at(table, (at, column), 1.0)
    return table
