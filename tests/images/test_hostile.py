"""Files made to do harm, by chance or by intent: each is listed with its reason and the rest is indexed."""

import json
import os
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import likewise
from likewise.images import UnreadableImage, index, read_image
from likewise.images.walking import Skipped, walk


def good(path):
    Image.linear_gradient("L").resize((30, 20)).save(path, "PNG")


def png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


def tiff(width, height):
    tags = [(256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, height)]
    tags.append((279, 1000))
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    directory = struct.pack("<H", len(tags)) + entries + bytes(4)
    return b"II*\0" + struct.pack("<I", 8) + directory + bytes(1000)


def bmp(width, height):
    return (
        b"BM" + struct.pack("<IHHI", 1000, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, *[0] * 6)
    )


def gif(width, height):
    frame = b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02\x02D\x01\0;"
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6) + frame


def jpeg(width, height, marker):
    frame = struct.pack(">BHHB", 8, height, width, 3) + b"\1\x22\0\2\x11\0\3\x11\0"
    scan = b"\xff\xda" + struct.pack(">HB", 12, 3) + b"\1\0\2\0\3\0\0\x3f\0" + bytes(100)
    return b"\xff\xd8\xff" + bytes([marker]) + struct.pack(">H", len(frame) + 2) + frame + scan


BOMBS = {
    "bomb.png": png(50_000, 50_000),
    "bomb.tif": tiff(50_000, 50_000),
    "bomb.bmp": bmp(50_000, 50_000),
    "bomb.gif": gif(50_000, 50_000),
    "bomb.jpg": jpeg(50_000, 50_000, 0xC0),
    "bomb progressive.jpg": jpeg(20_000, 20_000, 0xC2),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_by_their_header(tmp_path, name):
    (tmp_path / name).write_bytes(BOMBS[name])
    (skipped,) = index(tmp_path, workers=0).skipped
    assert skipped.reason.endswith("pixels are more than can be decoded safely")
    assert "0,000 × " in skipped.reason


MEASURED = """
import json, resource, sys
from likewise.images import index
found = index(sys.argv[1], workers=2)
# Not ru_maxrss of this process: it still counts the one that started it.
with open("/proc/self/status") as file:
    own = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
peak = max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
print(json.dumps([len(found), len(found.skipped), peak]))
"""


def test_memory_stays_bounded_and_the_rest_is_indexed(tmp_path):
    for name, content in BOMBS.items():
        (tmp_path / name).write_bytes(content)
    with open(tmp_path / "sparse.jpg", "wb") as file:
        file.truncate(1 << 40)
    with open(tmp_path / "sparse.webp", "wb") as file:
        file.write(b"RIFF\xff\xff\xff\xffWEBPVP8 ")
        file.truncate(1 << 32)
    for number in range(20):
        good(tmp_path / f"{number}.png")
    environment = dict(os.environ, PYTHONPATH=str(Path(likewise.__file__).parents[1]))
    command = [sys.executable, "-c", MEASURED, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    readable, skipped, peak = json.loads(done.stdout)
    assert (readable, skipped) == (20, len(BOMBS) + 2)
    assert peak < 200 * 1024  # kilobytes


def test_damaged_files(tmp_path):
    good(tmp_path / "good.png")
    whole = (tmp_path / "good.png").read_bytes()
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / "whole.jpg")
    (tmp_path / "truncated.png").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "truncated.jpg").write_bytes((tmp_path / "whole.jpg").read_bytes()[:2000])
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "text.jpg").write_text("I am a text, renamed")
    (tmp_path / "page.png").write_text("<html><script>alert(1)</script></html>")
    found = index(tmp_path, workers=2)
    reasons = {os.fsdecode(each.path): each.reason for each in found.skipped}
    assert found.names == ["good.png", "whole.jpg"]
    assert set(reasons) == {"truncated.png", "truncated.jpg", "empty.jpg", "text.jpg", "page.png"}
    assert reasons["empty.jpg"] == "the file is empty"
    assert reasons["text.jpg"] == reasons["page.png"] == "not a picture in a known format"
    assert "truncated" in reasons["truncated.jpg"]
    assert all(reasons.values())
    assert index(tmp_path, workers=2).summary.read == 0, "what is damaged stays so until it changes"


def test_unusual_pictures_are_pictures(tmp_path):
    frames = [Image.new("RGB", (9, 9), colour) for colour in ("red", "lime")]
    frames[0].save(tmp_path / "animated.gif", save_all=True, append_images=frames[1:], duration=10)
    frames[0].convert("CMYK").save(tmp_path / "cmyk.jpg")
    Image.fromarray(np.full((9, 9), 40_000, np.uint16)).save(tmp_path / "sixteen.png")
    palette = Image.new("P", (9, 9), 1)
    palette.putpalette([0, 0, 0, 200, 100, 50])
    palette.save(tmp_path / "palette.png", transparency=0)
    Image.new("RGB", (1, 1)).save(tmp_path / "one pixel.bmp")
    Image.new("RGB", (3000, 1), "blue").save(tmp_path / "thin.webp")
    found = index(tmp_path, workers=2)
    assert found.skipped == []
    colours = {
        name: np.asarray(read_image(found.thumbnail(number)))[0, 0].tolist()
        for name, number in zip(found.names, found.ids.tolist(), strict=True)
    }
    assert colours["animated.gif"] == pytest.approx([255, 0, 0], abs=4)
    assert colours["cmyk.jpg"] == pytest.approx([255, 0, 0], abs=8)
    assert colours["sixteen.png"] == pytest.approx([156, 156, 156], abs=4)
    assert colours["palette.png"] == pytest.approx([200, 100, 50], abs=6)
    assert found.sizes[found.names.index("thin.webp")].tolist() == [3000, 1]


def test_links_are_not_followed(tmp_path):
    folder, outside = tmp_path / "photos", tmp_path / "outside"
    (folder / "below").mkdir(parents=True)
    outside.mkdir()
    good(folder / "good.png")
    good(outside / "secret.png")
    (folder / "out.png").symlink_to(outside / "secret.png")
    (folder / "out").symlink_to(outside)
    (folder / "same.png").symlink_to("good.png")
    (folder / "broken.png").symlink_to("nowhere.png")
    (folder / "text").symlink_to("/etc/hostname")
    (folder / "loop").symlink_to("loop")
    (folder / "a.png").symlink_to("b.png")
    (folder / "b.png").symlink_to("a.png")
    (folder / "below" / "up").symlink_to("..")
    found = index(folder, workers=0)
    assert found.names == ["good.png"]
    assert {os.fsdecode(each.path): each.reason for each in found.skipped} == {
        "out.png": "a link out of the folder",
        "out": "a link out of the folder",
        "same.png": "a link inside the folder",
        "broken.png": "a broken link",
        "loop": "a link loop",
        "a.png": "a link loop",
        "b.png": "a link loop",
        "below/up": "a link loop",
    }


def test_a_file_that_becomes_a_link_is_not_followed(tmp_path, monkeypatch):
    good(tmp_path / "outside.png")
    (tmp_path / "photos").mkdir()
    good(tmp_path / "photos" / "a.png")
    honest = walk

    def swapped(*arguments):
        yield from honest(*arguments)
        (tmp_path / "photos" / "a.png").unlink()
        (tmp_path / "photos" / "a.png").symlink_to(tmp_path / "outside.png")

    monkeypatch.setattr("likewise.images.indexing.walk", swapped)
    found = index(tmp_path / "photos", workers=0)
    assert len(found) == 0
    assert len(found.skipped) == 1


def test_the_folder_itself_may_be_a_link(tmp_path):
    (tmp_path / "photos").mkdir()
    good(tmp_path / "photos" / "a.png")
    (tmp_path / "link").symlink_to("photos")
    assert index(tmp_path / "link", workers=0).paths == [tmp_path / "photos" / "a.png"]


def test_pipes_sockets_and_devices_do_not_block(tmp_path):
    good(tmp_path / "good.png")
    os.mkfifo(tmp_path / "pipe.jpg")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket.jpg"))
    expected = {b"pipe.jpg", b"socket.jpg"}
    try:
        os.mknod(tmp_path / "zero.jpg", stat.S_IFCHR | 0o666, os.makedev(1, 5))
        expected.add(b"zero.jpg")
    except PermissionError:
        pass
    found = index(tmp_path, workers=2)
    assert found.names == ["good.png"]
    assert {(each.path, each.reason) for each in found.skipped} == {(name, "not a regular file") for name in expected}


NAMES = [
    b"line\nbreak.png",
    b"<b>bold</b><script>alert(1)</script>.png".replace(b"/", b"\\"),
    b"[red]markup[.png",
    b"latin \xe9\xff.png",
    "кот 🐈.png".encode(),
    b" leading and trailing .png",
    b"escape \x1b[31m\x07.png",
    b"'quote\".png",
    b"%s{}$(rm).png",
    b"-rf.PNG",
    b"x" * 251 + b".png",
]


def test_names_of_any_bytes(tmp_path):
    folder = os.fsencode(tmp_path)
    for name in NAMES:
        good(os.path.join(folder, name))
    os.mkdir(os.path.join(folder, b"sub\n\xfe"))
    good(os.path.join(folder, b"sub\n\xfe", b"a.png"))
    found = index(tmp_path, workers=2)
    assert found.skipped == []
    assert [os.fsencode(name) for name in found.names] == [*sorted(NAMES), b"sub\n\xfe/a.png"]
    for path in found.paths:
        assert read_image(path).size == (30, 20)
    assert index(tmp_path, workers=2).summary.unchanged == len(NAMES) + 1


@contextmanager
def unprivileged():
    """Act as a user whom permissions bind, which root is not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_no_permission():
    with tempfile.TemporaryDirectory() as home:  # not tmp_path, whose parents are closed to other users
        os.chmod(home, 0o777)
        photos, project = Path(home, "photos"), Path(home, "project")
        (photos / "closed").mkdir(parents=True)
        photos.chmod(0o755)
        for name in ("open.png", "locked.png", "closed/a.png"):
            good(photos / name)
        (photos / "locked.png").chmod(0)
        (photos / "closed").chmod(0)
        with unprivileged():
            found = index(photos, project=project, workers=0)
            again = index(photos, project=project, workers=0)
        assert found.names == ["open.png"]
        assert found.skipped == [
            Skipped(b"closed", "no permission to list it"),
            Skipped(b"locked.png", "no permission to read it"),
        ]
        assert again.summary.read == 1, "permission may come, so it is tried again"
        (photos / "closed").chmod(0o755)
        (photos / "locked.png").chmod(0o644)
        assert index(photos, project=project, workers=0).names == ["locked.png", "open.png", "closed/a.png"]


def test_hidden_names_and_other_projects_are_passed_over(tmp_path):
    good(tmp_path / "a.png")
    good(tmp_path / ".hidden.png")
    good(tmp_path / "._a.png")
    (tmp_path / ".cache").mkdir()
    good(tmp_path / ".cache" / "b.png")
    found = index(tmp_path, workers=0)
    assert found.names == ["a.png"]
    assert found.skipped == []


def test_a_very_deep_folder(tmp_path):
    here = os.getcwd()
    try:
        os.chdir(tmp_path)
        for _ in range(30):  # well beyond the longest path the system takes
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
    finally:
        os.chdir(here)
    good(tmp_path / "a.png")
    found = index(tmp_path, workers=0)
    assert found.names == ["a.png"]
    assert [each.reason for each in found.skipped] == ["File name too long"]


def test_what_vanishes_during_the_walk_is_no_error(tmp_path, monkeypatch):
    good(tmp_path / "a.png")
    (tmp_path / "sub").mkdir()
    good(tmp_path / "sub" / "b.png")
    steps = walk(str(tmp_path))
    assert next(steps).path == b"a.png"
    (tmp_path / "sub" / "b.png").unlink()
    (tmp_path / "sub").rmdir()
    assert list(steps) == []


def test_a_file_that_vanishes_before_it_is_read(tmp_path, monkeypatch):
    good(tmp_path / "a.png")
    good(tmp_path / "b.png")
    honest = walk

    def vanishing(*arguments):
        yield from honest(*arguments)
        (tmp_path / "a.png").unlink()

    monkeypatch.setattr("likewise.images.indexing.walk", vanishing)
    found = index(tmp_path, workers=0)
    assert found.names == ["b.png"]
    monkeypatch.undo()
    assert index(tmp_path, workers=0).summary.gone == 1


def test_a_folder_mounted_into_itself_is_entered_once(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    good(tmp_path / "a" / "x.png")
    good(tmp_path / "b" / "x.png")
    honest = os.stat
    monkeypatch.setattr(os, "stat", lambda path, **k: honest(os.fsencode(path).replace(b"/b", b"/a"), **k))
    assert [found.path for found in walk(str(tmp_path))] == [b"a/x.png"]


def test_a_jpeg_of_very_many_scans_is_refused_at_once(tmp_path):
    Image.linear_gradient("L").resize((64, 64)).save(tmp_path / "good.jpg", progressive=True)
    whole = (tmp_path / "good.jpg").read_bytes()
    assert read_image(tmp_path / "good.jpg").size == (64, 64)
    last = whole.rindex(b"\xff\xda")
    (tmp_path / "scans.jpg").write_bytes(whole[:last] + 5000 * whole[last:-2] + whole[-2:])
    with pytest.raises(UnreadableImage, match=r"5,\d\d\d scans") as refused:
        read_image(tmp_path / "scans.jpg", 256)
    assert refused.value.lasting
