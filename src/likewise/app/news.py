"""News for everyone who listens, from any thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

MAX_WAITING = 64  # news kept for a listener that does not read; then the oldest go


class News(NamedTuple):
    """Something that happened, by its name."""

    name: str
    data: dict[str, Any]


class Listener(NamedTuple):
    """Somebody who listens: their queue, the names they listen to (None for all), and what wakes them."""

    queue: queue.Queue[News]
    names: Collection[str] | None
    wake: Callable[[], None]


class Stream:
    """Passes news on to all listeners; a slow one loses the oldest and never holds up the others.

    Examples
    --------
    >>> stream = Stream()
    >>> with stream.listen() as news:
    ...     stream.publish("clusters", {"version": 3})
    ...     news.get()
    News(name='clusters', data={'version': 3})
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a signal may close it while its own thread publishes
        self._listeners: list[Listener] = []
        self.closed = False

    def close(self) -> None:
        """End it: listeners are woken and find it closed."""
        self.closed = True
        with self._lock:
            for listener in self._listeners:
                listener.wake()

    def publish(self, name: str, data: dict[str, Any]) -> None:
        """Pass news on to everyone who listens to its name."""
        with self._lock:
            for listener in self._listeners:
                if listener.names is not None and name not in listener.names:
                    continue
                if listener.queue.full():
                    listener.queue.get_nowait()
                listener.queue.put_nowait(News(name, data))
                listener.wake()

    @contextmanager
    def listen(
        self, names: Collection[str] | None = None, wake: Callable[[], None] = lambda: None
    ) -> Iterator[queue.Queue[News]]:
        """A queue of the news of some names, or of all; `wake` is called, in any thread, when there are some."""
        listener = Listener(queue.Queue(MAX_WAITING), names, wake)
        with self._lock:
            self._listeners.append(listener)
        try:
            yield listener.queue
        finally:
            with self._lock:
                self._listeners = [each for each in self._listeners if each is not listener]
