"""The best expected change against brute force: HACC run again for every open pair, written as plainly as possible."""

import numpy as np
import pytest

from likewise.cluster import HACC
from likewise.constraints import Constraints
from likewise.query.beliefs import Beliefs, encode
from likewise.query.expected_change import EdgeOrder, Stop, rank_effects


def relative_jaccard(before, after):
    i, j = np.triu_indices(len(before), 1)
    was, now = before[i] == before[j], after[i] == after[j]
    either = np.sum(was | now)
    return 1.0 if either == 0 else np.sum(was & now) / either


def brute_force(D, k, constraints, P):
    """E_J of every open pair (000, eq. 3.7 and 3.8)."""
    must, cannot = constraints.must_link.tolist(), constraints.cannot_link.tolist()

    def hacc(more_must=(), more_cannot=()):
        model = HACC(k, metric="precomputed")
        return model.fit(D, must_link=[*must, *more_must], cannot_link=[*cannot, *more_cannot]).labels_

    now = hacc()
    scores = {}
    for i in range(len(D)):
        for j in range(i + 1, len(D)):
            if constraints.known(i, j) is not None:
                continue
            if now[i] == now[j]:
                scores[i, j] = (1 - P[i, j]) * (1 - relative_jaccard(now, hacc(more_cannot=[(i, j)])))
            else:
                scores[i, j] = P[i, j] * (1 - relative_jaccard(now, hacc(more_must=[(i, j)])))
    return scores


def make_case(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 16))
    D = np.triu(rng.integers(1, rng.choice([5, 30, 10_000]), (n, n)), 1).astype(float)
    D += D.T
    truth = rng.integers(0, rng.integers(1, 6), n)
    P = np.triu(rng.integers(0, 11, (n, n)) / 10, 1)
    P += P.T
    constraints = Constraints(n)
    for _ in range(int(rng.integers(0, 2 * n))):
        i, j = rng.choice(n, 2, replace=False).tolist()
        constraints.add(i, j, "same" if truth[i] == truth[j] else "different")
    return D, int(rng.integers(1, n)), constraints, P


def best(D, k, constraints, P):
    beliefs = Beliefs(P, encode(P), lambda values: values, True)
    order = EdgeOrder(D)
    return next(rank_effects(order, constraints, Stop(k, len(order)), beliefs), None)


@pytest.mark.parametrize("start", range(0, 500, 50))
def test_the_best_score_equals_brute_force(start):
    for seed in range(start, start + 50):
        D, k, constraints, P = make_case(seed)
        scores = brute_force(D, k, constraints, P)
        highest = max(scores.values(), default=0.0)
        found = best(D, k, constraints, P)
        if found is None:
            assert highest == 0.0, seed
            continue
        assert abs(found.score - highest) < 1e-9, seed
        assert abs(scores[found.i, found.j] - highest) < 1e-9, seed
