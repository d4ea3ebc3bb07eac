"""A project that holds what cannot be read, a full disk, and a lease file that cannot be used: the rest goes on."""

import errno
import json
import logging
import os
import sqlite3
import uuid

import pytest
from fastapi.testclient import TestClient

from likewise.app.leases import Lease, Leases
from likewise.app.live import LiveProject
from likewise.query.question import Question
from likewise.server.application import create_app
from tests.app.page import NoPictures, put_pictures
from tests.store.test_store_damage import put, text_of_depth


class FullPictures(NoPictures):
    error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def file(self, *args, **kwargs):
        raise self.error

    def __getattr__(self, name):
        return self.file


def test_an_answer_that_is_nested_deep_is_refused(page):
    shown = 1
    for _ in range(935):
        shown = {"a": shown}
    said = page.post("answers", status=422, items=[0, 1], value="same", shown={"a": shown})
    assert "nested" in said["detail"]
    assert len(page.live.events) == 0


def test_a_project_with_an_unreadable_event_opens_and_says_so(location):
    with location.open_store() as store:
        project = location.project_of(store)
        put_pictures(project)
        project.append("answer", {"kind": "pair", "items": [0, 1], "value": "same"}, annotator="ann", key="k1")
        put(project, store, 2, "answer", text_of_depth(935))
        put(project, store, 3, "wiggle", "{}")
    live = LiveProject(location)
    with TestClient(create_app(live, NoPictures(live)), base_url="http://127.0.0.1") as client:
        told = client.get("/api/project").json()
        assert told["set_aside"] == 2
        assert told["problem"].startswith("2 stored events cannot be read and are set aside")
        assert told["answers"] == 1
        form = {"key": uuid.uuid4().hex, "annotator": "ann", "items": [2, 3], "value": "same"}
        assert client.post("/api/answers", json=form).json()["seq"] == 4
        assert client.post("/api/undo", json={"key": uuid.uuid4().hex, "annotator": "ann"}).status_code == 200
        assert '"unreadable"' in client.get("/api/export?format=jsonl").text


def failing(*args):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_fails_no_question_and_no_answer_that_is_stored(page, monkeypatch, caplog):
    page.wait()
    with caplog.at_level(logging.WARNING, "likewise"):
        monkeypatch.setattr("likewise.app.leases.os.write", failing)
        monkeypatch.setattr("likewise.app.leases.os.replace", failing)
        for k in range(3):
            question = page.get("question", annotator=f"p{k}")
            items = [each["id"] for each in question["items"]]
            assert page.post("answers", annotator=f"p{k}", items=items, value="different")["seq"] == k + 1
    assert [record.getMessage() for record in caplog.records if "in memory only" in record.getMessage()] != []
    assert len([record for record in caplog.records if "in memory only" in record.getMessage()]) == 1
    monkeypatch.undo()
    page.get("question", annotator="p9")
    (path,) = page.live.store.folder.glob("leases-*.jsonl")
    assert '"p9"' in path.read_text()


@pytest.mark.parametrize("what", ["system", "sqlite"])
def test_a_full_disk_is_said_where_pictures_cannot_be_made(location, what):
    with location.open_store() as store:
        put_pictures(location.project_of(store))
    live = LiveProject(location)
    pictures = FullPictures(live)
    if what == "sqlite":
        pictures.error = sqlite3.OperationalError("database or disk is full")
        pictures.error.sqlite_errorcode = sqlite3.SQLITE_FULL
    with TestClient(create_app(live, pictures), base_url="http://127.0.0.1") as client:
        answer = client.get("/api/images/1")
        assert (answer.status_code, answer.json()) == (
            507,
            {"detail": "no space is left on the disk: nothing was written"},
        )


LEASE = {"annotator": "ann", "kind": "pair", "items": [0, 1], "reason": "r", "until": 1e10, "gold": "", "need": 1}


@pytest.mark.parametrize(
    "wrong",
    [
        {"until": "soon"},
        {"until": None},
        {"until": float("inf")},
        {"need": "two"},
        {"items": ["a", {}]},
        {"items": 5},
        {"items": [1]},
        {"kind": ["pair"]},
        {"kind": "wiggle"},
        {"gold": 7},
        {"annotator": {}},
        {"reason": None},
        {"check": "x"},
    ],
    ids=str,
)
def test_wrong_types_in_the_lease_file_are_passed_over(tmp_path, wrong):
    path = tmp_path / "leases.jsonl"
    deep = "[" * 100_000 + "]" * 100_000
    lines = [json.dumps(LEASE | wrong), "7", "[]", "null", "\udc80", deep, json.dumps(LEASE | {"annotator": "bob"})]
    path.write_text("\n".join(lines), errors="surrogateescape")
    leases = Leases(lambda: 100.0, path)
    assert [who for who, _ in leases.active()] == ["bob"]
    leases.put("eve", Lease(Question("pair", (2, 3)), until=400.0))
    leases.close()
    assert [who for who, _ in Leases(lambda: 100.0, path).active()] == ["bob", "eve"]


def test_a_lease_file_that_is_a_folder_keeps_nobody_from_working(tmp_path, caplog):
    (tmp_path / "leases.jsonl" / "x").mkdir(parents=True)
    leases = Leases(lambda: 100.0, tmp_path / "leases.jsonl")
    leases.put("eve", Lease(Question("pair", (2, 3)), until=400.0))
    assert leases.get("eve").until == 400.0
    leases.close()
