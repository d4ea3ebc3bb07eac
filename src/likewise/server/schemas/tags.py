"""Tags: which there are, the tree learned from them, and suggestions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, StringConstraints

from likewise.server.schemas.fields import Form, Ids, View
from likewise.store.payloads import tidy_tag

TagName = Annotated[str, StringConstraints(max_length=100, pattern=r"\S"), AfterValidator(tidy_tag)]


class TagForm(Form):
    """A tag for pictures: it is right, it is wrong, or it is open again."""

    items: Ids
    name: TagName
    value: Literal["yes", "no", "open"] = "yes"


class TagCountView(View):
    """A tag and how many pictures have it."""

    name: str
    count: int


class TreeTagView(View):
    """A tag of the tree; the index of its parent is -1 at the top."""

    name: str
    index: int
    parent: int
    parent_name: str | None
    depth: int
    count: int | None


class TagTreeView(View):
    """The tree, every tag before its children; `alpha` is the share of the tags that is missing."""

    tags: list[TreeTagView]
    edges: list[tuple[int, int]]
    alpha: float


class TagsView(View):
    """All tags and the tree that was learned last; `stale` where tags changed since."""

    tags: list[TagCountView]
    tagged: int
    can_learn: bool
    working: bool
    stale: bool
    problem: str
    tree: TagTreeView | None
    svg: str | None
    suggested: int


class TagVotesView(View):
    """How many of some pictures have a tag, and for how many it was rejected."""

    name: str
    yes: int
    no: int


class PictureTagsView(View):
    """The tags of `n` pictures."""

    n: int
    tags: list[TagVotesView]


class LearningView(View):
    """Whether the tree is being learned."""

    working: bool


class SuggestionView(View):
    """A tag that a picture probably lacks."""

    image: int
    tag: str
    probability: float


class SuggestionListView(View):
    """Some of the suggestions, and how many there are."""

    total: int
    suggestions: list[SuggestionView]
