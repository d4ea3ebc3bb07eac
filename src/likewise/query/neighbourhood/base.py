"""Base of the askers that compare one item after another with neighbourhoods."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.query.base import Labels, State, Strategy, take_batch
from likewise.query.neighbourhood.skeleton import NearestMembers, Skeleton
from likewise.query.question import Pair, Question


class NeighbourhoodStrategy(Strategy):
    """Base of the askers that settle one item after another by comparing it with neighbourhoods.

    A chosen point is compared with the neighbourhoods, the most probable first, until one is the same or all are
    different; *unsure* continues with the next. When every point is settled, the pairs still open are asked.

    - `clusterer`, estimator: Any constrained clusterer.
    """

    exclusion: bool = True
    _clustered: tuple[NDArray[np.float64], Any, Labels] | None = None

    def __init__(self, *, clusterer: Any = None) -> None:
        super().__init__(clusterer=clusterer)

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """Choose points and the neighbourhoods to compare them with; see :meth:`Strategy.ask`."""
        return take_batch(state, self._ranked(state, self._skeleton(state, skip)), n) if state.n > 1 else []

    def cluster(self, state: State) -> Labels:
        """Clusters under the answers, and under the must-links that follow when `n_clusters` is known."""
        if state.constraints.n_open() == 0:
            return state.constraints.labels()
        must_link, cannot_link = state.constraints.must_link, state.constraints.cannot_link
        answers = (must_link.tobytes(), cannot_link.tobytes())
        key = (answers, state.seed, state.n_clusters, self.get_params(deep=False))
        if self._clustered is None or self._clustered[0] is not state.X or self._clustered[1] != key:
            self._clustered = state.X, key, self._cluster(state, self.count_clusters(state))
        return self._clustered[2]

    def rank_points(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """Items outside all neighbourhoods with their scores, the one to settle first in front."""
        raise NotImplementedError

    def rank_neighbourhoods(self, state: State, skeleton: Skeleton, point: int) -> NDArray[np.float64]:
        """A number a neighbourhood, (k,): the lowest is compared first."""
        return skeleton.nearest(point)

    def reason(self, state: State, skeleton: Skeleton) -> str:
        """Why the points of :meth:`rank_points` are asked about, in plain words."""
        raise NotImplementedError

    def default_clusterer(self, state: State) -> Any:
        """MPCKMeans on Euclidean vectors, as in the papers; HACC otherwise."""
        from likewise.cluster import HACC, MPCKMeans

        return MPCKMeans() if state.metric == "euclidean" else HACC()

    def _cluster(self, state: State, n_clusters: int) -> Labels:
        return self._with_clusterer(state, n_clusters, self._skeleton(state).excluded)

    def _ranked(self, state: State, skeleton: Skeleton) -> Iterator[Question]:
        for point in skeleton.begun:
            yield self._compare(state, skeleton, point, float("nan"), "goes on comparing the point begun before")
        points, reason = self._next_points(state, skeleton)
        for point, score in points:
            if skeleton.open_to(point):
                yield self._compare(state, skeleton, point, score, reason)
        yield from skeleton.remaining()

    def _next_points(self, state: State, skeleton: Skeleton) -> tuple[Iterator[tuple[int, float]], str]:
        return self.rank_points(state, skeleton), self.reason(state, skeleton)

    def _skeleton(self, state: State, skip: Collection[Pair] = ()) -> Skeleton:
        return Skeleton(state, skip, exclusion=self.exclusion)

    def _compare(self, state: State, skeleton: Skeleton, point: int, score: float, reason: str) -> Question:
        rank = self.rank_neighbourhoods(state, skeleton, point)
        best = min(skeleton.open_to(point), key=lambda k: (rank[k], k))
        pair = skeleton.closest_pair(skeleton.neighbourhoods[best], sorted(state.constraints.members(point)))
        assert pair is not None  # no pair of two groups is skipped unless they are postponed
        return Question("pair", pair, score, reason)

    def _farthest_first(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """Items outside, the one farthest from all neighbourhoods first, ties by index."""
        nearest = self._nearest_members(state, skeleton)
        outside = np.flatnonzero(skeleton.home < 0)
        for item in outside[np.argsort(-nearest[outside], kind="stable")].tolist():
            yield item, float(nearest[item])

    def _nearest_members(self, state: State, skeleton: Skeleton) -> NDArray[np.float64]:
        cache: NearestMembers = self.__dict__.setdefault("_nearest", NearestMembers())
        return cache.update(state, np.flatnonzero(skeleton.home >= 0))
