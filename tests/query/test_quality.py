"""Checks at random, and what they say of the clusters."""

from itertools import combinations

import numpy as np
import pytest

from likewise import Session
from likewise.constraints import Constraints
from likewise.query.answers.quality import Check, MissedPairs, _weighed_interval, draw_check, estimate_quality
from likewise.simulate import SimulatedAnnotator


def inside(labels):
    return [(i, j) for i, j in combinations(range(len(labels)), 2) if labels[i] == labels[j]]


def test_checks_are_drawn_evenly_from_the_unknown_pairs_inside_clusters():
    labels = np.array([0, 1, 0, 1, 0, 2, 0])
    constraints = Constraints(7, must_link=[(0, 2)])
    wanted = [pair for pair in inside(labels) if pair != (0, 2)]
    rng = np.random.default_rng(0)
    drawn = [draw_check(labels, constraints, rng).items for _ in range(3000)]
    counts = {pair: drawn.count(pair) for pair in wanted}
    assert sum(counts.values()) == 3000
    expected = 3000 / len(wanted)
    # chi-squared with 5 degrees of freedom: 20.5 is exceeded once in a thousand
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 20.5


def test_what_was_put_to_this_person_is_not_drawn():
    labels = np.zeros(3, int)
    rng = np.random.default_rng(0)
    assert draw_check(labels, Constraints(3), rng, skip={(0, 1), (0, 2)}).items == (1, 2)
    assert draw_check(labels, Constraints(3), rng, skip={(0, 1), (0, 2), (1, 2)}) is None
    assert draw_check(np.arange(3), Constraints(3), rng) is None


def truth_of(truth, labels):
    """Pairwise precision and recall by counting pairs."""
    pairs = list(combinations(range(len(truth)), 2))
    both = sum(truth[i] == truth[j] and labels[i] == labels[j] for i, j in pairs)
    return both / len(inside(labels)), both / len(inside(truth))


@pytest.mark.parametrize("share", [0.0, 0.05, 0.15, 0.3])
def test_the_interval_covers_the_precision_of_clusters_that_stay(share):
    covered, runs = 0, 200
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        truth = rng.integers(4, size=60)
        labels = np.where(rng.random(60) < share, rng.integers(4, size=60), truth)
        constraints, checks = Constraints(60), []
        for _ in range(40):
            i, j = draw_check(labels, Constraints(60), rng).items
            checks.append(Check(100, bool(truth[i] == truth[j])))
        low, _, high = estimate_quality(labels, constraints, checks).precision
        covered += low <= truth_of(truth, labels)[0] <= high
    # 95 % of 200 is 190; fewer than 180 or, but for perfect clusters, all of them would be no 95 % interval
    assert covered >= 180
    assert covered < runs or share in (0.0, 0.05)


def test_known_pairs_need_no_check():
    labels = np.array([0, 0, 0, 1, 1])
    known = Constraints(5, must_link=[(0, 1), (1, 2), (3, 4)])
    quality = estimate_quality(labels, known, [Check(0, False), Check(0, False)])
    assert quality.precision == (1.0, 1.0, 1.0)
    assert quality.recall == (1.0, 1.0, 1.0)


def test_early_checks_do_not_count():
    labels = np.zeros(40, int)
    early = [Check(5, False)] * 30
    assert estimate_quality(labels, Constraints(40), early + [Check(95, True)] * 30, n_answers=100).n_checks == 30
    assert estimate_quality(labels, Constraints(40), early, n_answers=100).n_checks == 0
    low, _, high = estimate_quality(labels, Constraints(40), early, n_answers=100).precision
    assert (low < 0.01, high) == (True, 1.0)  # nothing is known of them: anything may be


ONE, OTHER = np.array([0]), np.array([1])


def test_clusters_that_may_be_the_same_lower_the_recall():
    labels = np.repeat([0, 1], 20)
    checks = [Check(100, True)] * 200
    alone = estimate_quality(labels, Constraints(40), checks)
    apart = MissedPairs(1.0, ONE, OTHER, np.array([0.5]), np.array([400.0]))
    found = estimate_quality(labels, Constraints(40), checks + [Check(100, True, 0.5)] * 50, apart)
    not_found = estimate_quality(labels, Constraints(40), checks + [Check(100, False, 0.5)] * 200, apart)
    assert alone.recall[0] > 0.95
    assert not_found.recall[0] > 0.9
    assert found.recall[0] < 380 / (380 + 400) < found.recall[2]  # all of them were the same
    assert found.precision == not_found.precision == alone.precision


def test_what_was_found_wrong_and_is_right_by_now_counts_half():
    labels = np.array([0] * 20 + [1] * 20)
    right = [Check(100, True, 1.0, (0, 1))] * 30
    mended = estimate_quality(labels, Constraints(40), [*right, *[Check(100, False, 1.0, (0, 39))] * 4])
    halved = estimate_quality(labels, Constraints(40), [*right, *[Check(100, False, 1.0, (0, 5))] * 2])
    still = estimate_quality(labels, Constraints(40), [*right, *[Check(100, False, 1.0, (0, 5))] * 4])
    assert mended.precision[0] == halved.precision[0] > still.precision[0]  # two halves for one
    assert mended.precision[2] == 1.0 > still.precision[2]


def test_checks_between_clusters_are_drawn_by_how_many_pairs_are_expected():
    labels = np.array([0, 0, 0, 1, 1, 2])
    apart = MissedPairs(1.0, np.array([0, 0]), np.array([1, 2]), np.array([0.1, 0.6]), np.array([6.0, 3.0]))
    known = Constraints(6, must_link=[(0, 1), (1, 2), (3, 4)])  # nothing is open inside
    rng = np.random.default_rng(0)
    drawn = [draw_check(labels, known, rng, missed=apart) for _ in range(800)]
    between = [question for question in drawn if question is not None]
    assert 340 < len(between) < 460  # half of the time
    assert {question.check for question in between} == {0.1, 0.6}
    share = sum(question.check == 0.6 for question in between) / len(between)
    assert abs(share - 1.8 / 2.4) < 0.09
    assert all(labels[question.items[0]] != labels[question.items[1]] for question in between)


def test_no_clusters_of_two_is_perfect_and_meets_every_target():
    quality = estimate_quality(np.arange(4), Constraints(4), [])
    assert quality.precision == (1.0, 1.0, 1.0)
    assert quality.meets(1.0, 1.0)
    assert not estimate_quality(np.zeros(9, int), Constraints(9), [Check(1, True)] * 3).meets(0.95, 0.9)


def test_what_the_default_asker_expects_of_pairs_apart():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(c, 0.3, size=(15, 2)) for c in ([0, 0], [0.9, 0], [6, 6])])
    session = Session(X, random_state=0)
    truth = np.repeat([0, 1, 2], 15)
    for _ in range(12):
        question = session.ask()
        session.answer(question, "same" if len({truth[i] for i in question.items}) == 1 else "different")
    expected = session.strategy.expect_missed_pairs(session.state)
    assert expected.ratio > 0
    assert ((expected.probability > 0) & (expected.probability <= 1)).all()
    assert expected.pairs.sum() <= 45 * 44 / 2


def test_a_session_mixes_in_checks_and_reads_them():
    rng = np.random.default_rng(1)
    truth = np.repeat([0, 1, 2], 15)
    X = rng.normal(size=(45, 2)) + 6 * np.array([[0, 0], [1, 0], [0, 1]])[truth]
    session = Session(X, random_state=0)
    for k in range(30):
        question = session.check() if k % 2 else session.ask()
        session.answer(question, "same" if truth[question.items[0]] == truth[question.items[1]] else "different")
    assert sum(answer.check > 0 for answer in session.history) == 15
    quality = session.quality()
    assert quality.n_checks == 5  # of the last ten answers
    assert quality.precision[0] <= truth_of(truth, session.labels_)[0] <= quality.precision[2]
    again = Session(X, random_state=0).replay(session.history)
    assert again.quality() == quality
    assert again.check() == session.check()
    session.undo()
    assert session.quality().n_checks == 4  # answers 21, 23, 25 and 27 of now 29


def test_other_askers_have_a_quality_too():
    session = Session(np.arange(6.0)[:, None], strategy="random", n_clusters=2, random_state=0)
    session.answer(session.check(), "unsure")
    assert session.quality().n_checks == 0
    assert session.quality().recall[2] == 1.0


@pytest.mark.parametrize("n_clusters", [1, 2, 3, 5, 9, 30])
def test_checks_fit_the_clusters_when_their_number_is_told(n_clusters):
    rng = np.random.default_rng(n_clusters)
    X = np.repeat(np.eye(6, 8), 5, axis=0) + 0.4 * rng.normal(size=(30, 8))
    session = Session(X, n_clusters=n_clusters, random_state=0)
    truth = np.repeat(np.arange(6), 5)
    for _ in range(12):
        labels = session.labels_
        for check in session.check(10):
            i, j = check.items
            assert (labels[i] == labels[j]) == (check.check == 1)
        assert all(0 <= low <= high <= 1 for low, _, high in (session.quality().precision, session.quality().recall))
        question = session.ask()
        if question is None:
            break
        session.answer(question, "same" if truth[question.items[0]] == truth[question.items[1]] else "different")


def test_what_is_missed_between_merged_and_split_clusters():
    missed = MissedPairs(
        1.0, np.array([0, 0, 1]), np.array([1, 2, 2]), np.array([0.5, 0.25, 0.1]), np.array([4.0, 6.0, 8.0])
    )
    estimated = np.array([0, 0, 1, 1, 2, 2, 2])
    merged = missed.between(estimated, np.array([0, 0, 0, 0, 1, 1, 1]))
    assert (merged.left.tolist(), merged.right.tolist()) == ([0, 0], [1, 1])
    assert merged.expected == 0.25 * 6 + 0.1 * 8
    split = missed.between(estimated, np.array([0, 0, 1, 1, 2, 2, 3]))
    assert (split.left.tolist(), split.right.tolist()) == ([0, 0, 1], [1, 2, 2])


NOBODY = np.empty(0, np.int64)


def expecting(wrong, **others):
    """What an asker expects that takes no two clusters for the same."""
    return MissedPairs(1.0, NOBODY, NOBODY, np.zeros(0), np.zeros(0), wrong, **others)


def test_where_the_asker_is_about_right_its_expectation_covers_and_narrows():
    covered, runs, widths = 0, 200, []
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        labels = np.repeat(np.arange(5), 30)
        moved = rng.random(150) < 0.1 * np.exp(0.7 * rng.standard_normal())
        truth = np.where(moved, rng.integers(5, size=150), labels)
        checks = []
        for _ in range(8):
            i, j = draw_check(labels, Constraints(150), rng).items
            checks.append(Check(100, bool(truth[i] == truth[j])))
        # one in ten elsewhere, four fifths of them in another cluster: 0.16 of the pairs, less those moved together
        told = estimate_quality(labels, Constraints(150), checks, expecting(0.15 * 2175)).precision
        alone = estimate_quality(labels, Constraints(150), checks).precision
        covered += told[0] <= truth_of(truth, labels)[0] <= told[2]
        widths.append((told[2] - told[0], alone[2] - alone[0]))
    assert 180 <= covered < runs
    assert np.mean(widths, axis=0)[0] < 0.9 * np.mean(widths, axis=0)[1]


def test_answers_that_are_wrong_now_and_then_are_allowed_for():
    labels = np.repeat(np.arange(5), 30)
    tenth = [Check(100, k % 10 > 0) for k in range(60)]  # what one wrong answer in ten makes of perfect clusters
    believed = estimate_quality(labels, Constraints(150), tenth, expecting(100.0)).precision
    allowed = estimate_quality(labels, Constraints(150), tenth, expecting(100.0, error_rate=0.1)).precision
    assert believed[0] < allowed[0]
    assert believed[2] < allowed[2]
    assert allowed[1] > 0.95


def test_groups_said_to_differ_that_may_be_the_same_lower_the_recall_alone():
    labels = np.repeat(np.arange(5), 30)
    sure = estimate_quality(labels, Constraints(150), [], expecting(20.0))
    doubted = estimate_quality(labels, Constraints(150), [], expecting(20.0, doubted=900.0))
    assert doubted.precision == sure.precision
    assert doubted.recall[1] < sure.recall[1]


def test_nothing_expected_and_nothing_open_is_perfect():
    labels = np.array([0, 0, 0, 1, 1])
    known = Constraints(5, must_link=[(0, 1), (1, 2), (3, 4)])
    quality = estimate_quality(labels, known, [Check(0, False), Check(0, False)], expecting(0.0))
    assert quality.precision == quality.recall == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("seed", range(5))
def test_quantiles_of_weighed_draws_are_those_of_draws_repeated(seed):
    rng = np.random.default_rng(seed)
    draws, times = rng.integers(9, size=200) / 8, rng.integers(4, size=200)
    repeated = np.sort(np.repeat(draws, times))
    wanted = [repeated[int(np.ceil(q * len(repeated))) - 1] for q in (0.025, 0.5, 0.975)]
    assert list(_weighed_interval(draws, times.astype(float))) == wanted


def test_clusters_that_are_merged_bring_wrong_pairs_inside():
    missed = MissedPairs(1.0, ONE, OTHER, np.array([0.25]), np.array([8.0]), 3.0, 2.0, 0.1)
    merged = missed.between(np.array([0, 0, 1]), np.array([0, 0, 0]))
    assert (merged.wrong, merged.doubted, merged.error_rate) == (3.0 + 0.75 * 8, 2.0, 0.1)


def test_a_session_that_rechecks_tells_how_many_answers_are_wrong():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 2)) + 6 * np.array([[0, 0], [1, 0], [0, 1]])[truth]
    session = Session(X, random_state=0, recheck=True)
    person = SimulatedAnnotator(truth, error_rate=0.15, random_state=0)
    for _ in range(80):
        question = session.ask()
        session.answer(question, person.answer(question))
    expected = session.strategy.expect_missed_pairs(session.state)
    assert 0.05 < expected.error_rate < 0.3
    plain = Session(X, random_state=0).strategy.expect_missed_pairs(Session(X, random_state=0).state)
    assert (plain.error_rate, plain.doubted) == (0.0, 0.0)


def test_checks_that_nothing_expected_fits_are_read_all_the_same():
    labels = np.repeat(np.arange(5), 30)
    apart = MissedPairs(1.0, ONE, OTHER, np.array([0.9]), np.array([1e6]), 1e9)
    checks = [Check(100, True)] * 30 + [Check(100, False, 0.9)] * 30
    for low, middle, high in (
        estimate_quality(labels, Constraints(150), checks, apart).precision,
        estimate_quality(labels, Constraints(150), checks, apart).recall,
    ):
        assert 0 <= low <= middle <= high <= 1
