"""From a study that runs to clusters and curves, in the terminal."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from likewise.app.live import LiveProject
from likewise.app.reduction import reduce_vectors
from likewise.app.studies import Studies, make_study
from likewise.app.study_steps import answer, begin
from likewise.cli import app as commands
from likewise.crowd import cluster_study, compare_forms, read_study, study_curve, true_answer
from tests.app.page import TRUTH


@pytest.fixture
def folder(location, tmp_path):
    """A project with a study that three people are in: one has finished, one errs, one has only begun."""
    live = LiveProject(location)
    names = [f"class{TRUTH[k]}/{k}.jpg" for k in range(24)]
    live.project.add_images(names)
    X = np.float32(np.random.default_rng(0).normal(size=(24, 4)) * 0.3 + np.eye(4)[TRUTH])  # as they are kept
    with live.project.vectors("test", 4, write=True) as vectors:
        vectors.put(np.arange(24), X)
    location.remember_model(live.project)
    make_study(live.project, "s1", pairs=15, triplets=10, practice=1, random_state=2)
    studies = Studies(live.project)
    for person, n_answers in (("ann", 27), ("bob", 27), ("cec", 2)):
        study = begin(studies, "s1", person, f"begin {person}")
        for number, (kind, items, _) in list(enumerate(study.person(person).questions))[:n_answers]:
            value = true_answer(kind, [int(TRUTH[item]) for item in items])
            if person == "bob" and number % 3 == 0:
                value = {"same": "different", "different": "same"}.get(value, "ab")
            payload = {"name": "s1", "number": number, "items": items, "value": value, "shown": {}}
            answer(studies, live, payload, person=person, key=f"{person}{number}", seconds=1.0 + number % 4)
    live.stop()
    pictures = tmp_path / "leaves"
    pictures.mkdir()
    return pictures, X, names


def run(folder, *command):
    name = ["--project", str(folder.parent), "--name", "s1"]
    return CliRunner().invoke(commands, ["study", command[0], str(folder), *name, *command[1:]])


def exported(folder, tmp_path):
    out = tmp_path / "s1.csv"
    assert run(folder, "export", "--out", str(out)).exit_code == 0
    return read_study(out)


@pytest.mark.parametrize("by", ["session", "hacc", "discriminative"])
def test_clusters_in_the_terminal_are_those_of_the_export(folder, tmp_path, by):
    pictures, X, names = folder
    found = run(pictures, "clusters", "--by", by, "-k", "4", "--json")
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    answers = exported(pictures, tmp_path)
    expected = cluster_study(answers, reduce_vectors(X, 64), names, by=by, n_clusters=4)
    assert told["labels"] == dict(zip(names, expected.labels.tolist(), strict=True))
    assert told["answers"] == len(answers) == 51, "practice is no answer"
    assert told["conflicts"] == [str(conflict) for conflict in expected.conflicts]
    assert told["conflicting"] > 0
    assert told["set_aside"] is (by != "discriminative")


def test_what_contradicts_is_said(folder, tmp_path):
    pictures, _, names = folder
    out = tmp_path / "clusters.csv"
    found = run(pictures, "clusters", "--by", "hacc", "-k", "4", "--out", str(out))
    assert found.exit_code == 0, found.output
    said = " ".join(found.stderr.split())
    assert "51 answers, 0 of them not sure" in said
    assert "answers contradict others and are set aside" in said
    assert "bob: " in said
    assert pd.read_csv(out)["item"].tolist() == names
    alone = run(pictures, "clusters", "--by", "hacc", "-k", "4", "--person", "ann", "--json")
    assert json.loads(alone.stdout)["conflicts"] == []
    assert json.loads(alone.stdout)["answers"] == 25


def test_curves_in_the_terminal_are_those_of_the_export(folder, tmp_path):
    pictures, X, names = folder
    answers, vectors = exported(pictures, tmp_path), reduce_vectors(X, 64)
    options = ["--by", "hacc", "-k", "4", "--json"]
    together = json.loads(run(pictures, "curve", *options, "--steps", "3").stdout)
    given = {"by": "hacc", "n_clusters": 4}
    assert together == study_curve(answers, vectors, names, TRUTH.tolist(), steps=3, **given)
    for along in ("items", "seconds"):
        files = ["--out", str(tmp_path / "curve.csv"), "--plot", str(tmp_path / "curve.png")]
        found = json.loads(run(pictures, "curve", *options, "--along", along, *files).stdout)
        assert found == compare_forms(answers, vectors, names, TRUTH.tolist(), along=along, **given)
        assert len(pd.read_csv(tmp_path / "curve.csv")) == len(found)
        assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    shown = run(pictures, "curve", "--by", "hacc", "-k", "4")
    assert shown.exit_code == 0
    assert "contradict" in shown.stdout


def test_vectors_and_classes_from_files(folder, tmp_path):
    pictures, X, names = folder
    table = pd.DataFrame(X).add_prefix("x")
    table.insert(0, "name", names)
    table.to_csv(tmp_path / "x.csv", index=False)
    some = pd.DataFrame({"name": names[:20], "label": TRUTH[:20]})
    some.to_csv(tmp_path / "classes.csv", index=False)
    files = ["--vectors", str(tmp_path / "x.csv"), "--truth", str(tmp_path / "classes.csv")]
    found = run(pictures, "curve", "--by", "hacc", "-k", "4", "--json", *files)
    assert found.exit_code == 0, found.output
    classes = [str(c) if k < 20 else None for k, c in enumerate(TRUTH)]
    expected = study_curve(exported(pictures, tmp_path), X, names, classes, by="hacc", n_clusters=4, steps=5)
    assert json.loads(found.stdout) == expected
    assert "4 of 24 pictures have no class" in found.stderr


def test_what_is_missing_is_said(folder, tmp_path, location):
    pictures, X, _ = folder
    pd.DataFrame(X).add_prefix("x").to_csv(tmp_path / "bare.csv", index=False)
    (tmp_path / "classes.csv").write_text("name,label\nother.jpg,a\n")
    for command, said in (
        (["clusters", "--person", "dot"], "'dot' has given no answer"),
        (["clusters", "--vectors", str(tmp_path / "bare.csv")], "needs a column 'id', 'name' or 'path'"),
        (["curve", "--truth", str(tmp_path / "classes.csv")], "the curve needs classes"),
        (["clusters", "--name", "s2"], "there is no study 's2'"),
    ):
        found = run(pictures, *command)
        assert found.exit_code == 2
        assert said in " ".join(found.stderr.split())
    live = LiveProject(location)
    make_study(live.project, "s3", pairs=1, triplets=0)
    live.stop()
    found = run(pictures, "clusters", "--name", "s3")
    assert "nobody has answered a question of the study 's3' yet" in " ".join(found.stderr.split())


def test_pictures_without_vectors_are_named_where_somebody_was_asked_about_them(folder, location):
    pictures, _, _ = folder
    live = LiveProject(location)
    live.project.add_images(["class0/new.jpg"])
    live.stop()
    found = run(pictures, "clusters", "--by", "hacc", "-k", "4")
    assert found.exit_code == 0
    assert "1 pictures have no vectors yet and are left out" in " ".join(found.stderr.split())
    live = LiveProject(location)
    make_study(live.project, "s4", pairs=300, triplets=0, practice=0)
    studies = Studies(live.project)
    study = begin(studies, "s4", "ann", "begin s4")
    for number, (_, items, _) in enumerate(study.person("ann").questions):
        payload = {"name": "s4", "number": number, "items": items, "value": "same", "shown": {}}
        answer(studies, live, payload, person="ann", key=f"s4 {number}", seconds=1.0)
    live.stop()
    refused = run(pictures, "clusters", "--name", "s4", "--by", "hacc", "-k", "4")
    assert isinstance(refused.exception, ValueError)
    assert "1 of the pictures that people were asked about have no vectors" in str(refused.exception)
    assert "class0/new.jpg" in str(refused.exception)
