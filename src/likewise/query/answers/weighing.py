"""Which statements are believed when they contradict each other: those that weigh most together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Statement
from likewise.query.answers.sides import Edge, find_sides

LEAST_GAIN = 1e-9
CERTAIN = 1e6  # weight of a statement that is never outvoted


@dataclass(frozen=True)
class Change:
    """Items that leave their group, for another one (any number) or for one of their own (None), and what is gained."""

    gain: float
    items: list[int] = field(default_factory=list)
    into: int | None = None


class Partition:
    """Groups of items under statements that may be wrong: those whose statements agree with them weigh the most.

    The weight of a partition is the sum of the weights of the statements *same* inside groups less those of the
    statements *different* inside groups. It is raised step by step: two groups become one, or a part of a group leaves
    it, for another group or for one of its own. The parts that are tried are the
    sides of the group (:func:`~likewise.query.answers.sides.find_sides`), single items among them. Only
    groups that changed, and those that statements join with them, are looked at again.

    - `said`, dict of int to list of (item, signed weight): By item, what was said of it and others.
    - `group_of`, callable: The group that an item is in to begin with, any number.
    - `members`, callable: The items of the group that an item is in to begin with.
    """

    def __init__(
        self,
        said: dict[int, list[tuple[int, float]]],
        group_of: Callable[[int], int],
        members: Callable[[int], Sequence[int]],
    ) -> None:
        self._said, self._group_of, self._members_of = said, group_of, members
        self._label: dict[int, int] = {}  # of items that are in other groups than to begin with
        self._members: dict[int, list[int]] = {}
        self._next = -1
        self.changed: set[int] = set()

    def label(self, item: int) -> int:
        """Group of an item."""
        found = self._label.get(item)
        return self._group_of(item) if found is None else found

    def improve(self, items: Iterable[int]) -> bool:
        """Raise the weight as long as that is possible around the groups of some items; whether anything changed."""
        waiting = list(dict.fromkeys(self.label(item) for item in items))
        for item in items:
            self._load(item)
        while waiting:
            group = waiting.pop(0)
            if not self._members.get(group):
                continue
            change = self._best_change(group)
            if change.gain <= LEAST_GAIN:
                continue
            touched = self._apply(group, change)
            waiting += [each for each in touched if each not in waiting]
        return bool(self.changed)

    def _load(self, item: int) -> int:
        group = self.label(item)
        if group not in self._members:
            self._members[group] = list(self._members_of(item))
        return group

    def _best_change(self, group: int) -> Change:
        """The best of all changes of one group."""
        items = sorted(self._members[group])
        inside, outside, others = self._edges(items, group)
        whole = outside.sum(axis=0)
        best = Change(0.0)
        if len(others) and whole.max() > LEAST_GAIN:
            best = Change(float(whole.max()), items, others[int(whole.argmax())])
        if len(items) < 2:
            return best
        sides = find_sides(items, inside)
        at = {item: k for k, item in enumerate(items)}
        sums = np.zeros((len(items) + 1, max(len(others), 1)))
        if len(others):
            np.cumsum(outside[[at[item] for item in sides.order.tolist()]], axis=0, out=sums[1:])
        beyond = sums[sides.first + sides.count] - sums[sides.first]
        rest = sums[-1] - beyond
        for reached in (beyond, rest):
            gains = np.maximum(reached.max(axis=1), 0.0) - sides.net
            k = int(gains.argmax())
            if gains[k] <= best.gain + LEAST_GAIN:
                continue
            chosen = sides.order[sides.first[k] : sides.first[k] + sides.count[k]]
            chosen = np.setdiff1d(sides.order, chosen) if reached is rest else chosen
            target = int(reached[k].argmax())
            into = others[target] if reached[k][target] > 0 else None
            best = Change(float(gains[k]), chosen.tolist(), into)
        return best

    def _edges(self, items: list[int], group: int) -> tuple[list[Edge], NDArray[np.float64], list[int]]:
        """Statements inside a group as edges, and by item and other group that something joins it with, their sums."""
        at = {item: k for k, item in enumerate(items)}
        inside: list[Edge] = []
        sums: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        joined: set[int] = set()
        for item, k in at.items():
            for other, weight in self._said.get(item, ()):
                there = at.get(other)
                if there is None:
                    label = self.label(other)
                    sums[label][k] += weight
                    if weight > 0 and label not in joined:
                        joined.add(label)
                        self._load(other)
                elif there > k:
                    inside.append((item, other, weight))
        others = sorted(joined)
        outside = np.zeros((len(items), len(others)))
        for column, label in enumerate(others):
            for k, weight in sums[label].items():
                outside[k, column] = weight
        return inside, outside, others

    def _apply(self, group: int, change: Change) -> list[int]:
        """Make a change; the groups to look at again."""
        into = change.into
        if into is None:
            into, self._next = self._next, self._next - 1
            self._members[into] = []
        moved = set(change.items)
        self._members[group] = [item for item in self._members[group] if item not in moved]
        self._members[into] += change.items
        for item in change.items:
            self._label[item] = into
        self.changed |= moved
        near = {self.label(other) for item in change.items for other, weight in self._said.get(item, ()) if weight > 0}
        for item in change.items:
            for other, weight in self._said.get(item, ()):
                if weight > 0:
                    self._load(other)
        return [group, into, *sorted(near - {group, into})]


def agree(statement: Statement, label: Callable[[int], int]) -> bool:
    """Whether a statement says what groups say."""
    i, j, relation = statement
    return (label(i) == label(j)) == (relation == "same")
