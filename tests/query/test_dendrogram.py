"""The parts of the dendrogram asker, each against something slower and obvious."""

import itertools

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import pdist, squareform

from likewise import Session
from likewise.constraints import Constraints
from likewise.kernels.graphs.tree_blocks import TreeBlocks, blocks_around, find_blocks_again
from likewise.kernels.graphs.tree_cuts import close_below, find_blocks, number_pieces, sum_distances
from likewise.query import DendrogramAsker
from likewise.query.base import State
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.answered_distances import AnsweredDistances
from likewise.query.dendrogram.candidates import MergeCandidates
from likewise.query.dendrogram.dendrogram import Merges, Parts, halve_unsure
from likewise.query.dendrogram.estimate import ClusterReader
from likewise.query.dendrogram.leaks import SLIGHT
from likewise.query.dendrogram.learned_graph import learn_graph
from likewise.query.dendrogram.merge_split import merge_or_split
from likewise.query.dendrogram.structure import build_structure, matrix_tree
from likewise.query.question import Answer

SEEDS = range(40)


def random_state(seed, n_answers=None):
    """Items in overlapping classes, and answers that agree with some truth, not always with the classes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 40))
    truth = rng.integers(0, rng.integers(1, 6), n)
    X = np.round(rng.normal(size=(n, 2)) + 2 * truth[:, None], 1 if seed % 2 else 6)  # rounded: ties
    state = State(X, "euclidean", None, seed)
    for _ in range(int(rng.integers(0, 2 * n)) if n_answers is None else n_answers):
        i, j = rng.choice(n, 2, replace=False).tolist()
        answer = Answer("pair", (i, j), "same" if truth[i] == truth[j] else "different")
        state.history.append(answer)
        state.constraints.add(i, j, answer.value)
    return state, truth


def reading_of(state):
    structure = build_structure(state, 5)
    answered = AnsweredDistances(structure)
    answered.update([statement for answer in state.history for statement in answer.statements()])
    curve = SameCurve(structure.near, structure.far).fit(answered.distances, answered.same, answered.pairs)
    return ClusterReader(structure).read(curve, state.constraints)


def assert_kept(constraints, labels):
    """No answer is contradicted."""
    for i, j in constraints.must_link.tolist():
        assert labels[i] == labels[j]
    for i, j in constraints.cannot_link.tolist():
        assert labels[i] != labels[j]


@pytest.mark.parametrize("seed", SEEDS)
def test_tree_is_average_linkage(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    points = rng.normal(size=(n, 3)) if seed % 2 else rng.integers(0, 4, (n, 2)).astype(float)
    D = squareform(pdist(points))
    tree = matrix_tree(D)
    for k, (a, b) in enumerate(tree.children):
        assert tree.height[k] == pytest.approx(D[np.ix_(tree.items(a), tree.items(b))].mean(), abs=1e-9)
    assert (np.diff(tree.height) >= -1e-9).all()
    assert sorted(tree.items(2 * n - 2)) == list(range(n))
    if seed % 2:  # without ties there is only one such tree
        theirs = squareform(cophenet(linkage(squareform(D), "average")))
        for i, j in itertools.combinations(range(n), 2):
            assert tree.height[tree.meeting(i, j)] == pytest.approx(theirs[i, j])


@pytest.mark.parametrize("seed", SEEDS)
def test_cuts_and_blocks_of_a_tree(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30))
    tree = matrix_tree(squareform(pdist(rng.normal(size=(n, 2)))))
    wanted = rng.random(n - 1) < 0.7
    below = {n + k: {n + k} for k in range(n - 1)}
    for k, children in enumerate(tree.children.tolist()):
        below[n + k] |= set().union(*(below.get(child, set()) for child in children))
    allowed = close_below(tree.children, wanted)
    assert allowed.tolist() == [all(wanted[v - n] for v in below[n + k]) for k in range(n - 1)]
    pieces = number_pieces(tree.children, allowed)
    for i, j in itertools.combinations(range(n), 2):
        assert (pieces[i] == pieces[j]) == allowed[tree.meeting(i, j)]
    labels = rng.integers(-1, 2, n)

    def is_block(v):
        found = set(labels[tree.items(v)])
        return len(found) == 1 and found != {-1}

    wanted_nodes = [v for v in range(2 * n - 1) if is_block(v) and not (v < 2 * n - 2 and is_block(tree.parent[v]))]
    assert find_blocks(tree.children, tree.parent, labels).tolist() == wanted_nodes


@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_after_changes_are_those_found_from_the_start(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    tree = matrix_tree(squareform(pdist(rng.normal(size=(n, 2)))))
    labels, cores, items = rng.integers(0, 3, n), rng.random(n) < 0.2, np.arange(n)
    blocks, before = TreeBlocks(np.full(2 * n - 1, -1), np.zeros(2 * n - 1, bool)), set()
    for _ in range(6):
        flipped = find_blocks_again(tree, items, labels, cores, blocks).tolist()
        expected = find_blocks(tree.children, tree.parent, np.where(cores, -1, labels)).tolist()
        assert np.flatnonzero(blocks.is_top).tolist() == expected
        assert sorted(flipped) == sorted(before ^ set(expected))
        inside = [v for v in expected if set(tree.items(v)) & set(items.tolist())]
        assert blocks_around(tree, items, blocks).tolist() == inside
        before = set(expected)
        items = rng.permutation(n)[: rng.integers(0, n)]
        labels[items], cores[items] = rng.integers(0, 1 + rng.integers(3), len(items)), rng.random(len(items)) < 0.2


def test_sums_of_distances():
    rng = np.random.default_rng(0)
    D = squareform(rng.random(45))
    labels = np.arange(10) % 4
    between, own = sum_distances(D, labels, 4)
    for a, b in itertools.product(range(4), range(4)):
        assert between[a, b] == pytest.approx(D[np.ix_(labels == a, labels == b)].sum())
    assert np.allclose(own, [D[i, labels == labels[i]].sum() for i in range(10)])


@pytest.mark.parametrize("seed", range(200))
def test_no_reading_contradicts_an_answer(seed):
    state, _ = random_state(seed)
    estimate = reading_of(state)
    assert_kept(state.constraints, estimate.labels)
    assert set(estimate.numbers) == set(range(estimate.n_clusters))
    assert len(set(zip(estimate.numbers, estimate.labels, strict=True))) == estimate.n_clusters
    rng = np.random.default_rng(seed)
    wanted = int(rng.integers(1, state.n + 1))
    labels = merge_or_split(estimate, wanted)
    assert_kept(state.constraints, labels)
    n_found = len(np.unique(labels))
    assert labels.max() + 1 == n_found
    if n_found > wanted:  # only when all of them are known to differ
        for a, b in itertools.combinations(range(n_found), 2):
            pairs = itertools.product(np.flatnonzero(labels == a), np.flatnonzero(labels == b))
            assert any(state.constraints.known(int(i), int(j)) == "different" for i, j in pairs)


def test_everything_known_is_read_as_it_was_said():
    for seed in range(30):
        state, truth = random_state(seed, n_answers=0)
        for i, j in itertools.combinations(range(state.n), 2):
            state.constraints.add(i, j, "same" if truth[i] == truth[j] else "different")
        labels = reading_of(state).labels
        for i, j in itertools.combinations(range(state.n), 2):
            assert (labels[i] == labels[j]) == (truth[i] == truth[j])


@pytest.mark.parametrize("seed", range(20))
def test_evidence_does_not_depend_on_how_it_came(seed):
    state, _ = random_state(seed, n_answers=12)
    structure = build_structure(state, 5)
    statements = [statement for answer in state.history for statement in answer.statements()]
    grown, fresh = AnsweredDistances(structure), AnsweredDistances(structure)
    for m in (3, 7, 12, 5, 12):  # forward, and back as by undo
        grown.update(statements[:m])
    fresh.update(statements)
    assert (grown.distances, grown.pairs, grown.same) == (fresh.distances, fresh.pairs, fresh.same)
    assert [grown.newness(m - 1, m) for m in range(1, 13)] == [fresh.newness(m - 1, m) for m in range(1, 13)]
    assert len(fresh.same) == 12


def test_evidence_is_about_the_sets_that_stand_for_the_items():
    X = np.array([[0.0], [0.1], [9.0], [9.1], [20.0], [20.1]])
    D = squareform(pdist(X))
    structure = build_structure(State(D, "precomputed", None, 0), 5)
    structure.pieces[:] = [0, 0, 1, 1, 2, 2]
    structure.sets = structure.geometry.sets(structure.pieces, 3)
    answered = AnsweredDistances(structure)
    answered.update([(0, 2, "same"), (3, 5, "different"), (0, 1, "same"), (1, 3, "same")])
    assert answered.pairs == [4.0, 8.0, 1.0, 4.0]
    mean = D[:4, 4:].mean()
    assert answered.distances == pytest.approx([9.0, mean, 0.1, 9.0])


@pytest.mark.parametrize("seed", range(20))
def test_curve_is_the_best_of_its_kind_and_falls_with_the_distance(seed):
    rng = np.random.default_rng(seed)
    curve = SameCurve(rng.random(8), 1 + rng.random(8))
    d, sizes = 2 * rng.random(30), rng.integers(1, 50, 30).astype(float)
    same = rng.random(30) < (0.2 + 0.6 * d / 2 if seed % 2 else 1 - d / 2)  # odd: the data say it rises
    curve.fit(d, same, sizes)
    assert curve.coef_[1] >= 0

    def loss(coef):
        z = curve._columns(d, sizes) @ coef
        prior = curve._prior @ coef
        total = np.sum(np.logaddexp(0, z) - same * z)
        total += curve._prior_weight @ (np.logaddexp(0, prior) - curve._prior_same * prior)
        return total + 0.5 * np.array([1e-3, 1e-3, 0.3]) @ coef**2

    for axis, step in itertools.product(range(3), (-1e-3, 1e-3)):
        moved = curve.coef_.copy()
        moved[axis] += step
        assert moved[1] < 0 or loss(moved) >= loss(curve.coef_) - 1e-12


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
@pytest.mark.parametrize("seed", range(20))
def test_worth_of_questions_is_as_defined(seed, metric):
    state, _ = random_state(seed)
    D = squareform(pdist(state.X))
    if metric == "precomputed":
        state.X, state.metric = D, metric
    estimate = reading_of(state)
    labels, tree = estimate.labels, estimate.structure.tree
    found = MergeCandidates.of(estimate).unique()
    probability = {(a, b): p for a, b, p in zip(found.left, found.right, found.probability, strict=True)}
    merges, parts = Merges.of(estimate), Parts.of(estimate)
    leaks = dense_leaks(estimate)
    for a, b in itertools.combinations(estimate.ids.tolist(), 2):
        A, B = np.flatnonzero(labels == a), np.flatnonzero(labels == b)
        if any(state.constraints.known(int(i), int(j)) == "different" for i in A for j in B):
            assert (a, b) not in probability
            continue
        distance = estimate.clusters.distances(np.array([a]), np.array([b]))[0]
        if metric == "precomputed":
            assert distance == pytest.approx(D[np.ix_(A, B)].mean(), rel=1e-5)
        leak = max(leaks[a, b] / len(A), leaks[b, a] / len(B))
        leak = leak if leak >= SLIGHT else 0.0
        near = estimate.curve(distance, len(A) * len(B))
        assert probability[a, b] == pytest.approx(near * min(1.0, 2 * np.sqrt(leak + 2e-3)), rel=1e-4)
        at = ((merges.left == a) & (merges.right == b)) | ((merges.left == b) & (merges.right == a))
        assert merges.value[at].max() == pytest.approx(probability[a, b] * len(A) * len(B))
    inside = set()
    for node, cluster, worth in zip(parts.nodes, parts.clusters, parts.value, strict=True):
        items = tree.items(node)
        inside |= set(items.tolist())
        assert set(labels[items]) == {cluster}
        assert not estimate.cores[items].any()
        own = np.mean(
            [
                dict(zip(*row, strict=True)).get(cluster, 0.0)
                for row in zip(*(x[items] for x in estimate.layer), strict=True)
            ]
        )
        up = tree.parent[node] - state.n
        joined = estimate.curve(tree.height[up], np.prod(tree.size[tree.children[up]])) if up >= 0 else 0.0
        doubt = max(1 - (joined + own) / 2, 1e-9)
        assert worth == pytest.approx(doubt**1.5 * len(items) * (np.sum(labels == cluster) - len(items)), rel=1e-4)
    assert inside == set(np.flatnonzero(~estimate.cores).tolist())


def dense_leaks(estimate):
    """What the items of each cluster receive of each label, by one loop over all edges."""
    graph, (carried, shares), n = estimate.graph, estimate.layer, len(estimate.labels)
    leaks = np.zeros((n, n))
    for i in range(n):
        for e in range(graph.starts[i], graph.starts[i + 1]):
            for label, share in zip(carried[graph.ends[e]], shares[graph.ends[e]], strict=True):
                if label >= 0:
                    leaks[estimate.labels[i], label] += graph.weights[e] * share
    return leaks


@pytest.mark.parametrize("seed", [1, 5])
def test_not_sure_halves_what_it_was_about(seed):
    state, _ = random_state(seed, n_answers=0)
    estimate = reading_of(state)
    merges, parts = Merges.of(estimate), Parts.of(estimate)
    before = merges.value.copy(), parts.value.copy()
    a, b = merges.left[0], merges.right[0]
    i, j = (int(np.flatnonzero(estimate.labels == c)[0]) for c in (a, b))
    halve_unsure([(i, j)] * 2, estimate, merges, parts)
    about = [{c, d} == {a, b} for c, d in zip(merges.left, merges.right, strict=True)]
    assert merges.value == pytest.approx(np.where(about, before[0] / 4, before[0]))
    assert np.array_equal(parts.value, before[1])
    item = int(estimate.structure.tree.items(parts.nodes[0])[-1])
    core = int(np.flatnonzero(estimate.cores & (estimate.labels == parts.clusters[0]))[0])
    halve_unsure([(item, core)], estimate, merges, parts)
    assert parts.value[0] == before[1][0] / 2
    assert np.array_equal(parts.value[1:], before[1][1:])


@pytest.mark.parametrize("seed", range(4))
def test_few_questions_do_on_clear_classes(seed):
    rng = np.random.default_rng(seed)
    truth = np.arange(120) % 6
    X = rng.normal(size=(120, 4)) + 12 * rng.normal(size=(6, 4))[truth]
    session = Session(X, strategy=DendrogramAsker(), random_state=seed)
    for _ in range(15 + 6):
        question = session.ask()
        i, j = question.items
        assert question.reason
        session.answer(question, "same" if truth[i] == truth[j] else "different")
    assert all(
        (session.labels_[i] == session.labels_[j]) == (truth[i] == truth[j]) for i in range(120) for j in range(i)
    )


def test_wrong_answers_are_kept_to_and_undo_takes_them_back():
    X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    session = Session(X, strategy="dendrogram", random_state=0)
    before = session.labels_.tolist()
    session.answer((0, 1), "different")
    assert session.labels_[0] != session.labels_[1]
    session.undo()
    assert session.labels_.tolist() == before


def test_constraints_are_not_touched():
    state, _ = random_state(3)
    before = Constraints(state.n, state.constraints.must_link, state.constraints.cannot_link)
    DendrogramAsker().ask(state, 5)
    assert np.array_equal(before.must_link, state.constraints.must_link)
    assert np.array_equal(before.cannot_link, state.constraints.cannot_link)


def stripes(seed=0, n=120):
    """Classes that differ along one direction, and vary ten times as much along seven others."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    X = np.column_stack([0.6 * truth + 0.1 * rng.normal(size=n), rng.normal(size=(n, 7))])
    return X, truth


def share_of_true_neighbours(graph, truth):
    rows = np.repeat(np.arange(len(truth)), np.diff(graph.starts))
    return graph.weights[truth[rows] == truth[graph.ends]].sum() / graph.weights.sum()


def test_a_learned_graph_has_better_neighbours():
    X, truth = stripes()
    state = State(X, "euclidean", None, 0)
    for i in range(0, 57, 3):
        for c in range(3):
            state.constraints.add(i + c, i + 3 + c, "same")
    structure = build_structure(state, 5)
    before = share_of_true_neighbours(structure.graph, truth)
    learned = learn_graph(state, structure.neighbours, 5)
    assert share_of_true_neighbours(learned, truth) > before + 0.2
    totals = np.add.reduceat(learned.weights, learned.starts[:-1])
    assert np.allclose(totals, 1.0)


def test_nothing_is_learned_without_two_that_are_the_same_and_differ():
    state = State(np.repeat(np.eye(4), 2, axis=0), "euclidean", None, 0)
    found = build_structure(state, 3).neighbours
    assert learn_graph(state, found, 3) is None
    state.constraints.add(0, 1, "same")  # equal vectors
    state.constraints.add(0, 2, "different")
    assert learn_graph(state, found, 3) is None


def test_what_is_learned_does_not_depend_on_the_way_there():
    X, truth = stripes(1)
    X = np.hstack([X, np.zeros((len(X), 130))])  # more dimensions than are kept
    asker = DendrogramAsker()
    session = Session(X, strategy=asker, random_state=0)
    said = []
    for _ in range(70):
        question = session.ask()
        i, j = question.items
        said.append((question.items, "same" if truth[i] == truth[j] else "different"))
        session.answer(*said[-1])
    assert asker._kept_graph is not None
    fresh = Session(X, strategy=DendrogramAsker(), random_state=0)
    for items, value in said:
        fresh.answer(items, value)
    assert np.array_equal(fresh.labels_, session.labels_)
    assert fresh.ask() == session.ask()
    for _ in range(15):
        session.undo()
    again = Session(X, strategy=DendrogramAsker(), random_state=0)
    for items, value in said[:55]:
        again.answer(items, value)
    assert session.ask() == again.ask()
