"""Places in the plane that keep neighbours together, in the manner of UMAP.

L. McInnes, J. Healy and J. Melville, UMAP: Uniform Manifold Approximation and Projection for Dimension Reduction,
arXiv:1802.03426, 2018: fuzzy weights (section 3.1, algorithms 2 and 3) and the layout by stochastic gradient
(section 3.2, algorithm 5), with the paper's curve 1 / (1 + a d^2b). Here an item may have a rate of its own, so that
what was placed before moves little; one thread, and the same seed gives the same places.
"""

import math

import numpy as np
from numba import njit

CURVE = (1.5769434603113077, 0.8950608779109733)
"""a and b of the curve that is nearest to 1 up to a distance of 0.1 and exp(0.1 - d) beyond (the paper's min-dist)."""

NEAR = 1e-3
"""Squared distance below which two places no longer push each other harder."""
LONGEST = 4.0
"""A step is no longer than this along either axis."""
BISECTIONS = 64


@njit(cache=True, nogil=True)
def weigh_neighbours(distances):
    """Fuzzy weights (n, k) float64 of the k nearest of each item, from their distances (n, k), ascending. O(nk).

    The nearest has weight 1, the others fall off so that the weights sum to log2 k.
    """
    n, k = distances.shape
    weights = np.empty((n, k))
    wanted = math.log2(k)
    floor = 1e-3 * distances.mean()
    for i in range(n):
        nearest = 0.0
        for j in range(k):
            if distances[i, j] > 0:
                nearest = distances[i, j]
                break
        low, high, width = 0.0, np.inf, 1.0
        for _ in range(BISECTIONS):
            total = 0.0
            for j in range(k):
                total += math.exp(-max(0.0, distances[i, j] - nearest) / width)
            if total > wanted:
                high = width
                width = (low + high) / 2
            else:
                low = width
                width = width * 2 if high == np.inf else (low + high) / 2
        width = max(width, floor, 1e-12)
        for j in range(k):
            weights[i, j] = math.exp(-max(0.0, distances[i, j] - nearest) / width)
    return weights


@njit(cache=True, nogil=True)
def pull(squared, a, b):
    """How hard two joined places pull each other, at a squared distance: times their difference, the gradient. O(1)."""
    if squared <= 0:
        return 0.0
    return 2 * a * b * squared ** (b - 1) / (1 + a * squared**b)


@njit(cache=True, nogil=True)
def push(squared, a, b):
    """How hard two places push each other away, as :func:`pull`. O(1)."""
    squared = max(squared, NEAR)
    return 2 * b / (squared * (1 + a * squared**b))


@njit(cache=True, nogil=True)
def move_places(places, heads, tails, weights, rates, n_epochs, n_pushes, seed):
    """Move places (n, 2) float64 by stochastic gradient, as they are. O(n_epochs · m · n_pushes).

    heads, tails (m,) int64 are joined, every pair both ways; an edge takes part in a share of the epochs, its weight
    (m,) over the largest. Each time its ends pull each other, and its head is pushed away from n_pushes others, drawn
    at random. rates (n,): what an item's steps are multiplied by. Steps shrink to nothing towards the last epoch.
    """
    a, b = CURVE
    n, m = places.shape[0], heads.shape[0]
    if m == 0 or n < 2:
        return
    every = weights.max() / weights
    due = every.copy()
    state = np.uint64(seed) * np.uint64(2654435769) + np.uint64(88172645463325252)
    for epoch in range(n_epochs):
        step = 1.0 - epoch / n_epochs
        for e in range(m):
            if due[e] > epoch + 1:
                continue
            due[e] += every[e]
            i, j = heads[e], tails[e]
            dx, dy = places[i, 0] - places[j, 0], places[i, 1] - places[j, 1]
            force = step * pull(dx * dx + dy * dy, a, b)
            sx, sy = clip_step(force * dx), clip_step(force * dy)
            places[i, 0] -= rates[i] * sx
            places[i, 1] -= rates[i] * sy
            places[j, 0] += rates[j] * sx
            places[j, 1] += rates[j] * sy
            for _ in range(n_pushes):
                state ^= state << np.uint64(13)
                state ^= state >> np.uint64(7)
                state ^= state << np.uint64(17)
                other = np.int64(state % np.uint64(n))
                if other == i:
                    continue
                dx, dy = places[i, 0] - places[other, 0], places[i, 1] - places[other, 1]
                force = step * push(dx * dx + dy * dy, a, b)
                places[i, 0] += rates[i] * clip_step(force * dx)
                places[i, 1] += rates[i] * clip_step(force * dy)


@njit(cache=True, nogil=True)
def clip_step(value):
    """A step that is not too long. O(1)."""
    return min(LONGEST, max(-LONGEST, value))
