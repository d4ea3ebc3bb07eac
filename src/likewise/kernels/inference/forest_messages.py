"""Clusters of items tied by answers to pairs that form a forest: sums and maxima over all labellings by messages.

forest is a ``cluster.logistic.answer_forest.AnswerForest`` of m nodes; epsilon is how often an answer is wrong. An
answer only tells equal from unequal, so that a message costs O(k).
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from likewise.kernels.inference.exponential import LEAST, exponential

FAST = {"reassoc", "contract", "nsz"}

CELLS = 16384
"""Cells of the table of binary entropies."""

TRIES = 64
"""Tries of an elliptical slice step: the bracket then is below any precision that matters."""


class SliceTarget(NamedTuple):
    """The distribution that elliptical slice steps leave unchanged: a Gaussian times the likelihood of the answers.

    - `X` (d, m): Vectors of the nodes, by dimension.
    - `forest`: The answers.
    - `epsilon`, `spread`: How often an answer is wrong, and the standard deviation of the Gaussian.
    """

    X: NDArray[np.float64]
    forest: Any
    epsilon: float
    spread: float


class SliceRoom(NamedTuple):
    """Work space of a step: drawn (d, k) weights; old, new, trial and belief (k, m); work (m,)."""

    drawn: NDArray[np.float64]
    old: NDArray[np.float64]
    new: NDArray[np.float64]
    trial: NDArray[np.float64]
    belief: NDArray[np.float64]
    work: NDArray[np.float64]


@njit(cache=True, error_model="numpy")
def send_up(p, forest, epsilon, belief):
    """log P(answers) for P(y|x) p (m, k); P(y | answers of its own subtree) of each node into belief (m, k). O(mk)."""
    parent, is_same = forest.parent, forest.is_same
    m, k = p.shape
    value, product = 0.0, 1.0
    for i in range(m):
        for y in range(k):
            belief[i, y] = p[i, y]
    for i in range(m - 1, -1, -1):
        total = 0.0
        for y in range(k):
            total += belief[i, y]
        product *= total  # one logarithm for many nodes
        if product < 1e-200:
            value += np.log(product)
            product = 1.0
        for y in range(k):
            belief[i, y] /= total
        up = parent[i]
        if up >= 0:
            off = epsilon if is_same[i] else 1.0 - epsilon
            on = 1.0 - off
            for y in range(k):
                belief[up, y] *= off + (on - off) * belief[i, y]
    return value + np.log(product)


@njit(cache=True, error_model="numpy")
def send_down(belief, forest, epsilon, q):
    """P(y | answers) of every node into q (m, k), from the beliefs of send_up. O(mk)."""
    parent, is_same = forest.parent, forest.is_same
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
def find_likeliest(log_p, forest, epsilon):
    """The labelling of highest P(Y, answers), (m,), for log P(y|x) log_p (m, k); ties to the lower cluster. O(mk)."""
    parent, is_same = forest.parent, forest.is_same
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
    """Softmax of scores (k,) into p (k,); returns total and top: the exponentials of scores add up to total · e^top."""
    k = scores.shape[0]
    top = scores[0]
    for y in range(1, k):
        top = max(top, scores[y])
    total = 0.0
    for y in range(k):
        p[y] = 1.0 if scores[y] == top else np.exp(scores[y] - top)
        total += p[y]
    for y in range(k):
        p[y] /= total
    return total, top


@njit(cache=True, error_model="numpy")
def mean_entropy(scores):
    """Mean entropy of the softmax of scores (n, k). O(nk)."""
    n, k = scores.shape
    p = np.empty(k)
    total = 0.0
    for i in range(n):
        size, top = _softmax_row(scores[i], p)
        shift = top + np.log(size)
        for y in range(k):
            total -= p[y] * (scores[i, y] - shift)
    return total / n


@njit(cache=True, error_model="numpy", fastmath=FAST)
def log_likelihood(scores, forest, epsilon, belief, work):
    """log P(answers | W) for the scores (k, m) of the nodes; belief (k, m) and work (m,) are work space. O(mk).

    As send_up, but for the division by the sums of exponentials, which is done once for many nodes.
    """
    parent, is_same = forest.parent, forest.is_same
    k, m = scores.shape
    for i in range(m):
        work[i] = scores[0, i]
    for y in range(1, k):
        for i in range(m):
            work[i] = max(work[i], scores[y, i])
    for y in range(k):
        for i in range(m):
            belief[y, i] = exponential(max(scores[y, i] - work[i], LEAST))
    work[:] = belief[0]
    for y in range(1, k):
        for i in range(m):
            work[i] += belief[y, i]
    value, above, below = 0.0, 1.0, 1.0
    for i in range(m - 1, -1, -1):
        total = 0.0
        for y in range(k):
            total += belief[y, i]
        above *= total
        below *= work[i]
        if above < 1e-150 or below > 1e150:
            value += np.log(above / below)
            above, below = 1.0, 1.0
        up = parent[i]
        if up >= 0:
            off = epsilon if is_same[i] else 1.0 - epsilon
            step = (1.0 - off - off) / total
            for y in range(k):
                belief[y, up] *= off + step * belief[y, i]
    return value + np.log(above / below)


@njit(cache=True, fastmath=FAST)
def _project(X, W, dims, out):
    """(X[:, dims] W[dims])ᵀ into out (k, m), for X by dimension, (d, m)."""
    out[:] = 0.0
    for j in dims:
        for y in range(out.shape[0]):
            w = W[j, y]
            for i in range(out.shape[1]):
                out[y, i] += X[j, i] * w


@njit(cache=True, error_model="numpy", fastmath=FAST)
def _move_block(W, dims, scores, value, target, rng, room):
    """An elliptical slice step of the weights W[dims] (d, k); the new log likelihood. Scores (k, m) in place.

    Scores are linear in the weights, so that a try costs only O(mk).
    """
    k, m = scores.shape
    X, forest, epsilon, spread = target
    drawn, old, new, trial, belief, work = room
    for j in dims:
        for y in range(k):
            drawn[j, y] = spread * rng.standard_normal()
    _project(X, W, dims, old)
    _project(X, drawn, dims, new)
    floor = value + np.log(rng.random())
    angle = 2.0 * np.pi * rng.random()
    low, high = angle - 2.0 * np.pi, angle
    for _ in range(TRIES):
        c, d = np.cos(angle), np.sin(angle)
        for y in range(k):
            for i in range(m):
                trial[y, i] = scores[y, i] + (c - 1.0) * old[y, i] + d * new[y, i]
        tried = log_likelihood(trial, forest, epsilon, belief, work)
        if tried >= floor:
            scores[:] = trial
            for j in dims:
                for y in range(k):
                    W[j, y] = c * W[j, y] + d * drawn[j, y]
            return tried
        if angle < 0.0:
            low = angle
        else:
            high = angle
        angle = low + (high - low) * rng.random()
    return value


@njit(cache=True, error_model="numpy")
def move_particles(W, value, target, block, n_sweeps, rng):
    """Elliptical slice steps of every particle W (s, d, k), in place, `block` dimensions at a time in random order.

    target a SliceTarget; value (s,) the log likelihoods, in place. O(s · sweeps · (mdk + tries · mk · d / block)).
    """
    s, d, k = W.shape
    m = target.X.shape[1]
    old, new, trial, belief = np.empty((k, m)), np.empty((k, m)), np.empty((k, m)), np.empty((k, m))
    room = SliceRoom(np.empty((d, k)), old, new, trial, belief, np.empty(m))
    scores = np.empty((k, m))
    order = np.arange(d)
    for a in range(s):
        _project(target.X, W[a], order, scores)
        value[a] = log_likelihood(scores, target.forest, target.epsilon, belief, room.work)
        for _ in range(n_sweeps):
            for j in range(d - 1, 0, -1):
                other = int(rng.random() * (j + 1))
                order[j], order[other] = order[other], order[j]
            for first in range(0, d, block):
                dims = order[first : first + block]
                value[a] = _move_block(W[a], dims, scores, value[a], target, rng, room)


@njit(cache=True, error_model="numpy")
def mean_entropies(scores):
    """Mean entropy of the clusters of every particle, (s,), for scores (s, n, k). O(snk)."""
    out = np.empty(len(scores))
    for a in range(len(scores)):
        out[a] = mean_entropy(scores[a])
    return out


@njit(cache=True, error_model="numpy")
def log_likelihoods(scores, forest, epsilon):
    """log P(answers | W) of every particle, (s,), for scores (s, n, k). O(smk)."""
    s, _, k = scores.shape
    nodes = forest.nodes
    m = len(nodes)
    own, belief, work = np.empty((k, m)), np.empty((k, m)), np.empty(m)
    out = np.empty(s)
    for a in range(s):
        for i in range(m):
            for y in range(k):
                own[y, i] = scores[a, nodes[i], y]
        out[a] = log_likelihood(own, forest, epsilon, belief, work)
    return out


@njit(cache=True, error_model="numpy")
def gather_marginals(scores, forest, epsilon, q):
    """P(y | answers, W) of every item and particle into q (n, s, k), for scores (s, n, k). O(snk)."""
    s, n, k = scores.shape
    nodes = forest.nodes
    m = len(nodes)
    p, belief, tied = np.empty((m, k)), np.empty((m, k)), np.empty((m, k))
    for a in range(s):
        for i in range(n):
            _softmax_row(scores[a, i], q[i, a])
        for i in range(m):
            p[i] = q[nodes[i], a]
        send_up(p, forest, epsilon, belief)
        send_down(belief, forest, epsilon, tied)
        for i in range(m):
            q[nodes[i], a] = tied[i]


@njit(cache=True, error_model="numpy")
def score_pairs(q, left, right, epsilon, uncertain, info):
    """Entropy of each pair's answer into uncertain (c,), the information it gives about the weights into info (c,). O(csk).

    q (n, s, k) marginals by particle; left, right (c,) items of different trees, hence independent given the weights.
    Entropies given the weights are read from a table between whose entries lines run: 1e-8 / epsilon off at most.
    """
    s, k = q.shape[1], q.shape[2]
    table = np.zeros(CELLS + 2)
    for at in range(1, CELLS):
        share = at / CELLS
        table[at] = -share * np.log(share) - (1.0 - share) * np.log(1.0 - share)
    for c in range(len(left)):
        a, b = q[left[c]], q[right[c]]
        mean, inner = 0.0, 0.0
        for t in range(s):
            same = 0.0
            for y in range(k):
                same += a[t, y] * b[t, y]
            same = epsilon + (1.0 - 2.0 * epsilon) * same
            mean += same
            cell = same * CELLS
            at = int(cell)
            inner += table[at] + (cell - at) * (table[at + 1] - table[at])
        mean /= s
        uncertain[c] = -mean * np.log(mean) - (1.0 - mean) * np.log(1.0 - mean)
        info[c] = max(uncertain[c] - inner / s, 0.0)
