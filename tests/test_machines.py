"""A Dask cluster that is not there, is something else, is empty or goes away: one sentence, and no waiting for ever."""

import builtins
import socket

import pytest

from likewise import machines
from likewise.machines import ClusterError, collect, connect, open_cluster

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
QUIET = {"dashboard_address": ":0", "silence_logs": 50}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(machines, "CONNECT_SECONDS", 1.0)
    monkeypatch.setattr(machines, "POLL_SECONDS", 0.2)
    monkeypatch.setattr(machines, "PATIENCE", 2)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:1", "there is no Dask scheduler at tcp://127.0.0.1:1"),
        ("nonsense", "'nonsense' is no address"),
        ("", "'' is no address"),
        ("ftp://example:3", "'ftp://example:3' is no address"),
        ("tcp://127.0.0.1:99999", "there is no Dask scheduler"),
        ("0", "1 worker or more, got 0"),
    ],
)
def test_a_bad_address_is_one_sentence(address, message):
    with pytest.raises(ClusterError, match=message), open_cluster(address):
        pass


def test_somebody_else_at_the_address_is_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(ClusterError, match="there is no Dask scheduler"), connect(address):
            pass


def test_a_cluster_without_workers_and_a_worker_are_refused():
    with distributed.LocalCluster(n_workers=0, processes=False, protocol="tcp", **QUIET) as cluster:
        message = "has no workers: start some with 'dask worker tcp://"
        with pytest.raises(ClusterError, match=message), connect(cluster.scheduler_address):
            pass
        cluster.scale(1)
        with distributed.Client(cluster, set_as_default=False) as client:
            client.wait_for_workers(1)
            (worker,) = client.nthreads()
        with pytest.raises(ClusterError, match="is a Dask worker, not a scheduler"), connect(worker):
            pass


def test_without_dask_it_says_how_to_install_it(monkeypatch):
    original = builtins.__import__

    def refuse(name, *rest):
        if name.startswith(("dask", "distributed")):
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    for way in (connect, open_cluster):
        with pytest.raises(ClusterError, match=r"pip install 'likewise\[dask\]'"), way("tcp://127.0.0.1:1"):
            pass


def test_results_come_with_their_places_and_errors_as_they_are():
    def work(k):
        if k == 5:
            raise ValueError("five is refused")
        if k == 6:
            raise KeyError("six")
        return k * k

    with (
        distributed.LocalCluster(n_workers=2, processes=False, threads_per_worker=1, **QUIET) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        assert sorted(collect(client, client.map(work, range(4)))) == [(k, k * k) for k in range(4)]
        with pytest.raises(ValueError, match="five is refused"):
            list(collect(client, [client.submit(work, 5)]))
        with pytest.raises(ClusterError, match="a worker of the Dask cluster failed: KeyError"):
            list(collect(client, [client.submit(work, 6)]))


def test_when_nobody_is_left_it_does_not_wait_for_ever():
    with (
        distributed.LocalCluster(n_workers=0, processes=False, **QUIET) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        futures = client.map(abs, range(3))
        with pytest.raises(ClusterError, match="no worker of the Dask cluster is left"):
            list(collect(client, futures))
        client.cancel(futures)
        with pytest.raises(ClusterError, match="the Dask scheduler is gone"):
            list(collect(client, futures))


def test_a_cluster_of_this_machine_ends_with_the_block():
    with open_cluster("1") as address, connect(address) as client:
        assert client.submit(len, "abc").result() == 3
    with pytest.raises(ClusterError, match="there is no Dask scheduler"), connect(address):
        pass
