"""Labels under a price for every violated constraint: the assignment step that PCKMeans and MPCKMeans share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.groups import Groups
from likewise.kernels.assignment.penalised import assign_penalised, price_labels

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]


class Penalties(NamedTuple):
    """What the kernels need to price a violation; see ``kernels.soft_assignment``.

    Attributes
    ----------
    vectors : ndarray of shape (s, d)
        The constrained items, in the order of ``Groups.members``.
    mapped : ndarray of shape (s, m, d + 1)
        Each of them times each metric, and its squared norm under it.
    metric_of : ndarray of shape (k,)
        Which metric each cluster has.
    reach : ndarray of shape (k,)
        Largest squared distance under it.
    """

    vectors: Vectors
    mapped: Vectors
    metric_of: Labels
    reach: Vectors


def constant_penalties(n_slots: int, n_clusters: int) -> Penalties:
    """Every violation costs 1: vectors of no width, squared norms of 1/2, a reach of 2."""
    return Penalties(
        np.empty((n_slots, 0)),
        np.full((n_slots, 1, 1), 0.5),
        np.zeros(n_clusters, np.int64),
        np.full(n_clusters, 2.0),
    )


def assign(
    own: Vectors,
    groups: Groups,
    penalties: Penalties,
    weight: float,
    labels: Labels | None,
    random: np.random.RandomState,
) -> tuple[Labels, float]:
    """Labels priced no higher than the given ones, and their price.

    Two tries, the cheaper kept: the given labels improved move by move, and labels made anew, group by
    group in random order. The second gets out of many dead ends of the first.

    Parameters
    ----------
    own : ndarray of shape (n, k)
        Price of each item in each cluster, constraints aside.
    groups : Groups
        The constraints.
    penalties : Penalties
        What violating them costs, before the weight.
    weight : float
        Factor on every violation.
    labels : ndarray of shape (n,) or None
        Where the items are now; None at the start.
    random : RandomState
        Source of the orders.
    """
    tries = [] if labels is None else [(labels.copy(), 1)]
    tries.append((np.full(len(own), -1, np.int64), 2))
    priced = []
    for candidate, n_passes in tries:
        for _ in range(n_passes):
            assign_penalised(
                own,
                groups.of_item,
                groups.free,
                *groups[1:],
                *penalties,
                weight,
                random.permutation(len(groups.start) - 1),
                random.permutation(len(groups.members)),
                candidate,
            )
        priced.append(price_labels(own, *groups, *penalties, weight, candidate))
    best = int(np.argmin(priced))
    return tries[best][0], float(priced[best])
