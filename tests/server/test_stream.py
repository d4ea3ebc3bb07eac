"""News for the page: from any thread, to whom they are for, until the server or an invitation ends."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from likewise.app.news import MAX_WAITING, Stream
from likewise.app.people import LOCAL_MANAGER, Person
from likewise.server.routes import project

LONG = 240  # seconds after which a test has failed


class Doors:
    """Stands for the authentication: who is in may be taken back."""

    def __init__(self):
        self.open = True

    def still_in(self, person):
        return self.open


def events(stream, person=LOCAL_MANAGER, auth=None):
    return project._events(stream, auth or Doors(), person)


async def following(listener):
    return await asyncio.wait_for(anext(listener), LONG)


def run(listen):
    """Run in a thread of its own: where pages were tested before, this one has a loop that is running."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(listen())).result(LONG)


def in_thread(work, *arguments):
    thread = threading.Thread(target=work, args=arguments)
    thread.start()
    return thread


def test_news_of_a_thread_reach_the_page_without_polling(monkeypatch):
    monkeypatch.setattr(project, "CHECK_SECONDS", LONG)  # nothing else wakes it

    async def listen():
        stream = Stream()
        listener = events(stream)
        assert (await following(listener)).encode() == b": here\n\n"
        waiting = asyncio.ensure_future(following(listener))
        await asyncio.sleep(0)
        in_thread(stream.publish, "clusters", {"version": 3}).join()
        found = await waiting
        assert (found.event, json.loads(found.data)) == ("clusters", {"version": 3})
        await listener.aclose()
        assert stream._listeners == []

    run(listen)


def test_closing_ends_every_stream_at_once(monkeypatch):
    monkeypatch.setattr(project, "CHECK_SECONDS", LONG)

    async def listen():
        stream = Stream()
        listeners = [events(stream) for _ in range(3)]
        for listener in listeners:
            await following(listener)
        waiting = [asyncio.ensure_future(following(listener)) for listener in listeners]
        await asyncio.sleep(0)
        in_thread(stream.close).join()
        done = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(each) for each in done] == [StopAsyncIteration] * 3
        assert stream._listeners == []

    run(listen)


def test_an_invitation_taken_back_ends_the_stream_also_while_there_are_news(monkeypatch):
    monkeypatch.setattr(project, "CHECK_SECONDS", 0.0)

    async def listen():
        stream, doors = Stream(), Doors()
        listener = events(stream, Person("annotator", "ann", invite="x"), doors)
        await following(listener)
        doors.open = False
        stream.publish("question", {})
        with pytest.raises(StopAsyncIteration):
            await following(listener)

    run(listen)


def test_annotators_get_the_news_that_are_for_them():
    async def listen():
        stream = Stream()
        listener = events(stream, Person("annotator", "ann", invite="x"))
        await following(listener)
        for name in ("clusters", "problem", "question", "indexing"):
            stream.publish(name, {})
        assert [(await following(listener)).event for _ in range(2)] == ["question", "indexing"]

    run(listen)


def test_a_slow_listener_loses_the_oldest():
    stream = Stream()
    with stream.listen() as news:
        for number in range(MAX_WAITING + 5):
            stream.publish("clusters", {"version": number})
        kept = [news.get_nowait().data["version"] for _ in range(news.qsize())]
    assert kept == list(range(5, MAX_WAITING + 5))
