"""Items that come later: neighbours, tree and session, each against something slower and obvious."""

from itertools import pairwise

import numpy as np
import pytest

from likewise import Session, simulate
from likewise.distances import nearest
from likewise.distances.growing import extend_neighbours
from likewise.kernels.graphs.tree_insertion import insert_items
from likewise.metrics import ari
from likewise.query.base import State
from likewise.query.dendrogram.growth import GROWTH, LEAST, follow_stages
from likewise.query.dendrogram.structure import build_structure, graph_tree


def blobs(rng, n, d=3, k=6, spread=6.0):
    truth = rng.integers(0, k, n)
    return rng.normal(size=(n, d)) + spread * rng.normal(size=(k, d))[truth], truth


@pytest.mark.parametrize("seed", range(20))
def test_neighbours_of_more_items_are_those_found_at_once(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(6, 40)), int(rng.integers(1, 12))
    X = rng.integers(0, 4, (n + m, 2)).astype(float) if seed % 2 else rng.normal(size=(n + m, 2))  # ties, or none
    k = int(rng.integers(1, 6))
    both, before = extend_neighbours(X, nearest(X[:n], n_neighbors=k))
    expected = nearest(X, n_neighbors=k)
    assert np.array_equal(both.indices, expected.indices)
    assert both.distances == pytest.approx(expected.distances)
    assert np.array_equal(before, nearest(X[n:], X[:n], n_neighbors=1).indices.ravel())


def slow_insertion(X, tree, indices, before):
    """The tree as nested sets: for each new item the chain of sets around its nearest, from the lowest up."""
    n = len(tree.leaves)
    sets = [({i}, [i], 0.0) for i in range(n)]  # all items, the first ones or the new one it began with, height
    for k, height in enumerate(tree.height):
        began = tree.items(n + k).tolist()
        sets.append((set(began), began, height))
    found = []
    for t, x in enumerate(range(n, len(X))):
        near = next((int(j) for j in indices[t] if j < x), int(before[t]))
        around = sorted((each for each in sets if near in each[0]), key=lambda each: (len(each[0]), each[2]))
        at, own = -1, np.inf
        while at < 0 or (at + 1 < len(around) and own > around[at + 1][2]):
            at += 1
            items, began, height = around[at]
            own = max(np.linalg.norm(X[x] - X[began], axis=1).mean(), height)
        found.append((near, own))
        for each in around[at + 1 :]:
            each[0].add(x)
        sets += [({x}, [x], 0.0), (items | {x}, began, own)]
    return found


@pytest.mark.parametrize("seed", range(30))
def test_new_items_come_in_where_plain_sets_put_them(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 25)), int(rng.integers(1, 8))
    X = blobs(rng, n + m, k=3)[0].astype(np.float32)
    first = nearest(X[:n], n_neighbors=min(4, n - 1))
    tree = graph_tree(X[:n], first)
    tree = tree._replace(height=tree.height + 1e-3 * np.arange(n - 1))  # no ties
    indices = nearest(X, n_neighbors=min(4, n + m - 1)).indices[n:]
    before = nearest(X[n:], X[:n], n_neighbors=1).indices.ravel()
    beside, height = insert_items(X, tree, indices, before)
    expected = slow_insertion(X.astype(float), tree, indices, before)
    assert beside.tolist() == [near for near, _ in expected]
    assert height == pytest.approx([own for _, own in expected], rel=1e-5)


def grown(X, sizes):
    state = State(X[: sizes[0]], "euclidean", None, 0)
    for first, last in pairwise(sizes):
        state.extend(X[first:last])
    return state


def test_a_grown_structure_is_a_tree_over_all_items_and_the_same_whoever_looked_before():
    X, _ = blobs(np.random.default_rng(0), 900)
    state = grown(X, [300, 420, 421, 590, 700, 900])
    at_once = follow_stages(state, 5)
    known = None
    for stage in range(len(state.stages)):
        part = grown(X, [n for _, n in state.stages[: stage + 1]])
        known = stage, follow_stages(part, 5, known)
    for name in ("tree", "graph", "neighbours"):
        for a, b in zip(getattr(at_once, name), getattr(known[1], name), strict=True):
            assert np.array_equal(a, b)
    tree = at_once.tree
    assert sorted(tree.leaves.tolist()) == list(range(900))
    assert (np.diff(tree.height) >= 0).all()
    assert np.array_equal(at_once.neighbours.indices, nearest(at_once.geometry.points, n_neighbors=15).indices)


def test_all_is_built_anew_at_doublings_and_while_there_are_few():
    X, _ = blobs(np.random.default_rng(1), 1200)
    for sizes, built in (([300, 500, 600, 800], 600), ([100, 200, 300, 400], 300), ([10, 1200], 1200)):
        structure = follow_stages(grown(X, sizes), 5)
        fresh = build_structure(State(X[:built], "euclidean", None, 0), 5)
        assert np.array_equal(structure.near, fresh.near)
        assert np.array_equal(structure.tree.height[-1:], fresh.tree.height[-1:]) or built < sizes[-1]
    assert (GROWTH, LEAST) == (2.0, 256)


@pytest.mark.parametrize("strategy", ["auto", "active-hacc", "npu", "random"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_a_session_that_grows_ends_with_the_truth(strategy, metric):
    X, truth = blobs(np.random.default_rng(2), 40, k=3)
    s = Session(X[:12], strategy=strategy, metric=metric, random_state=0, n_clusters=3)
    asked = set()
    for size in (13, 20, 40):
        for _ in range(5):
            question = s.ask()
            if question is not None:
                i, j = question.items
                asked.add((i, j, "same" if truth[i] == truth[j] else "different"))
                s.answer(question, "same" if truth[i] == truth[j] else "different")
        first = s.n
        assert s.extend(X[first:size]) == range(first, size)
        assert all(s.known(i, j) == value for i, j, value in asked)
    simulate(s, truth, 800, every=800)
    assert ari(truth, s.labels_) == 1.0


def test_a_large_session_that_grows_is_about_as_good_as_one_that_had_all():
    X, truth = blobs(np.random.default_rng(3), 900, d=4, k=8, spread=2.5)
    whole = Session(X, random_state=0)
    simulate(whole, truth, 60, every=60)
    s = Session(X[:300], random_state=0)
    for size in (400, 500, 599, 750, 900):
        simulate(s, truth[: s.n], 12, every=12)
        s.extend(X[s.n : size])
    assert ari(truth, s.labels_) >= ari(truth, whole.labels_) - 0.1
    assert len(s.history) == 60
    history = s.history
    s.undo()
    s.replay(history[-1:])
    assert s.history == history


def test_duplicates_and_one_item_at_a_time():
    X = np.repeat(np.arange(3.0), 120)[:, None]
    s = Session(X[:300], random_state=0)
    s.ask()
    for k in range(300, 310):
        s.extend(X[k : k + 1])
        assert s.ask() is not None
    s.extend(X[310:])
    for i, j in ((0, 120), (120, 240), (0, 240)):
        s.answer((i, j), "different")
    assert ari(np.repeat(np.arange(3), 120), s.labels_) == 1.0


def test_what_cannot_be_added_is_refused():
    s = Session([[0.0, 1.0], [1.0, 2.0]], random_state=0)
    with pytest.raises(ValueError, match="the vectors have 2 columns, those of the further items 1"):
        s.extend([[1.0]])
    with pytest.raises(ValueError, match="NaN"):
        s.extend([[np.nan, 1.0]])
    assert s.n == 2
    matrix = Session([[0.0, 1.0], [1.0, 0.0]], metric="precomputed", random_state=0)
    with pytest.raises(ValueError, match="further items need vectors"):
        matrix.extend([[0.0, 1.0]])
    with pytest.raises(ValueError, match="further items need vectors"):
        matrix.predict([[0.0, 1.0]])


@pytest.mark.parametrize("seed", range(10))
def test_predicted_labels_are_those_of_most_weight_among_the_nearest(seed):
    rng = np.random.default_rng(seed)
    X, truth = blobs(rng, 60, k=4, spread=2.0)
    s = Session(X[:50], random_state=0)
    for i in range(20):
        s.answer((i, i + 20), "same" if truth[i] == truth[i + 20] else "different")
    for x, label in zip(X[50:], s.predict(X[50:]).tolist(), strict=True):
        distances = np.linalg.norm(X[:50] - x, axis=1)
        nearest_five = np.argsort(distances)[:5]
        weights = np.exp(-((distances[nearest_five] / distances[nearest_five[-1]]) ** 2))
        by_label = {c: weights[s.labels_[nearest_five] == c].sum() for c in s.labels_[nearest_five]}
        assert by_label[label] == pytest.approx(max(by_label.values()))
    assert Session([[0.0]], random_state=0).predict([[3.0]]).tolist() == [0]


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_neighbours_found_before_give_the_same_questions(metric, tmp_path):
    X, truth = blobs(np.random.default_rng(4), 300)
    found = nearest(X, n_neighbors=20, metric=metric)
    s, other = Session(X, metric=metric, random_state=0), Session(X, metric=metric, random_state=0, neighbors=found)
    assert other.strategy._structure(other.state, (0,))[0].neighbours.indices.shape == (300, 15)
    for _ in range(40):
        question = s.ask()
        assert other.ask() == question
        for each in (s, other):
            each.answer(question, "same" if truth[question.items[0]] == truth[question.items[1]] else "different")
    other.extend(X[:50] + 0.01)
    other.save(tmp_path / "grown.likewise")
    again = Session.load(tmp_path / "grown.likewise")
    assert again.ask(4) == other.ask(4)
    assert np.array_equal(again.labels_, other.labels_)


def test_neighbours_by_their_name_of_before_are_taken_with_a_warning():
    X = np.random.default_rng(0).normal(size=(30, 2))
    found = nearest(X, n_neighbors=15)
    expected = Session(X, random_state=0, neighbors=found).ask()
    with pytest.warns(FutureWarning, match="neighbours is called neighbors now"):
        assert Session(X, random_state=0, neighbours=found).ask() == expected
