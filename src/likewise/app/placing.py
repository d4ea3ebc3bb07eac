"""Where every picture is shown: what people did by hand comes first, then what the engine found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.store.groups import Group, TouchedGroups

if TYPE_CHECKING:
    from likewise.constraints import Constraints

Indices: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
NONE = -1  # no row, no group


@dataclass(frozen=True)
class Placed:
    """Where all pictures are shown; m of them, in the order in which they were given.

    - `numbers`, list of int: The groups that people touched; a group is meant by its place in this list.
    - `names`, list of str: Their names.
    - `group_of` (m,): The group that a picture is shown in, or -1.
    - `cluster_of` (m,): The engine's cluster, numbered 0, 1, … by label: a picture without a group is shown there.
    - `n_clusters`: How many of these there are.
    - `belongs` (m,): Whether a picture belongs to its group by the word of a person.
    - `suggested_for` (m,): The group that the engine would add a picture to, or -1.
    """

    numbers: list[int]
    names: list[str]
    group_of: Indices
    cluster_of: Indices
    n_clusters: int
    belongs: Flags
    suggested_for: Indices


def place_pictures(
    images: Indices, labels: Indices, groups: TouchedGroups, constraints: Constraints | None = None
) -> Placed:
    """Say where every picture is shown.

    A picture is in the group that a person put it into. Else it is in the group that it was last seen in when somebody
    touched that; it leaves when a person says that it does not belong there, and where answers came since, when the
    engine has it in a cluster that differs from the group by these answers, or that is another group's. Else it is
    where the engine has it: in the group that has most of the cluster, if that is not confirmed and an answer came
    since it was touched, else in a cluster beside it, and it is suggested for the group.

    All pictures are placed at once, as arrays: nothing here is a loop over pictures.

    - `images`, `labels` (m,): The engine's clusters.
    - `groups`: What people did by hand.
    - `constraints`: What is known of pairs.
    """
    positions, n_clusters = number_labels(labels)
    if not groups.all():
        none = np.full(len(images), NONE)
        return Placed([], [], none, positions, n_clusters, np.zeros(len(images), bool), none)
    return _Placing(images, positions, n_clusters, groups, constraints).place()


def number_labels(labels: Indices) -> tuple[Indices, int]:
    """Labels numbered 0, 1, … in their order, (m,), and how many there are."""
    if not len(labels):
        return np.empty(0, np.int64), 0
    low, high = int(labels.min()), int(labels.max())
    if high - low > 4 * len(labels):
        found, numbered = np.unique(labels, return_inverse=True)
        return numbered.astype(np.int64), len(found)
    there = np.zeros(high - low + 1, bool)
    there[labels - low] = True
    numbers = np.cumsum(there) - 1
    return numbers[labels - low], int(numbers[-1]) + 1


def is_among(values: Indices, those: Indices) -> Flags:
    """Whether each value (m,) is one of those (k,), which are ascending. O(m log k)."""
    if not len(those):
        return np.zeros(len(values), bool)
    found: Flags = those[np.searchsorted(those, values).clip(max=len(those) - 1)] == values
    return found


class Rows:
    """The rows of pictures, found by their ids.

    - `images` (m,): Ids.
    """

    def __init__(self, images: Indices) -> None:
        self._row = np.full(int(images.max(initial=-1)) + 1, NONE)
        self._row[images] = np.arange(len(images))

    def of(self, items: Iterable[int]) -> Indices:
        """The row of each item, -1 for one that is not here."""
        ids = items if isinstance(items, np.ndarray) else np.fromiter(items, np.int64)
        rows = np.full(len(ids), NONE)
        here = ids < len(self._row)
        rows[here] = self._row[ids[here]]
        return rows

    def here(self, items: Iterable[int]) -> Indices:
        """The rows of those items that are here, in their order."""
        rows = self.of(items)
        return rows[rows >= 0]


class _Placing:
    """Arrays by group are in the order of `numbers`; `label` is the engine's cluster of a picture."""

    def __init__(
        self, images: Indices, label: Indices, n_labels: int, groups: TouchedGroups, constraints: Constraints | None
    ) -> None:
        self.label, self.n_labels, self.groups, self.constraints = label, n_labels, groups, constraints
        self.images, self.rows = images, Rows(images)
        self.one = self._joined()
        self.numbers = list(dict.fromkeys(self.one.values()))
        self.at = {number: k for k, number in enumerate(self.numbers)}
        self.apart = np.empty((0, 2), np.int64) if constraints is None else constraints.cannot_link
        self.group_of = np.full(len(images), NONE)
        self.inside = self._inside()
        self.seen = self._seen()
        self.home = self._homes()
        self.owner = self._owners()
        self.bars = self._bars()
        found = [groups.get(number) for number in self.numbers]
        self.has_news = np.array([self._has_news(group) for group in found], bool)
        is_open = [group is not None and not group.confirmed for group in found]
        self.is_open = np.array(is_open, bool) & self.has_news

    def place(self) -> Placed:
        """Say where every picture is shown."""
        belongs = self.group_of >= 0
        rows = np.flatnonzero(~belongs & (self.seen >= 0))
        group = self.seen[rows]
        stay = self.bars.may_join(rows, group) & self._stays(rows, group)
        self.group_of[rows[stay]] = group[stay]
        rows = np.flatnonzero(self.group_of < 0)
        group = self.owner[self.label[rows]]
        rows, group = rows[group >= 0], group[group >= 0]
        may = self.bars.may_join(rows, group)
        joins = may & self.is_open[group]
        self.group_of[rows[joins]] = group[joins]
        suggested_for = np.full(len(self.label), NONE)
        suggested_for[rows[may & ~joins]] = group[may & ~joins]
        names = self._names()
        return Placed(self.numbers, names, self.group_of, self.label, self.n_labels, belongs, suggested_for)

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
            if len(some) > 1:
                size = {group.number: len(self.groups.memberships.members(group.number)) for group in some}
                first = min(some, key=lambda group: (-size[group.number], not group.name, group.number))
                one.update((group.number, first.number) for group in some)
        return one

    def _inside(self) -> list[Indices]:
        """By group: the rows of the pictures that belong to it, in the order in which they were put there."""
        parts: list[list[Indices]] = [[] for _ in self.numbers]
        for number, joined in self.one.items():
            parts[self.at[joined]].append(self.rows.here(self.groups.memberships.members(number)))
        inside = [np.concatenate(some) for some in parts]
        for k, rows in enumerate(inside):
            self.group_of[rows] = k
        return inside

    def _seen(self) -> Indices:
        """The group that a picture was last seen in, (m,)."""
        items, numbers = self.groups.seen_arrays()
        known = np.array(sorted(self.one), np.int64)
        joined = np.array([self.at[self.one[number]] for number in known.tolist()], np.int64)
        place = np.searchsorted(known, numbers).clip(max=len(known) - 1)
        rows = self.rows.of(items)
        good = (known[place] == numbers) & (rows >= 0)
        seen = np.full(len(self.label), NONE)
        seen[rows[good]] = joined[place[good]]
        return seen

    def _homes(self) -> Indices:
        """By group: the engine's cluster that has most of it, the first of several; -1 where none has any."""
        has_inside = np.array([len(rows) > 0 for rows in self.inside], bool)
        inside, seen = np.flatnonzero(self.group_of >= 0), np.flatnonzero(self.seen >= 0)
        seen = seen[~has_inside[self.seen[seen]]]  # where nothing belongs to a group, what was seen in it counts
        rows = np.concatenate([inside, seen])
        group = np.concatenate([self.group_of[inside], self.seen[seen]])
        codes = np.sort(group * self.n_labels + self.label[rows])
        starts = np.flatnonzero(np.diff(codes, prepend=-1))
        counts = np.diff(starts, append=len(codes))
        groups, labels = np.divmod(codes[starts], max(self.n_labels, 1))
        order = np.lexsort((labels, -counts, groups))[::-1]  # the best of each group is written last
        homes = np.full(len(self.numbers), NONE)
        homes[groups[order]] = labels[order]
        return homes

    def _owners(self) -> Indices:
        """By cluster of the engine: the largest group that has most of its pictures there, or -1."""
        owner = np.full(self.n_labels, NONE)
        sizes = np.array([len(rows) for rows in self.inside], np.int64)
        for k in np.lexsort((np.array(self.numbers), -sizes))[::-1].tolist():
            if self.home[k] >= 0:
                owner[self.home[k]] = k
        return owner

    def _bars(self) -> Bars:
        """What was said against a picture being in a group."""
        bars = Bars(len(self.label), len(self.numbers))
        for number, joined in self.one.items():
            bars.bar(self.rows.here(self.groups.memberships.outsiders(number)), self.at[joined])
        if self.constraints is not None:
            firsts = {int(self.images[rows[0]]): k for k, rows in enumerate(self.inside) if len(rows)}
            here = {item: k for item, k in firsts.items() if item < self.constraints.n}
            bars.bar_differing(self.constraints, self.apart, here, self.rows)
        return bars

    def _stays(self, rows: Indices, group: Indices) -> Flags:
        """Whether a picture that was seen in a group stays there, in the cluster where the engine has it now."""
        label, home = self.label[rows], self.home[group]
        stays: Flags = (label == home) | ~self.has_news[group]
        left = np.flatnonzero(~stays)
        if len(left):
            ends = self.rows.of(self.apart.ravel()).reshape(-1, 2)
            a, b = self.label[ends[(ends >= 0).all(axis=1)]].T
            differing = np.sort(np.concatenate([a * self.n_labels + b, b * self.n_labels + a]))
            differs = is_among(label[left] * self.n_labels + home[left], differing)
            stays[left] = ~differs & (self.owner[label[left]] < 0)
        return stays

    def _has_news(self, group: Group | None) -> bool:
        """Whether an answer came since somebody touched the group."""
        return group is None or not group.listed or self.groups.last_answer > group.listed

    def _names(self) -> list[str]:
        """The names; one that is joined with another and has a name lends it."""
        names: dict[int, str] = {}
        for number, one in sorted(self.one.items(), key=lambda entry: entry[0] != entry[1]):
            group = self.groups.get(number)
            assert group is not None
            names[one] = names.get(one, "") or group.name
        return [names[number] for number in self.numbers]


class Bars:
    """Which pictures may not be in which group: by what was said of both, or by answers that imply it.

    - `n_rows`, `n_groups`: How many pictures and groups there are.
    """

    def __init__(self, n_rows: int, n_groups: int) -> None:
        self.n_groups = n_groups
        self._is_barred = np.zeros(n_rows, bool)
        self._barred: list[Indices] = []  # row · n_groups + group
        self._set_of = np.full(n_rows, NONE)  # of pictures that are the same by the answers and differ from a group
        self._differing = np.empty(0, np.int64)  # set · n_groups + group, ascending

    def bar(self, rows: Indices, group: int) -> None:
        """Keep these pictures out of a group."""
        self._is_barred[rows] = True
        self._barred.append(rows * self.n_groups + group)

    def bar_differing(self, constraints: Constraints, apart: Indices, firsts: dict[int, int], rows: Rows) -> None:
        """Keep all pictures out of a group that are known to differ from its first one.

        - `constraints`: What is known of pairs.
        - `apart` (k, 2): Its cannot-links: two sets differ when there is one between them.
        - `firsts`, dict of item to group: The first item of each group.
        - `rows`: The pictures that are here.
        """
        root_of = constraints.group_of
        groups_of: dict[int, list[int]] = {}
        for item, group in firsts.items():
            groups_of.setdefault(root_of(item), []).append(group)
        items = np.concatenate([apart, apart[:, ::-1]])  # one that may be a group's, and one that differs from it
        roots = np.fromiter(map(root_of, apart.ravel().tolist()), np.int64, apart.size).reshape(-1, 2)
        roots = np.concatenate([roots, roots[:, ::-1]])
        wanted = is_among(roots[:, 0], np.sort(np.fromiter(groups_of, np.int64, len(groups_of))))
        if not wanted.any():
            return
        _, first, other = np.unique(roots[wanted, 1], return_index=True, return_inverse=True)
        members = [constraints.members(item) for item in items[wanted, 1][first].tolist()]
        flat = rows.of(chain.from_iterable(members))
        numbers = np.repeat(np.arange(len(members)), [len(some) for some in members])
        self._set_of[flat[flat >= 0]] = numbers[flat >= 0]
        of_group = zip(other.tolist(), roots[wanted, 0].tolist(), strict=True)
        codes = {k * self.n_groups + group for k, root in of_group for group in groups_of[root]}
        self._differing = np.sort(np.fromiter(codes, np.int64, len(codes)))

    def may_join(self, rows: Indices, group: Indices) -> Flags:
        """Whether nothing that was said is against each of these pictures being in a group, (k,)."""
        may = np.ones(len(rows), bool)
        some = np.flatnonzero(self._is_barred[rows])
        if len(some):
            may[some] = ~is_among(rows[some] * self.n_groups + group[some], np.sort(np.concatenate(self._barred)))
        some = np.flatnonzero(self._set_of[rows] >= 0)
        if len(some):
            may[some] &= ~is_among(self._set_of[rows[some]] * self.n_groups + group[some], self._differing)
        return may
