"""A folder as large as a photo library: what somebody who answers every half second waits, while pictures are still read and after.

``python -m benchmarks.speed.app_growth [FOLDER] [SECONDS] [MODEL]``: serves a folder with a folder for each class (CIFAR's 50,000 pictures)
as ``likewise FOLDER`` does, and answers by the names of the folders; for SECONDS while it is read, then for a hundred answers after
everything is there, then stops the server and starts it again. Pairs only.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.record import data_folder, keep

PATH = Path(__file__).with_suffix(".json")
EVERY = 0.5  # seconds from a question to its answer
AFTER = 100  # answers when everything was read
LONGEST = 7200.0  # seconds in which everything has to be read
POLL = 0.02


class Person:
    """Somebody who answers by the names of the folders, and counts how long the next question takes to come."""

    def __init__(self, project: Path) -> None:
        from likewise.client import Client

        self.client = Client.of_folder(project, annotator="ann", timeout=120)
        self.waits: list[float] = []
        self.sizes: list[int] = []

    def answer_one(self) -> bool:
        """Wait for a question, think, answer; whether there was one."""
        start = time.perf_counter()
        while "items" not in (view := self.client._get("question", annotator="ann")):
            if "waiting" not in view:
                return False
            time.sleep(POLL)
        self.waits.append(time.perf_counter() - start)
        time.sleep(EVERY)
        kinds = [item["name"].split("/")[0] for item in view["items"]]
        self.client.answer([item["id"] for item in view["items"]], "same" if kinds[0] == kinds[1] else "different")
        return True

    def summary(self, first: int = 0) -> dict[str, float]:
        """Waits from one of the answers on, in seconds."""
        waits = np.array(self.waits[first:])
        quantiles = {name: float(np.quantile(waits, q)) for name, q in (("median", 0.5), ("p95", 0.95), ("p99", 0.99))}
        return {"answers": len(waits), **quantiles, "longest": float(waits.max())}


def unpack(folder: Path) -> Path:
    """CIFAR's pictures."""
    packed = data_folder("images", "cifar-50k.tar.gz")
    if packed is None:
        raise SystemExit("images/cifar-50k.tar.gz is not below LIKEWISE_DATA")
    with tarfile.open(packed) as file:
        file.extractall(folder, filter="data")
    return folder


def serve(folder: Path, project: Path, model: str) -> subprocess.Popen[str]:
    """Start the server and wait until it can be reached."""
    likewise = str(Path(sys.executable).with_name("likewise"))
    command = [likewise, "serve", str(folder), "--project", str(project), "--no-browser", "--port", "0"]
    command += ["--model", model, "--forms", "pairs"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
    told = project / "server.json"
    while not told.exists() or "address" not in told.read_text():  # the token is there before
        if process.poll() is not None:
            raise RuntimeError("the server did not start")
        time.sleep(POLL)
    return process


def stop(process: subprocess.Popen[str], project: Path) -> None:
    process.terminate()
    process.wait(120)
    (project / "server.json").unlink(missing_ok=True)


def measure(folder: Path, project: Path, seconds: float, model: str) -> dict[str, Any]:
    """Serve, answer while pictures are read, and when all were; stop, start again."""
    began = time.perf_counter()
    process = serve(folder, project, model)
    person = Person(project)
    person.answer_one()
    found: dict[str, Any] = {"first_question_seconds": time.perf_counter() - began - EVERY}
    while time.perf_counter() - began < seconds and person.answer_one():
        pass
    view = person.client.project()
    found["while_read"] = {**person.summary(1), "pictures_then": view["n_ready"], "of": view["n_images"]}
    print(found, flush=True)
    while view["indexing"]["state"] == "reading" and time.perf_counter() - began < LONGEST:
        time.sleep(5)
        view = person.client.project()
    found["read_seconds"] = time.perf_counter() - began
    first = len(person.waits)
    for _ in range(AFTER):
        person.answer_one()
    found["all_read"] = {**person.summary(first), "pictures": person.client.project()["n_ready"]}
    print(found, flush=True)
    stop(process, project)
    began = time.perf_counter()
    process = serve(folder, project, model)
    Person(project).answer_one()
    found["restart_to_question_seconds"] = time.perf_counter() - began - EVERY
    stop(process, project)
    found["peak_mb_of_the_largest_process"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return found


def main() -> None:
    given = sys.argv[1:]
    seconds, model = float(given[1]) if len(given) > 1 else 600.0, given[2] if len(given) > 2 else "efficientnet-lite0"
    with TemporaryDirectory(ignore_cleanup_errors=True) as work:
        folder = Path(given[0]) if given else unpack(Path(work) / "pictures")
        found = measure(folder, Path(work) / "project", seconds, model)
        count = sum(1 for _ in folder.rglob("*.*"))
    print(found)
    config = {"pictures": count, "model": model, "answers_every": EVERY, "seconds_while_read": seconds}
    keep(PATH, config=config, results=found)


if __name__ == "__main__":
    main()
