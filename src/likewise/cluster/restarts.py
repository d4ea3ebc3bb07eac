"""Several starts, the best of them kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state, check_scalar

Labels = NDArray[np.int64]

FIRST_ROUNDS = 2


class Run(NamedTuple):
    """Where one start is.

    - `labels` (n,): Cluster of every item; every cluster below ``len(centres)`` has one.
    - `centres` (k, d) or (k,): Centre of every cluster, or the index of its medoid.
    - `path`, list of float: The objective after every step, never rising; the last one counts.
    - `n_iter`: Passes over the data.
    - `extra`: What else belongs to the clusters.
    - `settled`: Whether the search ends here by itself, if it does not go on.
    """

    labels: Labels
    centres: NDArray[Any]
    path: list[float]
    n_iter: int
    extra: Any = None
    settled: bool = True


Start = Callable[[int, np.random.RandomState], Iterator[Run]]


def best_run(start: Start, n_init: int, random_state: Any) -> Run:
    """The lowest objective of several starts, most of them given up early.

    All go three rounds; then the better half goes on for four, the better half of those for eight, until one
    is left, which goes to its end. The first of equals is the better one.

    - `start`: Takes the number of the start and its own source of randomness; gives its state after every round.
    - `n_init`: How many starts.
    - `random_state`, int, RandomState or None: Seed of the sources.
    """
    random = check_random_state(random_state)
    seeds = random.randint(np.iinfo(np.int32).max, size=n_init)
    searches = [start(k, np.random.RandomState(seed)) for k, seed in enumerate(seeds)]
    alive = [(search, next(search)) for search in searches]
    rounds = FIRST_ROUNDS
    while len(alive) > 1:
        alive = [(search, _advance(search, run, rounds)) for search, run in alive]
        alive.sort(key=lambda pair: pair[1].path[-1])
        del alive[len(alive) // 2 :]
        rounds *= 2
    search, run = alive[0]
    return _advance(search, run, None)


def _advance(search: Iterator[Run], run: Run, rounds: int | None) -> Run:
    """The state after so many more rounds, or at the end."""
    for later in islice(search, rounds):
        run = later
    return run


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


def check_weight(weight: Any) -> float:
    """Check the price of a violation."""
    check_scalar(weight, "weight", Real, min_val=0)
    if not np.isfinite(weight):
        raise ValueError(f"weight must be finite, got {weight}")
    return float(weight)


def check_search(n_init: Any, max_iter: Any, tol: Any = 0.0) -> None:
    """Check the parameters that every search of this kind has."""
    check_scalar(n_init, "n_init", Integral, min_val=1)
    check_scalar(max_iter, "max_iter", Integral, min_val=1)
    check_scalar(tol, "tol", Real, min_val=0)
