"""Clusters read under answers: the joins and the spreading against slower ones, and updates against reading anew."""

import itertools

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from likewise.constraints import Constraints
from likewise.kernels.graphs.cluster_values import assign_groups
from likewise.kernels.graphs.propagation import PARTS
from likewise.kernels.graphs.tree_cuts import close_again, close_below, find_blocks, follow_odds, number_pieces
from likewise.query.base import State
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram import spreading as spreading_room
from likewise.query.dendrogram.candidates import MergeCandidates
from likewise.query.dendrogram.dendrogram import Parts
from likewise.query.dendrogram.estimate import ClusterReader
from likewise.query.dendrogram.joined_tree import GAINS, SURE, JoinedTree
from likewise.query.dendrogram.known_groups import KnownGroups
from likewise.query.dendrogram.spreading import N_STEPS, SHARE, Source, Spreading
from likewise.query.dendrogram.structure import Graph, build_structure, matrix_tree


def random_graph(rng, n):
    """A graph whose edges go either way, with weights that add up to 1 for each item."""
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 3 / n), 1)
    W = (W + W.T) * rng.uniform(0.5, 1.0, (n, n))
    totals = W.sum(axis=1, keepdims=True)
    W = np.divide(W, totals, out=np.zeros_like(W), where=totals > 0)
    starts = np.concatenate([[0], np.cumsum((W > 0).sum(axis=1))])
    return Graph(starts, np.nonzero(W)[1], W[W > 0]), W


def random_source(rng, n, before=None, n_labels=6):
    """Labels, some of them as before, and what items may not carry: never their own."""
    labels, fixed = rng.integers(0, n_labels, n), rng.random(n) < 0.3
    if before is not None:
        kept = rng.random(n) < 0.9
        labels, fixed = np.where(kept, before.labels, labels), np.where(kept, before.fixed, fixed)
    row = np.where(rng.random(n) < 0.2, rng.integers(0, 2, n), -1)
    barred = [sorted(set(range(n_labels)) - set(labels[row == r].tolist()))[: rng.integers(0, 4)] for r in range(2)]
    starts = np.cumsum([0, *map(len, barred)])
    return Source(labels, fixed, row, starts, np.array([*barred[0], *barred[1]], np.int64))


@pytest.fixture(params=[1, 3], ids=["one thread", "three threads"])
def _threads(request, monkeypatch):
    """Steps are made by so many threads, however few items there are."""
    monkeypatch.setattr(spreading_room, "MANY", 1)
    monkeypatch.setattr(spreading_room, "count_threads", lambda: request.param)


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize("seed", range(40))
def test_spreading_is_the_plain_matrix_iteration(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 25))
    graph, W = random_graph(rng, n)
    source = random_source(rng, n)
    layer = Spreading(graph).update(source)
    own = np.eye(6)[source.labels]
    F, still = own.copy(), source.fixed | (W.sum(axis=1) == 0)
    for _ in range(N_STEPS):
        new = SHARE * W @ F + (1 - SHARE) * own
        for i in np.flatnonzero(source.row >= 0):
            begin, end = source.barred_starts[source.row[i] : source.row[i] + 2]
            new[i, source.barred_labels[begin:end]] = 0.0
        parts = np.floor(new / new.sum(axis=1, keepdims=True) * PARTS + 0.5) / PARTS
        F = np.where(still[:, None], own, parts)
    dense = np.zeros((n, 6))
    for i, s in itertools.product(range(n), range(layer.carried.shape[1])):
        if layer.carried[i, s] >= 0:
            dense[i, layer.carried[i, s]] = layer.shares[i, s]
    assert np.array_equal(dense, F)
    assert (np.diff(layer.shares, axis=1) <= 0).all()


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize("seed", range(20))
def test_spreading_after_changes_is_that_from_the_start(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 80))
    graph, _ = random_graph(rng, n)
    spreading, source = Spreading(graph), random_source(rng, n)
    before = None
    among = None
    for _ in range(6):
        layer = spreading.update(source, among)
        fresh = Spreading(graph).update(source)
        assert np.array_equal(layer.carried, fresh.carried)
        assert np.array_equal(layer.shares, fresh.shares)
        if before is not None:
            differs = (layer.carried != before[0]).any(axis=1) | (layer.shares != before[1]).any(axis=1)
            assert np.flatnonzero(differs).tolist() == spreading.changed.tolist()
        before = layer.carried.copy(), layer.shares.copy()
        past, source = source, random_source(rng, n, source)
        same = (past.labels == source.labels) & (past.fixed == source.fixed) & (past.row < 0) & (source.row < 0)
        among = np.flatnonzero(~same) if rng.random() < 0.7 else None


def slow_joins(X, tree, allowed, constraints, curve, asked):
    """Joins along the tree by sets of items, as they are defined."""
    n = len(X)
    sets = {i: frozenset(constraints.members(i)) for i in range(n)}
    named = constraints.mentioned()
    standing = {i: [i] if i in named else [] for i in range(n)}

    def differ(A, B):
        return any(constraints.known(i, j) == "different" for i in A for j in B)

    def gap(i, j):
        return np.linalg.norm(X[i] - X[j])

    def presence(A, span, units):
        inside = sum(i in span for i in A)
        first = min(A, key=lambda i: (named.index(i) if i in named else n, i))
        if 2 * inside > len(A) or (2 * inside == len(A) and first in span):
            return 2
        return int(any(i in A and i in asked for i in units))

    def likely(A, B, logit, gain):
        mean = np.mean([gap(i, j) for i in A for j in B])
        return logit + curve.logit(mean, len(A) * len(B)) + GAINS[gain] >= 0

    for k, (a, b) in enumerate(tree.children.tolist()):
        left = standing[a] or tree.items(a)[:1].tolist()
        right = standing[b] or tree.items(b)[:1].tolist()
        missed = False
        if allowed[k]:
            span, logit = set(tree.items(n + k).tolist()), curve.logit(tree.height[k], logs=tree.log_pairs[k])
            pairs = {}
            for i, j in itertools.product(left, right):
                key = sets[i], sets[j]
                pairs.setdefault(key, []).append((gap(i, j), i, j))
            for _, i, j in sorted((min(each, key=lambda e: e[0]) for each in pairs.values()), key=lambda e: e[0]):
                A, B = sets[i], sets[j]
                if A == B:
                    continue
                least = min(presence(A, span, left), presence(B, span, right))
                if differ(A, B) or not (least == 2 or likely(A, B, logit, least)):
                    missed = True
                    continue
                for item in A | B:
                    sets[item] = A | B
        standing[n + k] = [i for v, side in ((a, left), (b, right)) if standing[v] or missed for i in side]
    return [min(sets[i]) for i in range(n)]


def random_answers(rng, truth, count):
    n = len(truth)
    constraints = Constraints(n)
    for _ in range(count):
        i, j = rng.choice(n, 2, replace=False).tolist()
        right = "same" if truth[i] == truth[j] else "different"
        constraints.add(i, j, right if rng.random() < 0.9 else "same")
    return constraints


def in_their_pieces(graph, pieces, items):
    """The items most of whose neighbours lie in their piece."""

    def inside(i):
        around = slice(graph.starts[i], graph.starts[i + 1])
        return graph.weights[around][pieces[graph.ends[around]] == pieces[i]].sum()

    return {i for i in items if inside(i) >= SURE}


@pytest.mark.parametrize("seed", range(60))
def test_joins_are_those_of_sets_of_items_whatever_was_joined_before(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 40))
    truth = rng.integers(0, rng.integers(1, 5), n)
    X = rng.normal(size=(n, 2)) + 2.5 * truth[:, None]
    structure = build_structure(State(X, "euclidean", None, 0), 5)
    tree, graph, points = structure.tree, structure.graph, structure.geometry.points.astype(float)
    curve, joined = SameCurve(structure.near, structure.far), JoinedTree(structure)
    wanted = rng.random(n - 1) < 0.9
    for _ in range(5):
        wanted = np.where(rng.random(n - 1) < rng.choice([0.0, 0.05, 0.5]), ~wanted, wanted)
        constraints = random_answers(rng, truth, int(rng.integers(0, 2 * n)))
        asked = {i for i in constraints.mentioned() if rng.random() < 0.3}
        before = joined.labels.copy()
        joined.update(wanted, KnownGroups.of(constraints), curve, graph, asked)
        allowed = close_below(tree.children, wanted)
        chosen = in_their_pieces(graph, number_pieces(tree.children, allowed), asked)
        assert joined.labels.tolist() == slow_joins(points, tree, allowed, constraints, curve, chosen)
        assert joined.changed.tolist() == np.flatnonzero(joined.labels != before).tolist()


@pytest.mark.parametrize("seed", range(60))
def test_merges_allowed_after_changes_are_those_found_from_the_start(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    tree = matrix_tree(cdist(*[rng.normal(size=(n, 2))] * 2))
    wanted = rng.random(n - 1) < 0.9
    closed = close_below(tree.children, wanted)
    for _ in range(6):
        flips, before = rng.random(n - 1) < rng.random() ** 2, closed.copy()
        wanted = wanted ^ flips
        changed = close_again(tree.children, tree.parent, wanted, np.flatnonzero(flips), closed)
        assert np.array_equal(closed, close_below(tree.children, wanted))
        assert set(np.flatnonzero(closed != before)) <= set(changed.tolist())


@pytest.mark.parametrize("seed", range(30))
def test_groups_take_the_first_cluster_without_one_they_differ_from(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 12))
    near, far = np.nonzero(np.triu(rng.random((count, count)) < 0.4, 1))
    differs = [[*far[near == g], *near[far == g]] for g in range(count)]
    groups = rng.permutation(count)[: rng.integers(0, count + 1)]
    ranked = [rng.permutation(6)[: rng.integers(0, 4)] for _ in groups]
    home = rng.integers(0, 6, count)
    expected = home.copy()
    for g, labels in zip(groups, ranked, strict=True):
        taken = {expected[h] for h in differs[g]}
        expected[g] = next((label for label in labels if label not in taken), expected[g])
    ends = np.cumsum([0, *map(len, ranked)])
    starts = np.cumsum([0, *map(len, differs)])
    labels, others = (np.array([x for each in lists for x in each], np.int64) for lists in (ranked, differs))
    assign_groups(groups, ends[:-1], ends[1:], labels, starts, others, home)
    assert np.array_equal(home, expected)


def test_a_cut_changes_only_where_the_odds_are_clear():
    rng = np.random.default_rng(0)
    height, logs, before = rng.random(500), rng.random(500), rng.random(500) < 0.5
    for curve in (np.array([1.0, 2.0, 0.3]), np.array([0.2, 0.0, 0.1])):
        odds, joined = curve[0] - curve[1] * height - curve[2] * logs, before.copy()
        follow_odds(height, logs, curve, 0.3, 1.0, joined)
        assert np.array_equal(joined, (odds > 0.3) | (before & (odds >= -1.0)))


def leaks_of(estimate):
    """What leaks, and how far these clusters are from each other."""
    return estimate.leaks.rows, estimate.leaks.others, estimate.leaks.sums, estimate.leaks.gaps


def slow_shares(estimate, nodes):
    """The mean shares of their own label that the items below nodes carry."""
    own = np.where(estimate.layer.carried == estimate.labels[:, None], estimate.layer.shares, 0).sum(axis=1)
    return [own[estimate.structure.tree.items(v)].mean(dtype=np.float64) for v in nodes]


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
@pytest.mark.parametrize("seed", range(8))
def test_reading_again_is_reading_anew(seed, metric):
    rng = np.random.default_rng(seed)
    n = 120
    truth = rng.integers(0, 5, n)
    X = rng.normal(size=(n, 3)) + 1.5 * truth[:, None]
    if metric == "precomputed":
        X = np.linalg.norm(X[:, None] - X, axis=2)
    structure = build_structure(State(X, metric, None, seed), 5)
    reader, constraints, learned = ClusterReader(structure), Constraints(n), random_graph(rng, n)[0]
    for step in range(25):
        if rng.random() < 0.25 and len(constraints):
            constraints.undo()  # and back
        else:
            i, j = rng.choice(n, 2, replace=False).tolist()
            constraints.add(i, j, "same" if truth[i] == truth[j] else "different")
        if step % 3 == 0:
            joined = rng.random(n - 1) < (0.99 if step % 5 else 0.9)
        graph = structure.graph if step < 15 else learned
        curve = SameCurve(structure.near, structure.far).fit(rng.random(5) * 3, rng.random(5) < 0.5)
        asked = {int(i) for i in constraints.mentioned() if rng.random() < 0.5}
        estimate = reader.read(curve, constraints, joined=joined, asked=asked, graph=graph)
        fresh = ClusterReader(structure).read(curve, constraints, joined=joined, asked=asked, graph=graph)
        assert np.array_equal(estimate.labels, fresh.labels)
        for one, other in zip((*estimate.layer, estimate.sizes), (*fresh.layer, fresh.sizes), strict=True):
            assert np.array_equal(one, other)
        assert np.array_equal(estimate.centrality, fresh.centrality)
        assert np.array_equal(estimate.cores, fresh.cores)
        assert np.array_equal(estimate.cores, estimate.find_cores(estimate.labels))
        blocks = find_blocks(structure.tree.children, structure.tree.parent, np.where(fresh.cores, -1, fresh.labels))
        assert np.array_equal(estimate.parts.nodes, blocks)
        assert np.array_equal(estimate.parts.values.share, slow_shares(estimate, blocks))
        for one, other in zip(estimate.parts.values, fresh.parts.values, strict=True):
            assert np.array_equal(one, other)
        assert np.array_equal(Parts.of(estimate).value, Parts.of(fresh).value)
        for one, other in zip(leaks_of(estimate), leaks_of(fresh), strict=True):
            assert np.array_equal(one, other)
        one, other = MergeCandidates.of(estimate), MergeCandidates.of(fresh)
        assert np.array_equal(one.left, other.left)
        assert np.array_equal(one.right, other.right)
        assert np.array_equal(one.probability, other.probability)
