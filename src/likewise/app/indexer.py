"""Reads the pictures of a folder in a process of its own: index, then vectors, again and again for new ones."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from likewise.app.location import Location
from likewise.images.embedding import embed, load_embedder
from likewise.images.indexing import index, open_index
from likewise.images.reading import UnreadableImage
from likewise.store import Project, Vectors

FIRST_NICE, NICE = 5, 10  # below the server and, once there is something to ask about, below the engine
FIRST_CHUNK, CHUNK = 32, 64  # pictures embedded before the next word is given
POLL_SECONDS = 0.5
RESCAN_SECONDS = 30.0


def run_indexer(pipe: Connection, location: Location, pictures: str) -> None:
    """The indexer's process: report how far it is, look for new pictures from time to time, until it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the server ends this one
    os.nice(FIRST_NICE)
    with location.open_store() as store:
        indexer = Indexer(location.project_of(store), location, Path(pictures), pipe.send)
        while True:
            start = time.monotonic()
            try:
                indexer.scan()
                # a folder that takes long to look through is looked through more rarely
                if pipe.poll(max(RESCAN_SECONDS, 20 * (time.monotonic() - start))) and pipe.recv() == "stop":
                    return
            except (ConnectionError, EOFError):  # the server is gone
                return
            except (OSError, ValueError, RuntimeError) as error:
                pipe.send({"state": "problem", "text": str(error)})
                time.sleep(RESCAN_SECONDS)


class Indexer:
    """Brings a project's images and vectors up to date with a folder.

    Parameters
    ----------
    project : Project
        Gets the images and vectors.
    location : Location
        Where it is; the index and thumbnails are kept there too.
    pictures : path
        The folder of pictures, never written to.
    report : callable
        Called with ``state`` (``reading`` or ``done``), ``done``, ``total``, ``skipped``, ``rate``.
    """

    def __init__(
        self, project: Project, location: Location, pictures: Path, report: Callable[[dict[str, Any]], None]
    ) -> None:
        self.project = project
        self.location = location
        self.pictures = pictures
        self.report = report
        self._embedder = load_embedder(location.model)
        self._is_low = False
        self._total = 0
        self._embedded = 0
        self._start = 0.0
        self._position: dict[str, int] = {}
        self._queue: deque[tuple[int, Path]] = deque()  # pictures that are indexed and have no vector

    def scan(self) -> None:
        """Index the folder, and embed what is indexed while the rest is still being read."""
        self._start, self._embedded = time.monotonic(), 0
        problems: list[Exception] = []

        def read() -> None:
            try:
                index(self.pictures, project=self.location.folder, progress=self._count)
            except (OSError, ValueError, RuntimeError) as error:
                problems.append(error)

        reader = threading.Thread(target=read, name="index")
        reader.start()
        while reader.is_alive():
            reader.join(POLL_SECONDS)
            self._work()
        if problems:
            raise problems[0]
        while self._work():
            pass
        self._mark_gone()
        self._tell("done")

    def _count(self, done: int, total: int | None) -> None:
        self._total = total if total is not None else max(self._total, done)

    def _work(self) -> bool:
        """Embed the next pictures that are indexed; whether there were any."""
        if len(self._queue) < CHUNK:
            self._take_in()
        size = min(len(self._queue), CHUNK if self._embedded else FIRST_CHUNK)
        if not size:
            return False
        positions, paths = zip(*(self._queue.popleft() for _ in range(size)), strict=True)
        failed: list[UnreadableImage] = []
        vectors = embed(paths, self._embedder, on_error=failed.append)
        with self._vectors(write=True) as kept:
            kept.put(positions, vectors)
        reasons = {Path(os.fsdecode(error.path)): error.reason for error in failed}
        self.project.update_images(
            {
                at: {"status": "unreadable", "reason": reasons[path]}
                for at, path in zip(positions, paths, strict=True)
                if path in reasons
            }
        )
        if not self._is_low:
            self._is_low = True
            os.nice(NICE - FIRST_NICE)
        self._embedded += size
        self._tell("reading")
        return True

    def _vectors(self, *, write: bool = False) -> Vectors:
        return self.project.vectors(
            self.location.model, self._embedder.dimension, about={"model": self.location.model}, write=write
        )

    def _take_in(self) -> None:
        """Give positions to pictures that are newly indexed, in the order in which they were found."""
        try:
            found = open_index(self.location.folder)
        except (OSError, ValueError):  # the index is just being made
            return
        new = [k for k, name in enumerate(found.names) if name not in self._position]
        if not new:
            return
        positions = self.project.add_images([found.names[k] for k in new])
        self.project.update_images(
            {
                at: {"status": "present", "width": int(found.sizes[k][0]), "height": int(found.sizes[k][1])}
                for at, k in zip(positions, new, strict=True)
            }
        )
        try:
            present = self._vectors().present()
        except FileNotFoundError:
            present = np.zeros(0, bool)
        for at, k in zip(positions, new, strict=True):
            self._position[found.names[k]] = at
            if at >= len(present) or not present[at]:
                self._queue.append((at, found.paths[k]))

    def _mark_gone(self) -> None:
        """Pictures that are not in the folder any more keep their place and their answers, and rest."""
        names = set(open_index(self.location.folder).names)
        gone = [image.position for image in self.project.images("present") if image.path not in names]
        self.project.update_images({at: {"status": "gone"} for at in gone})
        self._position = {name: at for name, at in self._position.items() if name in names}

    def _tell(self, state: str) -> None:
        seconds = max(time.monotonic() - self._start, 1e-6)
        total = max(self._total, len(self._position))
        done = len(self._position) - len(self._queue)
        rate = self._embedded / seconds
        self.report({"state": state, "done": done, "total": total, "rate": round(rate, 1)})
