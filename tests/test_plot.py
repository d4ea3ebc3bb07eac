"""Pictures say what the data says."""

import sys

import numpy as np
import pytest
from sklearn.datasets import load_iris

from likewise import Session, plot, simulate
from likewise.plot import match_groups

X, truth = load_iris(return_X_y=True)


def some_session():
    session = Session(X[::10], random_state=0)
    session.answer((0, 1), "same")
    session.answer((0, 14), "different")
    return session


def test_one_curve_shows_three_measures_and_several_show_one_each():
    curve = simulate(some_session(), truth[::10], 4)
    axes = plot.learning_curves(curve)
    assert [line.get_label() for line in axes.lines] == ["ARI", "Jaccard", "V-measure"]
    assert axes.lines[0].get_ydata().tolist() == curve.ari.tolist()
    axes = plot.learning_curves({"a": curve, "b": curve}, measure="nmi", against="person_seconds")
    assert [line.get_label() for line in axes.lines] == ["a", "b"]
    assert axes.lines[1].get_xdata().tolist() == curve.person_seconds.tolist()
    assert axes.lines[1].get_ydata().tolist() == curve.nmi.tolist()


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_a_tree_has_its_merges_and_the_answers(metric):
    session = some_session()
    if metric == "precomputed":
        session = Session(session.state.distances, metric=metric, random_state=0).replay(session.history)
    axes = plot.dendrogram(session)
    assert len(axes.lines) == 14 + 2
    same, different = axes.lines[14:]
    assert (same.get_color(), same.get_linestyle()) == (plot.SAME, "-")
    assert (different.get_color(), different.get_linestyle()) == (plot.DIFFERENT, "--")
    order = [int(label.get_text()) for label in axes.get_xticklabels()]
    ends = {round(float(x)) for x in same.get_xdata()[[0, -1]]}
    assert ends == {10 * order.index(0) + 5, 10 * order.index(1) + 5}
    assert max(different.get_ydata()) <= 1e-9


def test_a_tree_of_one_item_and_one_of_too_many():
    assert len(plot.dendrogram(Session([[1.0]], random_state=0)).lines) == 0
    with pytest.raises(ValueError, match="2,001 items cannot be read"):
        plot.dendrogram(Session(np.zeros((2001, 1)), random_state=0))


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_those_of_every_pair_of_group_and_cluster(seed):
    rng = np.random.default_rng(seed)
    groups, labels = rng.integers(rng.integers(1, 6), size=40), rng.integers(rng.integers(1, 6), size=40)
    rows, columns, counts = match_groups(groups, labels)
    for r, group in enumerate(rows):
        for c, cluster in enumerate(columns):
            assert counts[r, c] == ((groups == group) & (labels == cluster)).sum()
    axes = plot.confusion(groups, labels)
    assert sorted(int(text.get_text()) for text in axes.texts) == sorted(counts[counts > 0].tolist())


def test_clusters_stand_under_the_group_they_match():
    assert match_groups(["a", "a", "b", "b", "c"], [7, 7, 3, 3, 5])[1].tolist() == [7, 3, 5]
    with pytest.raises(ValueError, match="of one length"):
        match_groups([0, 1], [0])


def test_without_matplotlib_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'likewise\[plot\]'"):
        plot.confusion([0], [0])
