"""Perceptual fingerprints: 256 bits that survive recompression, scaling and a change of brightness."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

__all__ = ["BITS", "RADIUS", "fingerprint"]

SIDE = 16
SAMPLES = 64
BITS = SIDE * SIDE
MARGIN = 0.1  # of the mean size of the coefficients
RADIUS = 16  # measured: copies stay within it, different pictures of one subject rarely come as close


def _cosines() -> npt.NDArray[np.float64]:
    frequency, sample = np.mgrid[:SIDE, :SAMPLES]
    basis = np.sqrt(2 / SAMPLES) * np.cos(np.pi * frequency * (2 * sample + 1) / (2 * SAMPLES))
    basis[0] = np.sqrt(1 / SAMPLES)
    return np.asarray(basis, np.float64)


_BASIS = _cosines()


def fingerprint(image: Image.Image) -> bytes:
    """Give the perceptual fingerprint of a picture.

    The picture is made grey and 64 × 64; of its 16 × 16 lowest cosine coefficients, each gives a bit: whether
    it is clearly above their median. The mean brightness is left out, so is colour.

    - `image`, PIL.Image.Image: The picture.
    - Returns bytes: 32 bytes. The number of bits in which two of them differ is the distance.

    References
    ----------
    C. Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions", 2010, §3.2.1 (DCT based
    hash). Deviations: 256 bits instead of 64, the lowest coefficients with the first row and column, and a
    margin above the median, without which noise decides the bits of smooth pictures.

    Examples
    --------
    >>> picture = Image.linear_gradient("L")
    >>> fingerprint(picture) == fingerprint(picture.resize((100, 100)))
    True
    >>> fingerprint(Image.new("RGB", (9, 9), "red")) == bytes(32)
    True
    """
    grey = image.convert("L").resize((SAMPLES, SAMPLES), Image.Resampling.LANCZOS, reducing_gap=3.0)
    coefficients = (_BASIS @ np.asarray(grey, np.float64) @ _BASIS.T).ravel()
    coefficients[0] = 0.0
    margin = max(1.0, MARGIN * float(np.abs(coefficients).mean()))
    return np.packbits(coefficients > np.median(coefficients) + margin).tobytes()
