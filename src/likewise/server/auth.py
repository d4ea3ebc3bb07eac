"""Authentication: a token for the manager, invitations for annotators, signed cookies for both."""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import time
from contextvars import ContextVar
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from itsdangerous import BadSignature, Signer

from likewise.app.people import LOCAL_MANAGER, Person
from likewise.server.sessions import EndedSessions
from likewise.store import Invite, InviteError, Project
from likewise.store.invites import PREFIX

TOKEN_PREFIX = "lwm_"
SHORTEST_TOKEN, FEWEST_CHARACTERS = 16, 6
MANAGER_SECONDS = 30 * 86_400
FAILURES, WINDOW_SECONDS = 10, 60.0  # so many wrong tokens of one address in so long
MOST_ADDRESSES = 10_000
TOO_MANY = "too many wrong tokens from this address: wait a little"


current_person: ContextVar[Person] = ContextVar("current_person", default=LOCAL_MANAGER)


class AuthError(Exception):
    """Somebody who is not let in; `seconds` is how long to wait where they tried too often."""

    def __init__(self, text: str, seconds: float = 0.0) -> None:
        super().__init__(text)
        self.seconds = seconds


class Auth:
    """Lets people in.

    Without a token everybody who can reach the address is the person at the machine, so that it is for the loopback
    address only; with one, a manager shows it and annotators show their invitations.

    - `project`: Keeps the key that signs, and the invitations.
    - `token`: The manager's; at least 16 characters, 6 of them different.
    - `failures`: How many wrong tokens of one address in a minute are looked at; after them nobody signs in from there,
      whatever they show, until the minute is over. Who is signed in stays so.
    - `local`: Whether the token is that of the person at the machine, and others reach the server under no name.
    - `folder`: The project folder, where it is kept who signed out.

    Examples
    --------
    >>> import tempfile
    >>> from likewise.store import Store
    >>> with Store.open(tempfile.mkdtemp()) as store:
    ...     auth = Auth(store.create_project("leaves"), token="a long enough token")
    ...     person, cookie, seconds = auth.sign_in("a long enough token", "10.0.0.1")
    ...     auth.by_cookie(cookie).role
    'manager'
    """

    def __init__(
        self,
        project: Project,
        token: str | None = None,
        *,
        failures: int = FAILURES,
        local: bool = False,
        folder: Path | None = None,
    ) -> None:
        if token is not None and (problem := token_problem(token)):
            raise ValueError(problem)
        self._invites = project.invites
        self._digest = None if token is None else sha256(token.encode()).digest()
        self._local = local
        self._ended = EndedSessions(folder)
        self.cookie_name = f"likewise-{project.uid}"
        self._most_failures = failures
        self._failures: dict[str, list[float]] = {}

    @property
    def is_open(self) -> bool:
        """Whether no token is asked for."""
        return self._digest is None

    @property
    def is_local(self) -> bool:
        """Whether only the person at the machine is the manager, under the names of the machine itself."""
        return self.is_open or self._local

    def identify(self, bearer: str, cookie: str | None, address: str) -> Person | None:
        """Who is asking, or None where a token is needed and none was sent; an :class:`AuthError` for a wrong one."""
        if bearer:
            scheme, _, token = bearer.partition(" ")
            if scheme.lower() != "bearer":
                raise AuthError("the only authorization here is a bearer token")
            return self.by_token(token.strip(), address)
        if cookie:
            return self.by_cookie(cookie)
        return LOCAL_MANAGER if self.is_open else None

    def by_token(self, token: str, address: str) -> Person:
        """Who shows this token; after too many wrong ones of an address none from there is looked at for a while."""
        if (wait := self._wait_of(address)) > 0:
            raise AuthError(TOO_MANY, wait)
        if self._digest is not None and hmac.compare_digest(sha256(token.encode()).digest(), self._digest):
            return self._manager()
        try:
            return _invited(self._invites.read(token))
        except InviteError as error:
            self._count_failure(address)
            why = str(error) if token.startswith(PREFIX) else "this token opens nothing"
            raise AuthError(why) from None

    def sign_in(self, token: str, address: str) -> tuple[Person, str, int]:
        """Whoever shows this token, a cookie for them, and for how many seconds it is good."""
        person, now = self.by_token(token, address), int(time.time())
        session: dict[str, object] = {"id": secrets.token_hex(8)}
        if person.is_annotator:
            ends = int(self._invites.check(person.invite).expires_at.timestamp())
            session |= {"invite": person.invite, "ends": ends}
            return person, self._signed(session), max(1, ends - now)
        session |= {"manager": self._mark(), "ends": now + MANAGER_SECONDS}
        return person, self._signed(session), MANAGER_SECONDS

    def by_cookie(self, cookie: str) -> Person:
        """Who carries this cookie; an invitation that was taken back ends it at once, and so does signing out."""
        session = self._read(cookie)
        if session is None or "id" not in session or session["id"] in self._ended:
            raise AuthError("you are not signed in here any more: sign in again")
        if session["ends"] <= time.time():
            raise AuthError("you were signed in for long enough: sign in again")
        if "invite" in session:
            try:
                return _invited(self._invites.check(session["invite"]), session["id"])
            except InviteError as error:
                raise AuthError(str(error)) from None
        # the cookie carries a mark of the token: another token ends what was signed in with the last one
        if not hmac.compare_digest(str(session["manager"]), self._mark()):
            raise AuthError("the token has changed: sign in again")
        return self._manager(session["id"])

    def sign_out(self, cookie: str) -> None:
        """End the session of a cookie: whoever still has a copy of it is out."""
        session = self._read(cookie)
        if session is not None and "id" in session:
            self._ended.end(session["id"], session["ends"])

    def still_in(self, person: Person) -> bool:
        """Whether somebody who came in may still be here."""
        try:
            return person.session not in self._ended and (
                not person.invite or self._invites.check(person.invite) is not None
            )
        except InviteError:
            return False

    def allows_host(self, host: str) -> bool:
        """Whether a request is for this server: one for the machine itself, only under the names of the machine.

        Otherwise any page could have its own name lead here (DNS rebinding) and be the person at the machine.
        """
        return not self.is_local or is_loopback(_without_port(host))

    @property
    def _signer(self) -> Signer:
        return self._invites.signer("session")

    def _signed(self, session: dict[str, object]) -> str:
        body = base64.urlsafe_b64encode(json.dumps(session).encode()).rstrip(b"=")  # which cookies have to quote
        return self._signer.sign(body).decode()

    def _read(self, cookie: str) -> dict[str, Any] | None:
        """What a cookie says that was signed here."""
        try:
            body = self._signer.unsign(cookie)
            session: dict[str, Any] = json.loads(base64.urlsafe_b64decode(body + b"=" * (-len(body) % 4)))
        except BadSignature:
            return None
        return session

    def _mark(self) -> str:
        """What a manager's cookie says of the token: signed with the project's key, so that nobody can try tokens."""
        return self._invites.signer("token").get_signature(self._digest or b"").decode()

    def _manager(self, session: str = "") -> Person:
        return Person("manager", signed_in=not self.is_local, session=session)

    def _wait_of(self, address: str) -> float:
        """The seconds that an address has to wait because of wrong tokens."""
        now, most = time.monotonic(), self._most_failures
        times = [then for then in self._failures.get(address, []) if now - then < WINDOW_SECONDS]
        return WINDOW_SECONDS - (now - times[-most]) if len(times) >= most else 0.0

    def _count_failure(self, address: str) -> None:
        """Count one more wrong token."""
        now = time.monotonic()
        if len(self._failures) >= MOST_ADDRESSES:
            self._failures = {a: times for a, times in self._failures.items() if now - times[-1] < WINDOW_SECONDS}
        self._failures[address] = [*self._failures.get(address, []), now][-self._most_failures :]


def _invited(invite: Invite, session: str = "") -> Person:
    return Person("annotator", invite.name, signed_in=True, invite=invite.uid, session=session)


def token_problem(token: str) -> str:
    """What is wrong with a token that somebody chose; nothing where it is good."""
    if len(token) < SHORTEST_TOKEN:
        return f"a token has at least {SHORTEST_TOKEN} characters: longer is safer, 'auto' makes one"
    if len(set(token)) < FEWEST_CHARACTERS:
        return f"a token has at least {FEWEST_CHARACTERS} different characters: 'auto' makes one that nobody guesses"
    return ""


def new_token() -> str:
    """A token that nobody guesses."""
    return TOKEN_PREFIX + secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    """Whether an address or name is the machine itself.

    Examples
    --------
    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host
