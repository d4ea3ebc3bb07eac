"""Crowd work: pages of pictures for keywords or for groups."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from likewise.server.schemas.fields import EXACT, WHOLE, Form, Id, Seconds, View

Word = Annotated[str, StringConstraints(max_length=100)]


class KeywordsForm(BaseModel):
    """A picture and its keywords."""

    model_config = EXACT

    item: Id
    words: Annotated[list[Word], Field(max_length=100)]


class HitForm(Form):
    """A page that is done: keywords of its pictures, or groups of them."""

    hit: Annotated[int, Field(ge=0, lt=10_000_000), WHOLE]
    keywords: Annotated[list[KeywordsForm], Field(min_length=1, max_length=1000)] | None = None
    groups: Annotated[list[Annotated[list[Id], Field(max_length=1000)]], Field(max_length=1000)] | None = None
    seconds: Seconds


class HitView(View):
    """A page of pictures."""

    number: int
    items: list[int]


class CrowdView(View):
    """The page that a person has, if any, and how many they did."""

    name: str
    kind: Literal["keywords", "grouping"]
    hit: HitView | None
    done: int


class NextHitView(CrowdView):
    """The next page; `finished` where there is none for this person."""

    finished: bool


class HitResult(CrowdView):
    """A page that was stored."""

    seq: int


class ReopenedHitView(CrowdView):
    """A page that was taken back, with its marks, which are left out where it had been taken back before."""

    before: dict[str, list[str]] = Field(default_factory=dict)
