"""Distances from a new item to known ones under triangle inequalities, one inequality at a time."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def fix_new_distances(distances, left, right, lengths, cost, tol, max_sweeps):
    """Move distances (n,) in place as little as the triangles with given sides ask for; the number of sweeps.

    Minimises ½ Σ (e - d)² + Σ cost · (what an inequality of a triangle is missed by) by Hildreth's method, whose
    multipliers lie between 0 and the cost. Sides are left, right (m,) int64 and lengths, cost (m,). Stops when no step
    of a sweep is longer than tol. O(m) a sweep.
    """
    y = np.zeros((len(left), 3))
    for sweep in range(max_sweeps):
        longest = 0.0
        for t in range(len(left)):
            i, j = left[t], right[t]
            for side in range(3):
                # i, then j, then the given side must be no longer than the two others
                if side == 0:
                    excess = distances[i] - distances[j] - lengths[t]
                elif side == 1:
                    excess = distances[j] - distances[i] - lengths[t]
                else:
                    excess = lengths[t] - distances[i] - distances[j]
                step = min(max(0.5 * excess, -y[t, side]), cost[t] - y[t, side])
                y[t, side] += step
                distances[i] += -step if side == 0 else step
                distances[j] += -step if side == 1 else step
                longest = max(longest, abs(step))
        if longest <= tol:
            return sweep + 1
    return max_sweeps
