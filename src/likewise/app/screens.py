"""What a person is shown next: a question with its pictures, a wait, or the end."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from likewise.formats.words import worded
from likewise.query.question import Form, Question
from likewise.store.statements import SCREENS

if TYPE_CHECKING:
    from likewise.app.wall import Wall
    from likewise.constraints import Constraints
    from likewise.store import Project

CLOSEST = 6  # pictures of its cluster shown beside a picture
MOST_LOOKED_AT = 200  # pictures of a cluster, most of which may be of few stacks
EXAMPLES = 3  # further pictures that stand for a group on a grid or a pick


@dataclass(frozen=True)
class ClusterBeside:
    """The cluster of a picture that is asked about, and its most central other pictures.

    Where several pictures of a question are in one cluster, only the most central of them has `closest`.
    """

    id: int
    name: str
    size: int
    closest: list[int]


@dataclass(frozen=True)
class ShownPicture:
    """A picture of a question.

    `examples` are more pictures of the group that it stands for, on a grid or a pick.
    """

    id: int
    name: str
    width: int | None
    height: int | None
    cluster: ClusterBeside | None
    examples: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class ShownQuestion:
    """A question as a person sees it.

    - `id`: The ids of its pictures.
    - `kind`: Its form.
    - `items`, list of ShownPicture: Its pictures: of a grid, the example of the group, then those that may belong to
      it; of a pick, the picture, then an example of each group.
    - `reason`: Why it is asked; empty for people who are to judge by the pictures alone.
    - `check`: Whether it was drawn at random, to see how good the clusters are.
    - `number`: The number of this answer: of all, or of the person's own.
    - `ahead`, list of int: Pictures of questions to come, so that they can be fetched.
    - `prompt`: What is asked, in the owner's words; empty for the usual ones.
    """

    id: str
    kind: Form
    items: list[ShownPicture]
    reason: str
    check: bool
    number: int
    ahead: list[int]
    prompt: str = ""


@dataclass(frozen=True)
class Waiting:
    """No question is prepared: so many pictures of all are ready; or there will be none, for a reason."""

    ready: int
    total: int
    reason: str = ""


@dataclass(frozen=True)
class Finished:
    """Nothing is left to ask."""

    reason: str = "every pair of pictures is known, or follows from what was said"


def is_face(project: Project, question: Question) -> bool:
    """Whether a question is about faces in pictures."""
    return project.item(question.items[0]).region is not None


NextScreen: TypeAlias = ShownQuestion | Waiting | Finished


def show_question(
    project: Project, wall: Wall, constraints: Constraints, question: Question, number: int, ahead: list[int]
) -> ShownQuestion:
    """A question with names, sizes, clusters and its reason."""
    shown = []
    for place, image in enumerate(question.items):
        found = project.image(image)
        name = os.fsencode(found.name).decode("utf-8", "replace")
        beside = _beside(wall, image, question)
        stands = question.kind == "pick" if place else question.kind == "grid"  # for a group
        more = _examples(wall, constraints, image, question) if stands else []
        shown.append(ShownPicture(image, name, found.width, found.height, beside, more))
    is_check = question.check > 0
    reason = worded(question.reason, is_face(project, question))
    return ShownQuestion(_id(question), question.kind, shown, reason, is_check, number, ahead, question.prompt)


def show_blind(project: Project, question: Question, number: int) -> ShownQuestion:
    """A question for somebody who is to judge by the pictures alone.

    It tells neither what others answered nor why it is asked; file names, which often say what is on the picture, are
    left out too.
    """
    found = [project.image(image) for image in question.items]
    called = worded("Picture", is_face(project, question))
    shown = [
        ShownPicture(image, f"{called} {image}", picture.width, picture.height, None)
        for image, picture in zip(question.items, found, strict=True)
    ]
    return ShownQuestion(_id(question), question.kind, shown, "", False, number, [], question.prompt)


def _examples(wall: Wall, constraints: Constraints, image: int, question: Question) -> list[int]:
    """Pictures that are known to be the same as one, the most central of its cluster first: no guess is among them."""
    same = constraints.members(image) if image < constraints.n else []
    cluster = wall.clusters.get(wall.cluster_of.get(image, -1))
    central = [] if cluster is None else cluster.images[np.isin(cluster.images, same)].tolist()
    asked = set(wall.stacks.whole(question.items))
    known = (other for other in dict.fromkeys([*central, *same]) if other not in asked)
    return wall.stacks.shown(known)[:EXAMPLES]


def _beside(wall: Wall, image: int, question: Question) -> ClusterBeside | None:
    cluster = wall.clusters.get(wall.cluster_of.get(image, -1))
    if cluster is None:
        return None
    if question.kind in SCREENS:
        return ClusterBeside(cluster.id, cluster.name, cluster.size, [])
    as_one = set(wall.stacks.whole(question.items))
    central = cluster.images[: len(as_one) + MOST_LOOKED_AT].tolist()
    closest = wall.stacks.shown(other for other in central if other not in as_one)[:CLOSEST]
    asked = [other for other in question.items if wall.cluster_of.get(other) == cluster.id]
    if len(asked) > 1 and image != int(cluster.images[np.isin(cluster.images, asked)][0]):  # the most central
        closest = []
    return ClusterBeside(cluster.id, cluster.name, cluster.size, closest)


def _id(question: Question) -> str:
    return "-".join([*([question.kind] if question.kind in SCREENS else []), *map(str, question.items)])
