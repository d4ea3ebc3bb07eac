"""How many pictures are settled after each answer, carried on as answers come."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import TypeAlias, cast

from likewise.constraints import Constraints
from likewise.query.answers.memberships import Memberships
from likewise.query.question import Answer, Membership

Numbered: TypeAlias = tuple[int, Answer]  # the number of an event, and an answer of it


class SettledCurve:
    """Number of pictures known to be the same as another, by the number of answers.

    What is said of groups settles pictures, and is no answer of its own.

    Examples
    --------
    >>> SettledCurve().of(4, [(1, Answer("pair", (0, 1), "same")), (2, Answer("pair", (1, 2), "different"))])
    [0, 2, 2]
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._start(0)

    def of(self, n: int, said: Sequence[Numbered]) -> list[int]:
        """The curve of these answers: how many are settled before the first, after the first, after the second, …

        A beginning that is the same as last time is not read again.

        - `n`: Number of pictures.
        - `said`, sequence of (int, Answer): All answers in force, in order.
        """
        with self._lock:
            both = zip(self._said, said, strict=False)
            shared = next((k for k, (a, b) in enumerate(both) if a != b), min(len(self._said), len(said)))
            if n != self._constraints.n or not self._go_back_to(shared):
                self._start(n)
                shared = 0
            for seq, answer in said[shared:]:
                self._take(seq, answer)
            return self._counts.copy()

    def _start(self, n: int) -> None:
        self._constraints, self._memberships = Constraints(n), Memberships()
        self._said: list[Numbered] = []
        self._joined: list[list[int]] = []  # by answer: the pictures that it was the first to join
        self._grouped: set[int] = set()
        self._placed: set[int] = set()
        self._n_settled = 0
        self._counts = [0]

    def _take(self, seq: int, answer: Answer) -> None:
        joined: list[int] = []
        for i, j, relation in answer.statements():
            if self._constraints.add(i, j, relation) is None and relation == "same":
                joined += [item for item in (i, j) if item not in self._grouped]
                self._grouped.update((i, j))
        self._n_settled += _count_out(joined, self._placed)
        if answer.kind == "membership":
            self._place(answer, seq)
        else:
            self._counts.append(0)
        self._counts[-1] = self._n_settled
        self._said.append((seq, answer))
        self._joined.append(joined)

    def _place(self, answer: Answer, seq: int) -> None:
        """Take what is said of items and a group: who belongs to a group of two or more is settled."""
        home, members = self._memberships.group_of, self._memberships.members
        groups = {group for group in (answer.group, *map(home.get, answer.items)) if group is not None}
        before = {group: members(group) for group in groups}
        self._memberships.put(answer.items, cast(Membership, answer.value), answer.group, seq)
        changed, size = set(answer.items), {}
        for group, some in before.items():
            now = members(group)
            size[group] = len(now)
            if len(some) < 3 or len(now) < 3:  # one that is left in a group alone is not settled
                changed.update(some, now)
        for item in changed:
            self._settle(item, size.get(home.get(item, ""), 0) > 1)

    def _settle(self, item: int, placed: bool) -> None:
        if placed != (item in self._placed):
            (self._placed.add if placed else self._placed.discard)(item)
            if item not in self._grouped:
                self._n_settled += 1 if placed else -1

    def _go_back_to(self, n_said: int) -> bool:
        """Take the last answers back; false where that takes reading all of them again."""
        if any(answer.kind == "membership" for _, answer in self._said[n_said:]):
            return False
        while len(self._said) > n_said:
            _, answer = self._said.pop()
            for _ in answer.statements():
                self._constraints.undo()
            joined = self._joined.pop()
            self._grouped.difference_update(joined)
            self._n_settled -= _count_out(joined, self._placed)
            self._counts.pop()
        return True


def _count_out(items: Iterable[int], placed: set[int]) -> int:
    return sum(item not in placed for item in items)
