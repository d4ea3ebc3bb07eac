"""Who signed out: a cookie that was given back opens nothing any more, also after a restart."""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import suppress
from pathlib import Path

from likewise.images.private import write_private

FILE = "signed-out.jsonl"


class EndedSessions:
    """The numbers of sessions that people ended themselves, kept until their cookies would have ended anyway.

    - `folder`: The project folder; without one they are kept in memory only.

    Examples
    --------
    >>> ended = EndedSessions()
    >>> ended.end("1a2b", time.time() + 60)
    >>> "1a2b" in ended, "3c4d" in ended
    (True, False)
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._lock = threading.Lock()
        self._path = None if folder is None else folder / FILE
        self._ends = self._read()

    def __contains__(self, session: str) -> bool:
        with self._lock:
            return session in self._ends

    def end(self, session: str, ends: float) -> None:
        """End a session whose cookie is good until a time."""
        now = time.time()
        with self._lock:
            if session in self._ends or ends <= now:
                return
            self._ends = {each: until for each, until in self._ends.items() if until > now} | {session: ends}
            if self._path is not None:
                with suppress(OSError):  # a full disk: it has ended all the same, until the next start
                    write_private(self._path, "".join(f"{json.dumps(row)}\n" for row in self._ends.items()))

    def _read(self) -> dict[str, float]:
        found: dict[str, float] = {}
        if self._path is None or not os.path.isfile(self._path):
            return found
        with suppress(OSError), open(self._path, encoding="utf-8", errors="replace") as file:
            for line in file:
                with suppress(ValueError, TypeError):  # a damaged line is one session, not all
                    session, ends = json.loads(line)
                    if float(ends) > time.time():
                        found[str(session)] = float(ends)
        return found
