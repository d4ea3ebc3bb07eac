"""Answers that are asked about again: which, what it is worth, and that wrong ones are found."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import make_blobs

from likewise import Constraints, Session
from likewise.metrics import ari
from likewise.query.base import State
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram.dendrogram import DendrogramAsker
from likewise.query.dendrogram.recheck import Rechecks
from likewise.query.question import Answer
from likewise.simulate import SimulatedAnnotator


def blobs(seed, n=60, spread=1.5):
    return make_blobs(n, n_features=3, centers=4, cluster_std=spread, center_box=(-6, 6), random_state=seed)


def go_on(session, person, n):
    """Ask and answer; the questions."""
    asked = []
    for _ in range(n):
        question = session.ask()
        if question is None:
            break
        session.answer(question, person.answer(question))
        asked.append(question)
    return asked


def slow_noise(state, estimate, answered, rechecks):
    """Share of wrong answers, and what the looks say of those that stand: one statement after another."""
    ledger = state.ledger
    standing, n_aside = ledger.standing(), len(ledger.conflicts())
    repeated, so_far = 0, Constraints(state.n)
    for k in ledger.given:
        so_far.add(*ledger.statements[k])
    for i, j, relation in sorted(standing, key=lambda s: s[2] == "different"):
        repeated += so_far.known(i, j) is not None
        so_far.add(i, j, relation)
    held = [slow_held(state, rechecks, statement) for statement in standing]
    rate = (0.5 + n_aside) / (20 + n_aside + 2 * repeated)
    curve = estimate.curve
    for _ in range(30):
        odds, same, n_wrong = np.log((1 - rate) / rate), [], 0.5 + n_aside
        for k, (_, _, relation) in enumerate(standing):
            sign = 1 if relation == "same" else -1
            looks = float(curve.logit(answered.distances[k], answered.pairs[k]))
            same.append(float(expit(looks + sign * held[k] * odds)))
            n_wrong += 1 - same[-1] if sign > 0 else same[-1]
        before, rate = rate, min(n_wrong / (20 + n_aside + repeated + len(standing)), 0.3)
        start, curve = curve.coef_, SameCurve(estimate.structure.near, estimate.structure.far)
        curve.fit(answered.distances, same, answered.pairs, answered.weights, start=start, max_steps=1)
        if abs(rate - before) < 0.001 * before or not standing:
            break
    return rate, [float(curve.logit(d, s)) for d, s in zip(answered.distances, answered.pairs, strict=True)]


def slow_held(state, rechecks, statement):
    """The least net weight of what a statement joins or parts, of all that is doubted; its own between two items."""
    i, j, relation = statement
    constraints = state.constraints
    if len({*constraints.members(i), *constraints.members(j)}) == 2:
        return 1.0
    found = [np.inf]
    for at in range(len(rechecks.near)):
        if {int(rechecks.near[at]), int(rechecks.far[at])} == {i, j} and rechecks.same[at] == (relation == "same"):
            left = set(rechecks.groups.items(int(rechecks.first[at]), int(rechecks.count[at])).tolist())
            found.append(
                slow_net(state, left, set(constraints.members(int(rechecks.far[at]))) - left, relation == "same")
            )
    return min(found)


def slow_net(state, left, right, same):
    """Weight of all that was said between two sides, for and against."""
    net = 0
    for (i, j, relation), weight in zip(state.ledger.statements, state.ledger.weights, strict=True):
        if (i in left and j in right) or (j in left and i in right):
            net += weight * (1 if (relation == "same") == same else -1)
    return net


def slow_wrong(state, estimate, noise, near, far, left, right):
    """Probability that what is believed of two sides is wrong, by adding up all that was said; and the value."""
    rate, looks_of = noise
    same = state.constraints.known(near, far) == "same"
    standing = state.ledger.standing()
    k = next(k for k, s in enumerate(standing) if {*s[:2]} == {near, far} and (s[2] == "same") == same)
    share = np.clip(around(estimate, left, far), 0.02, 0.98)
    looks = looks_of[k] + np.log(share / (1 - share)) / 4
    looks = np.clip(looks if same else -looks, -4, 4)
    evidence = slow_net(state, left, right, same) * np.log((1 - rate) / rate)
    a, b = (estimate.sizes[estimate.labels[item]] for item in (near, far))
    part = len(left) / (len(left) + len(right))
    pairs = a**2 * part * (1 - part) if same else a * b
    wrong = expit(-evidence - min(looks, 2))
    return wrong, expit(-evidence - looks) * pairs if wrong >= 0.01 else 0.0


def around(estimate, side, other):
    graph, labels = estimate.structure.graph, estimate.labels
    total = hit = 0.0
    for v in side:
        for e in range(graph.starts[v], graph.starts[v + 1]):
            if graph.ends[e] not in side:
                total += graph.weights[e]
                hit += graph.weights[e] * (labels[graph.ends[e]] == labels[other])
    return hit / total if total else 0.5


def slow_statement(rechecks, at):
    """Probability that a statement is wrong: its belief is, or what joins one of its items alone; each tempered."""
    beliefs = {}
    for k, wrong in enumerate(rechecks.wrong):
        side = frozenset(rechecks.groups.items(int(rechecks.first[k]), int(rechecks.count[k])).tolist())
        beliefs.setdefault(side if rechecks.same[k] else k, wrong)
    own = frozenset(rechecks.groups.items(int(rechecks.first[at]), int(rechecks.count[at])).tolist())
    causes = {own if rechecks.same[at] else at}
    causes |= {frozenset([int(item)]) for item in (rechecks.near[at], rechecks.far[at])} & {*beliefs}
    odds = [(beliefs[cause] / (1 - beliefs[cause])) ** 0.75 for cause in causes]
    return 1 - np.prod([1 - o / (1 + o) for o in odds])


def _check_all_doubts_are_there(state, found):
    """Two groups that differ, and every item that is known to be the same as two others or more."""
    constraints, ledger = state.constraints, state.ledger
    given = {frozenset(ledger.statements[k][:2]) for k in ledger.given}
    for i, j, relation in ledger.standing():
        left, right = frozenset(constraints.members(i)), frozenset(constraints.members(j))
        if relation == "different" and len(left) * len(right) > 1:
            assert frozenset([left, right]) in found
        if relation == "same" and len(left) > 2 and not any(i in pair for pair in given):
            assert frozenset([frozenset([i]), left - {i}]) in found


@pytest.mark.parametrize("seed", range(12))
def test_doubts_are_those_found_one_after_another(seed):
    X, truth = blobs(seed, n=40)
    rng = np.random.default_rng(seed)
    strategy = DendrogramAsker(recheck=True)
    state = State(X, "euclidean", None, 0, outvote=True)
    if seed % 3 == 0:
        state.ledger.give((*np.flatnonzero(truth == truth[0])[:2].tolist(), "same"))
    for _ in range(5 * (seed % 8)):
        i, j = rng.choice(40, 2, replace=False).tolist()
        right = "same" if truth[i] == truth[j] else "different"
        wrong = "different" if right == "same" else "same"
        state.take(Answer("pair", (i, j), wrong if rng.random() < 0.1 else right))
    estimate = strategy._estimate(state)
    answered = strategy._kept_structure[2]
    rechecks = Rechecks.of(state, estimate, answered)
    noise = slow_noise(state, estimate, answered, rechecks)
    assert rechecks.error_rate == pytest.approx(noise[0])
    found = {}
    for at in range(len(rechecks.value)):
        left = rechecks.groups.items(int(rechecks.first[at]), int(rechecks.count[at]))
        near, far = int(rechecks.near[at]), int(rechecks.far[at])
        right = set(state.constraints.members(far)) - set(left.tolist())
        assert near in left
        assert far in right
        assert len(left) * len(right) > 1
        assert (state.constraints.known(near, far) == "same") == rechecks.same[at]
        wrong, value = slow_wrong(state, estimate, noise, near, far, set(left.tolist()), right)
        assert rechecks.wrong[at] == pytest.approx(wrong)
        assert rechecks.value[at] == pytest.approx(value)
        found[frozenset([frozenset(left.tolist()), frozenset(right)])] = rechecks.value[at]
    expected = [slow_statement(rechecks, at) for at in range(len(rechecks.value))]
    assert rechecks.of_statements() == pytest.approx(expected)
    again = Rechecks.of(state, estimate, answered, {})
    assert again.value.tolist() == rechecks.value.tolist()
    _check_all_doubts_are_there(state, found)

    unsure = [tuple(rng.choice(40, 2, replace=False).tolist()) for _ in range(60)]
    rechecks.halve_unsure(unsure)
    for at, worth in enumerate(rechecks.value):
        left = set(rechecks.groups.items(int(rechecks.first[at]), int(rechecks.count[at])).tolist())
        right = set(state.constraints.members(int(rechecks.far[at]))) - left
        times = sum((i in left and j in right) or (j in left and i in right) for i, j in unsure)
        assert worth == pytest.approx(found[frozenset([frozenset(left), frozenset(right)])] / 2**times)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_asked_again_follows_from_one_answer_and_was_not_asked(seed):
    X, truth = blobs(seed)
    session = Session(X, random_state=seed, recheck=True)
    person = SimulatedAnnotator(truth, error_rate=0.1, random_state=seed)
    asked, n_again = set(), 0
    for _ in range(120):
        question = session.ask()
        if question is None:
            break
        assert frozenset(question.items) not in asked
        assert question.again == (session.known(*question.items) is not None)
        n_again += question.again
        asked.add(frozenset(question.items))
        session.answer(question, person.answer(question))
    assert n_again or seed == 0


def test_nothing_is_asked_again_unless_wanted():
    X, truth = blobs(1)
    session = Session(X, random_state=1)
    asked = go_on(session, SimulatedAnnotator(truth, error_rate=0.1, random_state=1), 500)
    assert not any(question.again for question in asked)
    assert session.conflicts == []


def test_wrong_answers_are_found():
    with_doubt, without = [], []
    for seed in range(6):
        X, truth = blobs(seed, spread=1.0)
        for scores, recheck in ((with_doubt, True), (without, False)):
            session = Session(X, random_state=seed, recheck=recheck)
            go_on(session, SimulatedAnnotator(truth, error_rate=0.05, random_state=seed), 90)
            scores.append(ari(truth, session.labels_))
    assert np.mean(with_doubt) > 0.95
    assert np.mean(with_doubt) > np.mean(without) + 0.03


@pytest.mark.parametrize("seed", range(4))
def test_right_answers_lead_to_the_truth_and_few_are_doubted(seed):
    X, truth = blobs(seed)
    session = Session(X, random_state=seed, recheck=True)
    asked = go_on(session, SimulatedAnnotator(truth), 2000)
    assert session.finished
    assert ari(truth, session.labels_) == 1.0
    assert session.conflicts == []
    assert sum(question.again for question in asked) < 0.15 * len(asked)


@pytest.mark.parametrize("seed", range(4))
def test_undo_and_replay_lead_to_the_same_questions(seed):
    """Every fourth answer says the opposite of what is known of the first two, so that some are outweighed."""
    X, truth = blobs(seed)
    session = Session(X, random_state=seed, recheck=True)
    before, outweighed = [], False
    for k in range(60):
        question = session.ask()
        before.append((question, session.labels_.tolist()))
        if k % 4 == 3:
            first = session.history[0].items
            session.answer(first, "same" if session.known(*first) == "different" else "different")
        else:
            session.answer(question, "same" if truth[question.items[0]] == truth[question.items[1]] else "different")
        outweighed |= any(c.place < max(c.chain_places) for c in session.conflicts)
    assert outweighed
    again = Session(X, random_state=seed, recheck=True).replay(session.history)
    assert again.labels_.tolist() == session.labels_.tolist()
    assert again.conflicts == session.conflicts
    for question, labels in reversed(before):
        session.undo()
        assert session.labels_.tolist() == labels
        assert session.ask() == question


def test_a_batch_holds_each_doubt_once():
    X, truth = blobs(2)
    session = Session(X, random_state=2, recheck=True)
    go_on(session, SimulatedAnnotator(truth, error_rate=0.1, random_state=2), 60)
    batch = session.ask(40)
    pairs = [frozenset(question.items) for question in batch]
    assert len(set(pairs)) == len(pairs)
    assert any(question.again for question in batch)


def test_all_that_is_known_of_two_items_leaves_nothing_to_doubt():
    session = Session([[0.0], [1.0], [9.0]], random_state=0, recheck=True)
    session.answer((0, 1), "same")
    question = session.ask()
    assert not question.again


def test_what_was_taken_back_leaves_nothing_behind():
    rng = np.random.default_rng(2)
    X = np.repeat(4 * np.eye(3), 8, axis=0) + 0.5 * rng.normal(size=(24, 3))
    used = Session(X, random_state=0, forms="auto", recheck=True)
    for _ in range(30):
        items = rng.permutation(8)[:5]
        before = [(int(i), int(j)) for i, j in pairwise(items)]  # as many, of the same group, between others
        for pair in before:
            used.answer(pair, "same")
        used.ask()
        for _ in before:
            used.undo()
        again = [(int(i), int(j)) for i, j in pairwise(rng.permutation(items))]
        fresh = Session(X, random_state=0, forms="auto", recheck=True)
        for session in (used, fresh):
            for pair in again:
                session.answer(pair, "same")
        asked, wanted = used.ask(), fresh.ask()
        assert (asked.kind, asked.items) == (wanted.kind, wanted.items)
        assert len(set(asked.items)) == len(asked.items)
        for _ in again:
            used.undo()
