"""How far a learned tree is from the true one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Edges: TypeAlias = NDArray[np.integer[Any]] | Iterable[tuple[Any, Any]]


def robinson_foulds(true_edges: Edges, edges: Edges, *, directed: bool = True) -> float:
    """Robinson–Foulds distance: edges in one tree and not in the other, counted from both sides.

    0 for equal trees (two empty ones as well); two trees of m edges differ by at most 2 m. An edge
    given twice counts once.

    Pei (§5.5.1). Edges are compared as they are given, from parent to child, with the dummy
    root as a node of its own; the classic definition for phylogenies compares the splits they make.

    Parameters
    ----------
    true_edges, edges : array-like of shape (m, 2)
        Pairs (parent, child).
    directed : bool
        Whether (a, b) and (b, a) are different edges.

    Examples
    --------
    >>> robinson_foulds([(-1, 0), (0, 1), (0, 2)], [(-1, 0), (0, 1), (1, 2)])
    2.0
    """
    return float(len(_edge_set(true_edges, "true_edges", directed) ^ _edge_set(edges, "edges", directed)))


def _edge_set(edges: Edges, name: str, directed: bool) -> set[Any]:
    pairs = [tuple(e) for e in (edges.tolist() if isinstance(edges, np.ndarray) else edges)]
    for pair in pairs:
        if len(pair) != 2:
            raise ValueError(f"{name} must hold (parent, child) pairs, got {pair!r}")
        if pair[0] == pair[1]:
            raise ValueError(f"{name} joins {pair[0]!r} to itself")
    return set(pairs) if directed else {frozenset(p) for p in pairs}
