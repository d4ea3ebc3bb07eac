"""The wall, built picture by picture: slow and obvious, to compare the one of the app with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from likewise.app.wall import Cluster, Clustering, Wall
from likewise.constraints import Constraints
from likewise.store.groups import Group, TouchedGroups

MOST_REMEMBERED = 100_000


def slow_wall(clustering: Clustering, groups: TouchedGroups, constraints: Constraints | None, before: Wall | None):
    """As :func:`likewise.app.wall.build_wall`."""
    placed = place_slowly(clustering.images.tolist(), clustering.labels.tolist(), groups, constraints)
    doubt_of = dict(zip(clustering.images.tolist(), clustering.doubt.tolist(), strict=True))
    numbers, next_id, remembered = _numbers(placed, groups, before)
    clusters = {number: _group(number, placed, groups, doubt_of) for number in placed.groups}
    for number, members in zip(numbers, placed.clusters, strict=True):
        clusters[number] = Cluster(number, *_in_order(members, doubt_of, frozenset()))
    cluster_of = {image: cluster.id for cluster in clusters.values() for image in cluster.images.tolist()}
    return Wall(clustering.version, clusters, cluster_of, next_id, remembered)


def slow_changes(before: Wall, after: Wall):
    """As :func:`likewise.app.wall.changes`."""
    images = sorted({*before.cluster_of, *after.cluster_of})
    pairs = ((image, before.cluster_of.get(image), after.cluster_of.get(image)) for image in images)
    return [(image, was, now) for image, was, now in pairs if was != now]


@dataclass
class SlowPlaced:
    """Where all pictures are shown, by number of the group or cluster."""

    groups: dict[int, list[int]] = field(default_factory=dict)
    clusters: list[list[int]] = field(default_factory=list)
    suggested: dict[int, list[int]] = field(default_factory=dict)
    belonging: dict[int, list[int]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)


def place_slowly(images, labels, groups: TouchedGroups, constraints: Constraints | None = None) -> SlowPlaced:
    """As :func:`likewise.app.placing.place_pictures`."""
    if not groups.all():
        return SlowPlaced(clusters=_by_label(images, labels))
    return SlowPlacing(dict(zip(images, labels, strict=True)), groups, constraints).place()


class SlowPlacing:
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

    def place(self) -> SlowPlaced:
        """Say where every picture is shown."""
        found = SlowPlaced(groups={number: list(items) for number, items in self.inside.items()}, belonging=self.inside)
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


def _group(number: int, placed: SlowPlaced, groups: TouchedGroups, doubt_of: Mapping[int, float]) -> Cluster:
    group = groups.get(number)
    assert group is not None
    members = placed.groups[number]
    inside = frozenset(members) & frozenset(placed.belonging[number])
    images, doubt = _in_order(members, doubt_of, inside)
    suggested = np.array(sorted(placed.suggested.get(number, ())), np.int64)
    return Cluster(number, images, doubt, placed.names[number], True, group.confirmed, suggested, inside)


def _in_order(members: Sequence[int], doubt_of: Mapping[int, float], inside: frozenset[int]) -> tuple:
    """Pictures with their doubt, the most central first."""
    ordered = sorted(members, key=lambda image: (doubt_of.get(image, 0.0), image))
    doubt = [0.0 if image in inside else doubt_of.get(image, 0.0) for image in ordered]
    return np.array(ordered, np.int64), np.array(doubt, np.float32)


def _numbers(placed: SlowPlaced, groups: TouchedGroups, before: Wall | None) -> tuple[list[int], int, dict]:
    """Numbers of the clusters that nobody touched, the first free number, and the numbers by content.

    A cluster that was on the wall with the same pictures has its number again; else it has that of the cluster with
    which it shares most, else a new one.
    """
    clusters = placed.clusters
    taken, remembered = set(placed.groups), {} if before is None else dict(before.numbers)
    found: dict[int, int] = {}
    contents = [_content(members) for members in clusters]
    for k, content in enumerate(contents):
        number = next((each for each in remembered.get(content, ()) if each not in taken), None)
        if number is not None:
            found[k] = number
            taken.add(number)
    if before is not None:
        shared: dict[tuple[int, int], int] = {}
        for k, members in enumerate(clusters):
            for image in members if k not in found else ():
                if (old := before.cluster_of.get(image)) is not None:
                    shared[k, old] = shared.get((k, old), 0) + 1
        for (k, old), _ in sorted(shared.items(), key=lambda entry: (-entry[1], entry[0])):
            if k not in found and old not in taken:
                found[k] = old
                taken.add(old)
    next_id = max(groups.first_free, 0 if before is None else before.next_id)
    for k in range(len(clusters)):
        if k not in found:
            found[k] = next_id
            next_id += 1
    shown = [*((content, found[k]) for k, content in enumerate(contents))]
    shown += [(_content(members), number) for number, members in placed.groups.items()]
    for content, number in shown:
        if number not in remembered.get(content, ()):
            remembered[content] = (*remembered.get(content, ()), number)
    return [found[k] for k in range(len(clusters))], next_id, _latest(remembered)


def _content(members: Sequence[int]) -> bytes:
    return blake2b(np.sort(np.asarray(members, np.int64)).tobytes(), digest_size=12).digest()


def _latest(remembered: dict) -> dict:
    keys = list(remembered)[-MOST_REMEMBERED:]
    return {key: remembered[key] for key in keys}
