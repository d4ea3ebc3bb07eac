"""A tile with a name on it, for a thing that has no picture."""

from __future__ import annotations

import tempfile
import textwrap
from typing import BinaryIO, cast

from PIL import Image, ImageDraw, ImageFont

__all__ = ["draw_name"]

PAPER, INK = "#eef0f4", "#14171c"
LINES, LETTERS = 8, 14  # of a tile


def draw_name(name: str, side: int) -> BinaryIO:
    """A square JPEG with the name on it, in a file that goes when it is closed.

    - `name`: Broken into lines; what does not fit is left out.
    - `side`: In pixels.

    Examples
    --------
    >>> with draw_name("oak-17", 256) as file, Image.open(file) as tile:
    ...     tile.size, tile.format
    ((256, 256), 'JPEG')
    """
    tile = Image.new("RGB", (side, side), PAPER)
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)
    text = "\n".join(textwrap.wrap(shown, LETTERS, max_lines=LINES, placeholder=" …"))
    font = ImageFont.load_default(side // 12)
    middle = (side / 2, side / 2)
    ImageDraw.Draw(tile).multiline_text(middle, text, fill=INK, font=font, anchor="mm", align="center")
    file = tempfile.TemporaryFile()  # noqa: SIM115 (whoever sends it closes it)
    tile.save(file, "JPEG", quality=85)
    file.seek(0)
    return cast(BinaryIO, file)
