"""What the engine's process does: follow orders, take the pictures that are ready, prepare questions and clusters."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from likewise.app.child_process import lower_priority
from likewise.app.engine import BATCH, Engine
from likewise.app.engine_process import Orders, Report
from likewise.app.evidence import Evidence
from likewise.app.face_items import copied_faces, faces_apart, hard_faces
from likewise.app.learned import head_of, keep_learned, start_of
from likewise.app.location import Location
from likewise.app.reduction import DIMENSIONS, Reduction, Rows, reduction_of_many
from likewise.app.stack_rows import NO_LINKS
from likewise.app.stacking import read_links
from likewise.app.wall import Indices
from likewise.distances.memory import LEAST, free_bytes
from likewise.formats.words import worded
from likewise.images.faces import is_of_faces
from likewise.store import Project

NICE = 5  # below the server, which people wait for
FIRST_IMAGES = 30  # pictures from which on questions are asked while others are still being read
FOR_EACH = 4  # more questions for each person who holds one: they answer on while the engine works
GROWTH = 1.5  # while pictures come in, few are clustered anew when there are so many times more
AT_ONCE = 4000  # pictures up to which an engine is built while people wait: a second
STEP = 1.05  # more pictures than these are added when there are so many times more
ANEW = 2.0  # and all are clustered anew, beside the questions, when there are so many times more
BYTES_EACH = 16_000  # memory a picture takes, two engines at a time (8 KB in one, at 100,000 of 64 dimensions)
POLL_SECONDS = 0.2


def run_engine(pipe: Connection, location: Location) -> None:
    """The engine's process: wait for orders, work, report; until it is stopped."""
    with location.open_store() as store:
        worker = Worker(location.project_of(store), location.model)
        is_low = False
        while True:
            try:
                orders = _wait(pipe, worker)
                if orders is not None and orders.stop:
                    return
                if orders is not None and not worker.follow(orders):
                    continue
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


def _wait(pipe: Connection, worker: Worker) -> Orders | None:
    """The next orders, all that wait at once; None when an engine that was being built is there."""
    while worker.is_building and not pipe.poll(POLL_SECONDS):
        if worker.take_built():
            return None
    orders: Orders = pipe.recv()
    while pipe.poll():
        orders.update(pipe.recv())
    return orders


class Worker:
    """An engine and the project whose pictures it takes.

    The first pictures, and a few thousand, are clustered anew when there are half as many more. More are added to the
    engine as they come; when there are twice as many as it was built of, or one was left out, another engine is built
    beside it, and takes its place when it is done.

    - `project`: Has the vectors; the answers come with the orders.
    - `model`: Name of the vectors.
    """

    def __init__(self, project: Project, model: str) -> None:
        self.project = project
        self.model = model
        self.of_faces = is_of_faces(model)
        self.engine = Engine()
        self.indexing = True
        self.people = 0
        self.left_out: Sequence[int] = ()
        self.apart: Sequence[int] = ()
        self.links = NO_LINKS
        self.focus: tuple[int, Sequence[int]] = (0, ())
        self._narrow: Engine | None = None  # over the only pictures that are asked about
        self._options: dict[str, Any] = {}
        self._reduction: Reduction | None = None
        self._n_built = 0
        self._build: Build | None = None
        self._too_large = ""
        self._kept_learned: tuple[int, int, int] | str | None = "unknown"  # which learned distance was kept last

    @property
    def is_building(self) -> bool:
        """Whether another engine is being built."""
        return self._build is not None

    def follow(self, orders: Orders) -> bool:
        """Bring the engine to where the orders want it; False if nothing is new but a few pictures."""
        if orders.options is not None:
            self._options, self._build, self._narrow = orders.options, None, None
            before, self.engine = self.engine, Engine(**orders.options)
            self.engine.take_over(before)
        if orders.indexing is not None:
            self.indexing = orders.indexing
        self.people = orders.people or self.people
        if orders.evidence is not None:
            self.engine.update(orders.evidence, orders.version)
        if orders.waiting is not None:
            self.engine.add(orders.added, orders.waiting, orders.version)
        if orders.left_out is not None:
            self.left_out = orders.left_out
        if orders.apart is not None:
            self.apart = orders.apart
        must_look = orders.left_out is not None or orders.options is not None or orders.indexing is False
        looks = must_look or (orders.indexing is True and self._may_have_more())
        if looks:
            self._take_pictures()
        self.focus = self.focus if orders.focus is None else orders.focus
        has_news = looks or orders != Orders(indexing=True)
        if has_news:
            self._narrow_down()
        return has_news

    def work(self, pipe: Connection) -> None:
        """Prepare, look ahead and cluster, in the order in which people wait for it; new orders cut it short."""
        asking = self.engine if self._narrow is None else self._narrow
        batch = replace(asking.prepare(BATCH + FOR_EACH * self.people), focus=self.focus[0])
        pipe.send(Report(batch=batch, too_large=self._too_large))
        if pipe.poll():
            return
        pipe.send(Report(batch=asking.look_ahead(batch)))
        if not pipe.poll():
            pipe.send(Report(clustering=self.engine.cluster()))
            self._keep_learned()

    def _keep_learned(self) -> None:
        """Keep the distance learned from the answers, when it is another one than before and all pictures are there."""
        learned, folder = self.engine.learned(), self.project.folder
        key = None if learned is None else (learned[0], len(self.engine.images), id(learned[1]))
        if self.indexing or folder is None or self._reduction is None or key == self._kept_learned:
            return
        self._kept_learned = key
        keep_learned(folder, None if learned is None else head_of(self._reduction, learned[1], self.model, learned[0]))

    def take_built(self) -> bool:
        """Let the engine that was being built take the place of this one, if it is done; whether it did."""
        build = self._build
        if build is None or build.is_alive():
            return False
        self._build = None
        if build.problem is not None:
            raise build.problem
        build.engine.stack(self.links, self.apart)
        build.engine.update(self.engine.evidence, self.engine.version)
        self.engine, self._reduction, self._n_built = build.engine, build.reduction, len(build.images)
        self._take_pictures()
        self._narrow_down()
        return True

    def _may_have_more(self) -> bool:
        """Whether so many vectors were written that it is worth looking which pictures have one: that is slow."""
        if not len(self.engine.images):
            return True
        try:
            n_written = self.project.vectors(self.model).n_written
        except FileNotFoundError:
            return False
        return n_written >= self._next_size(n_written)

    def _narrow_down(self) -> None:
        """Keep another engine over the only pictures that are asked about, in step with what is said; clusters are
        made of all.
        """
        if not len(self.focus[1]):
            self._narrow = None
            return
        whole = self.engine
        rows = np.flatnonzero(np.isin(whole.images, self.focus[1]))
        rows = rows[np.argsort(whole.images[rows])]
        images = whole.images[rows] if len(rows) > 1 else whole.images[:0]
        if self._narrow is None or not np.array_equal(self._narrow.images, images):
            self._narrow = Engine(**self._options)
            self._narrow.stack(self.links, self.apart)
            self._say_what_is_known(self._narrow)
            self._narrow.update(whole.evidence, whole.version)
            if len(images):
                self._narrow.set_pictures(images, whole.vectors[rows])
        else:
            self._narrow.stack(self.links, self.apart)
            self._narrow.update(whole.evidence, whole.version)
        self._narrow.leave_out(np.array(sorted(self.left_out), np.int64))

    def _take_pictures(self) -> None:
        self.links = self._read_links()
        self.engine.stack(self.links, self.apart)
        self._say_what_is_known(self.engine)
        ready, seen = self._ready(), self.engine.images
        inside = np.isin(seen, ready)
        self.engine.leave_out(seen[~inside])
        new = ready[~np.isin(ready, seen)]
        if not self._is_worth_it(len(ready), len(new), bool(inside.all())):
            return
        if len(ready) <= AT_ONCE or not len(seen) or self._reduction is None:
            self._build_now(ready)
        elif not inside.all() or len(seen) + len(new) >= ANEW * self._n_built:
            if self._build is None:
                self._build = self._new_build(ready)
                self._build.start()
        else:
            rows = self.project.vectors(self.model).reader(new)
            self.engine.extend(new, self._reduction.apply_to_many(rows, len(new)))

    def _is_worth_it(self, n_ready: int, n_new: int, complete: bool) -> bool:
        """Whether to take pictures: at the first few, when there are enough more, and at the end."""
        if complete and not n_new:
            return False
        return not self.indexing or not complete or n_ready >= self._next_size(n_ready)

    def _next_size(self, n_ready: int) -> float:
        """How many pictures have to be ready, while others are read, for more of them to be taken."""
        return max(FIRST_IMAGES, (GROWTH if n_ready <= AT_ONCE else STEP) * len(self.engine.images))

    def _build_now(self, ready: Indices) -> None:
        build = self._new_build(ready)
        build.read()
        self._build, self._reduction, self._n_built = None, build.reduction, len(ready)
        self.engine.set_pictures(ready, build.vectors)

    def _new_build(self, ready: Indices) -> Build:
        rows = self.project.vectors(self.model).reader(ready)
        start = None if self.project.folder is None else start_of(self.project.folder, self.model)
        build = Build(self._options, ready, rows, self.engine.evidence, self.engine.version, start)
        build.engine.stack(self.links, self.apart)
        self._say_what_is_known(build.engine)
        return build

    def _read_links(self) -> Indices:
        """Pictures that are assumed to be the same."""
        if self.of_faces:
            return copied_faces(self.project)
        return NO_LINKS if self.project.folder is None else read_links(self.project.folder)

    def _say_what_is_known(self, engine: Engine) -> None:
        """Of faces: that two of one photograph differ, and which are to be asked about last."""
        if self.of_faces:
            engine.keep_apart(faces_apart(self.project, self.model))
            engine.ask_last(hard_faces(self.project, self.model))

    def _ready(self) -> Indices:
        """Pictures that are there, have a vector and were not left out; no more than fit into memory."""
        try:
            present = self.project.vectors(self.model).present()
        except FileNotFoundError:
            return np.empty(0, np.int64)
        gone = self.project.lost()
        present[[k for k in (*self.left_out, *gone) if k < len(present)]] = False
        ready = np.flatnonzero(present)
        most = self._most_held(len(ready))
        self._too_large = "" if most >= len(ready) else worded(_too_large(most, len(ready)), self.of_faces)
        return ready[:most]

    def _most_held(self, n_ready: int) -> int:
        """How many pictures fit into memory, those that are there already included."""
        n_seen = len(self.engine.images)
        wanted, free = (n_ready - n_seen) * BYTES_EACH, free_bytes()
        if free is None or wanted <= max(LEAST, free):
            return n_ready
        return max(n_seen, FIRST_IMAGES, n_seen + free // BYTES_EACH)


class Build(threading.Thread):
    """An engine that is made of pictures and answers while another one still asks.

    - `options`: Keywords of :class:`~likewise.app.engine.Engine`.
    - `images`: The pictures, ascending.
    - `rows`: Reads their vectors.
    - `evidence`, `version`: What people said.
    - `start`: What vectors are seen through; by default their main axes.
    """

    def __init__(
        self,
        options: dict[str, Any],
        images: Indices,
        rows: Rows,
        evidence: Evidence,
        version: int,
        start: Reduction | None = None,
    ) -> None:
        super().__init__(name="build", daemon=True)
        self.engine = Engine(**options)
        self.images = images
        self.problem: Exception | None = None
        self._rows = rows
        self._evidence = evidence, version
        self._start = start

    def read(self) -> None:
        """Read the vectors."""
        n = len(self.images)
        self.reduction = self._start or reduction_of_many(self._rows, n, DIMENSIONS)
        self.vectors = self.reduction.apply_to_many(self._rows, n)

    def run(self) -> None:
        """Read, build, and be ready for the first question."""
        try:
            self.read()
            self.engine.update(*self._evidence)
            self.engine.set_pictures(self.images, self.vectors)
            self.engine.prepare(1)
        except Exception as error:  # told in the thread that works with it
            self.problem = error


def _too_large(most: int, n_ready: int) -> str:
    return (
        f"{most:,} of {n_ready:,} pictures are asked about: all would take {n_ready * BYTES_EACH / 1e9:,.3g} GB of "
        "memory, and there is less; the others are kept, and join when there is room"
    )
