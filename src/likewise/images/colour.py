"""Colour histograms: plain in HSV, and in RGB with every pixel weighted by what happens around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from likewise.kernels.pictures.colours import count_alike

__all__ = ["hsv_histogram", "laplacian_histogram", "luminance", "probability_histogram"]

LEVELS = 6  # of red, green and blue: 216 colours
RADIUS = 3  # of the window in which a colour's probability is counted
HUES, SATURATIONS, VALUES, GREYS = 12, 3, 3, 12
LEAST_SATURATION = 0.1  # below it hue is noise, and a pixel counts as grey

Picture = NDArray[np.uint8]
Histogram = NDArray[np.float64]


def luminance(picture: Picture) -> NDArray[np.float64]:
    """Grey values (h, w) from 0 to 1, weighted as in ITU-R 601.

    Examples
    --------
    >>> round(float(luminance(np.full((1, 1, 3), 255, np.uint8))[0, 0]), 9)
    1.0
    """
    return picture @ (np.array([0.299, 0.587, 0.114]) / 255.0)


def laplacian_histogram(picture: Picture) -> Histogram:
    """Colours weighted by the squared Laplacian of the luminance: corners and edges count, flat areas do not.

    A picture without any edge counts every pixel alike.

    - `picture` (h, w, 3), uint8: RGB.
    - Returns ndarray of shape (216,): Sums to 1; red is the slowest index and blue the fastest.

    References
    ----------
    C. Vertan and N. Boujemaa, "Upgrading color distributions for image retrieval: can we do better?", VISUAL 2000.

    Examples
    --------
    >>> histogram = laplacian_histogram(np.zeros((8, 8, 3), np.uint8))
    >>> histogram.shape, float(histogram[0])
    ((216,), 1.0)
    """
    grey = np.pad(luminance(picture), 1, mode="edge")
    inner = grey[1:-1, 1:-1]
    laplacian = grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:] - 4 * inner
    # Rounding leaves 1e-16 on flat pictures, which must not decide anything.
    laplacian[np.abs(laplacian) < 1e-9] = 0
    return _histogram(_rgb_cells(picture), laplacian**2, LEVELS**3)


def probability_histogram(picture: Picture) -> Histogram:
    """Colours weighted by one over their probability in the 7 × 7 window around: what is rare where it is counts.

    - `picture` (h, w, 3), uint8: RGB.
    - Returns ndarray of shape (216,): Sums to 1; red is the slowest index and blue the fastest.

    References
    ----------
    C. Vertan and N. Boujemaa, "Upgrading color distributions for image retrieval: can we do better?", VISUAL 2000.

    Examples
    --------
    >>> histogram = probability_histogram(np.full((8, 8, 3), 255, np.uint8))
    >>> histogram.shape, float(histogram[-1])
    ((216,), 1.0)
    """
    cells = _rgb_cells(picture)
    return _histogram(cells, 1.0 / count_alike(cells, LEVELS**3, RADIUS), LEVELS**3)


def hsv_histogram(picture: Picture) -> Histogram:
    """Colours in HSV: 12 hues × 3 saturations × 3 values, then 12 greys for pixels with next to no saturation.

    - `picture` (h, w, 3), uint8: RGB.
    - Returns ndarray of shape (120,): Sums to 1; hue is the slowest index and value the fastest, and the greys go
      from black to white. The first hue is centred on red.

    Examples
    --------
    >>> red = np.zeros((4, 4, 3), np.uint8)
    >>> red[..., 0] = 255
    >>> histogram = hsv_histogram(red)
    >>> histogram.shape, int(histogram.argmax())
    ((120,), 8)
    """
    hue, saturation, value = np.moveaxis(np.asarray(Image.fromarray(picture).convert("HSV")), -1, 0)
    h = (hue.astype(np.intp) * HUES + 128) // 256 % HUES
    s = _level((saturation / 255.0 - LEAST_SATURATION) / (1 - LEAST_SATURATION), SATURATIONS)
    v = _level(value / 255.0, VALUES)
    grey = HUES * SATURATIONS * VALUES + _level(value / 255.0, GREYS)
    cells = np.where(saturation < LEAST_SATURATION * 255, grey, (h * SATURATIONS + s) * VALUES + v)
    return _histogram(cells, np.ones(cells.shape), HUES * SATURATIONS * VALUES + GREYS)


def _rgb_cells(picture: Picture) -> NDArray[np.intp]:
    red, green, blue = np.moveaxis(picture.astype(np.intp) * LEVELS // 256, -1, 0)
    return np.asarray((red * LEVELS + green) * LEVELS + blue)


def _level(share: NDArray[np.float64], levels: int) -> NDArray[np.intp]:
    return np.clip((share * levels).astype(np.intp), 0, levels - 1)


def _histogram(cells: NDArray[np.intp], weights: NDArray[np.float64], n_cells: int) -> Histogram:
    counts = np.bincount(cells.ravel(), weights.ravel(), n_cells)
    if not counts.any():
        counts = np.bincount(cells.ravel(), minlength=n_cells)
    return np.asarray(counts / counts.sum(), np.float64)
