"""Grids and picks in the running project: what a person is shown, what follows on the wall and in the export."""

import csv
import io
import json
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from likewise.app.engine import Engine
from likewise.app.engine_process import QuestionBatch
from likewise.app.evidence import Evidence, SourcedLedger
from likewise.app.exporting import take_snapshot
from likewise.app.leases import Leases
from likewise.app.people import Person
from likewise.app.queue import NotYoursError, QuestionQueue
from likewise.cli import ask
from likewise.query.question import Answer, Question
from tests.app.page import TRUTH

GRID = Question("grid", (0, 1, 2, 6, 12))
PICK = Question("pick", (3, 0, 6, 12))


def offer(page, *questions):
    """Let these be the next questions, as if the engine had prepared them; when it has done with all that was said."""
    for _ in range(12_000):
        if page.live.wall.version == len(page.live.log()):  # clusters come after all questions
            break
        time.sleep(0.02)
    page.live.queue.clear()
    page.live.queue.offer(QuestionBatch(len(page.live.log()), list(questions), form=page.live.settings["kind"]))


def next_of(page, annotator="ann"):
    return page.get("question", annotator=annotator)


def answer(page, question, value, chosen=(), **form):
    items = [item["id"] for item in question["items"]]
    return page.post("answers", kind=question["kind"], items=items, value=value, chosen=list(chosen), **form)


def homes(page):
    rows = csv.DictReader(io.StringIO(page.client.get("/api/export", params={"format": "csv"}).text))
    return {int(row["image"]): int(row["cluster"]) for row in rows}


def test_a_grid_is_shown_with_its_group_and_moves_what_does_not_belong(page):
    page.post("answers", items=[0, 5], value="same")
    page.wait()
    offer(page, GRID)
    question = next_of(page)
    assert (question["kind"], [item["id"] for item in question["items"]]) == ("grid", [0, 1, 2, 6, 12])
    core, *shown = question["items"]
    assert core["examples"] == [5], "what is known, and no guess"
    assert all(item["examples"] == [] for item in shown)
    done = answer(page, question, "marked", [6, 12], seconds=6.0)
    assert done["conflict"] is None
    page.wait()
    home = homes(page)
    assert home[0] == home[1] == home[2]
    assert home[6] != home[0] != home[12]
    page.post("undo")
    assert page.get("project")["answers"] == 1
    again = next_of(page)
    assert (again["kind"], [item["id"] for item in again["items"]]) == ("grid", [0, 1, 2, 6, 12])
    page.post("redo")
    page.wait()
    assert homes(page)[6] != homes(page)[0]


def test_a_pick_puts_a_picture_into_the_group_and_shows_its_name(page):
    cluster = page.live.wall.cluster_of[0]
    page.post("clusters/name", cluster=cluster, name="<b>oaks</b>")
    offer(page, PICK)
    question = next_of(page)
    picture, first, *others = question["items"]
    assert picture["examples"] == []
    assert first["cluster"]["name"] == "<b>oaks</b>"
    assert all(item["examples"] == [] for item in [first, *others]), "nothing is known yet"
    answer(page, question, "chosen", [0])
    page.wait()
    home = homes(page)
    assert home[3] == home[0]
    assert home[3] not in (home[6], home[12])
    offer(page, Question("pick", (18, 0, 6)))
    answer(page, next_of(page), "none")
    page.wait()
    assert homes(page)[18] not in (homes(page)[0], homes(page)[6])


def test_the_same_screen_sent_twice_is_stored_once(page):
    offer(page, GRID)
    question = next_of(page)
    first = answer(page, question, "marked", [12, 6], key="one-key-of-mine")
    again = answer(page, question, "marked", [6, 12], key="one-key-of-mine")
    assert first["seq"] == again["seq"]
    assert page.get("project")["answers"] == 1


@pytest.mark.parametrize(
    ("value", "chosen"), [("marked", [0]), ("marked", [9]), ("same", []), ("unsure", [6]), ("chosen", [6])]
)
def test_what_is_no_answer_to_a_grid_is_refused(page, value, chosen):
    offer(page, GRID)
    items = [item["id"] for item in next_of(page)["items"]]
    refused = page.post("answers", kind="grid", items=items, value=value, chosen=chosen, status=422)
    assert refused["detail"]
    assert page.get("project")["answers"] == 0


def test_a_bad_picture_leaves_the_screen_and_the_rest_of_it_stays(page):
    offer(page, GRID)
    next_of(page)
    left = page.post("bad", item=6)["next"]
    assert [item["id"] for item in left["items"]] == [0, 1, 2, 12]
    answer(page, left, "marked", [12])
    page.wait()
    assert 6 not in homes(page)
    assert homes(page)[12] != homes(page)[0]
    offer(page, Question("grid", (0, 4, 5)))
    next_of(page)
    after = page.post("bad", item=0)["next"]
    assert 0 not in [item["id"] for item in after.get("items", [])], "without its example a grid asks nothing"


def test_two_people_hold_different_forms_and_never_the_same_screen(page):
    offer(page, GRID, PICK, Question("pair", (18, 19)))
    forms = [next_of(page, name)["kind"] for name in ("ann", "bob", "eve")]
    assert forms == ["grid", "pick", "pair"]


def test_what_most_of_somebody_is_asked_about_is_not_asked_of_another():
    ledger = SourcedLedger()
    ledger.become(20, Evidence(), outvote=False)
    queue = QuestionQueue(ledger)
    half = Question("grid", (0, 1, 2, 8, 9))
    most = Question("grid", (0, 1, 2, 3, 9))
    queue.offer(QuestionBatch(0, [Question("grid", (0, 1, 2, 3)), most, half]))
    assert queue.next("ann").items == (0, 1, 2, 3)
    assert queue.next("bob") == half


def test_a_screen_all_of_which_is_known_is_not_asked():
    ledger = SourcedLedger()
    ledger.become(6, Evidence(answers=[(1, Answer("grid", (0, 1, 2, 3), "marked", chosen=(3,)))]), outvote=False)
    queue = QuestionQueue(ledger)
    queue.offer(QuestionBatch(0, [Question("pick", (1, 2, 3)), Question("grid", (0, 2, 4))]))
    assert queue.next("ann") == Question("grid", (0, 2, 4)), "between those taken out nothing is known"


def test_with_overlap_a_screen_goes_to_two_people_and_counts_pair_by_pair(page):
    page.client.put("/api/settings", json={"overlap": 2})
    offer(page, GRID)
    answer(page, next_of(page, "ann"), "marked", [6, 12], annotator="ann")
    assert page.live.log().answers() == []
    question = next_of(page, "bob")
    assert [item["id"] for item in question["items"]] == [0, 1, 2, 6, 12]
    answer(page, question, "marked", [2, 6, 12], annotator="bob")
    (said,) = page.live.log().answers()
    assert (said.items, said.chosen) == ((0, 1, 6, 12), (6, 12))
    (dispute,) = page.get("disputes")["disputes"]
    assert {(vote["annotator"], vote["value"]) for vote in dispute["said"]} == {("ann", "same"), ("bob", "different")}
    people = {row["name"]: row for row in page.get("team")["people"]}
    assert people["ann"]["answers"] == 4
    assert people["ann"]["agreement"] == pytest.approx(3 / 4)


def test_a_gold_pair_on_a_screen_tells_who_was_right(page):
    page.post("team/gold", pairs=[[0, 6, "different"], [0, 1, "same"]], annotator="boss")
    page.wait()
    offer(page, GRID)
    answer(page, next_of(page), "marked", [12])
    (row,) = (each for each in page.get("team")["people"] if each["name"] == "ann")
    assert (row["gold"], row["accuracy"][1]) == (2, 0.5)


def test_a_conflict_says_which_screen_and_is_resolved_without_the_rest_of_it(page):
    offer(page, GRID)
    answer(page, next_of(page), "marked", [6, 12])
    page.client.put("/api/settings", json={"recheck": False})
    made = page.post("answers", items=[1, 6], value="same")["conflict"]
    kinds = {link["kind"] for link in made["chain"]}
    assert kinds == {"grid"}
    wrong = next(link for link in made["chain"] if link["value"] == "different")
    left = page.post("conflicts/resolve", withdraw=[wrong["seq"]], pair=wrong["items"])["left"]
    assert left == 0
    page.wait()
    home = homes(page)
    assert home[0] == home[1] == home[6], "the pair that was wrong is the same now"
    assert home[12] != home[0], "the rest of the screen holds"
    page.post("undo")
    assert len(page.get("conflicts")) == 1


def test_exports_hold_a_screen_as_one_event_and_as_pairs(page):
    offer(page, GRID)
    answer(page, next_of(page), "marked", [6, 12], seconds=8.0)
    (line,) = page.client.get("/api/export", params={"format": "jsonl"}).text.splitlines()
    assert json.loads(line)["payload"]["chosen"] == [6, 12]
    (row,) = page.get("steps")["steps"]
    assert row["text"] == "Looked at 4 pictures on a grid: 2 do not belong"
    archive = page.client.get("/api/export", params={"format": "archive"}).content
    assert zipfile.ZipFile(io.BytesIO(archive)).testzip() is None
    rows = take_snapshot(page.live.project, Path(page.live.location.folder), None, None).answers
    assert [(each.kind, each.a, each.b, each.answer, each.seconds) for each in rows] == [
        ("grid", "0.jpg", "1.jpg", "same", 2.0),
        ("grid", "0.jpg", "2.jpg", "same", 2.0),
        ("grid", "0.jpg", "6.jpg", "different", 2.0),
        ("grid", "0.jpg", "12.jpg", "different", 2.0),
    ]


def test_people_who_were_invited_see_no_groups_and_answer_only_what_they_hold(page):
    offer(page, PICK)
    person = Person("annotator", "bob")
    screen = page.live.next_for(person)
    assert screen.kind == "pick"
    assert all(item.cluster is None and item.examples == [] for item in screen.items)
    with pytest.raises(NotYoursError):
        page.live.answer(person, [3, 0, 6], "chosen", key="k1", kind="pick", chosen=[0])
    page.live.answer(person, [3, 0, 6, 12], "chosen", key="k2", kind="pick", chosen=[0])
    assert page.live.n_answers_of("bob") == 1


def test_a_lease_of_a_screen_outlasts_the_process(tmp_path):
    path = tmp_path / "leases.jsonl"
    ledger = SourcedLedger()
    ledger.become(20, Evidence(), outvote=False)
    queue = QuestionQueue(ledger, path=path)
    queue.offer(QuestionBatch(0, [GRID]))
    queue.next("ann")
    queue.close()
    assert Leases(lambda: 0.0, path).get("ann").question == GRID


def test_the_engine_looks_ahead_of_screens_and_takes_those_of_pictures_that_are_there():
    rng = np.random.default_rng(0)
    engine = Engine(seed=0, kind="auto")
    vectors = rng.normal(size=(24, 4)) * 0.1 + np.eye(4)[TRUTH]
    engine.set_pictures(np.arange(24) + 100, vectors)
    batch = engine.look_ahead(engine.prepare(4))
    first = batch.questions[0]
    assert first.kind in ("grid", "pick", "pair")
    assert all(image >= 100 for question in batch.questions for image in question.items)
    assert batch.after
    said = Answer("grid", (100, 101, 50, 106), "marked", chosen=(50, 106))
    engine.update(Evidence(answers=[(1, said)]), version=1)
    labels = engine.cluster().labels
    assert labels[0] == labels[1] != labels[6]
    engine.update(Evidence(), version=2)
    assert engine.look_ahead(engine.prepare(4)).questions == batch.questions


def typed_answers(page, monkeypatch, *typed):
    lines, told = [], iter([*typed, "q"])
    monkeypatch.setattr(ask.typer, "echo", lambda line="": lines.append(str(line)))
    monkeypatch.setattr(ask.typer, "prompt", lambda words: next(told))
    ask.ask_until_done(page.live, Path("photos"), Person("manager", "ann"))
    return lines


def test_screens_in_the_terminal_are_numbered_lists(page, monkeypatch):
    page.client.put("/api/settings", json={"prompt": "the same species?", "instruction": "Look at the edge"})
    offer(page, GRID)
    lines = typed_answers(page, monkeypatch, "3, 4")
    assert any("the same species?" in line for line in lines)
    assert any("Look at the edge" in line for line in lines)
    assert any(line.strip().startswith("4 ") and line.endswith("12.jpg") for line in lines)
    (event,) = page.live.log().standing()
    assert event.payload.chosen == (6, 12)
    offer(page, PICK)
    typed_answers(page, monkeypatch, "9", "2")
    assert [event.payload.chosen for event in page.live.log().standing()] == [(6, 12), (6,)]
    offer(page, Question("grid", (18, 19, 20)))
    lines = typed_answers(page, monkeypatch, "x2", "s")
    assert page.get("bad") == [20]
    last = list(page.live.log().standing())[-1]
    assert (last.payload.items, last.payload.chosen) == ((18, 19), ())


def test_the_prompt_is_shown_to_everybody_and_kept(page):
    examples = [{"items": [0, 1], "value": "same"}, {"items": [0, 6], "value": "different"}]
    wanted = {"prompt": "the same <i>species</i>?", "instruction": "  Look at the edge ", "examples": examples}
    kept = page.client.put("/api/settings", json=wanted).json()
    assert kept["instruction"] == "Look at the edge"
    assert next_of(page)["prompt"] == "the same <i>species</i>?"
    screen = page.live.next_for(Person("annotator", "bob"))
    assert screen.prompt == "the same <i>species</i>?"
    assert page.get("settings")["examples"] == examples
    for wrong in ({"prompt": "x" * 101}, {"examples": [{"items": [0], "value": "same"}]}, {"instruction": 3}):
        assert page.client.put("/api/settings", json=wrong).status_code == 422
