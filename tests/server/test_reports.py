"""Bad pictures that invited people report, who did what, and everything of one person taken back."""

import uuid

import pytest

from likewise.app.location import Location
from tests.server.team import Team, answer, items_of


def serve(tmp_path, **settings):
    return Team(Location(str(tmp_path), str(tmp_path), "leaves", "test"), gold_rate=0.0, **settings)


def send(client, path, status=200, **form):
    done = client.post(f"/api/{path}", json={"key": uuid.uuid4().hex, **form})
    assert done.status_code == status, done.text
    return done.json()


def report(team, person, status=200):
    """Report the first picture of the question that somebody holds."""
    item = items_of(team.question(person))[0]
    return item, send(person, "bad", status, item=item)


def offer(team, *pairs):
    """Have these questions be the next ones."""
    from likewise.app.engine_process import QuestionBatch
    from likewise.query.question import Question

    team.live.queue.offer(QuestionBatch(0, [Question("pair", pair) for pair in pairs]))


def row(team, name):
    return next(each for each in team.boss.get("/api/team").json()["people"] if each["name"] == name)


def left_out(team):
    return team.boss.get("/api/bad").json()


def test_one_person_cannot_empty_a_project(tmp_path):
    with serve(tmp_path, overlap=3) as team:
        ann = team.invite("ann")
        mine = [report(team, ann)[0] for _ in range(3)]
        assert left_out(team) == []
        refused = report(team, ann, 409)[1]["detail"]
        assert "you reported 3 bad pictures" in refused
        assert "manager" in refused
        answer(ann, team.question(ann), "unsure")  # all else goes on
        assert not set(items_of(team.question(ann))) & set(mine)  # and what they reported does not come back to them
        told = team.boss.get("/api/team").json()["reports"]
        assert told == [{"item": item, "people": ["ann"], "left_out": False} for item in sorted(mine)]
        send(team.boss, "bad", item=mine[0])
        send(team.boss, "restore", item=mine[1])
        assert left_out(team) == [mine[0]]
        report(team, ann)  # the manager has looked at two of them


def test_a_picture_goes_when_as_many_say_so_as_are_asked(tmp_path):
    with serve(tmp_path, overlap=2) as team:
        ann, bob = team.invite("ann"), team.invite("bob")
        team.question(ann)
        offer(team, (3, 7), (3, 8))
        team.live.queue.clear()
        offer(team, (3, 7), (3, 8))
        assert items_of(ann.get("/api/question").json()) == items_of(bob.get("/api/question").json()) == [3, 7]
        key = uuid.uuid4().hex
        for _ in range(2):  # sent again, it is one report
            assert ann.post("/api/bad", json={"key": key, "item": 3}).status_code == 200
        assert left_out(team) == []
        send(bob, "bad", item=3)
        assert left_out(team) == [3]
        send(bob, "undo")
        assert left_out(team) == []


def test_with_one_person_a_question_a_report_counts_at_once_but_few_do(tmp_path):
    with serve(tmp_path) as team:
        ann = team.invite("ann")
        mine = [report(team, ann)[0] for _ in range(3)]
        assert left_out(team) == sorted(mine)
        report(team, ann, 409)


def test_what_a_manager_or_an_older_version_left_out_is_left_out(tmp_path):
    with serve(tmp_path, overlap=3) as team:
        team.live.project.append("bad", {"items": [5]}, annotator="ann")
        send(team.boss, "bad", item=6)
        assert left_out(team) == [5, 6]
        team.live.project.append("bad", {"items": [7], "shown": {"overlap": "many"}}, annotator="ann")
        assert team.live.project.log().bad() == [5, 6, 7]  # whatever was stored there


def test_everything_of_a_person_is_taken_back_at_once_and_brought_back_at_once(tmp_path):
    with serve(tmp_path) as team:
        ann, bob = team.invite("ann"), team.invite("bob")
        for _ in range(4):
            answer(ann, team.question(ann))
        send(ann, "undo")
        answer(bob, team.question(bob))
        bad, _ = report(team, ann)
        assert row(team, "ann")["did"] == {"answer": 3, "bad": 1}
        before = team.live.log().answers()
        done = send(team.boss, "team/take-back", name="ann")
        assert done["events"] == 4
        assert left_out(team) == []
        assert {each.annotator for each in team.live.log().answers()} == {"bob"}
        gone = row(team, "ann")
        assert (gone["did"], gone["taken_back"], gone["answers"]) == ({}, done["seq"], 0)
        assert row(team, "bob")["taken_back"] is None
        assert "nothing of 'ann'" in send(team.boss, "team/take-back", 404, name="ann")["detail"]
        assert len(team.live.project.events()) == 8  # nothing is deleted, and one event did it
        send(team.boss, "steps/take-back", seq=done["seq"])
        assert team.live.log().answers() == before
        assert left_out(team) == [bad]
        assert row(team, "ann")["taken_back"] is None
        key = uuid.uuid4().hex
        again = [team.boss.post("/api/team/take-back", json={"key": key, "name": "ann"}).json() for _ in range(2)]
        assert again[0] == again[1]


def test_edits_and_tags_are_taken_back_too_and_what_somebody_resolved_returns(tmp_path):
    with serve(tmp_path) as team:
        number = min(team.wait())
        send(team.boss, "clusters/name", annotator="eve", cluster=number, name="Oak")
        send(team.boss, "tags", annotator="eve", items=[1], name="big", value="yes")
        first = send(team.boss, "answers", annotator="dan", items=[0, 1], value="same")["seq"]
        send(team.boss, "conflicts/resolve", annotator="eve", withdraw=[first])
        assert [each.annotator for each in team.live.log().answers() if each.kind == "pair"] == []
        assert send(team.boss, "team/take-back", name="eve", annotator="boss")["events"] == 3
        log = team.live.log()
        assert log.names() == []
        assert [each.annotator for each in log.answers() if each.kind == "pair"] == ["dan"]
        send(team.boss, "undo", annotator="boss")
        assert [name.name for name in team.live.log().names()] == ["Oak"]


@pytest.mark.parametrize("path", ["team/take-back"])
def test_it_is_the_managers(tmp_path, path):
    with serve(tmp_path) as team:
        ann = team.invite("ann")
        assert ann.post(f"/api/{path}", json={"key": "12345678", "name": "bob"}).status_code == 403
