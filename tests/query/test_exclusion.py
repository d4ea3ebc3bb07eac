"""What follows from the number of clusters: never more than every clustering with so many agrees on."""

import itertools

import numpy as np
import pytest

from likewise import Constraints, Session
from likewise.query.answers.exclusion import by_exclusion


def clusterings(n, k):
    """All ways to put n items into exactly k clusters."""
    for labels in itertools.product(range(k), repeat=n):
        if len(set(labels)) == k and all(label <= max(labels[:at], default=-1) + 1 for at, label in enumerate(labels)):
            yield labels


def agreed(constraints, k):
    """Pairs that are the same in every clustering into k that keeps to the constraints."""
    must, cannot = (pairs.tolist() for pairs in constraints.closure())
    fit = [
        labels
        for labels in clusterings(constraints.n, k)
        if all(labels[i] == labels[j] for i, j in must) and all(labels[i] != labels[j] for i, j in cannot)
    ]
    pairs = itertools.combinations(range(constraints.n), 2)
    return {(i, j) for i, j in pairs if fit and all(labels[i] == labels[j] for labels in fit)}, bool(fit)


@pytest.mark.parametrize("seed", range(150))
def test_what_follows_is_what_all_clusterings_agree_on(seed):
    rng = np.random.default_rng(seed)
    n, k = 6, int(rng.integers(2, 4))
    truth = rng.integers(0, k + (seed % 3 == 0), n)
    constraints = Constraints(n)
    for _ in range(int(rng.integers(2, 12))):
        i, j = rng.choice(n, 2, replace=False).tolist()
        constraints.add(i, j, "same" if truth[i] == truth[j] else "different")
    found = by_exclusion(constraints, k)
    sure, possible = agreed(constraints, k)
    for i, j, relation in found:
        assert relation == "same"
        assert constraints.known(i, j) is None
        assert not possible or (min(i, j), max(i, j)) in sure
    if possible:
        for statement in found:
            assert constraints.add(*statement) is None
        if len(clique(constraints, k)) == k:  # then all that is agreed on is found
            assert all(constraints.known(i, j) == "same" for i, j in sure)


def clique(constraints, k):
    for some in itertools.combinations(range(constraints.n), k):
        if all(constraints.known(i, j) == "different" for i, j in itertools.combinations(some, 2)):
            return some
    return ()


def answer_all(session, truth, most=10_000):
    while len(session.history) < most and (question := session.ask()) is not None:
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")


def assert_same_partition(labels, others):
    assert np.array_equal(np.equal.outer(labels, labels), np.equal.outer(others, others))


@pytest.mark.parametrize("seed", range(8))
def test_of_two_clusters_every_answer_tells_where_something_belongs(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 30)
    truth[:2] = 0, 1
    session = Session(rng.normal(size=(30, 3)) + truth[:, None], n_clusters=2, random_state=seed)
    answer_all(session, truth, 29)  # each makes one group of two, but for the first that sets two apart
    assert_same_partition(session.labels_, truth)
    answer_all(session, truth)  # the number may have been wrong: the rest is asked all the same, last
    assert session.finished
    assert_same_partition(session.labels_, truth)


@pytest.mark.parametrize("recheck", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_a_wrong_number_is_found_out(seed, recheck):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, 25)
    X = rng.normal(size=(25, 3)) + 3 * rng.normal(size=(4, 3))[truth]
    session = Session(X, n_clusters=3, random_state=seed, recheck=recheck)
    while (question := session.ask()) is not None:
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
        for answer in session.history:
            i, j = answer.items
            assert (session.labels_[i] == session.labels_[j]) == (answer.value == "same")
    assert not session.conflicts
    assert_same_partition(session.labels_, truth)
