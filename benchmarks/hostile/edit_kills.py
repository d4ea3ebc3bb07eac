"""People answer, edit, tag, undo and redo while the server is killed again and again: nothing lost, nothing doubled.

Whatever was acknowledged must be stored, under the number that was told, once; whatever was refused must not be stored;
and the project must be as it was written (``likewise check``). SQLite and PostgreSQL.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from contextlib import nullcontext
from http.client import HTTPException
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.hostile._forking import ForkedServer
from tests.server.kills import N_IMAGES, Server, postgresql

PEOPLE = 5
WITH_ENGINE = 25  # every so many starts the engine is started too
THINKING = 0.3  # seconds at most between two things that somebody does: the engine needs the processor too
ACTIONS = [
    "answers",
    "answers",
    "answers",
    "answers",
    "grid",
    "clusters/name",
    "clusters/merge",
    "clusters/split",
    "clusters/move",
    "clusters/confirm",
    "clusters/unconfirm",
    "clusters/reject",
    "clusters/open",
    "bad",
    "restore",
    "tags",
    "undo",
    "undo",
    "redo",
    "team/gold",
    "adjudicate",
]


class Person(threading.Thread):
    """Does one thing after another, each sent again with its key until the server says yes or no."""

    def __init__(self, server: Server, name: str, seed: int, ended: threading.Event) -> None:
        super().__init__(name=name, daemon=True)
        self.server, self.ended = server, ended
        self.rng = np.random.default_rng(seed)
        self.done: list[tuple[str, str, int]] = []  # action, key, number
        self.refused: list[tuple[str, str]] = []
        self.resent = 0

    def run(self) -> None:
        """Until it is told to end."""
        while not self.ended.wait(THINKING * self.rng.random()):
            self.act(str(self.rng.choice(ACTIONS)))

    def act(self, action: str) -> None:
        """Do one thing."""
        if (form := self.form(action)) is None:
            time.sleep(0.1)
            return
        form |= {"key": uuid.uuid4().hex, "annotator": self.name}
        while (reply := self.send(action, form)) is None:
            self.resent += 1
            time.sleep(0.3)
        if "seq" in reply:
            self.done.append((action, form["key"], reply["seq"]))
        else:
            self.refused.append((action, form["key"]))

    def send(self, path: str, form: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """A reply, or None where there was none."""
        url = f"http://127.0.0.1:{self.server.port}/api/{path}"
        body = None if form is None else json.dumps(form).encode()
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                reply: dict[str, Any] = json.load(answer)
                return reply
        except urllib.error.HTTPError as error:
            if error.code >= 500 and error.code != 503:
                raise AssertionError(f"{path}: {error.code} {error.read().decode()}") from None
            return None if error.code == 503 else {"refused": error.code}
        except (OSError, HTTPException, ValueError):  # it was killed while it answered
            return None

    def form(self, action: str) -> dict[str, Any] | None:
        """What to send; None where there is nothing to do it to."""
        rng = self.rng
        pair = rng.choice(N_IMAGES, 2, replace=False).tolist()
        if action in ("answers", "adjudicate"):
            return {"items": pair, "value": str(rng.choice(["same", "different", "unsure"]))}
        if action in ("bad", "restore"):
            return {"item": pair[0]}
        if action == "tags":
            return {"items": pair, "name": f"tag {rng.integers(5)}", "value": str(rng.choice(["yes", "no", "open"]))}
        if action == "team/gold":
            return {"pairs": [[*pair, str(rng.choice(["same", "different"]))]]}
        if action in ("undo", "redo"):
            return {}
        clusters = (self.send("clusters") or {}).get("clusters", [])
        if not clusters:
            return None
        one, other = (clusters[int(k)] for k in rng.integers(len(clusters), size=2))
        some = [int(each) for each in one["cover"][: 1 + int(rng.integers(3))]]
        forms: dict[str, dict[str, Any]] = {
            "grid": {"cluster": one["id"], "items": one["cover"], "odd": some[1:]},
            "clusters/name": {"cluster": one["id"], "name": f"name {rng.integers(9)}"},
            "clusters/merge": {"clusters": sorted({one["id"], other["id"]})},
            "clusters/split": {"cluster": one["id"], "items": some, "as_group": bool(rng.integers(2))},
            "clusters/move": {"items": some, "to": other["id"]},
            "clusters/confirm": {"cluster": one["id"]},
            "clusters/unconfirm": {"cluster": one["id"]},
            "clusters/reject": {"cluster": other["id"], "items": some},
            "clusters/open": {"cluster": one["id"], "items": some},
        }
        return forms[action]


def attack(where: str, folder: str, kills: int, between: int = 12) -> dict[str, Any]:
    """Kill so often, each time after some more things were done; what is stored against what was told."""
    server, ended = ForkedServer(where, folder), threading.Event()
    server.start()
    server.wait()
    people = [Person(server, f"person {k}", k, ended) for k in range(PEOPLE)]
    for person in people:
        person.start()
    rng = np.random.default_rng(0)
    for k in range(kills):
        goal, edits = n_done(people) + int(rng.integers(1, between)), n_done(people, "clusters/")
        # the engine's clusters are waited for now and then; in between there are the groups that somebody touched
        while n_done(people) < goal or (k % WITH_ENGINE == 0 and n_done(people, "clusters/") < edits + 20):
            assert all(each.is_alive() for each in people), "somebody was told of an error of the server"
            time.sleep(0.005)
        time.sleep(rng.random() * 0.05)
        server.kill()
        server.start(engine=(k + 1) % WITH_ENGINE == 0)
        if k % 20 == 19:
            print(f"{k + 1} kills, {n_done(people)} acknowledged", flush=True)
    ended.set()
    for person in people:
        person.join()
    server.kill()
    server.close()
    return {"kills": kills, "people": PEOPLE, **compare(where, folder, people)}


def n_done(people: list[Person], under: str = "") -> int:
    """How many things were acknowledged."""
    return sum(action.startswith(under) for each in people for action, *_ in list(each.done))


def compare(where: str, folder: str, people: list[Person]) -> dict[str, Any]:
    """Count what is lost, doubled, or stored though it was refused."""
    from likewise.app.location import Location
    from likewise.app.verification import verify

    location = Location(where, folder, "leaves", "test")
    with location.open_store() as store:
        project = location.find(store)
        events, damaged = project.events(), verify(store, project, Path(folder))
    steps: dict[str, list[Any]] = {}
    for event in events:
        steps.setdefault(event.key.partition("/")[0], []).append(event)
    by_seq = {event.seq: event for event in events}
    done = [each for person in people for each in person.done]
    refused = [each for person in people for each in person.refused]
    lost = [each for each in done if not by_seq.get(each[2]) or by_seq[each[2]].key.partition("/")[0] != each[1]]
    doubled = sum(count > 1 for count in Counter(event.key for event in events).values())
    sent = {key for _, key, _ in done}
    return {
        "acknowledged": len(done),
        "by_action": dict(sorted(Counter(action for action, *_ in done).items())),
        "refused": len(refused),
        "resent": sum(person.resent for person in people),
        "events": len(events),
        "lost": len(lost),
        "doubled": doubled,
        "not_told": len(steps.keys() - sent),
        "refused_but_stored": sum(key in steps for _, key in refused),
        "damaged": len(damaged),
    }


def held(figures: dict[str, Any]) -> bool:
    """Whether nothing was lost, doubled or damaged."""
    return not any(figures[name] for name in ("lost", "doubled", "not_told", "refused_but_stored", "damaged"))


def main(quick: bool) -> dict[str, Any]:
    """200 kills on SQLite and 60 on PostgreSQL, or a few."""
    found = {}
    for name, kills in (("sqlite", 3 if quick else 200), ("postgresql", 2 if quick else 60)):
        with (
            tempfile.TemporaryDirectory() as home,
            postgresql() if name == "postgresql" else nullcontext(home) as where,
        ):
            found[name] = attack(where, home, kills)
            print(name, json.dumps(found[name]), flush=True)
    return {**found, "held": all(held(each) for each in found.values())}
