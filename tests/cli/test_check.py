"""``likewise check``: a whole project passes, and whatever is damaged is named; the way in is not an empty project."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import numpy as np
import pytest
from typer.testing import CliRunner

from likewise.cli import app
from likewise.formats.writing import fresh_file, fresh_folder
from likewise.images.indexing import default_project
from likewise.store import Store, StoreError
from likewise.store.archive import read_archive, write_archive

SAME = {"kind": "pair", "items": [0, 1], "value": "same"}


@pytest.fixture
def photos(tmp_path):
    """A folder of pictures with a project in it."""
    folder = tmp_path / "photos"
    home = folder / ".likewise"
    home.mkdir(parents=True)
    with Store.open(home) as store:
        project = store.create_project("photos", {"seed": 3})
        project.add_items(["a.jpg", "b.jpg", "c.jpg"])
        for k in range(4):
            project.append("answer", {**SAME, "items": [k % 2, 2]}, annotator="ann", key=f"k{k}")
        project.invites.add("bob")
        project.vectors("colour", 2, write=True).put([0, 1], np.ones((2, 2)))
        (home / f"leases-{project.uid}.jsonl").write_text('{"annotator": "ann"}\n')
    with closing(sqlite3.connect(home / "likewise.db")) as connection:
        connection.execute("DROP TRIGGER event_UPDATE")
        connection.execute("DROP TRIGGER event_DELETE")
        connection.commit()
    return folder


def check(folder, *options):
    return CliRunner().invoke(app, ["check", str(folder), *options])


def change(folder, sql):
    with closing(sqlite3.connect(folder / ".likewise" / "likewise.db")) as connection:
        connection.execute(sql)
        connection.commit()


def test_a_whole_project_passes(photos):
    done = check(photos)
    assert (done.exit_code, done.output) == (0, "photos: 4 events and 3 items are as they were written\n")
    told = json.loads(check(photos, "--json").output)
    assert told == {"project": "photos", "events": 4, "images": 3, "damaged": []}


DAMAGE = {
    "event 2: it is damaged": "UPDATE event SET payload = replace(payload, 'same', 'different') WHERE seq = 2",
    "event 2: it is missing\nevent 3: it does not follow": "DELETE FROM event WHERE seq = 2",
    "annotator 1: the name 'eve' is damaged": "UPDATE annotator SET name = 'eve'",
    'settings: seed is "x"': 'UPDATE project SET settings = \'{"seed":"x"}\'',
    "invitation": "UPDATE invite SET expires_at = created_at",
    "item 1: its path 'x.jpg' is damaged": "UPDATE item SET path = CAST('x.jpg' AS BLOB) WHERE id = 1",
    "refers to one of annotator that is not there": "UPDATE event SET annotator_id = 99 WHERE seq = 3",
}


@pytest.mark.parametrize("said", DAMAGE)
def test_what_is_damaged_is_named(photos, said):
    change(photos, DAMAGE[said])
    done = check(photos)
    assert done.exit_code == 1
    assert said in done.output
    assert "likewise import" in done.output


def test_damaged_files_beside_the_database_are_named(photos):
    home = photos / ".likewise"
    (rows,) = home.glob("vectors/*/rows.json")
    rows.write_text("{")
    (leases,) = home.glob("leases-*")
    leases.write_text("[[[\n")
    (home / "likewise-index.sqlite").write_bytes(b"no database" * 100)
    done = check(photos)
    assert done.exit_code == 1
    for said in ("the vectors in", "line 1 cannot be read", "likewise-index.sqlite cannot be read"):
        assert said in done.output


def test_a_database_that_is_none_is_one_sentence(photos):
    (photos / ".likewise" / "likewise.db").write_bytes(b"x" * 8192)
    done = check(photos)
    assert done.exit_code == 1
    assert "is not a database that can be read" in done.output


def test_an_empty_database_beside_other_files_is_refused(photos, tmp_path):
    home = photos / ".likewise"
    (home / "likewise.db").write_bytes(b"")
    with pytest.raises(StoreError, match="is empty, and there are other files of a project beside it"):
        Store.open(home)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "likewise.db").touch()  # a first start that was killed
    Store.open(tmp_path / "new").close()


def test_a_project_that_became_read_only_is_not_replaced_by_an_empty_one(photos, tmp_path, monkeypatch):
    home = photos / ".likewise"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(os, "access", lambda path, mode: tmp_path / "data" in (path, *getattr(path, "parents", ())))
    assert default_project(photos) == home
    with pytest.raises(StoreError, match=r"cannot be written to: 'likewise.db' is read-only"):
        Store.open(home)
    done = CliRunner().invoke(app, ["status", str(photos)])
    assert done.exit_code != 0
    other = tmp_path / "others"
    other.mkdir()
    outside = default_project(other)
    assert outside.is_relative_to(tmp_path / "data")
    monkeypatch.undo()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    outside.mkdir(parents=True)
    Store.open(outside).close()
    assert default_project(other) == outside  # it may be written to now, and the project is where it was


def test_a_restore_that_was_killed_goes_on(tmp_path, monkeypatch):
    (tmp_path / "photos").mkdir()
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / "photos" / name).write_bytes(name.encode() * 50_000)
    with Store.open(tmp_path / "one") as store:
        project = store.create_project("photos")
        project.add_items(["a.jpg", "b.jpg"])
        write_archive(project, tmp_path / "a.zip", None, pictures=tmp_path / "photos")
    script = (
        "import os, shutil, signal, sys\n"
        "from pathlib import Path\n"
        "from likewise.store import Store, archive\n"
        "def half(source, out):\n"
        "    out.write(source.read(1000)); out.flush()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "archive.shutil.copyfileobj = half\n"
        "with Store.open(sys.argv[1]) as store:\n"
        "    archive.read_archive(store, Path(sys.argv[2]), pictures=Path(sys.argv[3]))\n"
    )
    arguments = [str(tmp_path / "two"), str(tmp_path / "a.zip"), str(tmp_path / "restored")]
    done = subprocess.run([sys.executable, "-c", script, *arguments], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not (tmp_path / "restored" / "a.jpg").exists()
    with Store.open(tmp_path / "two") as store:
        read_archive(store, tmp_path / "a.zip", pictures=tmp_path / "restored")
    assert sorted(os.listdir(tmp_path / "restored")) == ["a.jpg", "b.jpg"]
    assert (tmp_path / "restored" / "b.jpg").read_bytes() == b"b.jpg" * 50_000


@pytest.mark.parametrize("fresh", [fresh_file, fresh_folder], ids=["file", "folder"])
def test_what_a_killed_export_left_is_removed_by_the_next(tmp_path, fresh):
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        f"from likewise.formats.writing import {fresh.__name__} as fresh\n"
        "with fresh(Path(sys.argv[1])) as path:\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    target = tmp_path / "out.csv"
    done = subprocess.run([sys.executable, "-c", script, str(target)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    with fresh(target) as path, fresh_file(tmp_path / "other.csv") as other:
        other.write_text("x")
        assert len(list(tmp_path.iterdir())) == 2  # this one and the other: what is being written stays
        if fresh is fresh_file:
            path.write_text("a")
    assert sorted(os.listdir(tmp_path)) == ["other.csv", "out.csv"]
