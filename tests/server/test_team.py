"""Many annotators: blind to each other, no question to more of them than wanted, gold, disagreements, the manager."""

import json
import time
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from likewise.app.engine_process import QuestionBatch
from likewise.query.answers.people import AnnotatorRates
from likewise.query.question import Question
from tests.server.team import Team, answer, gold, items_of, known_pairs, truth_of, wrong


@pytest.fixture
def team(location):
    with Team(location, gold_rate=0.0) as team:
        yield team


def set_up(team, **settings):
    changed = team.boss.put("/api/settings", json=settings)
    assert changed.status_code == 200, changed.text


def send(client, path, status=200, **form):
    done = client.post(f"/api/{path}", json={"key": uuid.uuid4().hex, **form})
    assert done.status_code == status, done.text
    return done.json()


def test_a_question_goes_to_as_many_people_as_wanted(team):
    set_up(team, overlap=2)
    people = {name: team.invite(name) for name in ("ann", "bob", "eve", "dan")}
    asked = {}
    for _ in range(12):
        for name, client in people.items():
            question = team.question(client)
            asked.setdefault(tuple(sorted(items_of(question))), []).append(name)
            answer(client, question)
    assert all(len(names) == len(set(names)) <= 2 for names in asked.values())
    ballots = team.live.log().votes().ballots.values()
    assert all(len(ballot.voters) <= ballot.need == 2 for ballot in ballots)
    assert sum(len(ballot.voters) for ballot in ballots) == 48
    # whoever comes next finishes what was begun, but for what others hold already
    begun = {subject for subject, ballot in team.live.log().votes().ballots.items() if not ballot.complete}
    late = team.invite("zoe")
    begun = {subject for subject in begun if team.live.queue.has_room("zoe", Question("pair", subject))}
    for _ in range(len(begun)):
        question = team.question(late)
        begun.remove(tuple(sorted(items_of(question))))
        answer(late, question)
    assert not begun


def test_unsure_leaves_it_to_others_and_not_to_the_same(team):
    ann, bob = team.invite("ann"), team.invite("bob")
    first = team.question(ann)
    answer(ann, first, "unsure")
    again = QuestionBatch(0, [Question("pair", tuple(items_of(first)))])
    for _ in range(40):
        team.live.queue.offer(again)  # until the engine offers others
        question = team.question(bob)
        if question["id"] == first["id"]:
            break
        answer(bob, question, "unsure")  # from which nothing follows
    assert question["id"] == first["id"]
    for _ in range(3):
        team.live.queue.offer(again)
        assert team.question(ann)["id"] != first["id"]


def test_an_annotator_sees_nothing_of_others(team):
    ann, bob = team.invite("ann-the-first"), team.invite("bob-the-second")
    for _ in range(3):
        answer(ann, team.question(ann))
    send(team.boss, "clusters/name", cluster=min(team.wait()), name="Oak")
    question = team.question(bob)
    assert question["number"] == 1
    assert {item["name"] for item in question["items"]} == {f"Picture {i}" for i in items_of(question)}
    assert [question["reason"], question["check"], question["ahead"]] == ["", False, []]
    assert all(item["cluster"] is None for item in question["items"])
    told = answer(bob, question)
    assert told["conflict"] is None
    texts = [bob.get(f"/api/{path}").text for path in ("me", "project", "progress", "question", "settings")]
    texts.append(json.dumps(told))
    for text in texts:
        assert "ann-the-first" not in text
        assert "Oak" not in text
        assert ".jpg" not in text
    assert bob.get("/api/progress").json() == {"answers": 1, "seconds_per_answer": 1.0}
    assert bob.get("/api/project").json()["answers"] == 1


MANAGERS = [
    ("GET", "clusters"), ("GET", "clusters/0"), ("GET", "conflicts"), ("GET", "map"), ("GET", "export"),
    ("GET", "team"), ("GET", "disputes"), ("GET", "bad"), ("GET", "skipped"), ("GET", "grid?cluster=0"),
    ("GET", "strategies"), ("GET", "formats"), ("POST", "grid"), ("POST", "restore"), ("POST", "clusters/name"),
    ("POST", "clusters/merge"), ("POST", "clusters/split"), ("POST", "clusters/move"), ("POST", "clusters/confirm"),
    ("POST", "clusters/unconfirm"), ("POST", "conflicts/resolve"), ("POST", "adjudicate"), ("POST", "team/invite"),
    ("POST", "team/revoke"), ("POST", "team/gold"), ("POST", "export/folders"), ("PUT", "settings"),
]  # fmt: skip


def test_what_is_the_managers_is_refused(team):
    ann = team.invite("ann")
    for method, path in MANAGERS:
        refused = ann.request(method, f"/api/{path}", json={} if method != "GET" else None)
        assert refused.status_code == 403, path
        assert "manager" in refused.json()["detail"]
    assert ann.get("/openapi.json").status_code == 403
    allowed = {
        f"{method.upper()} {path}"
        for path, operations in team.app.openapi()["paths"].items()
        for method in operations
        if team.visitor().request(method, path).status_code != 401
    }
    assert allowed == {"POST /api/join", "POST /api/leave"}  # all else asks who one is


def test_an_annotator_answers_what_they_hold_and_as_nobody_else(team):
    ann, bob = team.invite("ann"), team.invite("bob")
    mine, theirs = team.question(ann), team.question(bob)
    assert mine["id"] != theirs["id"]
    assert "not put to you" in answer(ann, theirs, status=409)["detail"]
    other = [0, 23] if set(items_of(mine)) != {0, 23} else [0, 22]
    assert "not put to you" in send(ann, "answers", 409, items=other, value="same")["detail"]
    answer(ann, mine, annotator="bob")
    assert "already" in answer(ann, mine, status=409)["detail"]
    (event,) = team.live.project.events()
    assert event.annotator == "ann"
    assert ann.get("/api/question?annotator=bob").json()["id"] != theirs["id"]
    assert "not of the question" in send(ann, "bad", 409, item=items_of(theirs)[0])["detail"]
    assert "nothing to undo" in send(bob, "undo", 409, annotator="ann")["detail"]
    undone = send(ann, "undo")
    assert undone["next"]["id"] == mine["id"]
    assert send(ann, "redo")["seq"] == 0  # numbers of events are of all: they would tell how much others do
    assert len(team.live.log()) == 3


def test_marks_of_the_server_cannot_be_sent(team):
    ann = team.invite("ann")
    answer(ann, team.question(ann), shown={"gold": "same", "overlap": 9, "check": True, "strip": [1]})
    (event,) = team.live.project.events()
    assert event.payload.data()["shown"] == {"strip": [1]}


def test_sent_again_it_is_stored_once_with_the_marks_it_had(team):
    set_up(team, overlap=2)
    ann = team.invite("ann")
    question = team.question(ann)
    form = {"key": "the-same-key", "items": items_of(question), "value": "same", "seconds": 1.0}
    assert [ann.post("/api/answers", json=form).status_code for _ in range(2)] == [200, 200]
    (event,) = team.live.project.events()
    assert event.payload.data()["shown"] == {"overlap": 2}


def test_gold_is_mixed_in_unseen_and_never_a_vote(team):
    gold(team.boss, known_pairs(12))
    set_up(team, gold_rate=0.5)
    constraints = len(team.live.ledger.constraints)
    assert constraints == 12
    ann = team.invite("ann")
    keys = set()
    for k in range(30):
        question = team.question(ann)
        keys.add(tuple(sorted(question)))
        answer(ann, question, wrong(question) if k % 2 else None)
    assert len(keys) == 1
    events = [event for event in team.live.project.events() if event.kind == "answer"]
    tests = [event for event in events if "gold" in event.payload.data()["shown"]]
    assert 5 <= len(tests) <= 12
    known = {tuple(sorted((i, j))): truth for i, j, truth in known_pairs(12)}
    for event in tests:
        said = event.payload.data()
        assert said["shown"] == {"gold": known[tuple(sorted(said["items"]))]}
    assert len({tuple(sorted(event.payload.data()["items"])) for event in tests}) == len(tests)
    assert len(team.live.ledger.constraints) == 12 + len(events) - len(tests)
    row = next(each for each in team.boss.get("/api/team").json()["people"] if each["name"] == "ann")
    right = sum(event.payload.data()["value"] == event.payload.data()["shown"]["gold"] for event in tests)
    assert row["gold"] == len(tests)
    assert row["accuracy"][1] == pytest.approx(right / len(tests))
    last = send(ann, "undo")
    assert "shown" not in last["undone"]["payload"]


def test_confirmed_groups_and_adjudications_are_gold(team):
    assert team.live.gold() == []
    team.wait()
    cluster = team.boss.get("/api/clusters").json()["clusters"][0]
    send(team.boss, "clusters/confirm", cluster=cluster["id"])
    found = team.live.gold()
    assert found
    assert {truth for _, _, truth in found} == {"same"}


def test_a_disagreement_is_decided_by_the_manager_and_undone(team):
    set_up(team, overlap=2)
    ann, bob = team.invite("ann"), team.invite("bob")
    question = team.question(ann)
    answer(ann, question)
    for _ in range(20):
        other = team.question(bob)
        if sorted(items_of(other)) == sorted(items_of(question)):
            break
        answer(bob, other)
    answer(bob, other, wrong(other))
    i, j = items_of(question)
    (dispute,) = [d for d in team.boss.get("/api/disputes").json()["disputes"] if set(d["items"]) == {i, j}]
    assert {said["annotator"]: said["value"] for said in dispute["said"]} == {
        "ann": truth_of(question),
        "bob": wrong(question),
    }
    assert team.live.ledger.constraints.known(i, j) is None
    total = team.boss.get("/api/disputes").json()["total"]
    decided = send(team.boss, "adjudicate", items=[i, j], value=truth_of(question))
    assert decided["left"] == total - 1
    assert team.live.ledger.constraints.known(i, j) == truth_of(question)
    send(team.boss, "undo")
    assert team.live.ledger.constraints.known(i, j) is None
    assert team.boss.get("/api/disputes").json()["total"] == total
    assert "nobody answered" in send(team.boss, "adjudicate", 404, items=[i, (i + j + 1) % 24], value="same")["detail"]


def test_leases_outlast_the_server_and_run_out(location):
    with Team(location, gold_rate=0.0) as team:
        ann = team.invite("ann")
        held = items_of(team.question(ann))
        lines = (Path(location.folder) / f"leases-{team.live.project.uid}.jsonl").read_bytes()
    (Path(location.folder) / f"leases-{team.live.project.uid}.jsonl").write_bytes(lines + b'{"annotator": "x", "ki')
    from likewise.app.live import LiveProject

    again = LiveProject(location)
    again.follow(again.events.follow())
    clock = again.queue._clock
    assert again.queue.held("ann", Question("pair", held)) is not None
    assert not again.queue.has_room("bob", Question("pair", held))
    again.queue._leases._clock = lambda: clock() + 3600
    assert again.queue.has_room("bob", Question("pair", held))
    again.stop()


def test_who_comes_too_late_is_told_and_nothing_is_stored(team):
    ann, bob = team.invite("ann"), team.invite("bob")
    question = team.question(ann)
    clock = team.live.queue._clock
    later = lambda: clock() + 3600  # noqa: E731
    team.live.queue._clock = team.live.queue._leases._clock = later
    for _ in range(40):
        other = team.question(bob)
        answer(bob, other)
        if other["id"] == question["id"]:
            break
    assert "others have answered" in answer(ann, question, status=409)["detail"]
    assert {event.annotator for event in team.live.project.events()} == {"bob"}
    assert team.question(ann)["id"] != question["id"]


def test_the_manager_sees_everybody(team):
    set_up(team, overlap=2)
    ann, bob = team.invite("ann"), team.invite("bob")
    for _ in range(6):
        for client in (ann, bob):
            answer(client, team.question(client))
    found = team.boss.get("/api/team").json()
    assert [(row["name"], row["answers"], row["seconds"]) for row in found["people"]] == [
        ("ann", 6, 1.0),
        ("bob", 6, 1.0),
    ]
    assert found["overlap"] == 2
    assert found["complete"] + (12 - 2 * found["complete"]) == found["questions"]
    assert {invite["name"]: invite["state"] for invite in found["invites"]} == {"ann": "open", "bob": "open"}
    assert team.boss.get("/api/progress").json()["by_annotator"] == {"ann": 6, "bob": 6}


def test_what_is_set_for_a_team_is_checked(team):
    for wrong_one in ({"overlap": 0}, {"overlap": 1.5}, {"gold_rate": 2}, {"lease_minutes": 0}, {"overlap": "2"}):
        assert team.boss.put("/api/settings", json=wrong_one).status_code == 422
    assert "itself" in send(team.boss, "team/gold", 404, pairs=[[1, 1, "same"]])["detail"]
    assert send(team.boss, "team/gold", 404, pairs=[[1, 99, "same"]])["detail"]


def test_somebody_who_is_not_counted_is_named_with_the_evidence(team, monkeypatch):
    ann, eve = team.invite("ann"), team.invite("eve")
    for client in (ann, eve):
        answer(client, team.question(client))
    rates = AnnotatorRates("eve", 21, 12.0, 11.5, 0.9, 0.9, 0.0, "opposite")
    weighed = replace(team.live.clustering, people={"eve": rates})
    monkeypatch.setattr(type(team.live), "clustering", weighed)
    rows = {row["name"]: row for row in team.boss.get("/api/team").json()["people"]}
    shown = {name: rows["eve"][name] for name in ("suspicion", "weight", "tested", "wrong")}
    assert shown == {"suspicion": "opposite", "weight": 0.0, "tested": 12.0, "wrong": 11.5}
    assert rows["eve"]["answers"] == 1, "what was said is kept"
    assert (rows["ann"]["suspicion"], rows["ann"]["weight"]) == ("", 1.0)


def test_nobody_waits_for_a_question_that_has_its_answer(location):
    """Where people contradict each other, what is doubtful at the end may be asked by answered pairs alone."""
    with Team(location, n=8, gold_rate=0.0, strategy="auto", n_clusters=None) as team:
        people = {name: team.invite(name) for name in ("ann", "eve")}
        for _ in range(6000):  # each answers every one of the 28 pairs once at most
            told = {name: client.get("/api/question").json() for name, client in people.items()}
            asked = {name: question for name, question in told.items() if "items" in question}
            for name, question in asked.items():
                answer(people[name], question, wrong(question) if name == "eve" else None)
            if not asked and not any("waiting" in reply for reply in told.values()):
                break
            time.sleep(0 if asked else 0.02)
        assert not any("waiting" in reply or "items" in reply for reply in told.values()), "nothing is left to ask"
