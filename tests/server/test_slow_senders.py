"""Whoever sends or reads slowly, or opens very many connections, keeps nobody out; with real sockets."""

import socket
import threading
from contextlib import ExitStack, contextmanager

import pytest

from likewise.server.connections import GuardedProtocol, Room, make_server
from likewise.server.middleware import LIMITS
from tests.server.team import TOKEN, Team

HEAD = b"POST /api/join HTTP/1.1\r\nHost: photos.example\r\nContent-Type: application/json\r\n"


class Hasty(GuardedProtocol):
    """The same limits, sooner."""

    head_seconds = 0.5
    body_seconds = 0.5
    read_seconds = 0.5
    most_connections = 20


class Narrow(GuardedProtocol):
    """Room for few connections, for long."""

    most_connections = 20


@contextmanager
def serving(application, protocol):
    listener = socket.create_server(("127.0.0.1", 0))
    server = make_server(application, protocol=protocol, lifespan="off")
    server.install_signal_handlers = lambda: None
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname(), server
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    from likewise.app.location import Location

    folder = str(tmp_path_factory.mktemp("slow"))
    with Team(Location(folder, folder, "leaves", "test")) as team:
        yield team


def connect(address, first=b""):
    connection = socket.create_connection(address, timeout=60)
    connection.sendall(first)
    return connection


def read_to_end(connection):
    """All that comes until the other end closes; it does so, or this waits for a minute."""
    got = b""
    try:
        while piece := connection.recv(65536):
            got += piece
    except ConnectionResetError:
        pass
    return got


def test_half_sent_headers_are_given_up(team):
    with serving(team.app, Hasty) as (address, _):
        for first in (b"", b"G", HEAD, HEAD + b"Content-Length: 10\r\n"):
            with connect(address, first) as connection:
                assert read_to_end(connection) == b""
        # also those of a second request on the same connection
        with connect(address, b"GET /nowhere HTTP/1.1\r\nHost: photos.example\r\n\r\nGET /") as connection:
            assert read_to_end(connection).count(b"HTTP/1.1") == 1


def test_headers_that_trickle_in_are_given_up(team):
    with serving(team.app, Hasty) as (address, _), connect(address) as connection:
        connection.settimeout(0.05)
        for _ in range(1200):
            try:
                connection.sendall(b"x")
                if connection.recv(1) == b"":
                    return
            except TimeoutError:
                continue
            except OSError:
                return
        pytest.fail("it is still open")


def test_half_sent_bodies_are_given_up(team, monkeypatch):
    with serving(team.app, Hasty) as (address, _), connect(address, HEAD + b"Content-Length: 100\r\n\r\n{") as open_one:
        assert read_to_end(open_one) == b""
    monkeypatch.setitem(LIMITS, "/api/join", (4096, 0.3))
    with serving(team.app, Narrow) as (address, _), connect(address, HEAD + b"Content-Length: 9\r\n\r\n{") as open_one:
        assert b" 408 " in read_to_end(open_one)  # with a sentence, where there is time for one


def test_before_anybody_is_signed_in_little_is_taken(team):
    with serving(team.app, Narrow) as (address, _):
        with connect(address, HEAD + b"Content-Length: 4097\r\n\r\n") as connection:
            told = read_to_end(connection)
            assert b" 413 " in told
            assert b"4096 bytes" in told
        pieces = b"%x\r\n%s\r\n" % (3000, b" " * 3000)
        with connect(address, HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + 2 * pieces) as connection:
            assert b" 413 " in read_to_end(connection)
    assert team.visitor().post("/api/join", json={"token": "x" * 5000}).status_code == 413
    assert team.visitor().post("/api/join", json={"token": TOKEN}).status_code == 200


def test_many_that_wait_keep_nobody_out(team):
    bodies = HEAD + b"Content-Length: 100\r\n\r\n{"
    with serving(team.app, Narrow) as (address, server), ExitStack() as stack:
        for first in (b"", b"GET / HTTP/1.1\r\n", bodies):
            held = [stack.enter_context(connect(address, first)) for _ in range(40)]
            with connect(address, b"GET /api/me HTTP/1.1\r\nHost: photos.example\r\nConnection: close\r\n\r\n") as mine:
                assert b" 401 " in read_to_end(mine)
            assert len(server.server_state.connections) <= 21
            assert read_to_end(held[0]) == b""  # the one that waited longest went


def test_where_all_are_at_work_a_new_one_is_told(tmp_path):
    at_work = threading.Semaphore(0)

    async def application(scope, receive, send):
        at_work.release()
        await receive()
        while (await receive())["type"] != "http.disconnect":
            pass

    with serving(application, Narrow) as (address, _), ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(connect(address, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        for _ in range(20):
            assert at_work.acquire(timeout=60)
        with connect(address) as one_more:
            told = read_to_end(one_more)
        assert b" 503 " in told
        assert b"try again" in told


def test_who_does_not_read_a_reply_is_dropped():
    ended = threading.Event()

    async def application(scope, receive, send):
        try:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            while True:
                await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
                if (await receive_at_once(receive)) == "http.disconnect":
                    return
        finally:
            ended.set()

    async def receive_at_once(receive):
        import asyncio

        try:
            async with asyncio.timeout(0.001):
                return (await receive())["type"]
        except TimeoutError:
            return ""

    with serving(application, Hasty) as (address, _), connect(address, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"):
        assert ended.wait(60)


class Stand:
    """Stands for a connection of some host."""

    def __init__(self, host):
        self.host = host
        self.is_dropped = False
        self.transport = self

    def abort(self):
        self.is_dropped = True


def test_connections_of_one_host_are_limited_but_for_this_machine():
    room = Room()
    ten = [Stand("10.0.0.7") for _ in range(10)]
    assert all(room.take(each, 100, 3) for each in ten)
    assert [each.is_dropped for each in ten] == [True] * 7 + [False] * 3
    for each in ten:
        room.note(each, is_waiting=False)  # they are answered
    assert not room.take(Stand("10.0.0.7"), 100, 3)
    assert room.take(Stand("10.0.0.8"), 100, 3)
    assert all(room.take(Stand("127.0.0.1"), 100, 3) for _ in range(10))
    for each in ten:
        room.give_back(each)
        room.give_back(each)
    assert room.hosts == {"10.0.0.8": 1, "127.0.0.1": 10}
    assert len(room.open) == 11
