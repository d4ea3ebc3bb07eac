"""Picks of the dendrogram asker: one cluster against some that are known to differ from each other."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from likewise.query.base import State
from likewise.query.dendrogram.estimate import ClusterEstimate
from likewise.query.dendrogram.geometry import Floats, Integers
from likewise.query.dendrogram.grids import EXPECTED, Screen
from likewise.query.dendrogram.representatives import representatives
from likewise.query.form_times import FormTime
from likewise.query.question import Pair, Question

MOST_GROUPS = 8
FEWEST_GROUPS = 2  # with fewer it is a pair
FILL = 0.4  # groups are shown that settle at least this share of what the best of them do in a second
MOST_TRIED = 32  # clusters of which those that all differ from each other are looked for
REASON = "it may be one of these, which all differ, or none of them"


class PickBuilder:
    """Builds the pick of a cluster: up to eight others that it may be the same as, all known to differ from each other.

    Then at most one of them is right, and the answer says of all that are shown what they are.

    - `estimate`, `state`, `skip`: The clusters, what is known, and pairs to leave out.
    - `time`: Seconds of a pick.
    """

    def __init__(self, estimate: ClusterEstimate, state: State, skip: Collection[Pair], time: FormTime) -> None:
        self._estimate, self._state, self._skip, self._time = estimate, state, skip, time
        self._kept: dict[int, list[int]] = {}

    def build(self, cluster: int, others: Integers, value: Floats) -> Screen | None:
        """The pick of a cluster; None when fewer than two groups can be shown.

        - `others`, `value` (k,): Clusters that may be the same, and the values of asking about them.
        """
        if not self._items(cluster):
            return None
        sizes = self._estimate.sizes
        item, value = self._items(cluster)[0], value + EXPECTED * sizes[cluster] * sizes[others]
        by_value = np.lexsort((others, -value))[:MOST_TRIED]
        screens = [self._grow(item, others[by_value], value[by_value])]
        n_known = np.array([self._n_different(int(other)) for other in others[by_value].tolist()])
        best = by_value[np.lexsort((by_value, -n_known))]
        screens.append(self._grow(item, others[best], value[best]))
        return max((s for s in screens if s is not None), key=lambda s: s.rate, default=None)

    def _grow(self, item: int, others: Integers, value: Floats) -> Screen | None:
        """Groups one after another, each where it differs from all before."""
        shown: list[int] = []
        total, seconds, rate = 0.0, self._time.base, 0.0
        known = self._state.constraints.known
        for other, worth in zip(others.tolist(), value.tolist(), strict=True):
            if len(shown) == MOST_GROUPS:
                break
            if worth / self._time.shown < FILL * rate:
                continue
            example = self._example(item, other)
            if example is None or any(known(example, before) != "different" for before in shown):
                continue
            shown.append(example)
            total, seconds = total + worth, seconds + self._time.shown
            rate = max(rate, total / seconds)
        if len(shown) < FEWEST_GROUPS:
            return None
        return Screen(Question("pick", (item, *shown), total, REASON), total, seconds, rate)

    def _items(self, cluster: int) -> list[int]:
        if cluster not in self._kept:
            self._kept[cluster] = representatives(self._estimate, cluster, self._state).tolist()
        return self._kept[cluster]

    def _example(self, item: int, other: int) -> int | None:
        tries = self._items(other)
        return next((each for each in tries if self._state.is_open(item, each, self._skip)), None)

    def _n_different(self, cluster: int) -> int:
        """Number of groups known to differ from a cluster's example."""
        items, known = self._items(cluster), self._estimate.known
        group = known.group_of[items[0]] if items else -1
        return 0 if group < 0 else int(known.sets.starts[group + 1] - known.sets.starts[group])
