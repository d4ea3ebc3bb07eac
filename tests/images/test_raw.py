"""Camera raw files: the preview inside is read, whatever is around it; videos are named, and not hidden."""

import contextlib
import io

import numpy as np
import pytest
from PIL import Image

from likewise.images import UnreadableImage, index, read_image
from likewise.images.exif import EXIF_PART, MAKE, MODEL, ORIGINAL
from likewise.images.raw import START, frame_pixels


def jpeg(size, colour, **options):
    kept = io.BytesIO()
    Image.new("RGB", size, colour).save(kept, "JPEG", **options)
    return kept.getvalue()


def lossless(size):
    """The header of a JPEG as the sensor's data is kept: without loss, of 14 bits."""
    width, height = size
    frame = bytes([14]) + height.to_bytes(2, "big") + width.to_bytes(2, "big") + bytes([1, 1, 17, 0])
    return b"\xff\xd8\xff\xc3" + (2 + len(frame)).to_bytes(2, "big") + frame


def tiff_tags(*, turn=1):
    """The beginning of a file that is built as a TIFF, with what a camera writes there."""
    tags = Image.Exif()
    tags[0x0112], tags[MAKE], tags[MODEL] = turn, "Lens Works", "R 7"
    tags.get_ifd(EXIF_PART)[ORIGINAL] = "2024:05:01 12:00:01"
    return tags.tobytes().removeprefix(b"Exif\x00\x00")


def write_raw(path, *, head=None, parts=None, seed=0):
    noise = np.random.default_rng(seed).integers(0, 256, 5000, np.uint8).tobytes()
    parts = [jpeg((160, 120), "red"), lossless((4000, 3000)), jpeg((640, 480), "blue")] if parts is None else parts
    path.write_bytes((tiff_tags() if head is None else head) + noise + noise.join(parts) + noise)
    return path


@pytest.mark.parametrize("name", ["a.NEF", "b.cr2", "c.dng", "d.arw"])
def test_the_largest_preview_is_read(tmp_path, name):
    picture = read_image(write_raw(tmp_path / name))
    assert picture.size == (640, 480)
    assert picture.getpixel((300, 200))[2] > 240


@pytest.mark.parametrize("head", [b"FUJIFILMCCD-RAW 0201", b"\0\0\0\x18ftypcrx ", b"IIU\0"])
def test_files_that_are_no_tiff_are_read_too(tmp_path, head):
    assert read_image(write_raw(tmp_path / "a.raf", head=head), 64).size == (64, 48)


def test_what_the_camera_wrote_is_in_the_index_and_the_picture_is_upright(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    write_raw(folder / "a.nef", head=tiff_tags(turn=6))
    (folder / "notes.txt").write_text("nothing")
    found = index(folder, workers=0)
    assert found.sizes.tolist() == [[480, 640]]
    assert (found.formats, found.cameras) == (["RAW"], ["Lens Works R 7"])
    assert found.taken.tolist() == [1714564801.0]


def test_a_raw_file_without_a_preview_is_refused(tmp_path):
    with pytest.raises(UnreadableImage, match="a raw file without a preview inside"):
        read_image(write_raw(tmp_path / "a.nef", parts=[jpeg((16, 12), "red"), lossless((4000, 3000))]))


def test_hostile_raw_files_end_in_one_sentence(tmp_path):
    rng = np.random.default_rng(0)
    for seed in range(30):
        content = bytearray(write_raw(tmp_path / "a.nef", seed=seed).read_bytes())
        for at in rng.integers(0, len(content), 200):
            content[at] = rng.integers(0, 256)
        (tmp_path / "a.nef").write_bytes(bytes(content[: rng.integers(1, len(content))]))
        with contextlib.suppress(UnreadableImage):  # and nothing else is raised
            assert read_image(tmp_path / "a.nef", 64).size[0] <= 64
    (tmp_path / "b.nef").write_bytes(b"II*\0" + START * 100_000)
    with pytest.raises(UnreadableImage, match="without a preview"):
        read_image(tmp_path / "b.nef")


def test_a_jpeg_that_is_called_raw_is_a_jpeg(tmp_path):
    (tmp_path / "a.raw").write_bytes(jpeg((40, 30), "blue"))
    assert read_image(tmp_path / "a.raw").size == (40, 30)


def test_frames_are_measured_by_their_header():
    assert frame_pixels(jpeg((30, 20), "red", progressive=True)) == 600
    assert frame_pixels(lossless((4000, 3000))) == 0
    for cut in range(40):
        assert frame_pixels(jpeg((30, 20), "red")[:cut]) == 0
