"""Clusters as people see them: with lasting ids, names, and confirmed groups that never change silently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from likewise.query.answers.quality import Quality
    from likewise.store import Log

Indices: TypeAlias = NDArray[np.int64]


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

    - `id`: Lasts while the cluster keeps most of its pictures.
    - `images`, ndarray: Its pictures, the most central first.
    - `doubt`, ndarray: The doubt of each.
    - `name`: What people call it, or empty.
    - `confirmed`: Whether people confirmed just these pictures.
    - `suggested`, ndarray: Pictures that the engine would add to a confirmed group; they wait for a person.
    """

    id: int
    images: Indices
    doubt: NDArray[np.float32]
    name: str = ""
    confirmed: bool = False
    suggested: Indices = field(default_factory=lambda: np.empty(0, np.int64))

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

    Examples
    --------
    >>> clustering = Clustering(0, np.arange(3), np.array([0, 0, 1]), np.zeros(3, np.float32))
    >>> wall = build_wall(clustering, names=[], confirmed=[])
    >>> [(c.id, c.images.tolist()) for c in wall.clusters.values()]
    [(0, [0, 1]), (1, [2])]
    """

    version: int
    clusters: Mapping[int, Cluster]
    cluster_of: Mapping[int, int]
    next_id: int


def build_wall(
    clustering: Clustering,
    names: Sequence[tuple[str, Sequence[int]]],
    confirmed: Sequence[Sequence[int]],
    before: Wall | None = None,
    merged: Sequence[Sequence[int]] = (),
) -> Wall:
    """Lay names and confirmed groups over the engine's clusters, and keep the ids of the wall before.

    - `clustering`: What the engine found.
    - `names`, sequence of (name, images): Oldest first; a name belongs to the cluster that has most of its
      pictures, and of several names for one cluster the latest holds.
    - `confirmed`, sequence of sequences of int: Groups as people confirmed them: they are shown just so. What the
      engine would add is suggested, unless it is more than the group itself (and was not merged with it by a
      person) or has a name of its own: then it stays a cluster.
    - `before`: The wall that people see now.
    - `merged`, sequence of sequences of int: For every merge that people made, a picture of each cluster.
    """
    doubt_of = dict(zip(clustering.images.tolist(), clustering.doubt.tolist(), strict=True))
    groups, suggested = _with_confirmed(clustering, names, confirmed, merged)
    ids, next_id = _lasting_ids([members for members, _ in groups], before)
    cluster_of = {image: ids[k] for k, (members, _) in enumerate(groups) for image in members}
    called = _call(names, cluster_of)
    clusters = {}
    for k, (members, is_confirmed) in enumerate(groups):
        ordered = sorted(members, key=lambda image: (doubt_of.get(image, 0.0), image))
        clusters[ids[k]] = Cluster(
            ids[k],
            np.array(ordered, np.int64),
            np.array([doubt_of.get(image, 0.0) for image in ordered], np.float32),
            called.get(ids[k], ""),
            is_confirmed,
            np.array(sorted(suggested.get(k, [])), np.int64),
        )
    return Wall(clustering.version, clusters, cluster_of, next_id)


def wall_of_log(clustering: Clustering, log: Log, before: Wall | None = None) -> Wall:
    """The wall under the names, confirmations and left-out pictures of a log."""
    names = [(name.name, name.items) for name in log.names()]
    return build_wall(clustering.without(log.bad()), names, log.confirmed(), before, log.merged())


def changes(before: Wall, after: Wall) -> list[tuple[int, int | None, int | None]]:
    """Pictures whose cluster is another one: (image, from, to), in order of the image."""
    images = sorted({*before.cluster_of, *after.cluster_of})
    pairs = ((image, before.cluster_of.get(image), after.cluster_of.get(image)) for image in images)
    return [(image, was, now) for image, was, now in pairs if was != now]


def _with_confirmed(
    clustering: Clustering,
    names: Sequence[tuple[str, Sequence[int]]],
    confirmed: Sequence[Sequence[int]],
    merged: Sequence[Sequence[int]],
) -> tuple[list[tuple[list[int], bool]], dict[int, list[int]]]:
    """Groups of the wall, confirmed first, and what is suggested for each of the confirmed."""
    label_of = dict(zip(clustering.images.tolist(), clustering.labels.tolist(), strict=True))
    groups: list[tuple[list[int], bool]] = []
    taken: set[int] = set()
    home: dict[int, int] = {}  # label -> the confirmed group that holds most of it
    for members in confirmed:
        present = [image for image in members if image in label_of and image not in taken]
        if not present:
            continue
        taken.update(present)
        labels, counts = np.unique([label_of[image] for image in present], return_counts=True)
        home.setdefault(int(labels[np.argmax(counts)]), len(groups))
        groups.append((present, True))
    rest: dict[int, list[int]] = {}
    for image, label in label_of.items():
        if image not in taken:
            rest.setdefault(label, []).append(image)
    suggested: dict[int, list[int]] = {}
    for label, images in sorted(rest.items()):
        if label not in home:
            groups.append((images, False))
            continue
        own = _named_apart(images, names)
        groups += [(part, False) for part in own]
        kept = {image for part in own for image in part}
        left = [image for image in images if image not in kept]
        group = groups[home[label]][0]
        if len(left) <= len(group) or _were_merged(left, group, merged):
            suggested[home[label]] = left
        else:
            groups.append((left, False))
    return groups, suggested


def _were_merged(some: Sequence[int], others: Sequence[int], merged: Sequence[Sequence[int]]) -> bool:
    """Whether a merge has a picture among some and one among the others."""
    one, other = set(some), set(others)
    return any(not one.isdisjoint(each) and not other.isdisjoint(each) for each in merged)


def _named_apart(images: Sequence[int], names: Sequence[tuple[str, Sequence[int]]]) -> list[list[int]]:
    """Those of the images that carry a name which has most of its pictures here, by name."""
    here = set(images)
    parts = ([image for image in anchors if image in here] for _, anchors in names)
    return [part for part, (_, anchors) in zip(parts, names, strict=True) if part and 2 * len(part) > len(anchors)]


def _lasting_ids(groups: list[list[int]], before: Wall | None) -> tuple[list[int], int]:
    """Ids of groups: those of the clusters before with which they share most, else new ones."""
    next_id = before.next_id if before is not None else 0
    ids: dict[int, int] = {}
    if before is not None:
        overlaps: dict[tuple[int, int], int] = {}
        for k, members in enumerate(groups):
            for image in members:
                old = before.cluster_of.get(image)
                if old is not None:
                    overlaps[k, old] = overlaps.get((k, old), 0) + 1
        used: set[int] = set()
        for (k, old), _ in sorted(overlaps.items(), key=lambda entry: (-entry[1], entry[0])):
            if k not in ids and old not in used:
                ids[k] = old
                used.add(old)
    for k in range(len(groups)):
        if k not in ids:
            ids[k] = next_id
            next_id += 1
    return [ids[k] for k in range(len(groups))], next_id


def _call(names: Sequence[tuple[str, Sequence[int]]], cluster_of: Mapping[int, int]) -> dict[int, str]:
    called: dict[int, str] = {}
    for name, images in names:
        homes = [cluster_of[image] for image in images if image in cluster_of]
        if homes:
            ids, counts = np.unique(homes, return_counts=True)
            called[int(ids[np.argmax(counts)])] = name
    return called
