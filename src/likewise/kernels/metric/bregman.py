"""Bregman projections of ITML: rank-one changes of a metric, one pair at a time."""

import numpy as np
from numba import njit


@njit(cache=True)
def project_pairs(A, V, sign, bound, multiplier, gamma, n_sweeps, tol):
    """Cyclic projections onto "the squared length of V[i] is at most (sign 1) or at least (sign -1) its bound"; in place.

    A (d, d), V (m, d), sign, bound, multiplier (m,) float64; gamma > 0, infinite for hard bounds. Stops when the multipliers change by less than
    ``tol`` of their sum in a sweep; returns the number of sweeps. O(n_sweeps · m · d²).
    """
    d = A.shape[0]
    slack = 1.0 if np.isinf(gamma) else gamma / (gamma + 1.0)
    for sweep in range(n_sweeps):
        change = 0.0
        total = 0.0
        for i in range(V.shape[0]):
            Av = A @ V[i]
            length = 0.0
            for a in range(d):
                length += V[i, a] * Av[a]
            if length > 0.0:
                step = min(multiplier[i], sign[i] * slack * (1.0 / length - 1.0 / bound[i]))
                multiplier[i] -= step
                change += abs(step)
                beta = sign[i] * step / (1.0 - sign[i] * step * length)
                if not np.isinf(gamma):
                    bound[i] = 1.0 / (1.0 / bound[i] + sign[i] * step / gamma)
                for a in range(d):
                    for b in range(d):
                        A[a, b] += beta * Av[a] * Av[b]
            total += multiplier[i]
        if change <= tol * max(total, 1e-300):
            return sweep + 1
    return n_sweeps
