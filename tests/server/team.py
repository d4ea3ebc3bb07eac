"""A served project with a token and people who were invited to it."""

import time
import uuid

import numpy as np
from fastapi.testclient import TestClient

from likewise.app.live import LiveProject
from likewise.server.application import create_app
from likewise.server.auth import Auth
from tests.app.page import TRUTH, NoPictures, put_pictures

TOKEN = "a token for the manager"
ADDRESS = "http://photos.example"


class Team:
    """The server, its manager, and annotators by name."""

    def __init__(self, location, n=24, **settings):
        self.live = LiveProject(location)
        put_pictures(self.live.project, n)
        self.live.adjust({"strategy": "random", "n_clusters": 4, "check_rate": 0.0, "kind": "pair", **settings})
        self.app = create_app(self.live, NoPictures(self.live), Auth(self.live.project, TOKEN))
        self.n_visitors = 0
        self.boss = self.visitor()

    def __enter__(self):
        self._served = TestClient(self.app, base_url=ADDRESS)
        self._served.__enter__()
        joined = self.boss.post("/api/join", json={"token": TOKEN})
        assert joined.json() == {"role": "manager", "name": ""}, joined.text
        return self

    def __exit__(self, *error):
        self._served.__exit__(*error)

    def visitor(self, host=None):
        """Somebody's browser; each has an address of its own, unless one is given."""
        self.n_visitors += 1
        return TestClient(self.app, base_url=ADDRESS, client=(host or f"10.1.1.{self.n_visitors}", 50_000))

    def token(self, name):
        made = self.boss.post("/api/team/invite", json={"name": name})
        assert made.status_code == 200, made.text
        return made.json()["link"].partition("#")[2]

    def invite(self, name):
        visitor = self.visitor()
        joined = visitor.post("/api/join", json={"token": self.token(name)})
        assert joined.json() == {"role": "annotator", "name": name}, joined.text
        return visitor

    def wait(self):
        """Until the clusters are there."""
        for _ in range(6000):
            if self.live.wall.clusters:
                return self.live.wall.clusters
            time.sleep(0.02)
        raise TimeoutError(self.live.problem)

    def wait_until_read(self):
        """Until the engine has read everything: what is asked then does not depend on how fast it is."""
        for _ in range(6000):
            if self.live.queue._batch.version == len(self.live.log()):
                return
            time.sleep(0.02)
        raise TimeoutError(self.live.problem)

    def question(self, client):
        """The next question of somebody, waited for."""
        for _ in range(6000):
            found = client.get("/api/question").json()
            if "waiting" not in found:
                return found
            time.sleep(0.02)
        raise TimeoutError(self.live.problem)

    def question_or_none(self, client):
        """The next question of somebody, or None once the engine has read everything and has none for them."""
        for _ in range(6000):
            is_read = self.live.queue._batch.version == len(self.live.log())
            found = client.get("/api/question").json()
            if "items" in found:
                return found
            if is_read or found.get("finished"):
                return None
            time.sleep(0.02)
        raise TimeoutError(self.live.problem)


def items_of(question):
    return [item["id"] for item in question["items"]]


def truth_of(question):
    i, j = items_of(question)
    return "same" if TRUTH[i] == TRUTH[j] else "different"


def answer(client, question, value=None, *, status=200, **more):
    form = {"key": uuid.uuid4().hex, "kind": question["kind"], "items": items_of(question)}
    form |= {"value": value or truth_of(question), "seconds": 1.0, **more}
    done = client.post("/api/answers", json=form)
    assert done.status_code == status, done.text
    return done.json()


def wrong(question):
    return "same" if truth_of(question) == "different" else "different"


def gold(client, pairs):
    form = {"key": uuid.uuid4().hex, "pairs": [[int(i), int(j), truth] for i, j, truth in pairs]}
    done = client.post("/api/team/gold", json=form)
    assert done.status_code == 200, done.text


def known_pairs(n, seed=0):
    rng = np.random.default_rng(seed)
    pairs = {tuple(sorted(rng.choice(24, 2, replace=False).tolist())) for _ in range(4 * n)}
    return [(i, j, "same" if TRUTH[i] == TRUTH[j] else "different") for i, j in sorted(pairs)[:n]]
