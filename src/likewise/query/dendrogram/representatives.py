"""The items that represent a cluster, or a part of one, in a question."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from likewise.query.base import State
from likewise.query.dendrogram.estimate import ClusterEstimate
from likewise.query.question import Pair

N_REPRESENTATIVES = 8  # items of each side that are tried when this person has already seen the best pair


def representatives(estimate: ClusterEstimate, cluster: int, state: State) -> NDArray[np.int64]:
    """Representatives of a cluster: its core, then the others, the most central first; none where all are closed."""
    items = state.not_closed(estimate.clusters.items(np.array([cluster])))
    order = np.lexsort((items, estimate.centrality[items], ~estimate.cores[items]))
    return np.asarray(items[order[:N_REPRESENTATIVES]])


def part_representatives(estimate: ClusterEstimate, items: NDArray[np.int64], state: State) -> NDArray[np.int64]:
    """Representatives of a part: those in the largest known groups first, then the most central."""
    items = state.not_closed(items)
    if len(items) < 2:
        return items
    total = estimate.structure.geometry.centrality(items)
    size = estimate.known.sizes_of(items)
    return np.asarray(items[np.lexsort((items, total, -size))[:N_REPRESENTATIVES]])


def first_open(state: State, skip: Collection[Pair], left: NDArray[np.int64], right: NDArray[np.int64]) -> Pair | None:
    """The first pair that may be asked; items late in either list come last."""
    tries = sorted((s + t, s, t) for s in range(len(left)) for t in range(len(right)))
    pairs = ((int(left[s]), int(right[t])) for _, s, t in tries)
    return next((pair for pair in pairs if state.is_open(*pair, skip)), None)
