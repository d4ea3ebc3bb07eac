"""Clusters as people see them: the groups that they touched, just as they left them, and what the engine found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from likewise.app.placing import Placed, place_pictures
from likewise.store.groups import TouchedGroups

if TYPE_CHECKING:
    from likewise.constraints import Constraints
    from likewise.query.answers.quality import Quality
    from likewise.store import Log

Indices: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = dict[bytes, tuple[int, ...]]  # numbers that clusters had, by their pictures
MOST_REMEMBERED = 100_000  # contents of clusters whose number is kept


@dataclass(frozen=True)
class Clustering:
    """The engine's clusters: one for every picture that is ready, and how doubtful that is.

    - `version`: Number of the last event that was taken into account.
    - `images` (m,): Ids of the pictures, ascending.
    - `labels` (m,): Cluster of each.
    - `doubt` (m,): 0 where a picture sits well in its cluster, towards 1 where another is as close.
    - `quality`: Pairwise precision and recall, by the check questions answered so far.
    """

    version: int
    images: Indices
    labels: Indices
    doubt: NDArray[np.float32]
    quality: Quality | None = None

    @classmethod
    def empty(cls) -> Clustering:
        """No pictures, before the engine has clustered any."""
        return cls(0, np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))

    def without(self, images: Sequence[int]) -> Clustering:
        """The same clusters, some pictures left out."""
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

    @property
    def mean_doubt(self) -> float:
        """Mean doubt of its pictures; 0 for a confirmed group."""
        return 0.0 if self.confirmed or not self.size else float(self.doubt.mean())


@dataclass(frozen=True)
class Wall:
    """All clusters of one clustering.

    - `version`: That of the clustering.
    - `clusters`, mapping of int to Cluster: By number.
    - `cluster_of`, mapping of int to int: The cluster of every picture.
    - `next_id`: The first number that no cluster ever had.
    - `numbers`, mapping: Numbers of clusters that were shown, by their pictures: what comes back has one again.

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
    placed = place_pictures(clustering.images.tolist(), clustering.labels.tolist(), groups, constraints)
    doubt_of = dict(zip(clustering.images.tolist(), clustering.doubt.tolist(), strict=True))
    numbers, next_id, remembered = _numbers(placed, groups, before)
    clusters = {number: _group(number, placed, groups, doubt_of) for number in placed.groups}
    for number, members in zip(numbers, placed.clusters, strict=True):
        clusters[number] = Cluster(number, *_in_order(members, doubt_of, frozenset()))
    cluster_of = {image: cluster.id for cluster in clusters.values() for image in cluster.images.tolist()}
    return Wall(clustering.version, clusters, cluster_of, next_id, remembered)


def wall_of_log(
    clustering: Clustering, log: Log, constraints: Constraints | None = None, before: Wall | None = None
) -> Wall:
    """The wall under the groups and left-out pictures of a log."""
    return build_wall(clustering.without(log.bad()), log.groups(), constraints, before)


def changes(before: Wall, after: Wall) -> list[tuple[int, int | None, int | None]]:
    """Pictures whose cluster is another one: (image, from, to), in order of the image."""
    images = sorted({*before.cluster_of, *after.cluster_of})
    pairs = ((image, before.cluster_of.get(image), after.cluster_of.get(image)) for image in images)
    return [(image, was, now) for image, was, now in pairs if was != now]


def _group(number: int, placed: Placed, groups: TouchedGroups, doubt_of: Mapping[int, float]) -> Cluster:
    group = groups.get(number)
    assert group is not None
    members = placed.groups[number]
    inside = frozenset(members) & frozenset(placed.belonging[number])
    images, doubt = _in_order(members, doubt_of, inside)
    suggested = np.array(sorted(placed.suggested.get(number, ())), np.int64)
    return Cluster(number, images, doubt, placed.names[number], True, group.confirmed, suggested, inside)


def _in_order(
    members: Sequence[int], doubt_of: Mapping[int, float], inside: frozenset[int]
) -> tuple[Indices, NDArray[np.float32]]:
    """Pictures with their doubt, the most central first."""
    ordered = sorted(members, key=lambda image: (doubt_of.get(image, 0.0), image))
    doubt = [0.0 if image in inside else doubt_of.get(image, 0.0) for image in ordered]
    return np.array(ordered, np.int64), np.array(doubt, np.float32)


def _numbers(placed: Placed, groups: TouchedGroups, before: Wall | None) -> tuple[list[int], int, Numbers]:
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


def _latest(remembered: Numbers) -> Numbers:
    keys = list(remembered)[-MOST_REMEMBERED:]
    return {key: remembered[key] for key in keys}
