"""Many weighted logistic regressions on the same instances at once: what comes before and after the products.

Arrays lie class by instance, (k, n).
"""

import numpy as np
from numba import njit

BOUND = 300.0
"""Scores are cut here for probabilities, so that none is zero."""

FAST = {"reassoc", "contract", "nsz"}


@njit(cache=True, fastmath=FAST, error_model="numpy")
def squash_scores(scores, on, off, log_off):
    """σ(f), 1 - σ(f) and log(1 - σ(f)) of scores (k, n) into on, off, log_off (k, n). O(kn)."""
    for c in range(scores.shape[0]):
        for i in range(scores.shape[1]):
            f = min(max(scores[c, i], -BOUND), BOUND)
            e = np.exp(-abs(f))
            share = 1.0 / (1.0 + e)
            on[c, i] = share if f >= 0.0 else e * share
            off[c, i] = e * share if f >= 0.0 else share
            log_off[c, i] = np.log(share) - max(scores[c, i], 0.0)


@njit(cache=True, fastmath=FAST, error_model="numpy")
def evaluate_scores(scores, weight, target, value, curvature, rest):
    """Log likelihood of each regression, its mean curvature, and the residuals that its gradient is made of.

    scores, weight, target (k, n): Σ target f - weight log(1 + eᶠ) goes into value (k,), the mean of
    weight σ (1 - σ) into curvature (k,), target - weight σ into rest (k, n). O(kn).
    """
    k, n = scores.shape
    for c in range(k):
        total, bend = 0.0, 0.0
        for i in range(n):
            f = scores[c, i]
            e = np.exp(-abs(f))
            share = 1.0 / (1.0 + e)
            on = share if f >= 0.0 else e * share
            total += target[c, i] * f - weight[c, i] * (max(f, 0.0) - np.log(share))
            bend += weight[c, i] * e * share * share
            rest[c, i] = target[c, i] - weight[c, i] * on
        value[c] = total
        curvature[c] = bend / n
