"""What a camera wrote into a picture: when it was taken, and by which camera."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from PIL import Image

__all__ = ["Taken", "read_taken"]

EXIF_PART = 0x8769
ORIGINAL, FRACTION = 0x9003, 0x9291  # when it was taken; not when a program wrote the file
MAKE, MODEL = 0x010F, 0x0110
LONGEST = 80  # characters of the name of a camera
FORMAT = "%Y:%m:%d %H:%M:%S"


class Taken(NamedTuple):
    """When a picture was taken, in seconds since 1970 by the clock of the camera, and by what; None and "" if unsaid.

    Cameras write no time zone, so that times of two cameras may be hours apart.
    """

    at: float | None = None
    camera: str = ""


def read_taken(image: Image.Image) -> Taken:
    """Read when and by what a picture was taken; whatever is wrong with that, it is unsaid.

    - `image`, PIL.Image.Image: As it was opened.

    Examples
    --------
    >>> picture = Image.new("RGB", (8, 8))
    >>> tags = picture.getexif()
    >>> tags[MODEL] = "Box 1"
    >>> tags.get_ifd(EXIF_PART)[ORIGINAL] = "2024:05:01 12:00:01"
    >>> read_taken(picture)
    Taken(at=1714564801.0, camera='Box 1')
    >>> read_taken(Image.new("RGB", (8, 8)))
    Taken(at=None, camera='')
    """
    try:
        return taken_of(image.getexif())
    except Exception:  # tags are a stranger's bytes, and no reason to refuse a picture whose pixels are fine
        return Taken()


def taken_of(tags: Image.Exif) -> Taken:
    """When and by what a picture was taken, by tags that are read already."""
    part = tags.get_ifd(EXIF_PART)
    return Taken(_moment(part.get(ORIGINAL), part.get(FRACTION)), _camera(tags.get(MAKE), tags.get(MODEL)))


def _moment(text: Any, fraction: Any) -> float | None:
    try:
        seconds = datetime.strptime(_text(text), FORMAT).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None
    digits = _text(fraction)[:6]
    return seconds + (float(f"0.{digits}") if digits.isascii() and digits.isdigit() else 0.0)


def _camera(make: Any, model: Any) -> str:
    """Maker and model, the maker once."""
    maker, name = _text(make), _text(model)
    return (name if name.casefold().startswith(maker.casefold()) else f"{maker} {name}").strip()[:LONGEST]


def _text(value: Any) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value if isinstance(value, str) else ""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
