"""The engine's process as the server sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from likewise.app.child_process import SOONEST, ChildProcess
from likewise.app.engine import QuestionBatch
from likewise.app.location import Location
from likewise.app.wall import Clustering


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
    """A message of the engine: questions, clusters, or what went wrong."""

    batch: QuestionBatch | None = None
    clustering: Clustering | None = None
    problem: str = ""


class EngineProcess:
    """Starts the engine, sends it orders and passes its reports on.

    Parameters
    ----------
    location : Location
        Where the project is.
    on_report : callable
        Called with each report, in a thread of its own.
    options : dict
        Keywords of :class:`~likewise.app.engine.Engine`.
    """

    def __init__(
        self,
        location: Location,
        on_report: Callable[[Report], None],
        options: dict[str, Any],
        *,
        soonest: float = SOONEST,
    ) -> None:
        self._standing = Orders(options=options)  # sent again to an engine that had to be started anew
        self._process = ChildProcess(
            "the engine",
            _run,
            (location,),
            on_report,
            lambda text: on_report(Report(problem=text)),
            lambda: self._process.send(self._standing),
            soonest=soonest,
        )

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return self._process.pid

    def start(self) -> None:
        """Start the process."""
        self._process.start()

    def order(self, orders: Orders) -> None:
        """Send orders; new options also revive an engine that was given up."""
        self._standing.update(orders)
        if orders.options is not None:
            self._process.revive()
        self._process.send(orders)

    def stop(self) -> None:
        """Let the process end."""
        self._process.stop(message=Orders(stop=True))


def _run(pipe: Any, location: Location) -> None:
    from likewise.app.engine_worker import run_engine

    run_engine(pipe, location)
