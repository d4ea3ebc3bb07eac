"""What people who were invited get: nothing of paths, of databases, or of how much others do, in any reply."""

import re
import uuid

import pytest

from likewise.app.location import Location
from likewise.app.news import News
from likewise.app.people import Person
from likewise.server.auth import current_person
from likewise.server.routes.project import _blind
from likewise.server.schemas.project import IndexingView
from likewise.store import StoreError, StoreFullError
from tests.server.team import Team, answer, items_of

N = 23  # pictures: a number that nothing else has


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("blind-place"))
    with Team(Location(folder, folder, "leaves", "test"), n=N, gold_rate=0.0) as team:
        bob = team.invite("bob")
        for _ in range(7):
            answer(bob, team.question(bob))
        yield team


def send(client, path, **form):
    return client.post(f"/api/{path}", json={"key": uuid.uuid4().hex, **form})


def numbers(value):
    """All numbers of a reply that are of no picture."""
    if isinstance(value, dict):
        kept = {name: each for name, each in value.items() if name not in ("id", "items", "item", "payload", "name")}
        return [number for each in kept.values() for number in numbers(each)]
    if isinstance(value, list):
        return [number for each in value for number in numbers(each)]
    return [value] if isinstance(value, int) and not isinstance(value, bool) else []


def test_no_reply_tells_how_much_there_is_or_how_much_others_do(team):
    ann = team.invite("ann")
    question = team.question(ann)
    replies = [ann.get(f"/api/{path}") for path in ("me", "project", "progress", "question", "settings")]
    replies.append(send(ann, "answers", items=items_of(question), value="same"))
    replies.append(send(ann, "undo"))
    replies.append(send(ann, "redo"))
    replies.append(send(ann, "bad", item=items_of(team.question(ann))[0]))
    for reply in replies:
        assert reply.status_code == 200, reply.text
        assert max(numbers(reply.json()), default=0) <= 2, reply.text  # their own first and second
    shown = ann.get("/api/project").json()
    assert shown["indexing"] == {"state": "done", "done": 0, "total": 0, "rate": 0.0}
    assert team.boss.get("/api/project").json()["n_images"] == N


def test_refusals_name_no_place_and_no_number(team, monkeypatch):
    cid = team.invite("cid")
    question = team.question(cid)
    key = uuid.uuid4().hex
    form = {"key": key, "items": items_of(question), "value": "same"}
    assert cid.post("/api/answers", json=form).status_code == 200
    refused = [
        cid.post("/api/answers", json=form | {"value": "different"}),
        send(cid, "answers", items=[0, 4999], value="same"),
        send(cid, "bad", item=4999),
        send(cid, "redo"),
    ]
    place = team.live.location.folder
    for error in (StoreError(f"{place}/likewise.db: is gone"), StoreFullError("postgresql://me@host/db: full")):
        monkeypatch.setattr(team.live, "next_for", lambda person, error=error: (_ for _ in ()).throw(error))
        refused.append(cid.get("/api/question"))
        assert str(error) in team.boss.get("/api/question").text  # the manager is told all of it
    for reply in refused:
        assert 400 <= reply.status_code < 600
        assert not re.search(r"blind-place|likewise\.db|postgresql|event \d|there are", reply.text), reply.text


def test_a_store_that_is_away_tells_strangers_nothing(team, monkeypatch):
    def away(*arguments):
        raise StoreError("postgresql://me@host/db: is away")

    dan = team.invite("dan")
    monkeypatch.setattr(team.app.state.auth, "identify", away)
    refused = dan.get("/api/question")
    assert refused.status_code == 503
    assert "postgresql" not in refused.text


def test_news_of_the_reading_have_no_numbers():
    told = _blind(News("indexing", {"state": "reading", "done": 5, "total": 9, "rate": 2.0}))
    assert told == {"state": "reading", "done": 0, "total": 0, "rate": 0.0}
    assert _blind(News("question", {"finished": False})) == {"finished": False}
    token = current_person.set(Person("annotator", "ann"))
    try:
        assert IndexingView(state="done", done=3, total=4, rate=0.0).total == 0
    finally:
        current_person.reset(token)
