"""Groups that people made or touched: what they say of them, and what they last saw in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.query.answers.memberships import Memberships
from likewise.store.edit_events import FIRST_OLD_GROUP, Edited

if TYPE_CHECKING:
    from likewise.store.log import Event

ONE_BY_ONE = ("move", "group", "check")  # edits that put single items into a group
BY_HAND = ("edit", "name", "confirm", "unconfirm")  # kinds that are about groups
SPOKEN = ("answer", "adjudicate", "gold", "grid", "merge", "split", "move")  # kinds from which the asker learns

Indices: TypeAlias = NDArray[np.int64]


@dataclass
class Group:
    """A group that somebody touched.

    - `number`: Its number, for good.
    - `name`, `named`: Its name, and the number of the event that gave it.
    - `confirmed`: Whether a person said that it is right as it is.
    - `listed`: Number of the last event that showed all of it; 0 where none did.
    - `placed`, set of int: Items that were put here one by one.
    """

    number: int
    name: str = ""
    named: int = 0
    confirmed: bool = False
    listed: int = 0
    placed: set[int] = field(default_factory=set)


class TouchedGroups:
    """All groups of a log; a function of the events in force, taken in order.

    - `memberships`: Which items belong, or do not belong, to which group, by the word of a person.
    - `seen_in`, dict of item to group: The group that an item was last seen in, when somebody touched it.
    - `last_answer`: Number of the last event that answers a question.
    - `first_free`: The first number that no group ever had, taken-back ones among them.
    """

    def __init__(self) -> None:
        self.memberships = Memberships()
        self.seen_in: dict[int, int] = {}
        self.last_answer = 0
        self.first_free = 0
        self._groups: dict[int, Group] = {}
        self._seen_arrays: tuple[Indices, Indices] | None = None

    def all(self) -> list[Group]:
        """The groups, by number."""
        return [self._groups[number] for number in sorted(self._groups)]

    def get(self, number: int) -> Group | None:
        """The group of a number; None for a cluster that nobody touched."""
        return self._groups.get(number)

    def after(self, events: Iterable[Event]) -> TouchedGroups:
        """The groups after further events in force; these stay as they are."""
        twin = copy(self)
        twin.memberships, twin.seen_in = self.memberships.copy(), self.seen_in.copy()
        twin._groups = {number: replace(each, placed=set(each.placed)) for number, each in self._groups.items()}
        for event in events:
            twin.take(event)
        return twin

    def as_of(self, last_answer: int, first_free: int) -> TouchedGroups:
        """The same groups with other numbers: of the last event that answers a question, and the first free one."""
        twin = copy(self)
        twin.last_answer, twin.first_free = last_answer, first_free
        return twin

    def seen_arrays(self) -> tuple[Indices, Indices]:
        """Items of `seen_in` and the group of each, as arrays; kept until something changes."""
        if self._seen_arrays is None:
            n = len(self.seen_in)
            items, groups = np.fromiter(self.seen_in, np.int64, n), np.fromiter(self.seen_in.values(), np.int64, n)
            self._seen_arrays = (items, groups)
        return self._seen_arrays

    def items(self, number: int) -> list[int]:
        """The items that belong to a group or were last seen in it."""
        inside = self.memberships.members(number)
        seen = [item for item, group in self.seen_in.items() if group == number]
        return list(dict.fromkeys([*inside, *seen]))

    def take(self, event: Event) -> None:
        """Take the next event in force."""
        if event.kind in BY_HAND:
            self._seen_arrays = None
        for group, value, items in event.memberships() or ():
            self.memberships.put(items, value, group, event.seq)
        if isinstance(event.payload, Edited):
            self._take_edit(event.payload, event.seq)
        elif event.kind in ("name", "confirm", "unconfirm"):
            self._take_old(event)
        elif event.kind in SPOKEN:
            self.last_answer = event.seq

    def _take_edit(self, edit: Edited, seq: int) -> None:
        group = self._groups.setdefault(edit.group, Group(edit.group))
        for number in edit.merged:
            gone = self._groups.pop(number, Group(number))
            group.placed |= gone.placed
            group.confirmed &= gone.confirmed
        if edit.what == "name" or (edit.what == "merge" and edit.name):
            group.name, group.named = edit.name, seq
        if edit.what in ("confirm", "unconfirm"):
            group.confirmed = edit.what == "confirm"
        for number, value, items in edit.memberships:
            other = self._groups.setdefault(number, Group(number))
            if value == "belongs":
                other.placed |= set(items) if edit.what in ONE_BY_ONE else set()
            else:
                other.placed -= set(items)
                self._forget(items, number)
        for number, items in edit.seen:
            seen = self._groups.setdefault(number, Group(number))
            seen.listed = seq
            self.seen_in.update(dict.fromkeys(items, number))

    def _forget(self, items: Iterable[int], number: int) -> None:
        for item in items:
            if self.seen_in.get(item) == number:
                del self.seen_in[item]

    def _take_old(self, event: Event) -> None:
        """Names and confirmations of versions before groups had numbers: the last word on an item counts."""
        items, number = event.payload.images(), FIRST_OLD_GROUP + event.seq
        if event.kind == "unconfirm":
            for group in self._groups.values():
                group.confirmed &= bool(self.memberships.members(group.number))
            for item in items:  # a part of a group leaves it; of a whole one all may change again
                if self.memberships.members(self.seen_in.get(item, -1)):
                    del self.seen_in[item]
            return
        name = getattr(event.payload, "name", "")
        if event.kind == "name":
            homes = Counter(self.memberships.group_of.get(item) for item in items)
            home, count = homes.most_common(1)[0]
            if isinstance(home, int) and 2 * count > len(items):
                self._groups[home].name, self._groups[home].named = name, event.seq
                return
        if event.kind == "name" and not name:
            for item in items:
                self.seen_in.pop(item, None)
            return
        named = Group(number, name, event.seq) if event.kind == "name" else self._named_before(items, number)
        named.confirmed = event.kind == "confirm"
        self._groups[number] = named
        self.seen_in.update(dict.fromkeys(items, number))

    def _named_before(self, items: Iterable[int], number: int) -> Group:
        """A new group with the name under which most of the items were last seen."""
        found = list(items)
        seen = Counter(self.seen_in.get(item) for item in found)
        home, count = seen.most_common(1)[0]
        before = None if home is None or 2 * count <= len(found) else self._groups.get(home)
        return Group(number) if before is None else Group(number, before.name, before.named)
