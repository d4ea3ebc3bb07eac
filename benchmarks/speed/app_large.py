"""The app at 100,000 pictures with 10,000 answers and 200 edits by hand: what opening it and each request take.

``python -m benchmarks.speed.app_large [NAME]``; kept under NAME, "now" by default. The server is the real one; only who
clusters is replaced by one that made it all up, so that nothing here is the time of the asker. Nothing is read from
pictures: their vectors are drawn, and put straight into the store.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.record import keep

CONFIG = {
    "pictures": 100_000,
    "dimensions": 64,
    "clusters": 2_000,
    "largest": 0.1,
    "answers": 10_000,
    "wrong": 20,
    "edits": {"name": 60, "confirm": 60, "split": 40, "move": 25, "merge": 15},
    "repeats": 7,
    "seed": 0,
}


class NoEngine:
    """Stands for the engine: takes orders and does nothing."""

    pid = None

    def start(self) -> None:
        """Nothing is started."""

    def stop(self) -> None:
        """Nothing was started."""

    def order(self, orders: Any) -> None:
        """Nothing is done."""


class NoPictures:
    """Stands for the pictures."""

    folder = Path("photos")

    def __init__(self, live: Any) -> None:
        n = CONFIG["pictures"]
        self.live, self.state = live, {"state": "done", "done": n, "total": n, "rate": 0.0}

    def start(self) -> None:
        """All were read."""
        self.live.indexing(self.state)

    def stop(self) -> None:
        """Nothing was started."""


def made_up_clustering() -> Any:
    """One very large cluster, the others by a power law, as in the tests of the wall."""
    from likewise.app.wall import Clustering

    rng, n, k = np.random.default_rng(CONFIG["seed"]), CONFIG["pictures"], CONFIG["clusters"]
    shares = 1 / np.arange(1, k) ** 0.9
    shares = np.concatenate([[CONFIG["largest"]], (1 - CONFIG["largest"]) * shares / shares.sum()])
    _, labels = np.unique(rng.choice(k, n, p=shares), return_inverse=True)
    doubt = rng.uniform(0, 0.5, n).astype(np.float32)
    return Clustering(0, np.arange(n), labels.astype(np.int64), doubt)


def location_of(work: str) -> Any:
    from likewise.app.location import Location

    return Location(work, work, "large", "drawn")


def lay_out(work: str) -> None:
    """Put pictures, vectors, answers and edits into a new store."""
    rng, clustering, location = np.random.default_rng(1), made_up_clustering(), location_of(work)
    with location.open_store() as store:
        project = location.project_of(store)
        project.add_images([f"{k:06}.jpg" for k in range(CONFIG["pictures"])])
        centres = rng.normal(size=(CONFIG["clusters"], CONFIG["dimensions"]))
        with project.vectors("drawn", CONFIG["dimensions"], write=True) as vectors:
            noise = rng.normal(size=(CONFIG["pictures"], CONFIG["dimensions"]))
            vectors.append(centres[clustering.labels] + 0.5 * noise)
        project.append_many(list(answers(clustering.labels, rng)))
        project.append_many(list(edits(clustering)))


def answers(labels: NDArray[np.int64], rng: np.random.Generator) -> Iterator[Any]:
    """Pairs of one cluster and of two; nearly all right."""
    from likewise.store import Entry

    members = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1])
    sizes = np.array([len(each) for each in members])
    wrong = set(rng.choice(CONFIG["answers"], CONFIG["wrong"], replace=False).tolist())
    for number in range(CONFIG["answers"]):
        cluster = rng.choice(np.flatnonzero(sizes > 2), p=sizes[sizes > 2] / sizes[sizes > 2].sum())
        i, j = rng.choice(members[cluster], 2, replace=False).tolist()
        if number % 3 == 0:
            j = int(rng.choice(np.flatnonzero(labels != labels[i])))
        same = (labels[i] == labels[j]) != (number in wrong)
        payload = {"kind": "pair", "items": [i, j], "value": "same" if same else "different"}
        yield Entry("answer", payload, "ann", f"a{number}", 1.5)


def edits(clustering: Any) -> Iterator[Any]:
    """Edits of every kind, each of clusters of its own: from large ones to small ones."""
    from likewise.app import edits as made
    from likewise.app.wall import build_wall
    from likewise.constraints import Constraints
    from likewise.store import Entry
    from likewise.store.groups import TouchedGroups

    wall = build_wall(clustering)
    board = made.Board(wall, TouchedGroups(), Constraints(CONFIG["pictures"]))
    free = iter(sorted((c for c in wall.clusters.values() if c.size > 5), key=lambda c: -c.size))
    makers: dict[str, Callable[[Any], Any]] = {
        "name": lambda board: made.name_cluster(board, next(free).id, f"name {next(free).id}"),
        "confirm": lambda board: made.confirm_cluster(board, next(free).id),
        "split": lambda board: _split(board, next(free), made),
        "move": lambda board: made.move_pictures(board, next(free).images[:3].tolist(), next(free).id),
        "merge": lambda board: made.merge_clusters(board, [next(free).id, next(free).id]),
    }
    number = 0
    for what, count in CONFIG["edits"].items():
        for _ in range(count):
            edit = makers[what](board)
            board = replace(board, wall=replace(board.wall, next_id=board.wall.next_id + 1))
            number += 1
            yield Entry("edit", edit.payload(), "ann", f"e{number}", 2.0)


def _split(board: Any, cluster: Any, made: Any) -> Any:
    return made.split_cluster(board, cluster.id, cluster.images[:3].tolist(), as_group=cluster.id % 2 == 0)


class Measured:
    """Milliseconds by name, of several times each: the median and the longest."""

    def __init__(self) -> None:
        self.found: dict[str, list[float]] = {}

    def run(self, name: str, work: Callable[[], Any]) -> Any:
        """Do something, and take the time."""
        start = time.perf_counter()
        result = work()
        self.found.setdefault(name, []).append(1000 * (time.perf_counter() - start))
        return result

    def summary(self) -> dict[str, list[float]]:
        """By name: the median and the longest."""
        return {name: [round(float(np.median(some)), 1), round(max(some), 1)] for name, some in self.found.items()}


def measure(work: str) -> dict[str, Any]:
    """Open the project and send it everything that a page sends."""
    from fastapi.testclient import TestClient

    from likewise.app.engine_process import Report
    from likewise.app.live import LiveProject
    from likewise.server.application import create_app

    clustering, times = made_up_clustering(), Measured()
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    live = times.run("open: read settings", lambda: LiveProject(location_of(work)))
    live.engine = NoEngine()
    client = TestClient(create_app(live, NoPictures(live)), base_url="http://127.0.0.1")
    times.run("open: read events", client.__enter__)
    clustering = replace(clustering, version=len(live.events))
    times.run("open: first wall", lambda: live._take_report(Report(clustering=clustering)))
    opened = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for k in range(CONFIG["repeats"]):
        say(live, client, clustering, times, k)
        look(live, client, times)
    times.run("wall, by the slow loops", lambda: build_slowly(live))
    look_at_all(client, times)
    client.__exit__(None, None, None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    megabytes = {"imports": start // 1024, "opened": opened // 1024, "peak": peak // 1024}
    return {"ms": times.summary(), "megabytes": megabytes}


def build_slowly(live: Any) -> None:
    """The wall of now, picture by picture: what everything else here can be compared with, whatever the load."""
    from tests.app.slow_wall import slow_wall

    slow_wall(live.clustering.without(live.events.left_out()), live.groups, live.ledger.constraints, live.wall)


def say(live: Any, client: Any, clustering: Any, times: Measured, k: int) -> None:
    """An answer, what the engine makes of it, an edit, and undo."""
    from likewise.app.engine_process import Report

    rng = np.random.default_rng(k)
    (some,) = np.nonzero(clustering.labels == clustering.labels[rng.integers(len(clustering.labels))])
    i, j = int(some[0]), int(some[-1])
    form = {"key": uuid.uuid4().hex, "annotator": "ann", "items": [i, (j + 1) % len(clustering.labels)]}
    _post(client, times, "answer", "answers", form | {"value": "different"})
    labels = clustering.labels.copy()
    labels[some[: len(some) // 2]] = labels.max() + 1 + k  # a cluster falls into two
    after = replace(clustering, labels=labels, version=len(live.events))
    times.run("wall after an answer", lambda: live._take_report(Report(clustering=after)))
    times.run("wall, nothing changed", lambda: live._take_report(Report(clustering=after)))
    number = max((c for c in live.wall.clusters.values() if not c.touched), key=lambda c: c.size).id
    named = {"key": uuid.uuid4().hex, "annotator": "ann", "cluster": number, "name": f"new {k}"}
    _post(client, times, "edit: name", "clusters/name", named)
    times.run("wall after an edit", live._rebuild_wall)
    large = live.wall.clusters[number].images[:3].tolist()
    split = {"key": uuid.uuid4().hex, "annotator": "ann", "cluster": number, "items": large}
    _post(client, times, "edit: split", "clusters/split", split)
    for what in ("split", "name", "answer"):
        _post(client, times, f"undo: {what}", "undo", {"key": uuid.uuid4().hex, "annotator": "ann"})


def look(live: Any, client: Any, times: Measured) -> None:
    """Everything that only reads."""
    first = max(live.wall.clusters.values(), key=lambda c: c.size).id
    for name, path in {
        "clusters": "clusters",
        "clusters: by doubt": "clusters?sort=doubt",
        "clusters: 1,000": "clusters?limit=1000",
        "clusters: search": "clusters?q=name",
        "cluster": f"clusters/{first}",
        "grid": f"grid?cluster={first}",
        "progress": "progress",
        "steps": "steps",
        "conflicts": "conflicts",
        "names": "names",
        "question": "question",
        "project": "project",
    }.items():
        _get(client, times, name, path)


def look_at_all(client: Any, times: Measured) -> None:
    """What shows or writes every picture."""
    for _ in range(3):
        _get(client, times, "export: clusters", "export?format=csv")
    _get(client, times, "export: answers", "export?format=jsonl")
    background = client.app.state.background
    background.ask("nothing", 0, len, ())  # the engine has started a process before
    background.wait("nothing")
    _get(client, times, "map: first, by axes", "map")
    times.run("map: laid out behind", lambda: background.wait("map"))
    _get(client, times, "map: first, laid out", "map")
    for _ in range(CONFIG["repeats"]):
        _get(client, times, "map", "map")
        _get(client, times, "map: nothing new", "map?unless=1")
    for _ in range(3):
        _get(client, times, "browse", "browse")


def _get(client: Any, times: Measured, name: str, path: str) -> None:
    reply = client.get(f"/api/{path}")
    assert reply.status_code == 200, f"{path}: {reply.text[:200]}"
    times.found.setdefault(name, []).append(_spent(reply))


def _post(client: Any, times: Measured, name: str, path: str, form: dict[str, Any]) -> None:
    reply = client.post(f"/api/{path}", json=form)
    assert reply.status_code == 200, f"{path}: {reply.text[:200]}"
    times.found.setdefault(name, []).append(_spent(reply))


def _spent(reply: Any) -> float:
    """Milliseconds that the server took, by its own clock."""
    return float(reply.headers["Server-Timing"].partition("dur=")[2])


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "now"
    with TemporaryDirectory(dir=os.environ.get("LIKEWISE_WORK")) as work:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            pool.submit(lay_out, work).result()
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            found = pool.submit(measure, work).result()
    for what, (median, longest) in found["ms"].items():
        print(f"{what:24} {median:9.1f} ms  at most {longest:9.1f} ms")
    print(found["megabytes"])
    path = Path(__file__).with_suffix(".json")
    results = json.loads(path.read_text())["results"] if path.exists() else {}
    keep(path, config=CONFIG, results={**results, name: {"load": round(os.getloadavg()[0], 1), **found}}, adds=True)


if __name__ == "__main__":
    main()
