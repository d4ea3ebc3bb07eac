"""What ``alignment`` does, with whole arrays and nothing to compile: twenty times slower, and there at once.

Compiling takes ten seconds, which the first question would wait for; a few hundred comparisons take less.
"""

from functools import cache

import numpy as np

from likewise.kernels.pictures.alignment import LEAST_OVERLAP, LEAST_STEP, LONGEST_STEP, MOST, N_WARP, RIDGE, STEPS


@cache
def places(n):
    """Where the pixels are, in sides from the centre: across and along, each (n, n) float64. O(n²)."""
    at = (np.arange(n) - (n - 1) / 2) / n
    return np.broadcast_to(at, (n, n)), np.broadcast_to(at[:, None], (n, n))


def halve(picture):
    """Means of blocks of 2 × 2; picture (n, n) float64 with n even. O(n²)."""
    rows = picture[::2] + picture[1::2]
    return 0.25 * (rows[:, ::2] + rows[:, 1::2])


def see_through(picture, warp):
    """The picture seen through an affine map, NaN where that leads outside. O(n²).

    picture (n, n) float64; warp (6,) float64: what is added to the identity, in sides from the centre.
    """
    n = picture.shape[0]
    middle = (n - 1) / 2
    u, v = places(n)
    at_x = (u + warp[0] * u + warp[1] * v + warp[2]) * n + middle
    at_y = (v + warp[3] * u + warp[4] * v + warp[5]) * n + middle
    outside = (at_x < 0) | (at_x > n - 1) | (at_y < 0) | (at_y > n - 1)
    i, j = np.clip(at_x.astype(np.int64), 0, n - 2), np.clip(at_y.astype(np.int64), 0, n - 2)
    right, down = at_x - i, at_y - j
    flat, first = picture.ravel(), j * n + i
    top = (1 - right) * flat.take(first) + right * flat.take(first + 1)
    bottom = (1 - right) * flat.take(first + n) + right * flat.take(first + n + 1)
    seen = (1 - down) * top + down * bottom
    seen[outside] = np.nan
    return seen


def improve_warp(a, b, warp):
    """Improve a map of b onto a by one Gauss-Newton step, brightness and contrast free; the length of the step. O(n²).

    a and b (n, n) float64; warp (6,) float64, changed.
    """
    n = a.shape[0]
    seen = see_through(b, warp)
    across, along = gradients(seen)
    across, along, inner = 0.5 * n * across, 0.5 * n * along, seen[1:-1, 1:-1]
    known = ~np.isnan(across + along + inner)
    across, along = across[known], along[known]
    u, v = (each[1:-1, 1:-1][known] for each in places(n))
    own = a[1:-1, 1:-1][known]
    rows = np.stack([across * u, across * v, across, along * u, along * v, along, -own, -np.ones(len(u))])
    products = np.einsum("ik,jk->ij", rows, rows)  # sums in the same order whatever the number of threads
    wanted = -np.einsum("ik,k->i", rows, inner[known])
    products[np.diag_indices(N_WARP + 2)] *= 1 + RIDGE
    products[np.diag_indices(N_WARP + 2)] += 1e-9
    step = np.clip(np.linalg.solve(products, wanted)[:N_WARP], -LONGEST_STEP, LONGEST_STEP)
    warp += step
    return np.abs(step).max()


def gradients(a):
    """Differences of the neighbours of each inner pixel, across and along; a (n, n) float64, out (n - 2, n - 2). O(n²)."""
    return a[1:-1, 2:] - a[1:-1, :-2], a[2:, 1:-1] - a[:-2, 1:-1]


def correlate_arrays(a, b):
    """Cosine of the brightness gradients of two pictures where neither is NaN; -1 where that is too little. O(n²).

    a and b (n, n) float64. Edges decide, not light: a flat picture correlates with none.
    """
    n = a.shape[0]
    (a_x, a_y), (b_x, b_y) = gradients(a), gradients(b)
    known = ~np.isnan(a_x + a_y + b_x + b_y)
    own = np.sum(a_x * a_x + a_y * a_y, where=known)
    other = np.sum(b_x * b_x + b_y * b_y, where=known)
    if np.count_nonzero(known) < LEAST_OVERLAP * (n - 2) * (n - 2) or own <= 0.0 or other <= 0.0:
        return -1.0
    return float(np.sum(a_x * b_x + a_y * b_y, where=known) / np.sqrt(own * other))


def spread_gradients(a):
    """Over what share of a picture its brightness gradients are spread: 1 evenly, towards 0 in few places. O(n²).

    a (n, n) float64; 0 for a flat one.
    """
    across, along = gradients(a)
    steep = across**2 + along**2
    total, squares = steep.sum(), (steep * steep).sum()
    return 0.0 if squares <= 0.0 else float(total * total / (squares * steep.size))


def align_arrays(a, b, least):
    """How alike two pictures are once b is laid over a as well as it can be: -1 to 1. O(n²).

    Pyramid of three levels, each from where the coarser one ended. a and b (n, n) float64 with n a multiple of 4, from
    0 to 1; below `least` at the coarsest level the finer ones are not tried.
    """
    warp = np.zeros(N_WARP)
    half_a, half_b = halve(a), halve(b)
    found = -1.0
    for steps, own, other in zip(STEPS, (halve(half_a), half_a, a), (halve(half_b), half_b, b), strict=True):
        for _ in range(steps):
            if improve_warp(own, other, warp) < LEAST_STEP or np.abs(warp).max() > MOST:
                break
        if np.abs(warp).max() > MOST:  # what moved between the two leads astray: as they are, then
            return correlate_arrays(a, b)
        found = correlate_arrays(own, see_through(other, warp))
        if found < least:
            break
    return found
