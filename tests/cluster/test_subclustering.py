"""Subclustering: the search against the steps of the thesis written out, the blocks against whole matrices, Dask."""

import itertools

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.cluster import Subclustering
from likewise.cluster.subclustering import nearest_blocks, subclustering
from likewise.cluster.subclustering.candidates import Candidates
from likewise.cluster.subclustering.nearest_blocks import nearest_items
from likewise.cluster.subclustering.probabilities import FORBIDDEN, Exponential, Shared, pair_losses
from likewise.cluster.subclustering.subclustering import add_witnesses
from likewise.distances import pairwise
from likewise.metrics import subclustering_jaccard


# Items of no subcluster have the label -1, so scores of whole clusterings do not apply.
@parametrize_with_checks(
    [Subclustering(2, size=3, random_state=0)],
    expected_failed_checks=lambda model: {"check_clustering": "most items are in no subcluster"},
)
def test_scikit_learn(estimator, check):
    check(estimator)


def points(seed, n=30, ties=False):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 5, (n, 2)).astype(float) if ties else rng.normal(size=(n, 2))


def plain_nearest(D, items, n_neighbors):
    order = [[j for j in np.argsort(D[i], kind="stable") if j != i][:n_neighbors] for i in items]
    return np.array(order, np.int64).reshape(len(items), n_neighbors)


def plain_shared(D, witnesses, n_listed):
    """P of all pairs from whole lists: the share of nearest witnesses in common."""
    lists = [set(witnesses[np.argsort(row[witnesses], kind="stable")[:n_listed]].tolist()) for row in D]
    return np.array([[(len(a & b) + 0.5) / (n_listed + 1) for b in lists] for a in lists])


class Plain:
    """§4.2.2 step by step, from a whole distance matrix and a matrix of P."""

    def __init__(self, D, items, size, P):
        self.items, self.P = items, P
        self.sets = {r: {int(r), *plain_nearest(D, [r], size - 1)[0].tolist()} for r in items}

    def cost(self, centres):
        near = sum(-np.log(self.P[c, j]) for c in centres for j in self.sets[c] if j != c)
        apart = 0.0
        for a, b in itertools.permutations(range(len(centres)), 2):
            P = self.P[centres[a], centres[b]]
            apart += min(-np.log(1 - P), FORBIDDEN) if P < 1 else FORBIDDEN
        return near + apart

    def overlaps(self, c, others):
        return sum(bool(self.sets[c] & self.sets[o]) for o in others)

    def best_cost(self, centres):
        """The lowest cost over all valid replacements."""
        costs = [self.cost(centres)]
        for place, r in itertools.product(range(len(centres)), self.items):
            others = [c for k, c in enumerate(centres) if k != place]
            if r in centres or self.overlaps(centres[place], others) < self.overlaps(r, others):
                continue
            costs.append(self.cost([*others, r]))
        return min(costs)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_every_swap_is_the_best_valid_one(seed, ties, shared):
    X = points(seed, ties=ties)
    D = pairwise(X)
    rng = np.random.default_rng(seed)
    items = np.sort(rng.permutation(30)[:12])
    size, k = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    P = plain_shared(D, items, 4) if shared else np.exp(-D / 0.7)
    plain = Plain(D, items, size, P)
    lists = np.argsort(D[:, items], axis=1, kind="stable")[:, :4].astype(np.int32)
    probability = Shared(items, lists, 12) if shared else Exponential(X, "euclidean", items, 0.7)
    pool = Candidates(X, "euclidean", items, plain_nearest(D, items, size - 1), probability)
    pool.choose(rng.permutation(12)[:k])
    for _ in range(20):
        before = items[pool.centres].tolist()
        assert pool.cost() == pytest.approx(plain.cost(before))
        best = plain.best_cost(before)
        path = pool.swap(1)
        assert path[-1] == pytest.approx(best)
        if len(path) == 1:
            break
    assert len(path) == 1


def test_pair_losses():
    assert pair_losses(np.array([0.0, 1.0, 50.0]), 2.0) == pytest.approx(
        [FORBIDDEN, -np.log(1 - np.exp(-0.5)), 0.0], abs=1e-10
    )


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "chi2", "robust", "precomputed", "callable"])
@pytest.mark.parametrize("ties", [False, True])
def test_nearest_items_in_blocks_are_those_of_the_whole_matrix(metric, ties, monkeypatch):
    monkeypatch.setattr(nearest_blocks, "BLOCK_ITEMS", 7)
    monkeypatch.setattr(nearest_blocks, "BLOCK_ROWS", 3)
    X = np.abs(points(1, 40, ties)) + (0.0 if ties else 0.1)
    called = {"callable": lambda a, b: float(np.abs(a - b).sum())}.get(metric, metric)
    D = pairwise(X) if metric == "precomputed" else pairwise(X, metric=called)
    items = np.array([0, 3, 17, 39])
    witnesses = np.array([True, False, True, True])
    given = {"witnesses": witnesses, "n_listed": 2, "metric": called}
    indices, distances, lists = nearest_items(D if metric == "precomputed" else X, items, 9, **given)
    nearest = np.sort(D[:, items[witnesses]], axis=1)[:, :2]
    assert np.take_along_axis(D[:, items], lists, 1) == pytest.approx(nearest)
    assert (lists != 1).all()
    assert (lists[:, 0] != lists[:, 1]).all()
    expected = plain_nearest(D, items, 9)
    assert distances == pytest.approx(np.take_along_axis(D[items], expected, 1))
    assert (distances == np.sort(distances)).all()
    if not ties:
        assert indices.tolist() == expected.tolist()
    assert not (indices == items[:, None]).any()
    assert all(len(set(row)) == 9 for row in indices.tolist())


def test_nearest_items_far_from_zero_and_in_float32():
    X = 1e4 + np.random.default_rng(0).normal(size=(300, 8))
    items = np.arange(0, 300, 11)
    expected = plain_nearest(pairwise(X), items, 5)
    for dtype in ("float64", "float32"):
        assert nearest_items(X, items, 5, dtype=dtype)[0].tolist() == expected.tolist()


@pytest.mark.parametrize("seed", range(5))
def test_probability_is_the_share_of_witnesses_in_common(seed):
    X = points(seed, 60)
    model = Subclustering(4, size=5, restricted=20, random_state=seed).fit(X)
    D, centres = pairwise(X), model.medoid_indices_.tolist()
    plain = Plain(D, centres, 5, plain_shared(D, np.arange(60), 15))  # of so few items all are witnesses
    assert [set(row) for row in model.subclusters_.tolist()] == list(plain.sets.values())
    assert model.objective_ == pytest.approx(plain.cost(centres))
    assert (np.diff(model.objective_path_) < 0).all()


@pytest.mark.parametrize(("n", "n_clusters", "n_items"), [(50, 2, 10), (500, 2, 400), (9000, 3, 60), (9, 9, 9)])
def test_witnesses(n, n_clusters, n_items, monkeypatch):
    monkeypatch.setattr(subclustering, "WITNESSES", 120)
    items = np.sort(np.random.default_rng(0).permutation(n)[:n_items])
    everyone, is_witness = add_witnesses(items, n, n_clusters, np.random.RandomState(0))
    assert set(items.tolist()) <= set(everyone.tolist())
    assert (np.diff(everyone) > 0).all()
    assert is_witness.sum() == min(n, max(n_items, 120), 64 * n_clusters)


@pytest.mark.parametrize("seed", range(5))
def test_cost_never_rises_and_is_that_of_the_result(seed):
    X = points(seed, 80)
    options = {"size": 4, "restricted": 40, "probability": "exponential", "random_state": seed}
    model = Subclustering(5, **options).fit(X)
    assert (np.diff(model.objective_path_) < 0).all()
    assert model.objective_ == model.objective_path_[-1]
    assert model.n_iter_ == len(model.objective_path_) > 1
    assert model.subclusters_.shape == (5, 4)
    assert model.subclusters_[:, 0].tolist() == model.medoid_indices_.tolist()
    D = pairwise(X)
    plain = Plain(D, model.medoid_indices_.tolist(), 4, np.exp(-D / model.scale_))
    assert plain.cost(model.medoid_indices_.tolist()) == pytest.approx(model.objective_)
    assert [set(s) for s in model.subclusters_.tolist()] == list(plain.sets.values())
    given = Subclustering(5, metric="precomputed", **options).fit(D)
    assert given.subclusters_.tolist() == model.subclusters_.tolist()
    assert given.labels_.tolist() == model.labels_.tolist()


def test_labels_name_the_subcluster_with_the_nearest_centre():
    X = points(0, 60)
    model = Subclustering(4, size=6, random_state=0).fit(X)
    D = pairwise(X)
    for item, label in enumerate(model.labels_.tolist()):
        holders = [k for k in range(4) if item in model.subclusters_[k]]
        gaps = {k: D[model.medoid_indices_[k], item] for k in holders}
        assert label == (min(gaps, key=gaps.get) if gaps else -1)


def test_clear_classes_are_covered():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(6), rng.integers(20, 60, 6))
    X = 12 * rng.permutation(np.eye(6))[truth] + rng.normal(size=(len(truth), 6))
    model = Subclustering(6, size=8, random_state=0).fit(X)
    assert subclustering_jaccard(truth, model.subclusters_) == 1.0


def test_constraints_are_probabilities_of_one_and_zero():
    X = np.arange(12.0)[:, None]
    plain = Subclustering(2, size=3, restricted=[2, 9], random_state=0).fit(X)
    assert np.sort(plain.subclusters_).tolist() == [[1, 2, 3], [8, 9, 10]]
    model = Subclustering(2, size=3, restricted=[2, 9], random_state=0)
    model.fit(X, must_link=[(2, 6)], cannot_link=[(2, 1), (9, 8), (9, 10)])
    assert np.sort(model.subclusters_).tolist() == [[2, 3, 6], [7, 9, 11]]
    for probability in ("shared", "exponential"):
        options = {"size": 1, "restricted": [0, 1, 5], "probability": probability, "random_state": 0}
        apart = Subclustering(2, **options).fit(X, must_link=[(0, 5), (1, 5)])
        assert apart.objective_ >= 2 * FORBIDDEN
        kept = Subclustering(2, **options).fit(X, must_link=[(0, 5)], cannot_link=[(0, 1)])
        assert 1 in kept.medoid_indices_
        assert kept.objective_ == 0.0


def test_duplicates_and_more_clusters_than_size_allows():
    model = Subclustering(3, size=10, random_state=0).fit(np.zeros((7, 2)))
    assert model.subclusters_.shape == (3, 2)
    assert Subclustering(1, size=1).fit([[1.0]]).subclusters_.tolist() == [[0]]
    everything = Subclustering(4, size=1, random_state=0).fit(np.arange(4.0)[:, None])
    assert everything.labels_.tolist() == [0, 1, 2, 3]


def test_vectors_on_disk_and_float32(tmp_path):
    X = np.random.default_rng(0).normal(size=(500, 6)).astype(np.float32)
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    options = {"size": 5, "random_state": 3}
    expected = Subclustering(6, **options).fit(X).subclusters_.tolist()
    assert Subclustering(6, **options).fit(mapped).subclusters_.tolist() == expected
    assert Subclustering(6, dtype="float32", **options).fit(X).subclusters_.tolist() == expected


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"size": 0}, "size"),
        ({"restricted": 1}, "restricted leaves 1 items for n_clusters=2"),
        ({"restricted": [0, 99]}, "restricted must hold indices of the 6 items"),
        ({"scale": 0.0}, "scale"),
        ({"scale": "best"}, "scale must be a number or 'auto'"),
        ({"probability": "certain"}, "probability must be shared or exponential"),
        ({"n_init": 0}, "n_init"),
        ({"metric": "nothing"}, "metric must be one of"),
    ],
)
def test_bad_parameters(bad, message):
    with pytest.raises(ValueError, match=message):
        Subclustering(2, **bad).fit(np.arange(6.0)[:, None])
