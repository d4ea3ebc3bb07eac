"""Study mode: where a person is, their answers, the survey."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StringConstraints

from likewise.server.schemas.fields import WHOLE, Form, Id, Kind, Seconds, Shown, Value, View

Factor: TypeAlias = Literal["performance", "effort_per_query", "overall_effort", "frustration", "preference"]


class StudyAnswerForm(Form):
    """The answer to a question of one's list, by its number, and how long it took."""

    number: Annotated[int, Field(ge=0, lt=1_000_000), WHOLE]
    items: Annotated[list[Id], Field(min_length=2, max_length=3)]
    value: Value
    seconds: Seconds
    shown: Shown = Field(default_factory=dict)


class SurveyForm(Form):
    """Which form of question was easier, and a comment."""

    choices: dict[Factor, Literal["pair", "triplet", "neither"]]
    comment: Annotated[str, StringConstraints(max_length=10_000)] = ""


class ExampleView(View):
    """An example picture beside the questions."""

    id: int
    label: str


class StudyQuestionView(View):
    """The question at a number of a person's list."""

    number: int
    kind: Kind
    items: list[int]
    practice: bool


class StudyView(View):
    """Where a person is in a study, with their question; `survey` are the factors the survey asks for."""

    study: str
    state: Literal["new", "asking", "survey", "done"]
    introduction: str
    pairs: int
    triplets: int
    practice: int
    unsure: bool
    board: list[ExampleView]
    survey: list[Factor]
    answered: int
    total: int
    question: StudyQuestionView | None
    ahead: list[int]


class StudyAnswerResult(StudyView):
    """An answer that was stored, and where the person is now."""

    seq: int
