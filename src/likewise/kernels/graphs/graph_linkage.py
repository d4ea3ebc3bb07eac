"""Average linkage along the edges of a graph, from the means and variances of the clusters: no matrix of distances."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.kernel import kernel
from likewise.kernels.metric.centres import mean_gap, merge_sets

GONE = -1


class LinkedClusters(NamedTuple):
    """LinkedClusters that are being merged, each at its root.

    - `parent` (n,): As in union_find.
    - `sizes`, `reached` (n,): Number of items, and the height of the last merge.
    - `means`, `variances` (n, d): Those of the items.
    """

    parent: NDArray[np.int64]
    sizes: NDArray[np.float64]
    reached: NDArray[np.float64]
    means: NDArray[np.float32]
    variances: NDArray[np.float32]


class FoundMerges(NamedTuple):
    """FoundMerges in the order found: left, right (n-1,), one item of each side, and height (n-1,), their mean distance."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    height: NDArray[np.float64]


@kernel(nogil=True)
def merge_along(left, right, clusters, merges, n_merges):
    """Merge clusters along edges, always the two that are nearest; until no edge is left.

    left, right (m,): edges between roots, none given twice; clusters and merges change in place. Returns the number of
    merges, those before counted. The value of an edge is computed anew when it is looked at, and put off where it has
    risen; one that has fallen is looked at when its turn comes. Of two edges to the same cluster that of the cluster with
    more edges stays, with its value. So the order is not always that of the values: trees made so were better than those
    of plain average linkage (measured). About O(m log m · d).
    """
    n, m = clusters.parent.shape[0], left.shape[0]
    value, queue = np.empty(m), np.arange(m)
    ends = np.empty((m, 2), np.int64)
    head, degree, after = np.full(n, GONE), np.zeros(n, np.int64), np.empty((m, 2), np.int64)
    keys = _new_table(m)
    n_keys = m
    for e in range(m):
        a, b = left[e], right[e]
        value[e] = _gap(clusters, a, b)
        _put(keys, min(a, b) * n + max(a, b))
        _hang(head, degree, after, ends, a, e, 0)
        _hang(head, degree, after, ends, b, e, 1)
    for at in range(m // 2 - 1, -1, -1):
        _sink(value, queue, at, m)
    length = m
    while length > 0:
        e = queue[0]
        a, b = ends[e]
        if a != GONE:
            now = _gap(clusters, a, b)
            if now > value[e]:
                value[e] = now
                _sink(value, queue, 0, length)
                continue
        length -= 1
        queue[0] = queue[length]
        _sink(value, queue, 0, length)
        if a == GONE:
            continue
        if degree[a] < degree[b]:
            a, b = b, a
        _merge(clusters, merges, n_merges, a, b, now)
        n_merges += 1
        n_keys += _move_edges(head, degree, after, ends, keys, a, b, n)
        if 2 * n_keys > len(keys):
            keys, n_keys = _without_gone(keys, clusters.parent, n)
    return n_merges


@kernel(nogil=True)
def _gap(clusters, a, b):
    return mean_gap(clusters.means[a], clusters.variances[a], clusters.means[b], clusters.variances[b])


@kernel(nogil=True)
def _merge(clusters, merges, at, a, b, gap):
    """Cluster b becomes part of a."""
    height = max(gap, clusters.reached[a], clusters.reached[b])
    merges.left[at], merges.right[at], merges.height[at] = a, b, height
    merge_sets(clusters.means, clusters.variances, clusters.sizes, a, b)
    clusters.reached[a] = height
    clusters.parent[b] = a


@kernel(nogil=True)
def _hang(head, degree, after, ends, cluster, e, side):
    """Edge e has the cluster at this side from now on."""
    ends[e, side] = cluster
    after[e, side] = head[cluster]
    head[cluster] = 2 * e + side
    degree[cluster] += 1


@kernel(nogil=True)
def _move_edges(head, degree, after, ends, keys, a, b, n):
    """The edges of b become edges of a, but for those to clusters that a has an edge to; how many did."""
    n_new = 0
    at = head[b]
    while at != GONE:
        e, side = at // 2, at % 2
        at = after[e, side]
        other = ends[e, 1 - side]
        if ends[e, 0] == GONE:
            continue
        if other != a and _put(keys, min(a, other) * n + max(a, other)):
            _hang(head, degree, after, ends, a, e, side)
            n_new += 1
        else:
            ends[e, 0] = GONE
    return n_new


@kernel(nogil=True)
def _sink(value, queue, at, length):
    """Bring the entry at a place of the heap where it belongs; ties by the number of the edge."""
    moved = queue[at] if length > 0 else 0
    while 2 * at + 1 < length:
        child = 2 * at + 1
        if child + 1 < length and _is_before(value, queue[child + 1], queue[child]):
            child += 1
        if not _is_before(value, queue[child], moved):
            break
        queue[at] = queue[child]
        at = child
    if length > 0:
        queue[at] = moved


@kernel(nogil=True, inline="always")
def _is_before(value, e, f):
    return value[e] < value[f] or (value[e] == value[f] and e < f)


@kernel(nogil=True)
def _new_table(count):
    """An empty set of keys, with room for twice as many; -1 where nothing is."""
    size = 16
    while size < 4 * count:
        size *= 2
    return np.full(size, GONE)


@kernel(nogil=True)
def _put(keys, key):
    """Put a key into the set; whether it is new."""
    mask = len(keys) - 1
    at = (key * np.int64(0x9E3779B97F4A7C1)) >> 20 & mask
    while keys[at] != GONE and keys[at] != key:
        at = (at + 1) & mask
    is_new = keys[at] == GONE
    keys[at] = key
    return is_new


@kernel(nogil=True)
def _without_gone(keys, parent, n):
    """The set without the keys of clusters that are no more, and the number of keys."""
    count = 0
    for key in keys:
        count += key != GONE and parent[key // n] == key // n and parent[key % n] == key % n
    kept = _new_table(count)
    for key in keys:
        if key != GONE and parent[key // n] == key // n and parent[key % n] == key % n:
            _put(kept, key)
    return kept, count
