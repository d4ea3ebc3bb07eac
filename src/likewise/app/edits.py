"""What people do to groups by hand: each edit as the event that it stores. No input or output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from likewise.app.evidence import FACT, Contradiction
from likewise.app.wall import Cluster, Wall
from likewise.constraints import Conflict, Constraints
from likewise.query.question import Answer
from likewise.store import Event
from likewise.store.groups import TouchedGroups

PHOTOGRAPH = "photograph"  # two faces of one photograph: different, and nobody said so
Said: TypeAlias = tuple[int, str, list[int]]  # a group, what is said, and of which pictures


class NotThereError(LookupError):
    """A picture or cluster that is not there; the text says which."""


class BreaksError(Exception):
    """An edit contradicts earlier answers; they are in `breaks`."""

    def __init__(self, breaks: list[dict[str, Any]]) -> None:
        super().__init__("this contradicts earlier answers")
        self.breaks = breaks


@dataclass(frozen=True)
class Edit:
    """A change of a group.

    - `what`: What is done.
    - `group`: Number of the group.
    - `items`, list of int: The pictures it is done to.
    - `memberships`, list of (group, membership, items): What it says.
    - `seen`, list of (group, items): The groups that it is about, as they are after it.
    - `name`: The name of the group from now on.
    - `merged`, list of int: Groups that are one with it.
    - `moves`: How many pictures it moves.
    - `together`, list of lists of int: Pictures that come together: none of one list may be known to differ from one
      of another.
    """

    what: str
    group: int
    items: list[int]
    memberships: list[Said] = field(default_factory=list)
    seen: list[tuple[int, list[int]]] = field(default_factory=list)
    name: str = ""
    merged: list[int] = field(default_factory=list)
    moves: int = 0
    together: list[list[int]] = field(default_factory=list)

    def payload(self) -> dict[str, Any]:
        """The content of its event."""
        return {
            "what": self.what,
            "group": self.group,
            "items": self.items,
            "memberships": [
                (group, said, list(dict.fromkeys(items))) for group, said, items in self.memberships if items
            ],
            "seen": self.seen,
            "name": self.name,
            "merged": self.merged,
        }

    def answers(self) -> list[Answer]:
        """What it says, as answers."""
        said = [Answer("membership", tuple(items), value, group=group) for group, value, items in self.memberships]
        return [answer for answer in said if answer.items]


def cluster_on(wall: Wall, number: int) -> Cluster:
    """One cluster of the wall."""
    cluster = wall.clusters.get(number)
    if cluster is None:
        raise NotThereError(f"cluster {number} is not there any more")
    return cluster


@dataclass(frozen=True)
class Board:
    """What an edit is made from: the clusters that people see, the groups among them, and what is known of pairs."""

    wall: Wall
    groups: TouchedGroups
    constraints: Constraints

    def cluster(self, number: int) -> Cluster:
        """One cluster."""
        return cluster_on(self.wall, number)

    def members(self, number: int) -> list[int]:
        """The pictures of a cluster, the most central first."""
        members: list[int] = self.cluster(number).images.tolist()
        return members

    def core(self, number: int, kept: Sequence[int] | None = None) -> list[int]:
        """What stands for a cluster to which nothing was said to belong so far; nothing for others.

        The most central picture of the largest set that is the same by the answers, or of all: it belongs to the group
        from now on, so that something can be said about the group.

        - `kept`: The pictures that stay in it.
        """
        kept = self.members(number) if kept is None else kept
        if not set(kept).isdisjoint(self.groups.memberships.members(number)):
            return []
        roots = [self.constraints.group_of(image) for image in kept]
        largest, size = Counter(roots).most_common(1)[0]
        return [kept[roots.index(largest)] if size > 1 else kept[0]]


def name_cluster(board: Board, number: int, name: str) -> Edit:
    """Name a cluster; it keeps the name whatever becomes of its pictures."""
    members = board.members(number)
    return Edit("name", number, members[:1], seen=[(number, members)], name=name.strip())


def confirm_cluster(board: Board, number: int) -> Edit:
    """Confirm a cluster: these pictures belong to it, and what the engine would add waits as suggestions."""
    members = board.members(number)
    return Edit("confirm", number, members, [(number, "belongs", members)], [(number, members)])


def unconfirm_cluster(board: Board, number: int) -> Edit:
    """Let a confirmed cluster change again: what the confirmation said no longer holds."""
    members, group = board.members(number), board.groups.get(number)
    by_hand = set() if group is None else group.placed
    freed = [image for image in board.groups.memberships.members(number) if image not in by_hand]
    return Edit("unconfirm", number, members, [(number, "open", freed)], [(number, members)])


def merge_clusters(board: Board, numbers: Sequence[int], name: str | None = None) -> Edit:
    """Make several clusters one: all that belong to one of them belong to it, and none leaves it.

    A group that somebody touched comes first: its number stays.
    """
    clusters = [board.cluster(number) for number in dict.fromkeys(numbers)]
    if len(clusters) < 2:
        raise ValueError("a cluster cannot be merged with itself")
    into = next((cluster for cluster in clusters if cluster.touched), clusters[0])
    clusters = [into, *(cluster for cluster in clusters if cluster is not into)]
    said = board.groups.memberships
    members = [image for cluster in clusters for image in cluster.images.tolist()]
    inside = [image for cluster in clusters for image in (*said.members(cluster.id), *board.core(cluster.id))]
    outside = dict.fromkeys(image for cluster in clusters[1:] for image in said.outsiders(cluster.id))
    here = {*members, *inside}
    return Edit(
        "merge",
        into.id,
        members,
        [(into.id, "belongs", inside), (into.id, "does_not_belong", [image for image in outside if image not in here])],
        [(into.id, members)],
        name.strip() if name is not None else next((each.name for each in clusters if each.name), ""),
        [cluster.id for cluster in clusters[1:]],
        sum(cluster.size for cluster in clusters[1:]),
        [cluster.images.tolist() for cluster in clusters],
    )


def split_cluster(board: Board, number: int, items: Sequence[int], *, as_group: bool = False) -> Edit:
    """Take pictures out of a cluster; nothing is said among them, unless they are a group of their own."""
    members, taken = board.members(number), list(dict.fromkeys(items))
    kept = [image for image in members if image not in set(taken)]
    if not set(taken) <= set(members):
        raise NotThereError(f"some of these pictures are not in cluster {number} any more")
    if not kept:
        raise ValueError("all pictures of the cluster are selected: leave at least one behind")
    said: list[Said] = [(number, "belongs", board.core(number, kept)), (number, "does_not_belong", taken)]
    if not as_group:
        return Edit("split", number, taken, said, [(number, kept)], moves=len(taken))
    new = max(board.wall.next_id, board.groups.first_free)
    said.append((new, "belongs", taken))
    return Edit("group", new, taken, said, [(number, kept), (new, taken)], moves=len(taken))


def move_pictures(board: Board, items: Sequence[int], to: int) -> Edit:
    """Move pictures to another cluster: they belong there, and no longer to where they were."""
    target = board.members(to)
    taken = [image for image in dict.fromkeys(items) if image not in set(target)]
    if not taken:
        raise ValueError("these pictures are there already")
    homes: dict[int, list[int]] = {}
    for image in taken:
        if image in board.wall.cluster_of:
            homes.setdefault(board.wall.cluster_of[image], []).append(image)
    said: list[Said] = [(to, "belongs", [*board.core(to), *taken])]
    seen = [(to, [*target, *taken])]
    suggested = set(board.cluster(to).suggested.tolist())
    for number, left in homes.items():
        if suggested.issuperset(left) and not board.cluster(number).touched:
            continue  # yes to suggestions: nobody did anything to the cluster that they wait in
        kept = [image for image in board.members(number) if image not in set(left)]
        said += [(number, "belongs", board.core(number, kept) if kept else []), (number, "does_not_belong", left)]
        seen.append((number, kept))
    return Edit("move", to, taken, said, seen, moves=len(taken), together=[target, taken])


def reject_pictures(board: Board, number: int, items: Sequence[int]) -> Edit:
    """Say that pictures do not belong to a cluster, wherever they are: a suggestion's no."""
    taken = list(dict.fromkeys(items))
    kept = [image for image in board.members(number) if image not in set(taken)]
    if not kept:
        raise ValueError("all pictures of the cluster are selected: leave at least one behind")
    moves = board.cluster(number).size - len(kept)
    said: list[Said] = [(number, "belongs", board.core(number, kept)), (number, "does_not_belong", taken)]
    return Edit("reject", number, taken, said, [(number, kept)], moves=moves)


def open_pictures(board: Board, number: int, items: Sequence[int]) -> Edit:
    """Take back what was said of pictures and a group, and nothing else."""
    taken = list(dict.fromkeys(items))
    if board.groups.get(number) is None:
        raise NotThereError(f"nobody has said anything of cluster {number}")
    return Edit("open", number, taken, [(number, "open", taken)])


def check_cluster(board: Board, number: int, items: Sequence[int], odd: Sequence[int]) -> Edit:
    """Take a look at a grid: the odd ones and those shown as one with them do not belong, the others do."""
    members, odd = set(board.members(number)), board.wall.stacks.whole(odd)
    left = [image for image in items if image not in set(odd)]
    kept = [image for image in board.members(number) if image not in set(odd)]
    kept += [image for image in left if image not in members]
    if not kept:
        raise ValueError("all pictures of the cluster are odd: leave at least one")
    said: list[Said] = [(number, "belongs", [*board.core(number, kept), *left]), (number, "does_not_belong", list(odd))]
    return Edit("check", number, list(items), said, [(number, kept)], moves=len(members & set(odd)))


def with_both_faces(edit: Edit, photographs: Sequence[Sequence[int]]) -> Edit:
    """The edit with all faces of one photograph that come together said to belong to its group.

    - `photographs`, groups of int: The faces of each photograph.
    """
    shown = set(dict(edit.seen).get(edit.group, ()))
    both = [face for faces in photographs if len(shown.intersection(faces)) > 1 for face in faces if face in shown]
    return replace(edit, memberships=[*edit.memberships, (edit.group, "belongs", both)]) if both else edit


def describe_contradictions(
    contradictions: Iterable[Contradiction], event_of: Callable[[int], Event]
) -> list[dict[str, Any]]:
    """Contradictions in plain data; `event_of` gives the event of a number."""
    found = list(contradictions)
    numbers = {number for _, seq, chain in found for number in (seq, *chain) if number > 0}
    events = {number: event_of(number) for number in numbers}
    sources = {number: (event.annotator, event.action) for number, event in events.items()}
    return [_describe(conflict, seq, chain, sources) for conflict, seq, chain in found]


def _describe(
    conflict: Conflict, seq: int, chain: Sequence[int], sources: dict[int, tuple[str, str]]
) -> dict[str, Any]:
    """A contradiction in plain data; `sources` gives who and what kind by event, number 0 is only being tried.

    What nobody said, because it is in the data, has the number 0 too, and is of the kind "photograph".
    """

    def described(statement: tuple[int, int, str], number: int) -> dict[str, Any]:
        i, j, value = statement
        who, kind = ("", PHOTOGRAPH) if number == FACT else sources.get(number, ("", ""))
        return {"seq": max(number, 0), "items": [i, j], "value": value, "annotator": who, "kind": kind}

    links = [described(link, number) for link, number in zip(conflict.chain, chain, strict=True)]
    return {"statement": described(conflict.statement, seq), "chain": links}
