"""One line at the foot of the terminal that says what is going on, and for how long."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.console import Console

    from likewise.app.live import LiveProject

EVERY = 0.2  # seconds
CLEAR = "\r\x1b[K"


class StatusLine:
    """Rewrites its line a few times a second until it is ended; where there is no terminal, nothing is written.

    The cursor stays at the beginning of the line: what others print meanwhile takes its place.

    - `console`, rich.console.Console: Where to write.
    - `text`: What is going on at first.
    """

    def __init__(self, console: Console, text: str) -> None:
        self._console = console
        self._text = text
        self._began = time.monotonic()
        self._ended = threading.Event()
        self._is_shown = console.is_terminal and not console.legacy_windows

    def __enter__(self) -> Self:
        if self._is_shown:
            threading.Thread(target=self._keep_writing, name="status line", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.end()

    def say(self, text: str) -> None:
        """Something else is going on."""
        self._text = text

    def end(self, text: str = "") -> None:
        """Take the line away, and leave a last word."""
        if not self._ended.is_set():
            self._ended.set()
            if self._is_shown:
                self._write(CLEAR + (f"{text}\n" if text else ""))

    def clear(self) -> None:
        """Make room for something that is printed now."""
        if self._is_shown and not self._ended.is_set():
            self._write(CLEAR)

    def follow(self, live: LiveProject) -> None:
        """Say how far a project is that is being started, until somebody can be asked; in a thread of its own."""
        threading.Thread(target=self._follow, args=[live], name="status of the start", daemon=True).start()

    def _follow(self, live: LiveProject) -> None:
        while not self._ended.wait(EVERY):
            if live.queue.is_ready:
                self.end(f"The first question is there, after {time.monotonic() - self._began:.0f} s.")
            else:
                self.say(describe_start(live.index_state))

    def _keep_writing(self) -> None:
        while not self._ended.is_set():
            line = f"{self._text} … {time.monotonic() - self._began:.0f} s"
            self._write(f"{CLEAR}{line[: max(self._console.width - 1, 1)]}\r")
            self._ended.wait(EVERY)

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()


def describe_start(reading: dict[str, object]) -> str:
    """What is going on before the first question, by how far the reading of pictures is.

    Examples
    --------
    >>> describe_start({"state": "reading", "done": 0, "total": 0})
    'Reading the first pictures'
    >>> describe_start({"state": "reading", "done": 32, "total": 600})
    'Preparing the first question, 32 of 600 pictures are read'
    """
    if not reading["done"]:
        return "Reading the first pictures"
    return f"Preparing the first question, {reading['done']} of {reading['total']} pictures are read"
