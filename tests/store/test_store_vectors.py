"""Vectors of items: by the content of their pictures, or their own."""

import errno
import os

import numpy as np
import pytest
from PIL import Image

from likewise.images import index
from likewise.images.vectors import recipe, vectors
from likewise.store import Store, StoreError, StoreFullError

ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)


def test_vectors_of_a_project(tmp_path):
    with Store.open(tmp_path) as store:
        project = store.create_project("leaves")
        project.add_items(f"{k}.jpg" for k in range(6))
        with pytest.raises(FileNotFoundError, match="there are no vectors"):
            project.vectors("clip-b32")
        with project.vectors("clip-b32", 3, write=True) as v:
            assert (v.dim, v.dtype, v.present().tolist()) == (3, np.float32, [False] * 6)
            v.put([5, 3], ROWS[2:])
            v.append([])
            v.put([], np.empty((0, 3)))
            v.put([0, 4], np.vstack([ROWS[0], [np.nan] * 3]))
        assert v.present().tolist() == [True, False, False, True, False, True]
        assert v.rows_of([5, 0]).tolist() == ROWS[[2, 0]].tolist()
        assert np.array_equal(v.rows_of([1, 3]), np.vstack([[np.nan] * 3, ROWS[3]]), equal_nan=True)
        assert v.rows.shape == (6, 3)
        v.put([0], ROWS[1:2])
        assert v.rows_of([0]).tolist() == ROWS[1:2].tolist()
        project.add_items(["6.jpg"])
        assert len(v.refresh().present()) == 7
        v.append(ROWS[:1])
        assert v.present()[6]
        for name in ("", "../x", "a b", "é", ".x"):
            with pytest.raises(ValueError, match="letters, digits"):
                project.vectors(name, 3, write=True)
        for items, rows in [
            ([0], ROWS),
            ([[0]], ROWS[:1]),
            ([0.0], ROWS[:1]),
            ([-1], ROWS[:1]),
            ([7], ROWS[:1]),
            ([1, 1], ROWS[:2]),
            ([0], [[1, np.nan, 2]]),
            ([0], [[1, 2]]),
        ]:
            with pytest.raises(ValueError, match=r"items|some NaN"):
                v.put(items, rows)
        for wanted in ({"dim": 4}, {"about": {"model": "other"}}):
            with pytest.raises(ValueError, match=r"have (dim|about)"):
                project.vectors("clip-b32", **wanted)
    project._vectors = None
    with pytest.raises(StoreError, match="open the store with a folder"):
        project.vectors("clip-b32")


def test_two_projects_of_a_store_have_their_own(store):
    one, other = store.create_project("one"), store.create_project("other")
    for project in (one, other):
        project.add_items(["a.jpg", "b.jpg"])
    one.vectors("mine", 3, about={"from": "vectors"}, write=True).put([0], ROWS[:1])
    other.vectors("mine", 3, write=True).put([1], ROWS[1:2])
    assert one.vectors("mine").present().tolist() == [True, False]
    assert other.vectors("mine").present().tolist() == [False, True]
    assert one.vectors("mine").rows_of([0]).tolist() == ROWS[:1].tolist()


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(3):
        pixels = np.random.default_rng(number).integers(0, 256, (8, 8, 3), np.uint8)
        Image.fromarray(pixels).save(folder / f"{number}.png")
    (folder / "copy.png").write_bytes((folder / "0.png").read_bytes())
    return folder


def test_items_that_show_the_same_share_what_was_computed(photos):
    with Store.open(photos / ".likewise") as store:
        one, other = store.create_project("one"), store.create_project("other")
        found = index(photos, workers=0, numbering=one)
        rows = vectors(found, recipe(descriptors="hsv"))
        assert np.array_equal(one.vectors("hsv-1").rows_of(found.ids), rows)
        other.add_items(["nothing.png", "2.png"])
        view = other.vectors("hsv-1")
        assert view.present().tolist() == [False, True]
        assert np.array_equal(view.rows_of([1])[0], rows[found.names.index("2.png")])
        (photos / "1.png").rename(photos / "renamed.png")
        found = index(photos, workers=0, numbering=one)
        assert one.item(int(found.ids[-1])).path == "renamed.png"
        assert one.vectors("hsv-1").present().all()
        assert [item.path for item in one.items("gone")] == ["1.png"]


def test_given_vectors_are_the_items_own(photos):
    """Two copies of a file may have different vectors where these were given; and they outlast the index."""
    with Store.open(photos / ".likewise") as store:
        project = store.create_project("photos")
        ids = project.add_items(["0.png", "copy.png"])
        given = project.vectors("mine", 3, about={"from": "vectors"}, write=True)
        given.put(ids, ROWS[:2])
        plain = project.vectors("plain", 3, write=True)
        plain.put(ids, ROWS[:2])
        index(photos, workers=0, numbering=project)
        for view in (project.vectors("mine"), project.vectors("plain")):
            assert view.rows_of(ids).tolist() == ROWS[:2].tolist()
            assert view.present().tolist() == [True, True, False, False]
        given.put(ids, ROWS[2:])
        assert project.vectors("mine").rows_of(ids).tolist() == ROWS[2:].tolist()
        plain.put(ids[:1], ROWS[3:])
        assert project.vectors("plain").rows_of(ids).tolist() == ROWS[[3, 3]].tolist()


def test_a_full_disk_is_said(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with Store.open(tmp_path) as store:
        project = store.create_project("leaves")
        project.add_items(["a.jpg"])
        kept = project.vectors("test", 3, write=True)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(StoreFullError, match="No space left"):
                kept.put([0], ROWS[:1])
        assert not kept.present().any()
        kept.put([0], ROWS[:1])
        assert kept.rows.tolist() == ROWS[:1].tolist()
