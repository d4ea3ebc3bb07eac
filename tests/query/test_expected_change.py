"""The best expected change against brute force: HACC run again for every open pair, written as plainly as possible."""

import numpy as np
import pytest

from likewise.constraints import Constraints
from likewise.query.active_hacc.expected_change import EdgeOrder, Stop, cluster_in_order, rank_effects
from likewise.query.active_hacc.pair_probability import PairProbability, bin_values

CASES, CHUNK = 600, 50


def changed_share(before, after, where=None):
    """1 - Jaccard coefficient of two clusterings, by all pairs of the items looked at."""
    items = np.arange(len(before)) if where is None else np.flatnonzero(where)
    i, j = (items[side] for side in np.triu_indices(len(items), 1))
    was, now = before[i] == before[j], after[i] == after[j]
    either = np.sum(was | now)
    return 0.0 if either == 0 else 1 - np.sum(was & now) / either


def textbook_hacc(D, k, constraints):
    """Kruskal by the book: one list of members a tree, every pair by distance, then (i, j)."""
    trees = [sorted(group) for group in constraints.groups()]
    tree_of = {item: tree for tree in trees for item in tree}
    i, j = np.triu_indices(len(D), 1)
    for e in np.lexsort((j, i, D[i, j])):
        if len(trees) <= k:
            break
        one, other = tree_of[i[e]], tree_of[j[e]]
        barred = any(constraints.known(a, b) == "different" for a in one for b in other)
        if one is not other and not barred:
            trees.remove(other)
            one += other
            tree_of |= dict.fromkeys(other, one)
    labels = np.empty(len(D), int)
    for number, tree in enumerate(trees):
        labels[tree] = number
    return labels


def brute_force(D, stop, constraints, P):
    """E_J of every open pair (000, eq. 3.7 and 3.8), HACC run again for each."""
    order = EdgeOrder(D)

    known = Constraints(len(D), constraints.must_link, constraints.cannot_link)

    def hacc(*more):
        for statement in more:
            known.add(*statement)
        labels = cluster_in_order(order, known, stop)
        for _ in more:
            known.undo()
        return labels

    now = hacc()
    scores = {}
    for i in range(len(D)):
        for j in range(i + 1, len(D)):
            if constraints.known(i, j) is not None:
                continue
            together = now[i] == now[j]
            after = hacc((i, j, "different" if together else "same"))
            scores[i, j] = (1 - P[i, j] if together else P[i, j]) * changed_share(now, after)
    return scores


def make_case(seed):
    """Distances with and without ties, constraints that agree with some truth: across trees and inside them."""
    rng = np.random.default_rng(seed)
    n = int(4 + 57 * rng.random() ** 3)
    D = np.triu(rng.integers(1, rng.choice([5, 30, 10_000]), (n, n)), 1).astype(float)
    if seed % 3 == 0:  # of points, so that the trees have some form
        points = rng.integers(0, 30, (n, 2))
        D = np.triu(np.abs(points[:, None] - points[None]).sum(axis=2), 1).astype(float)
    D += D.T
    truth = rng.integers(0, rng.integers(1, 9), n)
    P = np.triu(rng.integers(0, 11, (n, n)) / 10, 1)
    P += P.T
    constraints = Constraints(n)
    for _ in range(int(rng.integers(0, 61))):
        i, j = rng.choice(n, 2, replace=False).tolist()
        constraints.add(i, j, "same" if truth[i] == truth[j] else "different")
    return D, int(rng.integers(1, n)), constraints, P


def given(P):
    return PairProbability(P, bin_values(P), lambda values: values, True)


def best(D, stop, constraints, P, **options):
    return next(rank_effects(EdgeOrder(D), constraints, stop, given(P), **options), None)


def check_best(found, scores, seed):
    highest = max(scores.values(), default=0.0)
    if found is None:
        assert highest == 0.0, seed
        return
    assert abs(found.score - highest) < 1e-9, seed
    assert abs(scores[found.i, found.j] - highest) < 1e-9, seed


@pytest.mark.parametrize("start", range(0, CASES, CHUNK))
def test_the_best_score_equals_brute_force(start):
    for seed in range(start, start + CHUNK):
        D, k, constraints, P = make_case(seed)
        stop = Stop(k, len(EdgeOrder(D)))
        check_best(best(D, stop, constraints, P), brute_force(D, stop, constraints, P), seed)


@pytest.mark.parametrize("seed", range(600, 640))
def test_with_a_distance_to_stop_at(seed):
    D, _, constraints, P = make_case(seed)
    order = EdgeOrder(D)
    stop = Stop(0, int(np.random.default_rng(seed).integers(0, len(order) + 1)))
    check_best(best(D, stop, constraints, P), brute_force(D, stop, constraints, P), seed)


@pytest.mark.parametrize("seed", range(640, 680))
def test_clusters_equal_the_textbook(seed):
    D, k, constraints, _ = make_case(seed)
    order = EdgeOrder(D)
    ours, plain = cluster_in_order(order, constraints, Stop(k, len(order))), textbook_hacc(D, k, constraints)
    assert changed_share(ours, plain) == 0.0


@pytest.mark.parametrize("seed", range(680, 720))
def test_all_that_is_ranked_is_in_order_and_right(seed):
    D, k, constraints, P = make_case(seed)
    stop = Stop(k, len(EdgeOrder(D)))
    scores = brute_force(D, stop, constraints, P)
    ranked = list(rank_effects(EdgeOrder(D), constraints, stop, given(P)))
    assert [effect.score for effect in ranked] == sorted((effect.score for effect in ranked), reverse=True)
    for effect in ranked:
        assert abs(scores[effect.i, effect.j] - effect.score) < 1e-9


@pytest.mark.parametrize("seed", range(720, 750))
def test_pairs_to_skip_are_passed_over(seed):
    D, k, constraints, P = make_case(seed)
    stop = Stop(k, len(EdgeOrder(D)))
    scores = brute_force(D, stop, constraints, P)
    skip = [pair for number, pair in enumerate(scores) if number % 2]
    check_best(
        best(D, stop, constraints, P, skip=skip),
        {pair: score for pair, score in scores.items() if pair not in skip},
        seed,
    )


@pytest.mark.parametrize("seed", range(750, 780))
def test_unlikely_pairs_across_are_left_out(seed):
    """H1 of the paper: merges with a probability of at most the floor are not thought of."""
    D, k, constraints, P = make_case(seed)
    order = EdgeOrder(D)
    stop = Stop(k, len(order))
    now = cluster_in_order(order, constraints, stop)
    scores = brute_force(D, stop, constraints, P)
    thought_of = {(i, j): s for (i, j), s in scores.items() if now[i] == now[j] or P[i, j] > 0.4}
    check_best(best(D, stop, constraints, P, floor=0.4), thought_of, seed)


def local_change(D, order, n_edges, constraints, now, i, j):
    """H2 of the paper: what the answer changes when only items of the pair's clusters take part."""
    items = np.flatnonzero((now == now[i]) | (now == now[j]))
    place = {int(item): k for k, item in enumerate(items)}
    known = Constraints(len(items))
    known.add(place[i], place[j], "different" if now[i] == now[j] else "same")
    for pairs, said in ((constraints.must_link, "same"), (constraints.cannot_link, "different")):
        for a, b in pairs.tolist():
            if a in place and b in place:
                known.add(place[a], place[b], said)
    longest = order.lengths[n_edges - 1] if n_edges else -1.0
    last = (int(order.left[n_edges - 1]), int(order.right[n_edges - 1])) if n_edges else (-1, -1)
    part = EdgeOrder(D[np.ix_(items, items)])
    allowed = [
        (length, items[a], items[b]) <= (longest, *last)
        for length, a, b in zip(part.lengths, part.left, part.right, strict=True)
    ]
    after = now.copy()
    after[items] = len(D) + cluster_in_order(part, known, Stop(0, int(np.sum(allowed))))
    return changed_share(now, after)


@pytest.mark.parametrize("seed", range(780, 820))
def test_local_changes_are_those_among_the_items_of_the_clusters(seed):
    D, k, constraints, P = make_case(seed)
    order = EdgeOrder(D)
    stop = Stop(k, len(order))
    now = cluster_in_order(order, constraints, stop)
    n_edges = 0
    while changed_share(cluster_in_order(order, constraints, Stop(0, n_edges)), now) > 0:
        n_edges += 1
    for effect in rank_effects(order, constraints, stop, given(P), local=True):
        inside = (now == now[effect.i]) | (now == now[effect.j])
        # two clusters with a cannot-link between them: only edges among the trees joined so far are followed
        if effect.together or not inside[constraints.cannot_link].all(axis=1).any():
            change = local_change(D, order, n_edges, constraints, now, effect.i, effect.j)
            assert abs(effect.change - change) < 1e-9
