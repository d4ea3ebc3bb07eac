"""Neighbours on a Dask cluster: equal to those of one machine, also when a worker dies; and kept in files."""

import os
import signal

import numpy as np
import pytest

from likewise.distances import distributed as module, nearest, nearest_on_dask, open_neighbours, save_neighbours
from likewise.distances.neighbours import Neighbours

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
OPTIONS = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}


@pytest.fixture(scope="module")
def client():
    """Workers in threads of this process: what is patched here, is patched there."""
    with (
        distributed.LocalCluster(n_workers=2, processes=False, **OPTIONS) as cluster,
        distributed.Client(cluster, set_as_default=False) as made,
    ):
        yield made


@pytest.fixture
def small_parts(monkeypatch):
    """Several blocks and several shards also of a few rows."""

    def cut(d, rows=40, blocks=2):
        monkeypatch.setattr(module, "BLOCK_ROWS", rows)
        monkeypatch.setattr(module, "SHARD_BYTES", 8 * (d + 1) * rows * blocks)

    return cut


def same(found, expected):
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_array_equal(found.distances, expected.distances)


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "chi2", "robust"])
@pytest.mark.parametrize("seed", range(4))
def test_exact_neighbours_are_those_of_one_machine(client, small_parts, metric, seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 200)), int(rng.integers(1, 6))
    X = rng.integers(0, 4, size=(n, d)).astype([np.float64, np.float32][seed % 2])  # many ties, duplicates and zeros
    small_parts(d, rows=int(rng.integers(1, 50)), blocks=int(rng.integers(1, 4)))
    k = int(rng.integers(1, min(n, 30)))
    same(
        nearest_on_dask(X, client, n_neighbors=k, metric=metric, method="exact"),
        nearest(X, n_neighbors=k, metric=metric, method="exact"),
    )


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("method", ["faiss", "ivf"])
def test_faiss_finds_no_less_than_on_one_machine(client, small_parts, metric, method):
    pytest.importorskip("faiss")
    X = np.random.default_rng(0).normal(size=(3000, 6)) + 50.0
    small_parts(6, rows=400, blocks=4)
    exact = nearest(X, n_neighbors=5, metric=metric, method="exact")
    options = {"n_neighbors": 5, "metric": metric, "method": method, "n_probe": 4}
    here, there = nearest(X, **options), nearest_on_dask(X, client, **options)
    if method == "faiss":
        same(there, exact)
    recall = [np.mean(found.distances[:, -1:] == exact.distances[:, -1:]) for found in (here, there)]
    assert recall[1] >= recall[0]
    own = np.arange(len(X))[:, None]
    assert not (there.indices == own).any()
    gaps = np.sqrt(((X[own] - X[there.indices]) ** 2).sum(axis=2))
    if metric == "euclidean":
        np.testing.assert_allclose(there.distances, gaps)


@pytest.mark.parametrize("method", ["exact", "faiss", "ivf"])
def test_equal_vectors_are_their_own_neighbours_never(client, small_parts, method):
    small_parts(3, rows=60, blocks=3)
    found = nearest_on_dask(np.ones((500, 3)), client, n_neighbors=15, method=method)
    assert (found.distances == 0).all()
    assert not (found.indices == np.arange(500)[:, None]).any()
    assert all(len(set(row)) == 15 for row in found.indices.tolist())


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        ([[0.0], [np.nan]], {}, "NaN"),
        ([[0.0], [1.0]], {"n_neighbors": 2}, "only 1 to choose from"),
        ([[0.0]], {}, "only 0 to choose from"),
        ([[0.0], [1.0]], {"metric": "precomputed"}, "vectors with a named metric"),
        ([[0.0], [1.0]], {"metric": "manhattan"}, "metric must be one of"),
    ],
)
def test_bad_input_is_refused_before_anything_is_sent(client, X, options, message):
    with pytest.raises(ValueError, match=message):
        nearest_on_dask(X, client, **({"n_neighbors": 1} | options))


def test_a_worker_that_dies_costs_its_part_only(tmp_path, small_parts, monkeypatch):
    """From a file, into files, by two processes, of which one is killed in the middle."""
    X = np.random.default_rng(1).normal(size=(1200, 5)).astype(np.float32)
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    small_parts(5, rows=50, blocks=6)
    expected = nearest(X, n_neighbors=15, method="exact")
    collect = module.collect

    with (
        distributed.LocalCluster(n_workers=2, processes=True, **OPTIONS) as cluster,
        distributed.Client(cluster, set_as_default=False) as made,
    ):
        victim = next(iter(made.run(os.getpid).values()))

        def collect_and_kill(client, futures):
            for k, each in enumerate(collect(client, futures)):
                if k == 3:
                    os.kill(victim, signal.SIGKILL)
                yield each

        folder = tmp_path / "graph"
        with monkeypatch.context() as patch:
            patch.setattr(module, "collect", collect_and_kill)
            same(nearest_on_dask(mapped, made, n_neighbors=15, method="exact", folder=folder), expected)
        same(nearest_on_dask(X, made, n_neighbors=15, method="exact"), expected)
        same(nearest_on_dask(X, made, n_neighbors=15, method="ivf", n_probe=9), expected)
        assert victim not in made.run(os.getpid).values()
    same(open_neighbours(folder, X), expected)


@pytest.fixture
def kept(tmp_path):
    X = np.random.default_rng(2).normal(size=(90, 4))
    found = nearest(X, n_neighbors=5)
    save_neighbours(tmp_path / "graph", found)
    return tmp_path / "graph", X, found


def test_what_is_kept_is_read_again(kept):
    folder, X, found = kept
    again = open_neighbours(folder, X)
    same(again, found)
    assert isinstance(again.indices, np.memmap)
    assert not again.indices.flags.writeable
    assert sorted(path.name for path in folder.iterdir()) == ["distances.npy", "indices.npy"]
    zeros = np.vstack([X, np.zeros((2, 4))])
    save_neighbours(folder, nearest(zeros, n_neighbors=3, metric="cosine"))
    open_neighbours(folder, zeros, metric="cosine")


def change(found, **fields):
    return Neighbours(*(fields.get(name, getattr(found, name)) for name in Neighbours._fields))


def damaged(array, value):
    array = array.copy()
    array[7, 2] = value
    return array


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("indices", 90, "none of the 90 items"),
        ("indices", -1, "none of the 90 items"),
        ("indices", 7, "its own neighbour"),
        ("distances", np.nan, "no number"),
        ("distances", np.inf, "no number"),
        ("distances", -1.0, "negative"),
        ("distances", 99.0, "nearest is not the first"),
    ],
)
def test_what_cannot_be_neighbours_is_refused(kept, field, value, message):
    folder, _, found = kept
    save_neighbours(folder, change(found, **{field: damaged(getattr(found, field), value)}))
    with pytest.raises(ValueError, match=message):
        open_neighbours(folder)


def test_neighbours_of_other_vectors_are_refused(kept):
    folder, X, _ = kept
    with pytest.raises(ValueError, match="of 90 items, and there are 80"):
        open_neighbours(folder, X[:80])
    with pytest.raises(ValueError, match="not those of these vectors"):
        open_neighbours(folder, X[::-1])
    with pytest.raises(ValueError, match="not those of these vectors"):
        open_neighbours(folder, X, metric="cosine")


@pytest.mark.parametrize("name", ["indices", "distances"])
def test_files_cut_short_or_missing_are_refused(kept, name):
    folder, _, found = kept
    path = folder / f"{name}.npy"
    whole = path.read_bytes()
    for length in (len(whole) - 1, len(whole) // 2, 20, 0):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="cut short or no"):
            open_neighbours(folder)
    np.save(path, getattr(found, name).astype(np.float32))
    with pytest.raises(ValueError, match="holds float32"):
        open_neighbours(folder)
    np.save(path, getattr(found, name)[:, :3])
    with pytest.raises(ValueError, match="indices have shape"):
        open_neighbours(folder)
    path.unlink()
    with pytest.raises(FileNotFoundError, match=f"{name}.npy is missing"):
        open_neighbours(folder)


def test_a_result_that_failed_leaves_what_was_there(kept, client, monkeypatch):
    folder, X, found = kept

    def stop(client, futures):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "collect", stop)
    with pytest.raises(KeyboardInterrupt):
        nearest_on_dask(X, client, n_neighbors=5, folder=folder)
    same(open_neighbours(folder), found)
    assert sorted(path.name for path in folder.iterdir()) == ["distances.npy", "indices.npy"]
