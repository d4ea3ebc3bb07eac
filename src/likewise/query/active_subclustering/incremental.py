"""Subclusters updated answer by answer: wrong examples are replaced, the next questions are kept in a heap."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from likewise.cluster.subclustering.candidates import Candidates
from likewise.cluster.subclustering.subclustering import item_gaps
from likewise.constraints import Constraints
from likewise.query.question import Answer, Pair, Question

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Entry = tuple[float, int, int, int]  # -utility, kind, centre, item

BETWEEN, WITHIN = 0, 1
URGENT = 2.0  # utility of a replacement just made: above all others, which are at most 1
SHORTLIST = 1000  # nearest items of a centre that are sorted at first


class IncrementalSubclusters:
    """Subclusters after a sequence of answers; the same sequence always gives the same subclusters.

    - `pool`: The restricted set; changed in place.
    - `centres` (k,): Rows of the first centres.
    - `max_iter`: Maximum number of swaps after an answer.
    """

    def __init__(self, pool: Candidates, centres: Indices, max_iter: int = 1000) -> None:
        self.pool, self.max_iter = pool, max_iter
        self.constraints = Constraints(len(pool.X))
        self.answers: list[Answer] = []
        self.asked, self.errors = [0, 0], [0, 0]  # between, within
        self.streak: dict[tuple[int, int], int] = {}  # (centre, item) -> questions in a row about its slot
        self.put_off: dict[tuple[int, int], int] = {}
        self._gaps: dict[int, Floats] = {}
        self._order: dict[int, Indices] = {}
        self._heap: list[Entry] = []
        self._repeated = False  # whether two centres are still of one class because no swap was left
        pool.choose(centres, self.constraints)
        pool.swap(max_iter)
        self._number_centres()
        self._close = pool.closeness()
        self._closest = self._close.max(axis=1, initial=0.0)
        for number in range(len(pool.centres)):
            self._push_centre(number)

    @property
    def subclusters(self) -> Indices:
        """Items of every subcluster, the centre first, (k, size)."""
        return self.pool.members[self.pool.centres].copy()

    def take(self, answer: Answer) -> None:
        """Take one more answer."""
        self.answers.append(answer)
        for i, j, relation in answer.statements():
            kind = self._kind(i, j)
            if kind is not None:
                self.asked[kind] += 1
                self.errors[kind] += relation == ("same" if kind == BETWEEN else "different")
            if self.constraints.known(i, j) is None:
                self.constraints.add(i, j, relation)
                self._apply(i, j, relation)

    def ranked(self, skip: Collection[Pair]) -> Iterator[Question]:
        """Questions, best first; the heap is restored when the iterator is closed."""
        taken: list[Entry] = []
        seen: set[Entry] = set()
        try:
            while self._heap:
                entry = heapq.heappop(self._heap)
                now = self._utility(*entry[1:])
                if now is None or entry in seen:
                    continue
                if now != -entry[0]:
                    heapq.heappush(self._heap, (-now, *entry[1:]))
                    continue
                seen.add(entry)
                taken.append(entry)
                _, kind, a, b = entry
                if (min(a, b), max(a, b)) not in skip:
                    yield Question("pair", (a, b), now, _reason(kind, now))
        finally:
            for entry in taken:
                heapq.heappush(self._heap, entry)

    def _kind(self, i: int, j: int) -> int | None:
        if i in self.number_of and j in self.number_of:
            return BETWEEN
        for centre, item in ((i, j), (j, i)):
            number = self.number_of.get(centre)
            if number is not None and item in self.pool.members[self.pool.centres[number]]:
                return WITHIN
        return None

    def _apply(self, i: int, j: int, relation: str) -> None:
        group_of, known = self.constraints.group_of, self.constraints.known
        touched = {group_of(i), group_of(j)}
        numbers = [number for centre, number in self.number_of.items() if group_of(centre) in touched]
        affected = list(numbers)
        if relation == "same":
            # What differs from one part of the new group differs from all of it.
            affected += [number for centre, number in self.number_of.items() if known(centre, i) == "different"]
        else:
            self.pool.note_different(i, j)
        for number in affected:
            self.pool.refresh_known(number)
        if relation == "same":
            self._swap_repeated(numbers)
        self._update_closeness(numbers)
        for number in affected:
            self._repair(number)

    def _swap_repeated(self, numbers: list[int]) -> None:
        """Continue the search when two centres, among these or left from before, are known to be of one class."""
        if len(numbers) < 2 and not self._repeated:
            return
        before = self.pool.centres.copy()
        self.pool.swap(self.max_iter, self._fill)
        for row in set(before.tolist()) - set(self.pool.centres.tolist()):
            self._gaps.pop(row, None)
            self._order.pop(row, None)
        self._number_centres()
        groups = {self.constraints.group_of(centre) for centre in self.number_of}
        self._repeated = len(groups) < len(self.number_of)
        closest, self._close = self._closest, self.pool.closeness()
        self._closest = self._close.max(axis=1, initial=0.0)
        moved = before != self.pool.centres
        for number in np.flatnonzero(moved).tolist():
            self._push_centre(number)
        for number in np.flatnonzero(~moved & (closest != self._closest)).tolist():
            self._push_within(number)

    def _number_centres(self) -> None:
        self.number_of = {int(self.pool.items[row]): number for number, row in enumerate(self.pool.centres.tolist())}

    def _update_closeness(self, numbers: list[int]) -> None:
        """Update P between these centres and all others, and the utilities that depend on it."""
        for number in numbers:
            self._close[number] = self._close[:, number] = self.pool.closeness(number)
        closest = self._close.max(axis=1, initial=0.0)
        changed = np.flatnonzero(closest != self._closest)
        self._closest = closest
        for number in changed.tolist():
            self._push_within(number)

    def _fill(self, number: int) -> None:
        """Fill the subcluster of a new centre without items known to differ from it."""
        self._number_centres()
        self._repair(number)

    def _repair(self, number: int) -> None:
        """Replace items known to differ from a centre by the next nearest items that are in no subcluster."""
        row = int(self.pool.centres[number])
        members = self.pool.members[row]
        known, centre = self.constraints.known, int(members[0])
        for slot in range(1, len(members)):
            item = int(members[slot])
            relation = known(centre, item)
            if relation == "same":
                self.pool.reach_as(row, slot, 0.0)  # P = 1
            if relation != "different":
                continue
            other = self._next_item(row)
            if other is None:
                break
            self.pool.replace(number, slot, other)
            self._count(centre, item, other)
            self._push_item(number, other)

    def _count(self, centre: int, item: int, other: int) -> None:
        """Count the questions in a row about a slot; after q_th of them it is put off."""
        streak = self.streak.pop((centre, item), 0) + 1
        put_off = self.put_off.pop((centre, item), 0)
        if streak < self.threshold():
            self.streak[centre, other] = streak
        else:
            put_off += 1
        if put_off:
            self.put_off[centre, other] = put_off

    def threshold(self) -> float:
        """q_th: questions per error between centres, over questions per error within subclusters; at least 1."""
        between, within = (self.asked[kind] / max(self.errors[kind], 1) for kind in (BETWEEN, WITHIN))
        return max(1.0, between / max(within, 1.0))

    def _next_item(self, row: int) -> int | None:
        centre = int(self.pool.items[row])
        used = set(self.pool.members[self.pool.centres].ravel().tolist())
        same = [item for item in self.constraints.members(centre) if item not in used]
        if same:
            return min(same, key=lambda item: (self._gap(row, item), item))
        for item in self._nearest(row):
            if item not in used and self.constraints.known(centre, item) != "different":
                return item
        return None

    def _nearest(self, row: int) -> Iterator[int]:
        gaps = self._row_gaps(row)
        order = self._order.get(row)
        if order is None:
            n_first = min(SHORTLIST, len(gaps))
            near = np.sort(np.argpartition(gaps, n_first - 1)[:n_first])
            order = self._order[row] = near[np.argsort(gaps[near], kind="stable")]
        yield from order.tolist()
        if len(order) < len(gaps):
            yield from np.argsort(gaps, kind="stable").tolist()

    def _row_gaps(self, row: int) -> Floats:
        if row not in self._gaps:
            self._gaps[row] = item_gaps(self.pool.X, self.pool.metric, int(self.pool.items[row]))
        return self._gaps[row]

    def _gap(self, row: int, item: int) -> float:
        return float(self._row_gaps(row)[item])

    def _utility(self, kind: int, a: int, b: int) -> float | None:
        """Eq. 4.3, or None when the pair need not be asked any more."""
        number = self.number_of.get(a)
        if number is None or self.constraints.known(a, b) is not None:
            return None
        row = self.pool.centres[number]
        if kind == BETWEEN:
            other = self.number_of.get(b)
            return None if other is None else float(self._close[number, other])
        slots = np.flatnonzero(self.pool.members[row] == b)
        if not len(slots):
            return None
        if (a, b) in self.streak:
            return URGENT
        same = np.exp(-self.pool.reach[row, slots[0]])
        return float((1.0 - same) * (1.0 - self._closest[number])) * 0.5 ** self.put_off.get((a, b), 0)

    def _push_centre(self, number: int) -> None:
        centre = int(self.pool.items[self.pool.centres[number]])
        for other in self.number_of:
            if other != centre:
                self._push(BETWEEN, min(centre, other), max(centre, other))
        self._push_within(number)

    def _push_within(self, number: int) -> None:
        for item in self.pool.members[self.pool.centres[number]][1:].tolist():
            self._push_item(number, item)

    def _push_item(self, number: int, item: int) -> None:
        self._push(WITHIN, int(self.pool.items[self.pool.centres[number]]), item)

    def _push(self, kind: int, a: int, b: int) -> None:
        utility = self._utility(kind, a, b)
        if utility is not None:
            heapq.heappush(self._heap, (-utility, kind, a, b))


def _reason(kind: int, utility: float) -> str:
    if kind == BETWEEN:
        return "two subclusters that may show the same"
    return "in place of an example that was wrong" if utility == URGENT else "an example that may be wrong"
