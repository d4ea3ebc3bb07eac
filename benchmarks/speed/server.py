"""How long a person waits: for the first question of a new folder, and from an answer to the next question.

``python -m benchmarks.speed.server [first] [answers]``; both by default. The first takes pictures from LIKEWISE_DATA and
runs ``likewise FOLDER`` twice, so that the second start is that of a warm machine. The second serves 10,000
pictures, most of which have (drawn) vectors, while the network embeds the rest.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from benchmarks.record import data_folder, keep

CONFIG = {
    "first": {"pictures": 500, "starts": 3},
    "answers": {"pictures": 10_000, "without_vectors": 3_000, "kinds": 40, "answers": 120, "think_seconds": 0.5},
    "model": "efficientnet-lite0",
    "seed": 0,
}
TICK = os.sysconf("SC_CLK_TCK")


class Served:
    """``likewise FOLDER`` in a process of its own, asked over HTTP."""

    def __init__(self, folder: Path, project: Path) -> None:
        run = "from likewise.cli import main; main()"
        options = ["--no-token", "--no-browser", "--port", "0", "--project", str(project)]
        self.start = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-c", run, str(folder), *options], stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        told = re.search(r"http://\S+", self.process.stderr.readline())
        assert told is not None
        self.address = told.group()

    def call(self, path: str, form: dict[str, Any] | None = None) -> tuple[Any, float]:
        """What the server says, and the milliseconds it took by its own clock."""
        body = None if form is None else json.dumps(form).encode()
        request = urllib.request.Request(f"{self.address}api/{path}", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            spent = float(answer.headers["Server-Timing"].partition("dur=")[2])
            return json.load(answer), spent

    def question(self, seconds: float = 120.0) -> dict[str, Any]:
        """The question that is there, waited for."""
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            try:
                found, _ = self.call("question")
            except OSError:
                found = {}
            if "items" in found:
                return dict(found)
            time.sleep(0.02)
        raise TimeoutError("no question came")

    def cpu_seconds(self) -> float:
        """Processor time of the server and all processes under it so far."""
        return sum(_ticks(pid) for pid in _family(self.process.pid)) / TICK

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=60)


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    found = [pid]
    for task in children.parent.parent.glob("*/children"):
        for child in task.read_text().split():
            found += _family(int(child))
    return found


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15])  # its own, and of its children that ended


@contextmanager
def work_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as work:
        yield Path(work)


def first_question() -> dict[str, Any] | None:
    """From the start of ``likewise FOLDER`` to the first question, on a new project each time."""
    source = data_folder("images", "flowers-17")
    if source is None:
        return None
    config = CONFIG["first"]
    paths = sorted(source.rglob("*.jpg"))
    with work_folder() as work:
        folder = work / "photos"
        folder.mkdir()
        for number, path in enumerate(paths[:: len(paths) // config["pictures"]][: config["pictures"]]):
            shutil.copy(path, folder / f"{number:04}.jpg")
        starts = []
        for k in range(config["starts"]):
            served = Served(folder, work / f"project-{k}")
            served.question()
            seconds = time.perf_counter() - served.start
            cpu = served.cpu_seconds()
            about, _ = served.call("project")
            done = about["indexing"]["done"]
            starts.append({"seconds": round(seconds, 2), "cpu_seconds": round(cpu, 2), "embedded": done})
            print(f"first question after {seconds:.1f} s ({cpu:.1f} s of processor time), {done} embedded", flush=True)
            served.stop()
    return {"starts": starts}


def answers() -> dict[str, Any]:
    """Answer as a person does, while pictures are embedded; what each answer took the server."""
    config = CONFIG["answers"]
    with work_folder() as work:
        kinds = lay_out(work)
        served = Served(work / "photos", work / "project")
        question = served.question(600)
        before = _ticks(served.process.pid)
        spent, waited, embedding = [], [], 0
        for _ in range(config["answers"]):
            time.sleep(config["think_seconds"])
            items = [item["id"] for item in question["items"]]
            same = kinds(question["items"][0]["name"]) == kinds(question["items"][1]["name"])
            form = {"key": uuid.uuid4().hex, "items": items, "value": "same" if same else "different"}
            start = time.perf_counter()
            done, milliseconds = served.call("answers", form)
            question = done["next"] if "items" in done["next"] else served.question()
            waited.append((time.perf_counter() - start) * 1000)
            spent.append(milliseconds)
            embedding += served.call("project")[0]["indexing"]["state"] == "reading"
        cpu = (_ticks(served.process.pid) - before) / TICK
        served.stop()
    results = {
        "answers": len(spent),
        "while_embedding": embedding,
        "server_ms": percentiles(spent),
        "person_waited_ms": percentiles(waited),
        "server_cpu_ms_per_answer": round(1000 * cpu / len(spent), 1),
    }
    print(results)
    return results


def lay_out(work: Path) -> Callable[[str], int]:
    """A folder of small pictures and a project in which most have vectors; gives the kind of a picture by its name."""
    from likewise.app.location import Location
    from likewise.images.indexing import index

    config, rng = CONFIG["answers"], np.random.default_rng(CONFIG["seed"])
    folder, home = work / "photos", work / "project"
    folder.mkdir()
    n = config["pictures"]
    for number in range(n):
        colours = Image.fromarray(rng.integers(0, 255, (3, 4, 3), np.uint8))
        colours.resize((64, 48), Image.Resampling.BICUBIC).save(
            folder / f"{number % config['kinds']:02}-{number:05}.jpg"
        )
    names = index(folder, project=home).names
    ready = n - config["without_vectors"]
    centres = rng.normal(size=(config["kinds"], 1280))
    location = Location(str(home), str(home), "photos", CONFIG["model"])
    with location.open_store() as store:
        project = location.project_of(store)
        positions = project.add_images(names[:ready])
        project.update_images({at: {"width": 64, "height": 48} for at in positions})
        about = {"model": CONFIG["model"]}
        with project.vectors(CONFIG["model"], 1280, about=about, write=True) as vectors:
            kinds = [int(name[:2]) for name in names[:ready]]
            vectors.put(positions, centres[kinds] + 1.5 * rng.normal(size=(ready, 1280)))
    return lambda name: int(name[:2])


def percentiles(values: list[float]) -> dict[str, float]:
    return {f"p{p}": round(float(np.percentile(values, p)), 1) for p in (50, 95, 99, 100)}


def main() -> None:
    asked = sys.argv[1:] or ["first", "answers"]
    path = Path(__file__).with_suffix(".json")
    results = json.loads(path.read_text())["results"] if path.exists() else {}
    for name, measure in (("first", first_question), ("answers", answers)):
        if name in asked:
            load = round(os.getloadavg()[0], 1)
            found = measure()
            if found is not None:
                results[name] = {"load_before": load, **found}
    keep(path, config=CONFIG, results=results, adds=True)


if __name__ == "__main__":
    main()
