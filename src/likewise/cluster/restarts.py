"""Several starts, the best of them kept."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state, check_scalar

Labels = NDArray[np.int64]


class Run(NamedTuple):
    """Where one start ended.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        Cluster of every item; every cluster below ``len(centres)`` has one.
    centres : ndarray of shape (k, d) or (k,)
        Centre of every cluster, or the index of its medoid.
    path : list of float
        The objective after every step, never rising; the last one counts.
    n_iter : int
        Passes over the data.
    extra : Any
        What else belongs to the clusters.
    """

    labels: Labels
    centres: NDArray[Any]
    path: list[float]
    n_iter: int
    extra: Any = None


def best_run(start: Callable[[int, np.random.RandomState], Run], n_init: int, random_state: Any) -> Run:
    """Run ``start(k, random)`` for k = 0 … n_init - 1 and return the lowest objective, the first of equals.

    Parameters
    ----------
    start : callable
        Takes the number of the start and its own source of randomness.
    n_init : int
        How many starts.
    random_state : int, RandomState or None
        Seed of the sources.
    """
    random = check_random_state(random_state)
    best: Run | None = None
    for k in range(n_init):
        run = start(k, np.random.RandomState(random.randint(np.iinfo(np.int32).max)))
        if best is None or run.path[-1] < best.path[-1]:
            best = run
    assert best is not None
    return best


def first_seen(labels: Labels, n_clusters: int) -> tuple[Labels, Labels]:
    """Labels renumbered by first item, and the old number of every new one.

    Examples
    --------
    >>> first_seen(np.array([2, 2, 0, 1]), 3)
    (array([0, 0, 1, 2]), array([2, 0, 1]))
    """
    seen, where = np.unique(labels, return_index=True)
    order = seen[np.argsort(where)].astype(np.int64)
    number = np.full(n_clusters, -1, np.int64)
    number[order] = np.arange(len(order))
    return number[labels], order


def check_weight(w: Any) -> float:
    """Check the price of a violation."""
    check_scalar(w, "w", Real, min_val=0)
    if not np.isfinite(w):
        raise ValueError(f"w must be finite, got {w}")
    return float(w)


def check_search(n_init: Any, max_iter: Any, tol: Any = 0.0) -> None:
    """Check the parameters that every search of this kind has."""
    check_scalar(n_init, "n_init", Integral, min_val=1)
    check_scalar(max_iter, "max_iter", Integral, min_val=1)
    check_scalar(tol, "tol", Real, min_val=0)
