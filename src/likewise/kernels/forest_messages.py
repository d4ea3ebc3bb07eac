"""Clusters of items tied by answers to pairs that form a forest: sums and maxima over all labellings by messages.

The m nodes come parents before children: parent (m,) int64, -1 at a root; is_same (m,) bool, the answer to the pair of
a node and its parent; epsilon how often an answer is wrong. An answer only tells equal from unequal, so that a message
costs O(k).
"""

import numpy as np
from numba import njit


@njit(cache=True, error_model="numpy")
def send_up(p, parent, is_same, epsilon, belief):
    """log P(answers) for P(y|x) p (m, k); what each node believes of its own subtree into belief (m, k). O(mk)."""
    m, k = p.shape
    value = 0.0
    for i in range(m):
        for y in range(k):
            belief[i, y] = p[i, y]
    for i in range(m - 1, -1, -1):
        total = 0.0
        for y in range(k):
            total += belief[i, y]
        value += np.log(total)
        for y in range(k):
            belief[i, y] /= total
        up = parent[i]
        if up >= 0:
            off = epsilon if is_same[i] else 1.0 - epsilon
            on = 1.0 - off
            for y in range(k):
                belief[up, y] *= off + (on - off) * belief[i, y]
    return value


@njit(cache=True, error_model="numpy")
def send_down(belief, parent, is_same, epsilon, q):
    """P(y | answers) of every node into q (m, k), from the beliefs of send_up. O(mk)."""
    m, k = belief.shape
    for i in range(m):
        up = parent[i]
        if up < 0:
            for y in range(k):
                q[i, y] = belief[i, y]
            continue
        off = epsilon if is_same[i] else 1.0 - epsilon
        on = 1.0 - off
        total, norm = 0.0, 0.0
        for y in range(k):
            total += q[up, y] / (off + (on - off) * belief[i, y])
        for y in range(k):
            rest = q[up, y] / (off + (on - off) * belief[i, y])
            q[i, y] = belief[i, y] * (off * total + (on - off) * rest)
            norm += q[i, y]
        for y in range(k):
            q[i, y] /= norm


@njit(cache=True)
def find_likeliest(log_p, parent, is_same, epsilon):
    """The labelling of highest P(Y, answers), (m,), for log P(y|x) log_p (m, k); ties to the lower cluster. O(mk)."""
    m, k = log_p.shape
    best = log_p.copy()
    choice = np.zeros((m, k), np.int64)
    for i in range(m - 1, -1, -1):
        if parent[i] < 0:
            continue
        off = np.log(epsilon if is_same[i] else 1.0 - epsilon)
        on = np.log(1.0 - epsilon if is_same[i] else epsilon)
        first, second = 0, -1
        for y in range(1, k):
            if best[i, y] > best[i, first]:
                first, second = y, first
            elif second < 0 or best[i, y] > best[i, second]:
                second = y
        for y in range(k):
            other = first if first != y else second
            choice[i, y] = y
            value = best[i, y] + on
            if other >= 0 and best[i, other] + off > value:
                value = best[i, other] + off
                choice[i, y] = other
            best[parent[i], y] += value
    labels = np.zeros(m, np.int64)
    for i in range(m):
        labels[i] = np.argmax(best[i]) if parent[i] < 0 else choice[i, labels[parent[i]]]
    return labels


@njit(cache=True, error_model="numpy")
def _softmax_row(scores, p):
    k = scores.shape[0]
    top = scores.max()
    total = 0.0
    for y in range(k):
        p[y] = np.exp(scores[y] - top)
        total += p[y]
    for y in range(k):
        p[y] /= total
    return top + np.log(total)


@njit(cache=True, error_model="numpy")
def mean_entropy(scores):
    """Mean entropy of the softmax of scores (n, k). O(nk)."""
    n, k = scores.shape
    p = np.empty(k)
    total = 0.0
    for i in range(n):
        shift = _softmax_row(scores[i], p)
        for y in range(k):
            total -= p[y] * (scores[i, y] - shift)
    return total / n


@njit(cache=True, error_model="numpy")
def log_potential(scores, nodes, parent, is_same, epsilon, tau, p, belief):
    """log P(answers | W) - τ mean entropy for scores (n, k); p, belief (m, k) are room to work in. O(nk)."""
    for i in range(len(nodes)):
        _softmax_row(scores[nodes[i]], p[i])
    return send_up(p, parent, is_same, epsilon, belief) - tau * mean_entropy(scores)


@njit(cache=True, error_model="numpy")
def move_on_ellipse(scores, drawn, potential, uniform, nodes, parent, is_same, epsilon, tau, cosine, sine):
    """One elliptical slice step of every particle: scores (s, n, k) and potential (s,) in place.

    drawn (s, n, k) the scores of a draw from the Gaussian; uniform (s, t) numbers to draw with. The new weights are
    cosine · old + sine · drawn, both (s,). Scores are linear in the weights, so that a try needs no product: O(nk), and
    O(mk) when the answers alone rule it out.
    """
    s, n, k = scores.shape
    m = len(nodes)
    p, belief, mixed = np.empty((m, k)), np.empty((m, k)), np.empty((n, k))
    for a in range(s):
        floor = potential[a] + np.log(uniform[a, 0])
        angle = 2.0 * np.pi * uniform[a, 1]
        low, high = angle - 2.0 * np.pi, angle
        cosine[a], sine[a] = 1.0, 0.0
        for t in range(2, uniform.shape[1]):
            c, d = np.cos(angle), np.sin(angle)
            for i in range(m):
                for y in range(k):
                    mixed[i, y] = c * scores[a, nodes[i], y] + d * drawn[a, nodes[i], y]
                _softmax_row(mixed[i], p[i])
            value = send_up(p, parent, is_same, epsilon, belief)
            if value >= floor:  # the entropy can only take from it
                for i in range(n):
                    for y in range(k):
                        mixed[i, y] = c * scores[a, i, y] + d * drawn[a, i, y]
                value -= tau * mean_entropy(mixed)
                if value >= floor:
                    scores[a] = mixed
                    potential[a], cosine[a], sine[a] = value, c, d
                    break
            if angle < 0.0:
                low = angle
            else:
                high = angle
            angle = low + (high - low) * uniform[a, t]


@njit(cache=True, error_model="numpy")
def gather_marginals(scores, nodes, parent, is_same, epsilon, q):
    """P(y | answers, W) of every item and particle into q (n, s, k), for scores (s, n, k). O(snk)."""
    s, n, k = scores.shape
    m = len(nodes)
    p, belief, tied = np.empty((m, k)), np.empty((m, k)), np.empty((m, k))
    for a in range(s):
        for i in range(n):
            _softmax_row(scores[a, i], q[i, a])
        for i in range(m):
            p[i] = q[nodes[i], a]
        send_up(p, parent, is_same, epsilon, belief)
        send_down(belief, parent, is_same, epsilon, tied)
        for i in range(m):
            q[nodes[i], a] = tied[i]


@njit(cache=True, error_model="numpy")
def score_pairs(q, left, right, epsilon, uncertain, info):
    """Entropy of each pair's answer into uncertain (c,), what it tells about the weights into info (c,). O(csk).

    q (n, s, k) marginals by particle; left, right (c,) items of different trees, hence independent given the weights.
    """
    s, k = q.shape[1], q.shape[2]
    for c in range(len(left)):
        a, b = q[left[c]], q[right[c]]
        mean, inner = 0.0, 0.0
        for t in range(s):
            same = 0.0
            for y in range(k):
                same += a[t, y] * b[t, y]
            same = epsilon + (1.0 - 2.0 * epsilon) * same
            mean += same
            inner -= same * np.log(same) + (1.0 - same) * np.log(1.0 - same)
        mean /= s
        uncertain[c] = -mean * np.log(mean) - (1.0 - mean) * np.log(1.0 - mean)
        info[c] = max(uncertain[c] - inner / s, 0.0)
