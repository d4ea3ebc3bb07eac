"""How often items are found together."""

import numpy as np
from numba import njit


@njit(cache=True)
def _count_members(order, start, together):
    for k in range(start.shape[0] - 1):
        for s in range(start[k], start[k + 1]):
            for u in range(start[k], start[k + 1]):
                together[order[s], order[u]] += 1


def count_together(labels, together):
    """Add 1 to together (n, n) for every two items with one label, labels (n,) int. O(n log n + Σ size²)."""
    order = np.argsort(labels, kind="stable")
    start = np.searchsorted(labels[order], np.arange(labels.max() + 2))
    _count_members(order, start, together)
