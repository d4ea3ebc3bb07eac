"""A session that was saved goes on as if it had never ended."""

import copy
import json
import pickle
import zipfile

import numpy as np
import pytest

from likewise import Session
from likewise.cluster import PCKMeans
from likewise.query import RandomPairs, strategies


@pytest.fixture
def blobs():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 5)
    return rng.normal(size=(15, 2)) * 0.1 + truth[:, None] * 5.0, truth


def go_on(session, truth, n):
    asked = []
    for k in range(n):
        question = session.ask(annotator="ann")
        if question is None:
            break
        i, j = question.items
        value = "unsure" if k % 4 == 3 else "same" if truth[i] == truth[j] else "different"
        session.answer(question, value, annotator="ann", seconds=0.5 * k)
        asked.append((question.items, value))
    return asked, session.labels_.tolist(), session.history, session.n_clusters_


def reload(session, tmp_path, **options):
    session.save(tmp_path / "session")
    return Session.load(tmp_path / "session", **options)


def by_pickle(session, tmp_path):
    return pickle.loads(pickle.dumps(session))


def by_copy(session, tmp_path):
    return copy.deepcopy(session)


@pytest.mark.parametrize("again", [reload, by_pickle, by_copy])
@pytest.mark.parametrize("name", [name for name in strategies() if name not in ("auto", "ffqs")])
def test_a_copy_of_a_session_asks_and_clusters_as_the_session(blobs, tmp_path, name, again):
    X, truth = blobs
    first = Session(X, strategy=name, n_clusters=3, random_state=5)
    go_on(first, truth, 5)
    first.undo()
    second = again(first, tmp_path)
    before = second.history
    assert go_on(first, truth, 5) == go_on(second, truth, 5)
    second.undo()
    assert len(first.history) == len(before) + 5  # a copy is on its own


def test_all_that_was_said_is_kept(blobs, tmp_path):
    X, _ = blobs
    first = Session(X, random_state=1, forms=("triplet",), given=[(0, 1)], recheck=True)
    first.answer((0, 5, 10), "none", annotator="bo", seconds=2.5)
    first.answer((0, 5, 6), "bc")
    first.belongs([2, 3], "roses", annotator="ann")
    first.does_not_belong(7, 4)
    first.answer(first.check(), "same")
    first.answer((0, 1), "different")  # contradicts what was given
    second = reload(first, tmp_path)
    assert second.history == first.history
    assert second.conflicts == first.conflicts
    assert (second.given, second.groups, second.forms) == (first.given, first.groups, first.forms)
    assert second.triplets == first.triplets
    assert second.state.taken.outvote
    assert second.quality() == first.quality()
    assert second.labels_.tolist() == first.labels_.tolist()
    assert (second.seed, second.strategy.get_params()) == (first.seed, first.strategy.get_params())


def test_distances_options_and_clusterers_are_kept(blobs, tmp_path):
    X, truth = blobs
    D = np.abs(X[:, :1] - X[:, 0])
    P = np.full((15, 15), 0.5)
    first = Session(D, metric="precomputed", strategy="active-hacc", probability=P, n_clusters=3, random_state=2)
    second = reload(first, tmp_path)
    assert second.vectors is None
    np.testing.assert_array_equal(second.strategy.probability, P)
    assert go_on(first, truth, 4) == go_on(second, truth, 4)
    kept = reload(Session(X, clusterer=PCKMeans(weight=3.0), n_clusters=3, random_state=2), tmp_path)
    assert isinstance(kept.strategy.clusterer, PCKMeans)
    assert kept.strategy.clusterer.weight == 3.0


class OwnAsker(RandomPairs):
    pass


def test_a_strategy_of_ones_own_is_given_again(blobs, tmp_path):
    X, truth = blobs
    first = Session(X, strategy=OwnAsker(), random_state=3)
    go_on(first, truth, 3)
    with pytest.raises(ValueError, match="a strategy of your own: give it to load"):
        reload(first, tmp_path)
    second = reload(first, tmp_path, strategy=OwnAsker())
    assert go_on(first, truth, 3) == go_on(second, truth, 3)


def test_what_a_file_cannot_hold_is_refused(blobs, tmp_path):
    X, _ = blobs
    with pytest.raises(ValueError, match="a metric of your own cannot be saved"):
        Session(X, metric=lambda a, b: abs(a - b).sum()).save(tmp_path / "s")
    random = np.random.RandomState(0)
    with pytest.raises(ValueError, match=r"strategy\.clusterer\.random_state is of type RandomState"):
        Session(X, clusterer=PCKMeans(random_state=random)).save(tmp_path / "s")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_save_leaves_the_old_file_as_it_was(blobs, tmp_path):
    X, _ = blobs
    good = Session(X, random_state=0)
    good.save(tmp_path / "s")
    before = (tmp_path / "s").read_bytes()
    with pytest.raises(ValueError, match="own"):
        Session(X, metric=lambda a, b: 1.0).save(tmp_path / "s")
    assert (tmp_path / "s").read_bytes() == before


def test_a_file_holds_nothing_that_runs(blobs, tmp_path):
    X, _ = blobs
    Session(X, random_state=0).save(tmp_path / "s")
    with zipfile.ZipFile(tmp_path / "s") as archive:
        assert sorted(archive.namelist()) == ["X.npy", "session.json"]
        json.loads(archive.read("session.json"))
        np.load(archive.open("X.npy"), allow_pickle=False)


@pytest.mark.parametrize("strategy", [{"strategy": "State", "params": {}}, {"strategy": "nosuch", "params": {}}])
def test_only_strategies_are_made_from_a_file(blobs, tmp_path, strategy):
    X, _ = blobs
    Session(X, random_state=0).save(tmp_path / "s")
    with zipfile.ZipFile(tmp_path / "s") as archive:
        record, array = json.loads(archive.read("session.json")), archive.read("X.npy")
    with zipfile.ZipFile(tmp_path / "t", "w") as archive:
        archive.writestr("session.json", json.dumps(record | {"strategy": strategy}))
        archive.writestr("X.npy", array)
    with pytest.raises(ValueError, match=r"there is no '\w+' in likewise.query"):
        Session.load(tmp_path / "t")


def test_another_file_is_no_session(tmp_path):
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ValueError, match="is no saved session"):
        Session.load(tmp_path / "text")
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("session.json", '{"format": "likewise session", "version": 2}')
    with pytest.raises(ValueError, match="is no saved session of version 1"):
        Session.load(tmp_path / "zip")
