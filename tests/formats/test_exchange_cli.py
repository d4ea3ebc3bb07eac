"""The commands export, import, report and crowd report, as somebody uses them."""

import csv
import json
import shutil
import zipfile

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from likewise.app.exporting import formats
from likewise.cli import app
from likewise.images.indexing import default_project
from likewise.store import Store

TRUTH = np.repeat([0, 1, 2], 4)


def run(*arguments, code=0):
    done = CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def folder(tmp_path):
    """Twelve pictures of three kinds, with vectors, answers, a name and a confirmed group."""
    photos = tmp_path / "photos"
    photos.mkdir()
    rng = np.random.default_rng(0)
    for k in range(12):
        Image.new("RGB", (10 + k, 9), (20 * k, 0, 0)).save(photos / f"{k}.png")
    with Store.open(default_project(photos)) as store:
        project = store.create_project("photos", {"strategy": "random", "n_clusters": 3})
        project.add_items([f"{k}.png" for k in range(12)])
        with project.vectors("test", 3, write=True) as vectors:
            vectors.append(np.eye(3)[TRUTH] + rng.normal(size=(12, 3)) * 0.02)
        project.append("answer", {"kind": "pair", "items": [0, 1], "value": "same"}, annotator="ann", seconds=2.0)
        project.append("answer", {"kind": "pair", "items": [0, 1], "value": "different"}, annotator="bob")
        project.append("name", {"items": [4, 5], "name": "a/b"}, annotator="ann")
        project.append("confirm", {"items": [8, 9, 10, 11]}, annotator="ann")
    return photos


@pytest.mark.parametrize("name", sorted(name for name, each in formats().items() if not each.needs_faces))
def test_every_format_is_written_and_never_over_something(folder, tmp_path, name):
    out = tmp_path / f"out{formats()[name].suffix}"
    arguments = ["export", folder, "--format", name, "--out", out, "--model", "test"]
    assert str(out.name) in run(*arguments).stderr.replace("\n", "")
    assert out.exists()
    with pytest.raises(ValueError, match=r"there already|not empty"):
        run(*arguments)
    run(*arguments, "--force")
    assert not list(tmp_path.glob(".*"))


def test_formats_of_people_are_for_faces(folder, tmp_path):
    for name in (name for name, each in formats().items() if each.needs_faces):
        with pytest.raises(ValueError, match="--faces"):
            run("export", folder, "--format", name, "--out", tmp_path / "out", "--model", "test")
    assert not list(tmp_path.glob("*out*"))


def test_the_help_lists_every_format():
    from likewise.cli.exchange import FORMATS

    assert all(name in FORMATS for name in formats())


def test_mistakes_are_said_in_a_line(folder, tmp_path):
    with pytest.raises(ValueError, match="there is no format 'xml'"):
        run("export", folder, "--format", "xml", "--out", tmp_path / "x")
    assert "for archives" in run("export", folder, "--pictures", "--out", tmp_path / "x", code=2).output
    (tmp_path / "none").mkdir()
    with pytest.raises(FileNotFoundError, match="there is no project"):
        run("export", tmp_path / "none", "--out", tmp_path / "x")
    assert list((tmp_path / "none").iterdir()) == []


def test_a_deleted_project_comes_back_from_its_archive(folder, tmp_path):
    def exported(name):
        run("export", folder, "--model", "test", "--out", tmp_path / f"{name}.csv")
        run("export", folder, "--format", "jsonl", "--out", tmp_path / f"{name}.jsonl")
        return (tmp_path / f"{name}.csv").read_bytes(), (tmp_path / f"{name}.jsonl").read_bytes()

    before = exported("before")
    archive = tmp_path / "photos.zip"
    run("export", folder, "--format", "archive", "--pictures", "--out", archive)
    pictures = {each.name: each.read_bytes() for each in folder.glob("*.png")}
    shutil.rmtree(folder)
    assert json.loads(run("import", folder, archive, "--dry-run").stdout)["counts"]["events"] == 4
    run("import", folder, archive)
    assert exported("after") == before
    assert {each.name: each.read_bytes() for each in folder.glob("*.png")} == pictures
    with pytest.raises(ValueError, match="never replaced"):
        run("import", folder, archive)


def test_an_archive_takes_the_name_of_the_folder_it_goes_to(folder, tmp_path):
    run("export", folder, "--format", "archive", "--out", tmp_path / "x.zip")
    run("import", tmp_path / "other", tmp_path / "x.zip")
    with Store.open(default_project(tmp_path / "other")) as store:
        assert [project.name for project in store.projects()] == ["other"]


def test_the_report_measures_people_against_the_truth(folder, tmp_path):
    (tmp_path / "truth.csv").write_text("name,label\n" + "".join(f"{k}.png,{c}\n" for k, c in enumerate(TRUTH)))
    run("report", folder, "--out", tmp_path / "r.html", "--truth", tmp_path / "truth.csv", "--model", "test")
    text = (tmp_path / "r.html").read_text()
    assert "from 0.0 % to 100.0 %" in text
    assert "a/b" in text
    run("export", folder, "--format", "tables", "--out", tmp_path / "tables", "--model", "test")
    lines = (tmp_path / "tables" / "answers.csv").read_text().splitlines()
    # each person's own answers, also where the session reads two as one
    assert [line.split(",")[3] for line in lines[1:3]] == ["ann", "bob"]


def test_test_questions_and_known_pairs_are_truth(folder, tmp_path):
    with Store.open(default_project(folder)) as store:
        project = store.project()
        tested = {"kind": "pair", "items": [2, 3], "shown": {"gold": "same"}}
        project.append("answer", {**tested, "value": "same"}, annotator="cid")
        project.append("answer", {**tested, "value": "different"}, annotator="cid")
        project.append("gold", {"kind": "pair", "items": [1, 0], "value": "same"}, annotator="boss")
    run("export", folder, "--format", "tables", "--out", tmp_path / "tables", "--model", "test")
    with open(tmp_path / "tables" / "annotators.csv", newline="") as file:
        found = {row["annotator"]: (row["known"], row["accuracy"]) for row in csv.DictReader(file)}
    assert found == {"ann": ("1", "1.0"), "bob": ("1", "0.0"), "cid": ("2", "0.5")}


def test_a_crowd_file_is_measured_without_a_project(tmp_path):
    path = tmp_path / "crowd.csv"
    lines = ["a,b,worker,answer,truth"]
    for k in range(20):
        right = "same" if k % 4 == 0 else "different"
        wrong = "different" if right == "same" else "same"
        lines += [
            f"{k},x{k},good,{right},{right}",
            f"x{k},{k},fair,{wrong if k == 3 else right},{right}",
            f"{k},x{k},bad,{wrong},{right}",
        ]
    path.write_text("\n".join(lines) + "\n")
    found = json.loads(run("crowd", "report", path, "--out", tmp_path / "r.html", "--json").stdout)
    assert (found["answers"], found["annotators"]) == (60, 3)
    assert {each["annotator"]: each["accuracy"] for each in found["people"]} == {"good": 1.0, "fair": 0.95, "bad": 0.0}
    assert found["majority"] == 0.95
    assert found["weighted"] == 1.0
    text = (tmp_path / "r.html").read_text()
    assert "from 0.0 % to 100.0 %" in text
    assert f"{found['alpha']:.3f}" in text
    path.write_text("\n".join([*lines, "1,2,w,perhaps,"]) + "\n")
    assert "--skip-bad" in run("crowd", "report", path, code=2).output
    assert "answers: 60" in run("crowd", "report", path, "--skip-bad").stdout


def test_a_zip_of_something_else_is_refused(folder, tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("../../evil", "x")
    with pytest.raises(ValueError, match="does not belong"):
        run("import", tmp_path / "new", tmp_path / "x.zip")
    assert not (tmp_path.parent / "evil").exists()
