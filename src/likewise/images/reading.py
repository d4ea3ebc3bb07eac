"""Reading one picture: whatever is in the file comes back as upright 8-bit RGB, or one clear error."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, BinaryIO, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from PIL import Image
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile
from PIL.WebPImagePlugin import WebPImageFile

from likewise.images.exif import Taken, read_taken, taken_of
from likewise.images.raw import RAW_SUFFIXES, embedded_preview, is_raw, read_tags
from likewise.images.video import is_video, middle_frame

__all__ = [
    "GAP",
    "MAX_BYTES",
    "MAX_PIXELS",
    "SUFFIXES",
    "Header",
    "UnreadableImage",
    "check_status",
    "decode",
    "digest",
    "looks_like_picture",
    "open_regular",
    "read_image",
    "say_why",
]

Path: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]
Values: TypeAlias = npt.NDArray[Any]

MAX_PIXELS = 128_000_000  # decoded: at most half a gigabyte as Pillow keeps it
MAX_BYTES = 1 << 30
MAX_SCANS = 500  # of a progressive JPEG; cameras and encoders write about ten
START_OF_SCAN = b"\xff\xda"  # entropy-coded data holds no such bytes
SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".tif", ".tiff", ".bmp", ".dib", ".gif"}
    | {".heic", ".heif", ".hif"}
    | RAW_SUFFIXES
)
GAP = 1.5  # coarse scaling stops at this multiple of the size, so that the fine one has something to average
DRAFT_GAP = 1.4  # the same for JPEG: of 12 megapixels, an eighth is enough for a network that takes 256 pixels
ORIENTATION = 0x0112
UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"heif"}


class UnreadableImage(ValueError):  # noqa: N818 - the state of a file, as in Pillow's UnidentifiedImage
    """A file that cannot be read as a picture.

    Parameters
    ----------
    path : path-like
        The file.
    reason : str
        Why, in a few words for a person.
    lasting : bool, default=True
        Whether the file itself is at fault, so that another try would end the same.

    Examples
    --------
    >>> error = UnreadableImage("a.jpg", "the file is empty")
    >>> error.reason
    'the file is empty'
    >>> print(error)
    'a.jpg' cannot be read: the file is empty
    """

    def __init__(self, path: Path, reason: str, *, lasting: bool = True) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason
        self.lasting = lasting

    def __str__(self) -> str:
        # repr escapes line breaks and bytes that are no text, which names may hold.
        return f"{os.fsdecode(self.path)!r} cannot be read: {self.reason}"


@dataclass(frozen=True)
class Header:
    """What a picture is before it is scaled: upright size in pixels, file format, Pillow mode; what a camera wrote."""

    width: int
    height: int
    format: str
    mode: str
    taken: Taken


def read_image(path: Path, size: int | None = None, *, cover: bool = False) -> Image.Image:
    """Read a picture as upright 8-bit RGB.

    EXIF orientation is applied, transparency is laid over white, 16 bits are scaled to 8, CMYK, grey and
    palettes become RGB, and of an animation the first frame is taken. What the file holds decides,
    not its name.

    Parameters
    ----------
    path : path-like
        A regular file: JPEG, PNG, WebP, TIFF, BMP, GIF, the preview inside a camera's raw file, HEIC where
        ``pillow-heif`` and the middle frame of a video where ``av`` is installed.
    size : int or None, default=None
        Scale down, never up, so that the longer side is at most ``size``. JPEG is then decoded at a fraction
        of its resolution, which is several times faster.
    cover : bool, default=False
        Let ``size`` bound the shorter side instead, for a crop afterwards.

    Returns
    -------
    PIL.Image.Image
        Mode ``"RGB"``.

    Raises
    ------
    UnreadableImage
        Whatever is wrong with the file, with the reason. A file above ``MAX_BYTES`` bytes or a picture above
        ``MAX_PIXELS`` pixels to decode is refused before memory is spent on it.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "grey.png"
    >>> Image.new("L", (40, 20), 128).save(path)
    >>> picture = read_image(path, size=10)
    >>> picture.mode, picture.size
    ('RGB', (10, 5))
    """
    with open_regular(path) as file:
        return decode(file, path, size, cover=cover)[0]


@contextmanager
def open_regular(path: Path, *, follow: bool = True) -> Iterator[BinaryIO]:
    """Open a regular file for reading; a pipe, socket or device is refused without ever waiting for it."""
    flags = os.O_RDONLY | (0 if follow else getattr(os, "O_NOFOLLOW", 0))
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except (OSError, ValueError) as error:
        raise UnreadableImage(path, say_why(error), lasting=False) from None
    try:
        check_status(path, os.fstat(handle))
    except BaseException:
        os.close(handle)
        raise
    with open(handle, "rb") as file:
        yield file


def check_status(path: Path, status: os.stat_result) -> None:
    """Refuse what is not a regular file, empty, or too large."""
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableImage(path, "not a regular file")
    if status.st_size == 0:
        raise UnreadableImage(path, "the file is empty")
    if status.st_size > MAX_BYTES:
        raise UnreadableImage(path, f"the file is larger than {MAX_BYTES >> 20} MiB")


def decode(file: BinaryIO, path: Path, size: int | None = None, *, cover: bool = False) -> tuple[Image.Image, Header]:
    """Decode an open file into RGB and its header; ``path`` is only for the error."""
    if size is not None and size < 1:
        raise ValueError("size must be at least 1.")
    try:
        return _decode(file, path, size, cover)
    except UnreadableImage:
        raise
    except MemoryError:
        raise UnreadableImage(path, "too large for the memory at hand", lasting=False) from None
    except Exception as error:
        # Decoders meet hostile bytes with every kind of exception: all of them mean the same,
        # but for those of the system (with a number) and of a missing package.
        system = isinstance(error, ImportError) or bool(isinstance(error, OSError) and error.errno)
        raise UnreadableImage(path, say_why(error), lasting=not system) from None


def digest(file: BinaryIO) -> str:
    """Give the SHA-256 of the rest of an open file, in hexadecimal."""
    return hashlib.file_digest(cast(io.BufferedReader, file), "sha256").hexdigest()


def _decode(file: BinaryIO, path: Path, size: int | None, cover: bool) -> tuple[Image.Image, Header]:
    if is_video(os.fsdecode(path)):
        return _decode_video(file, size, cover)
    raw = is_raw(os.fsdecode(path))
    image = _open(file, path, raw)
    full = image.size
    drafted = size is not None and isinstance(image, JpegImageFile)
    if size is not None and drafted:
        width, height = _scaled(full, size, cover)
        image.draft(None, (round(DRAFT_GAP * width), round(DRAFT_GAP * height)))
    _guard(path, full, image)
    if isinstance(image, JpegImageFile) and "progressive" in image.info:
        _guard_scans(path, file)
    mode, kind = image.mode, "JPEG" if isinstance(image, JpegImageFile) else str(image.format)
    kind = "RAW" if raw else kind
    image.load()
    full = full if drafted else image.size  # TIFF and HEIC may only know after decoding
    # Read after loading: TIFF and HEIC turn the picture themselves and then drop the tag.
    turn, taken = _raw_tags(file) if raw else (_orientation(image), read_taken(image))
    rgb = _to_rgb(image)
    if size is not None and rgb.size != (target := _scaled(full, size, cover)):
        rgb = rgb.resize(target, Image.Resampling.LANCZOS, reducing_gap=GAP)
    elif rgb is image:
        rgb = image.copy()  # so that no file hangs on it
    if turn in UPRIGHT:
        rgb = rgb.transpose(UPRIGHT[turn])
        full = full[::-1] if turn >= 5 else full
    return rgb, Header(full[0], full[1], kind, mode, taken)


def _decode_video(file: BinaryIO, size: int | None, cover: bool) -> tuple[Image.Image, Header]:
    frame, taken = middle_frame(file, MAX_PIXELS)
    full, rgb = frame.size, _to_rgb(frame)
    if size is not None and full != (target := _scaled(full, size, cover)):
        rgb = rgb.resize(target, Image.Resampling.LANCZOS, reducing_gap=GAP)
    return rgb, Header(full[0], full[1], "VIDEO", frame.mode, taken)


def _open(file: BinaryIO, path: Path, raw: bool) -> ImageFile:
    head = file.read(32)
    if raw and not head.startswith(b"\xff\xd8\xff"):
        return embedded_preview(file)
    opener = _opener(head)
    if opener is None:
        raise UnreadableImage(path, "not a picture in a known format")
    file.seek(0)
    return opener(file)


def looks_like_picture(head: bytes, path: Path) -> bool:
    """Whether a file that begins with these 32 bytes, or a raw file by its name, may be a picture.

    Examples
    --------
    >>> looks_like_picture(b"GIF89a" + bytes(26), "a.gif"), looks_like_picture(b"#!/bin/sh" + bytes(23), "a.gif")
    (True, False)
    """
    try:
        return is_raw(os.fsdecode(path)) or _opener(head) is not None
    except ImportError:  # HEIC, where the package for it is missing: said when it is read
        return True


def _raw_tags(file: BinaryIO) -> tuple[int, Taken]:
    """How a raw file is to be turned, and when it was taken, by its own tags: the preview inside often has none."""
    try:
        tags = read_tags(file)
        return int(tags.get(ORIENTATION, 1)), taken_of(tags)
    except Exception:  # broken tags are no reason to refuse a picture whose pixels are fine
        return 1, Taken()


def _guard(path: Path, full: tuple[int, int], image: ImageFile) -> None:
    # A progressive JPEG holds all its coefficients in memory, whatever the scale it is decoded at.
    progressive = "progressive" in image.info
    decoded = full if progressive else image.size
    if decoded[0] * decoded[1] > MAX_PIXELS or full[0] * full[1] > 4 * MAX_PIXELS:
        raise UnreadableImage(path, f"{full[0]:,} × {full[1]:,} pixels are more than can be decoded safely")


def _guard_scans(path: Path, file: BinaryIO) -> None:
    """Refuse a progressive JPEG that draws itself over and over: each scan takes as long as a whole picture."""
    at, scans, last = file.tell(), 0, b""
    file.seek(0)
    while piece := file.read(1 << 20):
        scans += (last + piece).count(START_OF_SCAN)
        last = piece[-1:]
    file.seek(at)
    if scans > MAX_SCANS:
        raise UnreadableImage(path, f"{scans:,} scans are more than can be decoded safely")


def _scaled(full: tuple[int, int], size: int, cover: bool) -> tuple[int, int]:
    side = min(full) if cover else max(full)
    if side <= size:
        return full
    return max(1, round(full[0] * size / side)), max(1, round(full[1] * size / side))


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(ORIENTATION, 1))
    except Exception:  # a broken tag is no reason to refuse a picture whose pixels are fine
        return 1


def _to_rgb(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I") or image.mode == "F":
        return Image.fromarray(_to_eight_bits(np.asarray(image))).convert("RGB")
    if "transparency" in image.info or image.mode in ("RGBA", "RGBa", "LA", "La", "PA"):
        colour = image if image.mode == "RGBA" else image.convert("RGBA")
        white = Image.new("RGB", colour.size, "white")
        white.paste(colour, mask=colour)
        return white
    return image if image.mode == "RGB" else image.convert("RGB")


def _to_eight_bits(values: Values) -> Values:
    """Scale 16 bits by 1/256; 32 bits and floats, whose range no file states, from least to greatest."""
    out = np.empty(values.shape, np.uint8)
    low, high = (0.0, 65535.0) if values.dtype.itemsize == 2 else _range(values)
    factor = 255.0 / max(high - low, 1e-30)
    for top in range(0, len(values), 256):  # in strips, so that a large picture needs no float copy of itself
        strip = values[top : top + 256]
        if values.dtype.itemsize == 2:
            out[top : top + 256] = strip >> 8
        else:
            scaled = np.nan_to_num((strip.astype(np.float64) - low) * factor, nan=0.0, posinf=255.0, neginf=0.0)
            out[top : top + 256] = np.clip(np.rint(scaled), 0, 255)
    return out


def _range(values: Values) -> tuple[float, float]:
    if values.dtype.kind == "f":
        finite = np.isfinite(values)
        low = float(values.min(where=finite, initial=np.inf))
        high = float(values.max(where=finite, initial=-np.inf))
        return (0.0, 1.0) if not low <= high or (low >= 0 and high <= 1) else (low, high)
    low, high = float(values.min()), float(values.max())
    return (0.0, 65535.0) if low >= 0 and high <= 65535 else (low, high)


def _opener(head: bytes) -> Callable[[BinaryIO], ImageFile] | None:
    # The classes are named rather than left to Image.open: no other format (PostScript, …) is ever tried on a
    # stranger's file, and size limits are ours alone, without process-wide settings.
    if head.startswith(b"\xff\xd8\xff"):
        return JpegImageFile
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return PngImageFile
    if head.startswith((b"GIF87a", b"GIF89a")):
        return GifImageFile
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return WebPImageFile
    if head.startswith((b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")):
        return TiffImageFile
    if head.startswith(b"BM"):
        return BmpImageFile
    if head[4:8] == b"ftyp" and head[8:12] in HEIF_BRANDS:
        return _heif_opener()
    return None


@cache
def _heif_opener() -> Callable[[BinaryIO], ImageFile]:
    if importlib.util.find_spec("pillow_heif") is None:
        raise ImportError("HEIC needs pillow-heif: install likewise[heic]")
    from pillow_heif import HeifImageFile

    opener: Callable[[BinaryIO], ImageFile] = HeifImageFile
    return opener


def say_why(error: BaseException) -> str:
    """One line for a person from any exception."""
    if isinstance(error, PermissionError):
        return "no permission to read it"
    if isinstance(error, FileNotFoundError):
        return "the file is gone"
    if isinstance(error, IsADirectoryError):
        return "not a regular file"
    if not isinstance(error, (OSError, SyntaxError, ValueError, ImportError)):
        return "the file is damaged"  # what else decoders raise speaks of their code, not of the file
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())[:200] or "the file is damaged"
