"""The outline of a silhouette, and how much of a disc around each of its points lies inside it."""

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def find_outline(inside):
    """The line along which a field inside (h, w) float64 crosses a half, by marching squares. O(h w).

    Returns the middles (n, 2) float64 of its short straight pieces as (row, column), and their lengths (n,)
    float64, in the order of the squares they lie in.
    """
    height, width = inside.shape
    middles = np.empty((2 * height * width, 2))
    lengths = np.empty(2 * height * width)
    ends = np.empty((4, 2))
    n = 0
    for i in range(height - 1):
        for j in range(width - 1):
            a, b = inside[i, j] - 0.5, inside[i, j + 1] - 0.5
            d, c = inside[i + 1, j] - 0.5, inside[i + 1, j + 1] - 0.5
            found = 0
            # The sides in turn: top, right, bottom, left; a side is crossed where its ends differ in sign.
            if (a >= 0) != (b >= 0):
                ends[found, 0], ends[found, 1] = i, j + a / (a - b)
                found += 1
            if (b >= 0) != (c >= 0):
                ends[found, 0], ends[found, 1] = i + b / (b - c), j + 1
                found += 1
            if (d >= 0) != (c >= 0):
                ends[found, 0], ends[found, 1] = i + 1, j + d / (d - c)
                found += 1
            if (a >= 0) != (d >= 0):
                ends[found, 0], ends[found, 1] = i + a / (a - d), j
                found += 1
            # Four crossings are two pieces; which ends belong together, the square's middle tells.
            turn = 3 if found == 4 and (a >= 0) != (a + b + c + d >= 0) else 0
            for k in range(0, found, 2):
                s, t = (k + turn) % 4, (k + 1 + turn) % 4
                middles[n, 0] = (ends[s, 0] + ends[t, 0]) / 2
                middles[n, 1] = (ends[s, 1] + ends[t, 1]) / 2
                lengths[n] = math.hypot(ends[s, 0] - ends[t, 0], ends[s, 1] - ends[t, 1])
                n += 1
    return middles[:n].copy(), lengths[:n].copy()


@njit(cache=True, nogil=True, inline="always")
def _sum_to(sums, width, at):
    """Sum of a row up to a place between its pixels; pixel j covers j - 1/2 to j + 1/2."""
    at = min(max(at + 0.5, 0.0), float(width))
    low = min(int(at), width - 1)
    return sums[low] + (at - low) * (sums[low + 1] - sums[low])


@njit(cache=True, nogil=True)
def measure_discs(inside, points, radii):
    """Shares (n, m, 2) float64 of disc area and of circle length inside a silhouette. O(h w + n sum of radii).

    inside (h, w) float64 is how much of each pixel the silhouette covers, points (n, 2) float64 the centres as
    (row, column), radii (m,) float64. What lies outside the picture is outside the silhouette. A disc is cut in
    strips, each summed along its middle between the two nearest rows; a circle is sampled at every pixel of its length.
    """
    height, width = inside.shape
    sums = np.zeros((height, width + 1))
    for i in range(height):
        for j in range(width):
            sums[i, j + 1] = sums[i, j] + inside[i, j]
    out = np.empty((points.shape[0], radii.shape[0], 2))
    for k in range(radii.shape[0]):
        radius = radii[k]
        steps = max(16, math.ceil(2 * math.pi * radius))
        cosines = np.cos(2 * math.pi * np.arange(steps) / steps) * radius
        sines = np.sin(2 * math.pi * np.arange(steps) / steps) * radius
        strips = max(16, math.ceil(2 * radius))
        offsets = radius * ((2 * np.arange(strips) + 1) / strips - 1)
        halves = np.sqrt(radius * radius - offsets * offsets)
        area = 2 * halves.sum()
        for p in range(points.shape[0]):
            y, x = points[p, 0], points[p, 1]
            covered = 0.0
            for s in range(strips):
                v = y + offsets[s]
                i = math.floor(v)
                left, right = x - halves[s], x + halves[s]
                if 0 <= i < height:
                    covered += (1 - (v - i)) * (_sum_to(sums[i], width, right) - _sum_to(sums[i], width, left))
                if 0 <= i + 1 < height:
                    covered += (v - i) * (_sum_to(sums[i + 1], width, right) - _sum_to(sums[i + 1], width, left))
            out[p, k, 0] = covered / area
            along = 0.0
            for s in range(steps):
                v, u = y + sines[s], x + cosines[s]
                i, j = math.floor(v), math.floor(u)
                if 0 <= i < height - 1 and 0 <= j < width - 1:
                    v -= i
                    u -= j
                    top = inside[i, j] * (1 - u) + inside[i, j + 1] * u
                    bottom = inside[i + 1, j] * (1 - u) + inside[i + 1, j + 1] * u
                    along += top * (1 - v) + bottom * v
            out[p, k, 1] = along / steps
    return out
