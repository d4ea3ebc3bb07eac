"""``likewise photos/`` on 600 pictures: seconds to the first question, and the longest silence of the terminal until then.

``python -m benchmarks.speed.first_question``: with a cache folder that is empty (no network, no compiled kernels, as after the installation), with one that
is not, and for a project that is opened again. Seconds of processors, of all processes, stand beside seconds of the clock, which other programs change;
under ``chrt -r 1`` (kept as ``"before others"``) it runs before all of them, as on a machine that is idle.
"""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.record import data_folder, keep
from likewise.datasets import load_folder

PATH = Path(__file__).with_suffix(".json")
CONFIG = {"pictures": 600, "rounds": 2}
LONGEST = 120.0
TICKS = os.sysconf("SC_CLK_TCK")


class Terminal:
    """Runs a command in a terminal of its own and notes when it printed something."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.began = time.perf_counter()
        self.times: list[float] = []
        self.text = b""
        handle, inner = pty.openpty()
        self._handle = handle
        self.process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
        )
        os.close(inner)
        threading.Thread(target=self._listen, daemon=True).start()

    def wait_for(self, state: Callable[[], bool]) -> None:
        """Wait until something holds; an error where the command ends before."""
        while not state():
            if self.process.poll() is not None or time.perf_counter() - self.began > LONGEST:
                raise RuntimeError(f"it did not start: {self.text.decode()}")
            time.sleep(0.01)

    def silence(self, end: float) -> float:
        """The longest time in which nothing was printed, from the start to a moment."""
        marks = [0.0, *(each for each in self.times if each < end), end]
        return max(after - before for before, after in pairwise(marks))

    def stop(self) -> None:
        """End the command, as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)

    def _listen(self) -> None:
        while True:
            try:
                piece = os.read(self._handle, 4096)
            except OSError:  # the command has ended
                return
            self.times.append(time.perf_counter() - self.began)
            self.text += piece


def processor_seconds(root: int) -> float:
    """Seconds that a process, those it started and those that these did have used."""
    children: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
            used[int(entry.name)] = sum(map(int, fields[11:15])) / TICKS
    found, waiting = 0.0, [root]
    while waiting:
        each = waiting.pop()
        found += used.get(each, 0.0)
        waiting += children.get(each, [])
    return found


def first_question(folder: Path, project: Path, cache: Path) -> dict[str, Any]:
    """Start the command, ask for a question until there is one, end it."""
    from likewise.client import Client

    command = [str(Path(sys.executable).with_name("likewise")), str(folder), "--project", str(project)]
    environment = {**os.environ, "LIKEWISE_CACHE": str(cache), "NUMBA_CACHE_DIR": str(cache / "numba")}
    (project / "server.json").unlink(missing_ok=True)
    terminal = Terminal([*command, "--no-browser", "--port", "0"], environment)
    try:
        terminal.wait_for(lambda: b"join#" in terminal.text)
        address = time.perf_counter() - terminal.began
        told = project / "server.json"  # which has the token before, and the address when the server is up
        terminal.wait_for(lambda: told.exists() and "address" in told.read_text())
        client = Client.of_folder(project, annotator="ann", timeout=LONGEST)
        while "items" not in client._get("question", annotator="ann"):
            time.sleep(0.05)
        seconds = time.perf_counter() - terminal.began
        processors = processor_seconds(terminal.process.pid)
        ready = client.project()["n_ready"]
    finally:
        terminal.stop()
    return {
        "seconds_to_the_address": address,
        "seconds_to_the_question": seconds,
        "processor_seconds": processors,
        "longest_silence": terminal.silence(seconds),
        "pictures_then": ready,
        "load": os.getloadavg()[0],
    }


def copies(to: Path) -> Path:
    """Pictures of all classes in one folder."""
    source = data_folder("images", "flowers-17")
    if source is None:
        raise SystemExit(1)
    paths = load_folder(source).paths or []
    to.mkdir()
    for path in paths[:: len(paths) // CONFIG["pictures"]][: CONFIG["pictures"]]:
        shutil.copy(path, to / path.name)
    return to


def main() -> None:
    results: dict[str, list[dict[str, Any]]] = {"empty cache": [], "new project": [], "opened again": []}
    with TemporaryDirectory(ignore_cleanup_errors=True) as work:
        folder = copies(Path(work, "pictures"))
        for k in range(CONFIG["rounds"]):
            cache = Path(work, f"cache-{k}")
            for name, project in (("empty cache", "a"), ("new project", "b"), ("opened again", "b")):
                results[name].append(first_question(folder, Path(work, f"{project}-{k}"), cache))
                print(name, {what: round(value, 2) for what, value in results[name][-1].items()}, flush=True)
    first = os.sched_getscheduler(0) == os.SCHED_RR
    keep(PATH, config={**CONFIG, "priority": "before others" if first else "as others"}, results=results)


if __name__ == "__main__":
    main()
