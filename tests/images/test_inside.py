"""Nothing is read over a link, whatever is put in a picture's place after it was indexed."""

import os
import shutil

import pytest
from PIL import Image

from likewise.formats.folders import export_pictures
from likewise.formats.rows import ClusterRow, Snapshot
from likewise.images import UnreadableImage, index
from likewise.images.inside import is_inside, open_inside
from likewise.images.worker import process

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    (folder / "below").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    for place in (folder, folder / "below", tmp_path / "outside"):
        Image.new("RGB", (30, 20), "red").save(place / "a.png")
    (tmp_path / "outside" / "a.png").write_bytes(b"the user's own")
    return folder


def replaced_file(photos, outside):
    (photos / "a.png").unlink()
    (photos / "a.png").symlink_to(outside / "a.png")
    return "a.png"


def replaced_folder(photos, outside):
    shutil.rmtree(photos / "below")
    (photos / "below").symlink_to(outside)
    return "below/a.png"


def test_a_file_is_opened_by_its_path(photos):
    for name in ("a.png", "below/a.png"):
        with open_inside(photos, name) as file:
            assert file.read(4) == b"\x89PNG"
        assert is_inside(photos, photos / name)


@pytest.mark.parametrize("replace", [replaced_file, replaced_folder])
def test_a_link_in_place_of_a_picture_or_its_folder_is_not_followed(photos, tmp_path, replace):
    found = index(photos, project=tmp_path / "project", workers=0)
    name = replace(photos, tmp_path / "outside")
    with pytest.raises(UnreadableImage, match="links are not followed"):
        open_inside(photos, name)
    assert not is_inside(photos, photos / name)
    assert "links are not followed" in process(0, name, str(photos), tmp_path)["reason"]
    shutil.rmtree(tmp_path / "project" / "256")
    number = int(found.ids[found.names.index(name)])
    for copy in (found.thumbnail, found.preview):
        with pytest.raises(UnreadableImage, match="links are not followed"):
            copy(number)
    skipped = []
    target = tmp_path / "export"
    rows = [(ClusterRow(0, name, 1, "", "found"), target)]
    assert list(export_pictures(Snapshot("photos", photos), rows, "copy", skipped)) == []
    assert "links are not followed" in skipped[0][1]


@pytest.mark.parametrize(
    "name", ["../outside/a.png", "/etc/passwd", "below/../a.png", "", "a//b.png", "./a.png", "a\0.png"]
)
def test_a_path_that_leads_out_is_refused(photos, name):
    with pytest.raises(UnreadableImage, match="outside of the folder"):
        open_inside(photos, name)


def test_what_is_no_file_is_refused_and_nothing_stays_open(photos):
    os.mkfifo(photos / "pipe.png")
    (photos / "empty.png").touch()
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for name, word in (("pipe.png", "regular"), ("empty.png", "empty"), ("no.png", "not there"), ("below", "regular")):
        with pytest.raises(UnreadableImage, match=word):
            open_inside(photos, name)
    assert before == (len(os.listdir("/proc/self/fd")) if before else 0)
