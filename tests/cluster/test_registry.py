"""Clusterers by name, those of plug-ins among them, wherever a name is taken."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from typer.testing import CliRunner

from likewise import Session
from likewise.app.engine import Engine
from likewise.cli import app
from likewise.cluster import clusterers, make_clusterer


class Halves(ClusterMixin, BaseEstimator):
    """Half of the items and the other half, whatever was said."""

    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit_predict(self, X, y=None, *, must_link=None, cannot_link=None):
        return np.repeat([0, 1], [len(X) // 2, len(X) - len(X) // 2])


class Entry:
    name = "halves"

    def load(self):
        return Halves


@pytest.fixture
def plugin(monkeypatch):
    found = {"halves": Entry()}
    monkeypatch.setattr("likewise.cluster.registry.load_plugins", lambda group: found if group == "clusterers" else {})
    return found


X = np.array([[0.0], [9.0], [0.1], [9.1]])


@pytest.mark.parametrize("name", clusterers())
def test_every_name_is_a_clusterer_that_takes_pairs(name):
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(24, 3)) + np.repeat([0.0, 30.0], 12)[:, None]
    estimator = make_clusterer(name)
    if "n_clusters" in estimator.get_params():
        estimator.set_params(n_clusters=2)
    labels = estimator.fit_predict(vectors, must_link=[(0, 1)], cannot_link=[(0, 23)])
    assert labels.shape == (24,)
    assert labels[0] == labels[1] != labels[23]


@pytest.mark.parametrize("name", ["bag-spectral", "bayesian", "discriminative"])
def test_a_session_reads_its_clusters_with_a_clusterer_by_name(name):
    rng = np.random.default_rng(1)
    truth = np.repeat([0, 1, 2], 12)
    vectors = rng.normal(size=(36, 3)) + 2.0 * np.eye(3)[truth]
    session = Session(vectors, strategy="random", n_clusters=3, random_state=5, clusterer=name)
    before = session.labels_
    for i, j in (rng.choice(36, 2, replace=False) for _ in range(20)):
        session.answer((int(i), int(j)), "same" if truth[i] == truth[j] else "different")
    alone = make_clusterer(name).set_params(n_clusters=3, random_state=5)
    expected = alone.fit_predict(vectors, must_link=session.must_link, cannot_link=session.cannot_link)
    assert session.labels_.tolist() == expected.tolist()
    assert len(before) == 36


def test_a_plug_in_clusters_in_a_session_and_in_the_engine(plugin):
    assert "halves" in clusterers()
    session = Session(X, clusterer="halves", random_state=0)
    assert session.ask() is not None
    assert session.labels_.tolist() == [0, 0, 1, 1]
    engine = Engine(clusterer="halves")
    engine.set_pictures(np.arange(4), X)
    assert engine.cluster().labels.tolist() == [0, 0, 1, 1]


def test_a_plug_in_clusters_on_the_command_line(plugin, tmp_path):
    np.save(tmp_path / "x.npy", X)
    result = CliRunner().invoke(app, ["cluster", str(tmp_path / "x.npy"), "-k", "2", "--method", "halves", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["labels"] == [0, 0, 1, 1]
    listed = CliRunner().invoke(app, ["clusterers", "--json"])
    assert "halves" in json.loads(listed.stdout)


def test_an_unknown_name_and_a_plug_in_that_does_not_cluster_are_refused(plugin):
    with pytest.raises(ValueError, match="there is no clusterer 'nosuch': choose from"):
        Session(X, clusterer="nosuch")
    plugin["halves"].load = lambda: object
    with pytest.raises(ValueError, match="the plug-in 'halves' gives no clusterer"):
        make_clusterer("halves")
