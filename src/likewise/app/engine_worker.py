"""The engine in a process of its own, so that storing an answer never waits for clustering."""

from __future__ import annotations

from multiprocessing.connection import Connection

import numpy as np

from likewise.app.child_process import lower_priority
from likewise.app.engine import BATCH, Engine
from likewise.app.engine_process import Orders, Report
from likewise.app.evidence import Evidence
from likewise.app.location import Location
from likewise.app.reduction import DIMENSIONS, reduce_vectors
from likewise.app.wall import Indices
from likewise.store import Project

NICE = 5  # below the server, which people wait for
FIRST_IMAGES = 30  # pictures from which on questions are asked while others are still being read
FOR_EACH = 4  # more questions for each person who holds one: they answer on while the engine works
GROWTH = 1.5  # while pictures come in, all are clustered anew when there are so many times more


def run_engine(pipe: Connection, location: Location) -> None:
    """The engine's process: wait for orders, read what is new, work, report; until it is stopped."""
    with location.open_store() as store:
        worker = Worker(location.project_of(store), location.model)
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
                    lower_priority(NICE)
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
            self.engine.take_over(before)
        if orders.indexing is not None:
            self.indexing = orders.indexing
        self.people = orders.people or self.people
        log = self.project.log()
        self.engine.update(Evidence.of(log.votes()), len(log))
        ready = self._ready(log.bad())
        if self._worth_taking(ready):
            rows = self.project.vectors(self.model).rows_of(ready)
            self.engine.set_pictures(ready, reduce_vectors(rows, DIMENSIONS))

    def work(self, pipe: Connection) -> None:
        """Prepare, look ahead and cluster, in the order in which people wait for it; new orders cut it short."""
        batch = self.engine.prepare(BATCH + FOR_EACH * self.people)
        pipe.send(Report(batch=batch))
        if pipe.poll():
            return
        pipe.send(Report(batch=self.engine.look_ahead(batch)))
        if not pipe.poll():
            pipe.send(Report(clustering=self.engine.cluster()))

    def _ready(self, bad: list[int]) -> Indices:
        """Pictures that are there, have a vector and were not called bad."""
        try:
            present = self.project.vectors(self.model).present()
        except FileNotFoundError:
            return np.empty(0, np.int64)
        gone = self.project.ids("gone")
        present[[k for k in (*bad, *gone) if k < len(present)]] = False
        return np.flatnonzero(present)

    def _worth_taking(self, ready: Indices) -> bool:
        """Whether to take the pictures that are ready: at the first few, when there are many more, and at the end."""
        seen = self.engine.images
        if np.array_equal(ready, seen):
            return False
        if not self.indexing or not np.isin(seen, ready).all():
            return True
        return len(ready) >= max(FIRST_IMAGES, GROWTH * len(seen))
