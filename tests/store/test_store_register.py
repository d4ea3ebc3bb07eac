"""One register: ids are the store's, the state of files is the catalogue's, and no picture is embedded twice."""

import os
import shutil
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from likewise.app.indexer import Indexer
from likewise.app.location import Location
from likewise.cli import app
from likewise.images import index, open_index
from likewise.images.catalog import open_catalog
from likewise.images.pixels import Pixels
from likewise.images.reading import UnreadableImage, read_image
from likewise.store import schema


def draw(path, seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (8, 8, 3), np.uint8)
    Image.fromarray(pixels).save(path)


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(6):
        draw(folder / f"{number}.png", number)
    (folder / "1.png").write_bytes(b"this is no picture")
    return folder


@pytest.fixture
def served(store, photos):
    """A project of the folder in either database."""
    where = store._database.url.render_as_string(hide_password=False)
    location = Location(where, str(store.folder), "photos", "pixels")
    project = location.project_of(store)

    def scan():
        Indexer(project, location, photos, lambda report: None).scan()

    return project, scan


@pytest.fixture
def embedded(monkeypatch):
    """How many pictures were embedded, call by call."""
    calls = []
    embed = Pixels.embed
    monkeypatch.setattr(Pixels, "embed", lambda self, batch: calls.append(len(batch)) or embed(self, batch))
    return calls


def ids(project_folder):
    found = open_index(project_folder)
    return dict(zip(found.names, found.ids.tolist(), strict=True))


def states(project):
    return {item.path: item.status for item in project.items()}


def describe(folder, project, tmp_path):
    command = ["describe", folder, "--model", "pixels", "--project", project, "--out", tmp_path / "x.npy"]
    result = CliRunner().invoke(app, [str(each) for each in command])
    assert result.exit_code == 0, result.output
    return np.load(tmp_path / "x.npy")


def test_the_catalogue_uses_the_ids_of_the_store(served, store, photos):
    project, scan = served
    project.add_items(["5.png", "nothing.png", "2.png"])
    scan()
    assert [item.path for item in project.items()] == [
        "5.png",
        "nothing.png",
        "2.png",
        "0.png",
        "1.png",
        "3.png",
        "4.png",
    ]
    assert ids(store.folder) == {"5.png": 0, "2.png": 2, "0.png": 3, "3.png": 5, "4.png": 6}
    assert states(project) == {f"{k}.png": "unreadable" if k == 1 else "present" for k in range(6)} | {
        "nothing.png": "gone"
    }
    assert project.item(4).reason == "not a picture in a known format"
    assert (project.item(0).width, project.item(0).height) == (8, 8)
    draw(photos / "nothing.png", 9)
    draw(photos / "new.png", 10)
    (photos / "5.png").unlink()
    draw(photos / "1.png", 11)
    scan()
    assert (project.item(1).status, project.item(0).status, project.item(4).status) == ("present", "gone", "present")
    assert (project.item(7).path, project.n_items) == ("new.png", 8)
    assert project.ids("gone") == [0]
    assert project.vectors("pixels").present().all(), "also of what is gone"


def test_a_catalogue_with_other_numbers_is_renumbered(served, store, photos):
    project, scan = served
    found = index(photos, project=store.folder, workers=0)
    assert ids(store.folder) == {"0.png": 0, "2.png": 2, "3.png": 3, "4.png": 4, "5.png": 5}
    thumbnail = found.thumbnail(5).read_bytes()
    project.add_items(["5.png", "4.png", "3.png", "2.png"])  # each has the number of another
    event = project.append("answer", {"kind": "pair", "items": [0, 3], "value": "same"})
    scan()
    again = open_index(store.folder)
    assert ids(store.folder) == {"5.png": 0, "4.png": 1, "3.png": 2, "2.png": 3, "0.png": 4}
    assert again.contents[again.position(0)] == found.contents[found.position(5)]
    assert again.thumbnail(0).read_bytes() == thumbnail
    assert again.summary.read == 0
    assert project.events() == [event]
    # a run without the store gives numbers of its own, and they give way again
    draw(photos / "a.png", 20)
    index(photos, project=store.folder, workers=0)
    project.add_items(["z.png"])
    scan()
    assert ids(store.folder)["a.png"] == project.whole_pictures()[b"a.png"] == 7
    assert states(project)["z.png"] == "gone"


class KilledError(Exception):
    """Stands for a kill."""


@pytest.mark.parametrize("after", ["the store", "half of the renumbering"])
def test_killed_between_store_and_catalogue(served, store, photos, monkeypatch, after):
    project, scan = served
    if after == "the store":
        given = project.add_items

        def add_items(paths):
            given(paths)
            raise KilledError

        monkeypatch.setattr(project, "add_items", add_items)
    else:
        index(photos, project=store.folder, workers=0)
        project.add_items(["5.png", "4.png"])
        before = ids(store.folder)

        class Dying(sqlite3.Connection):
            def executemany(self, query, rows):
                done = super().executemany(query, rows)
                if "id = -1" in query:
                    raise KilledError
                return done

        connect = sqlite3.connect
        monkeypatch.setattr(sqlite3, "connect", lambda *args, **more: connect(*args, **more, factory=Dying))
    with pytest.raises(KilledError):
        index(photos, project=store.folder, workers=0, numbering=project)
    monkeypatch.undo()
    if after != "the store":
        assert ids(store.folder) == before, "all of it or nothing"
    n_items = project.n_items
    scan()
    assert ids(store.folder).items() <= {item.path: item.id for item in project.items()}.items()
    assert project.n_items == max(n_items, 6)
    assert len({item.path for item in project.items()}) == project.n_items


FIRST = """
import os, sys, signal
from likewise.app.indexer import Indexer
from likewise.app.location import Location
folder, home, stop = sys.argv[1:]
location = Location(home, home, "photos", "pixels")
with location.open_store() as store:
    project = location.project_of(store)
    left = [int(stop)]
    def trace(frame, event, argument):
        if event == "call" and "likewise" in frame.f_code.co_filename:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
    import threading
    threading.setprofile(trace)
    sys.setprofile(trace)
    Indexer(project, location, __import__("pathlib").Path(folder), lambda report: None).scan()
"""


@pytest.mark.parametrize("stop", [400, 1500, 2500])
def test_killed_anywhere_in_the_first_run(photos, tmp_path, stop):
    home = str(tmp_path / "project")
    subprocess.run([sys.executable, "-c", FIRST, str(photos), home, str(stop)], check=False)
    location = Location(home, home, "photos", "pixels")
    with location.open_store() as store:
        project = location.project_of(store)
        Indexer(project, location, photos, lambda report: None).scan()
        assert [item.path for item in project.items()] == [f"{k}.png" for k in range(6)]
        assert ids(home) == {f"{k}.png": k for k in range(6) if k != 1}
        assert project.vectors("pixels").present().tolist() == [k != 1 for k in range(6)]


def test_described_first_and_served_afterwards(served, store, photos, tmp_path, embedded):
    project, scan = served
    rows = describe(photos, store.folder, tmp_path)
    assert sum(embedded) == 5
    scan()
    assert sum(embedded) == 5
    assert np.array_equal(project.vectors("pixels").rows_of(project.ids("present")), rows)


def test_served_first_and_described_afterwards(served, store, photos, tmp_path, embedded):
    project, scan = served
    scan()
    assert sum(embedded) == 5
    rows = describe(photos, store.folder, tmp_path)
    assert sum(embedded) == 5
    assert np.array_equal(project.vectors("pixels").rows_of(project.ids("present")), rows)


def test_a_renamed_picture_and_a_copy_are_not_embedded_again(served, photos, embedded):
    project, scan = served
    scan()
    (photos / "0.png").rename(photos / "renamed.png")
    shutil.copy(photos / "2.png", photos / "copy.png")
    draw(photos / "3.png", 33)
    scan()
    assert sum(embedded) == 6, "only what changed"
    assert project.vectors("pixels").present()[project.ids("present")].all()
    at = project.whole_pictures()
    rows = project.vectors("pixels").rows
    assert np.array_equal(rows[at[b"0.png"]], rows[at[b"renamed.png"]])
    assert np.array_equal(rows[at[b"2.png"]], rows[at[b"copy.png"]])


def test_a_picture_that_fails_when_it_is_embedded_is_unreadable(served, store, photos, monkeypatch):
    project, scan = served
    monkeypatch.setattr("likewise.images.embedding.read_image", _failing_for("2.png"))
    scan()
    number = project.whole_pictures()[b"2.png"]
    assert (project.item(number).status, project.item(number).reason) == ("unreadable", "it is cut off")
    assert not project.vectors("pixels").present()[number]
    monkeypatch.undo()
    scan()
    assert project.item(number).status == "unreadable", "until the file changes"
    os.utime(photos / "2.png", (1, 1))
    scan()
    assert project.item(number).status == "present"
    assert project.vectors("pixels").present()[number]


def _failing_for(name):
    def read(path, *arguments, **options):
        if os.fspath(path).endswith(name):
            raise UnreadableImage(path, "it is cut off")
        return read_image(path, *arguments, **options)

    return read


def test_two_projects_of_one_store_and_folder(served, store, photos):
    project, scan = served
    other = store.create_project("other")
    other.add_items(["4.png", "0.png", "gone.png"])
    scan()
    assert {item.path: (item.id, item.status) for item in other.items()} == {
        "4.png": (0, "present"),
        "0.png": (1, "present"),
        "gone.png": (2, "present"),  # no catalogue knows it
    }
    assert other.vectors("pixels").present().tolist() == [True, True, False]
    assert np.array_equal(other.vectors("pixels").rows_of([1]), project.vectors("pixels").rows_of([0]))


def test_regions_are_items_of_their_own(project, store):
    """Nothing makes them yet; the tables take them, and their vectors are their own."""
    row = {"project_id": project.id, "path": b"0.jpg", "added_at": project.created_at}
    with store._database.write(project.id) as connection:
        for number, x in ((10, 0), (11, 5)):
            region = {"x": x, "y": 0, "w": 4, "h": 4}
            connection.execute(schema.item.insert().values({**row, **region, "id": number, "digest": bytes([x])}))
    project.update_items({number: {"content": b"c" * 32} for number in (0, 10, 11)})
    assert [item.region for item in project.items()[9:]] == [None, (0, 0, 4, 4), (5, 0, 4, 4)]
    assert project.whole_pictures()[b"0.jpg"] == 0
    kept = project.vectors("test", 1, write=True)
    kept.put([0, 10, 11], [[1.0], [2.0], [3.0]])
    assert project.vectors("test").rows_of([0, 10, 11]).tolist() == [[1.0], [2.0], [3.0]]


def test_states_without_a_catalogue_give_way_to_it(served, store, photos):
    project, scan = served
    project.add_items(["0.png", "1.png"])
    project.update_items({0: {"status": "gone"}, 1: {"width": 5}})
    assert states(project) == {"0.png": "gone", "1.png": "present"}
    scan()
    assert (project.item(0).status, project.item(1).status, project.item(1).width) == ("present", "unreadable", None)
    with store._database.read() as connection:
        assert connection.execute(schema.file_state.select()).all() == []


def test_waiting_is_what_is_found_and_not_read(served, store, photos):
    project, _ = served
    store.folder.mkdir()
    with open_catalog(store.folder, create=True) as catalog:
        catalog.add(project.add_items(["0.png"]), [b"0.png"])
    assert states(project) == {"0.png": "waiting"}
    assert project.items("present") == []


def test_a_catalogue_that_cannot_be_read_is_said(served, store):
    project, _ = served
    project.add_items(["0.png"])
    store.folder.mkdir()
    (store.folder / "likewise-index.sqlite").write_bytes(b"no database " * 500)
    with pytest.raises(OSError, match="cannot be used"):
        project.items()
    assert project.n_items == 1
    assert project.events() == []
