"""GraphPurification: the graph, its clusters and its entropies against loops."""

import itertools
import math

import numpy as np
import pytest

from likewise import Constraints, Session
from likewise.query import GraphPurification, State
from likewise.query.neighbourhood.graph_purification import cluster_purified, join_neighbours, may_be_same
from likewise.query.neighbourhood.skeleton import Skeleton


def distances(X):
    return np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))


def overlapping(n, n_classes, seed):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % n_classes)
    return rng.normal(size=(n, 2)) + 1.5 * truth[:, None], truth


def some_state(seed, n=14):
    X, truth = overlapping(n, 3, seed)
    state = State(X, "euclidean", 3, seed)
    rng = np.random.default_rng(seed)
    for _ in range(12):
        i, j = rng.choice(n, size=2, replace=False).tolist()
        state.constraints.add(i, j, "same" if truth[i] == truth[j] else "different")
    return state, truth


@pytest.mark.parametrize("n_neighbors", [1, 3, 50])
def test_the_graph_joins_either_ones_neighbours(n_neighbors):
    rng = np.random.default_rng(0)
    for X in (rng.normal(size=(12, 2)), rng.integers(3, size=(12, 2)).astype(float)):
        D = distances(X)
        near = [sorted((D[i, j], j) for j in range(12) if j != i)[:n_neighbors] for i in range(12)]
        sets = [{j for _, j in nearest} for nearest in near]
        expected = [[j in sets[i] or i in sets[j] for j in range(12)] for i in range(12)]
        assert join_neighbours(D, n_neighbors).tolist() == expected
    assert join_neighbours(np.zeros((1, 1)), 3).tolist() == [[False]]


def test_what_may_be_the_same():
    state, _ = some_state(1)
    known = state.constraints.known
    expected = [[known(i, j) != "different" for j in range(14)] for i in range(14)]
    assert may_be_same(state.constraints).tolist() == expected


@pytest.mark.parametrize("seed", range(5))
def test_entropies_are_those_of_the_neighbours_clusters(seed):
    state, _ = some_state(seed)
    strategy = GraphPurification(n_neighbors=4)
    labels = strategy.cluster(state)
    D = distances(state.X)
    joined = join_neighbours(D, 4)
    scale = np.sort(D, axis=1)[:, 7]
    for i, entropy in enumerate(strategy.entropies(state)):
        weight = {}
        for j in range(14):
            if joined[i, j] and state.constraints.known(i, j) != "different":
                weight[labels[j]] = weight.get(labels[j], 0) + math.exp(-(D[i, j] ** 2) / scale[i] / scale[j])
        total = sum(weight.values())
        expected = -sum(w / total * math.log(w / total) for w in weight.values())
        assert math.isclose(entropy, expected, rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_point_asked_about_has_the_highest_entropy_outside(seed):
    X, truth = overlapping(16, 3, seed)
    session = Session(X, strategy="graph-purification", n_clusters=3, random_state=seed, n_neighbors=5)
    for _ in range(12):
        question = session.ask()
        skeleton = Skeleton(session.state)
        if not skeleton.begun and (skeleton.home < 0).any():
            entropy = session.strategy.entropies(session.state)
            highest = entropy[skeleton.home < 0].max()
            assert math.isclose(entropy[question.items[1]], highest, rel_tol=1e-9, abs_tol=1e-11)
            assert question.score == pytest.approx(highest, abs=1e-11)
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")


@pytest.mark.parametrize("seed", range(4))
def test_clusters_keep_must_links_together(seed):
    state, _ = some_state(seed)
    labels = GraphPurification(n_neighbors=4).cluster(state)
    assert all(labels[i] == labels[j] for i, j in state.constraints.must_link)


def test_cutting_a_strong_bridge_separates_what_it_joined():
    blocks = np.repeat([0, 1, 2], 2)
    between = np.array([[5.0, 1.0, 0.1], [1.0, 5.0, 3.0], [0.1, 3.0, 5.0]])
    weights = between[np.ix_(blocks, blocks)]
    whole = cluster_purified(weights, Constraints(6), 2, 0)
    assert whole.tolist() in ([0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 0, 0])
    said = Constraints(6, must_link=[(2, 3), (4, 5)], cannot_link=[(3, 4)])
    purified = cluster_purified(weights, said, 2, 0)
    assert purified.tolist() in ([0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 0, 0])


def test_clusters_minimise_the_normalised_cut_where_it_is_clear():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(5, 2)), rng.normal(size=(4, 2)) + 6])
    W = np.exp(-(distances(X) ** 2) / 4)
    constraints = Constraints(9, must_link=[(0, 1)], cannot_link=[(0, 5)])
    allowed = may_be_same(constraints)

    def cut(side):
        inside, purified = np.isin(np.arange(9), side), W * allowed
        across = purified[inside][:, ~inside].sum()
        return across / purified[inside].sum() + across / purified[~inside].sum()

    sides = [s for size in range(1, 9) for s in itertools.combinations(range(9), size) if (0 in s) == (1 in s)]
    best = min((side for side in sides if 0 in side), key=cut)
    labels = cluster_purified(W, constraints, 2, 0)
    assert tuple(np.flatnonzero(labels == labels[0])) == best


def test_fewer_nodes_than_clusters():
    constraints = Constraints(4, must_link=[(0, 1), (2, 3)])
    labels = cluster_purified(np.ones((4, 4)), constraints, 3, 0)
    assert labels[0] == labels[1]
    assert labels[2] == labels[3]
    assert len(np.unique(labels)) <= 2
