"""The distance learned from a project's answers: in the wall's order, in the search, kept, and a start for others."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from likewise.app.engine_process import Orders
from likewise.app.engine_worker import Worker
from likewise.app.facts import Filter
from likewise.app.learned import LEARNED, find_head, learned_distance, start_of, take_start
from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.app.searching import PictureSearch
from likewise.cli import app
from likewise.distances.rca import shrunk_components
from likewise.images.head import Head, read_head, write_head

N = 60
KIND = np.arange(N) % 3


def vectors():
    """Three kinds in two directions; in two others they vary far more, which says nothing."""
    rng = np.random.default_rng(0)
    return np.hstack([np.eye(3)[KIND] + 0.1 * rng.normal(size=(N, 3)), 2.0 * rng.normal(size=(N, 2))])


class Pipe:
    def send(self, report):
        pass

    def poll(self):
        return False


def make(folder, model="test"):
    location = Location(str(folder), str(folder), "leaves", model)
    with location.open_store() as store:
        project = location.project_of(store)
        project.add_images([f"{k}.jpg" for k in range(N)])
        with project.vectors(model, 5, write=True) as kept:
            kept.put(np.arange(N), vectors())
    return location


def answer(project, n):
    rng = np.random.default_rng(1)
    for _ in range(n):
        i, j = rng.choice(N, 2, replace=False).tolist()
        value = "same" if KIND[i] == KIND[j] else "different"
        project.append("answer", {"kind": "pair", "items": [i, j], "value": value}, annotator="ann")


def work(location, *, indexing=False):
    """What the engine does once: take the pictures and the answers, ask, cluster, keep."""
    with location.open_store() as store:
        project = location.project_of(store)
        worker = Worker(project, location.model)
        worker.follow(Orders.of_log(project.log(), {"seed": 0, "stacks": False}, indexing=indexing))
        worker.work(Pipe())
        return worker


@pytest.fixture
def location(tmp_path):
    return make(tmp_path / "project")


@pytest.fixture
def learned(location):
    with location.open_store() as store:
        answer(location.project_of(store), 60)
    return work(location)


def test_nothing_is_learned_from_few_answers_nor_kept_while_pictures_are_read(location):
    with location.open_store() as store:
        answer(location.project_of(store), 49)
    assert work(location).engine.learned() is None
    with location.open_store() as store:
        answer(location.project_of(store), 1)
    assert work(location, indexing=True).engine.learned() is not None
    assert learned_distance(location) is None


def test_what_is_kept_is_the_reduction_and_the_relevant_components(location, learned):
    n_answers, components = learned.engine.learned()
    session = learned.engine._session
    assert n_answers == 50
    expected = shrunk_components(session.vectors, session.state.after(50).constraints.must_link)
    np.testing.assert_allclose(components, expected)
    kept = learned_distance(location)
    np.testing.assert_allclose(kept.apply(vectors()), learned._reduction.apply(vectors()) @ components, atol=1e-4)
    assert read_head(find_head(Path(location.folder))).answers == 50


def right_neighbours(X):
    D = np.linalg.norm(X[:, None] - X, axis=2)
    np.fill_diagonal(D, np.inf)
    return float(np.mean(KIND[D.argmin(axis=1)] == KIND))


def test_the_nearest_are_of_one_kind_more_often_and_the_search_finds_them(location, learned):
    kept, raw = learned_distance(location), vectors()
    directions = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    assert right_neighbours(kept.apply(raw)) > right_neighbours(directions) + 0.05
    live = LiveProject(location)
    try:
        search = PictureSearch(live)
        found = search._nearest(raw[4], Filter())
        expected = np.argsort(np.linalg.norm(kept.apply(raw) - kept.apply(raw[4:5]), axis=1), kind="stable")
        assert found == expected.tolist()
        cosines = directions @ directions[4]
        assert search._nearest(raw[4], Filter(), learned=False) == np.argsort(-cosines, kind="stable").tolist()
    finally:
        live.stop()


def test_the_order_of_doubt_is_under_the_learned_distance(location, learned):
    engine = learned.engine
    X = np.asarray(engine._session.vectors) @ engine.learned()[1]
    found = engine.cluster()
    assert found.images.tolist() == list(range(N))
    centres = np.array([X[found.labels == label].mean(axis=0) for label in range(found.labels.max() + 1)])
    D = np.linalg.norm(X[:, None] - centres, axis=2)
    own = D[np.arange(N), found.labels]
    D[np.arange(N), found.labels] = np.inf
    np.testing.assert_allclose(found.doubt, own / (own + D.min(axis=1)), atol=1e-5)


def test_answers_that_are_taken_back_take_it_away(location, learned):
    with location.open_store() as store:
        project = location.project_of(store)
        events = [event.seq for event in project.log().standing() if event.kind == "answer"]
        project.append("withdraw", {"events": events[:20]}, annotator="ann")
    work(location)
    assert learned_distance(location) is None


def test_another_project_starts_from_it_and_a_damaged_or_foreign_one_is_not_taken(tmp_path, location, learned):
    other = make(tmp_path / "other")
    take_start(other, Path(location.folder))
    start = start_of(Path(other.folder), "test")
    np.testing.assert_allclose(work(other).engine.vectors, start.apply(vectors()), atol=1e-5)
    foreign = make(tmp_path / "foreign", "else")
    with pytest.raises(ValueError, match="was learned for the vectors 'test', and these are 'else'"):
        take_start(foreign, Path(location.folder))
    with pytest.raises(ValueError, match="has no learned distance"):
        take_start(foreign, tmp_path)
    (Path(other.folder) / "likewise-start.onnx").write_bytes(b"half")
    assert start_of(Path(other.folder), "test") is None


def test_the_commands_write_it_and_vectors_under_it(tmp_path):
    from likewise.images.vectors import recipe

    photos, home = tmp_path / "photos", tmp_path / "photos" / ".likewise"
    photos.mkdir()
    for k, colour in enumerate(("red", "green", "blue", "white")):
        Image.new("RGB", (16, 16), colour).save(photos / f"{k}.png")
    run = CliRunner().invoke
    refused = run(app, ["head", str(photos), "--out", str(tmp_path / "head.onnx")])
    assert "has no learned distance" in str(refused.exception)
    how = recipe("pixels")
    home.mkdir()
    rng = np.random.default_rng(0)
    axes = rng.normal(size=(how.dimension, 3))
    write_head(home / LEARNED, Head(np.zeros(how.dimension), axes, how.key, 50))
    done = run(app, ["head", str(photos), "--out", str(tmp_path / "head.onnx"), "--json"])
    assert json.loads(done.stdout)["answers"] == 50
    given = ["--model", "pixels", "--learned", str(tmp_path / "head.onnx")]
    out = tmp_path / "rows.npy"
    assert run(app, ["describe", str(photos), "--out", str(out), *given]).exit_code == 0
    rows = how.compute(sorted(photos.glob("*.png"))).astype(float)
    np.testing.assert_allclose(np.load(out), rows / np.linalg.norm(rows, axis=1, keepdims=True) @ axes, atol=1e-4)
    assert "was learned for" in run(app, ["describe", str(photos), "--out", str(out), *given[2:]]).output
