"""Examples of every class, found in the background and kept until the clusters change."""

import os
import signal
import threading
import time

import numpy as np

from likewise.app.background import Background
from likewise.server.routes.browse import examples_by_looks, examples_of_groups

TRUTH = np.repeat(np.arange(4), 6)


def browse_when_ready(page, **query):
    for _ in range(2400):
        found = page.get("browse", **query)
        if not found["working"]:
            return found
        time.sleep(0.05)
    raise TimeoutError(found)


def test_examples_of_the_clusters_of_now(page):
    found = browse_when_ready(page, examples=3)
    wall = page.live.wall
    assert sorted(row["cluster"] for row in found["rows"]) == sorted(wall.clusters)
    for row in found["rows"]:
        assert {wall.cluster_of[image] for image in row["items"]} == {row["cluster"]}
        assert len(row["items"]) == min(3, row["size"])
    first = found["rows"][0]["cluster"]
    page.post("clusters/name", cluster=first, name="Oak")
    again = page.get("browse", examples=3)
    assert not again["working"]  # a name changes no cluster
    assert again["rows"][0]["name"] == "Oak"


def test_found_anew_when_clusters_change(page, monkeypatch):
    asked = []
    ask = Background.ask

    def count(self, name, key, *rest):
        asked.append(key)
        return ask(self, name, key, *rest)

    monkeypatch.setattr(Background, "ask", count)
    browse_when_ready(page, examples=4)
    a, b = page.get("clusters")["clusters"][:2]
    page.post("clusters/merge", clusters=[a["id"], b["id"]])
    page.wait()
    found = browse_when_ready(page, examples=4)
    assert len(set(asked)) == 2
    assert sum(row["size"] for row in found["rows"]) == 24


def test_examples_by_looks_alone(page):
    found = browse_when_ready(page, examples=4, by="looks", classes=4)
    assert sorted(TRUTH[row["items"][0]] for row in found["rows"]) == [0, 1, 2, 3]
    for row in found["rows"]:
        assert len(set(TRUTH[row["items"]])) == 1


def test_the_work_itself(page, location):
    groups = [np.flatnonzero(k == TRUTH).tolist() for k in range(4)] + [[999]]
    found = examples_of_groups(location, 2, groups)
    assert [set(TRUTH[row]) for row in found] == [{0}, {1}, {2}, {3}]
    assert all(len(row) == 2 for row in found)
    assert len(examples_by_looks(location, 3, list(range(24)), 100)) == 24


def test_answers_are_stored_while_it_works(page):
    page.client.get("/api/browse", params={"examples": 5})
    question = page.get("question", annotator="ann")
    items = [item["id"] for item in question["items"]]
    assert page.post("answers", items=items, value="same")["seq"] == 1


def fails():
    raise ValueError("no")


def test_background_says_what_went_wrong_and_survives_a_kill():
    background = Background()
    try:
        assert background.ask("work", 1, fails) is None
        background.wait("work", 240)
        assert background.last("work").problem == "no"
        assert background.ask("work", 1, fails).problem == "no"  # not tried again for the same
        assert background.ask("sleep", 1, time.sleep, 600) is None
        while background._process is None or background._process.pid is None:
            time.sleep(0.01)
        os.kill(background._process.pid, signal.SIGKILL)
        background.wait("sleep", 240)
        assert background.last("sleep") is None
        assert background.ask("sum", 1, sum, (1, 2)) is None
        background.wait("sum", 240)
        assert background.ask("sum", 1, sum, (1, 2)).result == 3
    finally:
        background.stop()


def test_stopping_does_not_wait():
    background = Background()
    background.ask("sleep", 1, time.sleep, 600)
    stopping = threading.Thread(target=background.stop)
    stopping.start()
    stopping.join(120)
    assert not stopping.is_alive()
