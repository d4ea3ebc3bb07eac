"""Many people answer at once while the server is killed again and again: nothing acknowledged may be lost.

As a command: ``python -m tests.server.kills --people 5`` on SQLite, and with ``--people 50 --postgresql`` on a
PostgreSQL that it starts. Exits with 1 when anything acknowledged is lost, or stored twice.
"""

import argparse
import json
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid
from contextlib import contextmanager, nullcontext
from http.client import HTTPException
from pathlib import Path

import numpy as np

N_IMAGES = 24
ROOT = Path(__file__).parents[2]


class Server:
    """The served project, started, killed and started again."""

    def __init__(self, where, folder):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self.command = [sys.executable, "-m", "tests.server.served", where, folder, str(self.port)]
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, cwd=ROOT)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def call(self, path, form=None, seconds=5.0):
        """An answer of the server, or None where there was none: it is not there, or too busy."""
        body = None if form is None else json.dumps(form).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/{path}", body, {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code == 503:
                return None
            raise AssertionError(f"{path}: {error.code} {error.read().decode()}") from None
        except (OSError, HTTPException, ValueError):  # it was killed while it answered
            return None

    def wait(self, seconds=240):
        until = time.monotonic() + seconds
        while self.call("project") is None:
            assert time.monotonic() < until, "the server did not come up"
            time.sleep(0.1)


def answer_on(server, who, n, acknowledged, resent, seed):
    """One person: answer until n answers are acknowledged, each sent again until it is."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        i, j = rng.choice(N_IMAGES, 2, replace=False).tolist()
        value = rng.choice(["same", "different", "unsure"])
        form = {"key": uuid.uuid4().hex, "annotator": who, "items": [i, j], "value": str(value), "seconds": 0.1}
        while (done := server.call("answers", form, seconds=30.0)) is None:
            resent.append(form["key"])
            time.sleep(0.2)
        acknowledged.append((form["key"], done["seq"], who, i, j, str(value)))


def run(where, folder, *, people, answers, kills):
    """Let them answer, kill the server on the way, and compare what is stored with what was acknowledged."""
    server = Server(where, folder)
    server.start()
    server.wait()
    lists, resent = [[] for _ in range(people)], []
    threads = [
        threading.Thread(target=answer_on, args=(server, f"person {k}", answers, lists[k], resent, k))
        for k in range(people)
    ]
    for thread in threads:
        thread.start()
    rng = np.random.default_rng(0)
    done = 0
    for k in range(kills):
        goal = (k + 1) * people * answers // (kills + 1)
        while sum(map(len, lists)) < goal:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.05)
        server.kill()
        done += 1
        server.start()
    for thread in threads:
        thread.join()
    stored = [e for e in json.loads(json.dumps(read_events(where, folder))) if e["kind"] == "answer"]
    server.kill()
    told = [entry for each in lists for entry in each]
    by_key = {event["key"]: event for event in stored}
    lost = [
        entry
        for entry in told
        if entry[0] not in by_key
        or by_key[entry[0]]["seq"] != entry[1]
        or by_key[entry[0]]["annotator"] != entry[2]
        or by_key[entry[0]]["payload"]["items"] != [entry[3], entry[4]]
        or by_key[entry[0]]["payload"]["value"] != entry[5]
    ]
    return {
        "people": people,
        "kills": done,
        "resent": len(set(resent)),
        "acknowledged": len(told),
        "stored": len(stored),
        "lost": len(lost),
        "doubled": len(stored) - len(by_key),
    }


def read_events(where, folder):
    from likewise.app.location import Location

    location = Location(where, folder, "leaves", "test")
    with location.open_store() as store:
        return [event.as_dict() for event in location.find(store).events()]


@contextmanager
def postgresql():
    """The URL of a database in a PostgreSQL of its own, with its promises to the disk kept."""
    from tests.store.conftest import Server as Database, postgresql_programs

    programs = postgresql_programs()
    if programs is None:
        sys.exit("PostgreSQL is not installed")
    server = Database(programs)
    try:
        yield server.new_database()[1]
    finally:
        server.remove()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=5)
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--postgresql", action="store_true")
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as home, postgresql() if options.postgresql else nullcontext(home) as where:
        result = run(where, home, people=options.people, answers=options.answers, kills=options.kills)
    result["seconds"] = round(time.monotonic() - start)
    print(json.dumps(result))
    return result["lost"] > 0 or result["doubled"] > 0 or result["stored"] != result["acknowledged"]


if __name__ == "__main__":
    sys.exit(main())
