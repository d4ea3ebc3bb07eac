"""Check a table of tags: 0 or 1, one row an instance and one column a tag."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse


def check_tags(Z: Any) -> NDArray[np.bool_]:
    """A table of tags (n, k) as booleans; anything but 0 and 1 is an error.

    Examples
    --------
    >>> check_tags([[0, 1]]).tolist()
    [[False, True]]
    """
    sparse: Any = Z  # scipy's stubs do not know that every sparse matrix has it
    table = np.asarray(sparse.toarray() if issparse(Z) else Z)
    if table.ndim != 2:
        raise ValueError(f"Z must have one row an instance and one column a tag, got {table.ndim} dimension(s)")
    if 0 in table.shape:
        raise ValueError(f"Z is empty: its shape is {table.shape}")
    if table.dtype != bool and not np.isin(table, (0, 1)).all():
        raise ValueError("Z must hold only 0 and 1: a tag is there or it is not")
    return table.astype(bool)
