"""With pairs only, the default asker asks what it asked before there were other forms."""

import json
from pathlib import Path

import pytest
from sklearn.datasets import load_digits, load_iris, load_wine

from likewise import Session
from likewise.query.dendrogram import structure
from likewise.simulate import SimulatedAnnotator

# made by the code as it was before grids and picks: up to 150 questions a set, then a batch of four
RECORDED = json.loads((Path(__file__).parent / "recorded" / "pair_questions.json").read_text())


@pytest.fixture(autouse=True)
def _as_it_was_built_then(monkeypatch):
    """The tree of few items was built along as few neighbours as that of many."""
    monkeypatch.setattr(structure, "N_EDGES", 0)


def load(name):
    """Vectors, classes, options of the session and the share of wrong answers."""
    if name == "iris":
        return *load_iris(return_X_y=True), {}, 0.0
    if name == "wine":
        X, truth = load_wine(return_X_y=True)
        return (X - X.mean(0)) / X.std(0), truth, {"recheck": True}, 0.03
    X, truth = load_digits(return_X_y=True)
    few, options = (120, {"n_clusters": 10}) if "K known" in name else (300, {})
    return X[:few] / 16, truth[:few], options, 0.0


@pytest.mark.parametrize("forms", [{}, {"forms": ("pair",)}])
@pytest.mark.parametrize("name", RECORDED)
def test_the_questions_are_those_recorded(name, forms):
    X, truth, options, error_rate = load(name)
    session = Session(X, random_state=0, **options, **forms)
    person = SimulatedAnnotator(truth, error_rate=error_rate, unsure_rate=0.03)
    *recorded, batch = RECORDED[name]
    for items in recorded:
        question = session.ask()
        assert (question.kind, list(question.items)) == ("pair", items)
        session.answer(question, person.answer(question))
    assert [list(question.items) for question in session.ask(4)] == batch
