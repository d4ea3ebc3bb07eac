"""The engine while pictures come, go, or are more than memory holds: nobody waits, and no answer is lost."""

import numpy as np
import pytest

from likewise.app import engine_worker
from likewise.app.engine_process import Orders, Report
from likewise.app.engine_worker import Worker
from likewise.app.location import Location
from likewise.app.reduction import MOST_FITTED, Reduction, reduction_of_many

N = 700


@pytest.fixture
def project(tmp_path):
    location = Location(str(tmp_path), str(tmp_path), "leaves", "test")
    with location.open_store() as store:
        project = location.project_of(store)
        project.add_images([f"{k}.jpg" for k in range(N)])
        yield project


@pytest.fixture
def worker(project, monkeypatch):
    monkeypatch.setattr(engine_worker, "AT_ONCE", 290)
    worker = Worker(project, "test")
    worker.follow(Orders.of_log(project.log(), {"seed": 1}, indexing=True))
    return worker


def put_vectors(project, at):
    at = np.asarray(at)
    rows = np.random.default_rng(5).normal(size=(N, 4)) * 0.05 + np.eye(4)[np.arange(N) % 3]
    with project.vectors("test", 4, write=True) as vectors:
        vectors.put(at, rows[at])


def say(project, i, j, value):
    return project.append("answer", {"kind": "pair", "items": [i, j], "value": value}, annotator="ann")


def follow(worker, project, *, indexing=True):
    worker.follow(Orders.of_log(project.log(), indexing=indexing))


def finish_build(worker):
    assert worker.is_building
    worker._build.join()
    assert worker.take_built()


def test_a_few_more_pictures_do_not_stop_the_engine(worker, project, monkeypatch):
    put_vectors(project, range(300))
    follow(worker, project)
    looked = []
    monkeypatch.setattr(engine_worker, "read_links", lambda home: looked.append(home) or engine_worker.NO_LINKS)
    put_vectors(project, range(300, 310))
    assert not worker.follow(Orders(indexing=True))
    answered = say(project, 0, 3, "same")
    votes = Orders.of_log(project.log()).evidence
    assert worker.follow(Orders(evidence=votes, version=answered.seq, indexing=True))
    assert looked == []  # to look which pictures have vectors takes long where they are many
    assert len(worker.engine.images) == 300
    put_vectors(project, range(310, 320))
    assert worker.follow(Orders(indexing=True))
    assert len(looked) == 1
    assert len(worker.engine.images) == 320
    put_vectors(project, range(320, 321))
    assert worker.follow(Orders(indexing=False))  # the end is never missed
    assert len(worker.engine.images) == 321


def test_pictures_join_the_engine_and_at_doublings_another_is_built_beside_it(worker, project):
    put_vectors(project, range(300))
    follow(worker, project)
    first = worker.engine
    assert len(first.images) == 300
    say(project, 0, 310, "different")  # of a picture that is not there yet
    say(project, 0, 3, "same")
    put_vectors(project, range(300, 312))
    follow(worker, project)
    assert len(worker.engine.images) == 300  # too few to be worth it
    put_vectors(project, range(312, 500))
    follow(worker, project)
    assert worker.engine is first
    assert len(first.images) == 500
    labels = worker.engine.cluster().labels
    assert labels[0] != labels[310]
    put_vectors(project, range(500, 690))
    follow(worker, project)
    assert len(worker.engine.images) == 500  # the other one is being built, and this one goes on asking
    assert worker.engine.prepare().questions
    say(project, 1, 2, "different")  # meanwhile
    put_vectors(project, range(690, N))
    follow(worker, project, indexing=False)
    finish_build(worker)
    assert worker.engine is not first
    clustering = worker.engine.cluster()
    assert clustering.images.tolist() == list(range(N))
    assert clustering.version == 3
    assert clustering.labels[0] != clustering.labels[310]
    assert clustering.labels[1] != clustering.labels[2]
    assert clustering.labels[0] == clustering.labels[3]


def test_pictures_with_lower_numbers_that_come_later_are_in_their_place(worker, project):
    put_vectors(project, range(100, 420))
    follow(worker, project)
    put_vectors(project, range(100))
    follow(worker, project)
    assert worker.engine.images.tolist() == [*range(100, 420), *range(100)]
    clustering = worker.engine.cluster()
    assert clustering.images.tolist() == list(range(420))
    kinds = [set(clustering.labels[k::3].tolist()) for k in range(3)]
    assert sum(map(len, kinds)) == len(set.union(*kinds))  # classes are 0, 1, 2, 0, 1, 2, …


def test_a_picture_that_was_left_out_is_not_asked_about_while_the_engine_without_it_is_built(worker, project):
    put_vectors(project, range(400))
    follow(worker, project, indexing=False)
    before = worker.engine
    asked = {item for question in before.prepare(12).questions for item in question.items}
    project.append("bad", {"items": sorted(asked)}, annotator="ann")
    follow(worker, project, indexing=False)
    assert worker.engine is before
    batch = before.look_ahead(before.prepare(12))
    shown = [*batch.questions, *batch.checks, *(question for question in batch.after.values() if question)]
    assert len(batch.questions) > 0
    assert asked.isdisjoint(item for question in shown for item in question.items)
    finish_build(worker)
    assert asked.isdisjoint(worker.engine.images.tolist())
    assert not worker.is_building


def test_what_memory_does_not_hold_is_said_with_its_size_and_the_rest_goes_on(worker, project, monkeypatch):
    monkeypatch.setattr(engine_worker, "LEAST", 0)
    monkeypatch.setattr(engine_worker, "free_bytes", lambda: 350 * engine_worker.BYTES_EACH)
    put_vectors(project, range(600))
    follow(worker, project, indexing=False)
    assert worker.engine.images.tolist() == list(range(350))
    sent = []
    worker.work(type("Pipe", (), {"send": lambda _, report: sent.append(report), "poll": lambda _: True})())
    assert sent[0].too_large.startswith("350 of 600 pictures are asked about: all would take 0.0096 GB of memory")
    assert sent[0].batch.questions
    monkeypatch.setattr(engine_worker, "free_bytes", lambda: 10**12)  # there is room again
    follow(worker, project, indexing=False)
    assert len(worker.engine.images) == 600
    worker.work(type("Pipe", (), {"send": lambda _, report: sent.append(report), "poll": lambda _: True})())
    assert sent[-1].too_large == ""
    assert Report().too_large is None


def test_a_build_that_fails_is_told_and_the_engine_stays(worker, project, monkeypatch):
    put_vectors(project, range(300))
    follow(worker, project)
    before = worker.engine

    def fail(*_):
        raise MemoryError("no room")

    monkeypatch.setattr(engine_worker, "reduction_of_many", fail)
    put_vectors(project, range(300, N))
    follow(worker, project)
    worker._build.join()
    with pytest.raises(MemoryError, match="no room"):
        worker.take_built()
    assert worker.engine is before
    assert not worker.is_building
    assert worker.engine.prepare().questions


def test_other_options_while_another_engine_is_built_count(worker, project):
    put_vectors(project, range(300))
    follow(worker, project)
    put_vectors(project, range(300, N))
    follow(worker, project)
    assert worker.is_building
    worker.follow(Orders.of_log(project.log(), {"strategy": "random", "seed": 2}, indexing=True))
    finish_build(worker)
    assert worker.engine.strategy == "random"
    assert len(worker.engine.images) == N


@pytest.mark.parametrize("n", [0, 1, 2, 40, MOST_FITTED + 5])
def test_reduced_in_parts_is_reduced_at_once(n):
    rows = np.random.default_rng(n).normal(size=(n, 20)) / np.arange(1, 21)
    fitted = reduction_of_many(lambda at: rows[at], n, 6)
    assert fitted.apply_to_many(lambda at: rows[at], n) == pytest.approx(fitted.apply(rows), abs=1e-5)
    if 0 < n <= MOST_FITTED:
        assert fitted.apply(rows) == pytest.approx(Reduction.of(rows, 6).apply(rows))
