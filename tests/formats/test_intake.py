"""Answers, labels and vectors of others come into a project: all or nothing, once, by their annotators."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from likewise.app.exporting import wall_of
from likewise.app.importing import Names, keep_distances, take_answers
from likewise.app.reduction import reduce_vectors
from likewise.cli import app
from likewise.distances import pairwise
from likewise.formats import read_answers
from likewise.images.indexing import default_project
from likewise.store import Store

HEADER = "a,b,worker,answer,seconds,truth\n"
GOOD = HEADER + "0.jpg,1.jpg,w1,same,1.5,same\n1.jpg,sub/2.jpg,w1,no,,\n0.jpg,1.jpg,w2,different,,same\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with a project of six pictures, and a seventh picture that the project does not know yet."""
    photos = tmp_path / "photos"
    (photos / "sub").mkdir(parents=True)
    (photos / "new.jpg").write_bytes(b"new")
    with Store.open(default_project(photos)) as store:
        project = store.create_project("photos")
        project.add_items(["0.jpg", "1.jpg", "sub/2.jpg", "sub/3.jpg", "a/4.jpg", "b/4.jpg"])
    return photos


def run(*arguments, code=0):
    done = CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done


def take(folder, text, *options, name="answers.csv", code=0):
    path = folder.parent / name
    path.write_text(text, encoding="utf-8")
    done = run("import", folder, path, "--json", *options, code=code)
    return json.loads(done.stdout)


def events(folder):
    with Store.open(default_project(folder), create=False) as store:
        return store.project().events()


def test_every_answer_is_an_event_by_its_annotator_and_comes_once(folder):
    said = take(folder, GOOD)
    assert (said["lines"], said["new"], said["known"], said["written"]) == (3, 3, 0, True)
    found = events(folder)
    assert [(e.annotator, e.payload.items, e.payload.value, e.seconds) for e in found] == [
        ("w1", (0, 1), "same", 1.5), ("w1", (1, 2), "different", None), ("w2", (0, 1), "different", None),
    ]  # fmt: skip
    again = take(folder, GOOD, name="renamed.csv")
    assert (again["new"], again["known"]) == (0, 3)
    more = take(folder, GOOD + "0.jpg,sub/3.jpg,w2,same,,\n")
    assert (more["new"], more["known"]) == (1, 3)
    assert events(folder)[:3] == found
    assert len(events(folder)) == 4


def test_the_same_said_twice_is_two_answers(folder):
    twice = HEADER + 2 * "0.jpg,1.jpg,w1,same,,\n"
    assert take(folder, twice)["new"] == 2
    assert take(folder, twice)["new"] == 0


def test_an_imported_answer_that_was_taken_back_stays_so(folder):
    take(folder, GOOD)
    with Store.open(default_project(folder)) as store:
        store.project().undo("w2")
    assert take(folder, GOOD)["new"] == 0
    with Store.open(default_project(folder)) as store:
        assert [answer.annotator for answer in store.project().answers()] == ["w1", "w1"]


def test_undo_takes_back_one_imported_answer_and_not_all(folder):
    take(folder, GOOD)
    assert len({event.key.partition("/")[0] for event in events(folder)}) == 3


def test_nothing_is_written_where_a_line_is_bad(folder):
    bad = GOOD + "0.jpg,1.jpg,w3,perhaps,,\n0.jpg,missing.jpg,w3,same,,\n"
    said = take(folder, bad, code=2)
    assert said["written"] is False
    assert said["problems"] == ["line 5, column answer: 'perhaps' is not an answer to a pair (same, different, unsure)"]
    assert said["unknown"] == ["missing.jpg"]
    assert events(folder) == []
    assert take(folder, bad, "--dry-run")["written"] is False
    assert events(folder) == []
    said = take(folder, bad, "--skip-bad")
    assert (said["new"], said["unknown"]) == (3, ["missing.jpg"])
    assert len(events(folder)) == 3


def test_unknown_things_are_added_when_that_is_asked_for(folder):
    text = "a,b,c,user,answer\nx1,x2,x3,u,ab\nx1,x2,,u,same\n"
    assert take(folder, text, code=2)["unknown"] == ["x1", "x2", "x3"]
    said = take(folder, text, "--add-unknown")
    assert (said["new"], said["added"]) == (2, 3)
    assert [event.payload.items for event in events(folder)] == [(6, 7, 8), (6, 7)]


def test_a_thing_without_a_picture_has_no_name_outside_the_folder(folder):
    text = HEADER + "/etc/passwd,../x,w,same,,\n0.jpg,y,w,same,,\n"
    assert take(folder, text, "--add-unknown", code=2)["unknown"] == ["../x", "/etc/passwd"]
    assert take(folder, text, "--add-unknown", "--skip-bad")["new"] == 1
    assert events(folder)[0].payload.items == (0, 6)


def test_where_there_is_no_project_a_dry_run_or_a_mistake_makes_none(tmp_path):
    (tmp_path / "empty").mkdir()
    take(tmp_path / "empty", GOOD, "--dry-run")
    take(tmp_path / "empty", GOOD, code=2)
    assert list((tmp_path / "empty").iterdir()) == []
    assert take(tmp_path / "empty", GOOD, "--add-unknown")["new"] == 3


def test_pictures_are_found_by_path_or_by_the_only_file_of_a_name(folder):
    with Store.open(default_project(folder)) as store:
        names = Names(store.project(), folder)
        by_id = Names(store.project(), folder, by_id=True)
    found = {
        "0.jpg": "0.jpg", "./0.jpg": "0.jpg", "2.jpg": "sub/2.jpg", "sub/3.jpg": "sub/3.jpg", "4.jpg": None,
        f"{folder}/sub/3.jpg": "sub/3.jpg", "C:\\old\\3.jpg": "sub/3.jpg", "new.jpg": "new.jpg", "0": None,
        "../photos/new.jpg": None, "/etc/passwd": None, "": None, "none.jpg": None,
    }  # fmt: skip
    assert {name: names.find(name) for name in found} == found
    assert [by_id.find(name) for name in ("2", "9", "0.jpg")] == ["sub/2.jpg", None, None]


def test_two_names_of_one_picture_are_no_question(folder):
    said = take(folder, HEADER + "2.jpg,sub/2.jpg,w,same,,\n", code=2)
    assert "lead to the same picture" in said["problems"][0]


def test_labels_are_the_truth_of_reports_and_tags_lie_beside(folder):
    said = take(folder, "file,class,tags\n0.jpg,oak,a;b\nnew.jpg,elm,\nsub/3.jpg,oak,\n", name="list.csv")
    assert (said["new"], said["added"]) == (5, 1)
    home = default_project(folder)
    assert (home / "truth.csv").read_text() == "name,label\n0.jpg,oak\nnew.jpg,elm\nsub/3.jpg,oak\n"
    assert (home / "tags.csv").read_text() == "name,tag\n0.jpg,a\n0.jpg,b\n"
    take(folder, "file,class\n0.jpg,elm\n", name="list.csv")  # a later list has the last word
    assert "0.jpg,elm" in (home / "truth.csv").read_text()
    assert "0.jpg,oak" not in (home / "truth.csv").read_text()
    take(folder, HEADER + "0.jpg,new.jpg,w,same,,\n0.jpg,sub/3.jpg,w,same,,\n")
    run("report", folder, "--out", folder.parent / "report.html", "--model", "none")
    assert "50.0 %" in (folder.parent / "report.html").read_text()


def test_class_folders_are_truth(folder, tmp_path):
    for path in ("sorted/oak/0.jpg", "sorted/elm/1.jpg"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(b"x")
    assert json.loads(run("import", folder, tmp_path / "sorted", "--json").stdout)["new"] == 2
    assert (default_project(folder) / "truth.csv").read_text() == "name,label\n1.jpg,elm\n0.jpg,oak\n"


def test_label_studio_comes_in(folder):
    result = {"type": "choices", "value": {"choices": ["Different"]}}
    ask = {
        "data": {"left": "0.jpg", "right": "1.jpg"},
        "annotations": [{"result": [result], "completed_by": 7, "lead_time": 2.5}],
    }
    assert take(folder, json.dumps([ask]), name="export.json")["new"] == 1
    (event,) = events(folder)
    assert (event.annotator, event.payload.value, event.seconds) == ("7", "different", 2.5)


def test_vectors_and_distances_give_clusters_without_pictures(tmp_path):
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 5)
    X = np.array([[0.0, 0.0], [1.0, 1.0], [5.0, 5.0]])[truth] + rng.normal(size=(15, 2)) * 0.05
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "d.npy", pairwise(X))
    np.savez(tmp_path / "no.npz", X)
    for kind in ("x", "d"):
        things = tmp_path / kind
        things.mkdir()
        run("import", things, tmp_path / f"{kind}.npy", code=2)
        said = json.loads(run("import", things, tmp_path / f"{kind}.npy", "--add-unknown", "--json").stdout)
        assert (said["what"], said["new"], said["added"]) == ("vectors", 15, 15)
        with Store.open(default_project(things)) as store:
            project = store.project()
            about = project.vectors("imported").about
            assert about["from"] == {"x": "vectors", "d": "distances"}[kind]
            project.update_settings({"n_clusters": 3, "strategy": "random"})
            wall = wall_of(project, "imported")
        groups = {frozenset(cluster.images.tolist()) for cluster in wall.clusters.values()}
        # 0 and 1 lie in one direction: they are told apart by where they are
        assert groups == {frozenset(range(5)), frozenset(range(5, 10)), frozenset(range(10, 15))}


def test_lifted_vectors_keep_their_distances():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 5)) * [1, 10, 100, 1, 1] + 7
    kept = pairwise(reduce_vectors(keep_distances(X), 64))
    before = pairwise(X)
    ratio = kept[before > 0] / before[before > 0]
    assert ratio.max() / ratio.min() < 1.002


def test_names_of_rows_match_pictures(folder, tmp_path):
    np.save(tmp_path / "x.npy", np.eye(2))
    (tmp_path / "x.names.json").write_text(json.dumps(["1.jpg", "3.jpg"]))
    run("import", folder, tmp_path / "x.npy", "--kind", "vectors", "--model", "mine")
    with Store.open(default_project(folder)) as store:
        assert np.flatnonzero(store.project().vectors("mine").present()).tolist() == [1, 3]


def test_answers_of_a_python_caller(folder):
    path = folder.parent / "x.csv"
    path.write_text(GOOD)
    with Store.open(default_project(folder)) as store:
        project = store.project()
        intake = take_answers(project, *read_answers(path), Names(project, folder))
        assert (intake.new, intake.is_clean) == (3, True)
        shown = [event.payload.shown for event in project.events()]
        assert shown == [{"imported": True, "truth": "same"}, {"imported": True}, {"imported": True, "truth": "same"}]
