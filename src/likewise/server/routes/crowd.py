"""Routes of crowd work: take a page of pictures, give keywords or make groups, send it, change the last one."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from likewise.app.crowd_pages import HitList, HitLists
from likewise.server.schemas.crowd import CrowdView, HitForm, HitResult, HitView, NextHitView, ReopenedHitView
from likewise.server.schemas.fields import Annotator, Form

router = APIRouter(prefix="/crowd")


def lists_of(request: Request) -> HitLists:
    """The lists of hits of the project that is served."""
    lists: HitLists = request.app.state.hits
    return lists


@router.get("/{name}")
def get_work(name: str, request: Request, annotator: Annotated[Annotator, Query()] = "me") -> CrowdView:
    """The page that this person has, if any, and how many they did."""
    return CrowdView(**_state(lists_of(request).hit_list(name), annotator))


@router.post("/{name}/next")
def post_next(name: str, form: Form, request: Request) -> NextHitView:
    """Take the next page; a person who has one keeps it."""
    lists, person = lists_of(request), form.annotator
    hit = lists.take_next(name, person, form.key)
    return NextHitView(**_state(lists.hit_list(name), person), finished=hit is None)


@router.post("/{name}/hits")
def post_hit(name: str, form: HitForm, request: Request) -> HitResult:
    """Store the keywords or groups of a page."""
    lists, person = lists_of(request), form.annotator
    words = None if form.keywords is None else [(each.item, each.words) for each in form.keywords]
    event = lists.store_hit(name, form.hit, words, form.groups, person=person, key=form.key, seconds=form.seconds)
    return HitResult(seq=event.seq, **_state(lists.hit_list(name), person))


@router.post("/{name}/back", response_model_exclude_unset=True)
def post_back(name: str, form: Form, request: Request) -> ReopenedHitView:
    """Give this person their last page again; its keywords or groups are kept as taken back."""
    lists, person = lists_of(request), form.annotator
    marks = lists.take_back(name, person, form.key)
    state = _state(lists.hit_list(name), person)
    if marks is not None:
        state["before"] = {str(item): list(words) for item, words in marks}
    return ReopenedHitView(**state)


def _state(hits: HitList, person: str) -> dict[str, Any]:
    hit = hits.held(person)
    return {
        "name": hits.name,
        "kind": hits.kind,
        "hit": None if hit is None else HitView(number=hit, items=list(hits.hits[hit])),
        "done": len(hits.done_by(person)),
    }
