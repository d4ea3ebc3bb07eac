"""Videos: one frame from the middle stands for the whole, where PyAV is installed."""

from __future__ import annotations

import importlib.util
from datetime import datetime
from functools import cache
from typing import Any, BinaryIO

from PIL import Image

from likewise.images.exif import Taken
from likewise.images.raw import has_suffix

__all__ = ["VIDEO_SUFFIXES", "can_read_videos", "is_video", "middle_frame"]

VIDEO_SUFFIXES = frozenset({".3gp", ".avi", ".m4v", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".mts", ".webm", ".wmv"})
# Containers by their first bytes. The library is told which: left to guess, it would follow playlists to other files.
CONTAINERS = {
    b"\x1a\x45\xdf\xa3": "matroska",
    b"\x00\x00\x01\xba": "mpeg",
    b"\x30\x26\xb2\x75": "asf",
    b"\x47": "mpegts",
}
MISSING = "a video: likewise[video] reads a frame of it"


@cache
def can_read_videos() -> bool:
    """Whether what reads videos is installed."""
    return importlib.util.find_spec("av") is not None


def is_video(path: str | bytes) -> bool:
    """Whether a file is named like a video.

    Examples
    --------
    >>> is_video("clip.MP4"), is_video(b"a.jpg")
    (True, False)
    """
    return has_suffix(path, VIDEO_SUFFIXES)


def middle_frame(file: BinaryIO, most_pixels: int) -> tuple[Image.Image, Taken]:
    """The frame that begins the middle of a video, upright, and when it was taken.

    - `file`: A regular file, open for reading.
    - `most_pixels`: A larger frame is refused before it is decoded.

    Raises
    ------
    ValueError
        When no frame can be had; ImportError where PyAV is missing.
    """
    if not can_read_videos():
        raise ImportError(MISSING)
    import av

    file.seek(0)
    kind = container_of(file.read(12))
    file.seek(0)
    with av.open(file, "r", format=kind) as container:
        if not container.streams.video:
            raise ValueError("a video without pictures")
        stream = container.streams.video[0]
        if stream.width * stream.height > most_pixels:
            raise ValueError(f"{stream.width:,} × {stream.height:,} pixels are more than can be decoded safely")
        begin, length = container.start_time or 0, container.duration or 0
        frame = _frame_from(container, stream, begin + length // 2) or _frame_from(container, stream, begin)
        if frame is None:
            raise ValueError("a video of which no frame can be read")
        turn = int(getattr(frame, "rotation", 0)) % 360
        picture = frame.to_image()
        return picture.rotate(turn, expand=True) if turn else picture, _taken(container.metadata)


def container_of(head: bytes) -> str:
    """Which container a file is in that begins so.

    Examples
    --------
    >>> container_of(bytes(4) + b"ftypisom"), container_of(b"RIFF1234AVI ")
    ('mp4', 'avi')
    """
    if head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free"):
        return "mp4"
    if head.startswith(b"RIFF") and head[8:12] == b"AVI ":
        return "avi"
    found = next((kind for start, kind in CONTAINERS.items() if head.startswith(start)), None)
    if found is None:
        raise ValueError("not a video in a known format")
    return found


def _frame_from(container: Any, stream: Any, moment: int) -> Any | None:
    """The first frame that can be decoded from the key frame before a moment on, in microseconds."""
    import av

    try:
        container.seek(moment)
        return next(container.decode(stream), None)
    except av.FFmpegError:
        return None


def _taken(metadata: dict[str, str]) -> Taken:
    """When the camera says that it was; the clock of a video is that of the world, not of the place."""
    try:
        return Taken(datetime.fromisoformat(metadata.get("creation_time", "")).timestamp(), "")
    except ValueError:
        return Taken()
