"""What the experiments of the papers count, against counting one by one."""

import json

import numpy as np
import pytest

pytest.importorskip("benchmarks.report")  # not in the source archive

from benchmarks.papers.biswas2014_active import causes, doubts
from benchmarks.papers.biswas2014_active.sets import Set
from benchmarks.papers.biswas2014_distlqp.vectors import likeness, one_set
from benchmarks.papers.grira2005_pcca.__main__ import draw_pairs, told
from benchmarks.papers.grira2005_pcca.same_number import with_numbers
from benchmarks.papers.pei2015_bayesian import strengths
from benchmarks.papers.pei2016_unified.soft import against, with_errors
from benchmarks.papers.seeds import kept_runs
from benchmarks.papers.xiong2014_urasc import choice, learners, protocol
from benchmarks.papers.xiong2014_urasc.ends import wrong_of
from benchmarks.papers.xiong2014_urasc.figures import PAPER
from likewise import Session, simulate
from likewise.cluster import HACC, PCKMeans
from likewise.distances import pairwise
from likewise.metrics import jaccard, purity


def drawn(seed, n=30, m=200):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    asked = rng.integers(0, n, (m, 2))
    same = truth[asked[:, 0]] == truth[asked[:, 1]]
    return rng, truth, {"must_link": asked[same], "cannot_link": asked[~same]}


@pytest.mark.parametrize("seed", range(3))
def test_answers_gone_against_are_counted_pair_by_pair(seed):
    rng, _, pairs = drawn(seed)
    labels = rng.integers(0, 3, 30)
    slow = sum(labels[i] != labels[j] for i, j in pairs["must_link"])
    slow += sum(labels[i] == labels[j] for i, j in pairs["cannot_link"])
    assert against(labels, pairs) == slow


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_wrong_answers_are_as_many_as_wanted_and_to_the_same_pairs(share):
    _, truth, pairs = drawn(0)
    told = with_errors(pairs, share, seed=0)
    assert sorted(map(tuple, np.vstack(list(told.values())))) == sorted(map(tuple, np.vstack(list(pairs.values()))))
    assert against(truth, told) == pytest.approx(share * 200, abs=12)


def test_wrong_samples_of_two_clusters_do_not_depend_on_their_names():
    truth = np.array([0, 0, 0, 1, 1])
    for labels in (np.array([0, 0, 1, 1, 1]), np.array([1, 1, 0, 0, 0])):
        assert wrong_of(labels, truth).tolist() == [False, False, True, False, False]


def as_printed(name, off):
    """A run of a set whose figures are so far from those of the paper."""
    return {m: {"jaccard": [PAPER[name][n][m][0] + off for n in PAPER[name]]} for m in ("URASC+N", "URASC+P")}


def test_the_distance_to_what_is_printed_counts_every_set_alike():
    setting = choice.named("normalized", -1.0, 1.0)
    runs = {
        "wine": {setting: {"100": as_printed("wine", 0.1), "101": as_printed("wine", -0.3)}},  # in the mean -.1
        "sonar": {setting: {"100": as_printed("sonar", 0.3)}},
    }
    assert choice.distance(runs, setting) == pytest.approx(0.2)
    assert choice.distances(runs) == {setting: pytest.approx(0.2)}


def test_the_protocol_takes_what_was_chosen_and_no_seed_of_the_choice():
    kept = json.loads(choice.PATH.read_text())["results"]
    gaps = choice.distances(kept)
    assert len(gaps) == len(choice.GRID)
    assert min(gaps, key=gaps.__getitem__) == choice.named(protocol.LAPLACIAN, protocol.DIFFERENT, protocol.WIDTH)
    for name in protocol.SETS:
        runs = kept_runs(protocol.HERE / "results" / f"{name}-paper.json")
        assert {seed for seeds in runs.values() for seed in seeds}.isdisjoint(
            seed for found in kept.values() for seeds in found.values() for seed in seeds
        )
        assert len({tuple(seeds) for seeds in runs.values()}) == 1  # the same seeds for all methods


def clouds(seed=0, n=12, k=3, name="iris"):
    """Three clouds that touch."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(k), n)
    X = rng.normal(size=(n * k, 2)) + 2.5 * np.eye(3, 2)[truth]
    return Set(name, pairwise(X), truth, X, euclidean=True)


def test_answers_are_read_by_somebody_else_as_if_they_had_been_given_at_once():
    data = clouds()
    session = causes.asker(data, "CAC1")
    simulate(session, data.truth, 12)
    links = {"must_link": session.must_link, "cannot_link": session.cannot_link}
    for clusterer, model in ((None, HACC(3)), (PCKMeans(), PCKMeans(3, random_state=0))):
        slow = jaccard(data.truth, model.fit_predict(data.X, **links))
        assert causes.read_by(data, session.history, clusterer) == pytest.approx(slow, abs=1e-4)


def test_the_causes_are_looked_at_after_every_tenth_of_the_questions():
    data = clouds()
    found = causes.run(data, causes.OURS, 0.0, 0)
    session = causes.asker(data, causes.OURS)
    slow = []
    for _ in range(causes.PARTS):
        simulate(session, data.truth, causes.BUDGET["iris"] // causes.PARTS)
        slow.append(jaccard(data.truth, session.labels_))
    assert found["own"] == pytest.approx(slow, abs=1e-4)
    assert found["own"] == found["HACC"]  # HACC reads its answers
    assert all(len(values) == causes.PARTS for values in found.values())


def test_only_sets_with_a_known_share_of_mistakes_are_run_with_wrong_answers():
    assert causes.wanted(["iris", "leaf-250"], 2) == [
        ("iris", 0.0, 0),
        ("leaf-250", 0.0, 0),
        ("leaf-250", 0.019, 0),
        ("leaf-250", 0.019, 1),
    ]


def test_what_p_says_of_wrong_pairs_is_found_pair_by_pair():
    rng, truth, _ = drawn(1)
    labels, P = rng.integers(0, 3, 30), rng.random((30, 30))
    slow = []
    for i in range(30):
        for j in range(i + 1, 30):
            same = truth[i] == truth[j]
            if same != (labels[i] == labels[j]):
                slow.append(P[i, j] if same else 1 - P[i, j])
    assert doubts.wrong_pairs(P, labels, truth).tolist() == pytest.approx(slow)


def test_p_is_what_the_asker_was_given():
    data = clouds()
    given = causes.probability_of(data.truth)
    session = Session(data.X, strategy="active-hacc", n_clusters=3, random_state=0, probability=given)
    assert doubts.probability(session) == pytest.approx(given)
    assert doubts.run(data)["pairs"] >= doubts.run(data)["unlikely"]


def test_euclidean_distances_are_those_between_their_vectors():
    data = clouds()
    assert likeness(data.D, data.X) == pytest.approx(1.0)
    assert likeness(data.D, data.X[::-1]) < 0.9


def test_every_method_of_one_set_of_constraints_is_between_0_and_1():
    data = clouds(n=10)
    sides = told(data.truth, draw_pairs(len(data.X), 20, 0))
    found = one_set(data.D / data.D.max(), data.truth, 3.0, sides, range(1), n_components=2)
    assert len(found) == 7
    assert all(0 <= value <= 1 for value in found.values())


def test_purity_is_that_of_the_number_of_clusters_of_each_seed():
    data = clouds()
    slow = []
    for seed, number in enumerate((2, 5)):
        links = told(data.truth, draw_pairs(len(data.X), 15, seed))
        slow.append(purity(data.truth, PCKMeans(number, random_state=seed).fit_predict(data.X, **links)))
    assert with_numbers(data.X, data.truth, 15, [2, 5]) == pytest.approx(slow, abs=1e-4)


def test_what_is_said_of_pairs_is_the_truth():
    truth = np.array([0, 0, 1, 1])
    links = told(truth, np.array([(0, 1), (0, 2), (2, 3)]))
    assert links["must_link"].tolist() == [[0, 1], [2, 3]]
    assert links["cannot_link"].tolist() == [[0, 2]]


def test_learners_ask_with_another_kernel_and_are_read_as_all_others():
    X = clouds().X
    those, other = protocol.methods(X), learners.ways(X, 1.0)
    assert set(other) == set(learners.LEARNERS)
    for name, (_, options) in other.items():
        assert (options["affinity"] >= those[name][1]["affinity"] - 1e-12).all()  # wider
        assert options["clusterer"] is not None
    assert set(learners.ways(X, learners.READ_WIDE)) == {"URASC+N", "URASC+P", *learners.LEARNERS}


def test_every_method_of_the_protocol_can_be_run():
    assert set(protocol.methods(clouds().X)) == set(protocol.METHODS)


def test_only_what_is_missing_of_a_strength_is_run(monkeypatch):
    asked = []

    def one(X, truth, method, seed, regularization):
        asked.append((method, regularization))
        return {"f": {"60": 0.5}}

    monkeypatch.setattr(strengths, "run", one)
    monkeypatch.setattr(strengths, "listen", one)
    runs = {"1": {"Info+BC": {"0": {"60": 0.4}}}}
    assert strengths.add_seed("sonar", (None, None), runs, 0, ["1"])
    assert asked == [("BC+tree", 1.0), ("Uncertain+BC", 1.0)]
    assert runs["1"]["Info+BC"]["0"] == {"60": 0.4}
    assert not strengths.add_seed("sonar", (None, None), runs, 0, ["1"])
