"""Active subclustering: utilities against eq. 4.3, errors that are mended, and perfect subclusters in the end."""

import itertools

import numpy as np
import pytest

from likewise import Session
from likewise.distances import pairwise
from likewise.metrics import subclustering_jaccard
from likewise.query import ActiveSubclustering
from likewise.query.active_subclustering.incremental import BETWEEN, WITHIN


def classes(seed, n_classes=5, each=20, noise=1.2):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.repeat(np.arange(n_classes), each))
    return 2.5 * rng.normal(size=(n_classes, 4))[truth] + noise * rng.normal(size=(len(truth), 4)), truth


def open_session(X, k, **options):
    strategy = ActiveSubclustering(**{"size": 4, **options})
    return Session(X, strategy=strategy, n_clusters=k, random_state=0), strategy


def say(session, truth, question):
    i, j = question.items
    session.answer(question, "same" if truth[i] == truth[j] else "different")


def plain_utilities(session, strategy, X):
    """Eq. 4.3 over all pairs of centres and all examples, from a whole matrix of P."""
    run = strategy._run(session.state)
    centres = strategy.subclusters(session.state)[:, 0].tolist()
    if strategy.probability == "shared":
        lists = [set(row) for row in run.pool.probability.lists.tolist()]
        n_listed = len(lists[0])
        P = np.array([[(len(a & b) + 0.5) / (n_listed + 1) for b in lists] for a in lists])
    else:
        P = np.exp(-pairwise(X) / run.pool.probability.scale)

    def same(a, b):
        return {"same": 1.0, "different": 0.0}.get(session.known(a, b), P[a, b])

    found = {(BETWEEN, a, b): same(a, b) for a, b in itertools.combinations(sorted(centres), 2)}
    for members in strategy.subclusters(session.state).tolist():
        c = members[0]
        rival = max(same(c, other) for other in centres if other != c)
        for item in members[1:]:
            near = P[c, item]
            half = 0.5 ** run.put_off.get((c, item), 0)
            found[WITHIN, c, item] = 2.0 if (c, item) in run.streak else (1 - near) * (1 - rival) * half
    return {key: u for key, u in found.items() if session.known(*key[1:]) is None}


@pytest.mark.parametrize("probability", ["shared", "exponential"])
@pytest.mark.parametrize("seed", range(4))
def test_the_question_has_the_highest_utility(seed, probability):
    X, truth = classes(seed)
    session, strategy = open_session(X, 5, probability=probability)
    for _ in range(60):
        question = session.ask()
        utilities = plain_utilities(session, strategy, X)
        if not utilities:
            break
        assert question.score == pytest.approx(max(utilities.values()), rel=1e-6, abs=1e-9)
        asked = [u for (_, a, b), u in utilities.items() if {a, b} == set(question.items)]
        assert max(asked) == pytest.approx(question.score, rel=1e-6, abs=1e-9)
        say(session, truth, question)


@pytest.mark.parametrize("seed", range(5))
def test_subclusters_become_perfect(seed):
    X, truth = classes(seed)
    session, strategy = open_session(X, 5)
    before = subclustering_jaccard(truth, strategy.subclusters(session.state))
    while (question := session.ask()).score > 0.0:
        say(session, truth, question)
    subclusters = strategy.subclusters(session.state)
    assert len(session.history) < 400
    assert subclusters.shape == (5, 4)
    assert len(set(subclusters.ravel().tolist())) == 20
    assert subclustering_jaccard(truth, subclusters) == 1.0 >= before


def test_a_wrong_example_is_replaced_and_asked_about_at_once():
    X, _ = classes(1)
    session, strategy = open_session(X, 5)
    strategy._run(session.state).asked[BETWEEN] = 50  # q_th = 50: many questions between centres, no error
    members = strategy.subclusters(session.state)[2].tolist()
    session.answer((members[0], members[1]), "different")
    now = strategy.subclusters(session.state)[2].tolist()
    new = set(now) - set(members)
    assert members[1] not in now
    assert len(new) == 1
    question = session.ask()
    assert set(question.items) == {members[0], *new}
    assert question.reason == "in place of an example that was wrong"


def test_two_centres_of_one_class_send_the_search_on():
    X, _ = classes(2)
    session, strategy = open_session(X, 5)
    a, b = strategy.subclusters(session.state)[:2, 0].tolist()
    session.answer((a, b), "same")
    centres = strategy.subclusters(session.state)[:, 0].tolist()
    assert len({a, b} & set(centres)) < 2
    assert len(set(centres)) == 5


def test_the_threshold_is_the_ratio_of_questions_an_error_takes():
    X, _ = classes(0)
    session, strategy = open_session(X, 5)
    run = strategy._run(session.state)
    assert run.threshold() == 1.0
    run.asked[BETWEEN], run.errors[BETWEEN] = 60, 3
    run.asked[WITHIN], run.errors[WITHIN] = 20, 4
    assert run.threshold() == 4.0


def test_a_place_that_takes_too_long_is_put_off():
    X, _ = classes(3)
    session, strategy = open_session(X, 5)
    centre, item = strategy.subclusters(session.state)[0, :2].tolist()
    session.answer((centre, item), "different")  # q_th is 1: no second question in a row
    run = strategy._run(session.state)
    assert run.streak == {}
    ((c, new),) = run.put_off
    assert c == centre
    assert run.put_off[c, new] == 1
    assert new in strategy.subclusters(session.state)[0]


def test_large_distances_are_not_all_computed(monkeypatch):
    X, truth = classes(0)
    session, _ = open_session(X, 5)
    for _ in range(20):
        say(session, truth, session.ask())
    assert "distances" not in session.state.__dict__
