"""Routes of the loop: the next question, answers, undo."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from likewise.app.checks import CHECK, draw_check
from likewise.app.gold import draw_gold
from likewise.app.live import LiveProject, NotThereError
from likewise.app.queue import NotYoursError
from likewise.query.question import Question
from likewise.server.auth import current_person
from likewise.server.schemas import Annotator, AnswerForm, BadForm, Form, GridForm
from likewise.store.votes import GOLD, OVERLAP

router = APIRouter()
CLOSEST = 6
OURS = (GOLD, OVERLAP)  # what only the server says of an answer
CHECKED = "check"


def live_of(request: Request) -> LiveProject:
    """The project that is served."""
    live: LiveProject = request.app.state.live
    return live


@router.get("/question")
def get_question(request: Request, annotator: Annotated[Annotator, Query()] = "me") -> dict[str, Any]:
    """The next question for this person, or why there is none; its form is a setting."""
    return next_for(request, annotator)


@router.post("/answers")
def post_answer(form: AnswerForm, request: Request) -> dict[str, Any]:
    """Store an answer, then give the next question.

    Who was invited answers the question in their hands and no other.
    """
    live = live_of(request)
    event = live.stored(form.key)
    if event is None or event.kind != "answer" or event.annotator != form.annotator:
        if current_person.get().is_annotator:
            form.shown.pop(CHECKED, None)
        marks = marks_of(live, form)
        shown = {**{name: said for name, said in form.shown.items() if name not in OURS}, **marks}
    else:  # sent again: what the server added then is not known to the sender
        shown = event.payload.data()["shown"]
    payload = {"kind": form.kind, "items": form.items, "value": form.value, "shown": shown}
    event = live.append("answer", payload, annotator=form.annotator, key=form.key, seconds=form.seconds)
    made = [] if current_person.get().is_annotator else live.conflicts(event.seq)
    return {
        "seq": event.seq,
        "conflict": made[0] if made else None,
        "next": next_for(request, form.annotator),
    }


def marks_of(live: LiveProject, form: AnswerForm) -> dict[str, Any]:
    """What the server keeps beside an answer: that it was a test, how many people were to answer, a check."""
    if not current_person.get().is_annotator:
        lease = live.desk.held(form.annotator, form.items)
    else:
        lease = live.desk.claim(form.annotator, form.items)
    if lease is None:
        return {}
    if lease.gold:
        return {GOLD: lease.gold}
    marks: dict[str, Any] = {OVERLAP: lease.need} if lease.need > 1 else {}
    return marks | ({CHECKED: True} if lease.question.reason == CHECK else {})


@router.post("/bad")
def post_bad(form: BadForm, request: Request) -> dict[str, Any]:
    """Leave a picture out: it is no use."""
    return _about_picture("bad", form, request)


@router.get("/bad")
def get_bad(request: Request) -> list[int]:
    """Pictures that are left out."""
    return live_of(request).log().bad()


@router.post("/restore")
def post_restore(form: BadForm, request: Request) -> dict[str, Any]:
    """Take a picture in again."""
    return _about_picture("restore", form, request)


@router.post("/undo")
def post_undo(form: Form, request: Request) -> dict[str, Any]:
    """Take this person's last answer or change back; without limit."""
    live = live_of(request)
    event, undone = live.undo(form.annotator, form.key)
    payload = undone.payload.data()
    if current_person.get().is_annotator:
        payload = {name: value for name, value in payload.items() if name != "shown"}
    said = {"seq": undone.seq, "kind": undone.kind, "payload": payload}
    return {"seq": event.seq, "undone": said, "next": next_for(request, form.annotator)}


@router.post("/redo")
def post_redo(form: Form, request: Request) -> dict[str, Any]:
    """Take this person's last undo back."""
    live = live_of(request)
    again = live.to_redo(form.annotator) if current_person.get().is_annotator else None
    if again is not None and again.kind == "answer" and live.done(form.key) is None:
        is_test = GOLD in again.payload.data()["shown"]
        if not is_test and not live.desk.room(form.annotator, again.payload.images()):
            raise NotYoursError("others have answered this question since")
    event = live.redo(form.annotator, form.key)
    return {"seq": event.seq, "next": next_for(request, form.annotator)}


@router.get("/grid")
def get_grid(
    request: Request, cluster: int, limit: Annotated[int, Query(ge=2, le=60)] = 24
) -> dict[str, Any]:
    """Pictures of a cluster to look over: its most central, then the most doubtful."""
    found = live_of(request).cluster(cluster)
    central, doubtful = found.images[: limit // 3], found.images[::-1][: limit - limit // 3]
    items = list(dict.fromkeys([*central.tolist(), *doubtful.tolist()]))
    return {"cluster": cluster, "name": found.name, "size": found.size, "items": items}


@router.post("/grid")
def post_grid(form: GridForm, request: Request) -> dict[str, Any]:
    """Store one look at a grid: the odd ones are different, the others the same."""
    if not set(form.odd) <= set(form.items):
        raise NotThereError("an odd one is not among the pictures of the grid")
    payload = {"items": form.items, "odd": form.odd}
    live = live_of(request)
    event = live.append("grid", payload, annotator=form.annotator, key=form.key, seconds=form.seconds)
    return {"seq": event.seq, "next": next_for(request, form.annotator)}


def next_for(request: Request, annotator: str) -> dict[str, Any]:
    """The next question as the page wants it, or `waiting`, or `finished`."""
    live = live_of(request)
    blind = current_person.get().is_annotator
    if not live.desk.holds_one(annotator):
        test = draw_gold(live, annotator) if blind else None
        if test is not None:
            live.desk.prefer(annotator, *test)
        elif (check := draw_check(live, annotator)) is not None:
            live.desk.prefer(annotator, check)
    question = live.desk.next(annotator)
    if question is not None and blind:
        return _shown_blind(live, question, annotator)
    if question is not None:
        return _shown(request, question, live.desk.ahead(annotator))
    state = request.app.state.pictures.state
    if live.desk.finished and state["state"] == "done":
        return {"finished": {"reason": "every pair of pictures is known, or follows from what was said"}}
    return {"waiting": {"ready": live.ready, "total": state["total"]}}


def _about_picture(kind: str, form: BadForm, request: Request) -> dict[str, Any]:
    if current_person.get().is_annotator and live_of(request).done(form.key) is None:
        held = live_of(request).desk.next(form.annotator)
        if held is None or form.item not in held.items:
            raise NotYoursError("this picture is not of the question in your hands")
    event = live_of(request).append(kind, {"items": [form.item]}, annotator=form.annotator, key=form.key)
    return {"seq": event.seq, "next": next_for(request, form.annotator)}


def _shown_blind(live: LiveProject, question: Question, annotator: str) -> dict[str, Any]:
    """A question as somebody sees who is to judge by the pictures alone: whoever else said what, or why it is asked.

    File names are left out too: they often say what is on the picture.
    """
    items = []
    for image in question.items:
        found = live.project.image(image)
        about = {"id": image, "name": f"Picture {image}", "width": found.width, "height": found.height}
        items.append({**about, "cluster": None})
    return {
        "id": "-".join(map(str, question.items)),
        "kind": question.kind,
        "items": items,
        "reason": "",
        "check": False,
        "number": live.n_answers_of(annotator) + 1,
        "ahead": [],
    }


def _shown(request: Request, question: Question, ahead: list[int]) -> dict[str, Any]:
    live, shown = live_of(request), request.app.state.pictures
    wall = live.wall
    items = []
    for image in question.items:
        cluster = wall.clusters.get(wall.cluster_of.get(image, -1))
        first = [] if cluster is None else cluster.images[: CLOSEST + len(question.items)].tolist()
        members = [k for k in first if k not in question.items]
        about = (
            None
            if cluster is None
            else {
                "id": cluster.id,
                "name": cluster.name,
                "size": cluster.size,
                "closest": members[:CLOSEST],
            }
        )
        items.append({**shown.describe(image), "cluster": about})
    return {
        "id": "-".join(map(str, question.items)),
        "kind": question.kind,
        "items": items,
        "reason": question.reason,
        "check": question.reason == CHECK,
        "number": live.n_answers + 1,
        "ahead": ahead,
    }
