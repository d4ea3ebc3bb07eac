"""One look at many pictures of a group: which are settled, and which are worth looking at."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from likewise.app.wall import Cluster

if TYPE_CHECKING:
    from likewise.app.live import LiveProject

N_CORE = 3  # settled pictures that are shown for reference


def settled_pictures(live: LiveProject, cluster: Cluster) -> set[int]:
    """The pictures of a cluster that are known to belong to it.

    Those that a person put there, and those that are the same by the answers; where nobody touched it, the largest set
    that is the same by the answers, or the most central picture.
    """
    images = cluster.images.tolist()
    constraints = live.ledger.constraints
    roots = [constraints.group_of(image) if image < constraints.n else -1 for image in images]
    inside = [root for image, root in zip(images, roots, strict=True) if image in cluster.placed]
    if not roots:
        return set()
    core = set(inside) or {Counter(roots).most_common(1)[0][0]}
    return {image for image, root in zip(images, roots, strict=True) if root in core or image in cluster.placed}


def grid_of(live: LiveProject, number: int, limit: int) -> dict[str, Any]:
    """Pictures of a cluster to look over: those that are not settled, the most doubtful first, and some that are."""
    cluster = live.cluster(number)
    settled = settled_pictures(live, cluster)
    images = cluster.images.tolist()
    open_ = [image for image in reversed(images) if image not in settled]
    core = [image for image in images if image in settled][:N_CORE]
    return {
        "cluster": number,
        "name": cluster.name,
        "size": cluster.size,
        "core": core,
        "items": open_[:limit],
        "n_left": len(open_),
        "next": _next(live, number),
    }


def _next(live: LiveProject, number: int) -> int | None:
    """The group with most pictures that are not settled, this one left out."""
    left = {
        cluster.id: cluster.size - len(settled_pictures(live, cluster))
        for cluster in live.wall.clusters.values()
        if cluster.id != number and cluster.size > 1
    }
    return max((each for each in left if left[each]), key=lambda each: (left[each], -each), default=None)
