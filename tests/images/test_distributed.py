"""Vectors computed by Dask workers: those of one machine, also when a worker dies or does not see a picture."""

import os
import signal

import numpy as np
import pytest
from PIL import Image

from likewise.images import distributed as module, index
from likewise.images.distributed import recipe_on_dask
from likewise.images.vectors import recipe, vectors
from likewise.machines import ClusterError

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def cluster():
    options = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    with distributed.LocalCluster(n_workers=2, processes=True, **options) as made:
        yield made


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    (tmp_path / "photos").mkdir()
    for i in range(21):
        Image.fromarray(rng.integers(0, 256, (20, 30, 3), np.uint8)).save(tmp_path / "photos" / f"{i:02}.png")
    return tmp_path / "photos"


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(module, "PART", 4)


@pytest.mark.parametrize("made", [{"model": "pixels"}, {"descriptors": "hsv"}, {"descriptors": ("hsv", "fourier")}])
def test_two_workers_give_what_one_machine_gives(cluster, folder, small_parts, made):
    found = index(folder, workers=0)
    expected = recipe(**made).compute(found.paths)
    told = []
    how = recipe_on_dask(cluster.scheduler_address, **made)
    rows = vectors(found, how, progress=lambda done, total: told.append((done, total)))
    np.testing.assert_array_equal(rows, expected)
    assert how.key == recipe(**made).key
    assert told[-1] == (21, 21)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_the_network_gives_the_same_in_other_parts(cluster, folder, monkeypatch):
    monkeypatch.setattr(module, "PART", 7)
    paths = sorted(folder.iterdir())
    rows = recipe_on_dask(cluster.scheduler_address).compute(paths)
    np.testing.assert_array_equal(rows, recipe().compute(paths))


def test_a_worker_that_dies_costs_its_part_only(cluster, folder, small_parts, monkeypatch):
    paths = sorted(folder.iterdir())
    with distributed.Client(cluster, set_as_default=False) as client:
        victim = next(iter(client.run(os.getpid).values()))
    collect, written = module.collect, []

    def collect_and_kill(client, futures):
        for each in collect(client, futures):
            if not written:
                os.kill(victim, signal.SIGKILL)
            written.append(each[0])
            yield each

    monkeypatch.setattr(module, "collect", collect_and_kill)
    rows = recipe_on_dask(cluster.scheduler_address, "pixels").compute(paths)
    np.testing.assert_array_equal(rows, recipe("pixels").compute(paths))
    assert sorted(written) == list(range(6))
    with distributed.Client(cluster, set_as_default=False) as client:
        assert victim not in client.run(os.getpid).values()


def test_pictures_that_cannot_be_read_are_told_as_on_one_machine(cluster, folder, small_parts):
    (folder / "05.png").write_bytes(b"no picture")
    (folder / "17.png").write_bytes((folder / "17.png").read_bytes()[:100])
    paths = [*sorted(folder.iterdir()), folder / "gone.png"]
    told = {}
    rows = {}
    for name, how in {"here": recipe("pixels"), "there": recipe_on_dask(cluster.scheduler_address, "pixels")}.items():
        told[name] = []
        rows[name] = how.compute(paths, on_error=told[name].append)
    np.testing.assert_array_equal(rows["there"], rows["here"])
    by_path = [sorted((e.path, e.reason, e.lasting) for e in errors) for errors in told.values()]
    assert by_path[0] == by_path[1]
    assert len(by_path[0]) == 3


def test_what_no_worker_sees_is_computed_here(cluster, folder, small_parts, monkeypatch):
    """Sizes differ on the worker, as where another folder is mounted under the path."""
    paths = sorted(folder.iterdir())
    expected = recipe("pixels").compute(paths)
    size = module._size
    wrong = {os.fspath(path) for path in paths[:5]}
    monkeypatch.setattr(module, "_size", lambda path: size(path) + (os.fsdecode(path) in wrong))
    with pytest.warns(UserWarning, match="5 of 21 pictures were computed here"):
        rows = recipe_on_dask(cluster.scheduler_address, "pixels").compute(paths)
    np.testing.assert_array_equal(rows, expected)
    monkeypatch.setattr(module, "_size", lambda path: size(path) + 1)
    with pytest.raises(ClusterError, match="share the folder with them under the same path"):
        recipe_on_dask(cluster.scheduler_address, "pixels").compute(paths)


def test_workers_with_another_network_are_refused(cluster, folder, monkeypatch):
    maker = module.Maker("another-key", "pixels", None)
    with pytest.raises(ClusterError, match="makes other vectors, pixels, not another-key"):
        module._recipe_of(maker)


def test_nothing_to_do_needs_no_cluster():
    assert recipe_on_dask("tcp://127.0.0.1:1", "pixels").compute([]).shape[0] == 0


def test_the_app_reads_on_without_the_cluster(tmp_path, folder, cluster, monkeypatch):
    from likewise import machines
    from likewise.app.indexer import Indexer
    from likewise.app.location import Location

    monkeypatch.setattr(machines, "CONNECT_SECONDS", 1.0)
    home = str(tmp_path / "project")
    location = Location(home, home, "photos", "pixels")
    kept, told = [], []
    for address in ("tcp://127.0.0.1:1", cluster.scheduler_address):
        with location.open_store() as store:
            project = location.project_of(store)
            Indexer(project, location, folder, told.append, address).scan()
            kept.append(project.vectors("pixels").rows)
        Image.new("RGB", (20, 20), "red").save(folder / "red.png")
    assert [report["state"] for report in told if report["state"] == "problem"] == ["problem"]
    assert "there is no Dask scheduler at tcp://127.0.0.1:1" in next(r["text"] for r in told if "text" in r)
    assert [len(rows) for rows in kept] == [21, 22]
    assert not np.isnan(kept[1]).any()
