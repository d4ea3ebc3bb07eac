"""KMedoids: the swaps against plain PAM, small cases by hand and by enumeration."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from likewise.cluster import KMedoids
from likewise.cluster.kmedoids import candidate_distances
from likewise.cluster.kmedoids.candidate_distances import CandidateDistances
from likewise.cluster.kmedoids.swaps import swap_best, swap_eager, swap_random
from likewise.kernels.assignment.medoids import find_first_swap, find_two_nearest

METHODS = ["fastpam", "clarans", "alternate"]


def distances(seed, n=20, ties=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n, 2)).astype(float) if ties else rng.normal(size=(n, 2))
    return np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))


def total(cost, medoids):
    return cost[list(medoids)].min(axis=0).sum()


class Rows:
    """Any table of distances, in blocks of a few rows."""

    def __init__(self, table, height=None):
        self.table, self.height = table, height or len(table)

    def __len__(self):
        return len(self.table)

    def rows(self, rows):
        return self.table[rows]

    def blocks(self):
        for start in range(0, len(self.table), self.height):
            yield start, self.table[start : start + self.height]


def plain_pam(cost, medoids):
    """Try every swap, make the best, until none gains."""
    medoids = list(medoids)
    swaps = []
    while True:
        tried = [
            (total(cost, [*medoids[:k], c, *medoids[k + 1 :]]), c, k)
            for c in range(len(cost))
            if c not in medoids
            for k in range(len(medoids))
        ]
        if not tried or min(tried)[0] >= total(cost, medoids) * (1 - 1e-12):
            return medoids, swaps
        _, c, k = min(tried)
        swaps.append((c, k))
        medoids[k] = c


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(0, 12), st.integers(1, 20))
def test_swaps_are_those_of_pam(seed, n_medoids, n_restricted, height):
    rng = np.random.default_rng(seed)
    cost = rng.random((20, 20))[: n_medoids + n_restricted]
    start = rng.permutation(len(cost))[:n_medoids]
    expected, swaps = plain_pam(cost, start)
    for most in range(len(swaps) + 1):
        medoids = start.copy()
        made, settled = swap_best(Rows(cost, height), medoids, most)
        partial = start.copy()
        for c, k in swaps[:most] if n_medoids > 1 else swaps:
            partial[k] = c
        assert medoids.tolist() == partial.tolist()
        assert made == (most if n_medoids > 1 else len(swaps))
        assert settled == (n_medoids == 1)  # to know that none is left takes one more look
    assert medoids.tolist() == expected
    assert swap_best(Rows(cost, height), start.copy(), len(swaps) + 1) == (len(swaps), True)


def plain_eager(cost, medoids):
    """Go round the candidates; make the best swap of each that gains; until none of them does."""
    medoids = list(medoids)
    idle = made = 0
    while True:
        for c in range(len(cost)):
            idle += 1
            if c not in medoids:
                tried = [(total(cost, [*medoids[:k], c, *medoids[k + 1 :]]), k) for k in range(len(medoids))]
                if min(tried)[0] < total(cost, medoids) * (1 - 1e-12):
                    medoids[min(tried)[1]] = c
                    idle, made = 0, made + 1
            if idle >= len(cost):
                return medoids, made


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(0, 12), st.integers(1, 20), st.booleans())
def test_eager_swaps_are_the_first_that_gain(seed, n_medoids, n_restricted, height, ties):
    rng = np.random.default_rng(seed)
    cost = rng.integers(1, 5, (20, 20)).astype(float) if ties else rng.random((20, 20))
    cost = cost[: n_medoids + n_restricted]
    start = rng.permutation(len(cost))[:n_medoids]
    medoids = start.copy()
    made, settled = swap_eager(Rows(cost, height), medoids, 1000)
    assert settled
    assert total(cost, medoids) <= total(cost, start)
    assert plain_pam(cost, medoids)[1] == []  # no swap is left that gains
    if not ties:
        expected, swaps = plain_eager(cost, start)
        assert (medoids.tolist(), made) == (expected, swaps)


def test_eager_swaps_stop_after_max_iter_passes():
    cost = distances(1, n=60)
    ends, settled = [], []
    for passes in (1, 2, 50):
        medoids = np.arange(6)
        settled.append(swap_eager(Rows(cost, 7), medoids, passes)[1])
        ends.append(total(cost, medoids))
    assert ends[0] >= ends[1] >= ends[2]
    assert (settled[0], settled[2]) == (False, True)
    assert plain_pam(cost, medoids)[1] == []


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("restricted", [None, 40])
def test_blocks_find_what_the_whole_table_finds(monkeypatch, method, constrained, restricted):
    X = np.random.default_rng(2).normal(size=(90, 3))
    links = {"must_link": [(0, 1), (1, 2), (5, 6)], "cannot_link": [(0, 5), (7, 8)]} if constrained else {}
    for eager in (True, False):
        model = KMedoids(5, method=method, restricted=restricted, eager=eager, n_init=2, random_state=1)
        whole = model.fit(X, **links)
        expected = whole.medoid_indices_.tolist(), whole.labels_.tolist(), whole.inertia_, whole.n_iter_
        monkeypatch.setattr(candidate_distances, "HELD", 0)
        monkeypatch.setattr(candidate_distances, "BLOCK", 700)
        assert CandidateDistances(X, "euclidean", np.arange(90)).table is None
        blocks = model.fit(X, **links)
        assert (blocks.medoid_indices_.tolist(), blocks.labels_.tolist()) == expected[:2]
        assert blocks.inertia_ == pytest.approx(expected[2])
        assert blocks.n_iter_ == expected[3]
        monkeypatch.undo()


def test_two_nearest_medoids():
    cost = np.array([[0.0, 2.0, 5.0], [3.0, 0.0, 5.0], [9.0, 9.0, 0.0]])
    nearest, runner_up, first, second = find_two_nearest(cost[[1, 0]])
    assert nearest.tolist() == [1, 0, 0]  # a tie goes to the earlier medoid
    assert runner_up.tolist() == [0, 1, 1]
    assert first.tolist() == [0.0, 0.0, 5.0]
    assert second.tolist() == [3.0, 2.0, 5.0]


def test_first_gaining_swap():
    cost = np.abs(np.subtract.outer(*2 * [np.array([0.0, 1.0, 2.0, 9.0, 10.0, 11.0])]))
    nearest, _, first, second = find_two_nearest(cost[[0, 1]])
    assert find_first_swap(cost[[0, 1]], np.array([0, 1]), nearest, first, second) == -1
    assert find_first_swap(cost[[1, 5, 4]], np.array([0, 0, 0]), nearest, first, second) == 1
    medoids = np.array([0, 1])
    assert swap_random(Rows(cost), medoids, 100, 200, np.random.RandomState(0))[0] > 0
    assert sorted(medoids) == [1, 4]


@pytest.mark.parametrize("method", METHODS)
def test_by_hand(method):
    X = [[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]]
    model = KMedoids(2, method=method, n_init=3, random_state=0).fit(X)
    assert model.labels_.tolist() == [0, 0, 0, 1, 1, 1]
    assert model.medoid_indices_.tolist() == [1, 4]
    assert model.inertia_ == 4.0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ties", [False, True])
def test_result_is_consistent_and_often_the_lowest(method, ties):
    reached = 0
    for seed in range(30):
        D = distances(seed, n=10, ties=ties)
        model = KMedoids(3, metric="precomputed", method=method, n_init=8, random_state=seed).fit(D)
        lowest = min(total(D, medoids) for medoids in combinations(range(10), 3))
        assert model.inertia_ == pytest.approx(D[np.arange(10), model.medoid_indices_[model.labels_]].sum())
        assert model.labels_[model.medoid_indices_].tolist() == [0, 1, 2]
        assert model.inertia_ == pytest.approx(total(D, model.medoid_indices_))
        assert model.inertia_ >= lowest - 1e-9
        reached += model.inertia_ <= lowest + 1e-9
    assert reached >= (26 if method != "alternate" else 20)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("restricted", [None, 30])
def test_float32_finds_the_same_clusters(method, restricted):
    X = np.random.default_rng(5).normal(size=(80, 3)) + np.repeat([[0.0], [9.0]], 40, axis=0)
    options = {"method": method, "restricted": restricted, "random_state": 0}
    double, single = (KMedoids(4, dtype=dtype, **options).fit(X) for dtype in ("float64", "float32"))
    assert single.medoid_indices_.tolist() == double.medoid_indices_.tolist()
    assert single.inertia_ == pytest.approx(double.inertia_, rel=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_restricted(method):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    allowed = np.array([3, 7, 8, 20, 31, 44])
    model = KMedoids(3, method=method, restricted=allowed, random_state=0, n_init=10).fit(X)
    assert set(model.medoid_indices_) <= set(allowed.tolist())
    lowest = min(total(D, m) for m in combinations(allowed.tolist(), 3))
    assert model.inertia_ >= lowest - 1e-9
    if method != "alternate":
        assert model.inertia_ == pytest.approx(lowest)
    given = KMedoids(3, metric="precomputed", method=method, restricted=allowed, random_state=0, n_init=10)
    assert given.fit(D).medoid_indices_.tolist() == model.medoid_indices_.tolist()
    drawn = KMedoids(3, method=method, restricted=5, random_state=0).fit(X)
    again = KMedoids(3, method=method, restricted=5, random_state=0).fit(X)
    assert drawn.medoid_indices_.tolist() == again.medoid_indices_.tolist()


def test_restricted_to_the_medoids_themselves():
    X = np.arange(12.0)[:, None]
    model = KMedoids(2, restricted=[2, 9], random_state=0).fit(X)
    assert model.medoid_indices_.tolist() == [2, 9]
    assert model.labels_.tolist() == [0] * 6 + [1] * 6


@pytest.mark.parametrize("method", METHODS)
def test_must_links_are_units_and_cannot_links_hold(method):
    rng = np.random.default_rng(3)
    for seed in range(15):
        X = rng.normal(size=(40, 2))
        truth = rng.integers(4, size=40)
        pairs = np.array([rng.choice(40, 2, replace=False) for _ in range(30)])
        same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
        model = KMedoids(4, method=method, random_state=seed)
        labels = model.fit_predict(X, must_link=pairs[same], cannot_link=pairs[~same])
        assert (labels[pairs[same, 0]] == labels[pairs[same, 1]]).all()
        assert (labels[pairs[~same, 0]] != labels[pairs[~same, 1]]).all()
        assert (labels[model.medoid_indices_] == np.arange(4)).all()
        gaps = np.sqrt(((X - X[model.medoid_indices_[labels]]) ** 2).sum(axis=1))
        assert model.inertia_ == pytest.approx(gaps.sum())


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"method": "pam"}, "method must be one of fastpam, clarans, alternate, got 'pam'"),
        ({"restricted": 1}, "restricted leaves 1 items for n_clusters=2"),
        ({"restricted": [0, 9]}, "restricted must hold indices of the 5 items"),
        ({"restricted": [0.5, 1.5]}, "restricted must hold indices"),
        ({"method": "clarans", "max_neighbors": 0}, "max_neighbors"),
    ],
)
def test_bad_parameters(bad, message):
    with pytest.raises(ValueError, match=message):
        KMedoids(2, **bad).fit(np.arange(5.0)[:, None])
