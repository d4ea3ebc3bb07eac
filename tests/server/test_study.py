"""Study mode through the API: a whole study with known confusions, its tables; turns, retries, kills."""

import json
import sys
import threading
import time
import uuid
from collections import Counter

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from likewise.app.live import LiveProject
from likewise.app.studies import Studies, answer_rows, make_study, survey_rows
from likewise.cli import app as commands
from likewise.server.application import create_app
from likewise.server.auth import Auth
from tests.app.page import TRUTH, NoPictures, Page
from tests.server.kills import Server

PEOPLE = ("ann", "bob", "cec", "dot", "eve")
SURVEY = ("performance", "effort_per_query", "overall_effort", "frustration", "preference")


# a server without an engine, which a study does not need
SERVED = """
import sys
from types import SimpleNamespace
import uvicorn
from likewise.server.application import create_app
from likewise.server.auth import Auth
from likewise.app.live import LiveProject
from likewise.app.location import Location
home, port = sys.argv[1:]
live = LiveProject(Location(home, home, "leaves", "test"))
state = {"state": "done", "done": 0, "total": 0, "rate": 0.0}
shown = SimpleNamespace(folder=SimpleNamespace(name="leaves"), state=state)
uvicorn.run(create_app(live, shown), port=int(port), log_level="error", lifespan="off")
"""


def put_classes(project, n=24):
    project.add_images([f"class{TRUTH[k]}/{k}.jpg" for k in range(n)])


@pytest.fixture
def desk(location):
    """A page on a project that no engine works on: a study needs none."""
    live = LiveProject(location)
    put_classes(live.project)
    client = TestClient(create_app(live, NoPictures(live)), base_url="http://127.0.0.1")
    yield Page(client, live)
    client.close()
    live.stop()


def right(items):
    classes = [TRUTH[item] for item in items]
    if len(classes) == 2:
        return "same" if classes[0] == classes[1] else "different"
    a, b, c = classes
    alike = [value for value, same in (("ab", a == b), ("ac", a == c), ("bc", b == c)) if same]
    return alike[0] if len(alike) == 1 else "none"


def answer(page, who, question, value=None, *, seconds=1.0, name="s1", **more):
    form = {"number": question["number"], "items": question["items"], "seconds": seconds}
    return page.post(f"study/{name}/answers", annotator=who, value=value or right(question["items"]), **form, **more)


def begin(page, who, name="s1"):
    return page.post(f"study/{name}/begin", annotator=who)["question"]


def export(page, name="s1"):
    """The tidy rows, as ``likewise study export`` writes them."""
    studies = Studies(page.live.project)
    path_of = {image.position: image.path for image in page.live.project.images()}
    truth = {path: path.split("/")[0] for path in path_of.values()}
    study = studies.study(name)
    return list(answer_rows(study, path_of, truth)), list(survey_rows(study))


def test_a_whole_study_of_five_people_gives_the_tables_counted_by_hand(desk, tmp_path):
    make_study(desk.live.project, "s1", pairs=20, triplets=15, practice=1, random_state=3)
    told, matrices = [], {"pair": Counter(), "triplet": Counter()}
    for k, who in enumerate(PEOPLE):
        question, asked = begin(desk, who), Counter()
        while question is not None:
            kind, truth = question["kind"], right(question["items"])
            asked[kind, question["practice"]] += 1
            # person k errs at every (k + 3)rd question, in a way that is known
            wrong = {"same": "different", "different": "same", "none": "ab"}.get(truth, "none")
            said = wrong if question["number"] % (k + 3) == 0 else truth
            seconds = 1 + k + (0.5 if said in ("same", "none") else 0.0)
            if not question["practice"]:
                told.append((who, kind, said, seconds))
                matrices[kind][truth, said] += 1
            question = answer(desk, who, question, said, seconds=seconds)["question"]
        assert asked == {("pair", False): 20, ("pair", True): 1, ("triplet", False): 15, ("triplet", True): 1}
        assert desk.get("study/s1", annotator=who)["state"] == "survey"
        # two find pairs easier, two triplets, one neither
        choice = ("pair", "pair", "triplet", "triplet", "neither")[k]
        done = desk.post(
            "study/s1/survey", annotator=who, choices=dict.fromkeys(SURVEY, choice), comment=f'"{who}", = 1'
        )
        assert done["state"] == "done"
    out = tmp_path / "s1.csv"
    pictures = tmp_path / "leaves"
    pictures.mkdir()
    command = ["study", "export", str(pictures), "--project", str(tmp_path), "--name", "s1", "--out", str(out)]
    run = CliRunner().invoke(commands, command)
    assert run.exit_code == 0, run.output
    run = CliRunner().invoke(commands, ["study", "tables", str(out), "--json"])
    assert run.exit_code == 0, run.output
    tables = json.loads(run.stdout)
    for kind, total in (("pair", 20), ("triplet", 15)):
        table = tables["confusions"]["s1"][kind]
        for truth, row in table["matrix"].items():
            for said, mean in row.items():
                assert mean == pytest.approx(matrices[kind][truth, said] / 5), (truth, said)
        correct = sum(n for (truth, said), n in matrices[kind].items() if truth == said)
        assert table["accuracy"] == pytest.approx(correct / (5 * total))
    groups = {"ML": ("same",), "CL": ("different",), "all": ("same", "different")}
    for group, values in groups.items():
        means = []
        for who in PEOPLE:
            mine = [s for p, kind, said, s in told if p == who and kind == "pair" and said in values]
            means += [sum(mine) / len(mine)] if mine else []
        found = tables["times"]["s1"]["pair"][group]
        centre = sum(means) / len(means)
        deviation = (sum((m - centre) ** 2 for m in means) / (len(means) - 1)) ** 0.5
        assert (found["mean"], found["std"]) == pytest.approx((centre, deviation))
        assert found["people"] == len(means)
    assert tables["preferences"]["performance"] == {"pair": 2, "triplet": 2, "neither": 1}
    assert tables["preferences"]["frustration"] == {"pair": 2, "triplet": 2, "neither": 1}
    markdown = CliRunner().invoke(commands, ["study", "tables", str(out), "--markdown"]).stdout
    assert "| Less frustration | 2/5 | 2/5 | 1/5 |" in markdown
    assert "Table 3.6" in CliRunner().invoke(commands, ["study", "tables", str(out)]).stdout


def test_a_person_resumes_where_they_were_and_sees_nothing_of_others(desk):
    make_study(desk.live.project, "s1", pairs=5, triplets=5, practice=0)
    assert desk.get("study/s1", annotator="ann")["state"] == "new"
    first = begin(desk, "ann")
    assert begin(desk, "ann") == first, "begun twice it is begun once"
    second = answer(desk, "ann", first)["question"]
    assert desk.get("study/s1", annotator="ann")["question"] == second
    bob = desk.get("study/s1", annotator="bob")
    assert (bob["state"], bob["answered"], bob["question"]) == ("new", 0, None)
    assert "jpg" not in json.dumps(desk.get("study/s1", annotator="ann")), "a path would tell the class"
    # new pictures change nothing, neither for who has begun nor for who has not
    before = Studies(desk.live.project).study("s1").deal("cec")
    desk.live.project.add_images([f"more/{k}.jpg" for k in range(30)])
    desk.live.project.append("bad", {"items": [3]}, annotator="dot")
    fresh = Studies(desk.live.project).study("s1")
    assert list(fresh.person("ann").questions[1][1]) == second["items"]
    begin(desk, "cec")
    assert list(Studies(desk.live.project).study("s1").person("cec").questions) == before


def test_answers_are_events_and_do_not_count_in_the_project(desk):
    make_study(desk.live.project, "s1", pairs=3, triplets=0, practice=0)
    question = begin(desk, "ann")
    seq = answer(desk, "ann", question, seconds=2.5)["seq"]
    event = desk.live.project.events()[seq - 1]
    assert (event.kind, event.annotator, event.seconds) == ("study-answer", "ann", 2.5)
    assert desk.live.project.answers() == []
    assert desk.get("project")["answers"] == 0
    desk.post("undo", status=409)  # nothing of the study can be undone from the question page


def test_the_last_answer_is_taken_back_and_kept(desk):
    make_study(desk.live.project, "s1", pairs=3, triplets=0, practice=0)
    first = begin(desk, "ann")
    assert "no answer" in desk.post("study/s1/back", status=409)["detail"]
    second = answer(desk, "ann", first, "same")["question"]
    answer(desk, "ann", second, "same")
    back = desk.post("study/s1/back", key="one-way-back")
    assert back["question"] == second
    assert desk.post("study/s1/back", key="one-way-back")["question"] == second, "sent twice is done once"
    assert "something else" in desk.post("study/s1/back", key="one-way-back", annotator="bob", status=409)["detail"]
    answer(desk, "ann", second, "different", seconds=4.0)
    rows, _ = export(desk)
    assert [(r["order"], r["answer"], r["seconds"], r["taken_back"]) for r in rows] == [
        (1, "same", 1.0, 0),
        (2, "different", 4.0, 1),
    ]
    kinds = [event.kind for event in desk.live.project.events()]
    assert kinds.count("study-answer") == 3
    assert kinds.count("take-back") == 1


def test_fed_answers_count_and_are_taken_back_with_their_originals(desk):
    make_study(desk.live.project, "s1", pairs=3, triplets=2, practice=1, feed=True)
    question = begin(desk, "ann")
    assert question["practice"]
    question = answer(desk, "ann", question)["question"]
    assert desk.get("project")["answers"] == 0, "practice does not count"
    answer(desk, "ann", question, seconds=2.0, key="fed-answer")
    again = answer(desk, "ann", question, seconds=2.0, key="fed-answer")
    assert again["answered"] == 2
    (fed,) = desk.live.project.answers()
    assert (list(fed.items), fed.annotator, fed.seconds) == (question["items"], "ann", 2.0)
    assert desk.get("project")["answers"] == 1
    desk.post("study/s1/back")
    assert desk.live.project.answers() == []
    assert len(export(desk)[0]) == 1


def test_what_is_out_of_turn_is_refused_in_one_sentence(desk):
    make_study(desk.live.project, "s1", pairs=3, triplets=3, practice=0)

    def refused(status, path, **form):
        said = desk.post(path, status=status, **form)["detail"]
        assert "\n" not in said
        return said

    sent = {"number": 0, "items": [0, 1], "value": "same", "seconds": 1.0}
    assert "no study 's2'" in refused(404, "study/s2/answers", **sent)
    assert "no study" in desk.client.get("/api/study/<b>").json()["detail"]
    assert "begin" in refused(409, "study/s1/answers", **sent)
    question = begin(desk, "ann")
    items = question["items"]
    good = {"number": 0, "items": items, "value": right(items), "seconds": 1.0}
    other = begin(desk, "bob")["items"]
    assert other != items
    assert "not the pictures" in refused(409, "study/s1/answers", **(good | {"items": items[::-1]}))
    assert "not the pictures" in refused(409, "study/s1/answers", **(good | {"items": other}))
    assert "comes later" in refused(409, "study/s1/answers", **(good | {"number": 2}))
    assert "6 questions" in refused(409, "study/s1/answers", **(good | {"number": 6}))
    assert "seconds" in refused(422, "study/s1/answers", **(good | {"seconds": None}))
    assert "seconds" in refused(422, "study/s1/answers", **(good | {"seconds": -1}))
    offered = "same or different" if len(items) == 2 else "ab, ac, bc or none"
    assert f"is {offered}" in refused(422, "study/s1/answers", **(good | {"value": "unsure"}))
    wrong_form = "ab" if len(items) == 2 else "same"
    assert "the answer to a" in refused(422, "study/s1/answers", **(good | {"value": wrong_form}))
    assert "survey comes after" in refused(409, "study/s1/survey", choices=dict.fromkeys(SURVEY, "pair"), comment="")
    done = desk.post("study/s1/answers", key="the-same-key", **good)
    again = desk.post("study/s1/answers", key="the-same-key", **good)
    assert done["seq"] == again["seq"]
    assert again["answered"] == 1
    assert "something else" in refused(409, "study/s1/answers", key="the-same-key", **(good | {"seconds": 2.0}))
    assert "answered already" in refused(409, "study/s1/answers", **good)
    question = again["question"]
    while question is not None:
        question = answer(desk, "ann", question)["question"]
    assert "no choice for" in refused(422, "study/s1/survey", choices={"preference": "pair"})
    assert "Input should be" in refused(422, "study/s1/survey", choices=dict.fromkeys(SURVEY, "both"))
    full = {"choices": dict.fromkeys(SURVEY, "neither"), "comment": "<script>alert(1)</script>"}
    desk.post("study/s1/survey", key="one-survey", **full)
    assert desk.post("study/s1/survey", key="one-survey", **full)["state"] == "done"
    assert "already" in refused(409, "study/s1/survey", **full)
    assert "finished" in refused(409, "study/s1/back")
    assert len(export(desk)[0]) == 6


def test_unsure_where_it_is_offered_and_no_comparison_of_one_form(desk):
    make_study(desk.live.project, "s1", pairs=2, triplets=0, practice=0, unsure=True)
    question = begin(desk, "ann")
    question = answer(desk, "ann", question, "unsure")["question"]
    done = answer(desk, "ann", question)
    assert done["survey"] == []
    assert "only one form" in desk.post("study/s1/survey", status=422, choices={"preference": "pair"})["detail"]
    assert desk.post("study/s1/survey", choices={}, comment="fine")["state"] == "done"


def test_fixed_lists_are_the_same_for_all_and_the_board_is_not_asked(desk):
    project = desk.live.project
    plan = make_study(
        project, "s1", pairs=10, triplets=5, practice=1, per_person="fixed", board=[(0, "first"), (6, "second")]
    )
    asked = {}
    for who in ("ann", "bob"):
        begin(desk, who)
        asked[who] = Studies(project).study("s1").person(who).questions
    assert sorted(asked["ann"]) == sorted(asked["bob"])
    assert asked["ann"] != asked["bob"]
    assert not {0, 6} & {item for _, items, _ in asked["ann"] for item in items}
    shown = desk.get("study/s1", annotator="ann")
    assert shown["board"] == [{"id": 0, "label": "first"}, {"id": 6, "label": "second"}]
    assert plan["pool"] is None
    with pytest.raises(ValueError, match="already"):
        make_study(project, "s1", pairs=1, triplets=0)
    with pytest.raises(ValueError, match="letters, digits"):
        make_study(project, "../s", pairs=1, triplets=0)
    with pytest.raises(ValueError, match="276 questions of 2"):
        make_study(project, "s3", pairs=300, triplets=0)
    with pytest.raises(ValueError, match="at least one"):
        make_study(project, "s3", pairs=0, triplets=0)


def test_killed_on_the_way_nothing_is_lost_and_everybody_is_at_their_place(location, tmp_path):
    with location.open_store() as store:
        project = location.project_of(store)
        put_classes(project)
        make_study(project, "s1", pairs=8, triplets=4, practice=0)
    server = Server(str(tmp_path), str(tmp_path))
    server.command = [sys.executable, "-c", SERVED, str(tmp_path), str(server.port)]
    server.start()
    server.wait()
    acknowledged = {who: [] for who in PEOPLE}

    def send(path, form):
        while (done := server.call(path, form, seconds=30.0)) is None:
            time.sleep(0.1)
        return done

    def take_part(who):
        form = {"annotator": who, "key": uuid.uuid4().hex}
        question = send("study/s1/begin", form)["question"]
        while question is not None:
            sent = {
                "annotator": who,
                "key": uuid.uuid4().hex,
                "number": question["number"],
                "items": question["items"],
                "value": right(question["items"]),
                "seconds": 0.1,
            }
            question = send("study/s1/answers", sent)["question"]
            acknowledged[who].append((sent["number"], tuple(sent["items"]), sent["value"]))

    threads = [threading.Thread(target=take_part, args=[who]) for who in PEOPLE]
    for thread in threads:
        thread.start()
    for goal in (25,):
        while sum(map(len, acknowledged.values())) < goal and any(t.is_alive() for t in threads):
            time.sleep(0.01)
        server.kill()
        server.start()
    for thread in threads:
        thread.join()
    server.kill()
    with location.open_store() as store:
        project = location.find(store)
        stored = [event for event in project.events() if event.kind == "study-answer"]
        study = Studies(project).study("s1")
    assert len(stored) == 60, "none lost, none twice"
    for who in PEOPLE:
        mine = [(e.payload.number, e.payload.items, e.payload.value) for e in study.person(who).answers]
        assert mine == acknowledged[who]
        assert study.person(who).state == "survey"


def test_the_commands_make_a_study_and_say_how_far_it_is(desk, tmp_path):
    pictures = tmp_path / "leaves"
    pictures.mkdir()

    def run(*parts, code=0):
        done = CliRunner().invoke(commands, [*map(str, parts), "--project", str(tmp_path)])
        assert done.exit_code == code, done.output
        return done.output

    listed = tmp_path / "list.csv"
    listed.write_text(
        "a,b,c,level\n"
        + "".join(f"class0/{k}.jpg,class1/{k + 6}.jpg,,{'easy' if k % 2 else 'hard'}\n" for k in range(6))
        + "0,7,class2/13.jpg,\n"
    )
    chosen = tmp_path / "board.csv"
    chosen.write_text("name,label\nclass3/20.jpg,fourth\n")
    new = ("study", "new", pictures, "--practice", 0, "--json")
    made = json.loads(run(*new, "--name", "all", "--list", listed, "--board", chosen))
    assert (made["pairs"], made["triplets"], made["board"]) == (6, 1, 1)
    assert json.loads(run(*new, "--name", "some", "--list", listed, "--pairs", 2, "--triplets", 0))["pairs"] == 2
    assert json.loads(run(*new, "--name", "book", "--pairs", 3, "--reference-board"))["board"] == 4
    question = begin(desk, "ann", "all")
    answer(desk, "ann", question, name="all")
    begin(desk, "bob", "some")
    levels = [k % 2 for _, (k, _), _ in Studies(desk.live.project).study("some").person("bob").questions]
    assert sorted(levels) == [0, 1], "one of each level"
    people = json.loads(run("study", "status", pictures, "--json"))["people"]
    assert [(row["study"], row["person"], row["answered"], row["total"]) for row in people] == [
        ("all", "ann", 1, 7),
        ("some", "bob", 0, 2),
    ]
    assert "nobody has begun" in run("study", "status", pictures, "--name", "book")
    for wrong, said in [
        (("--name", "x"), "give the numbers"),
        (("--name", "x", "--list", listed, "--pairs", 7), "has 6 questions of the form pair, 7 are wanted"),
    ]:
        done = CliRunner().invoke(commands, [*map(str, (*new, *wrong)), "--project", str(tmp_path)])
        assert said in done.output + str(done.exception)
        assert done.exit_code != 0
    assert "no study 'nope'" in run("study", "status", pictures, "--name", "nope", code=2)
    listed.write_text("a,b\nclass0/0.jpg,class9/9.jpg\n")
    assert "line 2: there is no picture 'class9/9.jpg'" in run(*new, "--name", "x", "--list", listed, code=2)
    listed.write_text("a,b\nclass0/0.jpg,0\n")
    assert "two or three different pictures" in run(*new, "--name", "x", "--list", listed, code=2)


def test_who_was_invited_takes_part_under_their_own_name_and_sees_no_other(location):
    live = LiveProject(location)
    put_classes(live.project)
    make_study(live.project, "s1", pairs=2, triplets=0, practice=0)
    token = live.project.invites.token(live.project.invites.add("ann"))
    auth = Auth(live.project, token="the manager's own token")
    client = TestClient(create_app(live, NoPictures(live), auth), base_url="http://127.0.0.1")
    try:
        assert client.get("/api/study/s1").status_code == 401
        client.headers["Authorization"] = f"Bearer {token}"
        page = Page(client, live)
        question = begin(page, "bob")
        answer(page, "bob", question)
        assert page.get("study/s1", annotator="bob")["answered"] == 1
        assert client.get("/api/export?format=jsonl").status_code == 403
        assert list(Studies(live.project).study("s1").people) == ["ann"]
    finally:
        client.close()
        live.stop()


def test_an_answer_that_counts_twice_is_stored_as_a_whole_or_not_at_all(desk, monkeypatch):
    make_study(desk.live.project, "s1", pairs=3, triplets=0, feed=True)
    state = desk.post("study/s1/begin")
    before = len(desk.live.project.events())
    written = []

    def failing(connection, project_id, events, *more):
        if any(event.kind == "answer" for event in events):
            raise OSError(28, "No space left on device")
        return written.append(events)

    question = {"number": 0, "items": state["question"]["items"], "value": "same", "seconds": 1.0}
    with monkeypatch.context() as patch:
        patch.setattr("likewise.store.project.insert_events", failing)
        desk.post("study/s1/answers", status=507, **question)
    assert len(desk.live.project.events()) == before
    done = desk.post("study/s1/answers", **question)
    assert [event.kind for event in desk.live.project.events(before)] == ["study-answer", "answer"]
    desk.post("study/s1/back")
    assert [event.kind for event in desk.live.project.events(done["seq"] + 1)] == ["take-back", "withdraw"]
    assert desk.live.project.answers() == []


def test_answers_and_ways_back_at_once_leave_no_answer_that_was_taken_back(desk):
    make_study(desk.live.project, "s1", pairs=8, triplets=0, feed=True)
    desk.post("study/s1/begin")
    studies = desk.client.app.state.studies

    def send(k):
        for _ in range(6):
            state = studies.study("s1").person("ann")
            at = len(state.answers)
            form = {"number": at, "items": list(state.questions[min(at, 7)][1]), "value": "same", "seconds": 1.0}
            form = {} if k == 2 else form
            signed = {**form, "key": uuid.uuid4().hex, "annotator": "ann"}
            desk.client.post(f"/api/study/s1/{'back' if k == 2 else 'answers'}", json=signed)

    threads = [threading.Thread(target=send, args=[k]) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    in_force = studies.study("s1").person("ann").answers
    log = desk.live.project.log()
    fed = [event for event in log.standing() if event.kind == "answer"]
    assert sorted(event.key for event in fed) == sorted(f"{event.key}/feed" for event in in_force)
