"""The engine in its process: it follows its orders, and a killed engine comes back with everything."""

import os
import queue
import signal
import threading

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from likewise import Answer
from likewise.app.engine_process import EngineProcess, Orders
from likewise.app.engine_worker import Worker
from likewise.app.evidence import Evidence
from likewise.app.location import Location
from likewise.app.reduction import reduce_vectors


@pytest.fixture
def location(tmp_path):
    return Location(str(tmp_path), str(tmp_path), "leaves", "test")


@pytest.fixture
def project(location):
    with location.open_store() as store:
        project = location.project_of(store)
        project.add_images([f"{k}.jpg" for k in range(60)])
        yield project


def put_vectors(project, start, stop):
    rng = np.random.default_rng(start)
    with project.vectors("test", 3, write=True) as vectors:
        at = np.arange(start, stop)
        vectors.put(at, rng.normal(size=(len(at), 3)) * 0.05 + np.eye(3)[at % 2])


def say(project, i, j, value, who="ann"):
    return project.append("answer", {"kind": "pair", "items": [i, j], "value": value}, annotator=who)


def wait_for(reports, wanted):
    while True:
        report = reports.get(timeout=240)
        if wanted(report):
            return report


@pytest.fixture
def engine(location, project):
    reports = queue.Queue()
    options = {"strategy": "random", "seed": 3}
    process = EngineProcess(location, reports.put, lambda: Orders.of_log(project.log(), options), threading.RLock())
    process.start()
    yield process, reports
    process.stop()


def test_a_killed_engine_comes_back_with_everything(engine, project):
    process, reports = engine
    put_vectors(project, 0, 20)
    say(project, 0, 1, "different")
    process.order(Orders.of_log(project.log()))
    first = wait_for(reports, lambda r: r.batch and r.batch.version == 1 and r.batch.after)
    os.kill(process.pid, signal.SIGKILL)
    assert wait_for(reports, lambda r: r.problem).problem
    again = wait_for(reports, lambda r: r.batch and r.batch.after)
    assert again.batch == first.batch
    clustering = wait_for(reports, lambda r: r.clustering).clustering
    assert clustering.labels[0] != clustering.labels[1]


@pytest.fixture
def worker(project):
    worker = Worker(project, "test")
    worker.follow(Orders.of_log(project.log(), {"strategy": "random", "seed": 1}, indexing=True))
    return worker


def follow(worker, project, *, indexing=False, **options):
    worker.follow(Orders.of_log(project.log(), options or None, indexing=indexing))


def test_questions_start_with_the_first_pictures_and_all_are_read_in_the_end(worker, project):
    assert len(worker.engine.images) == 0
    for stop, expected in ((20, 0), (30, 30), (40, 30), (46, 46)):
        put_vectors(project, max(0, stop - 20), stop)
        follow(worker, project, indexing=True)
        assert len(worker.engine.images) == expected
    put_vectors(project, 46, 50)
    follow(worker, project)
    assert len(worker.engine.images) == 50


def test_answers_undo_and_bad_pictures_are_followed(worker, project):
    put_vectors(project, 0, 40)
    say(project, 0, 2, "different")
    follow(worker, project)
    labels = worker.engine.cluster().labels
    assert labels[0] != labels[2]
    project.undo("ann")
    say(project, 0, 2, "same")
    project.append("bad", {"items": [7]}, annotator="ann")
    follow(worker, project)
    assert 7 not in worker.engine.images
    clustering = worker.engine.cluster()
    assert clustering.labels[0] == clustering.labels[2]
    assert clustering.version == 4


def test_other_options_keep_pictures_and_answers(worker, project):
    put_vectors(project, 0, 40)
    say(project, 0, 2, "different")
    follow(worker, project)
    follow(worker, project, strategy="random", n_clusters=4)
    clustering = worker.engine.cluster()
    assert clustering.labels[0] != clustering.labels[2]
    assert len(np.unique(clustering.labels)) == 4


def test_a_confirmed_group_is_one_word(project):
    project.append("confirm", {"items": [0, 5, 9]}, annotator="ann")
    project.append("confirm", {"items": [1, 2]}, annotator="ann")
    project.append("answer", {"kind": "pair", "items": [0, 1], "value": "different"}, annotator="bob")
    evidence = Evidence.of(project.log().votes())
    assert [(seq, each.items) for seq, each in evidence.answers[:2]] == [(1, (0, 5, 9)), (2, (1, 2))]
    assert evidence.answers[2:] == [(3, Answer("pair", (0, 1), "different", "bob"))]


def test_answers_one_by_one_and_all_at_once_are_the_same(worker, project):
    put_vectors(project, 0, 40)
    follow(worker, project)
    events = [say(project, 0, 2, "different"), say(project, 4, 6, "same"), say(project, 1, 2, "same", "bob")]
    events.append(project.append("name", {"items": [1, 2], "name": "oak"}))
    for event in events:
        added = [(event.seq, answer) for answer in event.answers()]
        worker.follow(Orders(added=added, waiting=set(), version=event.seq))
    one_by_one = worker.engine.cluster()
    follow(worker, project)
    at_once = worker.engine.cluster()
    assert one_by_one.version == at_once.version == 4
    assert one_by_one.labels.tolist() == at_once.labels.tolist()


def test_newer_orders_replace_older_ones_or_add_to_them():
    first, second = (1, Answer("pair", (0, 1), "same")), (2, Answer("pair", (1, 2), "same"))
    orders = Orders(options={"seed": 1}, indexing=True, added=[first], waiting={(5, 6)}, version=1)
    orders.update(Orders())
    orders.update(Orders(indexing=False, added=[second], waiting={(7, 8)}, version=2, left_out=[3]))
    assert orders == Orders(
        {"seed": 1}, added=[first, second], waiting={(7, 8)}, version=2, left_out=[3], indexing=False
    )
    evidence = Evidence(answers=[second])
    orders.update(Orders(evidence=evidence, version=3))
    assert (orders.evidence, orders.added, orders.version) == (evidence, [], 3)


@pytest.mark.parametrize(("n", "kept"), [(30, 30), (300, 64)])
def test_reduced_vectors_keep_what_matters(n, kept):
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(n, 100)) / np.arange(1, 101)
    reduced = reduce_vectors(rows, 64)
    assert reduced.shape == (n, kept)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    _, _, axes = np.linalg.svd(unit - unit.mean(axis=0))
    expected = (unit - unit.mean(axis=0)) @ axes[:64].T
    np.testing.assert_allclose(pdist(reduced), pdist(expected), rtol=1e-6)
    assert reduced[np.abs(reduced).argmax(axis=0)[0], 0] > 0


def test_rows_that_are_all_the_same_are_reduced_too():
    assert not np.isnan(reduce_vectors(np.zeros((3, 100)), 64)).any()
