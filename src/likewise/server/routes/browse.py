"""Browsing: n good examples of every class, from the clusters of now or from how the pictures look alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, Query, Request

from likewise.app.background import Background
from likewise.app.live import LiveProject
from likewise.app.location import Place
from likewise.app.reduction import DIMENSIONS, reduce_vectors
from likewise.app.wall import Wall
from likewise.server.routes.questions import live_of

router = APIRouter()
RESTRICTED = 400
"""Pictures of a cluster that may be the centre of its examples."""
Group = list[int]


def background_of(request: Request) -> Background:
    """Where long work is done."""
    background: Background = request.app.state.background
    return background


@router.get("/browse")
def get_browse(
    request: Request,
    examples: Annotated[int, Query(ge=1, le=50)] = 8,
    by: Literal["clusters", "looks"] = "clusters",
    classes: Annotated[int | None, Query(ge=1, le=2000)] = None,
) -> dict[str, Any]:
    """Rows of examples; `working` while they are being found, with those of before until then.

    By `clusters`, a row is a cluster and the pictures around its densest spot. By `looks`, so many classes are
    looked for among all pictures, whatever was said of them.
    """
    live, background = live_of(request), background_of(request)
    wall = live.wall
    if not wall.cluster_of:
        return {"working": False, "rows": [], "problem": ""}
    found = None
    if by == "clusters":
        clusters = sorted(wall.clusters.values(), key=lambda cluster: (-cluster.size, cluster.id))
        key = ("clusters", examples, _members(wall))
        arguments = (live.place, examples, [cluster.images.tolist() for cluster in clusters])
        found = background.ask("browse", key, examples_of_groups, *arguments)
    else:
        images = sorted(wall.cluster_of)
        count = min(classes or len(wall.clusters), len(images))
        key = ("looks", examples, hash((count, *images)))
        found = background.ask("browse", key, examples_by_looks, live.place, examples, images, count)
    kept = found or background.last("browse")
    same_kind = kept is not None and isinstance(kept.key, tuple) and kept.key[0] == by
    rows = kept.result if kept is not None and same_kind and kept.result else []
    problem = found.problem if found is not None else ""
    return {"working": found is None, "rows": [_row(live, items) for items in rows], "problem": problem}


def _row(live: LiveProject, items: Group) -> dict[str, Any]:
    """Examples with the cluster that most of them are in now."""
    wall = live.wall
    homes = [wall.cluster_of[image] for image in items if image in wall.cluster_of]
    cluster = wall.clusters[max(set(homes), key=lambda home: (homes.count(home), -home))] if homes else None
    return {
        "items": items,
        "cluster": None if cluster is None else cluster.id,
        "name": "" if cluster is None else cluster.name,
        "size": 0 if cluster is None else cluster.size,
    }


def _members(wall: Wall) -> int:
    """A number that stays the same as long as every cluster has the same pictures."""
    return hash(tuple(sorted(tuple(sorted(c.images.tolist())) for c in wall.clusters.values())))


def examples_of_groups(place: Place, examples: int, groups: Sequence[Group]) -> list[Group]:
    """The pictures around the densest spot of every group, the one in the middle first."""
    from likewise.cluster import Subclustering

    images, X = read_vectors(place, [image for group in groups for image in group])
    row_of = {image: row for row, image in enumerate(images)}
    found = []
    for group in groups:
        rows = np.array([row_of[image] for image in group if image in row_of], np.int64)
        if not len(rows):
            continue
        if len(rows) > examples:
            model = Subclustering(1, size=examples, restricted=min(RESTRICTED, len(rows)), random_state=0)
            rows = rows[model.fit(X[rows]).subclusters_[0]]
        found.append([images[row] for row in rows.tolist()])
    return found


def examples_by_looks(place: Place, examples: int, group: Group, classes: int) -> list[Group]:
    """So many subclusters of all pictures, the middle of each first."""
    from likewise.cluster import Subclustering

    images, X = read_vectors(place, group)
    model = Subclustering(min(classes, len(images)), size=examples, dtype="float32", random_state=0).fit(X)
    return [[images[row] for row in members] for members in model.subclusters_.tolist()]


def read_vectors(place: Place, images: Sequence[int]) -> tuple[list[int], Any]:
    """Those of the images that have vectors, ascending, and their vectors as the engine takes them."""
    with place.open_store(create=False) as store:
        vectors = place.find(store).vectors(place.model)
        present = vectors.present()
        there = sorted(image for image in images if image < len(present) and present[image])
        return there, reduce_vectors(vectors.rows[np.array(there, np.int64)], DIMENSIONS)
