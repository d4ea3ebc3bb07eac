"""A lock that is given in the order in which it was asked for."""

from __future__ import annotations

import threading
from collections import deque

__all__ = ["FairLock"]


class FairLock:
    """A lock for threads that is given in the order of asking: one answer does not wait for all of a long import.

    A plain lock goes to whoever asks at the right moment, which is nearly always the thread that has just
    released it.

    Examples
    --------
    >>> lock = FairLock()
    >>> with lock:
    ...     "alone"
    'alone'
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        with self._guard:
            if not self._taken:
                self._taken = True
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        try:
            turn.acquire()  # returns when the one before hands over
        except BaseException:
            self._leave(turn)
            raise

    def __exit__(self, *error: object) -> None:
        with self._guard:
            self._hand_over()

    def _hand_over(self) -> None:
        if self._waiting:
            self._waiting.popleft().release()
        else:
            self._taken = False

    def _leave(self, turn: threading.Lock) -> None:
        with self._guard:
            if turn in self._waiting:
                self._waiting.remove(turn)
            else:  # handed over in the same moment
                self._hand_over()
