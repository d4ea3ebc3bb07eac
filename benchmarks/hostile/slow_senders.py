"""Slow senders, slow readers and very many connections against a real server, while somebody goes on answering."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from PIL import Image

CONFIG = {"connections": 1500, "seconds": 40.0}
QUICK = {"connections": 200, "seconds": 5.0}
LEAST = 10  # requests of somebody who is signed in, however slow they are
HEAD = b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
WAYS = {
    "nothing sent": b"",
    "half of the headers": b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nX-",
    "half of a body": HEAD + b"Content-Length: 4000\r\n\r\n{",
    "a body without end": HEAD + b"Transfer-Encoding: chunked\r\n\r\nfa0\r\n" + b"x" * 4000,
    "a body of 4 MB": HEAD + b"Content-Length: 4000000\r\n\r\n" + b"x" * 60_000,
}


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int, str, int]]:
    """The server on a few pictures: host, port, token, and the number of its process."""
    for number in range(4):
        Image.new("RGB", (64, 64), (60 * number, 40, 90)).save(folder / f"{number}.png")
    command = [sys.executable, "-c", "from likewise.cli import main; main()", str(folder)]
    command += ["--model", "pixels", "--port", "0", "--no-browser"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | {"COLUMNS": "200"})
    assert process.stderr is not None
    told = re.search(r"http://([\d.]+):(\d+)/", process.stderr.readline())
    assert told is not None
    threading.Thread(target=process.stderr.read, daemon=True).start()
    try:
        token = json.loads((folder / ".likewise" / "server.json").read_text())["token"]
        yield told[1], int(told[2]), token, process.pid
    finally:
        process.send_signal(2)
        process.wait(60)


def ask(host: str, port: int, token: str) -> tuple[int, float]:
    """The status that somebody who is signed in gets, and the seconds it took; 0 where there was no answer."""
    start = time.monotonic()
    request = f"GET /api/me HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    with suppress(OSError), socket.create_connection((host, port), timeout=20) as mine:
        mine.sendall(request.encode())
        status = re.match(rb"HTTP/1\.1 (\d+)", mine.recv(64))
        return int(status[1]) if status else 0, time.monotonic() - start
    return 0, time.monotonic() - start


def memory(pid: int) -> float:
    """Megabytes that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def attack(place: tuple[str, int, str, int], first: bytes, connections: int, seconds: float) -> dict[str, Any]:
    """Open very many connections that send so much and then wait; what others get meanwhile."""
    host, port, token, pid = place
    before = memory(pid)
    answered, slowest, most, refused = 0, 0.0, before, 0
    with ExitStack() as stack:
        for _ in range(connections):
            with suppress(OSError):
                held = stack.enter_context(socket.create_connection((host, port), timeout=5))
                held.sendall(first)
        until, asked = time.monotonic() + seconds, 0
        while time.monotonic() < until or asked < LEAST:
            status, spent = ask(host, port, token)
            asked += 1
            answered += status == 200
            refused += status != 200
            slowest, most = max(slowest, spent), max(most, memory(pid))
            time.sleep(0.1)
    return {
        "asked": asked,
        "answered": answered,
        "refused": refused,
        "slowest_seconds": round(slowest, 2),
        "megabytes_more": round(most - before, 1),
    }


def main(quick: bool = False) -> dict[str, Any]:
    """The figures: for each way, how many requests of somebody who is signed in were answered meanwhile."""
    size = QUICK if quick else CONFIG
    _allow_files(int(size["connections"]) + 200)
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "photos"
        folder.mkdir()
        with served(folder) as place:
            while ask(*place[:3])[0] != 200:
                time.sleep(0.2)
            ways = {
                name: attack(place, first, int(size["connections"]), float(size["seconds"]) / len(WAYS))
                for name, first in WAYS.items()
            }
            after = [ask(*place[:3])[0] for _ in range(20)]
    held = all(not each["refused"] for each in ways.values()) and set(after) == {200}
    return {"held": held, "connections": size["connections"], "ways": ways}


def _allow_files(wanted: int) -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


if __name__ == "__main__":
    print(json.dumps(main("--quick" in sys.argv), indent=1))
