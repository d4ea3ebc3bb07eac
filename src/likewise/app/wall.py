"""Clusters as people see them: the groups that they touched, just as they left them, and what the engine found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.app.placing import Placed, place_pictures
from likewise.app.shown_stacks import Stacks
from likewise.images.stacks import open_stacks
from likewise.store.groups import TouchedGroups

if TYPE_CHECKING:
    from likewise.constraints import Constraints
    from likewise.query.answers.people import AnnotatorRates
    from likewise.query.answers.quality import Quality
    from likewise.query.dendrogram.remaining import Remaining
    from likewise.store import Log

Indices: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = dict[bytes, tuple[int, ...]]  # numbers that clusters had, by their pictures
NONE = -1  # in no cluster
MOST_REMEMBERED = 100_000  # contents of clusters whose number is kept


@dataclass(frozen=True)
class Clustering:
    """The engine's clusters: one for every picture that is ready, and how doubtful that is.

    - `version`: Number of the last event that was taken into account.
    - `images` (m,): Ids of the pictures, ascending.
    - `labels` (m,): Cluster of each.
    - `doubt` (m,): 0 where a picture sits well in its cluster, towards 1 where another is as close.
    - `quality`: Pairwise precision and recall, by the check questions answered so far.
    - `left`: How long it may take yet, where the asker can tell.
    - `links` (k, 2): Pictures that are assumed to be the same, the most alike first.
    - `people`, mapping of name to AnnotatorRates: How often everybody errs by what others said, where that is weighed.
    """

    version: int
    images: Indices
    labels: Indices
    doubt: NDArray[np.float32]
    quality: Quality | None = None
    left: Remaining | None = None
    links: Indices = field(default_factory=lambda: np.empty((0, 2), np.int64))
    people: Mapping[str, AnnotatorRates] = field(default_factory=dict)

    @classmethod
    def empty(cls) -> Clustering:
        """No pictures, before the engine has clustered any."""
        return cls(0, np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))

    def without(self, images: Sequence[int]) -> Clustering:
        """The same clusters, some pictures left out."""
        if not len(images):
            return self
        kept = ~np.isin(self.images, images)
        return replace(self, images=self.images[kept], labels=self.labels[kept], doubt=self.doubt[kept])


@dataclass(frozen=True)
class Cluster:
    """One cluster on the wall.

    - `id`: Its number. That of a group is for good; others keep theirs while they keep most of their pictures.
    - `images`, ndarray: Its pictures, the most central first.
    - `doubt`, ndarray: The doubt of each; 0 for those that were put here by hand.
    - `name`: What people call it, or empty.
    - `touched`: Whether a person did something to it: it is a group then.
    - `confirmed`: Whether a person said that it is right as it is.
    - `suggested`, ndarray: Pictures elsewhere that the engine would add; they wait for a person.
    - `placed`, frozenset of int: Those of its pictures that belong here by the word of a person.
    """

    id: int
    images: Indices
    doubt: NDArray[np.float32]
    name: str = ""
    touched: bool = False
    confirmed: bool = False
    suggested: Indices = field(default_factory=lambda: np.empty(0, np.int64))
    placed: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        """How many pictures it has."""
        return len(self.images)

    @cached_property
    def mean_doubt(self) -> float:
        """Mean doubt of its pictures; 0 for a confirmed group."""
        return 0.0 if self.confirmed or not self.size else float(self.doubt.mean())


class ClusterOf(Mapping[int, int]):
    """The cluster of every picture, as an array.

    - `images` (m,): Ids of the pictures, ascending.
    - `numbers` (m,): Number of the cluster of each.

    Examples
    --------
    >>> cluster_of = ClusterOf(np.array([2, 5]), np.array([7, 7]))
    >>> cluster_of[5], cluster_of.get(4), list(cluster_of)
    (7, None, [2, 5])
    """

    def __init__(self, images: Indices, numbers: Indices) -> None:
        self.images = images
        self._number = np.full(int(images.max(initial=-1)) + 1, NONE)
        self._number[images] = numbers

    def __getitem__(self, image: int) -> int:
        number = int(self._number[image]) if 0 <= image < len(self._number) else NONE
        if number < 0:
            raise KeyError(image)
        return number

    def get(self, image: int, default: Any = None) -> Any:
        """The cluster of a picture, or the default where it is in none."""
        number = int(self._number[image]) if 0 <= image < len(self._number) else NONE
        return default if number < 0 else number

    def __contains__(self, image: object) -> bool:
        return isinstance(image, int | np.integer) and self.get(int(image)) is not None

    def __iter__(self) -> Iterator[int]:
        images: list[int] = self.images.tolist()
        return iter(images)

    def __len__(self) -> int:
        return len(self.images)

    def of(self, images: Indices) -> Indices:
        """The cluster of each of these pictures, -1 where it is in none."""
        found = np.full(len(images), NONE)
        here = images < len(self._number)
        found[here] = self._number[images[here]]
        return found

    @classmethod
    def read(cls, clusters: Mapping[int, int]) -> ClusterOf:
        """Clusters by picture, from whatever holds them."""
        if isinstance(clusters, ClusterOf):
            return clusters
        images = np.array(sorted(clusters), np.int64)
        return cls(images, np.array([clusters[image] for image in images.tolist()], np.int64))


@dataclass(frozen=True)
class Wall:
    """All clusters of one clustering.

    - `version`: That of the clustering.
    - `clusters`, mapping of int to Cluster: By number.
    - `cluster_of`, mapping of int to int: The cluster of every picture.
    - `next_id`: The first number that no cluster ever had.
    - `numbers`, mapping: Numbers of clusters that were shown, by their pictures: what comes back has one again.
    - `stacks`: Which pictures are shown as one.

    Examples
    --------
    >>> clustering = Clustering(0, np.arange(3), np.array([0, 0, 1]), np.zeros(3, np.float32))
    >>> wall = build_wall(clustering)
    >>> [(c.id, c.images.tolist()) for c in wall.clusters.values()]
    [(0, [0, 1]), (1, [2])]
    """

    version: int
    clusters: Mapping[int, Cluster]
    cluster_of: Mapping[int, int]
    next_id: int
    numbers: Mapping[bytes, tuple[int, ...]] = field(default_factory=dict)
    stacks: Stacks = field(default_factory=Stacks)


def build_wall(
    clustering: Clustering,
    groups: TouchedGroups | None = None,
    constraints: Constraints | None = None,
    before: Wall | None = None,
) -> Wall:
    """Lay the groups of people over the engine's clusters, and keep the numbers of the wall before.

    - `clustering`: What the engine found.
    - `groups`: What people did by hand; see :func:`~likewise.app.placing.place_pictures`.
    - `constraints`: What is known of pairs.
    - `before`: The wall that people see now.
    """
    groups = TouchedGroups() if groups is None else groups
    images = clustering.images
    placed = place_pictures(images, clustering.labels, groups, constraints)
    parts = _ShownParts.of(placed)
    numbers, next_id, remembered = _numbers(parts, placed, images, groups, before)
    central = order_by_doubt(clustering.doubt)
    central = central[order_by(parts.part_of[central])]  # by part, the most central first
    doubt = np.where(placed.belongs, np.float32(0), clustering.doubt)[central]
    shown, suggested = images[central], _suggested(placed, images)
    clusters, nothing = {}, np.empty(0, np.int64)
    for number, part, start, stop in zip(numbers, parts.there, parts.starts, parts.stops, strict=True):
        members = shown[start:stop], doubt[start:stop]
        if part >= len(placed.numbers):
            clusters[number] = Cluster(number, *members, suggested=nothing)
            continue
        group = groups.get(number)
        assert group is not None
        inside = frozenset(members[0][placed.belongs[central[start:stop]]].tolist())
        more = suggested.get(part, nothing)
        clusters[number] = Cluster(number, *members, placed.names[part], True, group.confirmed, more, inside)
    number_of = np.zeros(int(parts.part_of.max(initial=-1)) + 1, np.int64)
    number_of[parts.there] = numbers
    cluster_of = ClusterOf(images, number_of[parts.part_of])
    return Wall(clustering.version, clusters, cluster_of, next_id, remembered)


def wall_of_log(
    clustering: Clustering, log: Log, constraints: Constraints | None = None, before: Wall | None = None
) -> Wall:
    """The wall under the groups and left-out pictures of a log."""
    wall = build_wall(clustering.without(log.bad()), log.groups(), constraints, before)
    return replace(wall, stacks=Stacks.of(open_stacks(clustering.links, constraints, log.apart()), wall.cluster_of))


def changes(before: Wall, after: Wall) -> list[tuple[int, int | None, int | None]]:
    """Pictures whose cluster is another one: (image, from, to), in order of the image."""
    old, new = ClusterOf.read(before.cluster_of), ClusterOf.read(after.cluster_of)
    there = np.zeros(int(max(old.images.max(initial=-1), new.images.max(initial=-1))) + 1, bool)
    there[old.images] = there[new.images] = True
    images = np.flatnonzero(there)
    was, now = old.of(images), new.of(images)
    other = was != now
    return [
        (image, None if a < 0 else a, None if b < 0 else b)
        for image, a, b in zip(images[other].tolist(), was[other].tolist(), now[other].tolist(), strict=True)
    ]


def news_of(clustering: Clustering, wall: Wall, changed: list[tuple[int, int | None, int | None]]) -> dict[str, int]:
    """What a page is told of new clusters."""
    return {
        "version": clustering.version,
        "total": len(wall.clusters),
        "moved": sum(None not in (was, now) for _, was, now in changed),
        "joined": sum(was is None for _, was, _ in changed),
    }


def order_by(numbers: NDArray[np.integer[Any]]) -> Indices:
    """The order that sorts numbers (m,) from 0 to 2³² - 1; equal ones stay in their order. O(m)."""
    low = np.argsort((numbers & 0xFFFF).astype(np.uint16), kind="stable")  # of 16 bits it is a radix sort
    if not len(numbers) or int(numbers.max()) <= 0xFFFF:
        return low
    high = (numbers[low] >> 16).astype(np.uint16)
    return low[np.argsort(high, kind="stable")]


def order_by_doubt(doubt: NDArray[np.float32]) -> Indices:
    """The order from the least doubt to the most; equal ones stay in their order. O(m)."""
    return order_by((doubt + np.float32(0)).view(np.uint32))  # bits of floats from 0 on are in their order


@dataclass(frozen=True)
class _ShownParts:
    """The pictures by where they are shown: the groups, then the engine's clusters.

    - `part_of` (m,): The part of every picture.
    - `there`, list of int: The parts that have pictures; and
    - `starts`, `stops`, lists of int: where these are, when the pictures are sorted by part.
    """

    part_of: Indices
    there: list[int]
    starts: list[int]
    stops: list[int]

    @classmethod
    def of(cls, placed: Placed) -> _ShownParts:
        """The parts of what was placed."""
        n_groups = len(placed.numbers)
        part_of = np.where(placed.group_of >= 0, placed.group_of, n_groups + placed.cluster_of)
        sizes = np.bincount(part_of, minlength=n_groups + placed.n_clusters)
        there, stops = np.flatnonzero(sizes), np.cumsum(sizes)
        return cls(part_of, there.tolist(), (stops - sizes)[there].tolist(), stops[there].tolist())


def _suggested(placed: Placed, images: Indices) -> dict[int, Indices]:
    """Pictures that the engine would add to a group, ascending."""
    rows = np.flatnonzero(placed.suggested_for >= 0)
    groups = placed.suggested_for[rows]
    sizes = np.bincount(groups, minlength=len(placed.numbers))
    parts = np.split(images[rows[order_by(groups)]], np.cumsum(sizes)[:-1]) if len(rows) else []
    return {group: part for group, part in enumerate(parts) if len(part)}


def _numbers(
    parts: _ShownParts, placed: Placed, images: Indices, groups: TouchedGroups, before: Wall | None
) -> tuple[list[int], int, Numbers]:
    """Numbers of all parts that have pictures, the first free number, and the numbers by content.

    A cluster that was on the wall with the same pictures has its number again; else it has that of the cluster with
    which it shares most, else a new one.
    """
    by_part = order_by(parts.part_of)
    held = images[by_part]
    contents = [_content(held[start:stop]) for start, stop in zip(parts.starts, parts.stops, strict=True)]
    n_groups = sum(part < len(placed.numbers) for part in parts.there)
    found = {k: placed.numbers[part] for k, part in enumerate(parts.there[:n_groups])}
    taken, remembered = set(found.values()), {} if before is None else dict(before.numbers)
    for k in range(n_groups, len(contents)):
        number = next((each for each in remembered.get(contents[k], ()) if each not in taken), None)
        if number is not None:
            found[k] = number
            taken.add(number)
    if before is not None and len(found) < len(contents):
        for k, old in _most_shared(parts, held, [k for k in range(len(contents)) if k not in found], before):
            if k not in found and old not in taken:
                found[k] = old
                taken.add(old)
    next_id = max(groups.first_free, 0 if before is None else before.next_id)
    for k in range(n_groups, len(contents)):
        if k not in found:
            found[k] = next_id
            next_id += 1
    for k in (*range(n_groups, len(contents)), *range(n_groups)):
        known = remembered.get(contents[k], ())
        if found[k] not in known:
            remembered[contents[k]] = (*known, found[k])
    return [found[k] for k in range(len(contents))], next_id, _latest(remembered)


def _most_shared(parts: _ShownParts, held: Indices, wanted: list[int], before: Wall) -> list[tuple[int, int]]:
    """Clusters of before that share pictures with parts, the pairs with most first: (place of the part, number)."""
    cluster_of = ClusterOf.read(before.cluster_of)
    place = np.repeat(wanted, [parts.stops[k] - parts.starts[k] for k in wanted])
    old = cluster_of.of(np.concatenate([held[parts.starts[k] : parts.stops[k]] for k in wanted]))
    pairs, counts = np.unique(np.stack([place, old], axis=1)[old >= 0], axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return [(k, number) for k, number in pairs[order].tolist()]


def _content(members: Indices) -> bytes:
    return blake2b(members.tobytes(), digest_size=12).digest()


def _latest(remembered: Numbers) -> Numbers:
    for key in list(islice(remembered, max(0, len(remembered) - MOST_REMEMBERED))):
        del remembered[key]
    return remembered
