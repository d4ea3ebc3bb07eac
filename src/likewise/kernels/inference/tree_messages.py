"""Posteriors of binary labels on a tree: messages along the edges, then any two labels by recursion.

Arrays lie label by instance, (k, n), so that the innermost loops run over neighbouring instances. posterior is a
``hierarchy.em.Posterior``: parents (k,) has -1 below the dummy root, whose label is always on; order (k,) has parents
before children; given_on, given_off and marginal (k, n) are probabilities of being on.
"""

import numpy as np
from numba import njit

BLOCK = 64
"""Instances at a time: the pairwise table of a block, k² × 64 numbers, stays in the cache for tens of labels."""

FAST = {"reassoc", "contract", "nsz"}


@njit(cache=True, fastmath=FAST, error_model="numpy")
def pass_messages(on, off, tags, alpha, epsilon, posterior):
    """Fill the arrays of the posterior: every label given its parent on, given its parent off, and alone.

    on, off (k, n) the probabilities of a label under a parent that is on; tags (k, n) bool, a tag that is there is true,
    one that is not was missed with probability alpha; a label whose parent is off is on with probability epsilon.
    Returns log P(tags) summed over instances. O(kn).
    """
    given_on, given_off, marginal = posterior.given_on, posterior.given_off, posterior.marginal
    parent, order = posterior.parents, posterior.order
    k, n = on.shape
    likelihood = 0.0
    b_off, b_on = np.empty((k, BLOCK)), np.empty((k, BLOCK))
    for start in range(0, n, BLOCK):
        m = min(BLOCK, n - start)
        for c in range(k):
            for j in range(m):
                seen = tags[c, start + j]
                b_off[c, j] = 0.0 if seen else 1.0
                b_on[c, j] = 1.0 - alpha if seen else alpha
        for at in range(k - 1, -1, -1):
            c = order[at]
            p = parent[c]
            for j in range(m):
                i = start + j
                to_off = (1.0 - epsilon) * b_off[c, j] + epsilon * b_on[c, j]
                to_on = off[c, i] * b_off[c, j] + on[c, i] * b_on[c, j]
                given_on[c, i] = on[c, i] * b_on[c, j] / to_on
                given_off[c, i] = epsilon * b_on[c, j] / to_off
                if p >= 0:
                    left = b_off[p, j] * to_off
                    right = b_on[p, j] * to_on
                    scale = left + right
                    b_off[p, j] = left / scale
                    b_on[p, j] = right / scale
                else:
                    scale = to_on
                likelihood += np.log(scale)
        for c in order:
            p = parent[c]
            for i in range(start, start + m):
                if p < 0:
                    marginal[c, i] = given_on[c, i]
                else:
                    marginal[c, i] = given_off[c, i] + (given_on[c, i] - given_off[c, i]) * marginal[p, i]
    return likelihood


@njit(cache=True, fastmath=FAST)
def _extend(above, whole, on, off, out):
    """P(c and e on) from P(c's parent and e on), P(e on) and what c does below a parent that is on or off."""
    for j in range(out.shape[0]):
        out[j] = on[j] * above[j] + off[j] * (whole[j] - above[j])


@njit(cache=True, fastmath=FAST)
def _multiply(first, second, out):
    for j in range(out.shape[0]):
        out[j] = first[j] * second[j]


@njit(cache=True, fastmath=FAST)
def _sum_scored(joint, first, second):
    count, own, other = 0.0, 0.0, 0.0
    for j in range(joint.shape[0]):
        count += joint[j]
        own += joint[j] * first[j]
        other += joint[j] * second[j]
    return count, own, other


@njit(cache=True)
def _rank_labels(order):
    """Position (k,) of every label in the order."""
    rank = np.empty(order.shape[0], np.int64)
    for at in range(order.shape[0]):
        rank[order[at]] = at
    return rank


@njit(cache=True, fastmath=FAST)
def _fill_joint(posterior, start, stop, joint):
    """P(both on) of any two labels for the instances start … stop, into joint (k, k, BLOCK).

    Only the half is written in which the first label comes later in the order; the diagonal is the marginal.
    """
    given_on, given_off, marginal = posterior.given_on, posterior.given_off, posterior.marginal
    parent, order = posterior.parents, posterior.order
    m = stop - start
    rank = _rank_labels(order)
    for at in range(order.shape[0]):
        c = order[at]
        p = parent[c]
        on, off = given_on[c, start:stop], given_off[c, start:stop]
        joint[c, c, :m] = marginal[c, start:stop]
        for before in range(at):
            e = order[before]
            whole = marginal[e, start:stop]
            if p < 0:
                _multiply(marginal[c, start:stop], whole, joint[c, e, :m])
            elif rank[p] >= before:
                _extend(joint[p, e, :m], whole, on, off, joint[c, e, :m])
            else:
                _extend(joint[e, p, :m], whole, on, off, joint[c, e, :m])


@njit(cache=True, fastmath=FAST)
def sum_pairs(posterior, scores):
    """Σ P(p and c on) and Σ P(p and c on) f_c over instances, each (k, k) with [p, c]. O(nk²), O(k²) memory."""
    k, n = scores.shape
    order = posterior.order
    both, scored = np.zeros((k, k)), np.zeros((k, k))
    joint = np.empty((k, k, BLOCK))
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        _fill_joint(posterior, start, stop, joint)
        for at in range(k):
            for before in range(at):
                c, e = order[at], order[before]
                count, own, other = _sum_scored(
                    joint[c, e, : stop - start], scores[c, start:stop], scores[e, start:stop]
                )
                both[c, e] += count
                scored[e, c] += own
                scored[c, e] += other
    return both + both.T, scored


@njit(cache=True, fastmath=FAST)
def gather_pairs(posterior, partner, out):
    """P(c and partner[c] on) of every instance into out (k, n); of c alone where the partner is -1. O(nk²)."""
    k, n = out.shape
    joint = np.empty((k, k, BLOCK))
    rank = _rank_labels(posterior.order)
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        _fill_joint(posterior, start, stop, joint)
        for c in range(k):
            other = c if partner[c] < 0 else partner[c]
            later, earlier = (c, other) if rank[c] >= rank[other] else (other, c)
            out[c, start:stop] = joint[later, earlier, : stop - start]
