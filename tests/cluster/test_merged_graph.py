"""The merged graph against the items' own cut, and the regression of clusters against the formula."""

import itertools

import numpy as np
import pytest
from scipy.sparse import csr_array

from likewise import Constraints
from likewise.cluster.groups import constrained_groups
from likewise.cluster.spectral.merged_graph import merge_groups
from likewise.cluster.spectral.regression import loop_of, regress_labels
from likewise.cluster.spectral.rounding import certain_sets
from likewise.cluster.spectral.signed_graph import decompose


def random_constraints(rng, n, n_said, n_classes=3):
    truth = rng.integers(n_classes, size=n)
    pairs = [rng.choice(n, 2, replace=False).tolist() for _ in range(n_said)]
    same = [p for p in pairs if truth[p[0]] == truth[p[1]]]
    return Constraints(n, same, [p for p in pairs if truth[p[0]] != truth[p[1]]])


def random_affinity(rng, n, share=1.0):
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < share), 1)
    return W + W.T + np.eye(n)


def test_affinities_of_nodes_are_sums_over_their_items():
    rng = np.random.default_rng(0)
    for _ in range(40):
        n = int(rng.integers(2, 14))
        W, said = random_affinity(rng, n, 0.6), random_constraints(rng, n, int(rng.integers(0, 12)))
        groups = constrained_groups(said)
        for given in (W, csr_array(W)):
            graph, node = merge_groups(given, groups)
            assert graph.n == len(groups.free) + len(groups.start) - 1
            wanted = np.zeros((graph.n, graph.n))
            for i, j in itertools.permutations(range(n), 2):
                if said.known(i, j) != "different":
                    wanted[node[i], node[j]] += W[i, j]
            np.testing.assert_allclose(graph.toarray(), wanted, atol=1e-12)
            for i, j in itertools.combinations(range(n), 2):
                assert (node[i] == node[j]) == (said.known(i, j) == "same")


def test_its_lowest_vectors_are_the_best_cut_of_whole_groups():
    rng = np.random.default_rng(1)
    n = 14
    for _ in range(10):
        W = random_affinity(rng, n)
        groups = constrained_groups(Constraints(n, [(0, 1), (1, 2), (5, 6)]))
        graph, node = merge_groups(W, groups)
        spectrum = decompose(graph, 3, "normalized")
        np.fill_diagonal(W, 0.0)
        d = W.sum(axis=1)
        x = (spectrum.vectors / np.sqrt(spectrum.degrees)[:, None])[node]
        L = np.diag(d) - W
        for i in range(3):
            assert x[:, i] @ L @ x[:, i] / (x[:, i] @ (d * x[:, i])) == pytest.approx(spectrum.values[i], abs=1e-9)
        S = np.eye(graph.n)[node]
        values = np.linalg.eigvals(np.linalg.solve(S.T @ np.diag(d) @ S, S.T @ L @ S)).real
        np.testing.assert_allclose(spectrum.values, np.sort(values)[:3], atol=1e-9)


def test_a_node_alone_beside_one_that_is_near_all_the_rest():
    W = np.ones((5, 5))
    W[1], W[:, 1] = 0.0, 0.0
    groups = constrained_groups(Constraints(5, [(0, 2)], [(0, 1)]))
    for given in (W, csr_array(W)):
        graph, node = merge_groups(given, groups)
        assert len(np.unique(graph.components())) == 2
        found = decompose(graph, 2, "normalized")
        np.testing.assert_allclose(np.abs(found.vectors[node[1]]).max(), 1.0)


def test_everything_in_one_group_and_nothing_in_any():
    W = random_affinity(np.random.default_rng(2), 4)
    for given in (W, csr_array(W)):
        graph, node = merge_groups(given, constrained_groups(Constraints(4, [(0, 1), (1, 2), (2, 3)])))
        assert node.tolist() == [0, 0, 0, 0]
        assert graph.toarray()[0, 0] == pytest.approx(W.sum() - 4)
        graph, node = merge_groups(given, constrained_groups(Constraints(4)))
        assert node.tolist() == [0, 1, 2, 3]
        np.testing.assert_allclose(graph.toarray(), W - np.eye(4))


@pytest.mark.parametrize("n", [1, 2, 9, 330])
def test_with_its_loop_an_affinity_is_positive_semidefinite(n):
    rng = np.random.default_rng(3)
    for share in (0.0, 0.05, 1.0):
        W = random_affinity(rng, n, share)
        loops = [loop_of(W), loop_of(csr_array(W))]
        lowest = np.linalg.eigvalsh(W - np.eye(n))[0]
        for loop in loops:
            assert loop == pytest.approx(max(1.0, -lowest), rel=2e-3)


def test_the_regression_written_out():
    rng = np.random.default_rng(4)
    compared = 0
    for _ in range(30):
        n, k = 16, 3
        W, said = random_affinity(rng, n, 0.5), random_constraints(rng, n, 9)
        groups = constrained_groups(said)
        labels = np.concatenate([np.arange(k), rng.integers(k, size=n - k)])
        sets = certain_sets(groups, k)
        for order, g in enumerate(sets):
            labels[groups.of_item == g] = order
        for g in set(range(len(groups.start) - 1)) - set(sets):
            labels[groups.of_item == g] = rng.integers(k)
        blocks = rng.integers(k, size=n)
        fixed = np.isin(groups.of_item, sets)
        T = np.zeros((n, k))
        for i in range(n):
            T[i, labels[i]] = 1.0 if fixed[i] else 10.0
            for j in np.flatnonzero(fixed & (blocks == blocks[i])):
                T[i, labels[j]] += 0.0 if fixed[i] else 1.0
        T /= T.sum(axis=1, keepdims=True)
        loop = loop_of(W)
        K = W + (loop - 1) * np.eye(n)
        F = K @ np.linalg.inv(K + np.diag(np.where(fixed, 1.0, 10.0))) @ T
        whole = [np.flatnonzero((groups.of_item == g) & (g >= 0)) for g in groups.of_item]
        joint = np.array([F[mates].sum(axis=0) if len(mates) else F[i] for i, mates in enumerate(whole)])
        for i, j in itertools.permutations(range(n), 2):
            if fixed[j] and said.known(i, j) == "different":
                joint[i, labels[j]] = -np.inf
        wanted = np.where(fixed, labels, joint.argmax(axis=1))
        for given in (W, csr_array(W)):
            found = regress_labels(given, loop, labels, blocks, groups, k)
            assert set(found.tolist()) == set(labels.tolist())
            assert found[fixed].tolist() == labels[fixed].tolist()
            for i, j in said.must_link:
                assert found[i] == found[j]
            if len(set(wanted.tolist())) == k:  # no cluster would be emptied
                np.testing.assert_array_equal(found, wanted)
                compared += 1
    assert compared > 10


def test_blocks_that_tell_nothing_leave_the_larger_set_and_those_that_agree_stand():
    n = 60
    W = np.full((n, n), 1e-6) + np.eye(n)
    truth = np.arange(n) % 2
    blocks = (np.arange(n) // 2) % 2
    settled = np.flatnonzero((np.arange(n) < 40) & ((truth == 0) | (np.arange(n) % 4 < 2)))
    first = {c: int(settled[truth[settled] == c][0]) for c in (0, 1)}
    said = Constraints(n, [(first[truth[i]], int(i)) for i in settled if i != first[truth[i]]], [tuple(first.values())])
    groups = constrained_groups(said)
    order = certain_sets(groups, 2)
    home = {truth[groups.members[groups.start[g]]]: at for at, g in enumerate(order)}
    start = np.array([home[t] for t in truth])
    rest = np.setdiff1d(np.arange(n), settled)
    guess = start.copy()
    guess[rest] = blocks[rest]
    mixed = regress_labels(W, 1.0, guess, blocks, groups, 2)
    assert np.mean(mixed[rest] == home[0]) > 0.5
    agreeing = regress_labels(W, 1.0, start, truth, groups, 2)
    assert agreeing.tolist() == start.tolist()


def test_with_nothing_or_everything_settled_clusters_stay():
    W = random_affinity(np.random.default_rng(5), 6)
    labels = np.array([0, 0, 1, 1, 1, 0])
    assert regress_labels(W, 1.0, labels, labels, constrained_groups(Constraints(6)), 2).tolist() == labels.tolist()
    said = Constraints(6, [(0, 1), (1, 5), (2, 3), (3, 4)], [(0, 2)])
    assert regress_labels(W, 1.0, labels, labels, constrained_groups(said), 2).tolist() == labels.tolist()
