"""Labels under a cost for every violated constraint: the assignment step that PCKMeans and MPCKMeans share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.groups import Groups
from likewise.kernels.assignment.penalised import Layers, Penalties, assign_penalised, sum_costs

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]


def constant_penalties(n_slots: int, n_clusters: int, weight: float) -> Penalties:
    """Every violation costs the weight: vectors of no width, squared norms of 1/2, a reach of 2."""
    return Penalties(
        np.empty((n_slots, 0)),
        np.full((n_slots, 1, 1), 0.5),
        np.zeros(n_clusters, np.int64),
        np.full(n_clusters, 2.0),
        weight,
    )


def assign(
    own: Vectors,
    groups: Groups,
    layers: Layers,
    penalties: Penalties,
    labels: Labels | None,
    random: np.random.RandomState,
) -> tuple[Labels, float]:
    """Labels that cost no more than the given ones, and their cost.

    Two tries, the cheaper kept: the given labels improved move by move, and labels made anew, group by
    group in random order. The second gets out of many dead ends of the first.

    - `own` (n, k): Cost of each item in each cluster, without the constraints.
    - `groups`: The constraints.
    - `layers`: The same by weight (:func:`~likewise.cluster.weighed.stack_levels`).
    - `penalties`: What violating them costs.
    - `labels` (n,) or None: Present labels; None at the start.
    - `random`: Source of the orders.
    """
    tries = [] if labels is None else [(labels.copy(), 1)]
    tries.append((np.full(len(own), -1, np.int64), 2))
    costs = []
    for candidate, n_passes in tries:
        for _ in range(n_passes):
            orders = random.permutation(len(groups.start) - 1), random.permutation(len(groups.members))
            assign_penalised(own, groups, layers, penalties, groups.free, *orders, candidate)
        costs.append(sum_costs(own, groups, layers, penalties, candidate))
    best = int(np.argmin(costs))
    return tries[best][0], float(costs[best])
