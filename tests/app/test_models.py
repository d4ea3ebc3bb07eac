"""Which vectors a project is served with: a network of one's own, imported ones, and those of the last time."""

import csv
import io
import os

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from likewise.app import edits
from likewise.app.editing import edit
from likewise.app.engine_process import Orders, Report
from likewise.app.engine_worker import Worker
from likewise.app.indexer import Indexer
from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.app.people import Person
from likewise.app.pictures import Pictures
from likewise.cli import app
from likewise.cli.serve import open_project
from tests.images.known import write_vit
from tests.images.test_embedding import write_network

runner = CliRunner()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(6):
        colour = (200, 10, number) if number % 2 else (10, number, 200)
        Image.new("RGB", (32, 24), colour).save(folder / f"{number}.png")
    return folder


def serve(folder, model):
    """As `likewise FOLDER` does, until all pictures are read; the pictures that are ready."""
    old = os.umask(0o022)
    live, _ = open_project(folder, model, None, None)
    os.umask(old)
    try:
        reports = []
        Indexer(live.project, live.location, folder, reports.append).scan()
        worker = Worker(live.project, live.location.model)
        worker.follow(Orders.of_log(live.project.log(), {}))
        return worker.engine.images.tolist(), reports
    finally:
        live.stop()


def exported(folder, tmp_path, *options):
    result = runner.invoke(app, ["export", str(folder), "--out", str(tmp_path / "out.csv"), "--force", *options])
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))


@pytest.mark.parametrize("name", ["mine.onnx", "my.net v2 é.onnx"])
def test_a_network_of_ones_own_makes_every_picture_ready(folder, tmp_path, monkeypatch, name):
    write_network(tmp_path / name, ["n", 3, 8, 8], mean_over=[2, 3])
    monkeypatch.chdir(tmp_path)
    ready, reports = serve(folder, name)
    assert ready == [0, 1, 2, 3, 4, 5]
    assert reports[-1]["state"] == "done"
    monkeypatch.chdir(folder)  # what was given is found from anywhere
    assert len(exported(folder, tmp_path)) == 6
    (tmp_path / name).unlink()  # without the network, what it made is still there
    assert len(exported(folder, tmp_path)) == 6
    assert serve(folder, None)[0] == [0, 1, 2, 3, 4, 5]


def test_another_model_keeps_all_answers_and_groups(folder, tmp_path):
    serve(folder, "pixels")
    old = os.umask(0o022)
    live, _ = open_project(folder, None, None, None)
    os.umask(old)
    me = Person("manager", "ann")
    live.append("answer", {"kind": "pair", "items": [0, 2], "value": "same", "shown": {}}, annotator="ann", key="a")
    live.append(
        "answer", {"kind": "pair", "items": [0, 1], "value": "different", "shown": {}}, annotator="ann", key="b"
    )
    worker = Worker(live.project, live.location.model)
    worker.follow(Orders.of_log(live.project.log(), {}))
    live._take_report(Report(clustering=worker.engine.cluster()))
    blue = live.wall.cluster_of[0]
    edit(live, me, lambda board: edits.name_cluster(board, blue, "blue ones"), key="c")
    edit(live, me, lambda board: edits.split_cluster(board, blue, [4]), key="d")  # nobody would guess that
    live.stop()
    before = {row["path"]: row for row in exported(folder, tmp_path)}
    answers = runner.invoke(app, ["export", str(folder), "--format", "jsonl", "--out", str(tmp_path / "a.jsonl")])
    assert answers.exit_code == 0, answers.output
    network = write_vit(tmp_path / "vit.onnx")
    serve(folder, str(network))
    after = {row["path"]: row for row in exported(folder, tmp_path)}
    named = {path for path, row in after.items() if row["name"] == "blue ones"}
    assert named == {path for path, row in before.items() if row["name"] == "blue ones"}
    assert {"0.png", "2.png"} <= named
    assert "4.png" not in named
    assert len(after) == len(before) == 6
    runner.invoke(app, ["export", str(folder), "--format", "jsonl", "--out", str(tmp_path / "b.jsonl")])
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()


def test_a_project_remembers_its_model(folder, tmp_path):
    serve(folder, "pixels")
    assert len(exported(folder, tmp_path)) == 6
    home = folder / ".likewise"
    live = LiveProject(Location(str(home), str(home), "photos", "").with_model(None))
    assert live.location.model == "pixels"
    live.stop()


def test_vectors_that_are_not_there_are_refused_and_no_empty_file_is_written(folder, tmp_path):
    serve(folder, "pixels")
    result = runner.invoke(app, ["export", str(folder), "--out", str(tmp_path / "o.csv"), "--model", "nosuch"])
    assert result.exit_code == 2
    assert "the project has no vectors of 'nosuch': there are those of pixels" in result.stderr
    assert not (tmp_path / "o.csv").exists()


def write_table(path, names):
    rng = np.random.default_rng(0)
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["path", "x", "y"])
        rows.writerows([name, *rng.normal(size=2)] for name in names)
    return str(path)


def take_in(folder, table, *options):
    result = runner.invoke(app, ["import", str(folder), table, "--kind", "vectors", *options])
    assert result.exit_code == 0, result.output


def test_imported_vectors_are_served_and_nothing_is_computed(folder, tmp_path):
    take_in(folder, write_table(tmp_path / "v.csv", [f"{k}.png" for k in range(6)]), "--model", "mine")
    ready, reports = serve(folder, "mine")
    assert ready == [0, 1, 2, 3, 4, 5]
    assert [each["state"] for each in reports] == ["done"]
    assert os.listdir(folder / ".likewise" / "vectors") == ["mine"]


def test_pictures_without_an_imported_vector_are_counted(folder, tmp_path):
    take_in(folder, write_table(tmp_path / "v.csv", ["0.png", "1.png"]), "--model", "mine")
    ready, reports = serve(folder, "mine")
    assert ready == [0, 1]
    assert reports[0]["done"] == 2
    assert reports[1]["text"] == "4 pictures have no vector under 'mine': import theirs too"


def test_a_model_that_is_neither_known_nor_imported_is_refused(folder):
    with pytest.raises(ValueError, match=r"unknown model 'mine': choose .* or the name of vectors imported"):
        open_project(folder, "mine", None, None)
    with pytest.raises(ValueError, match=r"there is no network '.*none\.onnx': give one with --model"):
        open_project(folder, "none.onnx", None, None)


def test_things_without_a_picture_stay_and_show_their_names(folder, tmp_path):
    take_in(folder, write_table(tmp_path / "v.csv", ["oak", "elm", "ash"]), "--model", "mine", "--add-unknown")
    ready, _ = serve(folder, "mine")
    assert ready == [0, 1, 2]
    assert serve(folder, "mine")[0] == [0, 1, 2]  # also at the next start
    assert {row["path"] for row in exported(folder, tmp_path)} == {"oak", "elm", "ash"}
    old = os.umask(0o022)
    live, shown = open_project(folder, "mine", None, None)
    os.umask(old)
    assert isinstance(shown, Pictures)
    with shown.open(0, "thumb") as file, Image.open(file) as tile:
        assert tile.size == (256, 256)
        assert len(tile.convert("L").getcolors()) > 1  # something is written on it
    live.stop()


def test_a_picture_that_is_gone_rests(folder):
    assert serve(folder, "pixels")[0] == [0, 1, 2, 3, 4, 5]
    (folder / "3.png").unlink()
    assert serve(folder, "pixels")[0] == [0, 1, 2, 4, 5]
