"""What every asker promises, whoever wrote it: those registered later are tested as well."""

import itertools

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from likewise import Constraints, Session
from likewise.query import make_strategy, strategies

NAMES = sorted(set(strategies()) - {"auto"})
SMALL = {"npu": {"n_trees": 5}, "graph-purification": {"n_neighbors": 3}}
SIGHTS = [("vectors", True), ("vectors", False), ("precomputed", True), ("precomputed", False)]


def overlapping(n=9, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % n_classes)
    return rng.normal(size=(n, 2)) + 1.5 * truth[:, None], truth


def open_session(name, X, *, n_clusters=None, sight="vectors", seed=0):
    options = SMALL.get(name, {})
    if sight == "precomputed":
        D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
        return Session(D, strategy=name, n_clusters=n_clusters, metric="precomputed", random_state=seed, **options)
    return Session(X, strategy=name, n_clusters=n_clusters, random_state=seed, **options)


def key(question):
    return None if question is None else (question.kind, question.items)


def pair(question):
    return min(question.items), max(question.items)


def true_answer(truth, question):
    i, j = question.items
    return "same" if truth[i] == truth[j] else "different"


def constraints_of(session):
    return session.state.constraints


def open_pairs(session, annotator=""):
    asked = {(min(a.items), max(a.items)) for a in session.history if a.kind == "pair" and a.annotator == annotator}
    known = constraints_of(session).known
    pairs = itertools.combinations(range(session.n), 2)
    return {p for p in pairs if known(*p) is None and p not in asked}


def run_to_the_end(session, truth):
    asked = []
    while (question := session.ask()) is not None:
        assert pair(question) in open_pairs(session)
        asked.append(pair(question))
        session.answer(question, true_answer(truth, question))
    assert len(asked) == len(set(asked))
    assert session.finished
    return asked


def partition(labels):
    return {frozenset(np.flatnonzero(labels == k).tolist()) for k in np.unique(labels)}


def test_the_strategies_of_the_package_are_all_there():
    wanted = {"random", "explore-consolidate", "minmax", "npu", "cac1", "graph-purification"}
    assert wanted <= set(NAMES)


@pytest.mark.parametrize(("sight", "is_given"), SIGHTS)
@pytest.mark.parametrize("name", NAMES)
def test_goes_on_until_everything_is_known_and_then_clusters_are_the_truth(name, sight, is_given):
    X, truth = overlapping(10, 3, seed=3)
    session = open_session(name, X, n_clusters=3 if is_given else None, sight=sight)
    run_to_the_end(session, truth)
    assert partition(session.labels_) == partition(truth)
    assert session.n_clusters_ == 3


@pytest.mark.parametrize("n_clusters", [1, 2, 4, 8])
@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_number_of_clusters_does_not_keep_it_from_ending(name, n_clusters):
    X, truth = overlapping(8, 3, seed=1)
    session = open_session(name, X, n_clusters=n_clusters)
    run_to_the_end(session, truth)
    assert partition(session.labels_) == partition(truth)


@pytest.mark.parametrize("name", NAMES)
def test_items_that_are_all_equal_are_no_trouble(name):
    truth = np.array([0, 1, 0, 1, 2, 0])
    for sight in ("vectors", "precomputed"):
        run_to_the_end(open_session(name, np.zeros((6, 2)), sight=sight), truth)
        run_to_the_end(open_session(name, np.zeros((6, 2)), n_clusters=3, sight=sight), truth)


@pytest.mark.parametrize("sight", ["vectors", "precomputed"])
@pytest.mark.parametrize("name", NAMES)
def test_one_item_and_two(name, sight):
    one = open_session(name, np.zeros((1, 2)), sight=sight)
    assert one.ask() is None
    assert one.ask(3) == []
    assert one.finished
    assert one.labels_.tolist() == [0]
    for n_clusters, said in itertools.product((None, 1, 2), ("same", "different", "unsure")):
        two = open_session(name, np.array([[0.0, 0.0], [1.0, 0.0]]), n_clusters=n_clusters, sight=sight)
        question = two.ask()
        assert pair(question) == (0, 1)
        two.answer(question, said)
        assert two.ask() is None
        assert two.finished == (said != "unsure")
        if said != "unsure":
            assert two.n_clusters_ == (1 if said == "same" else 2)


@pytest.mark.parametrize("is_given", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_equal_states_give_equal_questions_twice_replayed_and_undone(name, is_given):
    X, truth = overlapping(9, 3, seed=5)
    rng = np.random.default_rng(1)
    n_clusters = 3 if is_given else None
    session, twin = (open_session(name, X, n_clusters=n_clusters, seed=4) for _ in range(2))
    asked = []
    for _ in range(18):
        question, batch = session.ask(), session.ask(4)
        assert key(question) == key(session.ask()) == key(twin.ask())
        asked.append((key(question), [key(q) for q in batch]))
        if question is None:
            break
        said = rng.choice([true_answer(truth, question), "unsure", "different"], p=[0.6, 0.2, 0.2])
        for s in (session, twin):
            s.answer(question, said)
    for t in (1, len(asked) // 2, len(asked) - 1):
        fresh = open_session(name, X, n_clusters=n_clusters, seed=4).replay(session.history[:t])
        assert (key(fresh.ask()), [key(q) for q in fresh.ask(4)]) == asked[t]
    while session.history:
        session.undo()
        t = len(session.history)
        assert (key(session.ask()), [key(q) for q in session.ask(4)]) == asked[t]


@pytest.mark.parametrize("name", NAMES)
def test_nobody_is_asked_twice_and_everybody_is_asked_all_that_is_open(name):
    X, truth = overlapping(8, 3, seed=2)
    rng = np.random.default_rng(0)
    session = open_session(name, X, n_clusters=3)
    asked = {"ann": [], "bob": []}
    done = set()
    while len(done) < 2:
        for who in asked:
            question = session.ask(annotator=who)
            if question is None:
                assert open_pairs(session, who) == set()
                done.add(who)
                continue
            assert pair(question) in open_pairs(session, who)
            asked[who].append(pair(question))
            said = "unsure" if rng.random() < 0.6 else true_answer(truth, question)
            session.answer(question, said, annotator=who)
    assert all(len(pairs) == len(set(pairs)) for pairs in asked.values())


@pytest.mark.parametrize("name", NAMES)
def test_one_who_is_never_sure_is_asked_every_pair_once(name):
    X, _ = overlapping(6, 2, seed=0)
    session = open_session(name, X)
    asked = []
    while (question := session.ask()) is not None:
        asked.append(pair(question))
        session.answer(question, "unsure")
    assert sorted(asked) == list(itertools.combinations(range(6), 2))
    assert not session.finished
    assert session.ask(annotator="another") is not None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_answers_nobody_asked_for_and_contradictions_are_taken_in(name, seed):
    X, truth = overlapping(9, 3, seed=seed)
    rng = np.random.default_rng(seed)
    session = open_session(name, X, n_clusters=3 if seed % 2 else None)
    for _ in range(12):
        i, j, k = rng.choice(9, size=3, replace=False).tolist()
        if rng.random() < 0.3:
            session.answer((i, j, k), str(rng.choice(["ab", "ac", "bc", "none", "unsure"])), annotator="x")
        else:
            session.answer((i, j), str(rng.choice(["same", "different", "unsure"])), annotator="x")
        question = session.ask()
        if question is not None:
            assert pair(question) in open_pairs(session)
    while (question := session.ask()) is not None:
        assert pair(question) in open_pairs(session)
        session.answer(question, true_answer(truth, question))
    assert session.finished


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_no_answer_in_a_batch_follows_from_the_others(name, seed):
    X, truth = overlapping(10, 3, seed=seed + 10)
    session = open_session(name, X, n_clusters=3 if seed else None)
    for _ in range(3 * seed):
        question = session.ask()
        session.answer(question, true_answer(truth, question))
    batch = session.ask(5)
    assert len(batch) >= 2
    assert {pair(q) for q in batch} <= open_pairs(session)
    assert key(batch[0]) == key(session.ask())
    for left_out in range(len(batch)):
        others = [q.items for q in batch if q is not batch[left_out]]
        for said in itertools.product(("same", "different"), repeat=len(others)):
            constraints = Constraints(session.n, session.must_link, session.cannot_link)
            conflicts = [constraints.add(*q, s) for q, s in zip(others, said, strict=True)]
            assert not any(conflicts)
            assert constraints.known(*batch[left_out].items) is None


@pytest.mark.parametrize("name", NAMES)
def test_batches_end_a_session_as_single_questions_do(name):
    X, truth = overlapping(9, 3, seed=7)
    session = open_session(name, X, n_clusters=3)
    while batch := session.ask(4):
        for question in batch:
            assert pair(question) in open_pairs(session)
            session.answer(question, true_answer(truth, question))
    assert session.finished
    assert partition(session.labels_) == partition(truth)


@pytest.mark.parametrize("name", NAMES)
def test_one_asker_may_serve_two_sessions(name):
    strategy = make_strategy(name, **SMALL.get(name, {}))
    (X, truth), (Y, other) = overlapping(8, 2, seed=0), overlapping(7, 3, seed=1)
    shared = [Session(Z, strategy=strategy, random_state=2) for Z in (X, Y)]
    alone = [open_session(name, Z, seed=2) for Z in (X, Y)]
    for _ in range(6):
        for mine, own, kinds in zip(shared, alone, (truth, other), strict=True):
            question = mine.ask()
            assert key(question) == key(own.ask())
            for session in (mine, own):
                session.answer(question, true_answer(kinds, question))


class Halves(BaseEstimator):
    """The first half and the second, whatever was said."""

    def __init__(self, n_clusters=1):
        self.n_clusters = n_clusters

    def fit_predict(self, X, y=None, *, must_link=None, cannot_link=None):
        return (np.arange(len(X)) >= len(X) / self.n_clusters).astype(np.int64)


@pytest.mark.parametrize("name", NAMES)
def test_a_clusterer_may_be_given(name):
    X, _ = overlapping(6, 2)
    options = SMALL.get(name, {})
    session = Session(X, strategy=name, n_clusters=2, random_state=0, clusterer=Halves(), **options)
    assert session.ask() is not None
    assert session.labels_.tolist() == [0, 0, 0, 1, 1, 1]
