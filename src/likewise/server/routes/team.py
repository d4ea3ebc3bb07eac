"""Routes of a team: signing in, invitations, how people do, gold questions, and what they disagree on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from likewise.app.edits import NotThereError
from likewise.app.live import LiveProject
from likewise.app.team import not_counted, take_back_all, team_of
from likewise.server.auth import Auth, AuthError, current_person
from likewise.server.middleware import refusal
from likewise.server.routes.questions import live_of, person_named
from likewise.server.schemas.fields import StoredWithRest
from likewise.server.schemas.team import (
    AdjudicateForm,
    DisputeListView,
    DisputeView,
    GoldForm,
    GoldResult,
    InviteForm,
    InviteView,
    JoinForm,
    MeView,
    NotCountedView,
    PersonView,
    RevokeForm,
    SignedOutView,
    TakeBackForm,
    TakenBackView,
    TeamView,
    VoteView,
)
from likewise.store import Entry, Invite
from likewise.store.votes import Ballot, subject_of

router = APIRouter()
Limit = Annotated[int, Query(ge=1, le=500)]


def auth_of(request: Request) -> Auth:
    """Who may come in."""
    auth: Auth = request.app.state.auth
    return auth


@router.post("/join")
def post_join(form: JoinForm, request: Request, response: Response) -> PersonView:
    """Sign in with a token, or as the annotator of an invitation; the cookie it sets is for this server only."""
    auth = auth_of(request)
    address = request.client.host if request.client else ""
    try:
        person, cookie, seconds = auth.sign_in(form.token, address)
    except AuthError as no:
        raise refusal(no) from None
    secure = request.url.scheme == "https"
    response.set_cookie(auth.cookie_name, cookie, max_age=seconds, httponly=True, samesite="strict", secure=secure)
    return PersonView(role=person.role, name=person.name)


@router.post("/leave")
def post_leave(request: Request, response: Response) -> SignedOutView:
    """Sign out: the cookie is worth nothing from now on, also a copy of it."""
    auth = auth_of(request)
    if cookie := request.cookies.get(auth.cookie_name):
        auth.sign_out(cookie)
    response.delete_cookie(auth.cookie_name, httponly=True, samesite="strict")
    return SignedOutView()


@router.get("/me")
def get_me(request: Request) -> MeView:
    """Who is asking."""
    person = current_person.get()
    return MeView(role=person.role, name=person.name, signed_in=person.signed_in, open=auth_of(request).is_open)


@router.get("/team")
def get_team(request: Request) -> TeamView:
    """Everybody who answers: how many, how fast, how often right, how far they agree; and the invitations."""
    live = live_of(request)
    return TeamView(**team_of(live), invites=[_view(live, invite) for invite in live.project.invites.all()])


@router.get("/team/not-counted")
def get_not_counted(request: Request) -> list[NotCountedView]:
    """People whose answers are kept and not counted, because of what others said of the same pairs."""
    return [
        NotCountedView(name=each.annotator, suspicion=each.suspicion, tested=each.tested, wrong=each.wrong)
        for each in not_counted(live_of(request))
    ]


@router.post("/team/invite")
def post_invite(form: InviteForm, request: Request) -> InviteView:
    """Invite an annotator."""
    live = live_of(request)
    return _view(live, live.project.invites.add(form.name, form.days))


@router.post("/team/revoke")
def post_revoke(form: RevokeForm, request: Request) -> InviteView:
    """Take an invitation back; whoever came in with it is out from this moment on."""
    live = live_of(request)
    invite = live.project.invites.revoke(form.invite)
    if invite is None:
        raise NotThereError("there is no such invitation")
    return _view(live, invite)


@router.post("/team/take-back")
def post_take_back(form: TakeBackForm, request: Request) -> TakenBackView:
    """Take back everything that somebody did: answers, bad pictures, edits, tags; one step, undone as one.

    Not taken back is what they did in studies and crowd work: there a question is answered once, in its place, and what
    was given since would be in the place of what is brought back. Their tables have a column `person` to leave somebody
    out by. Answers of a study that count in the project too are taken back there.
    """
    event = take_back_all(live_of(request), person_named(form.annotator), form.name, key=form.key)
    return TakenBackView(seq=event.seq, events=len(event.payload.data()["events"]))


@router.post("/team/gold")
def post_gold(form: GoldForm, request: Request) -> GoldResult:
    """Keep pairs whose answer is known: they are mixed in to see how reliable people are."""
    live = live_of(request)
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
    return GoldResult(seq=live.append_all(entries).seq, pairs=len(form.pairs))


@router.get("/disputes")
def get_disputes(request: Request, limit: Limit = 50) -> DisputeListView:
    """Questions on which people disagree, oldest first, with everybody's answer."""
    found = live_of(request).log().votes().disputed()
    return DisputeListView(total=len(found), disputes=[_dispute(ballot) for ballot in found[:limit]])


@router.post("/adjudicate")
def post_adjudicate(form: AdjudicateForm, request: Request) -> StoredWithRest:
    """Decide a question on which people disagree: it wins over their answers, and undo takes it back."""
    live = live_of(request)
    if live.done(form.key) is None and not live.events.n_votes_on(form.items):
        raise NotThereError("nobody answered this question")
    payload = {"kind": form.kind, "items": form.items, "value": form.value}
    event = live.append("adjudicate", payload, annotator=form.annotator, key=form.key, seconds=form.seconds)
    return StoredWithRest(seq=event.seq, left=live.n_disputed())


def _dispute(ballot: Ballot) -> DisputeView:
    _, first = ballot.votes[0]
    votes = [
        VoteView.model_validate(
            {"seq": event.seq, "annotator": event.annotator, "items": answer.items, "value": answer.value}
        )
        for event, answer in ballot.last_words().values()
    ]
    uid = "-".join(map(str, subject_of(first.items)))
    return DisputeView(kind="pair" if len(first.items) == 2 else "triplet", items=list(first.items), id=uid, said=votes)


def _view(live: LiveProject, invite: Invite) -> InviteView:
    state = invite.state(datetime.now(UTC))
    return InviteView(
        id=invite.uid,
        name=invite.name,
        state=state,
        created_at=invite.created_at.isoformat(),
        expires_at=invite.expires_at.isoformat(),
        # after the #, which no browser sends anywhere: it is in no log and in no referrer
        link=f"/join#{live.project.invites.token(invite)}" if state == "open" else "",
    )
