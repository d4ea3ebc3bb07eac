"""Routes of study mode: begin, one question at a time, take back, the survey. Nobody sees what others said."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field, StringConstraints

from likewise.app.live import LiveProject
from likewise.app.studies import OutOfTurnError, Participant, Studies, Study
from likewise.server.routes.questions import live_of
from likewise.server.schemas import WHOLE, Annotator, Form, Id, Seconds, Shown
from likewise.store import Event
from likewise.store.study_events import StudySaid

router = APIRouter(prefix="/study")
AHEAD = 2  # questions whose pictures are fetched before they are put
FACTORS = ("performance", "effort_per_query", "overall_effort", "frustration", "preference")
WORDS = {
    "pair": "same or different",
    "triplet": "ab, ac, bc or none",
}


class StudyAnswerForm(Form):
    """The answer to the question at a place of one's list, and how long it took."""

    number: Annotated[int, Field(ge=0, lt=1_000_000), WHOLE]
    items: Annotated[list[Id], Field(min_length=2, max_length=3)]
    value: Literal["same", "different", "unsure", "ab", "ac", "bc", "none"]
    seconds: Seconds
    shown: Shown = Field(default_factory=dict)


class SurveyForm(Form):
    """What was easier, and anything else."""

    choices: dict[
        Literal["performance", "effort_per_query", "overall_effort", "frustration", "preference"],
        Literal["pair", "triplet", "neither"],
    ]
    comment: Annotated[str, StringConstraints(max_length=10_000)] = ""


def studies_of(request: Request) -> Studies:
    """The studies of the project that is served."""
    studies: Studies = request.app.state.studies
    return studies


@router.get("/{name}")
def get_study(name: str, request: Request, annotator: Annotated[Annotator, Query()] = "me") -> dict[str, Any]:
    """Where this person is in a study, with their question."""
    return _shown(studies_of(request).study(name), annotator)


@router.post("/{name}/begin")
def post_begin(name: str, form: Form, request: Request) -> dict[str, Any]:
    """Draw this person's questions and write them down; begun twice, it is begun once."""
    studies, person = studies_of(request), form.annotator
    study = studies.study(name)
    with studies.lock:
        studies.follow()
        if study.person(person).questions is None:
            questions = study.deal(person)
            said = {"name": name, "questions": questions}
            studies.project.append("study-start", said, annotator=person, key=form.key)
            studies.follow()
    return _shown(study, person)


@router.post("/{name}/answers")
def post_answer(name: str, form: StudyAnswerForm, request: Request) -> dict[str, Any]:
    """Store an answer, then give the next question."""
    studies, person = studies_of(request), form.annotator
    study = studies.study(name)
    with studies.lock:
        studies.follow()
        state = study.person(person)
        if state.questions is None:
            raise OutOfTurnError("begin the study first")
        kind = "pair" if len(form.items) == 2 else "triplet"
        payload = {
            "name": name,
            "number": form.number,
            "kind": kind,
            "items": form.items,
            "value": form.value,
            "shown": form.shown,
        }
        if form.key not in studies.keys:
            _check_turn(study, state, form)
        event = studies.project.append(
            "study-answer", payload, annotator=person, key=form.key, seconds=form.seconds
        )
        studies.follow()
    if study.plan["feed"] and not state.questions[form.number][2]:
        _feed(live_of(request), event)
    return {"seq": event.seq, **_shown(study, person)}


@router.post("/{name}/back")
def post_back(name: str, form: Form, request: Request) -> dict[str, Any]:
    """Take this person's last answer back; it is kept as taken back."""
    studies, person = studies_of(request), form.annotator
    study = studies.study(name)
    with studies.lock:
        studies.follow()
        state = study.person(person)
        if studies.was_taken_back(person, form.key):
            return _shown(study, person)
        if state.survey is not None:
            raise OutOfTurnError("the study is finished: nothing can be taken back any more")
        if not state.answers:
            raise OutOfTurnError("there is no answer to take back")
        last = state.answers[-1]
        said = {"name": name, "events": [last.seq]}
        studies.project.append("take-back", said, annotator=person, key=form.key)
        studies.follow()
    if study.plan["feed"]:
        _feed_no_more(live_of(request), last, form.key)
    return _shown(study, person)


@router.post("/{name}/survey")
def post_survey(name: str, form: SurveyForm, request: Request) -> dict[str, Any]:
    """Store the survey; that ends the study for this person."""
    studies, person = studies_of(request), form.annotator
    study = studies.study(name)
    wanted = set(_factors(study))
    if set(form.choices) != wanted:
        missing = sorted(wanted - set(form.choices))
        raise ValueError(
            f"the survey has no choice for {missing[0]}"
            if missing
            else "this study has only one form of question"
        )
    with studies.lock:
        studies.follow()
        state = study.person(person)
        if form.key not in studies.keys:
            if state.state == "done":
                raise OutOfTurnError("you have sent the survey already")
            if state.state != "survey":
                raise OutOfTurnError("the survey comes after the last question")
        said = {"name": name, "choices": form.choices, "comment": form.comment}
        studies.project.append("study-survey", said, annotator=person, key=form.key)
        studies.follow()
    return _shown(study, person)


def _check_turn(study: Study, state: Participant, form: StudyAnswerForm) -> None:
    """Refuse what is not the answer to the question in this person's hands."""
    assert state.questions is not None
    at = len(state.answers)
    if form.number < at:
        raise OutOfTurnError(f"question {form.number + 1} is answered already: take it back to change it")
    if form.number >= len(state.questions):
        raise OutOfTurnError(
            f"there are {len(state.questions)} questions, none with number {form.number + 1}"
        )
    if form.number > at:
        raise OutOfTurnError(f"you are at question {at + 1}: question {form.number + 1} comes later")
    kind, items, _ = state.questions[at]
    if tuple(form.items) != items:
        raise OutOfTurnError(f"these are not the pictures of your question {at + 1}")
    allowed = ("same", "different") if kind == "pair" else ("ab", "ac", "bc", "none")
    if form.value not in allowed and not (form.value == "unsure" and study.plan["unsure"]):
        raise ValueError(f"the answer to a {kind} of this study is {WORDS[kind]}")


def _feed(live: LiveProject, event: Event) -> None:
    """Let a study's answer count in the project too, as an answer of its own."""
    said = event.payload
    assert isinstance(said, StudySaid)
    payload = {"kind": said.kind, "items": said.items, "value": said.value, "shown": {"study": said.name}}
    live.append("answer", payload, annotator=event.annotator, key=f"{event.key}/feed", seconds=event.seconds)


def _feed_no_more(live: LiveProject, answer: Event, key: str) -> None:
    fed = live.done(f"{answer.key}/feed")
    if fed is not None and live.log().in_force(fed):
        live.withdraw([fed], annotator=answer.annotator, key=f"{key}/feed")


def _factors(study: Study) -> tuple[str, ...]:
    """What the survey asks: it compares the two forms."""
    return FACTORS if study.plan["pairs"] and study.plan["triplets"] else ()


def _shown(study: Study, person: str) -> dict[str, Any]:
    plan, state = study.plan, study.person(person)
    about = {
        "study": study.name,
        "state": state.state,
        "introduction": plan["introduction"],
        "pairs": plan["pairs"],
        "triplets": plan["triplets"],
        "practice": plan["practice"],
        "unsure": plan["unsure"],
        "board": [{"id": image, "label": label} for image, label in plan["board"]],
        "survey": list(_factors(study)),
        "answered": len(state.answers),
        "total": 0 if state.questions is None else len(state.questions),
        "question": None,
        "ahead": [],
    }
    if state.questions is not None and state.state == "asking":
        at = len(state.answers)
        kind, items, practice = state.questions[at]
        about["question"] = {"number": at, "kind": kind, "items": list(items), "practice": practice}
        later = state.questions[at + 1 : at + 1 + AHEAD]
        about["ahead"] = [item for _, items, _ in later for item in items]
    return about
