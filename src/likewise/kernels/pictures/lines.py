"""Votes of a picture's gradients for the straight lines they lie on."""

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def vote_lines(gx, gy, n_angles, n_distances, floor):
    """Votes (n_angles, n_distances) float64 for lines, from gradients gx, gy (h, w) float64. O(h w).

    Every pixel votes with the length of its gradient, where that is above floor, for the line through it that is
    perpendicular to the gradient: the angle of the normal in [0, pi), in cells centred on multiples of
    pi / n_angles, and its signed distance from the centre, in cells from minus to plus half the diagonal. A vote
    is shared between the two nearest cells of both; going round by pi turns the distance's sign.
    """
    height, width = gx.shape
    votes = np.zeros((n_angles, n_distances))
    half = math.hypot(height, width) / 2
    for i in range(height):
        y = i - (height - 1) / 2
        for j in range(width):
            length = math.hypot(gx[i, j], gy[i, j])
            if length <= floor:
                continue
            x = j - (width - 1) / 2
            angle = math.atan2(gy[i, j], gx[i, j])
            distance = (x * gx[i, j] + y * gy[i, j]) / length
            if angle < 0:
                angle += math.pi
                distance = -distance
            a = angle / math.pi * n_angles
            d = (distance / half + 1) / 2 * n_distances - 0.5
            a_low = math.floor(a)
            d_low = math.floor(d)
            for a_step in range(2):
                a_share = a - a_low if a_step else 1 - (a - a_low)
                for d_step in range(2):
                    d_share = d - d_low if d_step else 1 - (d - d_low)
                    row = a_low + a_step
                    column = min(max(d_low + d_step, 0), n_distances - 1)
                    if row >= n_angles:
                        row -= n_angles
                        column = n_distances - 1 - column
                    votes[row, column] += length * a_share * d_share
    return votes
