"""Long work in a process of its own: asked for by many, done once, its result kept until what it is about changes."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any

from likewise.app.processes import process_context

NICE = 10  # below the engine, which people wait for


@dataclass(frozen=True)
class Kept:
    """The last result of some work: what it was made for, and what went wrong instead."""

    key: Hashable
    result: Any
    problem: str = ""


class Background:
    """Does one thing at a time; nobody who asks waits.

    Examples
    --------
    >>> background = Background()
    >>> background.ask("sum", (1, 2), sum, (1, 2)) is None  # begun
    True
    >>> background.wait("sum")
    >>> background.ask("sum", (1, 2), sum, (1, 2)).result
    3
    >>> background.stop()
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._done = threading.Condition(self._lock)
        self._pool: ProcessPoolExecutor | None = None
        self._kept: dict[str, Kept] = {}
        self._under_way: dict[str, Future[Any]] = {}

    def ask(self, name: str, key: Hashable, work: Callable[..., Any], *arguments: Any) -> Kept | None:
        """The result for a key, or None while it is made; of one name only one is made at a time.

        Parameters
        ----------
        name : str
            What kind of work it is.
        key : hashable
            What it is about: work for another key is done anew.
        work : callable
            A function of a module, which another process can find; its arguments and result can be sent.
        *arguments
            What it is given.
        """
        with self._lock:
            kept = self._kept.get(name)
            if kept is not None and kept.key == key:
                return kept
            if name not in self._under_way:
                self._begin(name, key, work, arguments)
            return None

    def last(self, name: str) -> Kept | None:
        """The last result, whatever it was made for."""
        with self._lock:
            return self._kept.get(name)

    def works(self, name: str) -> bool:
        """Whether it is being made."""
        with self._lock:
            return name in self._under_way

    def wait(self, name: str, seconds: float | None = None) -> None:
        """Until what is being made under a name is there."""
        with self._done:
            self._done.wait_for(lambda: name not in self._under_way, seconds)

    def stop(self) -> None:
        """End the process, also in the middle of something."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()

    def _begin(self, name: str, key: Hashable, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        if self._pool is None:
            context = process_context()
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin_process)
        future = self._pool.submit(work, *arguments)
        self._under_way[name] = future
        future.add_done_callback(lambda done: self._keep(name, key, done))

    def _keep(self, name: str, key: Hashable, done: Future[Any]) -> None:
        error = None if done.cancelled() else done.exception()
        with self._lock:
            self._under_way.pop(name, None)
            if isinstance(error, BrokenProcessPool):
                self._pool = None  # it was killed: the next who asks begins anew
            elif error is not None:
                self._kept[name] = Kept(key, None, str(error) or type(error).__name__)
            elif not done.cancelled():
                self._kept[name] = Kept(key, done.result())
            self._done.notify_all()


def _begin_process() -> None:
    """Be modest, and end with the server: a pool's process would wait for work for ever if that was killed."""
    os.nice(NICE)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=[parent.sentinel], daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
