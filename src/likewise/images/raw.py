"""Camera raw files: the largest JPEG that the camera put inside, read without a raw converter."""

from __future__ import annotations

import io
import mmap
from collections.abc import Collection
from typing import BinaryIO

from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

__all__ = ["RAW_SUFFIXES", "embedded_preview", "frame_pixels", "has_suffix", "is_raw", "read_tags"]

RAW_SUFFIXES = frozenset(
    {".arw", ".cr2", ".cr3", ".dng", ".nef", ".nrw", ".orf", ".pef", ".raf", ".raw", ".rw2", ".rwl", ".srw", ".x3f"}
)
START = b"\xff\xd8\xff"
HEADER = 1 << 18  # bytes in which a frame begins: tags and colour profiles come before it
OTHER_FRAMES = {0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF, 0xDA, 0xD9}
MOST_TRIED = 64  # starts that look like a JPEG: sensor data may look like one by chance
FEWEST_PIXELS = 160 * 120  # what is smaller is an icon


def is_raw(path: str | bytes) -> bool:
    """Whether a file is named like a camera's raw file.

    Examples
    --------
    >>> is_raw("DSC_1.NEF"), is_raw(b"a.jpg")
    (True, False)
    """
    return has_suffix(path, RAW_SUFFIXES)


def has_suffix(path: str | bytes, suffixes: Collection[str]) -> bool:
    """Whether the name of a file ends with one of these, in any case."""
    name = path if isinstance(path, str) else path.decode("latin-1")
    return name.lower().endswith(tuple(suffixes))


def embedded_preview(file: BinaryIO) -> JpegImageFile:
    """Open the largest JPEG inside a file, not decoded yet.

    Cameras put one of the full or half size beside the sensor's data, to be shown on their screens. The sensor's data
    may be a JPEG too, without loss and of more than 8 bits: those are passed over.

    - `file`: A regular file, open for reading.

    Raises
    ------
    ValueError
        When there is none worth looking at.
    """
    best, best_at = FEWEST_PIXELS - 1, -1
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        at, tried = content.find(START), 0
        while at >= 0 and tried < MOST_TRIED:
            tried += 1
            pixels = frame_pixels(content[at : at + HEADER])
            if pixels > best:
                best, best_at = pixels, at
            at = content.find(START, at + len(START))
        if best_at < 0:
            raise ValueError("a raw file without a preview inside")
        return JpegImageFile(io.BytesIO(content[best_at:]))  # the decoder stops at its end


def frame_pixels(head: bytes) -> int:
    """How many pixels the JPEG that begins here has, by its header; 0 for what is none, or not of 8 bits with loss.

    Examples
    --------
    >>> kept = io.BytesIO()
    >>> Image.new("RGB", (30, 20)).save(kept, "JPEG")
    >>> frame_pixels(kept.getvalue()), frame_pixels(b"nothing of the kind")
    (600, 0)
    """
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        kind, length = head[at + 1], int.from_bytes(head[at + 2 : at + 4], "big")
        if kind in (0xC0, 0xC1, 0xC2):
            height, width = int.from_bytes(head[at + 5 : at + 7], "big"), int.from_bytes(head[at + 7 : at + 9], "big")
            return width * height if head[at + 4] == 8 else 0
        if kind in OTHER_FRAMES or length < 2:
            return 0
        at += 2 + length
    return 0


def read_tags(file: BinaryIO) -> Image.Exif:
    """The tags of the raw file itself, where it is built as a TIFF; else none."""
    tags = Image.Exif()
    file.seek(0)
    if file.read(4) in (b"II*\0", b"MM\0*"):
        file.seek(0)
        tags.load_from_fp(file)
    return tags
