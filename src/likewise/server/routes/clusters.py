"""Routes of the clusters: look at them, name, merge, split, move, confirm; contradictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request

from likewise.app import editing, edits
from likewise.app.edits import Edit
from likewise.app.wall import Cluster, Wall
from likewise.server.routes.questions import live_of, person_named
from likewise.server.schemas.clusters import (
    ChangeForm,
    ChangeView,
    ClusterForm,
    ClusterListView,
    ClusterPageView,
    ConfirmForm,
    MergeForm,
    MoveForm,
    NameForm,
    SplitForm,
    WithdrawForm,
)
from likewise.server.schemas.fields import Form, Stored, StoredWithRest
from likewise.server.schemas.questions import ConflictView

router = APIRouter()
COVER = 8
Offset = Annotated[int, Query(ge=0)]
Limit = Annotated[int, Query(ge=1, le=1000)]


@router.get("/clusters", response_model=ClusterListView)
def get_clusters(
    request: Request, sort: Literal["size", "doubt", "name"] = "size", offset: Offset = 0, limit: Limit = 100
) -> dict[str, Any]:
    """Clusters of the wall, some at a time."""
    wall = live_of(request).wall
    orders = {
        "size": lambda c: (-c.size, c.id),
        "doubt": lambda c: (-c.mean_doubt, -c.size, c.id),
        "name": lambda c: (not c.name, c.name.casefold(), -c.size, c.id),
    }
    ordered = sorted(wall.clusters.values(), key=orders[sort])
    return {
        "version": wall.version,
        "total": len(ordered),
        "n_images": len(wall.cluster_of),
        "clusters": [_brief(cluster) for cluster in ordered[offset : offset + limit]],
    }


@router.get("/clusters/{number:int}", response_model=ClusterPageView)
def get_cluster(
    number: int, request: Request, sort: Literal["doubt", "central"] = "central", offset: Offset = 0, limit: Limit = 200
) -> dict[str, Any]:
    """One cluster and its pictures, some at a time."""
    live = live_of(request)
    cluster = live.cluster(number)
    order = slice(None) if sort == "central" else slice(None, None, -1)
    images = cluster.images[order][offset : offset + limit].tolist()
    doubt = cluster.doubt[order][offset : offset + limit].tolist()
    known = live.ledger.constraints.known
    centre = int(cluster.images[0]) if cluster.size else -1
    members = [
        {"id": image, "doubt": round(d, 3), "settled": image == centre or known(image, centre) == "same"}
        for image, d in zip(images, doubt, strict=True)
    ]
    return {**_brief(cluster), "members": members, "suggested": cluster.suggested.tolist()}


@router.post("/clusters/name", response_model=Stored)
def name_cluster(form: NameForm, request: Request) -> dict[str, Any]:
    """Name a cluster; the name stays with its pictures."""
    return _do(request, form, lambda wall: edits.name_cluster(wall, form.cluster, form.name))


@router.post("/clusters/merge", response_model=ChangeView, response_model_exclude_unset=True)
def merge_clusters(form: MergeForm, request: Request) -> dict[str, Any]:
    """Say that clusters are one."""
    return _change(request, form, lambda wall: edits.merge_clusters(wall, form.clusters, form.name))


@router.post("/clusters/split", response_model=ChangeView, response_model_exclude_unset=True)
def split_cluster(form: SplitForm, request: Request) -> dict[str, Any]:
    """Say that some pictures of a cluster are one of their own."""
    return _change(request, form, lambda wall: edits.split_cluster(wall, form.cluster, form.items))


@router.post("/clusters/move", response_model=ChangeView, response_model_exclude_unset=True)
def move_pictures(form: MoveForm, request: Request) -> dict[str, Any]:
    """Say that pictures belong to another cluster."""
    return _change(request, form, lambda wall: edits.move_pictures(wall, form.items, form.to))


@router.post("/clusters/confirm", response_model=ChangeView, response_model_exclude_unset=True)
def confirm_cluster(form: ConfirmForm, request: Request) -> dict[str, Any]:
    """Confirm a cluster: these pictures are the same, and the group never changes silently."""
    return _change(request, form, lambda wall: edits.confirm_cluster(wall, form.cluster))


@router.post("/clusters/unconfirm", response_model=Stored)
def unconfirm_cluster(form: ClusterForm, request: Request) -> dict[str, Any]:
    """Let a confirmed cluster change again: what confirming it said no longer holds."""
    return _do(request, form, lambda wall: edits.unconfirm_cluster(wall, form.cluster))


@router.get("/conflicts", response_model=list[ConflictView])
def get_conflicts(request: Request) -> list[dict[str, Any]]:
    """Contradictions: the answer that was set aside, and the chain that says the opposite."""
    return live_of(request).conflicts()


@router.post("/conflicts/resolve", response_model=StoredWithRest)
def resolve_conflict(form: WithdrawForm, request: Request) -> dict[str, Any]:
    """Take back the answers that were wrong."""
    live = live_of(request)
    seq = live.withdraw(form.withdraw, annotator=form.annotator, key=form.key).seq
    return {"seq": seq, "left": len(live.conflicts())}


def _brief(cluster: Cluster) -> dict[str, Any]:
    return {
        "id": cluster.id,
        "name": cluster.name,
        "size": cluster.size,
        "confirmed": cluster.confirmed,
        "doubt": round(cluster.mean_doubt, 3),
        "cover": cluster.images[:COVER].tolist(),
        "n_suggested": len(cluster.suggested),
    }


def _do(request: Request, form: Form, make: Callable[[Wall], Edit]) -> dict[str, Any]:
    done = editing.edit(live_of(request), person_named(form.annotator), make, key=form.key)
    return {"seq": done["seq"]}


def _change(request: Request, form: ChangeForm, make: Callable[[Wall], Edit]) -> dict[str, Any]:
    live, person = live_of(request), person_named(form.annotator)
    return editing.edit(live, person, make, key=form.key, withdraw=form.withdraw, preview=form.preview)
