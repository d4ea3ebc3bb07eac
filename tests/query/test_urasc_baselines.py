"""ASC, QUIRE and pKNN+AL against what their papers say, written out."""

import itertools

import numpy as np
import pytest

from likewise import Session
from likewise.query import ASC, make_strategy
from likewise.query.neighbourhood.skeleton import Skeleton
from likewise.query.spectral.asc import relaxed_indicator
from likewise.query.spectral.quire import worst_losses


def test_quire_is_the_minimum_over_unknown_labels_of_the_maximum_over_one():
    rng = np.random.default_rng(0)
    for _ in range(20):
        n, n_known, lam = 8, 3, float(rng.uniform(0.2, 2))
        points = rng.normal(size=(n, 2))
        K = np.exp(-((points[:, None] - points) ** 2).sum(axis=2))
        L = np.linalg.inv(K + lam * np.eye(n))
        y = rng.choice([-1.0, 1.0], n_known)
        known, others = np.arange(n_known), np.arange(n_known, n)
        found = worst_losses(K[:n_known, :n_known], K[:n_known, n_known:], y[:, None], lam)
        base = y @ np.linalg.inv(K[:n_known, :n_known] + lam * np.eye(n_known)) @ y
        for column, s in enumerate(others):
            rest = np.array([u for u in others if u != s])
            worst = -np.inf
            for sign in (-1.0, 1.0):
                fixed = np.append(known, s)
                labels = np.append(y, sign)
                relaxed = -np.linalg.solve(L[np.ix_(rest, rest)], L[np.ix_(rest, fixed)] @ labels)
                full = np.empty(n)
                full[fixed], full[rest] = labels, relaxed
                worst = max(worst, full @ L @ full)
            assert found[column] == pytest.approx(worst - base)


def test_pknn_takes_the_sample_between_two_sets():
    X = np.array([[0.0], [0.2], [0.4], [3.0], [5.6], [5.8], [6.0]])
    session = Session(X, strategy="pknn-al", n_clusters=2, random_state=0)
    session.answer((0, 6), "different")
    ranked = list(session.strategy.rank_points(session.state, Skeleton(session.state)))
    assert ranked[0][0] == 3


def test_asc_errors_written_out():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(12, 2)) + 2 * (np.arange(12) % 2)[:, None]
    session = Session(X, strategy=ASC(), n_clusters=2, random_state=0)
    for pair, said in (((0, 2), "same"), ((0, 1), "different"), ((4, 5), "different")):
        session.answer(pair, said)
    state = session.state
    view = session.strategy.spectral_clusters(state)
    u = relaxed_indicator(view.rows, view.labels)
    assert u @ u == pytest.approx(12)
    Q = np.zeros((12, 12))
    for i, j in itertools.product(range(12), repeat=2):
        known = "same" if i == j and i in (0, 1, 2, 4, 5) else state.constraints.known(i, j) if i != j else None
        Q[i, j] = {"same": 1.0, "different": -1.0, None: 0.0}[known]
    values, vectors = np.linalg.eigh(Q)
    close = np.clip(values[-1] * np.outer(vectors[:, -1], vectors[:, -1]), -1, 1)
    errors = session.strategy.errors(state)
    for i, j in itertools.combinations(range(12), 2):
        if state.constraints.known(i, j) is None:
            same = (1 + close[i, j]) / 2
            wanted = same * (u[i] * u[j] - 1) ** 2 + (1 - same) * (u[i] * u[j] + 1) ** 2
            assert errors[i, j] == pytest.approx(wanted)
        else:
            assert errors[i, j] == -np.inf
    i, j = session.ask().items
    assert errors[i, j] == pytest.approx(errors[np.triu_indices(12, 1)].max())


def test_ffqs_is_explore_and_consolidate():
    assert type(make_strategy("ffqs")) is type(make_strategy("explore-consolidate"))
