"""What the experiments of the papers count, against counting one by one."""

import json

import numpy as np
import pytest

pytest.importorskip("benchmarks.report")  # not in the source archive

from benchmarks.papers.pei2016_unified.soft import against, with_errors
from benchmarks.papers.seeds import kept_runs
from benchmarks.papers.xiong2014_urasc import choice, protocol
from benchmarks.papers.xiong2014_urasc.ends import wrong_of
from benchmarks.papers.xiong2014_urasc.figures import PAPER


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
