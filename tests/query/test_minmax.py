"""MinMax against the criterion computed plainly for every point."""

import numpy as np
import pytest

from likewise import Session
from likewise.query.neighbourhood.skeleton import Skeleton


def choose_plainly(D, neighbourhoods, sigma):
    """argmin over x outside of max over y inside of exp(-d²/σ²), and the neighbourhoods by falling similarity."""
    similarity = np.exp(-(D**2) / sigma**2)
    inside = [i for members in neighbourhoods for i in members]
    outside = [i for i in range(len(D)) if i not in inside]
    best = min(outside, key=lambda x: max(similarity[x, y] for y in inside))
    order = sorted(range(len(neighbourhoods)), key=lambda k: -max(similarity[best, y] for y in neighbourhoods[k]))
    return best, order


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
@pytest.mark.parametrize("seed", range(10))
def test_the_point_is_the_one_least_similar_to_the_skeleton(seed, metric):
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=13)
    X = rng.normal(size=(13, 3)) + 1.5 * truth[:, None]
    X = np.round(X) if seed % 2 else X  # ties
    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    session = Session(D if metric == "precomputed" else X, strategy="minmax", metric=metric, random_state=seed)
    neighbourhoods = [[int(np.random.default_rng(seed).integers(13))]]
    while sum(map(len, neighbourhoods)) < 13:
        point, order = choose_plainly(D, neighbourhoods, sigma=np.quantile(D, 0.8))
        for k in order:
            question = session.ask()
            member, asked = question.items
            assert asked == point
            assert member == min(sorted(neighbourhoods[k]), key=lambda i: D[i, point])
            is_same = truth[member] == truth[point]
            session.answer(question, "same" if is_same else "different")
            if is_same:
                neighbourhoods[k].append(point)
                break
        else:
            neighbourhoods.append([point])
    found = sorted(sorted(members) for members in Skeleton(session.state).neighbourhoods)
    assert found == sorted(sorted(members) for members in neighbourhoods)
    assert session.finished


def test_similarities_that_would_underflow_are_still_told_apart():
    X = np.array([[0.0], [1e4], [2e4], [4e4]])
    session = Session(X, strategy="minmax", random_state=0)
    session.answer((0, 1), "different")
    assert session.ask().items == (1, 3)
    assert session.ask().score == 3e4


def test_what_is_excluded_by_the_number_of_clusters_counts_as_settled():
    X = np.array([[0.0], [10.0], [20.0], [12.0]])
    session = Session(X, strategy="minmax", n_clusters=2, random_state=0)
    session.answer((0, 1), "different")
    session.answer((0, 2), "different")
    question = session.ask()
    assert question.items[1] == 3
    assert question.score == 2.0
