"""GIST: the layout of a scene by its oriented energy, coarse in position and fine in direction."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import fft

from likewise.images.colour import Histogram, Picture

__all__ = ["gist"]

SIZE = 128  # the picture's side before filtering
BORDER = 32  # mirrored around it, against the wrap-around of the transform
GRID = 4
SCALES, ORIENTATIONS = 4, 8
CUTOFF = 4.0  # cycles a picture: what is coarser is illumination
FLOOR = 0.2  # added to the local contrast it is divided by


def gist(picture: Picture) -> Histogram:
    """Mean energy of a bank of Gabor filters in the cells of a 4 × 4 grid.

    The largest centred square is scaled to 128 × 128 grey pixels, its illumination is taken out and its local
    contrast evened, and 4 scales × 8 orientations of Gabor filters are applied in the Fourier domain.

    - `picture` (h, w, 3), uint8: RGB.
    - Returns ndarray of shape (512,): Index (scale, orientation, row, column), the last the fastest; all zero for a
      picture of a single grey.

    References
    ----------
    A. Oliva and A. Torralba, "Modeling the shape of the scene: a holistic representation of the spatial envelope",
    International Journal of Computer Vision 42(3), 2001, sections 3 and 4. The number of filters, their widths and
    the prefilter are those of the authors' published code; grey only, at 128 instead of 256 pixels.

    Examples
    --------
    >>> gist(np.zeros((40, 60, 3), np.uint8)).shape
    (512,)
    """
    filtered = _even_contrast(_square(picture))
    side = SIZE + 2 * BORDER
    spectrum = fft.fft2(np.pad(filtered, BORDER, mode="symmetric"))
    response = np.abs(fft.ifft2(spectrum * _filters(side), axes=(1, 2)))
    inner = response[:, BORDER:-BORDER, BORDER:-BORDER]
    cell = SIZE // GRID
    cells = inner.reshape(-1, GRID, cell, GRID, cell)
    return np.asarray(cells.mean(axis=(2, 4), dtype=np.float64)).ravel()


def _square(picture: Picture) -> NDArray[np.float32]:
    image = Image.fromarray(picture).convert("L")
    width, height = image.size
    side = min(width, height)
    left, top = (width - side) // 2, (height - side) // 2
    middle = image.crop((left, top, left + side, top + side))
    return np.asarray(middle.resize((SIZE, SIZE), Image.Resampling.BICUBIC), np.float32)


def _even_contrast(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """Take the coarse illumination out and divide by the coarse contrast, both by the same Gaussian low-pass."""
    low_pass = _low_pass(SIZE + 2 * BORDER)
    inner = np.s_[BORDER:-BORDER, BORDER:-BORDER]
    padded = np.pad(np.log1p(grey), BORDER, mode="symmetric")
    detail = padded - _apply(low_pass, padded)
    contrast = np.sqrt(np.maximum(_apply(low_pass, detail**2), 0))
    return np.asarray((detail / (FLOOR + contrast))[inner])


def _apply(response: NDArray[np.float32], grey: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(fft.irfft2(fft.rfft2(grey) * response[:, : grey.shape[1] // 2 + 1], s=grey.shape))


@cache
def _low_pass(side: int) -> NDArray[np.float32]:
    fy, fx = np.meshgrid(fft.fftfreq(side, 1 / side), fft.fftfreq(side, 1 / side), indexing="ij")
    # The response falls to a half at the cut-off.
    return np.asarray(np.exp(-np.log(2) * (fx**2 + fy**2) / CUTOFF**2), np.float32)


@cache
def _filters(side: int) -> NDArray[np.float32]:
    """Transfer functions (scales × orientations, side, side), each on one half of the frequency plane."""
    fy, fx = np.meshgrid(fft.fftfreq(side), fft.fftfreq(side), indexing="ij")
    frequency, angle = np.hypot(fx, fy), np.arctan2(fy, fx)
    bank = []
    for scale in range(SCALES):
        radial = np.exp(-3.5 * (frequency * 1.85**scale / 0.3 - 1) ** 2)
        for turn in np.pi * np.arange(ORIENTATIONS) / ORIENTATIONS:
            off = (angle + turn + np.pi) % (2 * np.pi) - np.pi
            bank.append(radial * np.exp(-2 * np.pi * ORIENTATIONS**2 / 64 * off**2))
    filters = np.array(bank, np.float32)
    filters[:, 0, 0] = 0  # no filter answers to a flat picture
    return filters
