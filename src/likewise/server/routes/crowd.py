"""Routes of crowd work: take a page of pictures, give keywords or make groups, send it, change the last one."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field, StringConstraints

from likewise.app.crowd_pages import HitList, HitLists, checked_groups, checked_words, now
from likewise.app.studies import OutOfTurnError
from likewise.server.schemas import EXACT, WHOLE, Annotator, Form, Id, Seconds
from likewise.store.study_events import HitDone

router = APIRouter(prefix="/crowd")
Word = Annotated[str, StringConstraints(max_length=100)]


class Tagged(BaseModel):
    """A picture and its keywords."""

    model_config = EXACT

    item: Id
    words: Annotated[list[Word], Field(max_length=100)]


class HitForm(Form):
    """A page that is done: keywords of its pictures, or groups of them."""

    hit: Annotated[int, Field(ge=0, lt=10_000_000), WHOLE]
    keywords: Annotated[list[Tagged], Field(min_length=1, max_length=1000)] | None = None
    groups: Annotated[list[Annotated[list[Id], Field(max_length=1000)]], Field(max_length=1000)] | None = None
    seconds: Seconds


def lists_of(request: Request) -> HitLists:
    """The lists of hits of the project that is served."""
    lists: HitLists = request.app.state.hits
    return lists


@router.get("/{name}")
def get_work(name: str, request: Request, annotator: Annotated[Annotator, Query()] = "me") -> dict[str, Any]:
    """The page in this person's hands, if any, and how much they did."""
    return _shown(lists_of(request).hit_list(name), annotator)


@router.post("/{name}/next")
def post_next(name: str, form: Form, request: Request) -> dict[str, Any]:
    """Take the next page; who has one keeps it."""
    lists, person = lists_of(request), form.annotator
    works = lists.hit_list(name)
    with lists.lock:
        lists.follow()
        hit = works.held(person)
        if hit is None and (hit := works.free(person, now())) is not None:
            lists.project.append("crowd-start", {"name": name, "hit": hit}, annotator=person, key=form.key)
            lists.follow()
    return _shown(works, person) | {"finished": hit is None}


@router.post("/{name}/hits")
def post_hit(name: str, form: HitForm, request: Request) -> dict[str, Any]:
    """Store what was said of a page."""
    lists, person = lists_of(request), form.annotator
    works = lists.hit_list(name)
    marks = _marks(works, form)
    with lists.lock:
        lists.follow()
        if form.key not in lists.keys:
            _check_hands(works, form.hit, person)
        said = {"name": name, "hit": form.hit, "marks": marks}
        event = lists.project.append("crowd-hit", said, annotator=person, key=form.key, seconds=form.seconds)
        lists.follow()
    return {"seq": event.seq, **_shown(works, person)}


@router.post("/{name}/back")
def post_back(name: str, form: Form, request: Request) -> dict[str, Any]:
    """Take this person's last page back into their hands; what was said of it is kept as taken back."""
    lists, person = lists_of(request), form.annotator
    works = lists.hit_list(name)
    with lists.lock:
        lists.follow()
        if lists.was_taken_back(person, form.key):
            return _shown(works, person)
        done = works.done_by(person)
        if not done:
            raise OutOfTurnError("there is no page to take back")
        last = done[-1]
        said = {"name": name, "events": [last.seq]}
        lists.project.append("take-back", said, annotator=person, key=form.key)
        lists.follow()
    assert isinstance(last.payload, HitDone)
    before = {str(item): list(words) for item, words in last.payload.marks}
    return _shown(works, person) | {"before": before}


def _check_hands(works: HitList, hit: int, person: str) -> None:
    if (hit, person) in works.done:
        raise OutOfTurnError("you have sent this page already: take it back to change it")
    if (hit, person) not in works.taken:
        raise OutOfTurnError("this page was not given to you")


def _marks(works: HitList, form: HitForm) -> list[tuple[int, list[str]]]:
    if form.hit >= len(works.hits):
        raise OutOfTurnError("this page was not given to you")
    page = works.hits[form.hit]
    if works.kind == "grouping":
        if form.groups is None or form.keywords is not None:
            raise ValueError("this page is for groups")
        return checked_groups(page, form.groups)
    if form.keywords is None or form.groups is not None:
        raise ValueError("this page is for keywords")
    if sorted(each.item for each in form.keywords) != sorted(page):
        raise OutOfTurnError("these are not the pictures of the page: send each of them once")
    return checked_words((each.item, each.words) for each in form.keywords)


def _shown(works: HitList, person: str) -> dict[str, Any]:
    hit = works.held(person)
    return {
        "name": works.name,
        "kind": works.kind,
        "hit": None if hit is None else {"number": hit, "items": list(works.hits[hit])},
        "done": len(works.done_by(person)),
    }
