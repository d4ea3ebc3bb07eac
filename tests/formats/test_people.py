"""Regions of people: in the picture as it is stored, whichever way that is turned, and readable as XML."""

import csv
import json
import shutil
import subprocess
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image, ImageOps

from likewise.formats import ClusterRow, FaceRow, ImageRow, Snapshot, export, exporters
from likewise.formats.people import as_stored

RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
MWG = "{http://www.metadataworkinggroup.com/schemas/regions/}"
AREA = "{http://ns.adobe.com/xmp/sType/Area#}"
SIZE = "{http://ns.adobe.com/xap/1.0/sType/Dimensions#}"
NAME = 'Ann & <Bob> "O\'Neil"\x07'


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_point_is_where_it_is_in_the_stored_picture(orientation, tmp_path):
    stored = np.zeros((30, 50, 3), np.uint8)
    stored[7, 11] = 255
    tags = Image.Exif()
    tags[0x0112] = orientation
    Image.fromarray(stored).save(tmp_path / "a.png", exif=tags)
    with Image.open(tmp_path / "a.png") as image:
        upright = np.asarray(ImageOps.exif_transpose(image))
    (y,), (x,) = np.nonzero(upright[:, :, 0])
    height, width = upright.shape[:2]
    found = as_stored((x + 0.5) / width, (y + 0.5) / height, orientation)
    np.testing.assert_allclose(found, (11.5 / 50, 7.5 / 30))


@pytest.fixture
def family(tmp_path):
    """A photograph on its side with two people, one in a subfolder, and one face that is only suggested."""
    folder = tmp_path / "photos"
    (folder / "sub").mkdir(parents=True)
    tags = Image.Exif()
    tags[0x0112] = 6
    Image.new("RGB", (80, 40)).save(folder / "a.jpg", exif=tags)
    Image.new("RGB", (60, 60)).save(folder / "sub" / "b.jpg")
    rows = [
        ClusterRow(2, "a.jpg#1", 1, NAME, "confirmed"),
        ClusterRow(3, "a.jpg#2", 2, "", "found"),
        ClusterRow(4, "sub/b.jpg#1", 1, NAME, "found"),
        ClusterRow(5, "sub/b.jpg#2", 1, NAME, "suggested"),
    ]
    images = [ImageRow(0, "a.jpg", "present", 40, 80), ImageRow(1, "sub/b.jpg", "present", 60, 60)]
    faces = {
        2: FaceRow("a.jpg", 0, 10, 20, 10, 20),
        3: FaceRow("a.jpg", 0, 0, 0, 10, 10, "small"),
        4: FaceRow("sub/b.jpg", 1, 30, 30, 30, 30),
        5: FaceRow("sub/b.jpg", 1, 0, 0, 9, 9),
    }
    return Snapshot("family", folder, rows, images, faces=faces)


def write(name, snapshot, target, **options):
    return export(exporters()[name], snapshot, target, **options)


def test_sidecar_files_have_a_region_for_each_face(family, tmp_path):
    assert write("xmp", family, tmp_path / "out").count == 2
    root = ElementTree.parse(tmp_path / "out" / "a.jpg.xmp").getroot()
    size = root.find(f".//{MWG}AppliedToDimensions")
    assert (size.get(f"{SIZE}w"), size.get(f"{SIZE}h")) == ("80", "40")
    regions = root.findall(f".//{RDF}li")
    assert [region.findtext(f"{MWG}Name") for region in regions] == [NAME.rstrip("\x07"), None]
    area = regions[0].find(f"{MWG}Area")
    found = [float(area.get(f"{AREA}{side}")) for side in "xywh"]
    np.testing.assert_allclose(found, [30 / 80, 1 - 15 / 40, 20 / 80, 10 / 40], atol=1e-6)
    other = ElementTree.parse(tmp_path / "out" / "sub" / "b.jpg.xmp").getroot()
    assert len(other.findall(f".//{RDF}li")) == 1


def test_the_table_has_a_row_for_each_face(family, tmp_path):
    assert write("people", family, tmp_path / "people.csv").count == 4
    with open(tmp_path / "people.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["photograph"] for row in rows] == ["a.jpg", "a.jpg", "sub/b.jpg", "sub/b.jpg"]
    assert [row["flaws"] for row in rows] == ["", "small", "", ""]
    assert rows[1]["person"] == "person-2"


def test_photographs_are_in_the_folders_of_all_their_people(family, tmp_path):
    assert write("folders", family, tmp_path / "out").count == 3
    copies = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.jpg"))
    assert copies == ["Ann Bob O Neil/a.jpg", "Ann Bob O Neil/b.jpg", "person-2/a.jpg"]
    assert write("fiftyone", family, tmp_path / "cut").count == 3
    with Image.open(tmp_path / "cut" / "data" / "a.jpg#1.jpg") as face:
        assert face.size == (33, 36)


def test_pictures_that_are_no_faces_have_no_people(tmp_path):
    plain = Snapshot("leaves", tmp_path, [ClusterRow(0, "a.jpg", 3, "oak", "found")])
    for name, target in (("people", "people.csv"), ("xmp", "out")):
        with pytest.raises(ValueError, match="--faces"):
            write(name, plain, tmp_path / target)


def regions_by_exiftool(path):
    """Regions as exiftool reads them, and the size that they are of."""
    command = ["exiftool", "-json", "-struct", "-charset", "filename=utf8", "-XMP-mwg-rs:RegionInfo", str(path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = json.loads(printed)[0]["RegionInfo"]
    return found["RegionList"], found["AppliedToDimensions"]


@pytest.mark.skipif(shutil.which("exiftool") is None, reason="exiftool is not installed")
def test_exiftool_reads_the_regions_and_copies_them_into_photographs(family, tmp_path):
    write("xmp", family, tmp_path / "out")
    beside = tmp_path / "beside"
    shutil.copytree(family.folder, beside)
    shutil.copytree(tmp_path / "out", beside, dirs_exist_ok=True)
    copy = ["exiftool", "-q", "-r", "-tagsfromfile", "%d%f.%e.xmp", "-XMP-mwg-rs:all", "-ext", "jpg", str(beside)]
    subprocess.run(copy, check=True, capture_output=True)
    for path in (tmp_path / "out" / "a.jpg.xmp", beside / "a.jpg"):
        regions, size = regions_by_exiftool(path)
        assert (size["W"], size["H"], size["Unit"]) == (80, 40, "pixel")
        assert [region.get("Name") for region in regions] == [NAME.rstrip("\x07"), None]
        assert {region["Type"] for region in regions} == {"Face"}
        area = regions[0]["Area"]
        assert area["Unit"] == "normalized"
        np.testing.assert_allclose([area[side] for side in "XYWH"], [30 / 80, 1 - 15 / 40, 20 / 80, 10 / 40], atol=1e-6)
    with Image.open(beside / "a.jpg") as picture:
        assert picture.getexif()[0x0112] == 6  # turned as before
    regions, _ = regions_by_exiftool(beside / "sub" / "b.jpg")
    assert len(regions) == 1
