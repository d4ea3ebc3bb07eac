"""The skeleton that neighbourhood askers grow, and the walk of one point past its neighbourhoods."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.query.base import Labels, State, Strategy, neighbourhoods, take_batch
from likewise.query.question import Pair, Question

RECENT = 64  # answers looked back on for points that were begun and not settled
BLOCK = 4_000_000  # distances held at once while nearest members are looked for


class Skeleton:
    """Neighbourhoods as the answers leave them, and what is left to ask about the items outside.

    Everything is read from the state, so undo, replay and answers that nobody asked for need no care.

    Parameters
    ----------
    state : State
        The items and what was said.
    skip : collection of pairs
        Pairs that may not be asked now. Two groups between which a pair is skipped while their
        relation is open are *doubted*: they are left for the end.

    Attributes
    ----------
    neighbourhoods : list of lists of int
        Items known to be the same, each list known to differ from all the others; before anything was
        said, one item drawn with the seed.
    home : ndarray of shape (n,)
        Neighbourhood of every item, -1 outside. With `n_clusters` known and that many neighbourhoods, an
        item that differs from all but one is at home in that one.
    excluded : list of pairs
        A member of the neighbourhood and an item at home there by exclusion only.
    """

    def __init__(self, state: State, skip: Collection[Pair] = ()) -> None:
        self.state = state
        self.skip = skip
        self._mentioned = state.constraints.mentioned()
        first = int(np.random.default_rng(state.seed).integers(state.n))
        self.neighbourhoods = neighbourhoods(state.constraints) or [[first]]
        self.home = np.full(state.n, -1, np.int64)
        for k, members in enumerate(self.neighbourhoods):
            self.home[members] = k
        self.excluded: list[Pair] = []
        if len(self.neighbourhoods) == state.n_clusters:
            self._settle_by_exclusion()

    def __len__(self) -> int:
        return len(self.neighbourhoods)

    def is_outside(self, item: int) -> bool:
        """Whether the item's neighbourhood is still to be found."""
        return bool(self.home[item] < 0)

    def open_to(self, item: int) -> list[int]:
        """Neighbourhoods the item may be compared with: their relation is open and not doubted."""
        known, group_of = self.state.constraints.known, self.state.constraints.group_of
        group = group_of(item)
        return [
            k
            for k, members in enumerate(self.neighbourhoods)
            if known(item, members[0]) is None and (group, group_of(members[0])) not in self._doubted
        ]

    def nearest(self, item: int) -> NDArray[np.float64]:
        """Distance of the item's group to the nearest item at home in each neighbourhood, (k,)."""
        group = self.state.constraints.members(item)
        inside = np.flatnonzero(self.home >= 0)
        row = self.state.distances_between(group, inside).min(axis=0)
        distance = np.full(len(self), np.inf)
        np.minimum.at(distance, self.home[inside], row)
        return distance

    def closest_pair(self, left: Sequence[int], right: Sequence[int]) -> Pair | None:
        """The two nearest of items of two lists that are not to be skipped, ties by position."""
        block = self.state.distances_between(left, right).ravel()
        for position in _ascending(block):
            i, j = left[position // len(right)], right[position % len(right)]
            if (min(i, j), max(i, j)) not in self.skip:
                return i, j
        return None

    @cached_property
    def begun(self) -> list[int]:
        """Items spoken of lately whose neighbourhood is not found yet, the latest first, one a group."""
        found: dict[int, int] = {}
        for answer in reversed(self.state.history[-RECENT:]):
            for item in answer.items:
                group = self.state.constraints.group_of(item)
                if group not in found and self.is_outside(item) and self.open_to(item):
                    found[group] = item
        return list(found.values())

    @cached_property
    def begun_after(self) -> int:
        """Number of answers there were when the first of the begun items was chosen."""
        groups = {self.state.constraints.group_of(item) for item in self.begun}
        history = self.state.history
        for t in range(max(0, len(history) - RECENT), len(history)):
            if any(self.state.constraints.group_of(item) in groups for item in history[t].items):
                return t
        return len(history)

    @property
    def n_joined_lately(self) -> int:
        """Number of items that came to a neighbourhood since the newest one was opened."""
        founders: dict[int, int] = {}
        for position, item in enumerate(self._mentioned):
            if not self.is_outside(item):
                founders.setdefault(int(self.home[item]), position)
        newest = max(founders.values(), default=len(self._mentioned))
        return sum(not self.is_outside(item) for item in self._mentioned[newest + 1 :])

    def remaining(self) -> Iterator[Question]:
        """Every open pair of groups once more: to confirm what was excluded, and past all doubts."""
        known = self.state.constraints.known
        heads = {members[0] for members in self.neighbourhoods}
        groups = [group for group in self.state.constraints.groups() if heads.isdisjoint(group)]
        for group in groups:
            for k in np.argsort(self.nearest(group[0]), kind="stable").tolist():
                members = self.neighbourhoods[k]
                if known(group[0], members[0]) is None:
                    yield from self._ask(members, group, "left open by the answers so far")
        first = [group[0] for group in groups]
        pairs = [(a, b) for a, b in combinations(range(len(groups)), 2) if known(first[a], first[b]) is None]
        left, right = np.array(pairs, np.int64).reshape(-1, 2).T
        gaps = self.state.distances_between(first, first)[left, right] if pairs else np.empty(0)
        for position in np.argsort(gaps, kind="stable").tolist():
            a, b = pairs[position]
            yield from self._ask(groups[a], groups[b], "left open by the answers so far")

    def _ask(self, left: Sequence[int], right: Sequence[int], reason: str) -> Iterator[Question]:
        pair = self.closest_pair(left, right)
        if pair is not None:
            yield Question("pair", pair, reason=reason)

    @cached_property
    def _doubted(self) -> set[tuple[int, int]]:
        known, group_of = self.state.constraints.known, self.state.constraints.group_of
        open_pairs = [(group_of(i), group_of(j)) for i, j in self.skip if known(i, j) is None]
        return {*open_pairs, *((h, g) for g, h in open_pairs)}

    def _settle_by_exclusion(self) -> None:
        """Send items that differ from all neighbourhoods but one home to that one (Basu et al. 2004)."""
        known, members_of = self.state.constraints.known, self.state.constraints.members
        added: dict[int, list[int]] = {}
        for item in self._mentioned if len(self) > 1 else range(self.state.n):
            if not self.is_outside(item):
                continue
            left = [k for k, members in enumerate(self.neighbourhoods) if known(item, members[0]) is None]
            if len(left) != 1:
                continue
            others = added.setdefault(left[0], [])
            if all(known(item, other) != "different" for other in others):
                others.append(item)
                self.home[members_of(item)] = left[0]
                self.excluded.append((self.neighbourhoods[left[0]][0], item))


def _ascending(values: NDArray[np.float64]) -> Iterator[int]:
    """Positions by value, ties by position; sorted only when more than the first is read."""
    yield int(np.argmin(values))
    yield from np.argsort(values, kind="stable")[1:].tolist()


class NearestMembers:
    """Distance of every item to the nearest of a growing set of items: a cache, exact at any time."""

    def __init__(self) -> None:
        self._X: Any = None
        self._members: set[int] = set()
        self._distance: NDArray[np.float64] = np.empty(0)

    def update(self, state: State, members: NDArray[np.int64]) -> NDArray[np.float64]:
        """Distances (n,) for these members; only those that are new are computed."""
        wanted = set(members.tolist())
        if self._X is not state.X or not self._members <= wanted:
            self._X, self._members = state.X, set()
            self._distance = np.full(state.n, np.inf)
        new = sorted(wanted - self._members)
        step = max(1, BLOCK // state.n)
        for start in range(0, len(new), step):
            rows = state.distances_between(new[start : start + step])
            self._distance = np.minimum(self._distance, rows.min(axis=0))
        self._members = wanted
        return self._distance


class NeighbourhoodStrategy(Strategy):
    """Base of the askers that settle one item after another by comparing it with neighbourhoods.

    A point once chosen is compared with the neighbourhoods, the likeliest first, until one is the same or
    all are different; *unsure* passes on to the next. When every point is settled, what is still open is asked.

    Parameters
    ----------
    clusterer : estimator, optional
        Any constrained clusterer.
    """

    _clustered: tuple[NDArray[np.float64], Any, Labels] | None = None

    def __init__(self, *, clusterer: Any = None) -> None:
        super().__init__(clusterer=clusterer)

    def ask(self, state: State, n: int = 1, skip: Collection[Pair] = ()) -> list[Question]:
        """Choose points and the neighbourhoods to compare them with; see :meth:`Strategy.ask`."""
        return take_batch(state, self._ranked(state, Skeleton(state, skip)), n) if state.n > 1 else []

    def cluster(self, state: State) -> Labels:
        """Clusters under the answers, and under the must-links that follow when `n_clusters` is known."""
        if state.constraints.n_open() == 0:
            return state.constraints.labels()
        must_link, cannot_link = state.constraints.must_link, state.constraints.cannot_link
        said = (must_link.tobytes(), cannot_link.tobytes())
        key = (said, state.seed, state.n_clusters, self.get_params(deep=False))
        if self._clustered is None or self._clustered[0] is not state.X or self._clustered[1] != key:
            self._clustered = state.X, key, self._cluster(state, self.count_clusters(state))
        return self._clustered[2]

    def rank_points(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """Items outside the skeleton with their scores, the one to settle first at the front."""
        raise NotImplementedError

    def rank_neighbourhoods(self, state: State, skeleton: Skeleton, point: int) -> NDArray[np.float64]:
        """A number a neighbourhood, (k,): the lowest is compared first."""
        return skeleton.nearest(point)

    def reason(self, state: State, skeleton: Skeleton) -> str:
        """Why the points that :meth:`rank_points` gives are asked about, in plain words."""
        raise NotImplementedError

    def default_clusterer(self, state: State) -> Any:
        """What the papers use on vectors; on distances, a clusterer that needs no more than those."""
        from likewise.cluster import HACC, MPCKMeans

        return MPCKMeans() if state.metric == "euclidean" else HACC()

    def _cluster(self, state: State, n_clusters: int) -> Labels:
        return self._with_clusterer(state, n_clusters, Skeleton(state).excluded)

    def _ranked(self, state: State, skeleton: Skeleton) -> Iterator[Question]:
        for point in skeleton.begun:
            yield self._compare(
                state, skeleton, point, float("nan"), "goes on comparing the point begun before"
            )
        for point, score in self.rank_points(state, skeleton):
            if skeleton.open_to(point):
                yield self._compare(state, skeleton, point, score, self.reason(state, skeleton))
        yield from skeleton.remaining()

    def _compare(self, state: State, skeleton: Skeleton, point: int, score: float, reason: str) -> Question:
        rank = self.rank_neighbourhoods(state, skeleton, point)
        best = min(skeleton.open_to(point), key=lambda k: (rank[k], k))
        pair = skeleton.closest_pair(skeleton.neighbourhoods[best], sorted(state.constraints.members(point)))
        assert pair is not None  # no pair of two groups is skipped unless they are doubted
        return Question("pair", pair, score, reason)

    def _farthest_first(self, state: State, skeleton: Skeleton) -> Iterator[tuple[int, float]]:
        """Items outside, the one farthest from everything at home first, ties by index."""
        nearest = self._nearest_members(state, skeleton)
        outside = np.flatnonzero(skeleton.home < 0)
        for item in outside[np.argsort(-nearest[outside], kind="stable")].tolist():
            yield item, float(nearest[item])

    def _nearest_members(self, state: State, skeleton: Skeleton) -> NDArray[np.float64]:
        cache: NearestMembers = self.__dict__.setdefault("_nearest", NearestMembers())
        return cache.update(state, np.flatnonzero(skeleton.home >= 0))
