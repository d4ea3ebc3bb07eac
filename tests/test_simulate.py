"""Simulated people: they err as often as told, on the same questions whoever asks."""

import numpy as np
import pytest

from likewise import Question, Session, simulate
from likewise.simulate import CURVE_COLUMNS, SimulatedAnnotator, SimulatedWorkers


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


def test_a_person_takes_the_time_of_each_form():
    X, truth = (
        np.repeat(np.eye(3) * 9, 8, axis=0) + np.random.default_rng(0).normal(size=(24, 3)),
        np.repeat([0, 1, 2], 8),
    )
    session = Session(X, forms="auto", random_state=0)
    curve = simulate(session, truth, 100)
    seconds = [answer.seconds for answer in session.history]
    assert curve.person_seconds.tolist() == pytest.approx(np.cumsum(seconds).tolist())
    for answer in session.history:
        expected = {"pair": 2.1, "grid": 1.5 + 0.25 * len(answer.items[1:]) + 0.7 * len(answer.chosen)}
        assert answer.seconds == pytest.approx(expected.get(answer.kind, 1.5 + 0.3 * len(answer.items[1:])))
    slow = simulate(Session(X, random_state=0), truth, 100, times={"pair": (4.2,)})
    fast = simulate(Session(X, random_state=0), truth, 100)
    assert slow.person_seconds.iloc[-1] == pytest.approx(2 * fast.person_seconds.iloc[-1])
    assert curve.ari.iloc[-1] == fast.ari.iloc[-1] == 1.0


def test_a_budget_of_seconds_ends_it():
    X, truth = np.arange(12.0)[:, None], np.arange(12) // 4
    curve = simulate(Session(X, random_state=0), truth, 100, budget_seconds=10)
    assert curve.person_seconds.tolist() == pytest.approx([2.1, 4.2, 6.3, 8.4, 10.5])
    assert len(simulate(Session(X, random_state=0), truth, 100, budget_seconds=0)) == 0


def test_odd_pictures_are_overlooked_at_their_own_rate():
    truth = np.random.default_rng(0).integers(0, 3, 60)
    right, person = SimulatedAnnotator(truth), SimulatedAnnotator(truth, error_rate=0.04, random_state=5)
    assert person.overlook_rate == pytest.approx(0.1)
    rng = np.random.default_rng(1)
    odd = marked = wrong = 0
    for _ in range(1500):
        question = Question("grid", tuple(rng.choice(60, 10, replace=False).tolist()))
        expected, given = right.answer(question), person.answer(question)
        assert set(given) <= set(expected)
        odd, marked = odd + len(expected), marked + len(given)
        pick = Question("pick", question.items[:4])
        assert right.answer(pick) == next((i for i in pick.items[1:] if truth[i] == truth[pick.items[0]]), "none")
        wrong += person.answer(pick) != right.answer(pick)
    assert abs(1 - marked / odd - 0.1) < 0.01
    assert abs(wrong / 1500 - 0.04) < 0.015
    with pytest.raises(ValueError, match="overlook_rate must be between 0 and 1"):
        SimulatedAnnotator(truth, overlook_rate=1.5)


def test_workers_err_as_often_as_drawn_and_again_about_the_same_pair():
    truth = np.arange(2000) // 2 * (np.arange(2000) < 1000) + np.arange(2000) * (np.arange(2000) >= 1000)
    workers = SimulatedWorkers(truth, 4, random_state=3)
    pairs = [Question("pair", (int(k), int(k) + 1)) for k in range(0, 2000, 2)]
    for who, name in enumerate(workers.names):
        said = [workers.answer(question, name) for question in pairs]
        assert said == [workers.answer(Question("pair", question.items[::-1]), name) for question in pairs]
        wrong = np.array(said) != np.repeat(["same", "different"], 500)
        shares = wrong[:500].mean(), wrong[500:].mean()
        assert shares == pytest.approx(tuple(workers.rates[who]), abs=0.08)


def test_workers_are_as_different_as_those_they_are_fitted_to():
    rates = SimulatedWorkers([0, 1], 4000, random_state=0).rates
    assert rates.shape == (4000, 2)
    assert rates.mean(axis=0) == pytest.approx([0.355, 0.216], abs=0.02)
    assert np.quantile(rates[:, 1], 0.5) < 0.1  # most hardly ever take different ones for the same
    assert (rates[:, 1] > 0.7).mean() > 0.05  # some nearly always do
    assert np.corrcoef(rates.T)[0, 1] < -0.2


def test_two_workers_err_about_the_same_pairs_more_often_than_by_chance():
    truth = np.repeat(np.arange(3000), 2)
    workers = SimulatedWorkers(truth, 12, random_state=1)
    middle = [k for k in range(12) if 0.15 < workers.rates[k, 0] < 0.85][:2]
    pairs = [Question("pair", (2 * k, 2 * k + 1)) for k in range(3000)]
    wrong = np.array([[workers.answer(q, workers.names[k]) == "different" for q in pairs] for k in middle])
    assert wrong.all(axis=0).mean() > wrong[0].mean() * wrong[1].mean() + 0.01


def test_workers_are_refused_what_they_cannot_do():
    with pytest.raises(ValueError, match="at least 1, got 0"):
        SimulatedWorkers([0, 1], 0)
    with pytest.raises(ValueError, match="pairs only, got a grid"):
        SimulatedWorkers([0, 1], 1).answer(Question("grid", (0, 1)), "worker-0")
