"""Grids of pictures that may be in their group by mistake."""

import numpy as np
import pytest

from likewise import Question, Session
from likewise.query.dendrogram.dendrogram import DendrogramAsker
from likewise.query.dendrogram.recheck_grids import doubtful_grids
from likewise.query.form_times import PRIORS
from likewise.simulate import SimulatedAnnotator


def session_with_slips(seed):
    """Two clusters; a grid confirms the first, with four items of the other."""
    rng = np.random.default_rng(seed)
    X = np.concatenate([rng.normal(0, 1, (20, 2)), rng.normal(4, 1, (20, 2))])
    session = Session(X, forms="auto", recheck=True, random_state=seed)
    session.answer(Question("grid", (0, *range(1, 15), 36, 37, 38, 39)), [], annotator="ann")
    session.answer(Question("grid", (20, *range(21, 30))), [], annotator="ann")
    session.answer((0, 20), "different", annotator="ann")
    return session


def screens_of(session, skip=()):
    strategy = session.strategy
    estimate = strategy._estimate(session.state)
    rechecks = strategy._rechecks(session.state, estimate)
    return rechecks, doubtful_grids(rechecks, estimate, session.state, skip, PRIORS["grid"])


@pytest.mark.parametrize("seed", range(4))
def test_the_pictures_that_are_wrong_come_first_and_are_worth_what_would_change(seed):
    rechecks, screens = screens_of(session_with_slips(seed))
    assert screens
    question = max(screens, key=lambda screen: screen.rate).question
    assert question.again
    assert set(question.items[1:5]) & {36, 37, 38, 39}
    for screen in screens:
        worth: dict[int, float] = {}
        for near, each in zip(
            rechecks.near[rechecks.same].tolist(), (rechecks.wrong * rechecks.pairs)[rechecks.same], strict=True
        ):
            worth[near] = max(each, worth.get(near, 0.0))
        assert screen.value == pytest.approx(sum(worth[item] for item in screen.question.items[1:]))


@pytest.mark.parametrize("seed", range(4))
def test_no_pair_is_shown_twice_to_one_person(seed):
    session = session_with_slips(seed)
    skip = {(0, j) for j in range(1, 40)}
    for screen in screens_of(session, skip)[1]:
        first, *others = screen.question.items
        assert not {(min(first, j), max(first, j)) for j in others} & skip


def test_slips_are_found_with_grids():
    session = session_with_slips(1)
    truth = np.repeat([0, 1], 20)
    person, again = SimulatedAnnotator(truth), 0
    while (question := session.ask(annotator="ann")) is not None:
        again += question.kind == "grid" and question.again
        session.answer(question, person.answer(question), annotator="ann")
    assert again
    contradicted = {
        item for conflict in session.conflicts for s in (conflict.statement, *conflict.chain) for item in s[:2]
    }
    assert {36, 37, 38, 39} & contradicted


def test_without_recheck_nothing_is_asked_again():
    asker = DendrogramAsker()
    session = session_with_slips(0)
    estimate = asker._estimate(session.state)
    assert asker._rechecks(session.state, estimate) is None
