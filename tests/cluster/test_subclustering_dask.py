"""The same subclusters on a Dask cluster, from memory and from a file, also when a worker dies in the middle."""

import os
import signal

import numpy as np
import pytest

from likewise.cluster import Subclustering
from likewise.cluster.subclustering import nearest_blocks

distributed = pytest.importorskip("distributed")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def client():
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with distributed.LocalCluster(silence_logs=50, **options) as cluster, distributed.Client(cluster) as made:
        yield made


@pytest.fixture
def vectors(monkeypatch):
    monkeypatch.setattr(nearest_blocks, "BLOCK_ITEMS", 100)
    return np.random.default_rng(0).normal(size=(1500, 5))


def test_two_workers_give_what_one_machine_gives(client, vectors, tmp_path):
    expected = Subclustering(8, size=5, random_state=0).fit(vectors)
    model = Subclustering(8, size=5, client=client, random_state=0).fit(vectors)
    assert model.subclusters_.tolist() == expected.subclusters_.tolist()
    assert model.objective_path_.tolist() == expected.objective_path_.tolist()
    np.save(tmp_path / "x.npy", vectors)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    model = Subclustering(8, size=5, client=client, random_state=0).fit(mapped)
    assert model.subclusters_.tolist() == expected.subclusters_.tolist()


def test_a_worker_that_dies_changes_nothing(client, vectors, monkeypatch):
    expected = Subclustering(8, size=5, random_state=0).fit(vectors)
    victim = next(iter(client.run(os.getpid).values()))
    submit = client.submit
    sent = []

    def submit_and_kill(*args, **kwargs):
        sent.append(submit(*args, **kwargs))
        if len(sent) == 8:
            distributed.wait(sent[:3])
            os.kill(victim, signal.SIGKILL)
        return sent[-1]

    monkeypatch.setattr(client, "submit", submit_and_kill)
    model = Subclustering(8, size=5, client=client, random_state=0).fit(vectors)
    assert len(sent) == 16  # 15 blocks, and what they share
    assert victim not in client.run(os.getpid).values()
    assert model.subclusters_.tolist() == expected.subclusters_.tolist()


def test_the_same_is_fitted_again_and_again(client, vectors):
    """What the last fit sent may be forgotten just then."""
    expected = Subclustering(8, size=5, random_state=0).fit(vectors).subclusters_.tolist()
    for _ in range(6):
        found = Subclustering(8, size=5, client=client, random_state=0).fit(vectors)
        assert found.subclusters_.tolist() == expected
