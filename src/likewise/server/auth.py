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

from itsdangerous import BadSignature, Signer

from likewise.app.people import LOCAL_MANAGER, Person
from likewise.store import Invite, InviteError, Project
from likewise.store.invites import PREFIX

TOKEN_PREFIX = "lwm_"
SHORTEST_TOKEN = 16
MANAGER_SECONDS = 30 * 86_400
FAILURES, WINDOW_SECONDS = 10, 60.0  # so many wrong tokens of one address in so long
MOST_ADDRESSES = 10_000


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
    - `token`: The manager's; at least 16 characters.
    - `failures`: How many wrong tokens of one address in a minute are answered as such; for further ones it has to
      wait.

    Examples
    --------
    >>> import tempfile
    >>> from likewise.store import Store
    >>> with Store.open(tempfile.mkdtemp()) as store:
    ...     auth = Auth(store.create_project("leaves"), token="a long enough token")
    ...     cookie, seconds = auth.sign_in("a long enough token", "10.0.0.1")
    ...     auth.by_cookie(cookie).role
    'manager'
    """

    def __init__(self, project: Project, token: str | None = None, *, failures: int = FAILURES) -> None:
        if token is not None and len(token) < SHORTEST_TOKEN:
            raise ValueError(f"a token has at least {SHORTEST_TOKEN} characters: longer is safer, 'auto' makes one")
        self._invites = project.invites
        self._digest = None if token is None else sha256(token.encode()).digest()
        self.cookie_name = f"likewise-{project.uid}"
        self._most_failures = failures
        self._failures: dict[str, list[float]] = {}

    @property
    def is_open(self) -> bool:
        """Whether no token is asked for."""
        return self._digest is None

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
        """Who shows this token; wrong ones of one address are counted, right ones are let in whatever the count."""
        if self._digest is not None and hmac.compare_digest(sha256(token.encode()).digest(), self._digest):
            return Person("manager", signed_in=True)
        try:
            return _invited(self._invites.read(token))
        except InviteError as error:
            wait = self._count_failure(address)
            if wait > 0:
                raise AuthError("too many wrong tokens from this address: wait a little", wait) from None
            why = str(error) if token.startswith(PREFIX) else "this token opens nothing"
            raise AuthError(why) from None

    def sign_in(self, token: str, address: str) -> tuple[str, int]:
        """A cookie for whoever shows this token, and for how many seconds it is good."""
        person = self.by_token(token, address)
        now = int(time.time())
        if person.is_annotator:
            invite = self._invites.read(token)
            ends = int(invite.expires_at.timestamp())
            return self._signed({"invite": invite.uid, "ends": ends}), max(1, ends - now)
        ends = now + MANAGER_SECONDS
        return self._signed({"manager": (self._digest or b"").hex(), "ends": ends}), MANAGER_SECONDS

    def by_cookie(self, cookie: str) -> Person:
        """Who carries this cookie; an invitation that was taken back ends it at once."""
        try:
            session = json.loads(base64.urlsafe_b64decode(self._signer.unsign(cookie)))
        except BadSignature:
            raise AuthError("you are not signed in here any more: sign in again") from None
        if session["ends"] <= time.time():
            raise AuthError("you were signed in for long enough: sign in again")
        if "invite" in session:
            try:
                return _invited(self._invites.check(session["invite"]))
            except InviteError as error:
                raise AuthError(str(error)) from None
        # the token is in the cookie by its digest: another token ends what was signed in with the last one
        if session["manager"] != (self._digest or b"").hex():
            raise AuthError("the token has changed: sign in again")
        return Person("manager", signed_in=True)

    def still_in(self, person: Person) -> bool:
        """Whether somebody who came in may still be here."""
        try:
            return not person.invite or self._invites.check(person.invite) is not None
        except InviteError:
            return False

    def allows_host(self, host: str) -> bool:
        """Whether a request is for this server: without a token, only under the names of the machine itself.

        Otherwise any page could have its own name lead here (DNS rebinding) and be the person at the machine.
        """
        return not self.is_open or is_loopback(_without_port(host))

    @property
    def _signer(self) -> Signer:
        return self._invites.signer("session")

    def _signed(self, session: dict[str, object]) -> str:
        return self._signer.sign(base64.urlsafe_b64encode(json.dumps(session).encode())).decode()

    def _count_failure(self, address: str) -> float:
        """Count one more wrong token; the seconds to wait where there were too many."""
        now, most = time.monotonic(), self._most_failures
        if len(self._failures) >= MOST_ADDRESSES:
            self._failures = {a: times for a, times in self._failures.items() if now - times[-1] < WINDOW_SECONDS}
        times = [then for then in self._failures.get(address, []) if now - then < WINDOW_SECONDS]
        self._failures[address] = [*times, now][-most - 1 :]
        return WINDOW_SECONDS - (now - times[-most]) if len(times) >= most else 0.0


def _invited(invite: Invite) -> Person:
    return Person("annotator", invite.name, signed_in=True, invite=invite.uid)


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
