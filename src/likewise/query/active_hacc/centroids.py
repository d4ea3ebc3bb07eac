"""Centroids that are clustered in the place of groups of close items: the paper's heuristic H1 for many items."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from likewise.cluster import KMedoids
from likewise.constraints import Constraints
from likewise.query.base import Labels, State
from likewise.query.question import Pair

Floats = NDArray[np.float64]


class Centres(NamedTuple):
    """Centres of groups.

    - `group_of` (n,): Group of every item.
    - `X` (g, d) or (g, g): The means of the groups, or, where there are none, their middle items or the distances
      between these.
    - `shown` (g,): The item of each group that is nearest to its centre, which people are asked about.
    """

    group_of: Labels
    X: Floats
    shown: Labels


class CentreState(State):
    """Centres as items, and what is known of them by what is known of their items."""

    def __init__(self, state: State, centres: Centres, known: Constraints) -> None:
        super().__init__(centres.X, state.metric, state.n_clusters, state.seed)
        must, cannot = (centres.group_of[pairs] for pairs in (known.must_link, known.cannot_link))
        self._known = Constraints(self.n, must[must[:, 0] != must[:, 1]], cannot)
        if state.closed is not None:
            self.closed = state.closed[centres.shown]

    @property
    def constraints(self) -> Constraints:
        """The answers about items, read as answers about their groups."""
        return self._known


def group_items(state: State, n_groups: int) -> Labels:
    """Groups of close items by k-means, or by k-medoids where the metric has no means, (n,)."""
    seed = state.seed % 2**32
    if is_euclidean(state):
        return np.asarray(KMeans(n_groups, n_init=1, random_state=seed).fit_predict(state.X), np.int64)
    medoids = KMedoids(n_groups, metric="precomputed", method="alternate", random_state=seed)
    return np.asarray(medoids.fit_predict(state.distances), np.int64)


def group_pairs(labels: Labels) -> list[Pair]:
    """The first item of each group with each further one."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return [(int(first[k]), i) for i, k in enumerate(inverse) if first[k] != i]


def with_groups(constraints: Constraints, grouped: list[Pair]) -> Constraints:
    """The constraints, with as many of the groups as they allow."""
    if not grouped:
        return constraints
    joined = Constraints(constraints.n, constraints.must_link, constraints.cannot_link)
    for i, j in grouped:
        if joined.known(i, j) is None:
            joined.add(i, j, "same")
    return joined


def leaving_items(constraints: Constraints, grouped: list[Pair]) -> tuple[int, ...]:
    """Items that the answers keep from their group."""
    joined = with_groups(constraints, grouped)
    return tuple(j for i, j in grouped if joined.known(i, j) == "different")


def find_centres(state: State, labels: Labels, leaving: Collection[int]) -> Centres:
    """Centres of the groups, each leaving item being a group of its own.

    - `labels` (n,): Groups.
    - `leaving`: Items that are in none.
    """
    apart = labels.copy()
    apart[list(leaving)] = labels.max() + 1 + np.arange(len(leaving))
    _, group_of = np.unique(apart, return_inverse=True)
    members = [np.flatnonzero(group_of == k) for k in range(group_of.max() + 1)]
    if is_euclidean(state):
        X = np.array([state.X[items].mean(axis=0) for items in members])
        gaps = [((state.X[items] - centre) ** 2).sum(axis=1) for items, centre in zip(members, X, strict=True)]
        shown = np.array([items[np.argmin(gap)] for items, gap in zip(members, gaps, strict=True)])
    else:
        sums = [state.distances[np.ix_(items, items)].sum(axis=1) for items in members]
        shown = np.array([items[np.argmin(total)] for items, total in zip(members, sums, strict=True)])
        X = state.X[shown] if state.has_vectors else state.X[np.ix_(shown, shown)]
    return Centres(group_of.astype(np.int64), np.ascontiguousarray(X), shown)


def skipped_groups(centres: Centres, skip: Collection[Pair]) -> set[Pair]:
    """Pairs of groups whose shown items are not to be asked about."""
    group = {int(item): k for k, item in enumerate(centres.shown)}
    found = [(group[i], group[j]) for i, j in skip if i in group and j in group]
    return {(min(pair), max(pair)) for pair in found}


def is_euclidean(state: State) -> bool:
    """Whether items have means."""
    metric: Any = state.metric
    return isinstance(metric, str) and metric == "euclidean"
