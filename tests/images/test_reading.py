import io
import os
import pickle
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from likewise.images import reading
from likewise.images.reading import UnreadableImage, decode, read_image


def picture(width=48, height=32):
    """A picture whose four corners differ, smooth enough to survive JPEG."""
    y, x = np.mgrid[:height, :width]
    ramp = np.stack([255 * x / (width - 1), 255 * y / (height - 1), 128 + 0 * x], axis=-1)
    return Image.fromarray(ramp.astype(np.uint8))


def assert_close(image, expected, tolerance):
    assert image.mode == "RGB"
    assert image.size == expected.size
    difference = np.asarray(image, int) - np.asarray(expected.convert("RGB"), int)
    assert np.abs(difference).mean() < tolerance


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.tif", "a.bmp"])
def test_every_format_gives_the_same_picture(tmp_path, name):
    picture().save(tmp_path / name, quality=95)
    assert_close(read_image(tmp_path / name), picture(), 3)


def test_path_may_be_text_bytes_or_path(tmp_path):
    picture().save(tmp_path / "a.png")
    for path in (tmp_path / "a.png", str(tmp_path / "a.png"), os.fsencode(tmp_path / "a.png")):
        assert_close(read_image(path), picture(), 1e-9)


def test_content_decides_not_the_name(tmp_path):
    picture().save(tmp_path / "a", "PNG")
    os.rename(tmp_path / "a", tmp_path / "a.jpg")
    assert_close(read_image(tmp_path / "a.jpg"), picture(), 1e-9)


# Where the corners of the stored picture come to lie when shown upright: EXIF 2.32, tag 274.
UPRIGHT = {
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.transpose(1, 0, 2),
    6: lambda a: a[::-1].transpose(1, 0, 2),
    7: lambda a: a[::-1, ::-1].transpose(1, 0, 2),
    8: lambda a: a[:, ::-1].transpose(1, 0, 2),
}


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.tif"])
@pytest.mark.parametrize("orientation", UPRIGHT)
@pytest.mark.parametrize("size", [None, 12])
def test_orientation_is_applied(tmp_path, name, orientation, size):
    exif = Image.Exif()
    exif[274] = orientation
    picture().save(tmp_path / name, exif=exif, quality=95)
    expected = Image.fromarray(np.ascontiguousarray(UPRIGHT[orientation](np.asarray(picture()))))
    if size:
        expected.thumbnail((size, size), Image.Resampling.LANCZOS)
    assert_close(read_image(tmp_path / name, size), expected, 4)
    with open(tmp_path / name, "rb") as file:
        header = decode(file, name, size)[1]
    assert (header.width, header.height) == ((48, 32) if orientation < 5 else (32, 48))


def test_broken_exif_does_not_hide_the_picture(tmp_path):
    picture().save(tmp_path / "a.jpg", exif=b"Exif\0\0nonsense of no order", quality=95)
    assert_close(read_image(tmp_path / "a.jpg"), picture(), 3)


@pytest.mark.parametrize("name", ["a.png", "a.tif"])
def test_sixteen_bits_are_scaled(tmp_path, name):
    values = np.linspace(0, 65535, 256).astype(np.uint16).reshape(16, 16)
    Image.fromarray(values).save(tmp_path / name)
    read = np.asarray(read_image(tmp_path / name))
    assert np.array_equal(read[..., 0], values // 256)
    assert np.array_equal(read[..., 0], read[..., 2])


def sixteen_bit_rgb_png(values):
    """A PNG of 16 bits a channel, which Pillow cannot write."""
    height, width, _ = values.shape
    lines = b"".join(b"\0" + line.astype(">u2").tobytes() for line in values)
    header = struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)
    return png([(b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")])


def png(chunks):
    parts = [b"\x89PNG\r\n\x1a\n"]
    for kind, data in chunks:
        parts.append(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))
    return b"".join(parts)


def test_sixteen_bit_colour_is_scaled(tmp_path):
    values = np.linspace(0, 65535, 12 * 3).astype(np.uint16).reshape(3, 4, 3)
    (tmp_path / "a.png").write_bytes(sixteen_bit_rgb_png(values))
    read = np.asarray(read_image(tmp_path / "a.png"), int)
    assert np.abs(read - values / 257).max() <= 1


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([[0.0, 0.5, 1.0]], [0, 128, 255]),
        ([[-10.0, 0.0, 10.0]], [0, 128, 255]),
        ([[np.nan, 100.0, 300.0, np.inf]], [0, 0, 255, 255]),
        ([[7.0, 7.0]], [0, 0]),
        ([[np.nan, np.nan]], [0, 0]),
    ],
)
def test_floats_are_scaled(tmp_path, values, expected):
    Image.fromarray(np.array(values, np.float32)).save(tmp_path / "a.tif")
    assert np.asarray(read_image(tmp_path / "a.tif"))[0, :, 0].tolist() == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [([[0, 32896, 65535]], [0, 128, 255]), ([[-100, 0, 100]], [0, 128, 255]), ([[0, 1 << 20]], [0, 255])],
)
def test_wide_integers_are_scaled(tmp_path, values, expected):
    Image.fromarray(np.array(values, np.int32)).save(tmp_path / "a.tif")
    assert np.asarray(read_image(tmp_path / "a.tif"))[0, :, 0].tolist() == pytest.approx(expected, abs=1)


def test_strips_of_a_tall_picture_join(tmp_path):
    values = np.linspace(0, 1, 700, dtype=np.float32)[:, None] * np.ones((1, 3), np.float32)
    Image.fromarray(values).save(tmp_path / "a.tif")
    read = np.asarray(read_image(tmp_path / "a.tif"))[..., 0]
    assert np.array_equal(read, np.rint(values * 255))


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparency_lies_over_white(tmp_path, mode):
    image = Image.new(mode, (4, 1), 0)
    alpha = Image.fromarray(np.array([[0, 128, 255, 255]], np.uint8))
    image.putalpha(alpha)
    image.save(tmp_path / "a.png")
    assert np.asarray(read_image(tmp_path / "a.png"))[0, :, 0].tolist() == [255, 127, 0, 0]


@pytest.mark.parametrize("transparency", [1, bytes([255, 0, 255])])
def test_palette_with_transparency(tmp_path, transparency):
    image = Image.new("P", (3, 1))
    image.putpalette([10, 20, 30, 40, 50, 60, 70, 80, 90])
    image.putdata([0, 1, 2])
    image.save(tmp_path / "a.png", transparency=transparency)
    read = np.asarray(read_image(tmp_path / "a.png"))[0].tolist()
    assert read == [[10, 20, 30], [255, 255, 255], [70, 80, 90]]


def test_transparent_colour_of_an_rgb_picture(tmp_path):
    image = Image.new("RGB", (2, 1), (9, 9, 9))
    image.putpixel((1, 0), (1, 2, 3))
    image.save(tmp_path / "a.png", transparency=(1, 2, 3))
    assert np.asarray(read_image(tmp_path / "a.png"))[0].tolist() == [[9, 9, 9], [255, 255, 255]]


def test_cmyk_and_grey_and_bits(tmp_path):
    picture().convert("CMYK").save(tmp_path / "a.jpg", quality=95)
    assert_close(read_image(tmp_path / "a.jpg"), picture(), 4)
    picture().convert("L").save(tmp_path / "b.png")
    assert_close(read_image(tmp_path / "b.png"), picture().convert("L"), 1e-9)
    picture().convert("1").save(tmp_path / "c.tif")
    assert_close(read_image(tmp_path / "c.tif"), picture().convert("1"), 1e-9)


@pytest.mark.parametrize("name", ["a.gif", "a.webp", "a.tif"])
def test_first_frame_is_taken(tmp_path, name):
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "lime", "blue")]
    frames[0].save(tmp_path / name, save_all=True, append_images=frames[1:])
    assert np.asarray(read_image(tmp_path / name))[4, 4].tolist() == pytest.approx([255, 0, 0], abs=3)


@pytest.mark.parametrize("name", ["a.jpg", "a.png"])
def test_size_scales_down_and_never_up(tmp_path, name):
    picture(400, 100).save(tmp_path / name)
    assert read_image(tmp_path / name, 100).size == (100, 25)
    assert read_image(tmp_path / name, 50, cover=True).size == (200, 50)
    assert read_image(tmp_path / name, 5000).size == (400, 100)
    assert read_image(tmp_path / name, 1).size == (1, 1)
    with pytest.raises(ValueError, match="size must be at least 1"):
        read_image(tmp_path / name, 0)


def test_fast_decoding_looks_like_slow_decoding(tmp_path):
    rng = np.random.default_rng(0)
    coarse = Image.fromarray(rng.integers(0, 256, (24, 32, 3), dtype=np.uint8))
    coarse.resize((1600, 1200), Image.Resampling.BICUBIC).save(tmp_path / "a.jpg", quality=95)
    slow = Image.open(tmp_path / "a.jpg").convert("RGB").resize((200, 150), Image.Resampling.LANCZOS)
    assert_close(read_image(tmp_path / "a.jpg", 200), slow, 1.5)


def test_heic(tmp_path):
    heif = pytest.importorskip("pillow_heif")
    heif.from_pillow(picture()).save(tmp_path / "a.heic", quality=95)
    assert_close(read_image(tmp_path / "a.heic"), picture(), 6)
    (tmp_path / "b.heic").write_bytes((tmp_path / "a.heic").read_bytes()[:200])
    with pytest.raises(UnreadableImage):
        read_image(tmp_path / "b.heic")


def test_heic_without_the_package(tmp_path, monkeypatch):
    (tmp_path / "a.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(40))
    monkeypatch.setattr(reading, "_heif_opener", reading._heif_opener.__wrapped__)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UnreadableImage, match=r"likewise\[heic\]") as caught:
        read_image(tmp_path / "a.heic")
    assert not caught.value.lasting


@pytest.mark.parametrize(
    ("content", "reason", "lasting"),
    [
        (b"", "the file is empty", True),
        (b"hello, this is text", "not a picture in a known format", True),
        (b"\xff\xd8\xff\xe0", None, True),
        (b"\x89PNG\r\n\x1a\n", None, True),
        (b"%!PS-Adobe-3.0 EPSF-3.0", "not a picture in a known format", True),
    ],
)
def test_reasons(tmp_path, content, reason, lasting):
    (tmp_path / "a.jpg").write_bytes(content)
    with pytest.raises(UnreadableImage) as caught:
        read_image(tmp_path / "a.jpg")
    assert caught.value.path == tmp_path / "a.jpg"
    assert caught.value.lasting is lasting
    assert caught.value.reason == reason if reason else caught.value.reason


def test_what_is_not_there_or_not_a_file(tmp_path):
    with pytest.raises(UnreadableImage, match="gone") as caught:
        read_image(tmp_path / "a.jpg")
    assert not caught.value.lasting
    with pytest.raises(UnreadableImage, match="not a regular file"):
        read_image(tmp_path)
    with pytest.raises(UnreadableImage, match="null"):
        read_image("a\0.jpg")
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(UnreadableImage, match="not a regular file"):
        read_image(tmp_path / "pipe.jpg")
    with pytest.raises(UnreadableImage, match="not a regular file"):
        read_image("/dev/zero")


def test_limits(tmp_path, monkeypatch):
    picture(100, 100).save(tmp_path / "a.png")
    picture(1600, 1600).save(tmp_path / "a.jpg")
    picture(1600, 1600).save(tmp_path / "b.jpg", progressive=True)
    monkeypatch.setattr(reading, "MAX_PIXELS", 1_000_000)
    assert read_image(tmp_path / "a.png").size == (100, 100)
    with pytest.raises(UnreadableImage, match="1,600 × 1,600 pixels"):
        read_image(tmp_path / "a.jpg")
    assert read_image(tmp_path / "a.jpg", 200).size == (200, 200)
    with pytest.raises(UnreadableImage, match="1,600 × 1,600 pixels"):
        read_image(tmp_path / "b.jpg", 200)
    monkeypatch.setattr(reading, "MAX_BYTES", 10)
    with pytest.raises(UnreadableImage, match="larger than"):
        read_image(tmp_path / "a.png")


def test_error_is_one_safe_line_and_can_be_pickled():
    error = UnreadableImage("a\nb\udcff.jpg", "the file is empty", lasting=False)
    assert str(error) == "'a\\nb\\udcff.jpg' cannot be read: the file is empty"
    again = pickle.loads(pickle.dumps(error))
    assert (again.path, again.reason, again.lasting) == (error.path, error.reason, False)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF", "HEIF"])
def test_damaged_files_give_a_picture_or_the_one_error(kind):
    if kind == "HEIF":
        pytest.importorskip("pillow_heif").register_heif_opener()
    rng = np.random.default_rng(7)
    buffer = io.BytesIO()
    exif = Image.Exif()
    exif[274] = 6
    picture().save(buffer, kind, **({"exif": exif} if kind not in ("BMP", "GIF") else {}))
    whole = np.frombuffer(buffer.getvalue(), np.uint8)
    reasons = []
    for _ in range(150):
        data = whole[: rng.integers(1, len(whole) + 1)].copy()
        places = rng.integers(0, len(data), rng.integers(0, 6))
        data[places] = rng.integers(0, 256, len(places))
        try:
            image, header = decode(io.BytesIO(data.tobytes()), "a", rng.choice([None, 16]))
        except UnreadableImage as error:
            reasons.append(error.reason)
        else:
            assert image.mode == "RGB"
            assert header.width > 0
    assert len(reasons) > 30
    assert all(reason and "\n" not in reason for reason in reasons)
