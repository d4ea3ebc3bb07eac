"""Items as a page shows them: pictures, texts or HTML."""

from __future__ import annotations

import base64
import io
import os
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

SIDE = 320  # pixels of the longer side of a picture as it is sent


def check_shown(n: int, **shown: Sequence[Any] | None) -> None:
    """Refuse lists of pictures, texts or HTML that have not one entry for each item."""
    for name, values in shown.items():
        if values is not None and len(values) != n:
            raise ValueError(f"{name} must have one entry for each of the {n} items, got {len(values)}")


def show_item(item: int, images: Sequence[Any] | None, texts: Sequence[str] | None, html: Sequence[str] | None) -> str:
    """HTML of one item: its picture, then its text, then its HTML; its number where there is none of them."""
    parts = []
    if images is not None:
        parts.append(f'<img alt="item {item}" src="{picture_address(images[item])}">')
    if texts is not None:
        parts.append(f"<p>{escape(str(texts[item]))}</p>")
    if html is not None:
        parts.append(str(html[item]))
    return "".join(parts) or f"<p>item {item}</p>"


def picture_address(picture: Any) -> str:
    """A picture as an address that holds it whole, at most SIDE pixels wide and high.

    - `picture`: A path, an array (h, w) or (h, w, 3) of bytes or of numbers from 0 to 1, or a Pillow image.
    """
    from PIL import Image, ImageOps

    if isinstance(picture, str | os.PathLike):
        with Image.open(picture) as opened:
            image = ImageOps.exif_transpose(opened).convert("RGB")
    elif isinstance(picture, Image.Image):
        image = picture.convert("RGB")
    else:
        image = Image.fromarray(_as_bytes(np.asarray(picture))).convert("RGB")
    image.thumbnail((SIDE, SIDE))
    file = io.BytesIO()
    image.save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def _as_bytes(array: Any) -> Any:
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (3, 4)):
        raise ValueError(f"a picture is an array of shape (h, w) or (h, w, 3), got {array.shape}")
    if array.dtype == np.uint8:
        return array
    if array.size and (array.min() < 0 or array.max() > 1):
        raise ValueError("numbers of a picture go from 0 to 1, or are bytes: scale the array")
    return np.round(array * 255).astype(np.uint8)
