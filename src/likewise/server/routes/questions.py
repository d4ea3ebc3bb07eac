"""Routes of the loop: the next question, answers, undo."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from likewise.app import editing, edits
from likewise.app.edits import NotThereError
from likewise.app.grids import grid_of
from likewise.app.live import LiveProject
from likewise.app.people import Person
from likewise.app.screens import Finished, NextScreen, Waiting
from likewise.server.auth import current_person
from likewise.server.schemas.fields import Annotator, Form
from likewise.server.schemas.questions import (
    AnswerForm,
    AnswerResult,
    BadForm,
    GridForm,
    GridView,
    NextView,
    StoredWithNext,
    UndoResult,
)

router = APIRouter()


def live_of(request: Request) -> LiveProject:
    """The project that is served."""
    live: LiveProject = request.app.state.live
    return live


def person_named(name: str) -> Person:
    """Who is asking: somebody who was invited under their own name, a manager under the name they give."""
    person = current_person.get()
    return person if person.is_annotator else replace(person, name=name)


@router.get("/question", response_model=NextView)
def get_question(request: Request, annotator: Annotated[Annotator, Query()] = "me") -> dict[str, Any]:
    """The next question for this person, or why there is none: a pair, a triplet, a grid or a pick.

    A setting says whether all forms may come or only one.
    """
    return next_screen(live_of(request).next_for(person_named(annotator)))


@router.post("/answers", response_model=AnswerResult)
def post_answer(form: AnswerForm, request: Request) -> dict[str, Any]:
    """Store an answer, then give the next question.

    Who was invited answers the question in their hands and no other.
    """
    done = live_of(request).answer(
        person_named(form.annotator),
        form.items,
        form.value,
        key=form.key,
        kind=form.kind,
        seconds=form.seconds,
        shown=form.shown,
        chosen=form.chosen,
    )
    return {"seq": done.seq, "conflict": done.conflict, "next": next_screen(done.next)}


@router.post("/bad", response_model=StoredWithNext)
def post_bad(form: BadForm, request: Request) -> dict[str, Any]:
    """Leave a picture out: it is no use."""
    return _mark_picture("bad", form, request)


@router.get("/bad")
def get_bad(request: Request) -> list[int]:
    """Pictures that are left out."""
    return live_of(request).events.left_out()


@router.post("/restore", response_model=StoredWithNext)
def post_restore(form: BadForm, request: Request) -> dict[str, Any]:
    """Take a picture in again."""
    return _mark_picture("restore", form, request)


@router.post("/undo", response_model=UndoResult)
def post_undo(form: Form, request: Request) -> dict[str, Any]:
    """Take this person's last answer or change back; without limit."""
    live, person = live_of(request), person_named(form.annotator)
    event, undone = editing.undo(live, person, form.key)
    payload = undone.payload.data()
    if person.is_annotator:
        payload = {name: value for name, value in payload.items() if name != "shown"}
    about = {"seq": undone.seq, "kind": undone.action, "payload": payload}
    return {"seq": event.seq, "undone": about, "next": next_screen(live.next_for(person))}


@router.post("/redo", response_model=StoredWithNext)
def post_redo(form: Form, request: Request) -> dict[str, Any]:
    """Take this person's last undo back."""
    live, person = live_of(request), person_named(form.annotator)
    event = editing.redo(live, person, form.key)
    return {"seq": event.seq, "next": next_screen(live.next_for(person))}


@router.get("/grid", response_model=GridView)
def get_grid(request: Request, cluster: int, limit: Annotated[int, Query(ge=2, le=60)] = 24) -> dict[str, Any]:
    """Pictures of a cluster to look over: those not settled, the most doubtful first; settled ones for reference."""
    return grid_of(live_of(request), cluster, limit)


@router.post("/grid", response_model=StoredWithNext)
def post_grid(form: GridForm, request: Request) -> dict[str, Any]:
    """Store one look at a grid: the odd ones do not belong to the cluster, the others do.

    Without a cluster, the odd ones are different from the others, which are the same.
    """
    if not set(form.odd) <= set(form.items):
        raise NotThereError("an odd one is not among the pictures of the grid")
    live, person = live_of(request), person_named(form.annotator)
    if (cluster := form.cluster) is not None:
        done = editing.edit(
            live,
            person,
            lambda board: edits.check_cluster(board, cluster, form.items, form.odd),
            key=form.key,
            withdraw=form.withdraw,
            twice=form.twice,
            seconds=form.seconds,
        )
        return {"seq": done["seq"], "next": next_screen(live.next_for(person))}
    left = [item for item in form.items if item not in form.odd]
    if not left or len(form.items) < 2:
        raise NotThereError("a grid has at least two pictures, of which one is not odd")
    items = [left[0], *(item for item in form.items if item != left[0])]
    stored = live.answer(
        person, items, "marked", key=form.key, kind="grid", seconds=form.seconds, chosen=list(dict.fromkeys(form.odd))
    )
    return {"seq": stored.seq, "next": next_screen(stored.next)}


def next_screen(screen: NextScreen) -> dict[str, Any]:
    """What comes next as the page wants it: a question, `waiting`, or `finished`."""
    if isinstance(screen, Waiting):
        return {"waiting": asdict(screen)}
    return {"finished": asdict(screen)} if isinstance(screen, Finished) else asdict(screen)


def _mark_picture(kind: str, form: BadForm, request: Request) -> dict[str, Any]:
    live, person = live_of(request), person_named(form.annotator)
    event = editing.mark_picture(live, person, kind, form.item, key=form.key)
    return {"seq": event.seq, "next": next_screen(live.next_for(person))}
