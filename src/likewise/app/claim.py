"""The claim of this process on a project, watched while the project is served."""

from __future__ import annotations

import threading
from collections.abc import Callable

from likewise.store import ProjectInUseError, StoreError
from likewise.store.process_lock import ProcessLock

POLL_SECONDS = 0.5


class Claim:
    """Looks again and again whether the lock is still ours; where another process has it, nothing is served any more.

    A lock in PostgreSQL goes with its connection, one in a folder with its file. It is taken again at once where nobody
    else has it.

    - `lock`: What only one process has.
    - `tell`: Is told in one sentence when it is lost for good.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from likewise.store.process_lock import FileLock
    >>> claim = Claim(FileLock(Path(tempfile.mkdtemp()) / "likewise.lock", "the project"), print)
    >>> claim.require()
    >>> claim.release()
    """

    def __init__(self, lock: ProcessLock, tell: Callable[[str], None]) -> None:
        self.lost = ""
        self.listeners = [tell]
        self._lock = lock
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self) -> None:
        """Begin to look, in a thread of its own."""
        self._thread = threading.Thread(target=self._watch, name="claim", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Look once."""
        try:
            self._lock.keep()
        except ProjectInUseError as error:
            self.lost = f"{error}, which took it while the connection to it was lost: this server has stopped"
            self._ended.set()
            for tell in self.listeners:
                tell(self.lost)
        except StoreError:  # the database is away: nothing can be stored meanwhile, and it is tried again
            pass

    def require(self) -> None:
        """Refuse to go on where another process has the project."""
        if self.lost:
            raise ProjectInUseError(self.lost)

    def release(self) -> None:
        """Let another process have it."""
        self._ended.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._lock.release()

    def _watch(self) -> None:
        while not self._ended.wait(POLL_SECONDS):
            self.look()
