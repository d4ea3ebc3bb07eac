"""What people do to clusters by hand: each edit as the events that it stores. No input or output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from likewise.app.wall import Cluster, Wall
from likewise.constraints import Conflict

EventData: TypeAlias = tuple[str, dict[str, Any]]  # the kind of an event and its payload


class NotThereError(LookupError):
    """A picture or cluster that is not there; the text says which."""


class BreaksError(Exception):
    """An edit contradicts earlier answers; they are in `breaks`."""

    def __init__(self, breaks: list[dict[str, Any]]) -> None:
        super().__init__("this contradicts earlier answers")
        self.breaks = breaks


@dataclass(frozen=True)
class Edit:
    """A change of clusters.

    - `kind`, `payload`, str, dict: The event.
    - `moves`: How many pictures it moves.
    - `then`, tuple of (kind, payload): Events that go with it: one step, undone as one.
    """

    kind: str
    payload: dict[str, Any]
    moves: int = 0
    then: tuple[EventData, ...] = ()

    def events(self) -> list[EventData]:
        """All events of the step."""
        return [(self.kind, self.payload), *self.then]


def cluster_on(wall: Wall, number: int) -> Cluster:
    """One cluster of the wall."""
    cluster = wall.clusters.get(number)
    if cluster is None:
        raise NotThereError(f"cluster {number} is not there any more")
    return cluster


def name_cluster(wall: Wall, number: int, name: str) -> Edit:
    """Name a cluster; the name stays with its pictures."""
    return Edit("name", {"items": _members(wall, number), "name": name.strip()})


def confirm_cluster(wall: Wall, number: int) -> Edit:
    """Confirm a cluster: these pictures are the same, and the group never changes silently."""
    return Edit("confirm", {"items": _members(wall, number)})


def unconfirm_cluster(wall: Wall, number: int) -> Edit:
    """Let a confirmed cluster change again."""
    return Edit("unconfirm", {"items": _members(wall, number)})


def merge_clusters(wall: Wall, numbers: Sequence[int], name: str | None = None) -> Edit:
    """Make several clusters one; where two or more are confirmed, what they hold stays confirmed."""
    clusters = [cluster_on(wall, number) for number in dict.fromkeys(numbers)]
    groups = [cluster.images.tolist() for cluster in clusters]
    confirmed = [cluster.images.tolist() for cluster in clusters if cluster.confirmed]
    then: list[EventData] = []
    if len(confirmed) > 1:
        then.append(("confirm", {"items": [image for group in confirmed for image in group]}))
    if name is not None:
        items = [image for group in groups for image in group]
        then.append(("name", {"items": items, "name": name.strip()}))
    return Edit("merge", {"groups": groups}, sum(map(len, groups[1:])), tuple(then))


def split_cluster(wall: Wall, number: int, items: Sequence[int]) -> Edit:
    """Make some pictures of a cluster one of their own."""
    cluster = cluster_on(wall, number)
    members, taken = cluster.images.tolist(), list(dict.fromkeys(items))
    kept = [image for image in members if image not in set(taken)]
    if not set(taken) <= set(members):
        raise NotThereError(f"some of these pictures are not in cluster {number} any more")
    if not kept:
        raise ValueError("all pictures of the cluster are selected: leave at least one behind")
    then: tuple[EventData, ...] = (("unconfirm", {"items": taken}),) if cluster.confirmed else ()
    return Edit("split", {"kept": kept, "taken": taken}, len(taken), then)


def move_pictures(wall: Wall, items: Sequence[int], to: int) -> Edit:
    """Move pictures to another cluster; a confirmed cluster that they join has them confirmed too."""
    joined = cluster_on(wall, to)
    target = joined.images.tolist()
    taken = [image for image in dict.fromkeys(items) if image not in set(target)]
    if not taken:
        raise ValueError("these pictures are there already")
    homes = {wall.cluster_of[image] for image in taken if image in wall.cluster_of} - {to}
    source: list[int] = []
    if len(homes) == 1:
        source = [image for image in _members(wall, homes.pop()) if image not in set(taken)]
    left = [k for k in taken if k in wall.cluster_of and wall.clusters[wall.cluster_of[k]].confirmed]
    then: list[EventData] = [("unconfirm", {"items": left})] if left else []
    if joined.confirmed:
        then.append(("confirm", {"items": target + taken}))
    payload = {"taken": taken, "target": target, "source": source}
    return Edit("move", payload, len(taken), tuple(then))


def describe_conflict(
    conflict: Conflict, seq: int, chain: Sequence[int], sources: dict[int, tuple[str, str]]
) -> dict[str, Any]:
    """A contradiction in plain data; `sources` gives who and what kind by event, number 0 is only being tried."""

    def described(statement: tuple[int, int, str], number: int) -> dict[str, Any]:
        i, j, value = statement
        who, kind = sources.get(number, ("", ""))
        return {"seq": number, "items": [i, j], "value": value, "annotator": who, "kind": kind}

    links = [described(link, number) for link, number in zip(conflict.chain, chain, strict=True)]
    return {"statement": described(conflict.statement, seq), "chain": links}


def _members(wall: Wall, number: int) -> list[int]:
    members: list[int] = cluster_on(wall, number).images.tolist()
    return members
