"""Seconds by form: priors, everybody's, a person's own."""

import math

import pytest

from likewise import Answer, Session
from likewise.query.form_times import PRIORS, FormTime, all_times, fit_times, seconds_of


def grid(seconds, who="ann", n=10, taps=2):
    items = tuple(range(n + 1))
    return Answer("grid", items, "marked", who, seconds, chosen=items[1 : taps + 1])


def test_without_answers_they_are_the_priors():
    assert fit_times([]) == PRIORS
    assert PRIORS["pick"].seconds(8) == pytest.approx(3.9)
    assert seconds_of(grid(None), PRIORS) == pytest.approx(1.5 + 2.5 + 1.4)


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize(("n_own", "n_others"), [(0, 7), (1, 0), (4, 3), (40, 100)])
def test_they_are_shrunk_to_everybodys_and_these_to_the_prior(factor, n_own, n_others):
    own = [grid(5.4 * factor)] * n_own
    others = [grid(5.4 * 3, "bob")] * n_others
    pooled = sorted([math.log(factor)] * n_own + [math.log(3)] * n_others)
    middle = (pooled[(len(pooled) - 1) // 2] + pooled[len(pooled) // 2]) / 2
    everybody = len(pooled) * middle / (len(pooled) + 5)
    expected = math.exp((n_own * math.log(factor) + 5 * everybody) / (n_own + 5))
    found = fit_times([*own, *others], "ann")["grid"]
    assert found.seconds(10, 2) == pytest.approx(5.4 * expected)
    assert (found.base, found.shown, found.tap) == pytest.approx((1.5 * expected, 0.25 * expected, 0.7 * expected))
    assert found.n_answers == n_own
    assert fit_times([*own, *others], "ann")["pair"] == PRIORS["pair"]


def test_somebody_who_left_for_coffee_changes_little():
    steady = [grid(5.4)] * 9
    assert fit_times([*steady, grid(3600.0)], "ann")["grid"].base == pytest.approx(1.5)
    once = fit_times([grid(3600.0)], "ann")["grid"].base
    assert once == pytest.approx(fit_times([grid(5.4 * 4)], "ann")["grid"].base)
    assert once < 1.5 * 1.6
    assert fit_times([grid(5.4 * 20)] * 95, "ann")["grid"].base > 1.5 * 16  # so many do not lie


def test_unsure_memberships_and_what_has_no_time_do_not_count():
    nothing = [
        Answer("grid", (0, 1), "unsure", "ann", 99.0),
        Answer("membership", (0, 1), "belongs", "ann", 99.0, group="roses"),
        grid(None),
        grid(0.0),
    ]
    assert fit_times(nothing, "ann") == PRIORS


def test_a_session_tells_them_by_person():
    session = Session([[0.0], [1.0], [2.0]], random_state=0)
    for _ in range(30):
        session.answer((0, 1), "same", annotator="ann", seconds=4.2)
    assert session.form_times("ann")["pair"].base == pytest.approx(2.1 * 2 ** ((30 + 5 * 30 / 35) / 35))
    assert session.form_times("bob")["pair"].base == pytest.approx(2.1 * 2 ** (30 / 35))


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ({"quartet": (1.0,)}, "got 'quartet'"),
        ({"pair": (-1.0,)}, "takes time"),
        ({"grid": (0.0, 0.0, 1.0)}, "takes time"),
    ],
)
def test_times_that_cannot_be_are_refused(times, message):
    with pytest.raises(ValueError, match=message):
        all_times(times)
    assert all_times({"pair": FormTime(3.0)})["pair"].base == 3.0
