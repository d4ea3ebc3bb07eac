"""A served project without pictures on disk: vectors are put straight into the store."""

import time
import uuid
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.server.application import create_app


class NoPictures:
    """Stands for the pictures where a test is not about them."""

    def __init__(self, live):
        self.live = live
        self.folder = Path("photos")
        self.state = {"state": "done", "done": 24, "total": 24, "rate": 1.0}

    def start(self):
        self.live.start()
        self.live.indexing(self.state)

    def stop(self):
        pass


class Page:
    """What a page does: sends forms with keys, and waits for the engine."""

    def __init__(self, client, live):
        self.client = client
        self.live = live

    def get(self, path, **query):
        answer = self.client.get(f"/api/{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path, *, status=200, key=None, annotator="ann", **form):
        form |= {"key": key or uuid.uuid4().hex, "annotator": annotator}
        answer = self.client.post(f"/api/{path}", json=form)
        assert answer.status_code == status, answer.text
        return answer.json()

    def wait(self, seconds=240):
        """Until the engine has read everything that was said."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            seen = len(self.live.log())
            if (
                self.live.wall.version == seen
                and self.live.ready
                and self.get("question", annotator="ann").get("waiting") is None
            ):
                return
            time.sleep(0.02)
        raise TimeoutError(f"the engine is at {self.live.wall.version}: {self.live.problem}")


TRUTH = np.repeat(np.arange(4), 6)


def put_pictures(project, n=24):
    rng = np.random.default_rng(0)
    project.add_images([f"{k}.jpg" for k in range(n)])
    with project.vectors("test", 4, write=True) as vectors:
        vectors.append(rng.normal(size=(n, 4)) * 0.05 + np.eye(4)[TRUTH[:n]])


@pytest.fixture
def location(tmp_path):
    return Location(str(tmp_path), str(tmp_path), "leaves", "test")


@contextmanager
def served(live):
    """A project served to a page; the first clusters are there."""
    live.adjust({"strategy": "random", "n_clusters": 4, "kind": "pair"})
    with TestClient(create_app(live, NoPictures(live)), base_url="http://127.0.0.1") as client:
        page = Page(client, live)
        page.wait()
        yield page


@pytest.fixture
def page(location):
    live = LiveProject(location)
    put_pictures(live.project)
    with served(live) as page:
        yield page
