"""Vectors that are no good, or all the same: a right result or one sentence, and never a long wait."""

import numpy as np
import pytest

from likewise import Session

METRICS = ("euclidean", "cosine")


def answered(X, value, n=20, **options):
    session = Session(X, random_state=0, **options)
    asked = []
    while len(asked) < n and (question := session.ask()) is not None:
        asked.append(question.items)
        session.answer(question, value)
    return session, asked


@pytest.mark.parametrize("metric", METRICS)
def test_no_item_one_and_two(metric):
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        Session(np.empty((0, 3)), metric=metric)
    one, asked = answered(np.ones((1, 3)), "same", metric=metric)
    assert (asked, one.labels_.tolist(), one.finished) == ([], [0], True)
    for value, labels in (("same", [0, 0]), ("different", [0, 1])):
        for X in (np.ones((2, 3)), np.eye(2, 3), np.zeros((2, 3))):
            two, asked = answered(X, value, metric=metric)
            assert ([*map(set, asked)], two.labels_.tolist(), two.finished) == ([{0, 1}], labels, True)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_rows_without_numbers_are_named(value):
    X = np.ones((50, 3))
    X[[7, 30], 1] = value
    with pytest.raises(ValueError, match=r"Input contains (NaN|infinity): 2 of 50 rows, the first is row 7"):
        Session(X)
    large = np.full((4, 2), 1e308)
    with pytest.raises(ValueError, match="scale the vectors down"):
        Session(large)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("value", ["same", "different", "unsure"])
def test_five_thousand_equal_vectors_are_asked_about(metric, value):
    session, asked = answered(np.ones((5000, 4), np.float32), value, metric=metric)
    assert len(set(map(frozenset, asked))) == 20
    assert session.n_clusters_ == (20 if value == "different" else 1)


@pytest.mark.parametrize("value", ["same", "different"])
def test_thousands_of_copies_of_a_few(value):
    kinds = np.random.default_rng(0).normal(size=(4, 6))
    truth = np.repeat(np.arange(4), 500)
    session, asked = answered(kinds[truth], value, 3)
    assert len(asked) == 3
    session = Session(kinds[truth], random_state=0)
    for _ in range(6):
        question = session.ask()
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    assert session.n_clusters_ == 4
    assert all(len(set(session.labels_[truth == kind])) == 1 for kind in range(4))


def test_one_cluster_of_everything_becomes_one():
    X = 3 + 0.01 * np.random.default_rng(1).normal(size=(40, 5))
    session, asked = answered(X, "same", 39)
    assert session.finished
    assert session.n_clusters_ == 1
    assert len(asked) <= 39


def test_every_item_a_cluster_of_its_own():
    session, asked = answered(np.ones((7, 2)), "different", 100)
    assert len(asked) == 21
    assert session.finished
    assert session.n_clusters_ == 7


@pytest.mark.parametrize("n", [1, 2, 3, 40])
def test_distances_that_are_all_zero(n):
    session, _ = answered(np.zeros((n, n)), "same", n, metric="precomputed")
    assert session.n_clusters_ == 1


@pytest.mark.parametrize("X", [np.ones(5), np.ones((5, 0)), [["a", "b"]], np.ones((2, 2, 2))])
def test_what_is_no_table_of_numbers_is_refused(X):
    with pytest.raises(ValueError, match=r"2D|feature|convert|dim"):
        Session(X)
