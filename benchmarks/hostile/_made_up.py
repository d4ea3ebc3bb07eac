"""A project whose clusters and questions are made up: the server is the real one, and needs no engine to start.

Every start has clusters at once, so that people edit groups however often the server is killed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import uvicorn

from likewise.app import live as live_project
from likewise.app.engine_process import Orders, QuestionBatch, Report
from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.app.wall import Clustering
from likewise.query.question import Question
from likewise.server.application import create_app
from tests.app.page import NoPictures

N_PICTURES, N_CLUSTERS = 96, 8
N_MOVED = 6  # pictures that the engine has elsewhere after some answers


def clustering(version: int) -> Clustering:
    """Clusters of twelve; with every ten events some pictures are in another one, as those of an engine would be."""
    rng = np.random.default_rng(version // 10)
    labels = np.arange(N_PICTURES) % N_CLUSTERS
    labels[rng.choice(N_PICTURES, N_MOVED, replace=False)] = rng.integers(N_CLUSTERS, size=N_MOVED)
    return Clustering(version, np.arange(N_PICTURES), labels, rng.uniform(0, 0.5, N_PICTURES).astype(np.float32))


class MadeUpEngine:
    """Stands for the engine's process: takes orders, and reports made-up clusters and questions in a thread."""

    pid = None

    def __init__(
        self, location: Location, on_report: Callable[[Report], None], first_orders: Callable[[], Orders], lock: Any
    ) -> None:
        self._on_report = on_report
        self._version = 0
        self._changed = threading.Event()

    def start(self) -> None:
        """Report at once, and after every order."""
        self._changed.set()
        threading.Thread(target=self._run, name="made-up engine", daemon=True).start()

    def order(self, orders: Orders) -> None:
        """Take the number of the last event."""
        self._version = max(self._version, orders.version)
        self._changed.set()

    def stop(self) -> None:
        """There is nothing to end."""

    def _run(self) -> None:
        while self._changed.wait():
            self._changed.clear()
            version = self._version
            rng = np.random.default_rng(version)
            pairs = [rng.choice(N_PICTURES, 2, replace=False).tolist() for _ in range(8)]
            batch = QuestionBatch(version, [Question("pair", (min(pair), max(pair))) for pair in pairs])
            self._on_report(Report(batch, clustering(version)))


def serve(where: str, folder: str, port: str) -> None:
    """Serve the project until the process is ended."""
    live_project.EngineProcess = MadeUpEngine  # type: ignore[attr-defined]
    live = LiveProject(Location(where, folder, "leaves", "test"))
    if live.project.n_images == 0:
        live.project.add_images([f"{k}.jpg" for k in range(N_PICTURES)])
    uvicorn.run(create_app(live, NoPictures(live)), port=int(port), log_level="error")
