"""Other machines: a Dask cluster that is reached, works on parts and loses workers, without a part being lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

__all__ = ["ClusterError", "collect", "connect", "open_cluster"]

CONNECT_SECONDS = 10.0
POLL_SECONDS = 5.0
PATIENCE = 12  # times of polling without a single worker until it is given up
LOCAL = "local"


class ClusterError(OSError):
    """A Dask cluster cannot be used, or is gone; the sentence says why."""


@contextmanager
def connect(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address; a :class:`ClusterError` within seconds where there is none.

    - `address`: As Dask writes it, ``tcp://host:8786``.
    """
    distributed = _distributed()
    _require_scheduler(address)
    # A client that never connects cannot be closed either: that there is somebody was looked at first.
    with distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False) as client:
        yield client


@contextmanager
def open_cluster(where: str) -> Iterator[str]:
    """The address of a scheduler that can be reached.

    - `where`: Its address; or ``local``, or a number of processes, for workers on this machine that end with the block.
    """
    distributed = _distributed()
    if where != LOCAL and not where.isdecimal():
        _require_scheduler(where)
        yield where
        return
    if where == "0":
        raise ClusterError("a cluster on this machine has 1 worker or more, got 0")
    count = None if where == LOCAL else int(where)
    options = {"threads_per_worker": 1, "processes": True, "dashboard_address": ":0", "silence_logs": 50}
    with distributed.LocalCluster(n_workers=count, **options) as cluster:
        yield str(cluster.scheduler_address)


def collect(client: Any, futures: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """The results of futures as they are done, each with its place in the sequence.

    What a worker had that died is computed again by others; Dask sees to it. When nobody is left for a minute, or the
    scheduler is gone, there is a :class:`ClusterError` instead of waiting for ever.
    """
    from dask.distributed import wait

    places = {future.key: k for k, future in enumerate(futures)}
    pending, without = list(futures), 0
    while pending:
        try:
            with client.as_current():
                done, rest = wait(pending, timeout=POLL_SECONDS, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]
        except TimeoutError:
            without = 0 if _has_workers(client) else without + 1
            if without >= PATIENCE:
                raise ClusterError("no worker of the Dask cluster is left; what was computed before is kept") from None
            continue
        except Exception as error:  # cancelled: under several names in several versions
            raise _explained(error) from error
        for future in done:
            yield places[future.key], _result(future)
            future.release()  # its result need not be held any longer
        pending, without = list(rest), 0


def _result(future: Any) -> Any:
    try:
        return future.result()
    except (ValueError, TypeError, OSError, MemoryError):  # what the work itself says of its input
        raise
    except Exception as error:
        raise _explained(error) from error


def _explained(error: BaseException) -> ClusterError:
    kind = type(error).__name__
    if kind == "KilledWorker":
        return ClusterError(f"several workers died at the same part: {error}")
    if "Cancelled" in kind or "CommClosed" in kind:
        return ClusterError("the Dask scheduler is gone; what was computed before is kept")
    if isinstance(error, ImportError):
        return ClusterError(f"the workers of the Dask cluster need what is installed here: {error}")
    return ClusterError(f"a worker of the Dask cluster failed: {kind}: {error}")


def _has_workers(client: Any) -> bool:
    try:
        return bool(client.nthreads())
    except Exception:  # nobody answers: no better than no workers
        return False


def _require_scheduler(address: str) -> None:
    """One sentence where there is no scheduler, or none with workers."""
    try:
        with ThreadPoolExecutor(1) as pool:  # this thread may run a loop of its own, as in a notebook
            found = pool.submit(lambda: asyncio.run(_identity(address))).result()
    except ValueError as error:
        raise ClusterError(f"{address!r} is no address of a Dask scheduler ({error}): give tcp://host:port") from None
    except (OSError, TimeoutError):
        raise ClusterError(f"there is no Dask scheduler at {address}: start one with 'dask scheduler'") from None
    if found.get("type") != "Scheduler":
        raise ClusterError(f"at {address} is a Dask {str(found.get('type')).lower()}, not a scheduler")
    if not found.get("workers"):
        raise ClusterError(f"the Dask scheduler at {address} has no workers: start some with 'dask worker {address}'")


async def _identity(address: str) -> dict[str, Any]:
    from distributed.core import rpc

    async def ask() -> dict[str, Any]:
        async with rpc(address, timeout=CONNECT_SECONDS) as scheduler:  # type: ignore[no-untyped-call]
            found: dict[str, Any] = await scheduler.identity()
            return found

    return await asyncio.wait_for(ask(), CONNECT_SECONDS)


def _distributed() -> Any:
    try:
        from dask import distributed
    except ImportError:
        raise ClusterError("--dask needs Dask: pip install 'likewise[dask]'") from None
    return distributed
