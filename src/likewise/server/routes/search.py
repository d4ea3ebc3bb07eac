"""Routes of search: what pictures carry, filters, pictures that look like something; the only ones to ask about."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Query, Request

from likewise.app.facts import Filter, about_picture, choices, printable
from likewise.app.file_manager import has_file_manager, show_in_file_manager
from likewise.app.focus import focus_of, set_focus
from likewise.app.searching import PictureSearch, shown
from likewise.server.auth import Auth
from likewise.server.routes.pictures import Number
from likewise.server.routes.questions import live_of
from likewise.server.schemas.pictures import (
    DAY,
    ChoicesView,
    FactsView,
    FilterForm,
    FocusForm,
    FocusView,
    FoundView,
    LikeFileForm,
    RevealedView,
    WordsView,
)

router = APIRouter()
Offset = Annotated[int, Query(ge=0)]
Limit = Annotated[int, Query(ge=1, le=1000)]


def read_filter(
    q: Annotated[str, Query(max_length=200)] = "",
    folder: Annotated[str, Query(max_length=4000)] = "",
    camera: Annotated[str, Query(max_length=200)] = "",
    name: Annotated[str, Query(max_length=200)] = "",
    tag: Annotated[str, Query(max_length=100)] = "",
    state: Literal["", "open", "settled", "named", "unnamed", "bad"] = "",
    since: Annotated[str, Query(pattern=DAY)] = "",
    until: Annotated[str, Query(pattern=DAY)] = "",
) -> Filter:
    """The filter of a request."""
    given = {"q": q, "folder": folder, "camera": camera, "name": name, "tag": tag}
    return Filter.read({**given, "state": state, "since": since, "until": until})


Wanted = Annotated[Filter, Depends(read_filter)]


def search_of(request: Request) -> PictureSearch:
    """What looks for pictures."""
    search: PictureSearch = request.app.state.search
    return search


@router.get("/pictures", response_model=FoundView)
def get_pictures(
    request: Request,
    wanted: Wanted,
    like: Annotated[int | None, Query(ge=0, lt=2**31)] = None,
    words: Annotated[str, Query(max_length=500)] = "",
    offset: Offset = 0,
    limit: Limit = 200,
) -> dict[str, Any]:
    """Pictures that a filter lets through; those that look most `like` one, or like what `words` say, first."""
    search = search_of(request)
    if like is not None:
        found = search.like_picture(like, wanted)
    elif words.strip():
        found = search.like_words(words.strip(), wanted)
    else:
        found = search.filtered(wanted)
    return shown(live_of(request), found, offset, limit)


@router.post("/pictures/like", response_model=FoundView)
def post_like(form: LikeFileForm, request: Request) -> dict[str, Any]:
    """Pictures that look like one that is sent, the most alike first; what is sent is kept nowhere."""
    found = search_of(request).like_file(form.picture, Filter.read(form.wanted.model_dump()))
    return shown(live_of(request), found, 0, form.limit)


@router.get("/pictures/choices", response_model=ChoicesView)
def get_choices(request: Request) -> dict[str, Any]:
    """What there is to filter by: folders, cameras, days, tags, names."""
    return choices(live_of(request))


@router.get("/pictures/words")
def get_words(request: Request) -> WordsView:
    """Whether the model knows words; the first time, it is loaded."""
    return WordsView(words=search_of(request).knows_words())


@router.get("/pictures/{image}", response_model=FactsView)
def get_facts(image: Number, request: Request) -> dict[str, Any]:
    """What a picture carries: path, date, camera, size; and whether its folder can be shown at this machine."""
    about = about_picture(live_of(request), image, os.fspath(request.app.state.pictures.folder))
    return about | {"can_reveal": _is_at_the_machine(request) and has_file_manager()}


@router.post("/pictures/{image}/reveal")
def post_reveal(image: Number, request: Request) -> RevealedView:
    """Open the folder of a picture in the file manager of this machine; refused where others are served too."""
    if not _is_at_the_machine(request):
        raise HTTPException(403, "folders are opened for the person at the machine only")
    item = live_of(request).project.item(image)
    show_in_file_manager(request.app.state.pictures.folder, item.path)
    return RevealedView(path=printable(item.path))


def _is_at_the_machine(request: Request) -> bool:
    auth: Auth = request.app.state.auth
    return auth.is_local


@router.get("/focus")
def get_focus(request: Request) -> FocusView:
    """The only pictures that are asked about."""
    wanted, images = focus_of(live_of(request))
    return FocusView(wanted=FilterForm(**wanted.data()), total=len(images))  # type: ignore[arg-type]


@router.put("/focus")
def put_focus(form: FocusForm, request: Request) -> FocusView:
    """Ask only about the pictures that a filter lets through; an empty one asks about all."""
    set_focus(live_of(request), Filter.read(form.wanted.model_dump()))
    return get_focus(request)
