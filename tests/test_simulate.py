"""Simulated people: they err as often as told, on the same questions whoever asks."""

import numpy as np
import pytest

from likewise import Question, Session, simulate
from likewise.simulate import CURVE_COLUMNS, SimulatedAnnotator


def test_the_name_is_the_function():
    import likewise.simulate  # binds nothing new: the package keeps the function

    assert callable(likewise.simulate)


def test_one_row_an_answer_until_nothing_is_left():
    session = Session([[0.0], [0.1], [5.0]], strategy="random", n_clusters=2, random_state=0)
    curve = simulate(session, ["a", "a", "b"], budget=10)
    assert list(curve.columns) == CURVE_COLUMNS
    assert len(curve) == len(session.history) <= 3
    assert curve.answers.tolist() == list(range(1, len(curve) + 1))
    assert curve.ari.iloc[-1] == 1.0
    assert (curve.seconds >= 0).all()


def test_fewer_rows_when_asked_for():
    X, truth = [[float(k)] for k in range(8)], [0, 0, 0, 0, 1, 1, 1, 1]
    each = simulate(Session(X, strategy="random", n_clusters=2, random_state=0), truth, 7)
    some = simulate(Session(X, strategy="random", n_clusters=2, random_state=0), truth, 7, every=3)
    assert some.answers.tolist() == [3, 6, 7]
    assert some.ari.tolist() == each.ari.iloc[[2, 5, 6]].tolist()
    short = simulate(Session(X[:3], strategy="random", n_clusters=2, random_state=0), truth[:3], 9, every=2)
    assert short.answers.iloc[-1] in (2, 3)  # the end counts, whenever nothing is left


def test_no_budget_no_rows():
    session = Session([[0.0], [1.0]], strategy="random", random_state=0)
    assert list(simulate(session, [0, 1], 0).columns) == CURVE_COLUMNS


@pytest.mark.parametrize("kind", ["pair", "triplet"])
def test_errors_and_unsure_at_their_rates(kind):
    truth = np.random.default_rng(0).integers(0, 3, 60)
    right = SimulatedAnnotator(truth)
    person = SimulatedAnnotator(truth, error_rate=0.2, unsure_rate=0.1, random_state=5)
    size = 2 if kind == "pair" else 3
    rng = np.random.default_rng(1)
    questions = [Question(kind, tuple(rng.choice(60, size, replace=False).tolist())) for _ in range(4000)]
    answers = [person.answer(q) for q in questions]
    assert answers == [person.answer(q) for q in questions]
    unsure = np.mean([a == "unsure" for a in answers])
    wrong = np.mean([a not in ("unsure", right.answer(q)) for a, q in zip(answers, questions, strict=True)])
    assert abs(unsure - 0.1) < 0.02
    assert abs(wrong - 0.9 * 0.2) < 0.03
    assert all(a in q.answers for a, q in zip(answers, questions, strict=True))


def test_triplet_truth():
    person = SimulatedAnnotator([0, 0, 1, 1, 2])
    said = {items: person.answer(Question("triplet", items)) for items in [(0, 1, 2), (0, 2, 1), (2, 0, 1), (0, 2, 4)]}
    assert said == {(0, 1, 2): "ab", (0, 2, 1): "ac", (2, 0, 1): "bc", (0, 2, 4): "none"}
    assert SimulatedAnnotator([0, 0, 0]).answer(Question("triplet", (0, 1, 2))) == "none"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"truth": [0], "budget": 1}, "truth has 1 entries for 2 items"),
        ({"truth": [0, 1], "budget": -1}, "must not be negative"),
        ({"truth": [0, 1], "budget": 1, "every": 0}, "at least 1"),
        ({"truth": [0, 1], "budget": 1, "error_rate": 1.5}, "error_rate must be between 0 and 1"),
        ({"truth": [0, 1], "budget": 1, "unsure_rate": -0.1}, "unsure_rate must be between 0 and 1"),
    ],
)
def test_bad_input(options, message):
    session = Session([[0.0], [1.0]], strategy="random", random_state=0)
    with pytest.raises(ValueError, match=message):
        simulate(session, **options)
    assert session.history == []
