"""What every request passes before anything is done with it: its host, size, origin, sender and right."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fastapi import HTTPException
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.app.people import Person
from likewise.server.auth import Auth, AuthError, current_person
from likewise.store import StoreError

MOST_BYTES = 4 * 2**20
MOST_SECONDS = 60.0  # for the whole of a body
# Before anybody is signed in, little is taken, and not for long.
LIMITS: dict[str, tuple[int, float]] = {"/api/join": (4096, 10.0), "/api/leave": (4096, 10.0)}
STORE_AWAY = "the store is busy or away: send it again"
TOO_SLOW = "the request took too long to arrive: send it again"
CLOSING = {"Connection": "close"}  # what is still on its way is not read
SAFE = ("GET", "HEAD", "OPTIONS")
# What an annotator may ask for; whatever is not named here is the manager's.
FOR_ANNOTATORS = tuple(
    (method, re.compile(path))
    for method, path in (
        ("GET", r"/api/(me|project|progress|question|settings|stream)"),
        ("GET", r"/api/images/[^/]+"),
        ("POST", r"/api/(answers|bad|undo|redo|leave)"),
        ("GET", r"/api/study/[^/]+"),
        ("POST", r"/api/study/[^/]+/(begin|answers|back|survey)"),
        ("GET", r"/api/crowd/[^/]+"),
        ("POST", r"/api/crowd/[^/]+/(next|hits|back)"),
    )
)
FOR_ALL = (("POST", "/api/join"), ("POST", "/api/leave"))  # before anybody is signed in
TOKENS = re.compile(r"(?i)\b(lw[im]_)[^\s\"'&;,]+|(\bbearer\s+)[^\s\"']+|(\btoken=)[^\s\"'&;]+")


class RefusedError(Exception):
    """A request that goes no further, with the status and the text it gets."""

    def __init__(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.headers = headers or {}


class AccessMiddleware:
    """The first thing a request meets.

    - `app`, ASGI application: What is behind it.
    - `auth`: Says who somebody is.
    """

    def __init__(self, app: ASGIApp, auth: Auth) -> None:
        self.app = app
        self.auth = auth

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or say why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            self._check_origin(scope, headers)
            receive = _limited(scope, headers, receive)
            person = await self._person(scope, headers)
            _check_right(scope, person)
        except StoreError:  # not known yet who it is: nothing of where the store is
            await JSONResponse({"detail": STORE_AWAY}, 503)(scope, receive, send)
            return
        except RefusedError as no:
            response = JSONResponse({"detail": str(no)}, no.status, no.headers)
            await response(scope, receive, send)
            return
        if person is not None and person.is_annotator:
            scope["query_string"] = _as_annotator(scope["query_string"], person.name)
        token = current_person.set(person or Person("annotator"))
        try:
            await self.app(scope, receive, send)
        finally:
            current_person.reset(token)

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        if not self.auth.allows_host(host):
            raise RefusedError(
                400, "this server is for the machine it runs on: start it with --token to be reached under a name"
            )
        if not scope["path"].startswith("/api/"):
            return
        site = headers.get("sec-fetch-site")
        if site in ("cross-site", "same-site"):
            raise RefusedError(403, "this came from another site")
        origin = headers.get("origin")
        writes = origin is not None and scope["method"] not in SAFE
        if site is None and writes and str(origin).partition("://")[2] != host:
            raise RefusedError(403, "this came from another site")

    async def _person(self, scope: Scope, headers: Headers) -> Person | None:
        """Who is asking; the page itself, which holds nothing of the project, is for everybody."""
        path, public = scope["path"], (scope["method"], scope["path"]) in FOR_ALL
        if public or not (path.startswith("/api/") or path in ("/docs", "/openapi.json")):
            return None
        cookie = _cookie(headers, self.auth.cookie_name)
        address = scope["client"][0] if scope.get("client") else ""
        bearer = headers.get("authorization", "")
        try:
            if cookie or bearer:  # looks into the store, which others must not wait for
                person = await run_in_threadpool(self.auth.identify, bearer, cookie, address)
            else:
                person = self.auth.identify(bearer, cookie, address)
        except AuthError as no:
            raise refusal(no) from None
        if person is None:
            raise RefusedError(401, "sign in first, with a token or an invitation", {"WWW-Authenticate": "Bearer"})
        return person


def refusal(no: AuthError) -> RefusedError:
    """What somebody gets who showed a wrong token."""
    if no.seconds > 0:
        return RefusedError(429, str(no), {"Retry-After": str(max(1, round(no.seconds)))})
    return RefusedError(401, str(no), {"WWW-Authenticate": "Bearer"})


def _check_right(scope: Scope, person: Person | None) -> None:
    if person is None or not person.is_annotator:
        return
    method, path = "GET" if scope["method"] == "HEAD" else scope["method"], scope["path"]
    if not path.startswith("/api/"):
        raise RefusedError(403, "this is for the manager of the project")
    if not any(method == allowed and known.fullmatch(path) for allowed, known in FOR_ANNOTATORS):
        raise RefusedError(403, "this is for the manager of the project")


def _limited(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    """What is read of the body: so many bytes, within so many seconds."""
    most, seconds = LIMITS.get(scope["path"], (MOST_BYTES, MOST_SECONDS))
    too_large = f"at most {most // 2**20} MB are taken at once" if most >= 2**20 else f"at most {most} bytes are taken"
    length = headers.get("content-length", "0")
    if not length.isdecimal():
        raise RefusedError(400, "the length of the body is no number")
    if int(length) > most:
        raise RefusedError(413, too_large, CLOSING)
    seen, until = 0, asyncio.get_running_loop().time() + seconds
    is_whole = False

    async def count() -> Message:
        nonlocal seen, is_whole
        if is_whole:  # what comes now is the end of the connection
            return await receive()
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, TOO_SLOW, CLOSING) from None
        seen += len(message.get("body", b""))
        is_whole = not message.get("more_body", False)
        if seen > most:
            raise HTTPException(413, too_large, CLOSING)
        return message

    return count


def _as_annotator(query: bytes, name: str) -> bytes:
    """The query of somebody who was invited: whatever name it gives, it is theirs."""
    kept = [(key, value) for key, value in parse_qsl(query.decode("latin-1"), True) if key != "annotator"]
    return urlencode([*kept, ("annotator", name)]).encode()


def _cookie(headers: Headers, name: str) -> str | None:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return None
    return None if morsel is None else morsel.value


class TokenFilter(logging.Filter):
    """Takes tokens out of what is logged, whoever logs it.

    Examples
    --------
    >>> record = logging.LogRecord("x", 20, "", 0, "GET /join?token=%s", ("lwi_abc.12.def",), None)
    >>> TokenFilter().filter(record), record.getMessage()
    (True, 'GET /join?token=[removed]')
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record; it is always kept."""
        # the arguments stay beside the text: formatters of access logs take them one by one
        if isinstance(record.args, tuple):
            record.args = tuple(_clean(each) for each in record.args)
        text = record.getMessage()
        if (cleaned := _clean(text)) != text:
            record.msg, record.args = cleaned, ()
        if record.exc_info:
            record.exc_text = _clean(logging.Formatter().formatException(record.exc_info))
        return True


def _clean(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    return TOKENS.sub(lambda found: f"{found[2] or found[3] or ''}[removed]", text)


def keep_tokens_out(loggers: Iterable[str] = ("uvicorn", "uvicorn.access", "uvicorn.error", "")) -> None:
    """Put the filter on these loggers and their handlers, once."""
    for name in loggers:
        logger = logging.getLogger(name)
        for target in (logger, *logger.handlers):
            if not any(isinstance(each, TokenFilter) for each in target.filters):
                target.addFilter(TokenFilter())
