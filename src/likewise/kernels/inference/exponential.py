"""An exponential without a call, so that loops around it vectorise."""

from numba import njit

LEAST = -40.0
"""The least argument: below it exponentials count as nothing."""


@njit(cache=True, inline="always")
def exponential(x):
    """eˣ for x from LEAST to 0, to 1e-11 of itself: the series of e^(x/64), squared six times."""
    y = x * 0.015625
    s = 1.0 + y * (1.0 / 13.0)
    s = 1.0 + y * (1.0 / 12.0) * s
    s = 1.0 + y * (1.0 / 11.0) * s
    s = 1.0 + y * (1.0 / 10.0) * s
    s = 1.0 + y * (1.0 / 9.0) * s
    s = 1.0 + y * (1.0 / 8.0) * s
    s = 1.0 + y * (1.0 / 7.0) * s
    s = 1.0 + y * (1.0 / 6.0) * s
    s = 1.0 + y * (1.0 / 5.0) * s
    s = 1.0 + y * (1.0 / 4.0) * s
    s = 1.0 + y * (1.0 / 3.0) * s
    s = 1.0 + y * (1.0 / 2.0) * s
    s = 1.0 + y * s
    s *= s
    s *= s
    s *= s
    s *= s
    s *= s
    return s * s
