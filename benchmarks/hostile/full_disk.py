"""The disk of a served project is full for a while: what is acknowledged is stored, all else is refused in a sentence.

The project folder is a small file system of its own, mounted for it (needs root). Four people answer, tag, undo, ask for
questions and look at pictures while it is full: every reply is what was asked for, or 507 with a sentence. Whatever was
refused is sent again under its key once there is room. With SQLite the database is on the full disk; with PostgreSQL it
is elsewhere, and no answer may fail.
"""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from http.client import HTTPException
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.server.kills import postgresql

N_PICTURES, PEOPLE, SIZE = 24, 4, "48m"
LEFT = 150_000  # bytes that are free when they begin, where answers are kept on the disk
WHAT = ("answers", "answers", "answers", "tags", "undo", "question", "project", "images/{}?size=preview", "clusters")


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of a few megabytes in place of a folder."""
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


class Served:
    """The command that serves a folder, and requests to it."""

    def __init__(self, photos: Path, where: str) -> None:
        command = [sys.executable, "-c", "from likewise.cli import main; main()", "serve", str(photos)]
        command += ["--model", "pixels", "--port", "0", "--no-browser"]
        command += ["--database", where] if where else []
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | {"COLUMNS": "200"})
        assert self.process.stderr is not None
        told, told_so_far = None, ""
        while told is None:
            line = self.process.stderr.readline()
            assert line, f"it did not start: {told_so_far}"
            told_so_far += line
            told = re.search(r"http://[\d.]+:\d+/", line)
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.address = told[0]
        self.token = json.loads((photos / ".likewise" / "server.json").read_text())["token"]

    def send(self, path: str, form: dict[str, Any] | None = None) -> tuple[int, Any]:
        """The status and what was said; 0 where there was no reply."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        body = None if form is None else json.dumps(form).encode()
        try:
            with urllib.request.urlopen(
                urllib.request.Request(f"{self.address}api/{path}", body, headers), timeout=60
            ) as reply:
                content = reply.read()
                return reply.status, json.loads(content) if "json" in reply.headers["Content-Type"] else {}
        except urllib.error.HTTPError as error:
            said = error.read().decode(errors="replace")
            return error.code, json.loads(said) if said.startswith("{") else {"detail": said}
        except (OSError, HTTPException):
            return 0, {}

    def end(self) -> None:
        """As somebody who presses Ctrl-C."""
        self.process.send_signal(2)
        self.process.wait(60)


class Somebody(threading.Thread):
    """Goes on whatever the replies are, and notes them."""

    def __init__(self, served: Served, number: int, ended: threading.Event) -> None:
        super().__init__(daemon=True)
        self.served, self.number, self.ended = served, number, ended
        self.rng = np.random.default_rng(number)
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.sentences: Counter[str] = Counter()
        self.acknowledged: list[tuple[str, int]] = []
        self.refused: list[tuple[str, dict[str, Any]]] = []

    def run(self) -> None:
        """Until it is told to end."""
        while not self.ended.wait(0.02):
            self.act(str(self.rng.choice(WHAT)))

    def act(self, what: str) -> None:
        """Do one thing."""
        path, form = what.format(self.rng.integers(N_PICTURES)), None
        if what in ("answers", "tags", "undo"):
            form = {"key": uuid.uuid4().hex, "annotator": f"person {self.number}"}
            pair = {"items": self.rng.choice(N_PICTURES, 2, replace=False).tolist()}
            form |= {} if what == "undo" else pair
            form |= {"answers": {"value": "different", "shown": {"strip": self.rng.bytes(4000).hex()}}}.get(what, {})
            form |= {"name": "wide", "value": "yes"} if what == "tags" else {}
        self.note(what, path, form)

    def note(self, what: str, path: str, form: dict[str, Any] | None) -> bool:
        """Send it and keep what was said; whether there is nothing left to send again."""
        status, said = self.served.send(path, form)
        self.statuses[what.partition("/")[0], status] += 1
        if status >= 400 or not status:
            self.sentences[f"{status}: {said.get('detail', '')}"] += 1
        if form is not None and status == 200:
            self.acknowledged.append((form["key"], said["seq"]))
        elif form is not None and status != 409:  # 409: there was nothing to undo
            self.refused.append((path, form))
            return False
        return True

    def send_again(self) -> int:
        """Send all that was refused again; how much of it is refused once more."""
        refused, self.refused = self.refused, []
        return sum(not self.note(f"{path}, again", path, form) for path, form in refused)


def fill(folder: Path, left: int) -> Path:
    """Take all space but so much."""
    filler = folder / "filler"
    with open(filler, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 10_000)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
        file.truncate(file.tell() - left)
    return filler


def attack(where: str, photos: Path, n_refused: int) -> dict[str, Any]:
    """Fill the disk of the project while people work, make room again, and compare."""
    for number in range(N_PICTURES):
        Image.new("RGB", (640, 480), (10 * number, 40, 90)).save(photos / f"{number}.png")
    with small_disk(photos / ".likewise") as home:
        served = Served(photos, where)
        while "items" not in (served.send("question")[1] or {}):
            time.sleep(0.2)
        filler, ended = fill(home, 0 if where else LEFT), threading.Event()
        people = [Somebody(served, number, ended) for number in range(PEOPLE)]
        for person in people:
            person.start()
        # until the disk is full and so much was asked meanwhile
        while sum(sum(each.statuses.values()) for each in people) < 10 * n_refused or (
            not where and sum(len(each.refused) for each in people) < n_refused
        ):
            assert all(each.is_alive() for each in people)
            time.sleep(0.05)
        ended.set()
        for person in people:
            person.join()
        free = os.statvfs(home).f_bavail * os.statvfs(home).f_bsize
        while_full = sum((each.statuses for each in people), Counter[tuple[str, int]]())
        filler.unlink()
        n_again = sum(len(each.refused) for each in people)
        still = sum(each.send_again() for each in people)
        after = served.send("question")[0]
        served.end()
        return {
            "free_bytes_while_full": free,
            "replies_while_full": _table(while_full),
            "sentences": {
                text.replace(f"{home}/", ""): count
                for text, count in sum((each.sentences for each in people), Counter[str]()).items()
            },
            "sent_again": n_again,
            "refused_again": still,
            "question_afterwards": after,
            **compare(where or str(home), home, [entry for each in people for entry in each.acknowledged]),
        }


def _table(statuses: Counter[tuple[str, int]]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (what, status), count in sorted(statuses.items()):
        found.setdefault(what, {})[str(status)] = count
    return found


def compare(where: str, home: Path, acknowledged: list[tuple[str, int]]) -> dict[str, Any]:
    """What is stored against what was acknowledged."""
    from likewise.app.verification import verify
    from likewise.store import Store

    with Store.open(where, folder=str(home), create=False) as store:
        (project,) = store.projects()
        events, damaged = project.events(), verify(store, project, home)
    by_seq = {event.seq: event.key.partition("/")[0] for event in events}
    return {
        "acknowledged": len(acknowledged),
        "events": len(events),
        "lost": sum(by_seq.get(seq) != key for key, seq in acknowledged),
        "stored_though_refused": len(set(by_seq.values()) - {key for key, _ in acknowledged}),
        "doubled": len(events) - len({event.key for event in events}),
        "damaged": len(damaged),
        "damage": [sentence.replace(f"{home}/", "") for sentence in damaged],
    }


def held(figures: dict[str, Any], in_database: bool) -> bool:
    """Whether all that is promised holds."""
    statuses = {status for each in figures["replies_while_full"].values() for status in each}
    wrong = ("lost", "stored_though_refused", "doubled", "damaged", "refused_again")
    writes = [figures["replies_while_full"][what] for what in ("answers", "tags")]
    refused = sum(each.get("507", 0) for each in writes)
    return (
        statuses <= {"200", "409", "507"}
        and not any(figures[name] for name in wrong)
        and (refused == 0 if in_database else refused > 0)
        and figures["question_afterwards"] == 200
    )


def main(quick: bool) -> dict[str, Any]:
    """SQLite on the full disk, and PostgreSQL elsewhere with the project folder on it."""
    found = {}
    for name in ("sqlite", "postgresql"):
        with tempfile.TemporaryDirectory() as work, postgresql() if name == "postgresql" else nullcontext("") as where:
            photos = Path(work, "photos")
            photos.mkdir()
            found[name] = attack(where, photos, 20 if quick else 200)
            found[name]["held"] = held(found[name], name == "postgresql")
            print(name, json.dumps(found[name]), flush=True)
    return {**found, "held": all(each["held"] for each in found.values())}
