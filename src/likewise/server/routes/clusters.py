"""Routes of the clusters: look at them, name, merge, split, move, confirm; contradictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request

from likewise.app import editing, edits, steps
from likewise.app.edits import Board, Edit
from likewise.app.facts import matching
from likewise.app.grids import settled_pictures
from likewise.app.live import LiveProject
from likewise.app.wall import Cluster
from likewise.server.routes.questions import live_of, person_named
from likewise.server.routes.search import Wanted
from likewise.server.schemas.clusters import (
    ChangeForm,
    ChangeView,
    ClusterForm,
    ClusterListView,
    ClusterPageView,
    ConfirmForm,
    MergeForm,
    MoveForm,
    NamedView,
    NameForm,
    NameView,
    PicturesForm,
    SplitForm,
    StackForm,
    WithdrawForm,
)
from likewise.server.schemas.fields import Form, Stored, StoredWithRest
from likewise.server.schemas.questions import ConflictView

router = APIRouter()
COVER, COVER_FROM = 8, 200  # pictures that stand for a cluster, from the most central ones
Offset = Annotated[int, Query(ge=0)]
Limit = Annotated[int, Query(ge=1, le=1000)]


@router.get("/clusters", response_model=ClusterListView)
def get_clusters(
    request: Request,
    wanted: Wanted,
    sort: Literal["size", "doubt", "name"] = "size",
    offset: Offset = 0,
    limit: Limit = 100,
) -> dict[str, Any]:
    """Clusters of the wall, some at a time; with a filter those that have pictures which it lets through.

    Their covers are of these pictures. `q` looks for words in the name, in tags and in paths.
    """
    live = live_of(request)
    wall = live.wall
    some = None if wanted.is_empty else set(matching(live, wanted))
    orders = {
        "size": lambda c: (-c.size, c.id),
        "doubt": lambda c: (-c.mean_doubt, -c.size, c.id),
        "name": lambda c: (not c.name, c.name.casefold(), -c.size, c.id),
    }
    found = list(wall.clusters.values())
    if some is not None:
        homes = {wall.cluster_of[image] for image in some if image in wall.cluster_of}
        found = [each for each in found if each.id in homes]
    ordered = sorted(found, key=orders[sort])
    return {
        "version": wall.version,
        "total": len(ordered),
        "n_images": len(wall.cluster_of) if some is None else len(some & set(wall.cluster_of)),
        "clusters": [_brief(live, cluster, some) for cluster in ordered[offset : offset + limit]],
    }


@router.get("/clusters/{number:int}", response_model=ClusterPageView)
def get_cluster(
    number: int, request: Request, sort: Literal["doubt", "central"] = "central", offset: Offset = 0, limit: Limit = 200
) -> dict[str, Any]:
    """One cluster and its pictures, some at a time."""
    live = live_of(request)
    cluster = live.cluster(number)
    order = slice(None) if sort == "central" else slice(None, None, -1)
    stacks, settled = live.wall.stacks, settled_pictures(live, cluster)
    shown = stacks.shown(cluster.images[order].tolist())
    doubt = dict(zip(cluster.images.tolist(), cluster.doubt.tolist(), strict=True))
    members = [
        {
            "id": image,
            "doubt": round(doubt[image], 3),
            "settled": image in settled,
            "placed": image in cluster.placed,
            "stack": list(stacks.members.get(image, ())),
        }
        for image in shown[offset : offset + limit]
    ]
    about = {"members": members, "n_shown": len(shown), "suggested": cluster.suggested.tolist()}
    return {**_brief(live, cluster), **about}


@router.post("/stacks/apart", response_model=Stored)
def take_apart(form: StackForm, request: Request) -> dict[str, Any]:
    """Take pictures out of their stacks: each is asked about and shown by itself from now on."""
    live, person = live_of(request), person_named(form.annotator)
    return {"seq": editing.take_apart(live, person, form.items, key=form.key).seq}


@router.get("/names", response_model=list[NameView])
def get_names(request: Request) -> list[dict[str, Any]]:
    """The names that are used, each with its clusters."""
    found: dict[str, list[Cluster]] = {}
    for cluster in live_of(request).wall.clusters.values():
        if cluster.name:
            found.setdefault(cluster.name, []).append(cluster)
    return [
        {"name": name, "clusters": [each.id for each in some], "size": sum(each.size for each in some)}
        for name, some in sorted(found.items(), key=lambda entry: entry[0].casefold())
    ]


@router.post("/clusters/name", response_model=NamedView)
def name_cluster(form: NameForm, request: Request) -> dict[str, Any]:
    """Name a cluster, for good; tells which others have the same name."""
    done = _do(request, form, lambda board: edits.name_cluster(board, form.cluster, form.name))
    name = form.name.strip()
    same = [each.id for each in live_of(request).wall.clusters.values() if name and each.name == name]
    return {**done, "same_name": [number for number in same if number != form.cluster]}


@router.post("/clusters/merge", response_model=ChangeView, response_model_exclude_unset=True)
def merge_clusters(form: MergeForm, request: Request) -> dict[str, Any]:
    """Say that clusters are one."""
    return _change(request, form, lambda board: edits.merge_clusters(board, form.clusters, form.name))


@router.post("/clusters/split", response_model=ChangeView, response_model_exclude_unset=True)
def split_cluster(form: SplitForm, request: Request) -> dict[str, Any]:
    """Say that pictures do not belong to their cluster; with `as_group` that they are one of their own."""

    def split(board: Board) -> Edit:
        return edits.split_cluster(board, form.cluster, form.items, as_group=form.as_group)

    return _change(request, form, split)


@router.post("/clusters/move", response_model=ChangeView, response_model_exclude_unset=True)
def move_pictures(form: MoveForm, request: Request) -> dict[str, Any]:
    """Say that pictures belong to another cluster."""
    return _change(request, form, lambda board: edits.move_pictures(board, form.items, form.to))


@router.post("/clusters/confirm", response_model=ChangeView, response_model_exclude_unset=True)
def confirm_cluster(form: ConfirmForm, request: Request) -> dict[str, Any]:
    """Confirm a cluster: these pictures belong to it, and it does not change by itself."""
    return _change(request, form, lambda board: edits.confirm_cluster(board, form.cluster))


@router.post("/clusters/reject", response_model=ChangeView, response_model_exclude_unset=True)
def reject_pictures(form: PicturesForm, request: Request) -> dict[str, Any]:
    """Say that pictures do not belong to a cluster, wherever they are: no to suggestions."""
    return _change(request, form, lambda board: edits.reject_pictures(board, form.cluster, form.items))


@router.post("/clusters/open", response_model=ChangeView, response_model_exclude_unset=True)
def open_pictures(form: PicturesForm, request: Request) -> dict[str, Any]:
    """Take back what was said of pictures and a group, and nothing else."""
    return _change(request, form, lambda board: edits.open_pictures(board, form.cluster, form.items))


@router.post("/clusters/unconfirm", response_model=Stored)
def unconfirm_cluster(form: ClusterForm, request: Request) -> dict[str, Any]:
    """Let a confirmed cluster change again: what confirming it said no longer holds."""
    return _do(request, form, lambda board: edits.unconfirm_cluster(board, form.cluster))


@router.get("/conflicts", response_model=list[ConflictView])
def get_conflicts(request: Request) -> list[dict[str, Any]]:
    """Contradictions: the answer that was set aside, and the chain that says the opposite."""
    return live_of(request).conflicts()


@router.post("/conflicts/resolve", response_model=StoredWithRest)
def resolve_conflict(form: WithdrawForm, request: Request) -> dict[str, Any]:
    """Take back what was wrong: answers, of an edit only what contradicts, of a grid or a pick only the pair."""
    live = live_of(request)
    seq = steps.resolve(live, person_named(form.annotator), form.withdraw, key=form.key, pair=form.pair).seq
    return {"seq": seq, "left": len(live.conflicts())}


def _brief(live: LiveProject, cluster: Cluster, some: set[int] | None = None) -> dict[str, Any]:
    stacks = live.wall.stacks
    images = cluster.images.tolist() if some is None else [image for image in cluster.images.tolist() if image in some]
    cover = stacks.shown(images[:COVER_FROM])[:COVER]
    return {
        "id": cluster.id,
        "name": cluster.name,
        "size": cluster.size,
        "touched": cluster.touched,
        "confirmed": cluster.confirmed,
        "n_settled": len(settled_pictures(live, cluster)),
        "doubt": round(cluster.mean_doubt, 3),
        "cover": cover,
        "cover_stacks": [len(stacks.of_picture(image)) for image in cover],
        "n_suggested": len(cluster.suggested),
        "n_wanted": len(images),
    }


def _do(request: Request, form: Form, make: Callable[[Board], Edit]) -> dict[str, Any]:
    done = editing.edit(live_of(request), person_named(form.annotator), make, key=form.key)
    return {"seq": done["seq"]}


def _change(request: Request, form: ChangeForm, make: Callable[[Board], Edit]) -> dict[str, Any]:
    live, person = live_of(request), person_named(form.annotator)
    return editing.edit(
        live, person, make, key=form.key, withdraw=form.withdraw, twice=form.twice, preview=form.preview
    )
