"""Routes of study mode: begin, one question at a time, take back, the survey. Nobody sees what others answer."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from likewise.app import study_steps
from likewise.app.studies import Studies, Study
from likewise.server.routes.questions import live_of
from likewise.server.schemas.fields import Annotator, Form
from likewise.server.schemas.studies import (
    ExampleView,
    StudyAnswerForm,
    StudyAnswerResult,
    StudyQuestionView,
    StudyView,
    SurveyForm,
)

router = APIRouter(prefix="/study")
AHEAD = 2  # questions whose pictures are fetched before they are put


def studies_of(request: Request) -> Studies:
    """The studies of the project that is served."""
    studies: Studies = request.app.state.studies
    return studies


@router.get("/{name}")
def get_study(name: str, request: Request, annotator: Annotated[Annotator, Query()] = "me") -> StudyView:
    """Where this person is in a study, with their question."""
    return StudyView(**_state(studies_of(request).study(name), annotator))


@router.post("/{name}/begin")
def post_begin(name: str, form: Form, request: Request) -> StudyView:
    """Draw this person's questions and store them; begun twice, it is begun once."""
    study = study_steps.begin(studies_of(request), name, form.annotator, form.key)
    return StudyView(**_state(study, form.annotator))


@router.post("/{name}/answers")
def post_answer(name: str, form: StudyAnswerForm, request: Request) -> StudyAnswerResult:
    """Store an answer, then give the next question."""
    studies, person = studies_of(request), form.annotator
    payload = {"name": name, **form.model_dump(include={"number", "items", "value", "shown"})}
    event = study_steps.answer(studies, live_of(request), payload, person=person, key=form.key, seconds=form.seconds)
    return StudyAnswerResult(seq=event.seq, **_state(studies.study(name), person))


@router.post("/{name}/back")
def post_back(name: str, form: Form, request: Request) -> StudyView:
    """Take this person's last answer back; it is kept as taken back."""
    study = study_steps.take_back(studies_of(request), live_of(request), name, form.annotator, form.key)
    return StudyView(**_state(study, form.annotator))


@router.post("/{name}/survey")
def post_survey(name: str, form: SurveyForm, request: Request) -> StudyView:
    """Store the survey; that ends the study for this person."""
    payload = {"name": name, "choices": form.choices, "comment": form.comment}
    study = study_steps.send_survey(studies_of(request), payload, person=form.annotator, key=form.key)
    return StudyView(**_state(study, form.annotator))


def _state(study: Study, person: str) -> dict[str, Any]:
    plan, state = study.plan, study.person(person)
    about: dict[str, Any] = {
        "study": study.name,
        "state": state.state,
        "introduction": plan["introduction"],
        "pairs": plan["pairs"],
        "triplets": plan["triplets"],
        "practice": plan["practice"],
        "unsure": plan["unsure"],
        "board": [ExampleView(id=image, label=label) for image, label in plan["board"]],
        "survey": study_steps.factors_of(study),
        "answered": len(state.answers),
        "total": 0 if state.questions is None else len(state.questions),
        "question": None,
        "ahead": [],
    }
    if state.questions is not None and state.state == "asking":
        at = len(state.answers)
        kind, items, practice = state.questions[at]
        about["question"] = StudyQuestionView(number=at, kind=kind, items=list(items), practice=practice)
        later = state.questions[at + 1 : at + 1 + AHEAD]
        about["ahead"] = [item for _, items, _ in later for item in items]
    return about
