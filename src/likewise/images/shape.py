"""The shape of a silhouette: histograms of the curvature of its outline over many scales."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from likewise.images.colour import Histogram, Picture, luminance
from likewise.kernels.pictures.curvature import find_outline, measure_discs

__all__ = ["curvature_histogram", "silhouette"]

SIDE = 128.0  # the silhouette is scaled to the area of a square of this side
LONGEST = 1024  # pixels, so that a thread is not scaled to a cable
RADII = np.geomspace(2.0, 64.0, 15) / SIDE  # of the discs, in sides of that square
LEVELS = 21
CROSS = ndimage.generate_binary_structure(2, 1)


def curvature_histogram(picture: Picture) -> Histogram:
    """How much and how finely the outline of a picture's silhouette bends, whatever way it is turned.

    Around every point of the outline discs of 15 radii are laid, from 1/64 to 1/2 of the root of the silhouette's
    area. The share of a disc's area that is inside the silhouette, and the share of its circle, are a half where
    the outline is straight at that scale, less at a tip and more in a notch. Each share has a histogram of 21
    levels for each radius.

    - `picture` (h, w, 3), uint8: RGB: one object that is darker or lighter than what is around it.
    - Returns ndarray of shape (630,): Index (area or circle, radius, level), the last the fastest. Sums to 1, every
      21 alike, or is all zero for a picture of a single grey. Meant for the χ² distance.

    References
    ----------
    N. Kumar et al., "Leafsnap: a computer vision system for automatic plant species identification", ECCV 2012,
    section 5. Here the outline is found to a fraction of a pixel and weighted by its length, radii are relative to
    the silhouette and grow geometrically (15 instead of 25), and levels are shared with the next.

    Examples
    --------
    >>> rows, columns = np.mgrid[:64, :64]
    >>> disc = np.where((rows - 32) ** 2 + (columns - 32) ** 2 < 400, 255, 0)
    >>> histogram = curvature_histogram(np.repeat(disc[..., None], 3, axis=2).astype(np.uint8)).reshape(2, 15, 21)
    >>> [int(level) for level in histogram[0].argmax(axis=1)]  # ever less than half of a growing disc is inside
    [10, 10, 10, 10, 10, 10, 10, 10, 10, 9, 9, 9, 9, 8, 8]
    """
    inside = silhouette(picture)
    if not inside.any():
        return np.zeros(2 * len(RADII) * LEVELS)
    inside, side = _scale(inside)
    points, lengths = find_outline(inside)
    shares = measure_discs(inside, points, RADII * side)
    return _histograms(shares, lengths / lengths.sum()).ravel() / (2 * len(RADII))


def silhouette(picture: Picture) -> NDArray[np.float64]:
    """Find the one object of a picture by its brightness: how much of each pixel it covers.

    Otsu's threshold parts light from dark; what most of the border is counts as background. The largest connected
    part of the rest is the object, its holes filled. Pixels of its outline are covered by the degree of their
    brightness, which keeps the outline where it is to a fraction of a pixel.

    - `picture` (h, w, 3), uint8: RGB.
    - Returns ndarray of shape (h, w): From 0 to 1; all zero for a picture of a single grey.

    Examples
    --------
    >>> picture = np.full((5, 5, 3), 255, np.uint8)
    >>> picture[1:4, 2] = 0
    >>> silhouette(picture)[:, 2]
    array([0., 1., 1., 1., 0.])
    """
    grey = np.rint(luminance(picture) * 255).astype(np.intp)
    if grey.min() == grey.max():
        return np.zeros(grey.shape)
    threshold = _otsu(grey)
    light = grey > threshold
    border = np.concatenate([light[0], light[-1], light[:, 0], light[:, -1]])
    mask = light if border.mean() < 0.5 else ~light
    foreground, background = grey[mask].mean(), grey[~mask].mean()
    whole = ndimage.binary_fill_holes(_largest(mask))
    near = ndimage.binary_dilation(whole, CROSS)
    core = ndimage.binary_erosion(whole, CROSS)
    covered = np.clip((grey - background) / (foreground - background), 0, 1) + 0.0  # no negative zeros
    return np.where(core, 1.0, np.where(near, covered, 0.0))


def _otsu(grey: NDArray[np.intp]) -> int:
    """The level that parts grey values 0 … 255 into two classes with the least variance within."""
    counts = np.bincount(grey.ravel(), minlength=256).astype(np.float64)
    below = np.cumsum(counts)[:-1]
    above = counts.sum() - below
    total = np.cumsum(counts * np.arange(256))
    with np.errstate(invalid="ignore", divide="ignore"):
        between = below * above * (total[:-1] / below - (total[-1] - total[:-1]) / above) ** 2
    return int(np.nanargmax(between))


def _largest(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    parts, _ = ndimage.label(mask, CROSS)
    sizes = np.bincount(parts.ravel())
    sizes[0] = 0
    return np.asarray(parts == sizes.argmax())


def _scale(inside: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Cut the object out with a margin and scale it to the standard area; and the root of its area then."""
    rows, columns = np.nonzero(inside)
    cut = inside[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    factor = min(SIDE / np.sqrt(cut.sum()), LONGEST / max(cut.shape))
    margin = 1 + int(np.ceil(1 / factor))
    padded = np.pad(cut, margin)
    height, width = (max(1, round(n * factor)) for n in padded.shape)
    image = Image.fromarray(padded.astype(np.float32)).resize((width, height), Image.Resampling.BILINEAR)
    scaled = np.pad(np.clip(np.asarray(image, np.float64), 0, 1), 1)
    return scaled, float(np.sqrt(scaled.sum()))


def _histograms(shares: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Histograms (2, radii, levels) of shares (n, radii, 2), a share between two levels counting for both."""
    level = np.clip(np.moveaxis(shares, 0, -1).transpose(1, 0, 2) * LEVELS - 0.5, 0, LEVELS - 1)
    low = np.minimum(level.astype(np.intp), LEVELS - 2)
    high_part = (level - low) * weights
    low_part = weights - high_part
    start = LEVELS * np.arange(level.shape[0] * level.shape[1]).reshape(*level.shape[:2], 1)
    n_cells = start.size * LEVELS
    counts = np.bincount((start + low).ravel(), low_part.ravel(), n_cells).astype(np.float64)
    counts += np.bincount((start + low + 1).ravel(), high_part.ravel(), n_cells)
    return counts.reshape(*level.shape[:2], LEVELS)
