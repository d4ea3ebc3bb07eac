"""Sweeps of the papers' figures, and simulated people of a study: against single runs and the tables they come from."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("benchmarks.report")  # not in the source archive

from benchmarks.papers.biswas2014_subclustering import __main__ as subclustering, sweeps
from benchmarks.papers.biswas2014_subclustering.sets import Set
from benchmarks.papers.pei2014_bags import __main__ as bags, alpha
from benchmarks.papers.pei2016_unified import people
from likewise.cluster import Subclustering
from likewise.crowd import true_answer
from likewise.distances import pairwise
from likewise.metrics import purity, subclustering_jaccard


@pytest.mark.parametrize("seed", range(2))
def test_the_sweep_of_sizes_is_the_experiment_at_each_size(seed):
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(3), 30)
    X = rng.normal(size=(90, 2)) + 3.0 * np.eye(3)[truth][:, :2]
    data, D = Set("made", X, truth, "euclidean", 10), pairwise(X)
    rows = {(row["what"], row["value"], row["method"]): row["sjc"] for row in sweeps.sweep(data, D, seed)}
    for size in sweeps.SIZES:
        for method, find in subclustering.methods(data._replace(size=size), D, seed).items():
            assert rows["size", size, method] == subclustering_jaccard(truth, find())
    for times in sweeps.RESTRICTED[:3]:  # of 90 items
        alone = Subclustering(3, size=10, metric="precomputed", restricted=3 * times, random_state=seed).fit(D)
        assert rows["restricted", times, "Subclustering"] == subclustering_jaccard(truth, alone.subclusters_)


def test_the_sweep_of_alpha_has_the_methods_of_the_other_experiment_in_it(monkeypatch):
    words = ["abca", "bcd", "ad", "cab", "dd", "bad", "cad", "dab"] * 3
    rng = np.random.default_rng(0)
    letters = pd.DataFrame({"label": np.repeat(list("ABCD"), 60)})
    vectors = rng.normal(size=(240, 16)) + np.repeat(rng.normal(size=(4, 16)), 60, axis=0)
    letters = pd.concat([letters, pd.DataFrame(vectors).add_prefix("x")], axis=1)
    monkeypatch.setattr(alpha, "read_poem", lambda poem: (words, letters))
    rows = {row["alpha"]: row for row in alpha.run("made", "10 nearest", 2)}
    for seed in range(2):
        drawn_poem = bags.draw_poem(words, letters, "10 nearest", np.random.default_rng(seed))
        for method, weight in (("SP", 0.0), ("CSP", bags.ALPHA)):
            found = bags.cluster(method, drawn_poem.W, drawn_poem.bags, drawn_poem.labels, 4, 4, seed)
            assert rows[weight]["purity_by_seed"][seed] == round(purity(drawn_poem.truth, found), 4)


def test_simulated_people_err_and_take_time_as_the_tables_say():
    truth = np.random.default_rng(0).integers(7, size=300)
    names = [str(k) for k in range(300)]
    everybody = [people.answers_of(k, truth, names) for k in range(60)]
    assert {(len(own), sum(a.kind == "pair" for a in own)) for own in everybody} == {(325, 195)}
    assert everybody[3] == people.answers_of(3, truth, names)
    for form, (values, counts) in people.CONFUSION.items():
        said = np.zeros((len(values), len(values)))
        for answer in (answer for own in everybody for answer in own if answer.kind == form):
            right = true_answer(form, [int(truth[int(name)]) for name in answer.items])
            said[values.index(right), values.index(answer.answer)] += 1
        shares = np.array(counts) / np.sum(counts, axis=1, keepdims=True)
        deviation = np.sqrt(shares * (1 - shares) / said.sum(axis=1, keepdims=True))
        assert (np.abs(said / said.sum(axis=1, keepdims=True) - shares) <= 4.5 * deviation + 1e-9).all()
    factors = [answer.seconds / people.SECONDS[answer.answer] for own in everybody for answer in own[:1]]
    for own, factor in zip(everybody, factors, strict=True):
        assert all(answer.seconds == pytest.approx(factor * people.SECONDS[answer.answer]) for answer in own)
    assert np.std(np.log(factors)) == pytest.approx(people.SPREAD, abs=0.12)
