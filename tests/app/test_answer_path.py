"""The way of an answer, as docs/architecture.md lists it, is the way it takes."""

import re
import sys
import threading
import uuid
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from likewise.app.engine_process import Orders
from likewise.app.engine_worker import Worker
from likewise.app.live import LiveProject
from likewise.server.application import create_app
from tests.app.page import NoPictures, put_pictures

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
WAY = re.findall(r"^\| \d+ \| `([^`]+)` \|", PAGE, re.MULTILINE)
IN_PYTHON = [path for path in WAY if path.endswith(".py")]


class Pipe:
    """Stands for the pipe to the engine's process: reports come straight back."""

    def __init__(self, live):
        self.live = live

    def send(self, report):
        self.live._take_report(report)

    def poll(self):
        return False


def test_every_file_of_the_way_is_there():
    assert len(WAY) == len(set(WAY)) <= 20
    assert [path for path in WAY if not (ROOT / path).is_file()] == []


@pytest.fixture
def watched():
    """The files of which a function was called, while `on` is set; in threads that start from now on, too."""
    sources, seen, on = f"{ROOT}/", set(), threading.Event()

    def watch(frame, event, argument):
        path = frame.f_code.co_filename
        if event == "call" and on.is_set() and path.startswith(sources):
            seen.add(path.removeprefix(sources))

    before = sys.getprofile()
    threading.setprofile(watch)
    sys.setprofile(watch)
    yield on, seen
    sys.setprofile(before)
    threading.setprofile(None)


def test_an_answer_passes_the_files_of_the_way(location, monkeypatch, watched):
    on, seen = watched
    live, sent = LiveProject(location), []
    put_pictures(live.project)
    live.adjust({"kind": "pair"})
    worker, pipe = Worker(live.project, "test"), Pipe(live)
    worker.follow(Orders.of_log(live.project.log(), {"seed": 0}))
    monkeypatch.setattr(live.engine, "start", lambda: None)
    order = live.engine.order
    with TestClient(create_app(live, NoPictures(live)), base_url="http://127.0.0.1") as client:
        worker.work(pipe)
        monkeypatch.setattr(live.engine, "order", lambda orders: (order(orders), sent.append(orders)))
        items = [item["id"] for item in client.get("/api/question").json()["items"]]
        on.set()
        form = {"key": uuid.uuid4().hex, "items": items, "value": "same"}
        assert client.post("/api/answers", json=form).status_code == 200
        for orders in sent:
            worker.follow(orders)
        worker.work(pipe)
        on.clear()
    assert [path for path in IN_PYTHON if path not in seen] == []
    assert live.ledger.constraints.known(*items) == "same"
