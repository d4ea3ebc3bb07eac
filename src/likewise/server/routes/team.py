"""Routes of a team: signing in, invitations, how people do, gold questions, and what they disagree on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from likewise.app.live import LiveProject, NotThereError
from likewise.app.team import team_of
from likewise.server.auth import Auth, AuthError, current_person
from likewise.server.middleware import refusal
from likewise.server.routes.questions import live_of
from likewise.server.schemas import EXACT, FITTING, Asked, Form, Id, Name, Seconds, Value
from likewise.store import Entry, Invite
from likewise.store.votes import Ballot, subject_of

router = APIRouter()
Limit = Annotated[int, Query(ge=1, le=500)]


class JoinForm(BaseModel):
    """A token: the manager's, or that of an invitation."""

    model_config = EXACT

    token: Annotated[str, StringConstraints(min_length=1, max_length=500)]


class InviteForm(BaseModel):
    """Whom to invite, and for how long."""

    model_config = EXACT

    name: Annotated[
        str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^\x00]*[^\x00\s][^\x00]*$")
    ]
    days: Annotated[float, Field(gt=0, le=3660, strict=True)] = 7.0


class RevokeForm(BaseModel):
    """Which invitation to take back."""

    model_config = EXACT

    invite: Name


class AdjudicateForm(Form):
    """What holds where people disagree."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=FITTING)

    kind: Literal["pair", "triplet"] = "pair"
    items: Asked
    value: Value
    seconds: Seconds | None = None


class GoldForm(Form):
    """Pairs whose answer is known: two pictures, and same or different."""

    pairs: Annotated[
        list[tuple[Id, Id, Literal["same", "different"]]], Field(min_length=1, max_length=10_000)
    ]


def auth_of(request: Request) -> Auth:
    """Who may come in."""
    auth: Auth = request.app.state.auth
    return auth


@router.post("/join")
def post_join(form: JoinForm, request: Request, response: Response) -> dict[str, Any]:
    """Sign in with a token, or as the annotator of an invitation; the cookie it sets is for this server only."""
    auth = auth_of(request)
    address = request.client.host if request.client else ""
    try:
        person = auth.by_token(form.token, address)
        cookie, seconds = auth.sign_in(form.token, address)
    except AuthError as no:
        raise refusal(no) from None
    secure = request.url.scheme == "https"
    response.set_cookie(
        auth.cookie_name, cookie, max_age=seconds, httponly=True, samesite="strict", secure=secure
    )
    return {"role": person.role, "name": person.name}


@router.post("/leave")
def post_leave(request: Request, response: Response) -> dict[str, Any]:
    """Sign out."""
    response.delete_cookie(auth_of(request).cookie_name, httponly=True, samesite="strict")
    return {}


@router.get("/me")
def get_me(request: Request) -> dict[str, Any]:
    """Who is current_person."""
    person = current_person.get()
    return {
        "role": person.role,
        "name": person.name,
        "signed_in": person.signed_in,
        "open": auth_of(request).is_open,
    }


@router.get("/team")
def get_team(request: Request) -> dict[str, Any]:
    """Everybody who answers: how many, how fast, how often right, how far they agree; and the invitations."""
    live = live_of(request)
    return {**team_of(live), "invites": [_about(live, invite) for invite in live.project.invites.all()]}


@router.post("/team/invite")
def post_invite(form: InviteForm, request: Request) -> dict[str, Any]:
    """Invite an annotator."""
    live = live_of(request)
    return _about(live, live.project.invites.add(form.name, form.days))


@router.post("/team/revoke")
def post_revoke(form: RevokeForm, request: Request) -> dict[str, Any]:
    """Take an invitation back; whoever came in with it is out from this moment on."""
    live = live_of(request)
    invite = live.project.invites.revoke(form.invite)
    if invite is None:
        raise NotThereError("there is no such invitation")
    return _about(live, invite)


@router.post("/team/gold")
def post_gold(form: GoldForm, request: Request) -> dict[str, Any]:
    """Keep pairs whose answer is known: they are mixed in to see how reliable people are."""
    live = live_of(request)
    if (seq := live.done(form.key)) is not None:
        return {"seq": seq, "pairs": len(form.pairs)}
    if itself := [i for i, j, _ in form.pairs if i == j]:
        raise NotThereError(f"picture {itself[0]} is no pair with itself")
    entries = [
        Entry(
            "gold",
            {"kind": "pair", "items": [i, j], "value": truth},
            form.annotator,
            form.key if not number else f"{form.key}/{number}",
        )
        for number, (i, j, truth) in enumerate(form.pairs)
    ]
    return {"seq": live.append_all(entries).seq, "pairs": len(form.pairs)}


@router.get("/disputes")
def get_disputes(request: Request, limit: Limit = 50) -> dict[str, Any]:
    """Questions on which people disagree, oldest first, with who said what."""
    found = live_of(request).votes().disputed()
    return {"total": len(found), "disputes": [_dispute(ballot) for ballot in found[:limit]]}


@router.post("/adjudicate")
def post_adjudicate(form: AdjudicateForm, request: Request) -> dict[str, Any]:
    """Decide what people disagree on: it wins over what they said, and undo takes it back."""
    live = live_of(request)
    if live.done(form.key) is None and not live.votes_on(form.items):
        raise NotThereError("nobody answered this question")
    payload = {"kind": form.kind, "items": form.items, "value": form.value}
    event = live.append("adjudicate", payload, annotator=form.annotator, key=form.key, seconds=form.seconds)
    return {"seq": event.seq, "left": live.n_disputed()}


def _dispute(ballot: Ballot) -> dict[str, Any]:
    _, first = ballot.votes[0]
    said = [
        {"seq": event.seq, "annotator": event.annotator, "items": answer.items, "value": answer.value}
        for event, answer in ballot.last_words().values()
    ]
    return {
        "kind": first.kind,
        "items": first.items,
        "id": "-".join(map(str, subject_of(first.items))),
        "said": said,
    }


def _about(live: LiveProject, invite: Invite) -> dict[str, Any]:
    state = invite.state(datetime.now(UTC))
    return {
        "id": invite.uid,
        "name": invite.name,
        "state": state,
        "created_at": invite.created_at.isoformat(),
        "expires_at": invite.expires_at.isoformat(),
        # after the #, which no browser sends anywhere: it is in no log and in no referrer
        "link": f"/join#{live.project.invites.token(invite)}" if state == "open" else "",
    }
