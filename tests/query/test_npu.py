"""NPU against its algorithm written out with whole matrices and loops."""

import math

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier

from likewise import Session
from likewise.cluster import HACC
from likewise.query import NPU, State
from likewise.query.neighbourhood.npu import average_over_leaves, normalise_uncertainty
from likewise.query.neighbourhood.skeleton import Skeleton


def proximities(X, labels, n_trees, seed):
    """Share of trees in which two items end in one leaf, (n, n)."""
    forest = RandomForestClassifier(n_trees, random_state=seed).fit(X, labels)
    leaves = forest.apply(X)
    n = len(X)
    return np.array([[(leaves[i] == leaves[j]).mean() for j in range(n)] for i in range(n)])


def uncertainty_plainly(probability):
    ranked = sorted(probability, reverse=True)
    entropy = -sum(p * math.log2(p) for p in ranked if p > 0)
    return entropy / sum((rank + 1) * p for rank, p in enumerate(ranked))


def probabilities_plainly(M, x, neighbourhoods):
    similarity = [sum(M[x, y] for y in members) / len(members) for members in neighbourhoods]
    total = sum(similarity)
    if total == 0:
        return [1 / len(similarity)] * len(similarity)
    return [s / total for s in similarity]


def overlapping(n, n_classes, seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n)
    return rng.normal(size=(n, 2)) + 1.5 * truth[:, None], truth


def test_uncertainty_of_rows():
    rng = np.random.default_rng(0)
    P = rng.dirichlet(np.full(5, 0.4), size=50)
    P[0] = [1, 0, 0, 0, 0]
    P[1] = 0.2
    assert np.allclose(normalise_uncertainty(P), [uncertainty_plainly(row) for row in P], rtol=1e-12, atol=0)
    assert normalise_uncertainty(P)[0] == 0
    assert math.isclose(normalise_uncertainty(P)[1], math.log2(5) / 3)
    assert normalise_uncertainty(np.ones((3, 1))).tolist() == [0, 0, 0]


def test_mean_similarities_are_those_of_the_whole_matrix():
    X, truth = overlapping(25, 3, 0)
    state = State(X, "euclidean", None, 0)
    for i, j in [(0, 1), (1, 2), (3, 4)]:
        state.constraints.add(i, j, "same")
    state.constraints.add(0, 3, "different")
    skeleton = Skeleton(state)
    leaves = RandomForestClassifier(10, random_state=3).fit(X, truth).apply(X)
    M = proximities(X, truth, 10, 3)
    items = np.arange(5, 25)
    expected = [[M[x, [0, 1, 2]].mean(), M[x, [3, 4]].mean()] for x in items]
    assert np.allclose(average_over_leaves(leaves, skeleton, items), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
@pytest.mark.parametrize("seed", range(5))
def test_it_asks_what_the_algorithm_asks(seed, metric):
    X, truth = overlapping(14, 3, seed)
    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    items = D if metric == "precomputed" else X
    strategy = NPU(clusterer=HACC(), n_trees=10)
    session = Session(items, strategy=strategy, n_clusters=3, metric=metric, random_state=seed)
    neighbourhoods = [[int(np.random.default_rng(seed).integers(14))]]
    while len(neighbourhoods) < 3 and sum(map(len, neighbourhoods)) < 14:
        labels = HACC(3, metric=metric).fit_predict(items, must_link=session.must_link, cannot_link=session.cannot_link)
        M = proximities(items, labels, 10, seed)
        inside = [i for members in neighbourhoods for i in members]
        P = {x: probabilities_plainly(M, x, neighbourhoods) for x in range(14) if x not in inside}
        score = {x: round(uncertainty_plainly(p), 12) for x, p in P.items()}
        point = max(P, key=lambda x: (score[x], D[x, inside].min(), -x))
        gap = [D[point, members].min() for members in neighbourhoods]
        order = sorted(range(len(neighbourhoods)), key=lambda k: (-round(P[point][k], 12), gap[k]))
        for tries, k in enumerate(order):
            question = session.ask()
            member, asked = question.items
            assert asked == point
            assert member in neighbourhoods[k]
            if tries == 0:
                assert math.isclose(question.score, uncertainty_plainly(P[point]), rel_tol=1e-9, abs_tol=1e-12)
            is_same = truth[member] == truth[point]
            session.answer(question, "same" if is_same else "different")
            if is_same:
                neighbourhoods[k].append(point)
                break
        else:
            neighbourhoods.append([point])


class Counter(BaseEstimator):
    """Clusters by the sign of the first coordinate, and counts how often."""

    times = 0

    def fit_predict(self, X, y=None, *, must_link=None, cannot_link=None):
        Counter.times += 1
        return (X[:, 0] > 0).astype(np.int64)


def test_items_are_clustered_once_a_point_and_not_once_a_question():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 2))
    session = Session(X, strategy=NPU(clusterer=Counter(), n_trees=3), random_state=0)
    for k in range(1, 6):  # twelve items, all different: the k-th point takes k questions
        Counter.times = 0
        points = set()
        for _ in range(k):
            question = session.ask()
            points.add(question.items[1])
            session.answer(question, "different")
        assert len(points) == 1
        assert Counter.times == 1


def test_a_neighbourhood_known_to_differ_has_no_share():
    X, _ = overlapping(12, 3, 1)
    session = Session(X, strategy=NPU(clusterer=HACC(), n_trees=10), n_clusters=4, random_state=0)
    for pair in [(0, 1), (0, 2), (1, 2)]:
        session.answer(pair, "different")
    session.answer((2, 5), "different")
    skeleton = Skeleton(session.state)
    strategy = session.strategy
    P = strategy._probabilities(session.state, skeleton, np.array([5, 6]))
    k = int(skeleton.home[2])
    assert P[0, k] == 0
    assert np.allclose(P.sum(axis=1), 1)
    assert session.ask().items[1] == 5


def test_with_one_neighbourhood_the_farthest_point_is_taken():
    X = np.array([[0.0], [1.0], [7.0], [3.0]])
    session = Session(X, strategy=NPU(clusterer=HACC(), n_trees=3), random_state=0)
    session.answer((0, 1), "same")
    assert session.ask().items == (1, 2)
    assert session.ask().score == 0
