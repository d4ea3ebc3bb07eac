"""A process beside the server: started, sent messages, listened to, and started again when it dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from likewise.images.private import OWNER_ONLY

# what the engine and the indexer spend their first seconds on
PRELOADED = (
    "likewise.app.indexer",
    "likewise.images.network",
    "likewise.app.engine_worker",
    "likewise.query.dendrogram",
    "likewise.images.indexing",
)
SOONEST = 3.0  # seconds from one start to the next, whatever happens
MOST_DEATHS, WINDOW = 8, 600.0  # so many deaths within so many seconds, and it is not started again


class ChildProcess:
    """Runs a function in a process of its own, with a pipe to it.

    A process that dies is started again after a short wait, and `on_problem` is given a sentence that says so. One
    that keeps dying is given up, with another sentence; :meth:`revive` starts it once more.

    - `name`: What people call it: "the engine".
    - `target`: A function of a module, called with the pipe and `args` in the new process.
    - `args`, tuple: Further arguments of `target`.
    - `on_message`: Called with each message from the process, in a thread of this object.
    - `on_problem`: Called with a sentence when the process died.
    - `on_start`: Called with the pipe at each start, before anybody else can send: tells a new process what it has to
      know.
    - `daemon`: Whether the process may have no children of its own.
    - `soonest`: Seconds from one start to the next.
    """

    def __init__(
        self,
        name: str,
        target: Callable[..., None],
        args: tuple[Any, ...],
        on_message: Callable[[Any], None],
        on_problem: Callable[[str], None],
        on_start: Callable[[Connection], None] | None = None,
        *,
        daemon: bool = True,
        soonest: float = SOONEST,
    ) -> None:
        self.name = name
        self._target = target
        self._args = args
        self._on_message = on_message
        self._on_problem = on_problem
        self._on_start = on_start
        self._daemon = daemon
        self._soonest = soonest
        self._lock = threading.RLock()
        self._process: Any = None
        self._pipe: Connection | None = None
        self._stopping = threading.Event()
        self._deaths: list[float] = []

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return None if self._process is None else self._process.pid

    @property
    def gave_up(self) -> bool:
        """Whether it died too often to be started again."""
        return len(self._deaths) >= MOST_DEATHS

    def start(self) -> None:
        """Start the process and the thread that listens to it."""
        self._spawn()
        threading.Thread(target=self._listen, name=f"{self.name} listener", daemon=True).start()

    def revive(self) -> None:
        """Start a process that was given up once more."""
        with self._lock:
            again = self.gave_up and not self._stopping.is_set()
            if again:
                self._deaths.clear()
        if again:
            self.start()

    @property
    def pipe(self) -> Connection | None:
        """The pipe to the process: what is sent to one that died is lost, and a new one has its own."""
        return self._pipe

    def send(self, message: Any) -> None:
        """Send a message; one to a process that has just died is lost, and `on_start` says what counts."""
        with self._lock, suppress(OSError):
            if self._pipe is not None:
                self._pipe.send(message)

    def stop(self, seconds: float = 2.0, *, message: Any = None) -> None:
        """End the process: by a message and a wait where one is given, else at once."""
        with self._lock:
            self._stopping.set()
            if message is not None:
                self.send(message)
            process = self._process
        if process is None:
            return
        if message is None:
            process.terminate()
        process.join(seconds)
        if process.is_alive():
            process.kill()
            process.join()

    def _spawn(self) -> None:
        context = process_context()
        ours, theirs = context.Pipe()
        with self._lock:
            if self._stopping.is_set():
                return
            self._process = context.Process(
                target=_run, args=(theirs, self._target, self._args), name=self.name, daemon=self._daemon
            )
            self._process.start()
            theirs.close()
        if self._on_start is not None:
            with suppress(OSError):  # it died at once: the listener sees it
                self._on_start(ours)
        with self._lock:
            self._pipe = ours

    def _listen(self) -> None:
        while self._pipe is not None:
            started = time.monotonic()
            self._pass_messages_on(self._pipe)
            if self._stopping.is_set():
                return
            self._process.join()
            now = time.monotonic()
            with self._lock:
                self._deaths = [each for each in self._deaths if now - each < WINDOW] + [now]
            if self.gave_up:
                self._on_problem(self._explain_end())
                return
            self._on_problem(f"{self.name} stopped and was started again")
            if self._stopping.wait(max(0.0, self._soonest - (now - started))):
                return
            self._spawn()

    def _pass_messages_on(self, pipe: Connection) -> None:
        while True:
            try:
                message = pipe.recv()
            except (EOFError, OSError):
                return
            self._on_message(message)

    def _explain_end(self) -> str:
        killed = self._process.exitcode == -getattr(signal, "SIGKILL", 9)  # not on Windows
        why = ", probably because memory ran out" if killed else ""
        return (
            f"{self.name} stopped {MOST_DEATHS} times within {WINDOW / 60:.0f} minutes{why}, and is not started "
            "again: all answers are kept; choose other settings, or start likewise again"
        )


def process_context() -> Any:
    """How processes are started: never by copying this one, which has threads.

    Where the system can, an interpreter without threads imports the engine once and is copied, so that an engine
    that died is back at once; elsewhere every process imports for itself.
    """
    # one core at most: the others are for the server and for reading pictures
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    return context


def start_early() -> None:
    """Let what the processes need be imported beside what this one needs, and not after it; returns at once."""
    if process_context().get_start_method() == "forkserver":
        from multiprocessing.forkserver import ensure_running

        ensure_running()


def lower_priority(step: int) -> None:
    """Let other processes go first, where the system knows priorities."""
    if hasattr(os, "nice"):
        os.nice(step)


def _run(pipe: Connection, target: Callable[..., None], args: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the server ends this one
    os.umask(OWNER_ONLY)  # it writes into the project folder and nowhere else
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=[parent.sentinel], daemon=True).start()
    target(pipe, *args)


def _end_with(sentinel: int) -> None:
    """End when the server was killed, also in the middle of something."""
    wait([sentinel])
    os._exit(1)
