"""Pictures by id, in three sizes; and the process that reads them."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

from likewise.app.child_process import ChildProcess
from likewise.app.edits import NotThereError
from likewise.app.face_pictures import open_face
from likewise.app.indexer import run_indexer
from likewise.app.live import LiveProject
from likewise.images.indexing import Index, open_index
from likewise.images.inside import open_inside
from likewise.images.name_tile import draw_name

FOR_BROWSERS = ("JPEG", "PNG", "WEBP", "GIF", "BMP")  # of others the preview is sent, in full size too
Size: TypeAlias = Literal["thumb", "preview", "full", "photograph"]
SIDES = {
    "thumb": 256,
    "preview": 1024,
    "full": 1024,
    "photograph": 1024,
}  # of the tile that stands for a thing without a picture


class Pictures:
    """The pictures of the project that is served, kept up to date by a process of its own.

    - `live`: Gets reports on how far the reading is.
    - `folder`: The folder of pictures, never written to.
    - `dask`: Address of a Dask scheduler whose workers compute the vectors.
    """

    def __init__(self, live: LiveProject, folder: Path, dask: str | None = None) -> None:
        self.live = live
        self.folder = folder
        self.state: dict[str, Any] = {"state": "reading", "done": 0, "total": 0, "rate": 0.0}
        self._lock = threading.Lock()
        self._starting = threading.Lock()
        self._is_started = False
        self._index: Index | None = None
        self._rows: dict[str, int] = {}
        self._process = ChildProcess(
            "the reading of pictures",
            run_indexer,
            (live.location, os.fspath(folder), dask),
            self._take,
            lambda text: self._take({"state": "problem", "text": text}),
            daemon=False,  # the index starts processes of its own
        )

    def start(self) -> None:
        """Start the project's engine and the process that reads, once: who comes second waits for the first."""
        with self._starting:
            if not self._is_started:
                self.live.start()
                self._process.start()
                self._is_started = True

    def stop(self) -> None:
        """End it; what it has read is kept."""
        self._process.stop(5)

    def look(self) -> None:
        """Look for new pictures now, and not only from time to time."""
        self._process.send("look")

    def open(self, image: int, size: Size) -> BinaryIO:
        """The file to send, open: a thumbnail, a preview, or the picture itself; of a face, also its photograph.

        It is opened without following any link: what was put in place of a picture since is not sent.
        """
        item = self.live.project.item(image)
        if item.region is not None and size != "photograph":
            return open_face(self.folder, Path(self.live.location.folder), item, size)
        name = item.path
        index = self._current(name)
        row = self._rows.get(name)
        if row is None and self.is_thing(image):
            return draw_name(name, SIDES[size])
        if row is None:
            raise NotThereError(f"picture {image} is not in the folder any more")
        if size == "full" and index.formats[row] in FOR_BROWSERS:
            return open_inside(self.folder, name)
        number = int(index.ids[row])
        path = index.thumbnail(number) if size == "thumb" else index.preview(number)
        return open_inside(index.project, os.path.relpath(path, index.project))

    def is_original(self, image: int) -> bool:
        """Whether the picture itself is sent in full size: browsers show no raw, HEIC or TIFF files."""
        item = self.live.project.item(image)
        row = None if item.region is not None or self.is_thing(image) else self._rows.get(item.path)
        return row is not None and self._index is not None and self._index.formats[row] in FOR_BROWSERS

    def is_thing(self, image: int) -> bool:
        """Whether it is a thing without a picture: a name that was imported and never led to a file."""
        item = self.live.project.item(image)
        return item.content is None and item.status in ("gone", "present")

    def skipped(self) -> list[dict[str, str]]:
        """What could not be read, with reasons."""
        try:
            found = open_index(self.live.location.folder).skipped
        except (OSError, ValueError):
            return []
        return [{"path": each.path.decode("utf-8", "replace"), "reason": each.reason} for each in found]

    def _current(self, name: str) -> Index:
        """The index, read again when a picture is not in it yet."""
        with self._lock:
            if self._index is None or name not in self._rows:
                self._index = open_index(self.live.location.folder)
                self._rows = {each: row for row, each in enumerate(self._index.names)}
            return self._index

    def _take(self, report: dict[str, Any]) -> None:
        if report["state"] == "problem":
            self.live.problem = report["text"]
            self.live.stream.publish("problem", report)
            return
        self.state = report
        self.live.indexing(report)
