"""A team: signing in, invitations, how people do, gold questions, and what they disagree on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from likewise.app.people import Role
from likewise.query.answers.people import Suspicion
from likewise.server.schemas.fields import (
    EXACT,
    FITTING,
    Form,
    Id,
    Interval,
    Kind,
    Name,
    QuestionItems,
    Relation,
    Seconds,
    Stored,
    Value,
    View,
)


class JoinForm(BaseModel):
    """A token: the manager's, or that of an invitation."""

    model_config = EXACT

    token: Annotated[str, StringConstraints(min_length=1, max_length=500)]


class InviteForm(BaseModel):
    """Whom to invite, and for how long."""

    model_config = EXACT

    name: Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^\x00]*[^\x00\s][^\x00]*$")]
    days: Annotated[float, Field(gt=0, le=3660, strict=True)] = 7.0


class RevokeForm(BaseModel):
    """Which invitation to take back."""

    model_config = EXACT

    invite: Name


class TakeBackForm(Form):
    """Whose work to take back: all of it."""

    name: Name


class AdjudicateForm(Form):
    """The right answer to a question on which people disagree."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=FITTING)

    kind: Kind = "pair"
    items: QuestionItems
    value: Value
    seconds: Seconds | None = None


class GoldForm(Form):
    """Pairs whose answer is known: two pictures, and same or different."""

    pairs: Annotated[list[tuple[Id, Id, Relation]], Field(min_length=1, max_length=10_000)]


class PersonView(View):
    """Somebody who signed in; a manager has no name."""

    role: Role
    name: str


class MeView(PersonView):
    """Who asks; `open` says whether the server asks for no token."""

    signed_in: bool
    open: bool


class SignedOutView(View):
    """Nobody is signed in any more."""


class InviteView(View):
    """An invitation; the link is there while it is open."""

    id: str
    name: str
    state: Literal["open", "expired", "revoked"]
    created_at: str
    expires_at: str
    link: str


class NotCountedView(View):
    """Somebody who is not counted: of `tested` answers that others speak to, `wrong` are expected to be wrong."""

    name: str
    suspicion: Suspicion
    tested: float
    wrong: float


class TeamMemberView(View):
    """How one person answers; intervals are low, middle, high.

    `did` counts what they did and what is in force, by kind; `taken_back` is the event that took all of it back.
    Their answers count for `weight` typical ones: `tested` of them could be held against what others said, of which
    `wrong` are expected to be wrong. With a `suspicion` they are not counted.
    """

    name: str
    answers: int
    unsure: int
    seconds: float | None
    gold: int
    accuracy: Interval | None
    agreement: float | None
    reliability: Interval | None
    last: str | None
    did: dict[str, int]
    taken_back: int | None
    suspicion: Suspicion
    weight: float
    tested: float
    wrong: float


class ReportView(View):
    """A picture that people called bad and that no manager has decided on; whether it is left out until then."""

    item: int
    people: list[str]
    left_out: bool


class TakenBackView(Stored):
    """All of somebody's work that was taken back: how many events."""

    events: int


class TeamView(View):
    """Everybody who answers, figures on the whole, pictures to decide on, and the invitations."""

    people: list[TeamMemberView]
    reports: list[ReportView]
    alpha: float | None
    answers: int
    holding: int
    gold_pairs: int
    disputes: int
    questions: int
    complete: int
    agreed: int
    adjudicated: int
    overlap: int
    gold_rate: float
    lease_minutes: float
    invites: list[InviteView]


class GoldResult(Stored):
    """Gold questions that were stored."""

    pairs: int


class VoteView(View):
    """What one person answered."""

    seq: int
    annotator: str
    items: list[int]
    value: Value


class DisputeView(View):
    """A question on which people disagree."""

    kind: Kind
    items: list[int]
    id: str
    said: list[VoteView]


class DisputeListView(View):
    """Some of the disputed questions, and how many there are."""

    total: int
    disputes: list[DisputeView]
