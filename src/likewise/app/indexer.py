"""Reads the pictures of a folder in a process of its own: index, then vectors, again and again for new ones."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from likewise.app.child_process import lower_priority
from likewise.app.location import Location
from likewise.app.stacking import look_for_stacks
from likewise.images.catalog import open_catalog
from likewise.images.distributed import recipe_on_dask
from likewise.images.faces import is_of_faces
from likewise.images.indexing import index, open_index
from likewise.images.inside import A_LINK, is_inside
from likewise.images.reading import UnreadableImage
from likewise.images.vectors import Recipe, recipe
from likewise.machines import ClusterError
from likewise.store import Project, Vectors

FIRST_NICE, NICE = 5, 10  # below the server and, once there is something to ask about, below the engine
FIRST_CHUNK, CHUNK = 32, 64  # pictures embedded before the next report
FIRST_POLL, POLL_SECONDS = 0.05, 0.5
RESCAN_SECONDS, LONGEST_PAUSE = 30.0, 600.0
GROWTH = 1.2  # those that look alike are looked for when there are so many times more, and at the end


def run_indexer(pipe: Connection, location: Location, pictures: str, dask: str | None = None) -> None:
    """The indexer's process: report how far it is, look for new pictures from time to time, until it is ended."""
    lower_priority(FIRST_NICE)
    with location.open_store() as store:
        indexer = make_indexer(location.project_of(store), location, Path(pictures), pipe.send, dask)
        while True:
            try:
                indexer.scan()
                if pipe.poll(indexer.pause):
                    pipe.recv()  # somebody wants it now
            except (ConnectionError, EOFError):  # the server is gone
                return
            except (OSError, ValueError, RuntimeError) as error:
                pipe.send({"state": "problem", "text": str(error)})
                time.sleep(RESCAN_SECONDS)


def make_indexer(
    project: Project,
    location: Location,
    pictures: Path,
    report: Callable[[dict[str, Any]], None],
    dask: str | None = None,
) -> Indexer:
    """The indexer of a project: of whole pictures, or of the faces in them."""
    if not is_of_faces(location.model):
        return Indexer(project, location, pictures, report, dask)
    from likewise.app.face_indexer import FaceIndexer

    return FaceIndexer(project, location, pictures, report)


class Indexer:
    """Brings a project's items and vectors up to date with a folder.

    - `project`: Gives the items their ids.
    - `location`: Where it is; catalogue, thumbnails and vectors are kept there too.
    - `pictures`: The folder of pictures, never written to.
    - `report`: Called with ``state`` (``reading`` or ``done``), ``done``, ``total`` and ``rate``.
    - `dask`: Address of a Dask scheduler whose workers compute the vectors.
    """

    def __init__(
        self,
        project: Project,
        location: Location,
        pictures: Path,
        report: Callable[[dict[str, Any]], None],
        dask: str | None = None,
    ) -> None:
        self.project = project
        self.location = location
        self.pictures = pictures
        self.report = report
        self._here = _recipe_of(location.model)
        self._wanted = self._here if dask is None or self._here is None else recipe_on_dask(dask, location.model)
        self._recipe = self._wanted
        self._without: set[str] = set()  # names of pictures for which no vector was given, where none is computed
        self._is_low = False
        self._total = 0
        self._embedded = 0
        self._start = 0.0
        self._n_stacked = 0  # pictures among which those that look alike were looked for
        self._looked = 0.0  # when it had looked through the folder and began to read
        self._seen: dict[str, str] = {}  # name and content of what is indexed, with a vector or in the queue
        self._own: set[bytes] = set()  # paths of items with a vector of their own
        self._queue: dict[bytes, Path] = {}  # by content: pictures that are indexed and have no vector

    @property
    def pause(self) -> float:
        """Seconds until the next scan: a folder that takes long to look through is looked through more rarely.

        The time for reading pictures does not count, so that one that takes very long holds up no later one.
        """
        return min(max(RESCAN_SECONDS, 20 * (self._looked - self._start)), LONGEST_PAUSE)

    def scan(self) -> None:
        """Index the folder, and embed what is indexed while the rest is still being read."""
        self._start, self._looked, self._embedded = time.monotonic(), 0.0, 0
        self._seen.clear()
        self._recipe = self._wanted
        problems: list[Exception] = []

        def read() -> None:
            try:
                index(self.pictures, project=self.location.folder, progress=self._count, numbering=self.project)
            except (OSError, ValueError, RuntimeError) as error:
                problems.append(error)
            self._looked = self._looked or time.monotonic()  # there was nothing to read

        reader = threading.Thread(target=read, name="index")
        reader.start()  # the network is loaded meanwhile
        own = set(self._vectors().own().tolist())
        self._own = {path for path, item in self.project.whole_pictures().items() if item in own}
        while reader.is_alive():
            reader.join(POLL_SECONDS if self._embedded >= FIRST_CHUNK else FIRST_POLL)
            self._work()
        if problems:
            raise problems[0]
        self.project.forget_states()
        while self._work():
            pass
        self._look_for_stacks()
        self._report("done")
        if self._without:
            text = f"{len(self._without)} pictures have no vector under {self.location.model!r}: import theirs too"
            self.report({"state": "problem", "text": text})

    def _count(self, done: int, total: int | None) -> None:
        if total is not None and not self._looked:
            self._looked = time.monotonic()
        self._total = total if total is not None else max(self._total, done)

    def _work(self) -> bool:
        """Embed the next pictures that are indexed; whether there were any."""
        at_once = CHUNK if self._recipe is None else self._recipe.chunk or CHUNK
        if len(self._queue) < at_once:
            self._find_new()
        is_first = self._embedded < FIRST_CHUNK  # no more than the first question needs
        size = min(len(self._queue), FIRST_CHUNK - self._embedded if is_first else at_once)
        if not size or self._recipe is None:
            return False
        chunk = {content: self._queue.pop(content) for content in list(self._queue)[:size]}
        content_of = {os.fspath(path): content for content, path in chunk.items()}
        links = [path for path in chunk.values() if not is_inside(self.pictures, path)]
        failed = [UnreadableImage(path, A_LINK, lasting=False) for path in links]
        chunk = {content: path for content, path in chunk.items() if path not in links}
        self._make(chunk, failed)
        if failed:
            with open_catalog(Path(self.location.folder)) as catalog:
                for error in failed:
                    catalog.fail(content_of[os.fsdecode(error.path)], error.reason, lasting=error.lasting)
        if not self._is_low:
            self._is_low = True
            lower_priority(NICE - FIRST_NICE)
        self._embedded += size
        n_done = len(self._seen) - len(self._queue)
        if self._embedded >= FIRST_CHUNK and n_done >= GROWTH * self._n_stacked:
            self._look_for_stacks()
        self._report("reading")
        return True

    def _look_for_stacks(self) -> None:
        """Find copies and pictures of one moment; pictures can be asked about without that too."""
        self._n_stacked = len(self._seen) - len(self._queue)
        try:
            look_for_stacks(Path(self.location.folder), self._vectors())
        except (OSError, ValueError) as error:
            self.report({"state": "problem", "text": f"Copies of pictures could not be looked for: {error}"})

    def _make(self, chunk: dict[bytes, Path], failed: list[UnreadableImage]) -> None:
        """Make and keep what is asked about of some pictures, by content: a vector each."""
        rows = self._compute(list(chunk.values()), failed)
        self._vectors().put_contents(list(chunk), rows)

    def _is_made(self, names: list[str], contents: list[bytes]) -> Sequence[bool]:
        """Whether it is there already for each of some pictures that are new in this scan."""
        known: list[bool] = self._vectors().has_contents(contents).tolist()
        return known

    def _compute(self, paths: list[Path], failed: list[UnreadableImage]) -> NDArray[Any]:
        """The vectors of pictures; on this machine until the next scan, when the others are gone."""
        assert self._recipe is not None
        assert self._here is not None
        try:
            return self._recipe.compute(paths, on_error=failed.append)
        except ClusterError as error:
            self.report({"state": "problem", "text": f"{error}. Pictures are read on this machine meanwhile."})
            self._recipe = self._here
            return self._here.compute(paths, on_error=failed.append)

    def _vectors(self) -> Vectors:
        how = self._recipe
        if how is None:
            return self.project.vectors(self.location.model)
        return self.project.vectors(how.key, how.dimension, dtype=how.dtype, write=True)

    def _find_new(self) -> None:
        """Queue the pictures that are newly indexed and have no vector, in the order of their ids."""
        try:
            found = open_index(self.location.folder)
        except (OSError, ValueError):  # the index is just being made
            return
        indexed = enumerate(zip(found.names, found.contents, strict=True))
        new = [k for k, (name, content) in indexed if self._seen.get(name) != content]
        contents = [bytes.fromhex(found.contents[k]) for k in new]
        known = self._is_made([found.names[k] for k in new], contents)
        for k, content, is_known in zip(new, contents, known, strict=True):
            self._seen[found.names[k]] = found.contents[k]
            if is_known or os.fsencode(found.names[k]) in self._own:
                self._without.discard(found.names[k])
            elif self._recipe is None:
                self._without.add(found.names[k])
            else:
                self._queue.setdefault(content, found.paths[k])

    def _report(self, state: str) -> None:
        seconds = max(time.monotonic() - self._start, 1e-6)
        total = max(self._total, len(self._seen))
        done = len(self._seen) - len(self._queue) - len(self._without)
        rate = self._embedded / seconds
        self.report({"state": state, "done": done, "total": total, "rate": round(rate, 1)})


def _recipe_of(model: str) -> Recipe | None:
    """How vectors are computed, or None where they were imported under a name of their own."""
    try:
        return recipe(model)
    except ValueError:
        return None
