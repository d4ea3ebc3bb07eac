"""Vectors without a network: the grey values of a small copy of the picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SIDE = 16


class Pixels:
    """The grey values of a 16 × 16 copy: enough for pictures that all show one thing in the middle, such as digits.

    Examples
    --------
    >>> Pixels().embed(Pixels().prepare(Image.new("RGB", (64, 64), "white"))[None])[0, :3].tolist()
    [1.0, 1.0, 1.0]
    """

    dimension = SIDE * SIDE
    read_size = 64

    def prepare(self, image: Image.Image) -> NDArray[Any]:
        """The small copy."""
        small = image.convert("L").resize((SIDE, SIDE), Image.Resampling.BOX)
        return np.asarray(small, np.float32) / 255

    def embed(self, batch: NDArray[Any]) -> NDArray[np.float32]:
        """Its values in one row."""
        return batch.reshape(len(batch), -1).astype(np.float32)
