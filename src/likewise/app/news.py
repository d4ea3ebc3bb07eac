"""News for everyone who listens: server-sent events."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

WAITING = 64  # news kept for a listener that does not read; then the oldest go


class Stream:
    """Passes news on to all listeners; a slow one loses the oldest, never holds up the others.

    Examples
    --------
    >>> stream = Stream()
    >>> with stream.listen() as news:
    ...     stream.publish("clusters", {"version": 3})
    ...     news.get()
    'event: clusters\\ndata: {"version": 3}\\n\\n'
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: list[tuple[queue.Queue[str], Collection[str] | None]] = []
        self.closed = False

    def close(self) -> None:
        """Nothing more will be told: listeners may go."""
        self.closed = True

    def publish(self, name: str, data: dict[str, Any]) -> None:
        """Tell everyone."""
        text = f"event: {name}\ndata: {json.dumps(data)}\n\n"
        with self._lock:
            for listener, heard in self._listeners:
                if heard is not None and name not in heard:
                    continue
                if listener.full():
                    listener.get_nowait()
                listener.put_nowait(text)

    @contextmanager
    def listen(self, heard: Collection[str] | None = None) -> Iterator[queue.Queue[str]]:
        """A queue of what is published while it is listened to: all of it, or the news of some names."""
        mine: queue.Queue[str] = queue.Queue(WAITING)
        entry = (mine, heard)
        with self._lock:
            self._listeners.append(entry)
        try:
            yield mine
        finally:
            with self._lock:
                self._listeners = [each for each in self._listeners if each[0] is not mine]
