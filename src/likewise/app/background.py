"""Long work in a process of its own: asked for by many, done once, its result kept until what it is about changes."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from likewise.app.child_process import ChildProcess, lower_priority

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
        self._process: ChildProcess | None = None
        self._pipe: Connection | None = None
        self._kept: dict[str, Kept] = {}
        self._under_way: dict[str, Hashable] = {}  # the key of what is being made, by name
        self._waiting: deque[tuple[Any, ...]] = deque()  # the first is in the process

    def ask(self, name: str, key: Hashable, work: Callable[..., Any], *arguments: Any) -> Kept | None:
        """The result for a key, or None while it is made; of one name only one is made at a time.

        - `name`: What kind of work it is.
        - `key`, hashable: What it is about: work for another key is done anew.
        - `work`: A function of a module, which another process can find; its arguments and result can be sent.
        - `*arguments`: What it is given.
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
            process, self._process = self._process, None
        if process is not None:
            process.stop(0.5)

    def _begin(self, name: str, key: Hashable, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._under_way[name] = key
        self._waiting.append((name, work, arguments))
        if self._process is None:
            self._process = ChildProcess(
                "the background process", _run_jobs, (), self._keep, lambda text: self._forget(), self._start_on
            )
            self._process.start()
        elif len(self._waiting) == 1:
            self._send()

    def _start_on(self, pipe: Connection) -> None:
        with self._lock:
            self._pipe = pipe
            self._send()

    def _send(self) -> None:
        """Give the process the first thing that waits: one at a time, so that nobody waits for a full pipe."""
        if self._waiting and self._pipe is not None:
            with suppress(OSError):  # it died: a new one is given what waits then
                self._pipe.send(self._waiting[0])

    def _keep(self, result: tuple[str, Any, str]) -> None:
        name, made, problem = result
        with self._lock:
            self._waiting.popleft()
            self._kept[name] = Kept(self._under_way.pop(name), made, problem)
            self._send()
            self._done.notify_all()

    def _forget(self) -> None:
        """The process was killed: whoever asks next begins anew."""
        with self._lock:
            self._under_way.clear()
            self._waiting.clear()
            self._done.notify_all()


def _run_jobs(pipe: Connection) -> None:
    lower_priority(NICE)
    while True:
        try:
            name, work, arguments = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send((name, work(*arguments), ""))
        except Exception as error:  # whatever it is, the next work is done
            pipe.send((name, None, str(error) or type(error).__name__))
