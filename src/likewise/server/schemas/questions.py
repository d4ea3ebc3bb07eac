"""Questions: the next one, answers, undo and redo, grids, and contradictions."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field, StrictBool
from typing_extensions import TypeAliasType

from likewise.app.screens import Finished, ShownQuestion, Waiting
from likewise.server.schemas.fields import (
    FITTING_ANY,
    AnyItems,
    AnyKind,
    AnyValue,
    Form,
    Id,
    Ids,
    Marked,
    OfProject,
    Relation,
    Seconds,
    Seq,
    Shown,
    Stored,
    View,
)


class AnswerForm(Form):
    """The answer to a question.

    Of a grid, `chosen` are the pictures that do not belong to the group of the first; of a pick, the example of the
    group that the first picture belongs to.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra=FITTING_ANY)

    kind: AnyKind = "pair"
    items: AnyItems
    value: AnyValue
    chosen: Marked = Field(default_factory=list)
    seconds: Seconds | None = None
    shown: Shown = Field(default_factory=dict)


class BadForm(Form):
    """A picture to leave out, or to take in again."""

    item: Id


class GridForm(Form):
    """Pictures of a cluster on a grid, those of them that do not belong, and answers taken back with it."""

    cluster: Id | None = None
    items: Ids
    odd: list[Id] = Field(default_factory=list, max_length=100_000)
    seconds: Seconds | None = None
    withdraw: list[Seq] = Field(default_factory=list, max_length=10_000)
    twice: StrictBool = False


class WaitingView(View):
    """No question yet: pictures are still being read, or questions prepared."""

    waiting: Waiting


class FinishedView(View):
    """No question any more."""

    finished: Finished


NextView = TypeAliasType("NextView", ShownQuestion | WaitingView | FinishedView)


class StatementView(View):
    """What an event says of two pictures; number 0 is an event that is only being tried."""

    seq: int
    items: tuple[int, int]
    value: Relation
    annotator: str
    kind: str


class ConflictView(View):
    """An answer that was set aside, and the chain of answers that says the opposite."""

    statement: StatementView
    chain: list[StatementView]


class StoredWithNext(Stored):
    """A step that was stored, and the next question."""

    next: NextView


class AnswerResult(StoredWithNext):
    """An answer that was stored, the contradiction it makes, and the next question."""

    conflict: ConflictView | None


class UndoneView(View):
    """The event that was taken back."""

    seq: OfProject
    kind: str
    payload: dict[str, Any]


class UndoResult(StoredWithNext):
    """What was taken back, and the next question."""

    undone: UndoneView


class GridView(View):
    """Pictures of a cluster to look over, some settled ones for reference, and what is left.

    `n_left` counts all pictures that are not settled; `next` is another cluster that has such.
    """

    cluster: int
    name: str
    size: int
    core: list[int]
    items: list[int]
    n_left: int
    next: int | None


class Refusal(View):
    """Why a request was refused, in a sentence."""

    detail: str


class ConflictRefusal(Refusal):
    """Why a request was refused; `breaks` are the contradictions that a change of clusters would make."""

    breaks: list[ConflictView] = Field(default_factory=list)
