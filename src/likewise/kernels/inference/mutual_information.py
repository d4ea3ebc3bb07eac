"""Likelihood and mutual information of logistic clusters, and their gradient by the scores.

Arrays lie cluster by item, (k, n), so that the innermost loops run over neighbouring items. The exponentials and
logarithms between the three steps are numpy's, which are vectorised. All arrays have one type, float64 or float32.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

FAST = {"reassoc", "contract", "nsz"}


class InformationTerms(NamedTuple):
    """What is weighed in Σ weight q log p + τ (H[mean p] - Σ entropy_weight H[p]).

    - `target` (k, n): q, a row a cluster.
    - `weight`, `entropy_weight` (n,): How much the likelihood and the entropy of each item count.
    - `tau`: τ.
    """

    target: NDArray[np.floating]
    weight: NDArray[np.floating]
    entropy_weight: NDArray[np.floating]
    tau: np.floating


@njit(cache=True, fastmath=FAST, error_model="numpy")
def shift_scores(scores, work):
    """Take the largest score of an item off its scores (k, n), in place; work (n,). O(kn)."""
    k, n = scores.shape
    for i in range(n):
        work[i] = scores[0, i]
    for y in range(1, k):
        for i in range(n):
            work[i] = max(work[i], scores[y, i])
    for y in range(k):
        for i in range(n):
            scores[y, i] -= work[i]


@njit(cache=True, fastmath=FAST, error_model="numpy")
def normalise(p, total, mean):
    """Divide p (k, n) by its sum over clusters, which goes into total (n,); its means into mean (k,). O(kn)."""
    k, n = p.shape
    total[:] = 0.0
    for y in range(k):
        for i in range(n):
            total[i] += p[y, i]
    for y in range(k):
        share = 0.0
        for i in range(n):
            p[y, i] /= total[i]
            share += p[y, i]
        mean[y] = share / n


@njit(cache=True, fastmath=FAST, error_model="numpy")
def evaluate_information(scores, p, log_total, mean, terms, rest):
    """Value of the InformationTerms; its gradient by the scores into rest (k, n).

    scores shifted, p (k, n); log_total (n,); mean (k,). O(kn).
    """
    target, weight, entropy_weight, tau = terms
    k, n = p.shape
    entropy, fit, across = np.zeros(n, p.dtype), np.zeros(n, p.dtype), np.zeros(n, p.dtype)
    slope = np.zeros(k, p.dtype)
    value = 0.0
    for y in range(k):
        if mean[y] > 0.0:
            slope[y] = -np.log(mean[y])
        value += tau * mean[y] * slope[y]
        slope[y] /= n
        for i in range(n):
            log_p = scores[y, i] - log_total[i]
            entropy[i] -= p[y, i] * log_p
            fit[i] += target[y, i] * log_p
            across[i] += p[y, i] * slope[y]
    for i in range(n):
        value += weight[i] * fit[i] - tau * entropy_weight[i] * entropy[i]
    for y in range(k):
        for i in range(n):
            sure = entropy_weight[i] * (scores[y, i] - log_total[i] + entropy[i])
            rest[y, i] = weight[i] * (target[y, i] - p[y, i])
            rest[y, i] += tau * p[y, i] * (sure + slope[y] - across[i])
    return value
