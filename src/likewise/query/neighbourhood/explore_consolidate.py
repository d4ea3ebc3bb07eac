"""Explore and Consolidate (FFQS): farthest-first traversal, then random points. A baseline for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.query.base import State
from likewise.query.neighbourhood.base import NeighbourhoodStrategy
from likewise.query.neighbourhood.skeleton import Skeleton


class ExploreConsolidate(NeighbourhoodStrategy):
    """Find one member of every cluster by farthest-first traversal, then settle random points (FFQS).

    A baseline for comparison with newer askers.

    *Explore* takes the point farthest from all neighbourhoods until `n_clusters` of them are found;
    *Consolidate* takes points at random. Either way the point is compared with the neighbourhoods,
    nearest first, until one is the same.

    Parameters
    ----------
    clusterer : estimator, optional
        Clusterer to use under the answers; by default :class:`likewise.cluster.PCKMeans` on Euclidean vectors
        and :class:`likewise.cluster.HACC` otherwise.

    References
    ----------
    S. Basu, A. Banerjee, R. J. Mooney, *Active Semi-Supervision for Pairwise Constrained Clustering*, SDM
    2004, §4, Explore and Consolidate. Deviations: Explore's order of neighbourhoods, which the
    paper leaves open, is nearest member first; a point is asked about through its closest pair with the
    neighbourhood; where there are no centroids (distances only) the mean distance stands for the distance to
    one. The paper needs `n_clusters`; without it Explore ends when as many points in a row have joined
    neighbourhoods as there are neighbourhoods, and starts again when a point differs from all.

    Examples
    --------
    >>> from likewise import Session
    >>> s = Session([[0.0], [0.1], [5.0], [9.0]], strategy="explore-consolidate", n_clusters=3, random_state=0)
    >>> s.ask().reason
    'explores: the point farthest from every neighbourhood'
    """

    name = "explore-consolidate"

    def __init__(self, *, clusterer: Any = None) -> None:
        super().__init__(clusterer=clusterer)

    def default_clusterer(self, state: State) -> Any:
        """PCKMeans on Euclidean vectors, HACC otherwise."""
        from likewise.cluster import HACC, PCKMeans

        return PCKMeans() if state.metric == "euclidean" else HACC()

    def rank_points(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """Farthest first while exploring, at random while consolidating."""
        if _is_exploring(state, skeleton):
            yield from self._farthest_first(state, skeleton)
            return
        outside = np.flatnonzero(skeleton.home < 0)
        for item in state.rng().permutation(outside).tolist():
            yield item, float("nan")

    def reason(self, state: State, skeleton: Skeleton) -> str:
        """Why the point is asked about."""
        if _is_exploring(state, skeleton):
            return "explores: the point farthest from every neighbourhood"
        return "consolidates: a point drawn at random"

    def rank_neighbourhoods(self, state: State, skeleton: Skeleton, point: int) -> NDArray[np.float64]:
        """Distance to the centroids while consolidating, to the nearest member while exploring."""
        if _is_exploring(state, skeleton):
            return skeleton.nearest(point)
        group = sorted(state.constraints.members(point))
        distance = np.empty(len(skeleton))
        for k in range(len(skeleton)):
            members = np.flatnonzero(skeleton.home == k)
            if state.metric == "euclidean":
                gap = state.X[group].mean(axis=0) - state.X[members].mean(axis=0)
                distance[k] = np.sqrt(gap @ gap)
            else:
                distance[k] = state.distances_between(group, members).mean()
        return distance


def _is_exploring(state: State, skeleton: Skeleton) -> bool:
    if state.n_clusters is not None:
        return len(skeleton) < state.n_clusters
    return skeleton.n_joined_lately < len(skeleton)
