"""Labels under a cost for every violated constraint: the assignment step that PCKMeans and MPCKMeans share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.groups import Groups
from likewise.kernels.assignment.counted import assign_counted, sum_counted
from likewise.kernels.assignment.penalised import Layers, Penalties, assign_penalised, sum_costs

Vectors = NDArray[np.float64]
Labels = NDArray[np.int64]


def assign(
    own: Vectors,
    groups: Groups,
    layers: Layers,
    penalties: Penalties | float,
    labels: Labels | None,
    random: np.random.RandomState,
) -> tuple[Labels, float]:
    """Labels that cost no more than the given ones, and their cost.

    Two tries, the cheaper kept: the given labels improved move by move, and labels made anew, group by
    group in random order. The second gets out of many dead ends of the first.

    - `own` (n, k): Cost of each item in each cluster, without the constraints.
    - `groups`: The constraints.
    - `layers`: The same by weight (:func:`~likewise.cluster.weighed.stack_levels`).
    - `penalties`: What violating them costs, by distances; or the price that every violated pair has.
    - `labels` (n,) or None: Present labels; None at the start.
    - `random`: Source of the orders.
    """
    if isinstance(penalties, Penalties):
        improve, price = assign_penalised, sum_costs
    else:
        improve, price = assign_counted, sum_counted
    tries = [] if labels is None else [(labels.copy(), 1)]
    tries.append((np.full(len(own), -1, np.int64), 2))
    costs, free = [], groups.free
    for candidate, n_passes in tries:
        for _ in range(n_passes):
            orders = random.permutation(len(groups.start) - 1), random.permutation(len(groups.members))
            improve(own, groups, layers, penalties, free, *orders, candidate)
        costs.append(price(own, groups, layers, penalties, candidate))
    best = int(np.argmin(costs))
    return tries[best][0], float(costs[best])
