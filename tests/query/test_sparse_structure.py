"""Trees and graphs without a matrix of distances, each against something slower and obvious."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from likewise.constraints import Constraints
from likewise.distances import nearest
from likewise.kernels.graphs.nearer import nearest_among
from likewise.kernels.metric.centres import mean_gap
from likewise.query.base import State
from likewise.query.dendrogram.geometry import MatrixGeometry, Rotation, VectorGeometry
from likewise.query.dendrogram.structure import build_structure, graph_tree


def gap_of(A, B):
    return mean_gap(A.mean(axis=0), A.var(axis=0), B.mean(axis=0), B.var(axis=0))


def slow_merges(X, edges):
    """Merges along edges as they are defined: sets of items and their heights, from plain lists."""
    sets = {i: [i] for i in range(len(X))}
    live = {e: [*edge, gap_of(X[[edge[0]]], X[[edge[1]]])] for e, edge in enumerate(edges)}
    degree, reached, found = np.bincount(np.ravel(edges), minlength=len(X)), dict.fromkeys(range(len(X)), 0.0), []
    while live:
        e = min(live, key=lambda e: (live[e][2], e))
        a, b, value = live[e]
        now = gap_of(X[sets[a]], X[sets[b]])
        if now > value * (1 + 1e-9):
            live[e][2] = now
            continue
        a, b = (b, a) if degree[a] < degree[b] else (a, b)
        del live[e]
        beside = {c for edge in live.values() for c in edge[:2] if a in edge[:2]}
        for f in sorted((f for f in live if b in live[f][:2]), reverse=True):
            (other,) = set(live[f][:2]) - {b}
            if other == a or other in beside:
                del live[f]
            else:
                live[f][:2] = a, other
                beside.add(other)
                degree[a] += 1
        sets[a] += sets.pop(b)
        reached[a] = max(now, reached[a], reached[b])
        found.append((frozenset(sets[a]), reached[a]))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_merges_along_edges_are_those_of_plain_lists(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30))
    X = rng.normal(size=(n, 3)).astype(np.float32) + 4 * rng.integers(0, 3, (n, 1)).astype(np.float32)
    found = nearest(X, n_neighbors=min(n - 1, int(rng.integers(3, 12))))
    edges = sorted({(min(i, j), max(i, j)) for i, row in enumerate(found.indices.tolist()) for j in row})
    expected = slow_merges(X.astype(float), edges)
    tree = graph_tree(X, found)
    heights = {frozenset(tree.items(n + k).tolist()): tree.height[k] for k in range(n - 1)}
    for items, height in expected:
        assert heights[items] == pytest.approx(height, rel=1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_heights_are_mean_distances_and_never_fall(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(20, 400)), int(rng.integers(1, 8))
    X = rng.normal(size=(n, 2)) if seed % 2 else rng.integers(0, 5, (n, 2)).astype(float)  # ties and duplicates
    X = (X + 100 * rng.integers(0, 4, (n, 1))).astype(np.float32)  # what no edge joins
    tree = graph_tree(X, nearest(X, n_neighbors=k))
    assert (np.diff(tree.height) >= 0).all()
    assert sorted(tree.items(2 * n - 2)) == list(range(n))
    for m, (a, b) in enumerate(tree.children):
        below = [tree.height[c - n] for c in (a, b) if c >= n]
        expected = max([gap_of(X[tree.items(a)].astype(float), X[tree.items(b)].astype(float)), *below])
        assert tree.height[m] == pytest.approx(expected, rel=1e-3, abs=1e-3)
        assert tree.lowest[n + m] == tree.items(n + m).min()
        assert tree.log_pairs[m] == pytest.approx(np.log(tree.size[a] * tree.size[b]))


def test_very_many_parts_that_no_edge_joins_are_joined_by_their_centres():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(400, 2)) * 1000, 3, axis=0) + rng.normal(size=(1200, 2))
    tree = graph_tree(X.astype(np.float32), nearest(X, n_neighbors=2))
    assert sorted(tree.items(2 * 1200 - 2)) == list(range(1200))
    assert all(len(set(tree.items(v) // 3)) == 1 for v in range(1200, 2399) if tree.size[v] == 3)


def test_mean_distance_of_normal_sets_from_means_and_variances():
    rng = np.random.default_rng(0)
    for d in (1, 2, 4, 16, 64):
        for gap in (0.0, 1.0, 5.0):
            A, B = rng.normal(size=(400, d)), 0.5 * rng.normal(size=(300, d)) + gap
            assert gap_of(A, B) == pytest.approx(cdist(A, B).mean(), rel=0.06 if d == 1 else 0.025)
    assert gap_of(A[:1], B[:1]) == pytest.approx(np.linalg.norm(A[0] - B[0]))
    assert gap_of(A[:1], A[:1]) == 0.0


@pytest.mark.parametrize("seed", range(10))
def test_sets_that_change_are_those_described_anew(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    labels = rng.integers(0, 60, 60)
    for geometry in (VectorGeometry(X), MatrixGeometry(cdist(X, X))):
        clusters, first = geometry.clusters(), True
        for _ in range(8):
            before, labels = labels, labels.copy()
            labels[rng.integers(0, 60, 5)] = rng.integers(0, 60, 5)
            labels[labels == rng.integers(0, 60)] = rng.integers(0, 60)
            clusters.update(labels, None if first else np.flatnonzero((labels != before) | (rng.random(60) < 0.1)))
            first = False
            fresh = geometry.clusters()
            fresh.update(labels)
            assert np.array_equal(clusters.sizes, np.bincount(labels, minlength=60))
            assert np.array_equal(clusters.centrality, fresh.centrality)
            ids = np.unique(labels)
            assert np.array_equal(clusters.ids, ids)
            for label in range(60):
                items = np.flatnonzero(labels == label)
                assert np.array_equal(clusters.items(np.array([label])), items)
                medoid = items[np.argmin(clusters.centrality[items])] if len(items) else -1
                assert clusters.medoids[label] == medoid
            a, b = (side.ravel() for side in np.meshgrid(ids, ids))
            assert np.array_equal(clusters.distances(a, b), fresh.distances(a, b))
            taken = clusters.take(ids)
            assert np.array_equal(
                taken.distances(np.searchsorted(ids, a), np.searchsorted(ids, b)), fresh.distances(a, b)
            )
    expected = [
        geometry.between(np.flatnonzero(labels == a), np.flatnonzero(labels == b)).mean()
        for a, b in zip(a, b, strict=True)
    ]
    assert fresh.distances(a, b) == pytest.approx(expected, rel=1e-5)


def test_two_sets_made_one_are_as_if_they_had_been_one():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    labels = np.arange(30) % 3
    for geometry in (VectorGeometry(X), MatrixGeometry(cdist(X, X))):
        sets = geometry.sets(labels, 3)
        sets.merge(0, 1)
        one = geometry.sets(np.where(labels == 2, 1, 0), 2)
        assert sets.distances(0, 2) == pytest.approx(one.distances(0, 1))
        assert sets.sizes[0] == 20


def test_turning_the_axes_changes_no_distance():
    X = np.random.default_rng(0).normal(size=(50, 5)) @ np.diag([1, 2, 3, 4, 5]) + 1000
    turned = Rotation.of(X).apply(X)
    assert turned.dtype == np.float32
    assert cdist(turned, turned) == pytest.approx(cdist(X, X), rel=1e-4, abs=1e-4)
    assert np.corrcoef(turned.T) == pytest.approx(np.eye(5), abs=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_among_neighbours_and_theirs(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 80))
    X = rng.normal(size=(n, 3)).astype(np.float32)
    before = nearest(rng.normal(size=(n, 3)), n_neighbors=6).indices
    indices, distances = nearest_among(X, before, 2, 4)
    for i in range(n):
        around = sorted({*before[i].tolist(), *before[before[i, 0]].tolist(), *before[before[i, 1]].tolist()} - {i})
        gaps = np.linalg.norm(X[around] - X[i], axis=1)
        assert distances[i] == pytest.approx(np.sort(gaps)[:4], rel=1e-5)
        assert set(indices[i]) <= set(around)


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((1000, 3)),  # all equal
        np.array([[0.0], [1.0]]),
        np.repeat(np.eye(3), 500, axis=0),
        np.concatenate([np.zeros((500, 2)), np.ones((1, 2))]),
    ],
)
def test_duplicates_and_very_few(X):
    structure = build_structure(State(X, "euclidean", None, 0), 5)
    assert len(structure.tree.height) == len(X) - 1
    assert np.isfinite(structure.tree.height).all()
    assert np.isfinite(structure.graph.weights).all()
    totals = np.bincount(np.repeat(np.arange(len(X)), np.diff(structure.graph.starts)), structure.graph.weights)
    assert totals == pytest.approx(np.ones(len(X)))


@pytest.mark.parametrize("seed", range(30))
def test_what_was_spoken_of_is_what_is_known(seed):
    rng = np.random.default_rng(seed)
    constraints = Constraints(40)
    for _ in range(int(rng.integers(0, 40))):
        i, j = rng.choice(40, 2, replace=False).tolist()
        constraints.add(i, j, "same" if rng.random() < 0.5 else "different")
    items, group, different = constraints.spoken()
    assert items.tolist() == constraints.mentioned()
    firsts = [min(members) for members in constraints.groups() if set(members) & set(items.tolist())]
    assert [firsts[g] for g in group] == [min(constraints.members(i)) for i in items.tolist()]
    everybody = constraints.groups()
    expected = sorted((min(everybody[g]), min(everybody[h])) for g, h in constraints.group_cannot_links().tolist())
    assert sorted(tuple(sorted((firsts[g], firsts[h]))) for g, h in different.tolist()) == expected
