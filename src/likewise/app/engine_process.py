"""The engine's process as the server sees it: orders to it, reports from it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from likewise.app.child_process import SOONEST, ChildProcess
from likewise.app.evidence import Evidence
from likewise.app.location import Location
from likewise.app.wall import Clustering
from likewise.query.question import Answer, Pair, Question
from likewise.store import Log


@dataclass
class Orders:
    """What is new for the engine.

    - `options`: Keywords of :class:`~likewise.app.engine.Engine`.
    - `evidence`: All answers in force, in place of those of before.
    - `added`, list of (int, Answer): Further answers, each with the number of its event; and
    - `waiting`, set of pairs: with them, all pairs not to be asked.
    - `version`: Number of the last event that these take into account.
    - `left_out`, list of int: Pictures that are not to be asked about.
    - `apart`, list of int: Pictures that people took out of their stacks.
    - `focus`, (int, list of int): The only pictures to ask about, empty for all, and a number that batches carry.
    - `indexing`: Whether pictures are still being read; says that there may be new ones.
    - `people`: How many people hold a question.
    - `stop`: Whether to end.
    """

    options: dict[str, Any] | None = None
    evidence: Evidence | None = None
    added: list[tuple[int, Answer]] = field(default_factory=list)
    waiting: set[Pair] | None = None
    version: int = 0
    left_out: list[int] | None = None
    apart: list[int] | None = None
    focus: tuple[int, list[int]] | None = None
    indexing: bool | None = None
    people: int = 0
    stop: bool = False

    @classmethod
    def of_log(cls, log: Log, options: dict[str, Any] | None = None, *, indexing: bool = False) -> Orders:
        """All that a new engine has to know of a project's events."""
        evidence = Evidence.of(log.votes())
        return cls(options, evidence, version=len(log), left_out=log.bad(), apart=log.apart(), indexing=indexing)

    def update(self, other: Orders) -> None:
        """Let newer orders replace older ones, or add to them."""
        if other.evidence is not None:
            self.evidence, self.added, self.waiting = other.evidence, [], None
        if other.waiting is not None:
            self.added, self.waiting = [*self.added, *other.added], other.waiting
        self.version = max(self.version, other.version)
        self.left_out = self.left_out if other.left_out is None else other.left_out
        self.apart = self.apart if other.apart is None else other.apart
        self.focus = self.focus if other.focus is None else other.focus
        self.options = other.options or self.options
        self.indexing = self.indexing if other.indexing is None else other.indexing
        self.people = other.people or self.people
        self.stop = self.stop or other.stop


@dataclass(frozen=True)
class QuestionBatch:
    """Questions about pictures, ready to be asked.

    - `version`: Number of the last event they take into account.
    - `questions`, list of Question: Best first; no answer of one follows from the others'. Items are picture ids.
    - `after`: For answers to the first question (value, and what was chosen), the question that would come then, or
      None.
    - `checks`, list of Question: Check questions, drawn at random; none until they are looked for.
    - `finished`: Whether every pair of pictures is known.
    - `form`, `focus`: The setting that they were made under, and the number of the pictures that were asked about.
    """

    version: int
    questions: list[Question]
    after: dict[tuple[str, tuple[int, ...]], Question | None] = field(default_factory=dict)
    checks: list[Question] = field(default_factory=list)
    finished: bool = False
    form: str = "pair"
    focus: int = 0


@dataclass(frozen=True)
class Report:
    """A message of the engine: questions, clusters, or what went wrong.

    - `too_large`: Why not all pictures are asked about; empty when they are, None when it says nothing of it.
    """

    batch: QuestionBatch | None = None
    clustering: Clustering | None = None
    problem: str = ""
    too_large: str | None = None


class EngineProcess:
    """Starts the engine, sends it orders and passes its reports on.

    Orders wait in a thread of their own until the engine takes them, and newer ones are joined to those that wait:
    nobody who answers waits for an engine that is busy.

    - `location`: Where the project is.
    - `on_report`: Called with each report, in a thread of its own.
    - `first_orders`: Gives all that a new engine has to know: at the start, and when it had to be started again.
    - `lock`: Held by whoever makes orders and sends them, so that none is lost or comes twice.
    - `soonest`: Seconds from one start to the next.
    """

    def __init__(
        self,
        location: Location,
        on_report: Callable[[Report], None],
        first_orders: Callable[[], Orders],
        lock: AbstractContextManager[Any],
        *,
        soonest: float = SOONEST,
    ) -> None:
        self._on_report = on_report
        self._first_orders = first_orders
        self._lock = lock
        self._waiting: Orders | None = None
        self._changed = threading.Condition()
        self._reason = ""  # what the engine said was wrong before it died
        self._process = ChildProcess(
            "the engine", _run, (location,), self._pass_on, self._explain, self._begin, soonest=soonest
        )

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return self._process.pid

    def start(self) -> None:
        """Start the process."""
        self._process.start()
        threading.Thread(target=self._send_orders, name="engine orders", daemon=True).start()

    def order(self, orders: Orders) -> None:
        """Send orders; new options also revive an engine that was given up."""
        if orders.options is not None:
            self._process.revive()
        with self._changed:
            if self._waiting is None:
                self._waiting = Orders()
            self._waiting.update(orders)
            self._changed.notify()

    def stop(self) -> None:
        """Let the process end."""
        self.order(Orders(stop=True))
        self._process.stop(message=Orders(stop=True))

    def _begin(self, pipe: Connection) -> None:
        """Tell a new engine everything; what waited is part of it."""
        with self._lock:
            orders = self._first_orders()
            with self._changed:
                self._waiting = None
        pipe.send(orders)

    def _send_orders(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting is not None)
                orders, self._waiting, pipe = self._waiting, None, self._process.pipe
            if orders is None or orders.stop:
                return
            with suppress(OSError):  # it died: a new one is told everything
                if pipe is not None:
                    pipe.send(orders)

    def _pass_on(self, report: Report) -> None:
        self._reason = report.problem
        self._on_report(report)

    def _explain(self, text: str) -> None:
        self._on_report(Report(problem=f"{text} ({self._reason})" if self._reason else text))


def _run(pipe: Connection, location: Location) -> None:
    from likewise.app.engine_worker import run_engine

    run_engine(pipe, location)
