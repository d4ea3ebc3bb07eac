"""Routes of browsing: examples of every class."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request

from likewise.app.background import Background
from likewise.app.browsing import Group, examples_by_looks, examples_of_groups, members_hash
from likewise.app.live import LiveProject
from likewise.server.routes.questions import live_of
from likewise.server.schemas.pictures import BrowseRow, BrowseView

router = APIRouter()


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
) -> BrowseView:
    """Rows of examples; `working` while they are being found, with those of before until then.

    By `clusters`, a row is a cluster and the pictures around its densest spot. By `looks`, so many classes are
    looked for among all pictures, whatever was answered about them.
    """
    live, background = live_of(request), background_of(request)
    wall = live.wall
    if not wall.cluster_of:
        return BrowseView(working=False, rows=[], problem="")
    found = None
    if by == "clusters":
        clusters = sorted(wall.clusters.values(), key=lambda cluster: (-cluster.size, cluster.id))
        key = ("clusters", examples, members_hash(wall))
        arguments = (live.location, examples, [cluster.images.tolist() for cluster in clusters])
        found = background.ask("browse", key, examples_of_groups, *arguments)
    else:
        images = sorted(wall.cluster_of)
        count = min(classes or len(wall.clusters), len(images))
        key = ("looks", examples, hash((count, *images)))
        found = background.ask("browse", key, examples_by_looks, live.location, examples, images, count)
    kept = found or background.last("browse")
    same_kind = kept is not None and isinstance(kept.key, tuple) and kept.key[0] == by
    rows = kept.result if kept is not None and same_kind and kept.result else []
    problem = found.problem if found is not None else ""
    return BrowseView(working=found is None, rows=[_row(live, items) for items in rows], problem=problem)


def _row(live: LiveProject, items: Group) -> BrowseRow:
    """Examples with the cluster that most of them are in now."""
    wall = live.wall
    homes = [wall.cluster_of[image] for image in items if image in wall.cluster_of]
    cluster = wall.clusters[max(set(homes), key=lambda home: (homes.count(home), -home))] if homes else None
    return BrowseRow(
        items=list(items),
        cluster=None if cluster is None else cluster.id,
        name="" if cluster is None else cluster.name,
        size=0 if cluster is None else cluster.size,
    )
