"""The default asker with grids and picks: what it shows is open, is worth what it says, and leads to the truth."""

import itertools

import numpy as np
import pytest

from likewise import Constraints, Question, Session
from likewise.query import DendrogramAsker
from likewise.query.base import State, take_batch
from likewise.query.dendrogram.dendrogram import Merges, Parts
from likewise.query.dendrogram.grids import EXPECTED, MOST_SHOWN, GridBuilder, doubt_of, grid_rates
from likewise.query.dendrogram.picks import MOST_GROUPS, PickBuilder
from likewise.query.dendrogram.screens import ScreenCandidates
from likewise.query.form_times import PRIORS, FormTime
from likewise.simulate import SimulatedAnnotator

NONE = np.empty(0, np.int64), np.empty(0)


def blobs(seed, n=60, k=5, spread=2.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    return rng.normal(size=(n, 3)) + spread * rng.normal(size=(k, 3))[truth], truth


def go_on(session, truth, n=10_000):
    """Answer rightly; the questions that were asked."""
    person, asked = SimulatedAnnotator(truth), []
    while len(asked) < n and (question := session.ask()) is not None:
        asked.append(question)
        session.answer(question, person.answer(question))
    return asked


@pytest.mark.parametrize("forms", ["auto", ("grid",), ("pick",), ("pair", "pick"), ("grid", "pick")])
@pytest.mark.parametrize("seed", range(3))
def test_it_ends_with_the_truth_and_shows_only_what_is_open(seed, forms):
    X, truth = blobs(seed)
    session = Session(X, forms=forms, random_state=seed)
    person = SimulatedAnnotator(truth)
    kinds = set()
    while (question := session.ask()) is not None:
        first, *others = question.items
        kinds.add(question.kind)
        assert all(session.known(first, other) is None for other in others)
        if question.kind == "pick":
            assert 2 <= len(others) <= MOST_GROUPS
            assert all(session.known(a, b) == "different" for a, b in itertools.combinations(others, 2))
        if question.kind == "grid":
            assert 2 <= len(others) <= MOST_SHOWN
        session.answer(question, person.answer(question))
    assert session.finished
    expected = Constraints(
        len(X), must_link=[(i, j) for i, j in itertools.combinations(range(60), 2) if truth[i] == truth[j]]
    )
    assert np.array_equal(session.labels_, session.state.constraints.labels())
    assert np.array_equal(expected.labels(), session.state.constraints.labels())
    allowed = {"pair", "grid", "pick"} if forms == "auto" else {"pair", *forms}
    assert kinds <= allowed
    assert kinds & {"grid", "pick"}


@pytest.mark.parametrize("options", [{"n_clusters": 4}, {"metric": "cosine"}, {"recheck": True}])
def test_it_ends_with_the_truth_under_other_options(options):
    X, truth = blobs(7, n=40, k=4)
    session = Session(X, forms="auto", random_state=0, **options)
    go_on(session, truth)
    known = session.state.with_exclusion().constraints
    assert all((known.known(i, j) == "same") == (truth[i] == truth[j]) for i, j in itertools.combinations(range(40), 2))


def test_distances_alone_are_enough():
    X, truth = blobs(2, n=30)
    D = np.linalg.norm(X[:, None] - X, axis=2)
    session = Session((D + D.T) / 2, metric="precomputed", forms="auto", random_state=0)
    assert {question.kind for question in go_on(session, truth)} & {"grid", "pick"}
    assert session.finished


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_items(n):
    session = Session(np.arange(float(n))[:, None], forms="auto", random_state=0)
    go_on(session, list(range(n)))
    assert session.finished
    assert session.labels_.tolist() == list(range(n))
    assert session.remaining().to_end.seconds == 0


def test_the_same_seed_and_answers_give_the_same_screens():
    X, truth = blobs(3)
    first, second = (go_on(Session(X, forms="auto", random_state=1), truth, 12) for _ in range(2))
    assert [(q.kind, q.items) for q in first] == [(q.kind, q.items) for q in second]


def said_by(question, values):
    first, *others = question.items
    return [(first, other, value) for other, value in zip(others, values, strict=True)]


@pytest.mark.parametrize("seed", range(4))
def test_no_screen_of_a_batch_is_settled_by_the_others(seed):
    X, truth = blobs(seed, n=80, k=8)
    session = Session(X, forms="auto", random_state=seed)
    go_on(session, truth, 8)
    batch = session.ask(6)
    assert len(batch) > 1
    rng = np.random.default_rng(seed)
    before = [s for answer in session.history for s in answer.statements()]
    for left_out in batch:
        rest = [question for question in batch if question is not left_out]
        for _ in range(20):
            more = [s for q in rest for s in said_by(q, rng.choice(["same", "different"], len(q.items) - 1).tolist())]
            constraints = Constraints(session.n)
            for statement in [*before, *more]:
                constraints.add(*statement)
            first, *others = left_out.items
            if not constraints.conflicts():
                assert all(constraints.known(first, other) is None for other in others)


def test_a_batch_takes_no_two_screens_that_meet():
    state = State(np.arange(9.0)[:, None], "euclidean", None, 0)
    grids = [Question("grid", items) for items in ((0, 1, 2), (2, 1, 5), (3, 4, 5), (5, 6, 0))]
    assert take_batch(state, grids, 4) == [grids[0], grids[2], grids[3]]
    assert take_batch(state, [Question("pair", (0, 1)), Question("grid", (2, 0, 1))], 2) == [Question("pair", (0, 1))]


def test_a_batch_reads_no_further_than_it_needs():
    state = State(np.arange(9.0)[:, None], "euclidean", None, 0)
    read = []

    def ranked():
        for i in range(0, 8, 2):
            read.append(i)
            yield Question("pair", (i, i + 1))

    assert len(take_batch(state, ranked(), 2)) == 2
    assert read == [0, 2]
    assert take_batch(state, ranked(), 0) == []
    assert read == [0, 2]


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_shown_again_to_the_same_person_nor_what_is_to_be_skipped(seed):
    X, _ = blobs(seed, n=20)
    session = Session(X, forms="auto", random_state=seed)
    skip = {(0, j) for j in range(1, 10)}
    seen = set()
    for _ in range(12):
        question = session.ask(annotator="ann", skip=skip)
        pairs = {(min(question.items[0], j), max(question.items[0], j)) for j in question.items[1:]}
        assert not pairs & seen
        assert not pairs & skip
        seen |= pairs
        session.answer(question, "unsure", annotator="ann")
    assert session.ask(annotator="bob") is not None


def estimate_of(seed, n=24, n_answers=6):
    X, truth = blobs(seed, n=n, k=4)
    rng = np.random.default_rng(seed)
    session = Session(X, random_state=seed)
    for _ in range(n_answers):
        i, j = rng.choice(n, 2, replace=False).tolist()
        session.answer((i, j), "same" if truth[i] == truth[j] else "different")
    strategy = DendrogramAsker()
    estimate = strategy._estimate(session.state)
    return session.state, estimate, Merges.of(estimate), Parts.of(estimate)


def best_rate(values, costs, base):
    """The most in a second, over all choices of what is shown."""
    choices = itertools.product([False, True], repeat=len(values))
    sums = ((np.array(chosen) @ values, np.array(chosen) @ costs) for chosen in choices)
    return max(value / (base + cost) for value, cost in sums)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_grid_of_a_cluster_is_the_best_of_all_choices(seed):
    rng = np.random.default_rng(seed)
    owner, value, doubt = rng.integers(3, size=18), rng.exponential(size=18) ** 3, rng.random(18)
    time = FormTime(1.5, 0.25, 0.7)
    rates = grid_rates(owner, value, doubt, time, 4)
    assert rates[3] == 0
    for cluster in np.unique(owner):
        own = owner == cluster
        expected = best_rate(value[own], 0.25 + 0.7 * doubt[own], 1.5)
        assert rates[cluster] == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(12))
def test_a_grid_is_worth_the_pairs_it_is_expected_to_change(seed):
    """Of other clusters: over all answers, the pairs found to be the same times their probability."""
    state, estimate, merges, _ = estimate_of(seed)
    found = ScreenCandidates((*(np.empty(0, np.int64),) * 2, np.empty(0)), (merges.left, merges.right, merges.value))
    cluster = int(estimate.ids[np.argmax(estimate.sizes[estimate.ids])])
    others, value = found.merges_of(cluster)
    screen = GridBuilder(estimate, state, (), FormTime(1.5, 0.25)).build(cluster, NONE, (others, value))
    if screen is None:
        return
    of_item = {int(estimate.labels[item]): item for item in screen.question.items[1:]}
    at = [int(np.flatnonzero(others == other)[0]) for other in of_item]
    pairs = estimate.sizes[cluster] * estimate.sizes[others[at]]
    probability = value[at] / pairs
    expected = 0.0
    for same in itertools.product([False, True], repeat=min(len(at), 10)):
        same = np.array(same + (False,) * (len(at) - len(same)))
        chance = np.prod(np.where(same, probability, 1 - probability)[:10])
        expected += chance * (same @ pairs)
    expected += float((value[at])[10:].sum())
    assert screen.value - EXPECTED * pairs.sum() == pytest.approx(expected)
    assert screen.seconds == pytest.approx(1.5 + 0.25 * len(at))


@pytest.mark.parametrize("seed", range(12))
def test_parts_are_shown_as_if_they_were_asked_one_after_another(seed):
    state, estimate, _, parts = estimate_of(seed, n=40)
    cluster = int(estimate.ids[np.argmax(estimate.sizes[estimate.ids])])
    own = parts.clusters == cluster
    screen = GridBuilder(estimate, state, (), PRIORS["grid"]).build(cluster, (parts.nodes[own], parts.value[own]), NONE)
    if screen is None:
        assert estimate.structure.tree.size[parts.nodes[own]].sum() < 2
        return
    items = screen.question.items
    assert len(set(items)) == len(items)
    assert set(estimate.labels[list(items)].tolist()) == {cluster}
    tree = estimate.structure.tree
    inside = np.concatenate([tree.items(int(node)) for node in parts.nodes[own]])
    assert set(items[1:]) <= set(inside.tolist())
    size = tree.size[parts.nodes[own]]
    doubts = doubt_of(parts.value[own], size * (estimate.sizes[cluster] - size))
    assert ((doubts >= 0) & (doubts <= 1)).all()
    assert np.allclose(doubts**1.5 * size * (estimate.sizes[cluster] - size), parts.value[own])
    assert screen.rate >= screen.value / screen.seconds - 1e-12


@pytest.mark.parametrize("seed", range(12))
def test_a_pick_is_worth_the_pairs_it_is_expected_to_change(seed):
    """At most one of its groups is the same: over all answers, the pairs found to be times their probability."""
    X, truth = blobs(seed, n=40, k=6)
    session = Session(X, random_state=seed)
    go_on(session, truth, 40)
    estimate = DendrogramAsker()._estimate(session.state)
    merges = Merges.of(estimate)
    found = ScreenCandidates((*(np.empty(0, np.int64),) * 2, np.empty(0)), (merges.left, merges.right, merges.value))
    builder = PickBuilder(estimate, session.state, (), PRIORS["pick"])
    for cluster in estimate.ids.tolist():
        others, value = found.merges_of(cluster)
        screen = builder.build(cluster, others, value)
        if screen is None:
            continue
        shown = estimate.labels[list(screen.question.items[1:])]
        at = [int(np.flatnonzero(others == other)[0]) for other in shown]
        pairs = estimate.sizes[cluster] * estimate.sizes[others[at]]
        expected = sum(value[at] / pairs * pairs)
        assert screen.value == pytest.approx(expected + EXPECTED * pairs.sum())
        assert screen.seconds == pytest.approx(1.5 + 0.3 * len(shown))


def test_the_asker_notices_when_grids_and_picks_take_long():
    X, truth = blobs(5, n=80)
    kinds = {}
    for factor in (0.5, 1.0, 20.0):
        session = Session(X, forms="auto", random_state=0)
        times = {form: PRIORS[form].times(factor, 0) for form in ("grid", "pick")}
        person = SimulatedAnnotator(truth, times=times)
        asked = []
        while (question := session.ask(annotator="ann")) is not None:
            given = person.answer(question)
            session.answer(question, given, annotator="ann", seconds=person.seconds(question, given))
            asked.append(question.kind)
        kinds[factor] = asked.count("pair") / len(asked)
    assert kinds[0.5] <= kinds[1.0] + 0.2
    assert kinds[20.0] > 0.5 > kinds[1.0]


def test_what_is_left_is_said_for_every_state():
    X, truth = blobs(6)
    session = Session(X, forms="auto", random_state=0)
    person = SimulatedAnnotator(truth)
    while (question := session.ask()) is not None:
        left = session.remaining()
        for each in (left.to_most, left.to_end):
            assert 0 <= each.low <= each.seconds <= each.high
        assert left.to_most.seconds <= left.to_end.seconds
        assert left.to_end.seconds > 0
        assert "clusters" in left.reason
        session.answer(question, person.answer(question))
    assert session.remaining().to_end.seconds == session.remaining().to_most.seconds == 0
    assert Session(X, strategy="random").remaining() is None
