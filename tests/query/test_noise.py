"""How often answers are wrong, found from the answers."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import expit

from likewise import Session
from likewise.metrics import ari
from likewise.query.calibration import SameCurve
from likewise.query.dendrogram import noise
from likewise.query.dendrogram.noise import Noise, SlipCounts
from likewise.simulate import SimulatedAnnotator

NO_COUNTS = SlipCounts(np.zeros(2), np.zeros(2))


def answers(rng, n, rate, slope=8.0):
    """Answers about sets at distances from 0 to 2, the same with a probability that falls with the distance."""
    distances = rng.uniform(0, 2, n)
    truth = rng.random(n) < expit(slope * (1 - distances))
    said = truth ^ (rng.random(n) < rate)
    pairs, weights = np.exp(rng.uniform(0, 1, n)).tolist(), np.ones(n).tolist()
    return SimpleNamespace(distances=distances.tolist(), same=said.tolist(), pairs=pairs, weights=weights), truth


def fitted(answered):
    curve = SameCurve(near=[0.2, 0.3, 0.5], far=[1.2, 1.5, 1.8])
    return curve.fit(answered.distances, answered.same, answered.pairs, answered.weights)


def read(answered, held=None, counts=NO_COUNTS):
    n = len(answered.same)
    return Noise.read(fitted(answered), answered, np.zeros(n, int), np.ones(n) if held is None else held, counts)


def penalised(curve, answered, rate):
    """What EM may only raise: log-likelihood of answers of which a share is wrong, with both priors."""
    same = expit(curve.logit(answered.distances, answered.pairs))
    said = rate + (1 - 2 * rate) * same
    likelihood = np.log(np.where(answered.same, said, 1 - said)).sum()
    prior = expit(curve._prior @ curve.coef_)
    likelihood += curve._prior_weight @ np.log(np.where(curve._prior_same > 0, prior, 1 - prior))
    likelihood += 0.5 * np.log(rate) + 19.5 * np.log(1 - rate)
    return likelihood - 0.5 * np.array([1e-3, 1e-3, 0.3]) @ curve.coef_**2


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.1])
def test_the_share_of_wrong_answers_is_seen_from_the_looks_alone(rate):
    answered, _ = answers(np.random.default_rng(7), 1500, rate)
    assert read(answered).rates[noise.OTHERS] == pytest.approx(rate, abs=0.02)


@pytest.mark.parametrize("seed", range(8))
def test_every_round_makes_the_answers_more_likely(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    answered, _ = answers(rng, int(rng.integers(1, 120)), 0.1)
    found = []
    for rounds in range(1, 8):
        monkeypatch.setattr(noise, "MAX_ROUNDS", rounds)
        result = read(answered)
        curve = fitted(answered)
        # the coefficients that give these looks
        A = curve._columns(np.array(answered.distances), answered.pairs)
        if len(A) >= 3:
            curve.coef_ = np.linalg.lstsq(A, result.looks, rcond=None)[0]
            found.append(penalised(curve, answered, float(result.rates[noise.OTHERS])))
    assert all(later >= before - 1e-6 for before, later in pairwise(found))


def test_right_answers_that_others_confirm_say_that_few_are_wrong():
    answered, _ = answers(np.random.default_rng(0), 200, 0.0)
    result = read(answered, np.full(200, np.inf))
    assert result.rates[noise.OTHERS] == pytest.approx(0.5 / 220)


def test_answers_set_aside_count_as_wrong():
    answered, _ = answers(np.random.default_rng(0), 100, 0.0)
    aside = SlipCounts(np.array([10.0, 0.0]), np.zeros(2))
    assert read(answered, np.full(100, np.inf), aside).rates[noise.OTHERS] == pytest.approx(10.5 / 130)


def test_no_answers_leave_the_prior_and_the_curve_is_not_touched():
    nothing = SimpleNamespace(distances=[], same=[], pairs=[], weights=[])
    assert read(nothing).rates.tolist() == [0.025, 0.0625]
    answered, _ = answers(np.random.default_rng(0), 50, 0.3)
    curve = fitted(answered)
    before = curve.coef_.copy()
    Noise.read(curve, answered, np.zeros(50, int), np.ones(50), NO_COUNTS)
    assert curve.coef_.tolist() == before.tolist()


def test_what_lies_close_together_looks_more_alike():
    answered, _ = answers(np.random.default_rng(1), 80, 0.1)
    answered.pairs = [1.0] * 80
    looks = read(answered).looks
    assert (np.diff(looks[np.argsort(answered.distances)]) <= 0).all()


@pytest.mark.parametrize("seed", range(3))
def test_one_in_ten_wrong_is_seen_and_mended(seed):
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(4), 20)
    X = 0.9 * rng.normal(size=(80, 4)) + 4 * np.eye(4)[truth]
    session = Session(X, random_state=seed, recheck=True)
    person = SimulatedAnnotator(truth, error_rate=0.1, random_state=seed)
    for _ in range(250):
        question = session.ask()
        if question is None:
            break
        session.answer(question, person.answer(question))
    assert 0.04 < session.strategy.doubts(session.state).error_rate < 0.2
    assert ari(truth, session.labels_) > 0.97
