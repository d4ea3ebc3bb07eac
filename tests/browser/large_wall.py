"""A wall of very many pictures, and what it costs the page: memory, nodes, and the time it is blocked.

The server is the real one; only who reads pictures and who clusters are replaced by ones that made it all up.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page

from likewise.app.evidence import Evidence
from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.app.wall import Clustering
from likewise.server.application import create_app

THUMBNAILS = 1000  # different ones; pictures share them
LARGEST = 0.1  # share of the pictures in the largest cluster


class MadeUp(LiveProject):
    """A project with clusters of drawn sizes; the engine has no say."""

    def put_into_clusters(self, n_images: int, n_clusters: int) -> None:
        """Put all pictures into clusters: one very large, the others by a power law."""
        rng = np.random.default_rng(0)
        shares = 1 / np.arange(1, n_clusters) ** 0.9
        shares = np.concatenate([[LARGEST], (1 - LARGEST) * shares / shares.sum()])
        labels = rng.choice(n_clusters, n_images, p=shares)
        _, labels = np.unique(labels, return_inverse=True)
        doubt = rng.uniform(0, 0.5, n_images).astype(np.float32)
        self._clustering = Clustering(0, np.arange(n_images), labels.astype(np.int64), doubt)
        self._rebuild_wall()

    def _rebuild_queue(self) -> None:
        self.ledger.become(len(self._clustering.images), Evidence(), outvote=False)
        self.queue.reset([], [])

    def _take_report(self, report: Any) -> None:
        pass


class Thumbnails:
    """Stands for the pictures: coloured noise, of the size that thumbnails have."""

    def __init__(self, folder: Path, total: int) -> None:
        self.folder = folder
        self.state = {"state": "done", "done": total, "total": total, "rate": 0.0}
        rng = np.random.default_rng(0)
        for number in range(THUMBNAILS):
            coarse = Image.fromarray(rng.integers(0, 255, (6, 8, 3), np.uint8))
            coarse.resize((256, 192), Image.Resampling.BICUBIC).save(folder / f"{number}.jpg", quality=88)

    def start(self) -> None:
        """Nothing is read."""

    def stop(self) -> None:
        """Nothing is read."""

    def open(self, image: int, size: str) -> BinaryIO:
        """The file of a picture, in whatever size."""
        return (self.folder / f"{image % THUMBNAILS}.jpg").open("rb")


def serve(n_images: int, n_clusters: int) -> None:
    """Serve it until the process is ended; the address is printed."""
    import socket

    import uvicorn

    with TemporaryDirectory() as work:
        folder = Path(work, "thumbnails")
        folder.mkdir()
        live = MadeUp(Location(work, work, "large", "none"))
        live.put_into_clusters(n_images, n_clusters)
        door = socket.create_server(("127.0.0.1", 0))
        print(f"http://127.0.0.1:{door.getsockname()[1]}/", flush=True)
        app = create_app(live, Thumbnails(folder, n_images))
        uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)).run(sockets=[door])


@contextmanager
def served(n_images: int, n_clusters: int) -> Iterator[str]:
    """The address of such a server, while it runs."""
    command = [sys.executable, "-m", "tests.browser.large_wall", str(n_images), str(n_clusters)]
    root = Path(__file__).parents[2]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root)
    try:
        assert process.stdout is not None
        yield re.match(r"http\S+", process.stdout.readline()).group()
    finally:
        process.kill()
        process.communicate()


PLACES = (0.0, 0.25, 0.5, 0.75, 1.0, 0.1)  # where the bar is dragged to, from 0 to 1


def measure(browser: Browser, address: str, places: Sequence[float] = PLACES) -> dict[str, Any]:
    """Scroll the wall, then the largest cluster, and say what it cost."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{address}#/clusters")
    page.wait_for_selector(".card canvas", timeout=120_000)
    page.wait_for_timeout(1000)
    empty = private_megabytes(page)
    wall = scroll(page, places)
    page.goto(f"{address}#/clusters")
    page.evaluate("() => scrollTo(0, 0)")
    page.wait_for_selector(".card canvas")
    page.locator(".card a").first.click()
    page.wait_for_selector(".member canvas")
    cluster = scroll(page, places)
    page.close()
    return {"before_mb": round(empty, 1), "wall": wall, "largest_cluster": cluster}


def scroll(page: Page, places: Sequence[float]) -> dict[str, Any]:
    """Turn the wheel, drag the bar, turn again; memory is read on the way, at its largest."""
    browser = page.context.browser
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    browser.start_tracing(page=page, categories=["toplevel"])
    heap, nodes, private = [], [], []
    page.mouse.move(640, 500)
    for place in places:
        page.evaluate("(at) => scrollTo(0, at * document.documentElement.scrollHeight)", place)
        page.wait_for_timeout(400)
        for _ in range(25):
            page.mouse.wheel(0, 300)
            page.wait_for_timeout(30)
        page.wait_for_timeout(400)
        found = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
        heap.append(found["JSHeapUsedSize"] / 1e6)
        nodes.append(found["Nodes"])
        private.append(private_megabytes(page))
    blocked = tasks(json.loads(browser.stop_tracing())["traceEvents"])
    return {
        "heap_mb": round(max(heap), 1),
        "private_mb": round(max(private), 1),
        "nodes": int(max(nodes)),
        "longest_task_cpu_ms": round(max(cpu for cpu, _ in blocked)),
        "longest_task_ms": round(max(whole for _, whole in blocked)),
        "shown": page.locator(".virtual > div").count(),
    }


def tasks(events: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Tasks of the page's main thread, in milliseconds: of the processor, and from beginning to end.

    The former is what the page itself needs; the latter grows with what else the machine does.
    """
    threads = {
        (e["pid"], e["tid"]) for e in events if e.get("name") == "thread_name" and e["args"]["name"] == "CrRendererMain"
    }
    return [
        (e.get("tdur", 0) / 1000, e["dur"] / 1000)
        for e in events
        if e.get("ph") == "X" and e["name"].endswith("RunTask") and (e["pid"], e["tid"]) in threads
    ]


def private_megabytes(page: Page) -> float:
    """Memory that only the page's own process has: everything in it, pictures decoded too."""
    whole = page.context.browser.new_browser_cdp_session()
    pids = [p["id"] for p in whole.send("SystemInfo.getProcessInfo")["processInfo"] if p["type"] == "renderer"]
    whole.detach()
    sizes = []
    for pid in pids:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        sizes.append(sum(map(int, re.findall(r"^Private_\w+:\s+(\d+)", text, re.MULTILINE))) * 1024 / 1e6)
    return max(sizes)


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
