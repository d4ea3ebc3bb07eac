"""An archive of somebody else: it places pictures only, its settings are checked, and its lists do not swell."""

import json
import zipfile

import pytest

from likewise.store import Store
from likewise.store.archive import BadArchiveError, read_archive, write_archive
from likewise.store.settings import check_settings


@pytest.fixture
def archive(tmp_path):
    """An archive with a picture, and a function that makes a changed copy of it."""
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "a.jpg").write_bytes(b"a picture")
    with Store.open(tmp_path / "one") as store:
        project = store.create_project("leaves", {"overlap": 2})
        project.add_items(["a.jpg"])
        project.append("bad", {"items": [0]})
        write_archive(project, tmp_path / "whole.zip", None, pictures=photos)

    def change(**members):
        target = tmp_path / "changed.zip"
        with zipfile.ZipFile(tmp_path / "whole.zip") as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                new.writestr(name, members.get(name.partition(".")[0], old.read(name)))
        return target

    return change


def restore(path, tmp_path):
    with Store.open(tmp_path / "other") as store:
        try:
            return read_archive(store, path, pictures=tmp_path / "place").settings()
        finally:
            assert len(store.projects()) <= 1


def test_a_whole_archive_is_taken(archive, tmp_path):
    assert restore(archive(), tmp_path) == {"overlap": 2}
    assert (tmp_path / "place" / "a.jpg").read_bytes() == b"a picture"


@pytest.mark.parametrize("path", [".bashrc", ".likewise/server.json", "run.sh", "x/.git/hooks/a.jpg", "a.jpg.py", "a"])
def test_only_pictures_are_placed(archive, tmp_path, path):
    with zipfile.ZipFile(archive()) as whole:
        row = json.loads(whole.read("images.jsonl"))
    with pytest.raises(BadArchiveError, match="not the name of a picture"):
        restore(archive(images=json.dumps(row | {"path": path}) + "\n"), tmp_path)
    assert not (tmp_path / "place").exists()


@pytest.mark.parametrize(
    "settings",
    [
        {"overlap": "many"},
        {"overlap": 0},
        {"overlap": True},
        {"lease_minutes": 1e9},
        {"kind": "grid"},
        {"strategy": ["auto"]},
        {"n_clusters": -1},
        {"check_rate": None},
        {"keys": {"same": 3}},
        {"seed": "x"},
    ],
)
def test_settings_that_the_app_cannot_work_with_are_refused(archive, tmp_path, settings):
    with pytest.raises(BadArchiveError, match=r"settings\.json"):
        restore(archive(settings=json.dumps(settings)), tmp_path)


def test_settings_of_the_app_are_good():
    from likewise.app.settings import DEFAULTS

    check_settings(DEFAULTS)
    check_settings({"of": "an older version"})


def test_lists_that_swell_are_refused_before_they_are_read(archive, tmp_path):
    line = b'{"seq": 1, "kind": "bad", "payload": {"items": [0]}}\n'
    with pytest.raises(BadArchiveError, match="would swell"):
        restore(archive(events=line * 1_000_000), tmp_path)


def test_a_link_in_place_of_a_picture_is_not_in_an_archive(tmp_path):
    photos = tmp_path / "photos"
    photos.mkdir()
    (tmp_path / "outside.jpg").write_bytes(b"the user's own")
    (photos / "a.jpg").symlink_to(tmp_path / "outside.jpg")
    with Store.open(tmp_path / "one") as store:
        project = store.create_project("leaves")
        project.add_items(["a.jpg"])
        write_archive(project, tmp_path / "whole.zip", None, pictures=photos)
    with zipfile.ZipFile(tmp_path / "whole.zip") as whole:
        assert not [name for name in whole.namelist() if name.startswith("pictures/")]
