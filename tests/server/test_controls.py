"""Somebody who says the opposite is found where every question goes to one person, and does no harm."""

import csv
import io
import uuid
import zipfile

from likewise.metrics import ari
from tests.app.page import TRUTH
from tests.server.team import Team, answer, items_of, wrong

MOST = 60  # rounds


def reply(question, *, lies):
    """What somebody says who is right, or says the opposite, to a question of any form."""
    first, *shown = items_of(question)
    same = [item for item in shown if TRUTH[item] == TRUTH[first]]
    if question["kind"] == "pair":
        return {"value": "same" if bool(same) != lies else "different"}
    if question["kind"] == "grid":
        return {"value": "marked", "chosen": [item for item in shown if (item in same) == lies]}
    chosen = (shown[:1] if not same else []) if lies else same[:1]
    return {"value": "chosen" if chosen else "none", "chosen": chosen}


def answer_in_turn(team, people, liar):
    """Everybody answers in turn until nobody is asked anything; how many answers of the liar until they were found."""
    found_after = None
    for turn in range(1, MOST + 1):
        asked = 0
        for name, client in people.items():
            team.wait_until_read()
            question = team.question_or_none(client)
            if question is not None:
                asked += 1
                said = reply(question, lies=name == liar)
                send(client, "answers", kind=question["kind"], items=items_of(question), seconds=1.0, **said)
        if found_after is None and liar in team.live.ledger.not_counted:
            found_after = turn
        if not asked:
            break
    return found_after


def send(client, path, **form):
    done = client.post(f"/api/{path}", json={"key": uuid.uuid4().hex, **form})
    assert done.status_code == 200, done.text
    return done.json()


def table(team, name):
    """A table of the export."""
    done = team.boss.get("/api/export?format=tables")
    assert done.status_code == 200, done.text
    text = zipfile.ZipFile(io.BytesIO(done.content)).read(name).decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_who_says_the_opposite_is_found_named_and_not_counted(location):
    with Team(location, gold_rate=0.0, strategy="auto", n_clusters=None, kind="auto") as team:
        people = {name: team.invite(name) for name in ("ann", "bob", "eve")}
        team.wait()
        assert answer_in_turn(team, people, "eve") <= 40
        rows = {row["name"]: row for row in team.boss.get("/api/team").json()["people"]}
        assert {name: bool(row["suspicion"]) for name, row in rows.items()} == {"ann": False, "bob": False, "eve": True}
        assert rows["eve"]["weight"] == 0
        assert rows["eve"]["wrong"] > 0.8 * rows["eve"]["tested"] > 4
        (named,) = team.boss.get("/api/team/not-counted").json()
        assert named == {name: rows["eve"][name] for name in ("name", "suspicion", "tested", "wrong")}
        assert people["ann"].get("/api/team/not-counted").status_code == 403

        events = [event for event in team.live.project.events() if event.kind == "answer"]
        controls = [event for event in events if event.payload.data()["shown"].get("control")]
        assert {event.annotator for event in controls} == set(people)
        assert team.live.n_disputed() == 0, "a test is no vote"
        assert team.live.queue.finished

        written = table(team, "annotators.csv")
        assert {row["annotator"]: row["suspicion"] for row in written} == {
            name: row["suspicion"] for name, row in rows.items()
        }
        assert [float(row["weight"]) == 0 for row in written] == [row["annotator"] == "eve" for row in written]
        assert {int(row["event"]) for row in table(team, "answers.csv")} == {event.seq for event in events}, (
            "all are kept"
        )
        found = {row["path"]: row["cluster"] for row in table(team, "clusters.csv")}
        assert ari(TRUTH[:24], [found[item.path] for item in team.live.project.items()]) == 1.0
        told = team.boss.get("/api/export?format=report").content.decode()
        assert f"<td>{rows['eve']['suspicion']}</td>" in told


def test_a_control_is_taken_back_and_done_again(location):
    with Team(location, gold_rate=0.0) as team:
        ann, bob = team.invite("ann"), team.invite("bob")
        first = team.question(ann)
        answer(ann, first)
        control = team.question(bob)
        assert sorted(items_of(control)) == sorted(items_of(first))
        assert (control["reason"], control["check"]) == ("", False), "nothing tells it from another question"
        answer(bob, control, wrong(control))
        assert [answer.annotator for _, answer in team.live.events.votes.answers()] == ["ann", "bob"]
        (conflict,) = team.boss.get("/api/conflicts").json()
        assert conflict["statement"]["annotator"] == "bob"
        assert send(bob, "undo")["next"]["id"] == control["id"]
        assert team.boss.get("/api/conflicts").json() == []
        send(bob, "redo")
        assert len(team.boss.get("/api/conflicts").json()) == 1
        decided = {"items": items_of(first), "value": wrong(first)}
        assert send(team.boss, "adjudicate", **decided)["left"] == 0
        assert team.live.ledger.constraints.known(*items_of(first)) == wrong(first)
        assert team.boss.get("/api/conflicts").json() == [], "what was decided wins over votes and tests"


def test_nobody_is_tested_where_answers_are_not_doubted_or_everybody_is_asked(location):
    with Team(location, gold_rate=0.0) as team:
        people = [team.invite("ann"), team.invite("bob")]
        for changed in ({"recheck": False}, {"recheck": True, "overlap": 2}):
            assert team.boss.put("/api/settings", json=changed).status_code == 200
            for client in people * 2:
                answer(client, team.question(client))
        marks = [event.payload.data()["shown"] for event in team.live.project.events()]
        assert len(marks) == 8
        assert not any("control" in shown for shown in marks)
