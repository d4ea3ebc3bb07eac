"""CAC1 against its score computed plainly for every two clusters."""

import itertools

import numpy as np
import pytest

from likewise import Session
from likewise.cluster import HACC


def distances(X):
    return np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))


def scattered(n, n_classes, seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n)
    return rng.normal(size=(n, 2)) + 1.5 * truth[:, None], truth


def best_plainly(D, labels, known, size_power):
    """Of all open pairs of clusters the highest score, and the pairs of items that reach it."""
    found = []
    for a, b in itertools.combinations(range(labels.max() + 1), 2):
        A, B = np.flatnonzero(labels == a), np.flatnonzero(labels == b)
        if any(known(i, j) == "different" for i in A for j in B):
            continue
        gap = min(D[i, j] for i in A for j in B)
        closest = {(min(i, j), max(i, j)) for i in A for j in B if D[i, j] == gap}
        found.append(((len(A) * len(B)) ** size_power / gap, closest))
    if not found:
        return None
    top = max(score for score, _ in found)
    return top, set().union(*(pairs for score, pairs in found if score == top))


@pytest.mark.parametrize("size_power", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(6))
def test_the_question_is_the_best_by_the_score_at_the_first_level_that_has_one(seed, size_power):
    X, truth = scattered(15, 4, seed)
    X = np.round(X, 1) if seed % 2 else X  # ties
    X = X + np.arange(15)[:, None] * 1e-3  # and no two items in one place
    D = distances(X)
    session = Session(X, strategy="cac1", n_clusters=4, random_state=0, size_power=size_power)
    for _ in range(25):
        constraints = session.state.constraints
        n_groups, level, expected = len(constraints.groups()), 4, None
        while expected is None:
            labels = HACC(level, metric="precomputed").fit_predict(
                D, must_link=session.must_link, cannot_link=session.cannot_link
            )
            expected = best_plainly(D, labels, constraints.known, size_power)
            level = min(2 * level, n_groups)
        question = session.ask()
        assert np.isclose(question.score, expected[0], rtol=1e-9)
        assert (min(question.items), max(question.items)) in expected[1]
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
        if session.finished:
            break


def test_size_counts_by_its_power():
    X = np.array([[0.0], [0.1], [0.2], [1.5], [1.6], [1.7], [5.0], [5.9]])
    large = Session(X, strategy="cac1", n_clusters=4, random_state=0, size_power=0.5)
    assert large.ask().items == (2, 3)
    near = Session(X, strategy="cac1", n_clusters=4, random_state=0, size_power=0.0)
    assert near.ask().items == (6, 7)


def test_when_all_clusters_differ_it_goes_down_one_level():
    X = np.array([[0.0], [0.1], [1.0], [9.0], [9.1], [11.0]])
    session = Session(X, strategy="cac1", n_clusters=2, random_state=0)
    assert session.ask().items == (2, 3)
    session.answer((2, 3), "different")
    assert session.ask().items in {(1, 2), (4, 5)}


def test_items_in_one_place_are_asked_about_first():
    X = np.array([[0.0], [0.0], [5.0], [5.5]])
    session = Session(X, strategy="cac1", n_clusters=4, random_state=0)
    question = session.ask()
    assert question.items == (0, 1)
    assert question.score == np.inf


def test_unsure_leaves_two_clusters_for_others_and_comes_back_to_them():
    X = np.array([[0.0], [0.1], [2.0], [2.1], [9.0], [9.2]])
    session = Session(X, strategy="cac1", n_clusters=3, random_state=0)
    assert session.ask().items == (1, 2)
    session.answer((1, 2), "unsure")
    assert session.ask().items == (3, 4)
    assert session.ask(annotator="another").items == (1, 2)
    asked = {(1, 2)}
    while (question := session.ask()) is not None:
        asked.add(tuple(sorted(question.items)))
        session.answer(question, "unsure")
    assert len(asked) == 15
