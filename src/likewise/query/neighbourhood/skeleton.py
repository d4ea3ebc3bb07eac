"""The neighbourhoods known so far, and the items whose neighbourhood is still to be found."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.query.base import State, neighbourhoods
from likewise.query.question import Pair, Question

RECENT = 64  # last answers searched for points that were compared and not yet settled
BLOCK = 4_000_000  # maximum number of distances held at once


class Skeleton:
    """Neighbourhoods under the answers, and what is left to ask about the items outside.

    Everything is computed from the state, so undo, replay and unasked answers need no special treatment.

    - `state`: The items and the answers.
    - `skip`, collection of pairs: Pairs that may not be asked now. Two groups with a skipped pair and an open
      relation are *postponed*: they are asked about at the end.
    - `exclusion`: Whether an item that differs from all neighbourhoods but one of the `n_clusters` belongs to that one.
    - `neighbourhoods`, list of lists of int: Items known to be the same, each list known to differ from all the
      others; before there are answers, one item drawn with the seed.
    - `home` (n,): Neighbourhood of every item, -1 outside.
    - `excluded`, list of pairs: A member of a neighbourhood and an item that belongs to it by exclusion only.
    """

    def __init__(self, state: State, skip: Collection[Pair] = (), *, exclusion: bool = True) -> None:
        self.state = state
        self.skip = skip
        self._mentioned = state.constraints.mentioned()
        first = int(np.random.default_rng(state.seed).integers(state.n))
        self.neighbourhoods = neighbourhoods(state.constraints) or [[first]]
        self.home = np.full(state.n, -1, np.int64)
        for k, members in enumerate(self.neighbourhoods):
            self.home[members] = k
        self.excluded: list[Pair] = []
        if exclusion and len(self.neighbourhoods) == state.n_clusters:
            self._settle_by_exclusion()

    def __len__(self) -> int:
        return len(self.neighbourhoods)

    def is_outside(self, item: int) -> bool:
        """Whether the item's neighbourhood is still to be found."""
        return bool(self.home[item] < 0)

    def open_to(self, item: int) -> list[int]:
        """Neighbourhoods the item may be compared with: their relation is open and not postponed."""
        known, group_of = self.state.constraints.known, self.state.constraints.group_of
        group = group_of(item)
        return [
            k
            for k, members in enumerate(self.neighbourhoods)
            if known(item, members[0]) is None and (group, group_of(members[0])) not in self._postponed
        ]

    def nearest(self, item: int) -> NDArray[np.float64]:
        """Distance of the item's group to the nearest item of each neighbourhood, (k,)."""
        group = self.state.constraints.members(item)
        inside = np.flatnonzero(self.home >= 0)
        row = self.state.distances_between(group, inside).min(axis=0)
        distance = np.full(len(self), np.inf)
        np.minimum.at(distance, self.home[inside], row)
        return distance

    def closest_pair(self, left: Sequence[int], right: Sequence[int]) -> Pair | None:
        """The nearest pair of items of two lists that may be asked, ties by position."""
        block = self.state.distances_between(left, right).ravel()
        for position in _ascending(block):
            i, j = left[position // len(right)], right[position % len(right)]
            if (min(i, j), max(i, j)) not in self.skip:
                return i, j
        return None

    @cached_property
    def begun(self) -> list[int]:
        """Items of recent answers whose neighbourhood is not found yet, the latest first, one a group."""
        found: dict[int, int] = {}
        for answer in reversed(self.state.history[-RECENT:]):
            for item in answer.items:
                group = self.state.constraints.group_of(item)
                if group not in found and self.is_outside(item) and self.open_to(item):
                    found[group] = item
        return list(found.values())

    @cached_property
    def begun_after(self) -> int:
        """Number of answers when the first of the begun items was chosen."""
        groups = {self.state.constraints.group_of(item) for item in self.begun}
        history = self.state.history
        for t in range(max(0, len(history) - RECENT), len(history)):
            if any(self.state.constraints.group_of(item) in groups for item in history[t].items):
                return t
        return len(history)

    @property
    def n_joined_lately(self) -> int:
        """Number of items that joined a neighbourhood since the newest one was founded."""
        founders: dict[int, int] = {}
        for position, item in enumerate(self._mentioned):
            if not self.is_outside(item):
                founders.setdefault(int(self.home[item]), position)
        newest = max(founders.values(), default=len(self._mentioned))
        return sum(not self.is_outside(item) for item in self._mentioned[newest + 1 :])

    def remaining(self) -> Iterator[Question]:
        """Every open pair of groups: to confirm what follows by exclusion, and what was postponed."""
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
    def _postponed(self) -> set[tuple[int, int]]:
        known, group_of = self.state.constraints.known, self.state.constraints.group_of
        open_pairs = [(group_of(i), group_of(j)) for i, j in self.skip if known(i, j) is None]
        return {*open_pairs, *((h, g) for g, h in open_pairs)}

    def _settle_by_exclusion(self) -> None:
        """Assign items that differ from all neighbourhoods but one to that one (Basu et al. 2004)."""
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
    """Positions by value, ties by position; sorted only when more than the first is needed."""
    yield int(np.argmin(values))
    yield from np.argsort(values, kind="stable")[1:].tolist()


class NearestMembers:
    """Distance of every item to the nearest of a growing set of items, computed incrementally."""

    def __init__(self) -> None:
        self._X: Any = None
        self._members: set[int] = set()
        self._distance: NDArray[np.float64] = np.empty(0)

    def update(self, state: State, members: NDArray[np.int64]) -> NDArray[np.float64]:
        """Distances (n,) to these members; only new members are computed."""
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
