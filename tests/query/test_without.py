"""Items that nothing is asked about: by every asker never named, and by the default one never in the way of others."""

from itertools import combinations

import numpy as np
import pytest

from likewise import Session
from likewise.query.base import State, open_pairs
from tests.query.test_strategy_contract import NAMES, SMALL, overlapping


def said(question, truth):
    first, *others = question.items
    same = [item for item in others if truth[item] == truth[first]]
    if question.kind == "grid":
        return [item for item in others if item not in same]
    if question.kind == "pick":
        return same[0] if same else "none"
    return "same" if same else "different"


@pytest.mark.parametrize("name", NAMES)
def test_no_asker_names_what_it_is_to_leave_out(name):
    X, truth = overlapping(n=12)
    session = Session(X, strategy=name, n_clusters=3, random_state=0, **SMALL.get(name, {}))
    without = {0, 3, 4}
    for _ in range(8):
        for question in session.ask(3, without=without):
            assert without.isdisjoint(question.items)
            session.answer(question, said(question, truth))


@pytest.mark.parametrize("forms", [("pair",), "auto"])
@pytest.mark.parametrize("seed", range(4))
def test_all_that_is_open_about_the_others_is_asked(forms, seed):
    X, truth = overlapping(n=18, n_classes=4, seed=seed)
    session = Session(X, random_state=seed, forms=forms, apart=[(0, 1, 2), (5, 6)])
    without = set(np.random.default_rng(seed).choice(18, 6, replace=False).tolist())
    others = [item for item in range(18) if item not in without]
    while (question := session.ask(without=without)) is not None:
        assert without.isdisjoint(question.items)
        session.answer(question, said(question, truth))
    assert all(session.known(i, j) is not None for i, j in combinations(others, 2))
    assert not session.finished
    assert session.ask() is not None


@pytest.mark.parametrize("seed", range(5))
def test_open_pairs_are_those_of_looking_at_each(seed):
    rng = np.random.default_rng(seed)
    state = State(rng.normal(size=(12, 2)), "euclidean", None, 0)
    for _ in range(20):
        i, j = rng.choice(12, 2, replace=False).tolist()
        state.constraints.add(i, j, str(rng.choice(["same", "different"])))
        skip = {tuple(sorted(rng.choice(12, 2, replace=False).tolist())) for _ in range(5)}
        for closed in ((), rng.choice(12, 4, replace=False).tolist()):
            with state.closing(closed):
                pairs = [pair for pair in combinations(range(12), 2) if not {*closed} & {*pair}]
                found = [pair for pair in pairs if state.constraints.known(*pair) is None]
                assert list(open_pairs(state, skip)) == [pair for pair in found if pair not in skip]
                assert state.has_open() == bool(found)
