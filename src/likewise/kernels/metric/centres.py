"""Sets of vectors by their means and variances: how far sets are from each other, and vectors from their sets."""

import numpy as np

from likewise.kernels.kernel import kernel


@kernel(nogil=True)
def mean_gap(mean_a, variance_a, mean_b, variance_b):
    """Mean Euclidean distance between two sets of vectors, from their means and variances (d,) each. O(d).

    The squared distance has the mean m = Σ (g² + v), where g is the gap between the means along an axis and v the sum of the
    variances; were the vectors normal and the axes independent, its variance would be V = Σ (2 v² + 4 g² v). Then, with k =
    2 m² / V degrees of freedom, the mean of the root is √m √(1 - 1 / 2k + 1 / 8k²), nearly. Exact for single vectors.
    """
    m, V = 0.0, 0.0
    for t in range(len(mean_a)):
        gap = np.float64(mean_a[t]) - np.float64(mean_b[t])
        v = np.float64(variance_a[t]) + np.float64(variance_b[t])
        m += gap * gap + v
        V += v * (2.0 * v + 4.0 * gap * gap)
    if m <= 0.0:
        return 0.0
    share = V / (2.0 * m * m)  # 1 / k
    return np.sqrt(m * (1.0 - 0.5 * share + 0.125 * share * share))


@kernel(nogil=True)
def mean_gaps(means, variances, left, right):
    """mean_gap of the sets left (m,) and right (m,); means and variances (K, d). O(md)."""
    gaps = np.empty(len(left))
    for k in range(len(left)):
        a, b = left[k], right[k]
        gaps[k] = mean_gap(means[a], variances[a], means[b], variances[b])
    return gaps


@kernel(nogil=True)
def merge_sets(means, variances, sizes, a, b):
    """Make set b a part of set a, in place; means, variances (K, d), sizes (K,). O(d)."""
    total = sizes[a] + sizes[b]
    share = sizes[b] / total
    for t in range(means.shape[1]):
        gap = np.float64(means[b, t]) - np.float64(means[a, t])
        change = np.float64(variances[b, t]) - np.float64(variances[a, t])
        variances[a, t] += share * change + share * (1.0 - share) * gap * gap
        means[a, t] += share * gap
    sizes[a] = total


@kernel(nogil=True)
def describe_some(X, items, labels, slot, means, variances, centrality, medoids):
    """Means and variances of some sets anew, the squared distance of their vectors to the mean, and their medoids.

    items (m,): the vectors of these sets, set by set; labels (n,): set of every vector; slot (n,): row of a set, by its label, in
    means and variances (rows, d). Those, centrality (n,) and medoids (n,), the vector nearest to its mean by label, ties to the
    first, are written. O(md).
    """
    start = 0
    while start < len(items):
        label = labels[items[start]]
        stop = start
        while stop < len(items) and labels[items[stop]] == label:
            stop += 1
        mean, variance = means[slot[label]], variances[slot[label]]
        mean[:] = 0.0
        variance[:] = 0.0
        for i in items[start:stop]:
            for t in range(X.shape[1]):
                mean[t] += X[i, t]
        mean /= float(stop - start)
        best = items[start]
        for i in items[start:stop]:
            total = 0.0
            for t in range(X.shape[1]):
                gap = X[i, t] - mean[t]
                variance[t] += gap * gap
                total += gap * gap
            centrality[i] = total
            if total < centrality[best]:
                best = i
        variance /= float(stop - start)
        medoids[label] = best
        start = stop
