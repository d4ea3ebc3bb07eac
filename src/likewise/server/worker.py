"""The engine in a process of its own, so that storing an answer never waits for clustering."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from likewise.server.clusters import Indices, Reading
from likewise.server.engine import BATCH, Engine, Heard, Prepared, Together
from likewise.server.place import Place
from likewise.store import Project
from likewise.store.votes import Votes

NICE = 5  # below the server, which people wait for
DIMENSIONS = 64
FIRST_IMAGES = 30  # pictures from which on questions are asked while others are still being read
SOONEST = 3.0  # seconds from one start of the engine to the next, whatever happens
FOR_EACH = (
    4  # more questions for each person who holds one: they answer on while the engine reads what was said
)
GROWTH = 1.5  # while pictures come in, everything is read again when there are so many times more


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
    place : Place
        Where the project is.
    on_report : callable
        Called with each report, in a thread of this object.
    options : dict
        Keywords of :class:`~likewise.server.engine.Engine`.
    """

    place: Place
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
        # one core at most: the others are for the server and for reading pictures
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=run_engine, args=(theirs, self.place), name="likewise-engine", daemon=True
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


def run_engine(pipe: Connection, place: Place) -> None:
    """The engine's process: woken by orders, read what is new, work, report; until told to stop."""
    with place.open_store() as store:
        worker = Worker(place.project_of(store), place.model)
        is_low = False
        while True:
            try:
                orders = pipe.recv()
                while pipe.poll():
                    orders.update(pipe.recv())
                if orders.stop:
                    return
                worker.catch_up(orders)
                worker.work(pipe)
                if worker.engine.images.size and not is_low:  # somebody waited for the first question
                    is_low = True
                    os.nice(NICE)
            except (ConnectionError, EOFError):  # the server is gone
                return
            except (ValueError, MemoryError, OSError, RuntimeError) as error:
                pipe.send(Report(problem=str(error)))
            except Exception as error:  # a mistake of ours: said, and a new process starts from the events
                pipe.send(Report(problem=f"{type(error).__name__}: {error}"))
                raise


class Worker:
    """An engine and the project it follows.

    Parameters
    ----------
    project : Project
        Read, never written.
    model : str
        Name of the vectors.
    """

    def __init__(self, project: Project, model: str) -> None:
        self.project = project
        self.model = model
        self.engine = Engine()
        self.indexing = True
        self.people = 0

    def catch_up(self, orders: Orders) -> None:
        """Bring the engine to where the project is."""
        if orders.options is not None:
            before, self.engine = self.engine, Engine(**orders.options)
            self.engine.keep(before)
        if orders.indexing is not None:
            self.indexing = orders.indexing
        self.people = orders.people or self.people
        log = self.project.log()
        votes = log.votes()
        self.engine.hear(_heard(votes), len(log), votes.waiting())
        ready = self._ready(log.bad())
        if self._worth_looking(ready):
            rows = self.project.vectors(self.model).rows[ready]
            self.engine.look(ready, reduce_vectors(rows, DIMENSIONS))

    def work(self, pipe: Connection) -> None:
        """Prepare, look ahead and read, in the order in which people wait for it; new orders cut it short."""
        prepared = self.engine.prepare(BATCH + FOR_EACH * self.people)
        pipe.send(Report(prepared=prepared))
        if pipe.poll():
            return
        pipe.send(Report(prepared=self.engine.speculate(prepared)))
        if not pipe.poll():
            pipe.send(Report(reading=self.engine.read()))

    def _ready(self, bad: list[int]) -> Indices:
        """Pictures that are there, have a vector and were not called bad."""
        try:
            present = self.project.vectors(self.model).present()
        except FileNotFoundError:
            return np.empty(0, np.int64)
        gone = [image.position for status in ("gone", "bad") for image in self.project.images(status)]
        present[[k for k in (*bad, *gone) if k < len(present)]] = False
        return np.flatnonzero(present)

    def _worth_looking(self, ready: Indices) -> bool:
        """Whether to read everything again: at the first few, when there are many more, and at the end."""
        seen = self.engine.images
        if np.array_equal(ready, seen):
            return False
        if not self.indexing or not np.isin(seen, ready).all():
            return True
        return len(ready) >= max(FIRST_IMAGES, GROWTH * len(seen))


def _heard(votes: Votes) -> list[Heard]:
    """What is in force, in order; confirmed groups as such."""
    heard: list[Heard] = []
    for event, answer in votes.told():
        group = Together(event.payload.images(), event.annotator)
        if event.kind != "confirm":
            heard.append(answer)
        elif group not in heard[-1:]:  # an event is one group, however many pairs it makes the same
            heard.append(group)
    return heard


def reduce_vectors(rows: Any, dimensions: int) -> NDArray[np.float64]:
    """Rows scaled to length 1 and turned to their main axes: at most so many dimensions.

    Signs are fixed, so that the same rows give the same vectors on any machine.

    Examples
    --------
    >>> reduce_vectors([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 1.0, 0.0]], 1).round(3).tolist()
    [[0.943], [-0.471], [-0.471]]
    """
    X = np.asarray(rows, np.float64)
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    X = X / np.where(lengths > 0, lengths, 1.0)
    if X.shape[1] <= dimensions or len(X) < 2:
        return X
    X = X - X.mean(axis=0)
    few = len(X) <= X.shape[1]  # then products of rows are the smaller matrix, and give the result at once
    products = X @ X.T if few else X.T @ X
    size = len(products)
    values, axes = eigh(products, subset_by_index=[max(0, size - dimensions), size - 1])
    axes = axes[:, ::-1]
    reduced: NDArray[np.float64] = axes * np.sqrt(values[::-1].clip(0)) if few else X @ axes
    largest = np.abs(reduced).argmax(axis=0)
    reduced *= np.where(reduced[largest, np.arange(reduced.shape[1])] < 0, -1.0, 1.0)
    return reduced
