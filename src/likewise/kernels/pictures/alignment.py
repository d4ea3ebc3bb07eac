"""Two small grey pictures laid over each other: shifted, turned, scaled and lit so that they agree best."""

import numpy as np
from numba import njit

N_WARP = 6  # numbers of an affine map
STEPS = (12, 8, 5)  # at most, from the coarsest level on
LEAST_STEP = 1e-3  # of the side: smaller ones change nothing
LONGEST_STEP = 0.1
MOST = 0.25  # of the side: what has to be bent further is another picture
LEAST_OVERLAP = 0.5
RIDGE = 1e-6


@njit(cache=True)
def halve(picture):
    """Means of blocks of 2 × 2; picture (n, n) float64 with n even. O(n²)."""
    n = picture.shape[0] // 2
    half = np.empty((n, n))
    for y in range(n):
        for x in range(n):
            top = picture[2 * y, 2 * x] + picture[2 * y, 2 * x + 1]
            half[y, x] = 0.25 * (top + picture[2 * y + 1, 2 * x] + picture[2 * y + 1, 2 * x + 1])
    return half


@njit(cache=True)
def warp_picture(picture, warp, out):
    """Write the picture seen through an affine map, NaN where that leads outside. O(n²).

    picture and out (n, n) float64; warp (6,) float64: what is added to the identity, in sides from the centre.
    """
    n = picture.shape[0]
    middle = (n - 1) / 2
    for y in range(n):
        v = (y - middle) / n
        for x in range(n):
            u = (x - middle) / n
            at_x = (u + warp[0] * u + warp[1] * v + warp[2]) * n + middle
            at_y = (v + warp[3] * u + warp[4] * v + warp[5]) * n + middle
            if not (0 <= at_x <= n - 1 and 0 <= at_y <= n - 1):
                out[y, x] = np.nan
                continue
            i, j = min(int(at_x), n - 2), min(int(at_y), n - 2)
            right, down = at_x - i, at_y - j
            top = (1 - right) * picture[j, i] + right * picture[j, i + 1]
            bottom = (1 - right) * picture[j + 1, i] + right * picture[j + 1, i + 1]
            out[y, x] = (1 - down) * top + down * bottom


@njit(cache=True)
def step_warp(a, b, warp, seen):
    """Improve a map of b onto a by one Gauss-Newton step, brightness and contrast free; the length of the step. O(n²).

    a, b and seen (n, n) float64, the last to be written over; warp (6,) float64, changed.
    """
    n = a.shape[0]
    middle = (n - 1) / 2
    warp_picture(b, warp, seen)
    products, wanted, row = np.zeros((N_WARP + 2, N_WARP + 2)), np.zeros(N_WARP + 2), np.empty(N_WARP + 2)
    for y in range(1, n - 1):
        v = (y - middle) / n
        for x in range(1, n - 1):
            across = 0.5 * n * (seen[y, x + 1] - seen[y, x - 1])
            along = 0.5 * n * (seen[y + 1, x] - seen[y - 1, x])
            if np.isnan(across + along + seen[y, x]):
                continue
            u = (x - middle) / n
            row[0], row[1], row[2] = across * u, across * v, across
            row[3], row[4], row[5] = along * u, along * v, along
            row[6], row[7] = -a[y, x], -1.0
            for i in range(N_WARP + 2):
                wanted[i] -= row[i] * seen[y, x]
                for j in range(i + 1):
                    products[i, j] += row[i] * row[j]
    for i in range(N_WARP + 2):
        products[i, i] += RIDGE * products[i, i] + 1e-9
        for j in range(i):
            products[j, i] = products[i, j]
    step = np.linalg.solve(products, wanted)
    longest = 0.0
    for i in range(N_WARP):
        part = min(max(step[i], -LONGEST_STEP), LONGEST_STEP)
        warp[i] += part
        longest = max(longest, abs(part))
    return longest


@njit(cache=True)
def correlate_gradients(a, b):
    """Cosine of the brightness gradients of two pictures where neither is NaN; -1 where that is too little. O(n²).

    a and b (n, n) float64. Edges decide, not light: a flat picture correlates with none.
    """
    n = a.shape[0]
    own, other, both, count = 0.0, 0.0, 0.0, 0
    for y in range(1, n - 1):
        for x in range(1, n - 1):
            a_x, a_y = a[y, x + 1] - a[y, x - 1], a[y + 1, x] - a[y - 1, x]
            b_x, b_y = b[y, x + 1] - b[y, x - 1], b[y + 1, x] - b[y - 1, x]
            if np.isnan(a_x + a_y + b_x + b_y):
                continue
            count += 1
            own += a_x * a_x + a_y * a_y
            other += b_x * b_x + b_y * b_y
            both += a_x * b_x + a_y * b_y
    if count < LEAST_OVERLAP * (n - 2) * (n - 2) or own <= 0.0 or other <= 0.0:
        return -1.0
    return both / np.sqrt(own * other)


@njit(cache=True)
def align_pictures(a, b, least):
    """How alike two pictures are once b is laid over a as well as it can be: -1 to 1. O(n²).

    Pyramid of three levels, each from where the coarser one ended. a and b (n, n) float64 with n a multiple of 4, from
    0 to 1; below `least` at the coarsest level the finer ones are not tried.
    """
    warp = np.zeros(N_WARP)
    half_a, half_b = halve(a), halve(b)
    levels = [(halve(half_a), halve(half_b)), (half_a, half_b), (a, b)]
    found = -1.0
    for k in range(3):
        own, other = levels[k]
        seen = np.empty_like(other)
        for _ in range(STEPS[k]):
            if step_warp(own, other, warp, seen) < LEAST_STEP or np.abs(warp).max() > MOST:
                break
        if np.abs(warp).max() > MOST:  # what moved between the two leads astray: as they are, then
            return correlate_gradients(a, b)
        warp_picture(other, warp, seen)
        found = correlate_gradients(own, seen)
        if found < least:
            break
    return found
