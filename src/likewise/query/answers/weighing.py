"""Which statements are believed when they contradict each other: those that weigh most together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from likewise.constraints import Statement
from likewise.query.answers.sides import Edge, Sides, bridge_sides, find_sides

LEAST_GAIN = 1e-9
CERTAIN = 1e6  # weight of a statement that is never outvoted


Said = dict[int, list[tuple[int, float]]]


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
    sides of the group (:func:`~likewise.query.answers.sides.find_sides`), single items among them, and what one
    statement alone holds to the rest (:func:`~likewise.query.answers.sides.bridge_sides`). Only
    groups that changed, and those that statements join with them, are looked at again.

    - `said`, dict of int to list of (item, signed weight): By item, what was said of it and others.
    - `members`, callable: The items of the group that an item is in to begin with.
    """

    def __init__(self, said: Said, members: Callable[[int], Sequence[int]]) -> None:
        self._said, self._members_of = said, members
        self._label: dict[int, int] = {}
        self._members: dict[int, list[int]] = {}
        self._next = -1
        self._barred: int | None = None  # a group to which nothing may come, nor anything go from it
        self._changed = False

    def label(self, item: int) -> int:
        """Group of an item: the smallest item of it to begin with, or a negative number."""
        found = self._label.get(item)
        if found is None:
            members = self._members_of(item)
            found = min(members)
            self._members[found] = list(members)
            self._label.update(dict.fromkeys(members, found))
        return found

    def improve(self, items: Iterable[int]) -> bool:
        """Raise the weight as long as that is possible around the groups of some items; whether anything changed."""
        waiting = list(dict.fromkeys(self.label(item) for item in items))
        while waiting:
            group = waiting.pop(0)
            if not self._members.get(group):
                continue
            change, further = self._best_change(group)
            if change.gain > LEAST_GAIN:
                touched = self._apply(group, change)
            elif further is not None and (tried := self._try(group, further)):
                touched = tried
            else:
                continue
            waiting += [each for each in touched if each not in waiting]
        return self._changed

    def _try(self, group: int, change: Change) -> list[int]:
        """Make a change that gains something only with what follows from it; nothing is kept of it if it does not."""
        before = self._label.copy(), {key: list(each) for key, each in self._members.items()}, self._changed
        gained, touched = change.gain, self._apply(group, change)
        self._barred = touched[1]
        waiting = [each for each in touched if each != self._barred]
        while waiting:
            each = waiting.pop(0)
            follows, _ = self._best_change(each) if self._members.get(each) else (Change(0.0), None)
            if follows.gain > LEAST_GAIN:
                gained += follows.gain
                waiting += [other for other in self._apply(each, follows) if other not in (*waiting, self._barred)]
                touched.append(each)
        self._barred = None
        if gained > LEAST_GAIN:
            return touched
        self._label, self._members, self._changed = before
        return []

    def _best_change(self, group: int) -> tuple[Change, Change | None]:
        """The best of all changes of one group, and one that may gain something with what follows from it."""
        items = sorted(self._members[group])
        inside, outside, others = self._edges(items, group)
        whole = outside.sum(axis=0)
        best = Change(0.0)
        if len(others) and whole.max() > LEAST_GAIN:
            best = Change(float(whole.max()), items, others[int(whole.argmax())])
        found = [each for each in (find_sides(items, inside), bridge_sides(items, inside)) if len(each.net)]
        further: Change | None = None
        for sides in found:
            best, may = self._best_side(sides, items, outside, others, best)
            further = further or may
        return best, further

    def _best_side(
        self, sides: Sides, items: list[int], outside: NDArray[np.float64], others: list[int], best: Change
    ) -> tuple[Change, Change | None]:
        """The best change so far or of these sides, and one that may gain something with what follows from it."""
        whole = outside.sum(axis=0)
        at = {item: k for k, item in enumerate(items)}
        sums = np.zeros((len(items) + 1, max(len(others), 1)))
        if len(others):
            np.cumsum(outside[[at[item] for item in sides.order.tolist()]], axis=0, out=sums[1:])
        beyond = sums[sides.first + sides.count] - sums[sides.first]
        rest = sums[-1] - beyond
        for reached in (beyond, rest):
            gains = np.maximum(reached.max(axis=1), 0.0) - sides.net
            k = int(gains.argmax())
            if gains[k] > best.gain + LEAST_GAIN:
                target = int(reached[k].argmax())
                into = others[target] if reached[k][target] > 0 else None
                best = Change(float(gains[k]), sides.items(k, rest=reached is rest), into)
        follows = np.maximum(beyond, 0.0).sum(axis=1) + np.maximum(rest, 0.0).sum(axis=1) - sides.net
        k = int(follows.argmax())
        may = follows[k] > LEAST_GAIN + np.maximum(whole, 0.0).sum()
        return best, Change(-float(sides.net[k]), sides.items(k)) if may else None

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
                    if weight > 0 and label != self._barred:
                        joined.add(label)
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
        self._changed = True
        near = {self.label(other) for item in change.items for other, weight in self._said.get(item, ()) if weight > 0}
        return [group, into, *sorted(near - {group, into})]


def agree(statement: Statement, label: Callable[[int], int]) -> bool:
    """Whether a statement says what groups say."""
    i, j, relation = statement
    return (label(i) == label(j)) == (relation == "same")
