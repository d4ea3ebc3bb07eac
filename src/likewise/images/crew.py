"""A crew of worker processes that read pictures, and go on when one of them dies of a picture."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any, TypeAlias

from likewise.images.worker import failure, process

__all__ = ["default_workers", "read_all"]

Request: TypeAlias = tuple[int, str]
Result: TypeAlias = dict[str, Any]
WORKER = ("-m", "likewise.images.worker")
TIME_LIMIT = 60.0
AHEAD = 4  # requests a worker, given out before the first answer is needed


def default_workers() -> int:
    """Give one worker for every processor this process may use, at most eight."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, 8)


def read_all(
    requests: Iterable[Request], folder: Path, cache: Path, workers: int, time_limit: float = TIME_LIMIT
) -> Generator[Result, None, None]:
    """Read many pictures at once, holding no more of them than the workers need.

    - `requests`, iterable of (id, relative path): What to read; taken from only as fast as the results are.
    - `folder`, `cache`: Where the pictures are and where thumbnails go.
    - `workers`: Number of processes; 0 reads in this one.
    - `time_limit`: Seconds after which a picture is given up.
    - Yields: Results as of :func:`likewise.images.worker.process`, in the order in which they are ready.
    """
    if workers == 0:
        for number, path in requests:
            yield process(number, path, os.fspath(folder), cache)
        return
    crew = _Crew(folder, cache, workers, time_limit)
    try:
        waiting = 0
        for request in requests:
            crew.give(request)
            waiting += 1
            if waiting >= AHEAD * workers:
                yield crew.take()
                waiting -= 1
        for _ in range(waiting):
            yield crew.take()
    finally:
        crew.close()


class _Crew:
    """Threads that each feed one process; requests go in and results come out through queues."""

    def __init__(self, folder: Path, cache: Path, workers: int, time_limit: float) -> None:
        self.command = [sys.executable, "-P", *WORKER, os.fspath(cache), os.fspath(folder)]
        self.folder = os.fspath(folder)
        self.workers = workers
        self.time_limit = time_limit
        self.requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self.results: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()
        self.members: list[_Member] = []

    def give(self, request: Request) -> None:
        # One more process for every few requests, so that ten new pictures do not start eight of them.
        if len(self.members) < self.workers and self.requests.qsize() >= len(self.members):
            self.members.append(_Member(self))
        self.requests.put(request)

    def take(self) -> Result:
        while True:
            for member in self.members:
                member.kill_if_late()
            try:
                result = self.results.get(timeout=min(1.0, self.time_limit))
            except queue.Empty:
                continue
            if isinstance(result, BaseException):
                raise result
            if "error" in result:
                raise OSError(f"a thumbnail could not be written: {result['error']}")
            return result

    def close(self) -> None:
        for member in self.members:
            self.requests.put(None)
            member.kill_if_busy()
        for member in self.members:
            member.thread.join()


class _Member:
    """One thread and the process it feeds, started anew after it died."""

    def __init__(self, crew: _Crew) -> None:
        self.crew = crew
        self.process: subprocess.Popen[bytes] | None = None
        self.since: float | None = None  # when the picture at work was begun
        self.closing = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def kill_if_late(self) -> None:
        process, since = self.process, self.since
        if process is not None and since is not None and time.monotonic() - since > self.crew.time_limit:
            process.kill()

    def kill_if_busy(self) -> None:
        self.closing = True
        process = self.process
        if process is not None and self.since is not None:
            process.kill()

    def _run(self) -> None:
        try:
            for request in iter(self.crew.requests.get, None):
                if self.closing:
                    continue
                self.crew.results.put(self._ask(request))
        except BaseException as error:
            self.crew.results.put(error)
        finally:
            if self.process is not None:
                _stop(self.process)

    def _ask(self, request: Request) -> Result:
        if self.process is None:
            self.process = _start(self.crew.command)
        worker = self.process
        assert worker.stdin is not None
        assert worker.stdout is not None
        status = self._status(request[1])
        self.since = begun = time.monotonic()
        try:
            worker.stdin.write(json.dumps(request).encode() + b"\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
        except OSError:
            line = b""
        self.since = None
        if line.endswith(b"\n"):
            answer: Result = json.loads(line)
            return answer
        _stop(worker)
        self.process = None
        late = time.monotonic() - begun > self.crew.time_limit
        if late:  # remembered until the file changes: to try again would hold up the others again
            return failure(request[0], f"it took longer than {self.crew.time_limit:g} seconds", status)
        return failure(request[0], "the decoder crashed", None)

    def _status(self, path: str) -> os.stat_result | None:
        try:
            return os.lstat(os.path.join(self.crew.folder, path))
        except OSError:
            return None


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    # A plain new interpreter: forking a process with threads is unsafe, and spawning through multiprocessing
    # would run the caller's script once more. In its own session it is not hit by Ctrl-C, but ended by its owner.
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", PYTHONWARNINGS="ignore")
    environment["PYTHONPATH"] = os.pathsep.join(each for each in sys.path if each)
    worker = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    assert worker.stdout is not None
    assert worker.stderr is not None
    if worker.stdout.readline() != b"ready\n":
        lines = worker.stderr.read().decode(errors="replace").strip().splitlines()
        _stop(worker)
        raise RuntimeError(f"a worker process did not start: {lines[-1] if lines else 'no reason given'}")
    return worker


def _stop(worker: subprocess.Popen[bytes]) -> None:
    for pipe in (worker.stdin, worker.stdout, worker.stderr):
        if pipe is not None:
            # What was left for a process that died cannot be delivered.
            with contextlib.suppress(OSError):
                pipe.close()
    worker.wait()
