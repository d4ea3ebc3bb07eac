"""Histograms of straight lines and of frequencies in a picture."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import fft, ndimage

from likewise.images.colour import Histogram, Picture, luminance
from likewise.kernels.pictures.lines import vote_lines

__all__ = ["fourier_histogram", "hough_histogram"]

ANGLES, DISTANCES = 7, 7
RINGS, WEDGES = 8, 8
LOWEST, HIGHEST = 1 / 128, 1 / 2  # bounds of the rings, in cycles a pixel
FAINTEST = 1e-3  # a gradient below it is no edge; the step from black to white is about 0.4


def hough_histogram(picture: Picture) -> Histogram:
    """Where a picture's edges lie and which way they run: a coarse Hough transform of all its gradients.

    Every pixel votes, with the strength of its gradient, for the line through it along the edge: the angle of the
    line's normal and its distance from the middle of the picture, in 7 × 7 cells.

    - `picture` (h, w, 3), uint8: RGB.
    - Returns ndarray of shape (49,): Sums to 1, or is all zero for a picture without edges; the angle is the slower
      index.

    References
    ----------
    R. O. Duda and P. E. Hart, "Use of the Hough transformation to detect lines and curves in pictures",
    Communications of the ACM 15(1), 1972: the normal parametrisation. Votes come from gradients, not from all
    lines through a point.

    Examples
    --------
    >>> picture = np.zeros((64, 64, 3), np.uint8)
    >>> picture[:, 32:] = 255
    >>> int(hough_histogram(picture).argmax())  # a vertical edge (angle 0) through the middle (distance 3 of 0 … 6)
    3
    """
    grey = luminance(picture)
    gx = ndimage.gaussian_filter(grey, 1.0, order=(0, 1))
    gy = ndimage.gaussian_filter(grey, 1.0, order=(1, 0))
    return _share(vote_lines(gx, gy, ANGLES, DISTANCES, FAINTEST).ravel())


def fourier_histogram(picture: Picture) -> Histogram:
    """How coarse a picture's texture is and which way it runs: amplitudes of its Fourier transform, summed.

    Frequencies fall in 8 rings, of equal width on a logarithmic scale from 1/128 to 1/2 cycles a pixel, and 8
    wedges, the first centred on the horizontal frequency; what lies beyond a ring's end counts in the last.

    - `picture` (h, w, 3), uint8: RGB.
    - Returns ndarray of shape (64,): Sums to 1, or is all zero for a picture of a single grey; the ring is the
      slower index.

    References
    ----------
    W. Niblack et al., "The QBIC project: querying images by content using color, texture, and shape", SPIE 1993,
    for the like of it; ring and wedge are taken jointly here.

    Examples
    --------
    >>> wave = 127.5 + 127.5 * np.sin(2 * np.pi * np.arange(64) / 8)
    >>> picture = np.repeat(np.tile(wave, (64, 1))[..., None], 3, axis=2).astype(np.uint8)
    >>> divmod(int(fourier_histogram(picture).argmax()), 8)  # ring and wedge of 1/8 cycles a pixel along x
    (5, 0)
    """
    grey = luminance(picture)
    # The whole plane, not the half that real pictures need: at the highest frequency the half is not symmetric.
    amplitude = np.abs(fft.fft2(grey - grey.mean()))
    # Rounding leaves 1e-13 on flat pictures, which must not be blown up to a histogram.
    amplitude[amplitude < 1e-9 * grey.size] = 0
    counts = np.bincount(_frequency_cells(*grey.shape), amplitude.ravel(), RINGS * WEDGES)
    return _share(counts.astype(np.float64))


@lru_cache(maxsize=16)
def _frequency_cells(height: int, width: int) -> NDArray[np.intp]:
    """The cell of every coefficient of the transform, raveled."""
    fy = fft.fftfreq(height)[:, None]
    fx = fft.fftfreq(width)[None, :]
    scale = RINGS / np.log(HIGHEST / LOWEST)
    # The sliver added keeps a frequency that lies on a bound, such as 1/16, from falling below it by rounding.
    ring = np.floor(np.log(np.maximum(np.hypot(fx, fy), LOWEST) / LOWEST) * scale + 1e-9).astype(np.intp)
    wedge = np.floor(np.arctan2(fy, fx) / np.pi * WEDGES + 0.5).astype(np.intp) % WEDGES
    cells = np.asarray(np.minimum(ring, RINGS - 1) * WEDGES + wedge, np.intp).ravel()
    cells.flags.writeable = False
    return cells


def _share(counts: NDArray[np.float64]) -> Histogram:
    total = counts.sum()
    return counts / total if total > 0 else counts
