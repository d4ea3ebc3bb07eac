"""The engine, in a process of its own: a session over the pictures that are ready, in step with the answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.app.child_process import lower_priority
from likewise.app.engine_process import Orders, QuestionBatch, Report
from likewise.app.evidence import Evidence
from likewise.app.location import Location
from likewise.app.reduction import DIMENSIONS, reduce_vectors
from likewise.app.wall import Clustering, Indices
from likewise.distances import nearest
from likewise.query.question import Answer, Form, Pair, Question
from likewise.session import Session
from likewise.store import Project

BATCH = 12  # questions prepared at once, so that several people and a run of quick answers find one
CHECKS = 4  # check questions prepared at once
NICE = 5  # below the server, which people wait for
FIRST_IMAGES = 30  # pictures from which on questions are asked while others are still being read
FOR_EACH = 4  # more questions for each person who holds one: they answer on while the engine works
NEAR = 16  # other centres that a picture is compared with
GROWTH = 1.5  # while pictures come in, all are clustered anew when there are so many times more


def run_engine(pipe: Connection, location: Location) -> None:
    """The engine's process: wait for orders, work, report; until it is stopped."""
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
                worker.follow(orders)
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
    """An engine and the project whose pictures it takes.

    - `project`: Has the vectors; the answers come with the orders.
    - `model`: Name of the vectors.
    """

    def __init__(self, project: Project, model: str) -> None:
        self.project = project
        self.model = model
        self.engine = Engine()
        self.indexing = True
        self.people = 0
        self.left_out: Sequence[int] = ()

    def follow(self, orders: Orders) -> None:
        """Bring the engine to where the orders want it."""
        if orders.options is not None:
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
        if orders.left_out is not None or orders.indexing is not None:
            self._take_pictures()

    def work(self, pipe: Connection) -> None:
        """Prepare, look ahead and cluster, in the order in which people wait for it; new orders cut it short."""
        batch = self.engine.prepare(BATCH + FOR_EACH * self.people)
        pipe.send(Report(batch=batch))
        if pipe.poll():
            return
        pipe.send(Report(batch=self.engine.look_ahead(batch)))
        if not pipe.poll():
            pipe.send(Report(clustering=self.engine.cluster()))

    def _take_pictures(self) -> None:
        ready = self._ready()
        if self._worth_taking(ready):
            rows = self.project.vectors(self.model).rows_of(ready)
            self.engine.set_pictures(ready, reduce_vectors(rows, DIMENSIONS))

    def _ready(self) -> Indices:
        """Pictures that are there, have a vector and were not left out."""
        try:
            present = self.project.vectors(self.model).present()
        except FileNotFoundError:
            return np.empty(0, np.int64)
        gone = self.project.lost()
        present[[k for k in (*self.left_out, *gone) if k < len(present)]] = False
        return np.flatnonzero(present)

    def _worth_taking(self, ready: Indices) -> bool:
        """Whether to take the pictures that are ready: at the first few, when there are many more, and at the end."""
        seen = self.engine.images
        if np.array_equal(ready, seen):
            return False
        if not self.indexing or not np.isin(seen, ready).all():
            return True
        return len(ready) >= max(FIRST_IMAGES, GROWTH * len(seen))


class Engine:
    """A session over the pictures that are ready, kept in step with the answers in force.

    - `strategy`: Who asks.
    - `clusterer`: Name of who makes the clusters; the asker itself where it is None.
    - `n_clusters`: Number of clusters, when it is known.
    - `seed`: All that is random is derived from it.
    - `kind`, "pair" or "triplet": The form of the questions.
    - `recheck`: Whether answers may be wrong: outvoted ones are set aside, and where the strategy can, doubtful
      ones are asked about again.

    Examples
    --------
    >>> engine = Engine(strategy="random", n_clusters=2, seed=0)
    >>> engine.set_pictures(np.array([4, 7, 9]), np.array([[0.0], [0.1], [5.0]]))
    >>> engine.update(Evidence(answers=[(1, Answer("pair", (4, 9), "different"))]), version=1)
    >>> engine.cluster().labels.tolist()
    [0, 0, 1]
    """

    def __init__(
        self,
        *,
        strategy: str = "auto",
        clusterer: str | None = None,
        n_clusters: int | None = None,
        seed: int = 0,
        kind: Form = "pair",
        recheck: bool = True,
    ) -> None:
        self.strategy = strategy
        self.clusterer = clusterer
        self.n_clusters = n_clusters
        self.seed = seed
        self.kind: Form = kind
        self.recheck = recheck
        self.version = 0
        self.images: Indices = np.empty(0, np.int64)
        self._row: dict[int, int] = {}
        self._evidence = Evidence()
        self._session: Session | None = None

    def set_pictures(self, images: Indices, vectors: NDArray[np.floating[Any]]) -> None:
        """Take these pictures (ids ascending, a vector each); all answers so far are taken again."""
        self.images = np.asarray(images, np.int64)
        self._row = {image: k for k, image in enumerate(self.images.tolist())}
        self._session = self._open(np.asarray(vectors, np.float64)) if len(images) else None

    def take_over(self, other: Engine) -> None:
        """Take the pictures and answers of an engine with other options."""
        self._evidence, self.version = other._evidence, other.version
        if other._session is not None and other._session.vectors is not None:
            self.set_pictures(other.images, other._session.vectors)

    def update(self, evidence: Evidence, version: int) -> None:
        """Be in step with the evidence: answers that are no longer in it are undone, new ones taken."""
        self._evidence, self.version = evidence, version
        session = self._session
        if session is None or session.vectors is None:
            return
        before, now = session.history, self._here(evidence.answers)
        shared = 0
        while shared < min(len(before), len(now)) and before[shared] == now[shared]:
            shared += 1
        for _ in range(len(before) - shared):
            session.undo()
        session.replay(now[shared:])

    def add(self, answers: Sequence[tuple[int, Answer]], waiting: set[Pair], version: int) -> None:
        """Take further answers."""
        self._evidence = replace(self._evidence, answers=[*self._evidence.answers, *answers], waiting=waiting)
        self.version = version
        if self._session is not None:
            self._session.replay(self._here(answers))

    def cluster(self) -> Clustering:
        """Clusters of the pictures under all answers, how doubtful each is, and how good they are by the checks."""
        if self._session is None:
            return Clustering(self.version, self.images, np.empty(0, np.int64), np.empty(0, np.float32))
        labels = self._session.labels_
        quality = self._session.quality()
        return Clustering(self.version, self.images, labels, _doubt(self._session, labels), quality)

    def prepare(self, n: int = BATCH) -> QuestionBatch:
        """The next questions for whoever comes."""
        if self._session is None:
            return QuestionBatch(self.version, [], form=self.kind)
        questions = [self._about_images(q) for q in self._session.ask(n, skip=self._waiting())]
        return QuestionBatch(self.version, questions, finished=self._session.finished, form=self.kind)

    def look_ahead(self, batch: QuestionBatch) -> QuestionBatch:
        """Add to a batch what would come after each answer to its first question, and check questions to mix in."""
        if self._session is None or not batch.questions:
            return batch
        items = tuple(self._row[image] for image in batch.questions[0].items)
        after: dict[str, Question | None] = {}
        for value in batch.questions[0].answers:
            if value == "unsure":
                continue
            self._session.answer(items, value)
            question = self._session.ask(skip=self._waiting())
            self._session.undo()
            after[value] = None if question is None else self._about_images(question)
        checks = self._session.check(CHECKS, skip=self._waiting())
        return replace(batch, after=after, checks=[self._about_images(check) for check in checks])

    def _open(self, vectors: NDArray[np.float64]) -> Session:
        chosen: dict[str, Any] = {} if self.clusterer is None else {"clusterer": self.clusterer}
        session = Session(
            vectors,
            strategy=self.strategy,
            n_clusters=None if self.n_clusters is None else min(self.n_clusters, len(vectors)),
            random_state=self.seed,
            forms=(self.kind,),
            recheck=self.recheck,
            **chosen,
        )
        return session.replay(self._here(self._evidence.answers))

    def _waiting(self) -> set[Pair]:
        at = self._row
        here = ((at[i], at[j]) for i, j in self._evidence.waiting if i in at and j in at)
        return {(min(pair), max(pair)) for pair in here}

    def _here(self, answers: Iterable[tuple[int, Answer]]) -> list[Answer]:
        """Those of the answers that are about pictures that are here, by their rows."""
        found = []
        for _, answer in answers:
            rows = tuple(self._row[image] for image in answer.items if image in self._row)
            if len(rows) == len(answer.items) or (rows and answer.kind == "membership"):
                found.append(replace(answer, items=rows))
        return found

    def _about_images(self, question: Question) -> Question:
        return replace(question, items=tuple(int(self.images[k]) for k in question.items))


def _doubt(session: Session, labels: NDArray[np.int64]) -> NDArray[np.float32]:
    """Distance to the own centre as a share of that and of the distance to the nearest of the centres near it."""
    X = session.vectors
    k = int(labels.max()) + 1
    if X is None or k < 2:
        return np.zeros(len(labels), np.float32)
    sums = np.zeros((k, X.shape[1]))
    np.add.at(sums, labels, X)
    centres = sums / np.bincount(labels, minlength=k)[:, None].clip(1)
    near = nearest(centres, n_neighbors=min(NEAR, k - 1)).indices
    own = np.linalg.norm(X - centres[labels], axis=1)
    other = np.full(len(X), np.inf)
    for rank in range(near.shape[1]):
        np.minimum(other, np.linalg.norm(X - centres[near[labels, rank]], axis=1), out=other)
    total = own + other
    share: NDArray[np.float64] = np.divide(own, total, out=np.full(len(X), 0.5), where=total > 0)
    return share.astype(np.float32)
