"""Labels spread over a graph of neighbours; every item carries its few strongest."""

import numpy as np
from numba import njit


@njit(cache=True)
def spread_labels(graph, labels, fixed, row, barred, share, n_steps, n_kept):
    """Shares of labels that items receive from their neighbours and keep of their own.

    In each step an item takes `share` of what it carries from its neighbours and the rest from its own label; fixed
    items carry their own alone. graph: starts (n+1,), ends (m,), weights (m,), rows adding up to 1 (or 0); labels
    (n,) 0 … K-1; fixed (n,) bool; row (n,): the item's row in barred (r, K) bool of labels it may not carry, or -1.
    Returns carried (n, n_kept) int64, strongest first, -1 where nothing is, and shares (n, n_kept). O(steps · m ·
    n_kept).
    """
    n = labels.shape[0]
    carried, shares = np.full((n, n_kept), -1, np.int64), np.zeros((n, n_kept))
    carried[:, 0] = labels
    shares[:, 0] = 1.0
    for _ in range(n_steps):
        carried, shares = _step(graph, labels, fixed, row, barred, share, carried, shares)
    return carried, shares


@njit(cache=True)
def _step(graph, labels, fixed, row, barred, share, carried, shares):
    starts, ends, weights = graph
    n_clusters = barred.shape[1]
    new_carried, new_shares = np.full_like(carried, -1), np.zeros_like(shares)
    total = np.zeros(n_clusters)
    touched = np.empty(n_clusters, np.int64)
    for i in range(labels.shape[0]):
        new_carried[i, 0] = labels[i]
        new_shares[i, 0] = 1.0
        if fixed[i] or starts[i] == starts[i + 1]:
            continue
        total[labels[i]] = 1.0 - share
        touched[0] = labels[i]
        n_touched = 1
        for e in range(starts[i], starts[i + 1]):
            j = ends[e]
            for s in range(carried.shape[1]):
                c = carried[j, s]
                amount = share * weights[e] * shares[j, s]
                if c < 0 or amount <= 0.0:
                    break
                if total[c] == 0.0:
                    touched[n_touched] = c
                    n_touched += 1
                total[c] += amount
        if row[i] >= 0:
            for t in range(n_touched):
                if barred[row[i], touched[t]]:
                    total[touched[t]] = 0.0
        _keep_strongest(total, touched[:n_touched], new_carried[i], new_shares[i])
    return new_carried, new_shares


@njit(cache=True)
def _keep_strongest(total, touched, carried, shares):
    """The largest positive totals, ties to the lower label, scaled to add up to 1; totals are cleared."""
    carried[:] = -1
    shares[:] = 0.0
    for c in touched:
        value = total[c]
        total[c] = 0.0
        at = len(shares) if value > 0.0 else 0
        while at > 0 and (shares[at - 1] < value or (shares[at - 1] == value and carried[at - 1] > c)):
            at -= 1
        if value > 0.0 and at < len(shares):
            for s in range(len(shares) - 1, at, -1):
                shares[s], carried[s] = shares[s - 1], carried[s - 1]
            shares[at], carried[at] = value, c
    shares /= shares.sum()


@njit(cache=True)
def sum_leaks(graph, labels, carried, shares, n_clusters):
    """What the items of each cluster receive of each label, (K, K); arguments as in spread_labels. O(m · n_kept)."""
    starts, ends, weights = graph
    leaks = np.zeros((n_clusters, n_clusters))
    for i in range(labels.shape[0]):
        for e in range(starts[i], starts[i + 1]):
            j = ends[e]
            for s in range(carried.shape[1]):
                if carried[j, s] >= 0:
                    leaks[labels[i], carried[j, s]] += weights[e] * shares[j, s]
    return leaks
