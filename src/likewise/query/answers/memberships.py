"""Which items belong to which group, by the word of a person; what follows for pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from likewise.constraints import Statement
from likewise.query.question import GroupName, Membership

Sourced: TypeAlias = tuple[Statement, int]  # a statement and the number of what said it


class Memberships:
    """Items that belong, or do not belong, to groups.

    The last word about an item and a group is the one that counts, and an item belongs to one group: the one it was
    put into last. Items of one group are the same; an item that does not belong to a group differs from all that do.
    Nothing is said about two groups.

    Examples
    --------
    >>> groups = Memberships()
    >>> groups.put([4, 5], "belongs", "roses", 1)
    [((4, 5, 'same'), 1)]
    >>> groups.put([7], "does_not_belong", "roses", 2)
    [((4, 7, 'different'), 2)]
    >>> groups.put([5], "belongs", "tulips", 3) is None  # what was stated before no longer holds
    True
    >>> groups.statements()
    [((4, 7, 'different'), 2)]
    """

    def __init__(self) -> None:
        self.group_of: dict[int, GroupName] = {}  # the group an item belongs to
        self._inside: dict[GroupName, dict[int, int]] = {}  # by group: item -> the number of what said it
        self._outside: dict[GroupName, dict[int, int]] = {}

    def copy(self) -> Memberships:
        """Memberships that go their own way."""
        twin = Memberships()
        twin.group_of = self.group_of.copy()
        twin._inside = {group: items.copy() for group, items in self._inside.items()}
        twin._outside = {group: items.copy() for group, items in self._outside.items()}
        return twin

    def groups(self) -> dict[GroupName, list[int]]:
        """The items that belong to each group, in the order in which they were put there."""
        return {group: list(items) for group, items in self._inside.items() if items}

    def members(self, group: GroupName) -> list[int]:
        """The items that belong to a group."""
        return list(self._inside.get(group, ()))

    def outsiders(self, group: GroupName) -> list[int]:
        """The items that do not belong to a group."""
        return list(self._outside.get(group, ()))

    def is_outside(self, item: int, group: GroupName) -> bool:
        """Whether somebody said that the item does not belong to the group."""
        return item in self._outside.get(group, ())

    def put(
        self, items: Iterable[int], value: Membership, group: GroupName | None, source: int = 0
    ) -> list[Sourced] | None:
        """Take what somebody says; the statements it adds, or None where one that held before no longer does.

        - `items`, iterable of int: What it is about.
        - `value`, "belongs", "does_not_belong" or "open": What is said; "open" takes back what was said of the items.
        - `group`: The group; None (with "open" only) is every group.
        - `source`: A number for what said it.
        """
        added: list[Sourced] = []
        only_adds = True
        for item in items:
            if value == "open":
                only_adds &= self._open(item, group)
            elif group is None:
                raise ValueError("an item belongs, or does not belong, to a group: say to which")
            elif value == "belongs":
                only_adds &= self._enter(item, group, source, added)
            else:
                only_adds &= self._leave(item, group, source, added)
        return added if only_adds else None

    def statements(self) -> list[Sourced]:
        """All that follows for pairs, each with what said it."""
        found: list[Sourced] = []
        for group, inside in self._inside.items():
            if not inside:
                continue
            first, *others = inside
            found += [((first, item, "same"), inside[item]) for item in others]
            outside = self._outside.get(group, {})
            found += [((first, item, "different"), source) for item, source in outside.items()]
        return found

    def _enter(self, item: int, group: GroupName, source: int, added: list[Sourced]) -> bool:
        inside, outside = self._inside.setdefault(group, {}), self._outside.setdefault(group, {})
        if item in inside:
            return True
        before = self.group_of.get(item)
        only_adds = before is None or (len(self._inside[before]) == 1 and not self._outside.get(before))
        if before is not None:
            del self._inside[before][item]
        only_adds &= outside.pop(item, None) is None or not inside
        if inside:
            added.append(((next(iter(inside)), item, "same"), source))
        else:
            added += [((item, other, "different"), other_source) for other, other_source in outside.items()]
        inside[item] = source
        self.group_of[item] = group
        return only_adds

    def _leave(self, item: int, group: GroupName, source: int, added: list[Sourced]) -> bool:
        inside, outside = self._inside.setdefault(group, {}), self._outside.setdefault(group, {})
        if item in outside:
            return True
        only_adds = self._take_out(item, group)
        outside[item] = source
        if inside:
            added.append(((next(iter(inside)), item, "different"), source))
        return only_adds

    def _take_out(self, item: int, group: GroupName) -> bool:
        """End that the item belongs to the group; whether nothing was stated by it."""
        inside = self._inside.get(group, {})
        if item not in inside:
            return True
        del inside[item], self.group_of[item]
        return not inside and not self._outside.get(group)

    def _open(self, item: int, group: GroupName | None) -> bool:
        groups = [*self._inside] if group is None else [group]
        only_adds = True
        for each in groups:
            only_adds &= self._take_out(item, each)
            outside = self._outside.get(each, {})
            only_adds &= outside.pop(item, None) is None or not self._inside.get(each)
        return only_adds
