"""Counting quantised colours in a window that slides over a picture."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def count_alike(colours, n_colours, radius):
    """For every pixel of colours (h, w) int, the share (h, w) float64 of its window that has its colour.

    The window is the square of side 2 radius + 1, cut at the border. O(h w radius).
    """
    height, width = colours.shape
    share = np.empty((height, width))
    counts = np.zeros(n_colours, np.int64)
    for y in range(height):
        top = max(0, y - radius)
        bottom = min(height, y + radius + 1)
        counts[:] = 0
        for x in range(min(radius, width)):
            for i in range(top, bottom):
                counts[colours[i, x]] += 1
        columns = min(radius, width)
        for x in range(width):
            if x + radius < width:
                columns += 1
                for i in range(top, bottom):
                    counts[colours[i, x + radius]] += 1
            if x - radius - 1 >= 0:
                columns -= 1
                for i in range(top, bottom):
                    counts[colours[i, x - radius - 1]] -= 1
            share[y, x] = counts[colours[y, x]] / (columns * (bottom - top))
    return share
