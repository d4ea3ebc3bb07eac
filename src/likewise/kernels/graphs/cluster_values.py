"""What is computed of clusters, and of parts of them, after every answer."""

import math

import numpy as np

from likewise.kernels.kernel import kernel

LARGEST = math.log(np.finfo(np.float64).max)  # the exponential of more is infinite


@kernel(nogil=True)
def find_medoids(labels, centrality):
    """The item of each cluster with the lowest centrality (n,), ties to the lower item; labels (n,) below n.

    Returns medoids (n,) by label, -1 where there is no such cluster.
    """
    medoids = np.full(len(labels), -1)
    for i in range(len(labels)):
        best = medoids[labels[i]]
        if best < 0 or centrality[i] < centrality[best]:
            medoids[labels[i]] = i
    return medoids


@kernel(nogil=True)
def find_own_shares(items, labels, layer, first, own):
    """The share of its own label that each of some items (m,) carries, written to own (n,) by the place of the item.

    labels (n,); layer: carried, shares (n, k) as in propagation; first (2n-1,): place of every item among the leaves of a tree.
    """
    carried, shares = layer
    for i in items:
        own[first[i]] = 0.0
        for s in range(carried.shape[1]):
            if carried[i, s] == labels[i]:
                own[first[i]] = shares[i, s]
                break


@kernel(nogil=True)
def merge_probabilities(left, right, leaks, gaps, sizes, curve, least_leak):
    """Probability that clusters are the same (m,), 0 where one of them is no more.

    left, right (m,): the clusters; leaks (m,): share of the one around the other; gaps (m,): their mean distance; sizes (n,), by
    label; curve: a, b, c of the log-odds a - b d - c log s.
    """
    found, logs = np.zeros(len(left)), np.zeros(len(sizes))
    for side in (left, right):
        for c in side:
            if logs[c] == 0.0 and sizes[c] > 1.0:
                logs[c] = math.log(sizes[c])
    tiny = np.finfo(np.float64).tiny
    for k in range(len(left)):
        a, b = left[k], right[k]
        if sizes[a] > 0.0 and sizes[b] > 0.0:
            near = _share(curve[1] * gaps[k] + curve[2] * (logs[a] + logs[b]) - curve[0])
            found[k] = max(near, tiny) * min(1.0, 2.0 * np.sqrt(leaks[k] + least_leak))
    return found


@kernel(nogil=True)
def part_values(parts, sizes, curve):
    """Value of asking whether parts belong to their clusters, (m,).

    parts: BlockValues, with the mean share of their own label; sizes (n,) by label; curve: as in merge_probabilities. The value
    is (1 - P)^1.5 |S| (|C| - |S|) (people confirm members more often than expected; measured), with P the mean of the
    probability at the merge above the part S and of the mean share of its own label.
    """
    found = np.empty(len(parts.size))
    for k in range(len(found)):
        joined = 0.0
        if parts.height[k] >= 0.0:
            joined = _share(curve[1] * parts.height[k] + curve[2] * parts.log_pairs[k] - curve[0])
        doubt = max(1.0 - (joined + parts.share[k]) / 2.0, 1e-9)
        found[k] = doubt * np.sqrt(doubt) * parts.size[k] * (sizes[parts.label[k]] - parts.size[k])
    return found


@kernel(nogil=True)
def _share(odds):
    """1 / (1 + e^odds)."""
    return 0.0 if odds > LARGEST else 1.0 / (1.0 + math.exp(odds))


@kernel(nogil=True)
def assign_groups(groups, starts, ends, labels, others_starts, others, home):
    """Let groups (m,) take clusters, one after another, in place: home (G,) is the label of every group's cluster.

    Group k takes the first of labels[starts[k] : ends[k]] that no group has which it differs from, if there is one; those of
    group g are others[others_starts[g] : others_starts[g + 1]]. O(labels · others of each).
    """
    for k in range(len(groups)):
        g = groups[k]
        for label in labels[starts[k] : ends[k]]:
            is_free = True
            for other in others[others_starts[g] : others_starts[g + 1]]:
                if home[other] == label:
                    is_free = False
                    break
            if is_free:
                home[g] = label
                break
