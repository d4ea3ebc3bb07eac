"""A frame of a video stands for it, upright; hostile and missing things end in one sentence."""

import contextlib

import numpy as np
import pytest
from PIL import Image

from likewise.images import UnreadableImage, index, read_image, video as videos
from likewise.images.video import container_of

av = pytest.importorskip("av")
SIZE = (64, 48)
CODECS = {".webm": "libvpx", ".mpg": "mpeg2video"}


def write_video(path, colours=("red", "lime", "blue"), corner=None, moment=None):
    """A second of each colour, with a white corner at the top left if wanted."""
    with av.open(str(path), "w") as container:
        if moment:
            container.metadata["creation_time"] = moment
        stream = container.add_stream(CODECS.get(path.suffix, "mpeg4"), rate=25)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        stream.gop_size = 1
        for colour in colours:
            picture = Image.new("RGB", SIZE, colour)
            if corner:
                picture.paste("white", (0, 0, 16, 16))
            for _ in range(25):
                container.mux(stream.encode(av.VideoFrame.from_image(picture)))
        container.mux(stream.encode())
    return path


def turned(path):
    """The same file as a phone held upright writes it: turned by a quarter when shown."""
    content = bytearray(path.read_bytes())
    at = content.index(b"tkhd") + 4 + 40  # after version, times, number, duration, layer and volume
    matrix = np.array([0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000], ">i4")
    content[at : at + 36] = matrix.tobytes()
    path.write_bytes(bytes(content))
    return path


@pytest.mark.parametrize("name", ["a.mp4", "b.MOV", "c.mkv", "d.avi", "e.mpg", "f.mts", "g.webm"])
def test_the_middle_frame_is_read(tmp_path, name):
    picture = read_image(write_video(tmp_path / name))
    red, green, blue = picture.getpixel((40, 30))
    assert picture.size == SIZE
    assert green > 200 > 60 > max(red, blue)
    assert read_image(tmp_path / name, 32).size == (32, 24)


def test_a_phone_held_upright(tmp_path):
    assert read_image(write_video(tmp_path / "a.mp4", corner=True)).getpixel((4, 4))[0] > 200
    picture = read_image(turned(write_video(tmp_path / "b.mp4", corner=True)))
    assert picture.size == SIZE[::-1]
    assert picture.getpixel((43, 4))[0] > 200  # a quarter clockwise: top left is top right
    assert picture.getpixel((4, 4))[0] < 60


def test_videos_are_items_where_they_can_be_read(tmp_path):
    write_video(tmp_path / "clip.mp4", moment="2024-05-01T12:00:01Z")
    (tmp_path / "broken.MP4").write_bytes(b"film")
    found = index(tmp_path, workers=0)
    assert (found.formats, found.sizes.tolist()) == (["VIDEO"], [list(SIZE)])
    assert found.taken.tolist() == [1714564801.0]
    assert [(each.path, each.reason) for each in found.skipped] == [(b"broken.MP4", "not a video in a known format")]


def test_without_the_package_they_are_counted_and_named(tmp_path, monkeypatch):
    write_video(tmp_path / "clip.mp4")
    Image.new("RGB", (8, 8)).save(tmp_path / "a.png")
    monkeypatch.setattr("likewise.images.walking.can_read_videos", lambda: False)
    monkeypatch.setattr(videos, "can_read_videos", lambda: False)
    found = index(tmp_path, workers=0)
    assert found.formats == ["PNG"]
    assert [(each.path, each.reason) for each in found.skipped] == [(b"clip.mp4", videos.MISSING)]
    with pytest.raises(UnreadableImage, match=r"likewise\[video\]"):
        read_image(tmp_path / "clip.mp4")


def test_hostile_videos_end_in_one_sentence(tmp_path):
    rng = np.random.default_rng(0)
    whole = write_video(tmp_path / "a.mp4").read_bytes()
    for _ in range(30):
        content = bytearray(whole)
        for at in rng.integers(0, len(content), 60):
            content[at] = rng.integers(0, 256)
        (tmp_path / "a.mp4").write_bytes(bytes(content[: rng.integers(1, len(content))]))
        with contextlib.suppress(UnreadableImage):  # and nothing else is raised
            assert max(read_image(tmp_path / "a.mp4", 32).size) <= 32


@pytest.mark.parametrize(
    "content",
    [b"#EXTM3U\n#EXTINF:1,\nother.mp4\n", b"ffconcat version 1.0\nfile other.mp4\n", b"\xff\xd8\xff" + bytes(40)],
)
def test_playlists_lead_nowhere(tmp_path, content):
    write_video(tmp_path / "other.mp4")
    (tmp_path / "a.mp4").write_bytes(content)
    with pytest.raises(UnreadableImage, match="not a video in a known format"):
        read_image(tmp_path / "a.mp4")


def test_a_frame_of_too_many_pixels_is_refused(tmp_path, monkeypatch):
    write_video(tmp_path / "a.mp4")
    monkeypatch.setattr("likewise.images.reading.MAX_PIXELS", 1000)
    with pytest.raises(UnreadableImage, match="64 × 48 pixels are more than can be decoded safely"):
        read_image(tmp_path / "a.mp4")


def test_a_sound_without_pictures(tmp_path):
    with av.open(str(tmp_path / "a.mp4"), "w") as container:
        stream = container.add_stream("aac", rate=8000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
        container.mux(stream.encode())
    with pytest.raises(UnreadableImage, match="a video without pictures"):
        read_image(tmp_path / "a.mp4")


def test_containers():
    assert container_of(bytes(4) + b"moov") == "mp4"
    with pytest.raises(ValueError, match="not a video"):
        container_of(b"")
