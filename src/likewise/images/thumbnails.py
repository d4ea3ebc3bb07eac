"""Thumbnails and previews: small JPEG copies kept in the project, named by what the picture holds."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

from PIL import Image

from likewise.images.reading import GAP

__all__ = ["PREVIEW", "THUMBNAIL", "copy_path", "sweep", "write_copies"]

THUMBNAIL = 256
PREVIEW = 1024
UNFINISHED = "unfinished"


def copy_path(cache: Path, content: str, size: int) -> Path:
    """Give where the copy of some size is kept, by the hash of the picture's file.

    Examples
    --------
    >>> copy_path(Path("project"), "ab12", 256).as_posix()
    'project/256/ab/ab12.jpg'
    """
    return cache / str(size) / content[:2] / f"{content}.jpg"


def write_copies(image: Image.Image, content: str, cache: Path) -> None:
    """Write the thumbnail, and the preview where it would be larger, unless they are there.

    Each is written under another name and then renamed, so that a copy is whole or absent.

    - `image`, PIL.Image.Image: RGB, at least as large as the preview or else in full size.
    - `content`: Hash of the picture's file, in hexadecimal.
    - `cache`: Where the copies are kept.
    """
    for size in (PREVIEW, THUMBNAIL):
        path = copy_path(cache, content, size)
        if path.exists() or (size == PREVIEW and max(image.size) <= THUMBNAIL):
            continue
        if max(image.size) > size:
            image = image.copy()
            image.thumbnail((size, size), Image.Resampling.LANCZOS, reducing_gap=GAP)
        try:
            _write(image, path, cache)
        except FileNotFoundError:  # a run that began just now swept it away
            _write(image, path, cache)


def _write(image: Image.Image, path: Path, cache: Path) -> None:
    unfinished = cache / UNFINISHED / secrets.token_hex(8)
    try:
        for folder in (unfinished.parent, path.parent):
            folder.mkdir(parents=True, exist_ok=True)
        image.save(unfinished, "JPEG", quality=88)
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def sweep(cache: Path) -> None:
    """Remove what an interrupted run left unfinished."""
    shutil.rmtree(cache / UNFINISHED, ignore_errors=True)
