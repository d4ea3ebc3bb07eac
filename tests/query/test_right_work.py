"""Right statements of any kind do not make the clusters worse, and lead to the truth."""

import numpy as np
import pytest

from likewise import Session
from likewise.metrics import pairwise_f
from likewise.query.dendrogram import remembered_cut
from likewise.query.dendrogram.answered_distances import AnsweredDistances
from likewise.query.dendrogram.remembered_cut import RememberedCut
from likewise.query.dendrogram.structure import build_structure

KINDS = ("asked", "random", "check", "belongs", "does not belong", "confirm", "split", "merge")


def overlapping(seed, n=90, k=5):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % k
    return rng.normal(size=(n, 3)) + 2.5 * rng.normal(size=(k, 3))[truth], truth


def answer(session, truth, question):
    i, j = question if isinstance(question, tuple) else question.items
    session.answer(question, "same" if truth[i] == truth[j] else "different")


def state(session, truth, kind, rng):
    """Say something true of a kind; a class is a group of its own name."""
    labels = session.labels_
    items = np.flatnonzero(labels == labels[rng.integers(session.n)])
    group = int(np.bincount(truth[items]).argmax())
    right, wrong = items[truth[items] == group], items[truth[items] != group]
    if kind == "asked" and (question := session.ask()) is not None:
        answer(session, truth, question)
    elif kind == "random":
        answer(session, truth, tuple(rng.choice(session.n, 2, replace=False).tolist()))
    elif kind == "check" and (question := session.check()) is not None:
        answer(session, truth, question)
    elif kind == "belongs":
        session.belongs(rng.choice(right, min(3, len(right)), replace=False).tolist(), group)
    elif kind == "does not belong" and len(wrong):
        session.does_not_belong(wrong[:3].tolist(), group)
    elif kind == "confirm" and not len(wrong):
        session.belongs(items.tolist(), group)
    elif kind == "split" and len(wrong):
        session.belongs(right[:1].tolist(), group)
        session.does_not_belong(wrong.tolist(), group)
    elif kind == "merge":
        session.belongs(np.flatnonzero(truth == group)[::2].tolist(), group)


@pytest.mark.parametrize("seed", range(4))
def test_right_statements_do_not_hurt_and_lead_to_the_truth(seed):
    X, truth = overlapping(seed)
    rng = np.random.default_rng(seed)
    session = Session(X, random_state=seed)
    scores = [pairwise_f(truth, session.labels_)]
    for _ in range(60):
        state(session, truth, KINDS[rng.integers(len(KINDS))], rng)
        scores.append(pairwise_f(truth, session.labels_))
    steps = np.diff(scores)
    assert steps[steps < 0].sum() > -0.01 * len(steps)
    assert scores[-1] > scores[0]
    for c in range(5):
        session.belongs(np.flatnonzero(truth == c).tolist(), c)
    while (question := session.ask()) is not None:
        answer(session, truth, question)
    assert pairwise_f(truth, session.labels_) == 1.0


def test_one_item_placed_elsewhere_does_not_take_its_branch_along():
    """An item in the midst of another cluster is said to belong to the first: the two clusters stay two."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 0.5, (30, 2)), rng.normal(6, 0.5, (30, 2))])
    session = Session(X, random_state=0)
    answer(session, np.repeat([0, 1], 30), (0, 1))
    session.belongs([0, 1, 2, 45], "first")
    after = session.labels_
    assert after[45] == after[0]
    assert np.sum(after[30:] == after[0]) <= 3  # itself, and what is nearest to it


@pytest.mark.parametrize("all_fitted", [400, 5])  # with 5, the curve is not fitted after each of the later statements
def test_the_cut_follows_from_the_statements_alone(all_fitted, monkeypatch):
    monkeypatch.setattr(remembered_cut, "ALL_FITTED", all_fitted)
    monkeypatch.setattr(remembered_cut, "FITTED", 3)
    X, truth = overlapping(1)
    structure = build_structure(Session(X, random_state=0).state, 5)
    rng = np.random.default_rng(1)
    pairs = [tuple(rng.choice(90, 2, replace=False).tolist()) for _ in range(40)]
    said = [(i, j, "same" if truth[i] == truth[j] else "different") for i, j in pairs]
    other_way = [*said[:10], *said[20:]]
    answered, cut = AnsweredDistances(structure), RememberedCut(structure)
    for m in (5, 6, 30, 12, -14, 12, 40, 3, 40, -20, -25, 39):  # forward, back as by undo, and on in another way
        now = other_way[:-m] if m < 0 else said[:m]
        answered.update(now)
        joined = cut.update(answered, now)
        fresh = AnsweredDistances(structure)
        fresh.update(now)
        other = RememberedCut(structure)
        assert np.array_equal(joined, other.update(fresh, now))
        assert np.array_equal(cut.curve.coef_, other.curve.coef_)
