"""The engine's process as the server sees it: started, given orders, heard, and started again when it dies."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from likewise.app.location import Location
from likewise.app.prepared import Prepared
from likewise.app.processes import process_context
from likewise.app.wall import Reading

SOONEST = 3.0  # seconds from one start of the engine to the next, whatever happens


@dataclass
class Orders:
    """A sign that something is new; the engine looks into the store for what it is."""

    options: dict[str, Any] | None = None
    indexing: bool | None = None
    people: int = 0
    stop: bool = False

    def update(self, other: Orders) -> None:
        """Let newer orders replace older ones."""
        self.options = other.options or self.options
        self.indexing = self.indexing if other.indexing is None else other.indexing
        self.people = other.people or self.people
        self.stop = self.stop or other.stop


@dataclass(frozen=True)
class Report:
    """What the engine has to say: prepared questions, a reading, or what went wrong."""

    prepared: Prepared | None = None
    reading: Reading | None = None
    problem: str = ""


@dataclass
class EngineProcess:
    """Starts the engine, sends it orders and passes its reports on; started again when it dies.

    Parameters
    ----------
    location : Location
        Where the project is.
    on_report : callable
        Called with each report, in a thread of this object.
    options : dict
        Keywords of :class:`~likewise.app.engine.Engine`.
    """

    location: Location
    on_report: Callable[[Report], None]
    options: dict[str, Any]
    _standing: Orders = field(default_factory=Orders)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _process: Any = None
    _pipe: Connection | None = None
    _stopping: bool = False
    _started: float = 0.0

    def start(self) -> None:
        """Start the process and the thread that listens to it."""
        self._standing.options = self.options
        self._spawn()
        threading.Thread(target=self._listen, name="engine-reports", daemon=True).start()

    def order(self, orders: Orders) -> None:
        """Send orders; they are remembered, and sent again to an engine that had to be started anew."""
        with self._lock:
            self._standing.update(orders)
            self._send(orders)

    def stop(self) -> None:
        """Let the process end."""
        with self._lock:
            self._stopping = True
            self._send(Orders(stop=True))
            process = self._process
        if process is not None:
            process.join(2)
            if process.is_alive():
                process.kill()
                process.join()

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        return None if self._process is None else self._process.pid

    def _spawn(self) -> None:
        context = process_context()
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=_run, args=(theirs, self.location), name="likewise-engine", daemon=True
        )
        self._started = time.monotonic()
        self._process.start()
        theirs.close()
        self._pipe = ours
        self._send(self._standing)

    def _send(self, orders: Orders) -> None:
        try:
            if self._pipe is not None:
                self._pipe.send(orders)
        except OSError:  # it died: the listener starts it again, and sends what stands
            pass

    def _listen(self) -> None:
        while True:
            pipe = self._pipe
            try:
                if pipe is None:
                    return
                self.on_report(pipe.recv())
            except (EOFError, OSError):
                with self._lock:
                    if self._stopping:
                        return
                    self._process.join()
                self.on_report(Report(problem="the engine stopped and was started again"))
                time.sleep(max(0.0, SOONEST - (time.monotonic() - self._started)))
                with self._lock:
                    if self._stopping:
                        return
                    self._spawn()


def _run(pipe: Connection, location: Location) -> None:
    from likewise.app.engine_worker import run_engine

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the server ends this one
    run_engine(pipe, location)
