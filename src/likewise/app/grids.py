"""One look at many pictures of a group: which are settled, and which are worth looking at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from likewise.app.evidence import SourcedLedger
from likewise.app.placing import is_among
from likewise.app.shown_stacks import Stacks
from likewise.app.wall import Cluster, Wall

if TYPE_CHECKING:
    from likewise.app.live import LiveProject

Indices: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
N_CORE = 3  # settled pictures that are shown for reference


class SettledPictures:
    """The pictures of clusters that are known to belong to them.

    Those that a person put there, and those that are the same by the answers; where nobody touched it, the largest set
    that is the same by the answers, or the most central picture.

    - `clusters`, sequence of Cluster: All found at once; none is empty.
    - `groups` (n,): By picture: a number that pictures known to be the same share.
    - `stacks`: Pictures of which each goes where the others go: one of them is settled, and all are.
    """

    def __init__(self, clusters: Sequence[Cluster], groups: Indices, stacks: Stacks | None = None) -> None:
        self._at = {cluster.id: k for k, cluster in enumerate(clusters)}
        self._clusters = clusters
        self.numbers = np.array([cluster.id for cluster in clusters], np.int64)
        self.sizes = np.array([cluster.size for cluster in clusters], np.int64)
        self._stops = np.cumsum(self.sizes)
        self._flags = self._find(clusters, groups)
        if stacks is not None and stacks.members:
            self._spread(stacks)
        counts = np.concatenate([[0], np.cumsum(self._flags)])
        self.n_settled = counts[self._stops] - counts[self._stops - self.sizes]

    def has(self, cluster: Cluster) -> bool:
        """Whether this very cluster is among them."""
        k = self._at.get(cluster.id)
        return k is not None and self._clusters[k] is cluster

    def of(self, cluster: Cluster) -> Flags:
        """Whether each picture of a cluster is settled, in their order there."""
        k = self._at[cluster.id]
        flags: Flags = self._flags[self._stops[k] - self.sizes[k] : self._stops[k]]
        return flags

    def _spread(self, stacks: Stacks) -> None:
        images = np.concatenate([np.empty(0, np.int64), *(cluster.images for cluster in self._clusters)]).tolist()
        settled = {image for image, flag in zip(images, self._flags.tolist(), strict=True) if flag}
        whole = set(stacks.whole(image for image in settled if image in stacks.members))
        self._flags = self._flags | np.fromiter((image in whole for image in images), bool, len(images))

    def _find(self, clusters: Sequence[Cluster], groups: Indices) -> Flags:
        """By picture of all clusters, one after the other: whether it is settled."""
        if not clusters:
            return np.zeros(0, bool)
        images = np.concatenate([cluster.images for cluster in clusters])
        at = np.repeat(np.arange(len(clusters)), self.sizes)
        known = images < len(groups)
        group = np.zeros(len(images), np.int64)  # 0 for pictures that came after the last answer
        group[known] = groups[images[known]] + 1
        by_hand = np.zeros(int(images.max()) + 1, bool)
        by_hand[list(chain.from_iterable(cluster.placed for cluster in clusters))] = True
        placed = by_hand[images]
        touched = np.bincount(at[placed], minlength=len(clusters)) > 0
        codes = at * (len(groups) + 1) + group
        core = np.sort(np.concatenate([codes[placed], self._largest_sets(codes, at, group, touched)]))
        flags: Flags = placed | is_among(codes, core)
        return flags

    def _largest_sets(self, codes: Indices, at: Indices, group: Indices, touched: Flags) -> Indices:
        """The largest set of each cluster that nobody touched, the first of several, as codes."""
        largest = codes[self._stops - self.sizes]  # the first picture, where none are the same
        some = np.flatnonzero((np.bincount(group)[group] > 1) & ~touched[at])
        some = some[np.argsort(codes[some], kind="stable")]
        starts = np.flatnonzero(np.diff(codes[some], prepend=-1))
        counts, first = np.diff(starts, append=len(some)), some[starts]
        first, counts = first[counts > 1], counts[counts > 1]
        order = np.lexsort((first, -counts))[::-1]  # the best of each cluster is written last
        largest[at[first[order]]] = codes[first[order]]
        sets: Indices = largest[~touched]
        return sets


_kept: WeakKeyDictionary[SourcedLedger, tuple[Wall, int, SettledPictures]] = WeakKeyDictionary()


def settled_on(live: LiveProject) -> SettledPictures:
    """The settled pictures of all clusters on the wall; found anew when something was said or moved."""
    wall, ledger = live.wall, live.ledger
    kept = _kept.get(ledger)
    if kept is None or kept[0] is not wall or kept[1] != ledger.version:
        version = ledger.version
        found = SettledPictures(list(wall.clusters.values()), ledger.groups_of_items(), wall.stacks)
        kept = _kept[ledger] = (wall, version, found)
    return kept[2]


def settled_pictures(live: LiveProject, cluster: Cluster) -> set[int]:
    """The pictures of a cluster that are known to belong to it; see :class:`SettledPictures`."""
    if not cluster.size:
        return set()
    found = settled_on(live)
    if not found.has(cluster):  # of another wall than that of now
        found = SettledPictures([cluster], live.ledger.groups_of_items(), live.wall.stacks)
    return set(cluster.images[found.of(cluster)].tolist())


def grid_of(live: LiveProject, number: int, limit: int) -> dict[str, Any]:
    """Pictures of a cluster to look over: those that are not settled, the most doubtful first, and some that are."""
    cluster = live.cluster(number)
    settled = settled_pictures(live, cluster)
    images = live.wall.stacks.shown(cluster.images.tolist())
    open_ = [image for image in reversed(images) if image not in settled]
    core = [image for image in images if image in settled][:N_CORE]
    return {
        "cluster": number,
        "name": cluster.name,
        "size": cluster.size,
        "core": core,
        "items": open_[:limit],
        "n_left": len(open_),
        "next": _next(settled_on(live), number),
    }


def _next(found: SettledPictures, number: int) -> int | None:
    """The group with most pictures that are not settled, this one left out."""
    left = np.where((found.sizes > 1) & (found.numbers != number), found.sizes - found.n_settled, 0)
    most = int(left.max(initial=0))
    return int(found.numbers[left == most].min()) if most else None
