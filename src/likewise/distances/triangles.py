"""Does a distance obey the triangle inequality?"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.distances.matrix import check_distances
from likewise.kernels.metric.triangles import check_all_triangles, check_triangles

ALL_UP_TO = 1000
"""Number of items up to which all triangles are checked by default."""
SAMPLED = 1_000_000
BATCH = 1 << 18


class TriangleCheck(NamedTuple):
    """Outcome of :func:`triangle_violations`.

    Attributes
    ----------
    share : float
        Share of violated triangles; 0 when there are none.
    worst : float
        Largest d(i, k) - (d(i, j) + d(j, k)), 0 when nothing is violated.
    triangle : tuple of three int, or None
        Where it is.
    n_checked : int
        Number of triangles checked.
    exact : bool
        Whether those are all triangles there are.
    """

    share: float
    worst: float
    triangle: tuple[int, int, int] | None
    n_checked: int
    exact: bool


def triangle_violations(
    D: ArrayLike, *, n_samples: int | None = None, tolerance: float = 1e-9, random_state: int | None = None
) -> TriangleCheck:
    """Share of triangles with a side longer than the other two together, and the worst of them.

    Parameters
    ----------
    D : array-like of shape (n, n)
        Distances.
    n_samples : int, optional
        Triangles to draw at random, with replacement; all are checked when there are no more than
        that. By default all up to 1,000 items, and a million beyond.
    tolerance : float
        Share of the longest side that is put down to rounding.
    random_state : int, optional
        Seed of the drawing.

    Returns
    -------
    TriangleCheck

    Examples
    --------
    >>> triangle_violations([[0, 1, 5], [1, 0, 1], [5, 1, 0]])
    TriangleCheck(share=1.0, worst=3.0, triangle=(0, 1, 2), n_checked=1, exact=True)
    """
    if n_samples is not None and n_samples < 1:
        raise ValueError(f"n_samples must be positive, got {n_samples}")
    if not tolerance >= 0:
        raise ValueError(f"tolerance must not be negative, got {tolerance!r}")
    D = check_distances(D)
    n, n_triangles = len(D), comb(len(D), 3)
    if n_triangles <= (n_samples or (n_triangles if n <= ALL_UP_TO else SAMPLED)):
        count, worst, where = check_all_triangles(D, tolerance)
        return _outcome(count, worst, where, n_triangles, exact=True)
    return _sampled(D, n_samples or SAMPLED, tolerance, np.random.default_rng(random_state))


def _sampled(D: NDArray[np.float64], n_samples: int, tolerance: float, random: np.random.Generator) -> TriangleCheck:
    count, worst, where = 0, 0.0, np.full(3, -1)
    for done in range(0, n_samples, BATCH):
        triples = _draw_triples(len(D), min(BATCH, n_samples - done), random)
        in_batch, excess, row = check_triangles(D, triples, tolerance)
        count += in_batch
        if excess > worst:
            worst, where = excess, np.sort(triples[row])
    return _outcome(count, worst, where, n_samples, exact=False)


def _draw_triples(n: int, size: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Three different indices a row, all triples equally likely."""
    a, b, c = (random.integers(n - k, size=size) for k in range(3))
    b += b >= a
    c += c >= np.minimum(a, b)
    c += c >= np.maximum(a, b)
    return np.column_stack([a, b, c])


def _outcome(count: int, worst: float, where: NDArray[np.int64], n_checked: int, *, exact: bool) -> TriangleCheck:
    i, j, k = where.tolist()
    share = count / n_checked if n_checked else 0.0
    return TriangleCheck(share, float(worst), (i, j, k) if count else None, n_checked, exact)
