"""Routes of the clusters: look at them, name, merge, split, move, confirm; contradictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request

from likewise.app.live import BreaksError, LiveProject, NotThereError
from likewise.app.wall import Cluster
from likewise.server.routes.questions import live_of
from likewise.server.schemas import (
    ChangeForm,
    ClusterForm,
    ConfirmForm,
    MergeForm,
    MoveForm,
    NameForm,
    SplitForm,
    WithdrawForm,
)

router = APIRouter()
COVER = 8
Also = tuple[str, dict[str, Any]]  # an event that goes with a change: its kind and what it says
Offset = Annotated[int, Query(ge=0)]
Limit = Annotated[int, Query(ge=1, le=1000)]


@router.get("/clusters")
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


@router.get("/clusters/{number:int}")
def get_cluster(
    number: int,
    request: Request,
    sort: Literal["doubt", "central"] = "central",
    offset: Offset = 0,
    limit: Limit = 200,
) -> dict[str, Any]:
    """One cluster and its pictures, some at a time."""
    live = live_of(request)
    cluster = live.cluster(number)
    order = slice(None) if sort == "central" else slice(None, None, -1)
    images = cluster.images[order][offset : offset + limit].tolist()
    doubt = cluster.doubt[order][offset : offset + limit].tolist()
    known = live.desk.constraints.known
    centre = int(cluster.images[0]) if cluster.size else -1
    members = [
        {"id": image, "doubt": round(d, 3), "settled": image == centre or known(image, centre) == "same"}
        for image, d in zip(images, doubt, strict=True)
    ]
    return {**_brief(cluster), "members": members, "suggested": cluster.suggested.tolist()}


@router.post("/clusters/name")
def name_cluster(form: NameForm, request: Request) -> dict[str, Any]:
    """Name a cluster; the name stays with its pictures."""
    live = live_of(request)
    if (seq := live.done(form.key)) is not None:
        return {"seq": seq}
    payload = {"items": live.cluster(form.cluster).images.tolist(), "name": form.name.strip()}
    return {"seq": live.append("name", payload, annotator=form.annotator, key=form.key).seq}


@router.post("/clusters/merge")
def merge_clusters(form: MergeForm, request: Request) -> dict[str, Any]:
    """Say that clusters are one."""
    live = live_of(request)
    if (seq := live.done(form.key)) is not None:
        return {"seq": seq}
    groups = [live.cluster(number).images.tolist() for number in dict.fromkeys(form.clusters)]
    then: list[Also] = []
    frozen = [c for c in map(live.cluster, dict.fromkeys(form.clusters)) if c.confirmed]
    if len(frozen) > 1:
        then.append(("confirm", {"items": [image for c in frozen for image in c.images.tolist()]}))
    if form.name is not None:
        items = [image for group in groups for image in group]
        then.append(("name", {"items": items, "name": form.name.strip()}))
    return _change(live, "merge", {"groups": groups}, form, moves=sum(map(len, groups[1:])), then=then)


@router.post("/clusters/split")
def split_cluster(form: SplitForm, request: Request) -> dict[str, Any]:
    """Say that some pictures of a cluster are one of their own."""
    live = live_of(request)
    if (seq := live.done(form.key)) is not None:
        return {"seq": seq}
    cluster = live.cluster(form.cluster)
    taken = list(dict.fromkeys(form.items))
    kept = [image for image in cluster.images.tolist() if image not in set(taken)]
    if not set(taken) <= set(cluster.images.tolist()):
        raise NotThereError(f"some of these pictures are not in cluster {form.cluster} any more")
    if not kept:
        raise ValueError("all pictures of the cluster are selected: leave at least one behind")
    then: list[Also] = [("unconfirm", {"items": taken})] if cluster.confirmed else []
    return _change(live, "split", {"kept": kept, "taken": taken}, form, moves=len(taken), then=then)


@router.post("/clusters/move")
def move_pictures(form: MoveForm, request: Request) -> dict[str, Any]:
    """Say that pictures belong to another cluster."""
    live = live_of(request)
    if (seq := live.done(form.key)) is not None:
        return {"seq": seq}
    joined = live.cluster(form.to)
    target = joined.images.tolist()
    taken = [image for image in dict.fromkeys(form.items) if image not in set(target)]
    if not taken:
        raise ValueError("these pictures are there already")
    homes = {live.wall.cluster_of.get(image) for image in taken} - {None, form.to}
    source: list[int] = []
    if len(homes) == 1:
        source = [k for k in live.cluster(int(homes.pop() or 0)).images.tolist() if k not in set(taken)]
    clusters, home = live.wall.clusters, live.wall.cluster_of
    left = [image for image in taken if image in home and clusters[home[image]].confirmed]
    then: list[Also] = [("unconfirm", {"items": left})] if left else []
    if joined.confirmed:
        then.append(("confirm", {"items": target + taken}))
    payload = {"taken": taken, "target": target, "source": source}
    return _change(live, "move", payload, form, moves=len(taken), then=then)


@router.post("/clusters/confirm")
def confirm_cluster(form: ConfirmForm, request: Request) -> dict[str, Any]:
    """Confirm a cluster: these pictures are the same, and the group never changes silently."""
    live = live_of(request)
    if (seq := live.done(form.key)) is not None:
        return {"seq": seq}
    return _change(live, "confirm", {"items": live.cluster(form.cluster).images.tolist()}, form)


@router.post("/clusters/unconfirm")
def unconfirm_cluster(form: ClusterForm, request: Request) -> dict[str, Any]:
    """Let a confirmed cluster change again: what confirming it said no longer holds."""
    live = live_of(request)
    if (seq := live.done(form.key)) is not None:
        return {"seq": seq}
    items = live.cluster(form.cluster).images.tolist()
    return {"seq": live.append("unconfirm", {"items": items}, annotator=form.annotator, key=form.key).seq}


@router.get("/conflicts")
def get_conflicts(request: Request) -> list[dict[str, Any]]:
    """Contradictions: the answer that was set aside, and the chain that says the opposite."""
    return live_of(request).conflicts()


@router.post("/conflicts/resolve")
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


def _change(
    live: LiveProject,
    kind: str,
    payload: dict[str, Any],
    form: ChangeForm,
    *,
    moves: int = 0,
    then: Sequence[Also] = (),
) -> dict[str, Any]:
    """Say what a change contradicts; store it when nothing does, or when those answers are taken back."""
    breaks = live.would_break(kind, payload, form.withdraw, then)
    if form.preview:
        return {"breaks": breaks, "moves": moves}
    if breaks:
        raise BreaksError(breaks)
    event = live.append(
        kind, payload, annotator=form.annotator, key=form.key, withdraw=form.withdraw, then=then
    )
    return {"seq": event.seq, "moves": moves}
