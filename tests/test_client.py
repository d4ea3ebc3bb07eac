"""The client against a real server: the session's verbs, clear errors, and nothing stored twice."""

import io
import json
import socket
import threading
import time
import zipfile
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
import uvicorn

from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.app.screens import ShownQuestion
from likewise.client import Client, ClientError, RemoteQuestion
from likewise.query.question import Question
from likewise.server.application import create_app
from likewise.server.auth import Auth
from likewise.server.schemas.project import ProgressView, ProjectView
from tests.app.page import TRUTH, NoPictures, put_pictures

TOKEN = "a token of the manager"


class Served(uvicorn.Server):
    """A server in a thread of this process."""

    def __init__(self, app):
        super().__init__(uvicorn.Config(app, log_level="error"))
        self.door = socket.socket()
        self.door.bind(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.door.getsockname()[1]}"

    def __enter__(self):
        self.thread = threading.Thread(target=self.run, kwargs={"sockets": [self.door]}, daemon=True)
        self.thread.start()
        while not self.started:
            assert self.thread.is_alive()
            time.sleep(0.01)
        return self

    def __exit__(self, *error):
        self.should_exit = True
        self.thread.join()
        self.door.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("client"))
    live = LiveProject(Location(folder, folder, "leaves", "test"))
    put_pictures(live.project)
    live.adjust({"strategy": "random", "n_clusters": 4, "kind": "pair"})
    with Served(create_app(live, NoPictures(live), Auth(live.project, TOKEN))) as server:
        server.live = live
        yield server


@pytest.fixture
def client(served, request):
    return Client(served.address, TOKEN, annotator=request.node.name[:60])


def mine(client):
    return [event for event in client.history if event["annotator"] == client.annotator]


def right(question):
    return "same" if len({TRUTH[item] for item in question.items}) == 1 else "different"


def test_the_two_verbs(client):
    for _ in range(5):
        question = client.ask(wait=240)
        assert question.kind == "pair"
        assert question.names == tuple(f"{item}.jpg" for item in question.items)
        assert client.answer(question, right(question)) is None
    said = mine(client)
    assert [event["kind"] for event in said] == ["answer"] * 5
    assert all(0 < event["seconds"] < 240 for event in said)
    undone = client.undo()
    assert undone["seq"] == said[-1]["seq"]
    assert client.ask(wait=240).items == tuple(undone["payload"]["items"])
    client.redo()
    assert [event["kind"] for event in mine(client)][-2:] == ["withdraw", "withdraw"]


def test_fields_are_called_as_in_the_description_of_the_api(client):
    ours = {field.name for field in fields(RemoteQuestion)} - {"names", "received"}
    assert ours <= {field.name for field in fields(ShownQuestion)}
    assert set(client.project()) == set(ProjectView.model_fields)
    assert set(client.progress()) == set(ProgressView.model_fields)
    assert RemoteQuestion("pair", (0, 1)).answers == Question("pair", (0, 1)).answers
    assert RemoteQuestion("triplet", (0, 1, 2)).answers == Question("triplet", (0, 1, 2)).answers


def test_labels_are_those_of_the_server(client):
    client.ask(wait=240)
    until = time.monotonic() + 240
    while (labels := client.labels_).min() < 0 and time.monotonic() < until:
        time.sleep(0.1)
    assert labels.shape == (24,)
    assert client.n_clusters_ == len(np.unique(labels)) == 4
    assert client.project()["name"] == "leaves"
    assert client.progress()["answers"] >= 0
    rows = client.clusters()
    assert {int(row["image"]): int(row["cluster"]) for row in rows} == dict(enumerate(labels.tolist()))


def test_a_contradiction_is_given_back(client):
    assert client.answer((20, 21), "same") is None
    assert client.answer((21, 22), "same") is None
    conflict = client.answer([20, 22], "different")
    assert [link["items"] for link in conflict["chain"]] == [[20, 21], [21, 22]]
    for _ in range(3):
        client.undo()


def test_one_key_is_stored_once(client):
    before = len(client.history)
    for _ in range(3):
        client.answer((3, 4), "unsure", seconds=1.0, key="mine-12345678")
    assert len(client.history) == before + 1
    with pytest.raises(ClientError, match="says something else") as refused:
        client.answer((3, 5), "unsure", seconds=1.0, key="mine-12345678")
    assert refused.value.status == 409


def test_mistakes_are_said_in_the_words_of_the_server(client):
    with pytest.raises(ClientError, match="999 is not there"):
        client.answer((0, 999), "same")
    with pytest.raises(ClientError) as refused:
        client.answer((0, 1), "perhaps")
    assert refused.value.status == 422
    with pytest.raises(ClientError, match="nothing to undo"):
        Client(client.address, TOKEN, annotator="new here").undo()
    with pytest.raises(ClientError, match="there is no format 'xml'"):
        client.export("xml")


def test_without_the_right_token_nothing_is_to_be_had(served):
    for token in (None, "wrong-wrong-wrong-wrong"):
        with pytest.raises(ClientError) as refused:
            Client(served.address, token).ask()
        assert refused.value.status == 401
        assert str(token) not in str(refused.value)
    assert TOKEN not in repr(Client(served.address, TOKEN))


def test_an_invited_annotator_answers_under_their_name(served, client):
    invites = served.live.project.invites
    guest = Client(served.address, invites.token(invites.add("guest")))
    question = guest.ask(wait=240)
    guest.answer(question, "unsure")
    assert client.history[-1]["annotator"] == "guest"
    with pytest.raises(ClientError, match="for the manager"):
        _ = guest.labels_


def test_every_format_comes_whole_and_leaves_nothing_behind(served, client):
    home = Path(served.live.location.folder)
    told = json.loads(client._call("GET", "export/formats"))
    assert {"csv", "coco", "archive", "report"} <= {each["name"] for each in told}
    for each in told:
        content = client.export(each["name"])
        assert content
        if each["suffix"] == ".zip":
            names = zipfile.ZipFile(io.BytesIO(content)).namelist()
            assert not any(name.startswith((".", "/")) for name in names)
    until = time.monotonic() + 60  # what was sent is removed just after
    while list(home.glob(".export-*")) and time.monotonic() < until:
        time.sleep(0.05)
    assert not list(home.glob(".export-*"))


def test_folders_are_written_for_the_person_at_the_machine_only(served, client, tmp_path):
    with pytest.raises(ClientError, match="download the zip") as refused:
        client._call("POST", "export/folders", json.dumps({"target": str(tmp_path / "out")}).encode())
    assert refused.value.status == 403
    assert not (tmp_path / "out").exists()


class Flaky(BaseHTTPRequestHandler):
    """Loses the first replies in one way after another, and keeps what it was sent."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.heard.append((body["key"], self.headers["Authorization"]))
        way = self.server.ways.pop(0) if self.server.ways else "well"
        if way == "drop":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        content = b'{"seq": 1, "conflict": null}' if way == "well" else b'{"detail": "busy"}'
        self.send_response(200 if way == "well" else int(way))
        if way == "302":
            self.send_header("Location", "http://127.0.0.1:9/")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def flaky(monkeypatch):
    monkeypatch.setattr("likewise.client.PAUSE", 0.001)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Flaky)
    server.heard, server.ways = [], []
    server.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_what_may_not_have_arrived_is_sent_again_with_the_same_key(flaky):
    flaky.ways = ["drop", "503", "429", "drop"]
    client = Client(flaky.address, "secret-token", annotator="ann")
    client.answer((0, 1), "same")
    assert len(flaky.heard) == 5
    assert len({key for key, _ in flaky.heard}) == 1
    client.answer((0, 1), "same")
    assert len({key for key, _ in flaky.heard}) == 2


def test_it_gives_up_in_the_end_and_follows_no_redirect(flaky):
    flaky.ways = ["503"] * 9
    client = Client(flaky.address, "secret-token", attempts=3)
    with pytest.raises(ClientError, match="busy"):
        client.undo()
    assert len(flaky.heard) == 3
    flaky.ways = ["302"]
    with pytest.raises(ClientError) as refused:
        client.undo()
    assert refused.value.status == 302
    with pytest.raises(ClientError, match="is not likewise"):
        client._json(b"<html>")


def test_addresses_and_what_is_not_there():
    with pytest.raises(ValueError, match="begins with http"):
        Client("127.0.0.1:8117")
    with pytest.raises(ValueError, match="at least one attempt"):
        Client("http://127.0.0.1:8117", attempts=0)
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    with pytest.raises(ClientError, match="cannot be reached"):
        Client(f"http://127.0.0.1:{port}", attempts=1).ask()
