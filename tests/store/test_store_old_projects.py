"""Projects of the version before items (see projects/make.py) open with nothing lost and nothing computed again."""

import csv
import io
import json
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from likewise.app.indexer import Indexer
from likewise.app.location import Location
from likewise.cli import app
from likewise.images.indexing import open_index
from likewise.images.pixels import Pixels
from likewise.store.archive import read_archive

KEPT = Path(__file__).with_name("projects")
MOMENT = 1_700_000_000  # of all pictures, as in make.py


def unpack(name, target):
    with zipfile.ZipFile(KEPT / name) as archive:
        archive.extractall(target)
    for path in target.rglob("*.png"):
        os.utime(path, (MOMENT, MOMENT))


@pytest.fixture(scope="module")
def exports(tmp_path_factory):
    """What the old version exported, a folder a project."""
    folder = tmp_path_factory.mktemp("exports")
    unpack("exports.zip", folder)
    return folder / "exports"


@pytest.fixture
def photos(tmp_path):
    """The project in SQLite: its location, and how commands find it."""
    unpack("photos.zip", tmp_path)
    folder = tmp_path / "photos"
    home = str(folder / ".likewise")
    return Location(home, home, "photos", "pixels"), folder, ()


@pytest.fixture
def team(tmp_path, server):
    """The project in PostgreSQL."""
    unpack("team.zip", tmp_path)
    name, url = server.new_database()
    with server.connect(name) as connection:
        connection.execute((KEPT / "postgresql.sql").read_text())
    folder = tmp_path / "team"
    yield Location(url, str(folder / ".likewise"), "team", "pixels"), folder, ("--database", url)
    server.drop(name)


@pytest.fixture(params=["photos", "team"])
def old(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def nothing_computed(monkeypatch):
    """Fails when a vector is computed."""

    def refuse(self, batch):
        raise AssertionError("a vector is computed again")

    monkeypatch.setattr(Pixels, "embed", refuse)
    monkeypatch.setattr("likewise.images.descriptors.describe", lambda *_, **__: refuse(None, None))


def run(*arguments):
    result = CliRunner().invoke(app, [str(each) for each in arguments])
    assert result.exit_code == 0, result.output


def exported(folder, out, more):
    """The same exports as the old version made."""
    out.mkdir()
    run("export", folder, "--format", "csv", "--out", out / "clusters.csv", "--model", "pixels", *more)
    run("export", folder, "--format", "jsonl", "--out", out / "events.jsonl", *more)
    run("export", folder, "--format", "tables", "--out", out / "tables", "--model", "pixels", *more)
    return out


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def clusters(table):
    """Clusters of an exported table: the pictures, names and states of each."""
    found = {}
    for row in csv.DictReader(io.StringIO(table.decode())):
        number = row.pop("cluster")
        assert row.pop("stack", "") == ""  # a column that was not there: nothing was looked for in old projects
        if row["state"] == "suggested":  # now it is where it is shown until somebody says yes: beside the group
            number, row = f"beside {number}", {**row, "name": "", "state": "found"}
        found.setdefault(number, set()).add(tuple(row.values()))
    return {frozenset(rows) for rows in found.values()}


def states(project):
    return [[i.id, i.path, i.status, i.reason, i.width, i.height] for i in project.items()]


def test_exports_are_the_same_to_the_byte(old, exports, tmp_path, nothing_computed):
    location, folder, more = old
    before = files(exports / location.name)
    after = files(exported(folder, tmp_path / "now", more))
    for name in ("events.jsonl", "tables/images.csv"):
        assert after[name] == before[name], name
    rows = before["tables/answers.csv"].splitlines(keepends=True)
    unconfirmed = [row for row in rows if row.startswith(b"13,confirm") and b"g.png" in row]
    assert len(unconfirmed) == 1  # by event 14: it was listed all the same, and no longer is
    assert after["tables/answers.csv"] == b"".join(row for row in rows if row not in unconfirmed)
    for name in ("clusters.csv", "tables/clusters.csv"):  # numbers of clusters were those of the moment then
        assert clusters(after[name]) == clusters(before[name]), name
    was, now = ([*csv.DictReader(io.StringIO(each["tables/annotators.csv"].decode()))] for each in (before, after))
    estimated = {"reliability", "weight", "suspicion"}  # by another estimator than then, or not at all
    assert [{k: v for k, v in row.items() if k not in estimated} for row in now] == [
        {k: v for k, v in row.items() if k not in estimated} for row in was
    ]


def test_items_states_and_vectors_are_the_same(old, exports, nothing_computed):
    location, _, _ = old
    before = json.loads((exports / location.name / "images.json").read_text())
    with location.open_store() as store:
        project = location.find(store)
        assert states(project) == before
        assert project.n_items == len(before)
        assert [project.item(row[0]) for row in before] == project.items()
        rows = project.vectors("pixels").rows
        assert np.array_equal(np.nan_to_num(rows[:12], nan=-1), np.load(exports / location.name / "pixels.npy"))
        assert not np.isfinite(rows[12:]).any()
        assert [each.name for each in project.invites.all()] == ["bob"]
        assert project.settings() == {"n_clusters": 3, "strategy": "random", "seed": 7}
        if store._database.is_sqlite:
            assert store.upgraded_from.name == "likewise-0003.backup.db"
    assert not list((Path(location.folder) / "vectors" / project.uid).glob("*")), "taken over"
    with location.open_store() as store:
        assert np.array_equal(location.find(store).vectors("pixels").rows, rows, equal_nan=True)


def test_describe_finds_what_it_computed(old, exports, tmp_path, nothing_computed):
    location, folder, _ = old
    run("describe", folder, "--descriptors", "hsv", "--out", tmp_path / "hsv.npy")
    assert np.array_equal(np.load(tmp_path / "hsv.npy"), np.load(exports / location.name / "hsv.npy"))


def test_the_folder_is_indexed_on_with_the_ids_of_the_store(old, exports, nothing_computed):
    """Catalogue and store had numbers of their own: those of the store hold, events refer to them."""
    location, folder, _ = old
    before = json.loads((exports / location.name / "images.json").read_text())
    with location.open_store() as store:
        project = location.find(store)
        events = project.events()
        reports = []
        Indexer(project, location, folder, reports.append).scan()
        assert (reports[-1]["state"], reports[-1]["done"]) == ("done", 10)
        found = open_index(location.folder)
        paths = {item.id: item.path for item in project.items()}
        assert {number: paths[number] for number in found.ids.tolist()} == dict(
            zip(found.ids.tolist(), found.names, strict=True)
        )
        assert [paths[row[0]] for row in before] == [row[1] for row in before], "no id changed"
        assert paths[len(before)] == "aa.png", "what cannot be read is an item now"
        status = {item.path: item.status for item in project.items()}
        assert (status["aa.png"], status["h.png"], status["no picture"]) == ("unreadable", "gone", "gone")
        assert status["torn.png"] == "gone", "it is not in the folder"
        assert project.ids("present") == [row[0] for row in before if row[2] == "present"]
        assert project.events() == events
        present = project.vectors("pixels").present()
        assert present[project.ids("present")].all()


def test_a_lost_project_folder_is_made_again_under_the_ids_of_the_database(team, exports):
    location, folder, _ = team
    before = json.loads((exports / "team" / "images.json").read_text())
    lost = Path(location.folder).rename(folder.parent / "lost")
    assert lost.is_dir()
    with location.open_store() as store:
        project = location.find(store)
        assert states(project) == before, "as long as no catalogue knows better"
        Indexer(project, location, folder, lambda report: None).scan()
        assert states(project)[:9] == [
            [*row[:4], *((12, 12) if row[2] == "present" else (None, None))] for row in before[:9]
        ]
        assert {item.path: item.status for item in project.items()}["h.png"] == "gone"
        assert [item.id for item in project.items("present")] == [row[0] for row in before if row[2] == "present"]
        rows = project.vectors("pixels").rows_of(project.ids("present"))
        old = np.load(exports / "team" / "pixels.npy")[[row[0] for row in before if row[2] == "present"]]
        assert np.array_equal(rows, old)


def test_an_archive_of_the_old_version_is_read(store, exports, tmp_path, nothing_computed):
    before = json.loads((exports / "photos" / "images.json").read_text())
    project = read_archive(store, KEPT / "archive.zip")
    assert states(project) == before
    assert [json.dumps(event.as_dict()) for event in project.events()] == [
        json.dumps(json.loads(line)) for line in (exports / "photos" / "events.jsonl").read_text().splitlines()
    ]
    rows = project.vectors("pixels").rows
    assert np.array_equal(np.nan_to_num(rows[:12], nan=-1), np.load(exports / "photos" / "pixels.npy"))
    # the pictures come later, into the folder of the project: their vectors are there already
    unpack("photos.zip", tmp_path)
    where = str(store._database.url.render_as_string(hide_password=False))
    location = Location(where, str(store.folder), project.name, "pixels")
    Indexer(project, location, tmp_path / "photos", lambda report: None).scan()
    assert [item.id for item in project.items("present")] == [row[0] for row in before if row[2] == "present"]
    assert project.vectors("pixels").present()[project.ids("present")].all()


@pytest.mark.parametrize("step", ["add", "unlink", "rmtree"])
def test_killed_while_vectors_are_taken_over(photos, exports, monkeypatch, step):
    location, _, _ = photos
    with location.open_store() as store, monkeypatch.context() as patch:

        def killed(*_, **__):
            raise KeyboardInterrupt

        target = {
            "add": "likewise.images.vector_file.VectorFile.add",
            "unlink": "pathlib.Path.unlink",
            "rmtree": "shutil.rmtree",
        }[step]
        patch.setattr(target, killed)
        with pytest.raises(KeyboardInterrupt):
            location.find(store).vectors("pixels")
    with location.open_store() as store:
        rows = location.find(store).vectors("pixels").rows
    assert np.array_equal(np.nan_to_num(rows[:12], nan=-1), np.load(exports / "photos" / "pixels.npy"))
