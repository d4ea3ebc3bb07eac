"""Routes of the history: what was done, step by step; any step taken back, or done again."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from likewise.app import steps
from likewise.formats.words import worded
from likewise.server.routes.questions import live_of, person_named
from likewise.server.schemas.fields import Annotator, Stored
from likewise.server.schemas.steps import StepForm, StepsView

router = APIRouter()


@router.get("/steps", response_model=StepsView)
def get_steps(
    request: Request,
    annotator: Annotated[Annotator, Query()] = "me",
    before: Annotated[int | None, Query(ge=1)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> dict[str, Any]:
    """What was done, newest first; `before` is the number of a step, for those before it."""
    live, me = live_of(request), person_named(annotator).name
    found = steps.list_steps(live.log(), before=before, limit=limit)
    shown = [
        {
            "seq": step.seq,
            "annotator": step.annotator,
            "at": step.at,
            "kind": step.kind,
            "text": worded(step.text, live.of_faces),
            "n": step.n,
            "in_force": step.in_force,
            "mine": step.annotator == me,
        }
        for step in found[:limit]
    ]
    return {"steps": shown, "more": len(found) > limit}


@router.post("/steps/take-back", response_model=Stored)
def take_back(form: StepForm, request: Request) -> dict[str, Any]:
    """Take a whole step back, whichever it is."""
    return {"seq": steps.take_back(live_of(request), person_named(form.annotator), form.seq, key=form.key).seq}


@router.post("/steps/again", response_model=Stored)
def do_again(form: StepForm, request: Request) -> dict[str, Any]:
    """Do a step again that was taken back."""
    return {"seq": steps.do_again(live_of(request), person_named(form.annotator), form.seq, key=form.key).seq}
