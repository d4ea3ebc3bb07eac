"""The server's connections: whoever sends or reads too slowly is dropped, and nobody keeps the others out."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from likewise.server.auth import is_loopback

HEAD_SECONDS = 10.0  # from the first moment to the last line of the headers
BODY_SECONDS = 75.0  # to the last byte of the body; what reads it is less patient
READ_SECONDS = 60.0  # how long a reply may wait for its reader
KEEP_ALIVE_SECONDS = 5
MOST_CONNECTIONS = 1000
MOST_OF_A_HOST = 256  # people behind one router share an address
LARGEST_HEAD = 32 * 1024
FULL = b'{"detail":"too many connections: try again in a moment"}'
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 5\r\n"
    b"connection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(FULL), FULL)
)


class GuardedProtocol(H11Protocol):
    """One connection, with a time limit for each thing that its other end has to do.

    Where there are too many connections, the one goes that has kept the server waiting longest; where all of them are
    at work, the new one is refused. Those of one host are limited too, but not those of this machine, where a proxy
    brings everybody's.
    """

    head_seconds = HEAD_SECONDS
    body_seconds = BODY_SECONDS
    read_seconds = READ_SECONDS
    most_connections = MOST_CONNECTIONS
    most_of_a_host = MOST_OF_A_HOST

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or refuse it."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._room: Room = self.server_state.__dict__.setdefault("room", Room())
        super().connection_made(transport)
        if self._room.take(self, self.most_connections, self.most_of_a_host):
            self._limit("head", self.head_seconds)
        else:
            transport.write(REFUSAL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._room.give_back(self)
        self._forget(*self._timers)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, and see what is still missing."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """The connection waits for the next request, from now on."""
        super().on_response_complete()
        self._room.waiting.pop(self, None)
        self._watch()

    def pause_writing(self) -> None:
        """The other end reads too slowly."""
        super().pause_writing()
        self._limit("read", self.read_seconds)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self._forget("read")

    @property
    def host(self) -> str:
        """Where it comes from."""
        return self.client[0] if self.client else ""

    def _watch(self) -> None:
        state = self.conn.their_state
        if state is h11.IDLE and self.conn.trailing_data[0]:  # the first lines of a request
            self._limit("head", self.head_seconds)
        elif state is not h11.IDLE:
            self._forget("head")
        if state is h11.SEND_BODY:
            self._limit("body", self.body_seconds)
        else:
            self._forget("body")
        self._room.note(self, is_waiting=state in (h11.IDLE, h11.SEND_BODY))

    def _limit(self, what: str, seconds: float) -> None:
        if what not in self._timers and not self.transport.is_closing():
            self._timers[what] = self.loop.call_later(seconds, self.transport.abort)

    def _forget(self, *names: str) -> None:
        for name in names:
            if (timer := self._timers.pop(name, None)) is not None:
                timer.cancel()


class Room:
    """The connections that a server has, and which of them keep it waiting: for headers, a body or a next request."""

    def __init__(self) -> None:
        self.open: set[GuardedProtocol] = set()
        self.hosts: Counter[str] = Counter()
        self.waiting: dict[GuardedProtocol, None] = {}  # the one that has waited longest comes first

    def take(self, one: GuardedProtocol, most: int, most_of_a_host: int) -> bool:
        """Take one more connection, where need be for one that keeps the server waiting; whether there is room."""
        is_limited = bool(one.host) and not is_loopback(one.host)
        if is_limited and self.hosts[one.host] >= most_of_a_host and not self._drop(one.host):
            return False
        if len(self.open) >= most and not self._drop():
            return False
        self.open.add(one)
        self.hosts[one.host] += 1
        self.note(one, is_waiting=True)
        return True

    def note(self, one: GuardedProtocol, *, is_waiting: bool) -> None:
        """Note whether a connection keeps the server waiting."""
        if not is_waiting:
            self.waiting.pop(one, None)
        elif one in self.open:
            self.waiting.setdefault(one)

    def give_back(self, one: GuardedProtocol) -> None:
        """A connection is gone; a second call does nothing."""
        self.waiting.pop(one, None)
        if one in self.open:
            self.open.discard(one)
            self.hosts[one.host] -= 1
            if not self.hosts[one.host]:
                del self.hosts[one.host]

    def _drop(self, host: str | None = None) -> bool:
        """Drop the connection, of one host or of all, that has waited longest; whether there was one."""
        found = next((each for each in self.waiting if host is None or each.host == host), None)
        if found is None:
            return False
        self.give_back(found)
        found.transport.abort()
        return True


class ClosingServer(uvicorn.Server):
    """Ends the news first: pages that listen would hold the end up."""

    close_news: Callable[[], None] = staticmethod(lambda: None)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End on a signal."""
        self.close_news()
        super().handle_exit(sig, frame)


def make_server(
    application: ASGIApp,
    close_news: Callable[[], None] = lambda: None,
    *,
    protocol: type[GuardedProtocol] = GuardedProtocol,
    **options: Any,
) -> ClosingServer:
    """A server that is ready to run.

    - `application`, ASGI application: What it serves.
    - `close_news`: Called when it is told to end.
    - `protocol`: Its connections, with their limits.
    - `**options`: More for :class:`uvicorn.Config`.
    """
    config = uvicorn.Config(
        application,
        http=protocol,
        log_level="warning",
        timeout_graceful_shutdown=2,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        **options,
    )
    _allow_files(2 * protocol.most_connections)
    server = ClosingServer(config)
    server.close_news = close_news
    return server


def _allow_files(wanted: int) -> None:
    """Let this process have so many files and connections open, where the system allows it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
