"""Explore and Consolidate against a plain walk through the paper's two phases."""

import itertools

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from likewise import Session
from likewise.query import ExploreConsolidate, State
from likewise.query.neighbourhood.skeleton import NearestMembers, Skeleton
from likewise.query.question import Answer


def distances(X):
    return np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))


def scattered(n, n_classes, seed, *, on_grid=False):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n)
    X = rng.normal(size=(n, 2)) + 2 * truth[:, None]
    return (np.round(X) if on_grid else X), truth


def session_pairs(session, truth, n=10_000):
    asked = []
    while len(asked) < n and (question := session.ask()) is not None:
        i, j = question.items
        asked.append((i, j))
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    return asked


class Walk:
    """The paper's phases as a program with variables: neighbourhoods grow, questions are counted."""

    def __init__(self, D, X, truth, K, seed):
        self.D, self.X, self.truth, self.K, self.seed = D, X, truth, K, seed
        self.first = int(np.random.default_rng(seed).integers(len(D)))
        self.members = [[self.first]]  # settled here
        self.confirmed = [[self.first]]  # and said to be
        self.asked = []

    def outside(self):
        inside = set(itertools.chain(*self.members))
        return [i for i in range(len(self.D)) if i not in inside]

    def settle(self, x, order):
        differs = []
        for k in order:
            if len(self.members) == self.K and len(differs) == self.K - 1:
                self.members[k].append(x)
                return
            m = min(sorted(self.confirmed[k]), key=lambda i: self.D[i, x])
            self.asked.append((m, x))
            if self.truth[m] == self.truth[x]:
                self.members[k].append(x)
                self.confirmed[k].append(x)
                return
            differs.append(k)
        self.members.append([x])
        self.confirmed.append([x])

    def nearest_first(self, x):
        gap = [min(self.D[x, i] for i in members) for members in self.members]
        return sorted(range(len(gap)), key=lambda k: gap[k])

    def explore(self):
        while len(self.members) < self.K and self.outside():
            inside = list(itertools.chain(*self.members))
            x = max(self.outside(), key=lambda i: min(self.D[i, j] for j in inside))
            self.settle(x, self.nearest_first(x))

    def consolidate(self):
        while self.outside():
            rng = np.random.default_rng([self.seed, len(self.asked)])
            x = int(rng.permutation(self.outside())[0])
            if self.X is not None:
                gap = [np.linalg.norm(self.X[x] - self.X[members].mean(0)) for members in self.members]
            else:
                gap = [self.D[x, members].mean() for members in self.members]
            self.settle(x, sorted(range(len(gap)), key=lambda k: gap[k]))


@pytest.mark.parametrize("sight", ["vectors", "precomputed"])
@pytest.mark.parametrize("seed", range(12))
def test_it_asks_what_the_two_phases_ask(seed, sight):
    X, truth = scattered(14, 3, seed, on_grid=seed % 3 == 2)
    K = len(np.unique(truth))
    D = distances(X)
    walk = Walk(D, X if sight == "vectors" else None, truth, K, seed)
    walk.explore()
    walk.consolidate()
    session = Session(
        X if sight == "vectors" else D,
        strategy="explore-consolidate",
        n_clusters=K,
        metric="euclidean" if sight == "vectors" else "precomputed",
        random_state=seed,
    )
    assert session_pairs(session, truth, len(walk.asked)) == walk.asked


def test_a_point_that_differs_from_all_but_one_is_not_compared_with_the_last_until_the_end():
    rng = np.random.default_rng(0)
    X, truth = rng.normal(size=(16, 2)), np.arange(16) % 4
    session = Session(X, strategy="explore-consolidate", n_clusters=4, random_state=0)
    while (Skeleton(session.state).home < 0).any():
        session_pairs(session, truth, 1)
    excluded = {item for _, item in Skeleton(session.state).excluded}
    assert len(excluded) > 1
    assert {x for _, x in session_pairs(session, truth)} == excluded
    assert session.finished


class Recorder(BaseEstimator):
    """Keeps the constraints it was given last."""

    def fit_predict(self, X, y=None, *, must_link=None, cannot_link=None):
        Recorder.seen = must_link.tolist(), cannot_link.tolist()
        return np.zeros(len(X), np.int64)


@pytest.mark.parametrize(("n_clusters", "inferred"), [(2, [[3, 1]]), (3, []), (None, [])])
def test_clusters_know_what_follows_from_the_number_of_clusters(n_clusters, inferred):
    strategy = ExploreConsolidate(clusterer=Recorder())
    session = Session(np.arange(4.0)[:, None], strategy=strategy, n_clusters=n_clusters)
    session.answer((0, 3), "different")
    session.answer((0, 1), "different")
    assert session.labels_.tolist() == [0, 0, 0, 0]
    assert Recorder.seen == (inferred, [[0, 3], [0, 1]])


def test_two_points_said_to_differ_are_not_both_settled_by_exclusion_in_one_neighbourhood():
    state = State(np.arange(5.0)[:, None], "euclidean", 2, 0)
    for pair in [(0, 1), (0, 2), (0, 3), (2, 3)]:
        state.constraints.add(*pair, "different")
    skeleton = Skeleton(state)
    assert skeleton.neighbourhoods == [[0], [1]]
    assert skeleton.home.tolist() == [0, 1, 1, -1, -1]
    assert skeleton.excluded == [(1, 2)]
    assert skeleton.open_to(3) == [1]


def test_unsure_goes_to_the_next_neighbourhood_then_to_another_point():
    X = np.array([[0.0], [10.0], [20.0], [1.0], [19.0]])
    session = Session(X, strategy="explore-consolidate", n_clusters=3, random_state=0)
    session.answer((0, 1), "different")
    session.answer((1, 2), "different")
    session.answer((0, 2), "different")
    session.answer((0, 3), "unsure")
    assert session.ask().items == (1, 3)
    session.answer((1, 3), "unsure")
    assert session.ask().items == (2, 3)
    session.answer((2, 3), "unsure")
    assert session.ask().items == (2, 4)
    assert session.ask(annotator="another").items == (0, 3)


def test_a_point_begun_is_finished_before_another_is_chosen_also_after_answers_to_a_batch():
    X, truth = scattered(20, 5, 1)
    session = Session(X, strategy="explore-consolidate", n_clusters=5, random_state=0)
    session_pairs(session, truth, 14)
    batch = session.ask(3)
    points = [question.items[1] for question in batch]
    assert len(set(points)) == 3
    for question in batch:
        session.answer(question, "different")
    again = [question.items[1] for question in session.ask(3)]
    home = Skeleton(session.state).home
    left = [point for point in reversed(points) if home[point] < 0]
    assert left
    assert again[: len(left)] == left


def test_without_a_number_of_clusters_it_explores_until_points_fall_into_what_is_found():
    X, truth = scattered(30, 3, 5)
    session = Session(X, strategy="explore-consolidate", random_state=1)
    seen = []
    while (question := session.ask()) is not None:
        seen.append((question.reason.split(":")[0], len(Skeleton(session.state))))
        i, j = question.items
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    phases = [phase for phase, _ in seen if phase in ("explores", "consolidates")]
    assert phases == sorted(phases, reverse=True)
    assert {n for phase, n in seen if phase == "consolidates"} == {3}


def test_a_point_that_differs_from_all_opens_a_neighbourhood_and_exploring_starts_again():
    X = np.array([[0.0], [1.0], [10.0], [11.0], [5.0], [6.0]])
    session = Session(X, strategy="explore-consolidate", random_state=0)
    for pair, said in [((0, 2), "different"), ((0, 1), "same"), ((2, 3), "same")]:
        session.answer(pair, said)
    assert session.ask().reason.startswith("consolidates")
    session.answer((1, 4), "different")
    session.answer((3, 4), "different")
    assert session.ask().reason.startswith("explores")
    assert session.ask().items == (4, 5)


def test_farthest_distances_stay_exact_when_members_come_and_go():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 3))
    state = State(X, "euclidean", None, 0)
    cache = NearestMembers()
    D = distances(X)
    for _ in range(30):
        members = np.sort(rng.choice(12, size=rng.integers(1, 8), replace=False))
        assert np.allclose(cache.update(state, members), D[members].min(axis=0), rtol=1e-12, atol=0)


def test_the_state_after_some_answers_is_the_state_as_it_was():
    X, truth = scattered(8, 3, 2)
    session = Session(X, strategy="explore-consolidate", random_state=0)
    session_pairs(session, truth, 9)
    past = session.state.after(5)
    rebuilt = Session(X, strategy="explore-consolidate", random_state=0).replay(session.history[:5])
    assert past.history == rebuilt.history
    assert past.constraints.must_link.tolist() == rebuilt.must_link.tolist()
    assert past.constraints.cannot_link.tolist() == rebuilt.cannot_link.tolist()
    assert all(isinstance(answer, Answer) for answer in past.history)


@pytest.mark.parametrize("metric", ["euclidean", lambda a, b: float(abs(a - b).sum())])
def test_distances_between_some_items_are_those_of_the_whole_matrix(metric):
    X = np.random.default_rng(1).normal(size=(7, 2))
    state, whole = State(X, metric, None, 0), State(X, metric, None, 0).distances
    assert np.array_equal(state.distances_between([3, 1], [0, 5, 1]), whole[np.ix_([3, 1], [0, 5, 1])])
    assert np.array_equal(state.distances_between([2]), whole[[2]])
