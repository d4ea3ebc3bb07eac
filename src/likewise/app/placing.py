"""Where every picture is shown: what people did by hand comes first, then what the engine found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from likewise.store.groups import Group, TouchedGroups

if TYPE_CHECKING:
    from likewise.constraints import Constraints


@dataclass
class Placed:
    """Where all pictures are shown.

    - `groups`, mapping of number to pictures: The groups that people touched.
    - `clusters`, list of lists of int: All other clusters.
    - `suggested`, mapping of number to pictures: Pictures elsewhere that the engine would add to a group.
    - `belonging`, mapping of number to pictures: Those that belong to a group by the word of a person.
    - `names`, mapping of number to str: Names of the groups.
    """

    groups: dict[int, list[int]] = field(default_factory=dict)
    clusters: list[list[int]] = field(default_factory=list)
    suggested: dict[int, list[int]] = field(default_factory=dict)
    belonging: dict[int, list[int]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)


def place_pictures(
    images: Sequence[int], labels: Sequence[int], groups: TouchedGroups, constraints: Constraints | None = None
) -> Placed:
    """Say where every picture is shown.

    A picture is in the group that a person put it into. Else it is in the group that it was last seen in when somebody
    touched that; it leaves when a person says that it does not belong there, and where answers came since, when the
    engine has it in a cluster that differs from the group by these answers, or that is another group's. Else it is
    where the engine has it: in the group that has most of the cluster, if that is not confirmed and an answer came
    since it was touched, else in a cluster beside it, and it is suggested for the group.

    - `images`, `labels`, sequences of int: The engine's clusters.
    - `groups`: What people did by hand.
    - `constraints`: What is known of pairs.
    """
    if not groups.all():
        return Placed(clusters=_by_label(images, labels))
    return _Placing(dict(zip(images, labels, strict=True)), groups, constraints).place()


class _Placing:
    def __init__(self, label_of: dict[int, int], groups: TouchedGroups, constraints: Constraints | None) -> None:
        self.label_of, self.groups, self.constraints = label_of, groups, constraints
        self.one = self._joined()
        self.parts: dict[int, list[int]] = {}  # by group: itself and those that are one with it
        for number, one in self.one.items():
            self.parts.setdefault(one, []).append(number)
        self.inside = self._inside()
        self.home = self._homes()
        self.at_home: dict[int, list[int]] = {}  # label -> groups that have most of theirs there, the largest first
        for number, label in self.home.items():
            self.at_home.setdefault(label, []).append(number)
        for numbers in self.at_home.values():
            numbers.sort(key=lambda number: (-len(self.inside[number]), number))
        self.differing = self._differing_labels()

    def place(self) -> Placed:
        """Say where every picture is shown."""
        found = Placed(groups={number: list(items) for number, items in self.inside.items()}, belonging=self.inside)
        rest: dict[int, list[int]] = {}
        put = {item for items in self.inside.values() for item in items}
        for item, label in self.label_of.items():
            if item in put:
                continue
            number = self._group_of(item, label)
            if number is not None:
                found.groups[number].append(item)
                continue
            rest.setdefault(label, []).append(item)
            for candidate in self.at_home.get(label, [])[:1]:
                if self._may_join(item, candidate):
                    found.suggested.setdefault(candidate, []).append(item)
        found.clusters = [rest[label] for label in sorted(rest)]
        found.groups = {number: items for number, items in found.groups.items() if items}
        found.names = self._names()
        return found

    def _joined(self) -> dict[int, int]:
        """By group: itself, or the group with which answers say that it is one."""
        by_root: dict[int, list[Group]] = {}
        one = {}
        for group in self.groups.all():
            one[group.number] = group.number
            members = self.groups.memberships.members(group.number)
            if self.constraints is not None and members and members[0] < self.constraints.n:
                by_root.setdefault(self.constraints.group_of(members[0]), []).append(group)
        for some in by_root.values():
            size = {group.number: len(self.groups.memberships.members(group.number)) for group in some}
            first = min(some, key=lambda group: (-size[group.number], not group.name, group.number))
            one.update((group.number, first.number) for group in some)
        return one

    def _inside(self) -> dict[int, list[int]]:
        """By group: the pictures that are here and belong to it."""
        inside: dict[int, list[int]] = {number: [] for number in self.one.values()}
        for number, joined in self.one.items():
            inside[joined] += [each for each in self.groups.memberships.members(number) if each in self.label_of]
        return inside

    def _homes(self) -> dict[int, int]:
        """By group: the engine's cluster that has most of it."""
        seen: dict[int, list[int]] = {}
        for item, number in self.groups.seen_in.items():
            if item in self.label_of and number in self.one:
                seen.setdefault(self.one[number], []).append(item)
        homes = {}
        for number, inside in self.inside.items():
            labels = Counter(self.label_of[item] for item in inside or seen.get(number, []))
            if labels:
                homes[number] = min(labels, key=lambda label: (-labels[label], label))
        return homes

    def _differing_labels(self) -> set[tuple[int, int]]:
        """Pairs of the engine's clusters that answers say are different."""
        if self.constraints is None:
            return set()
        label_of = self.label_of
        found = set()
        for i, j in self.constraints.cannot_link.tolist():
            if i in label_of and j in label_of:
                found |= {(label_of[i], label_of[j]), (label_of[j], label_of[i])}
        return found

    def _group_of(self, item: int, label: int) -> int | None:
        seen = self.groups.seen_in.get(item)
        number = None if seen is None else self.one.get(seen)
        if number is not None and self._may_join(item, number) and self._stays(number, label):
            return number
        for candidate in self.at_home.get(label, [])[:1]:
            if self._is_open(candidate) and self._may_join(item, candidate):
                return candidate
        return None

    def _may_join(self, item: int, number: int) -> bool:
        """Whether nothing that was said is against it."""
        if any(self.groups.memberships.is_outside(item, each) for each in self.parts[number]):
            return False
        inside = self.inside[number]
        if self.constraints is None or not inside or item >= self.constraints.n:
            return True
        return self.constraints.known(item, inside[0]) != "different"

    def _stays(self, number: int, label: int) -> bool:
        """Whether a picture that was seen in a group and is now in this cluster of the engine stays there."""
        home = self.home.get(number)
        if label == home or not self._has_news(number):
            return True
        return (label, home) not in self.differing and label not in self.at_home

    def _has_news(self, number: int) -> bool:
        """Whether an answer came since somebody touched the group."""
        group = self.groups.get(number)
        return group is None or not group.listed or self.groups.last_answer > group.listed

    def _is_open(self, number: int) -> bool:
        group = self.groups.get(number)
        return group is not None and not group.confirmed and self._has_news(number)

    def _names(self) -> dict[int, str]:
        """The names; one that is joined with another and has a name lends it."""
        names: dict[int, str] = {}
        for number, one in sorted(self.one.items(), key=lambda entry: entry[0] != entry[1]):
            group = self.groups.get(number)
            assert group is not None
            names[one] = names.get(one, "") or group.name
        return names


def _by_label(images: Sequence[int], labels: Sequence[int]) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for image, label in zip(images, labels, strict=True):
        found.setdefault(label, []).append(image)
    return [found[label] for label in sorted(found)]
