"""People answer, edit, tag, undo and redo while the server is killed again and again: nothing lost, nothing doubled.

Whatever was acknowledged must be stored, under the number that was told, once; whatever was refused must not be stored;
nothing that was stored may change; and the project must be as it was written (``likewise check``). Compared after every
kill, and kept, so that a run that is cut short has figures too. SQLite and PostgreSQL.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from benchmarks.hostile._comparing import Comparison
from benchmarks.hostile._forking import ForkedServer
from benchmarks.hostile._made_up import N_PICTURES
from benchmarks.hostile._people import Person, n_done
from benchmarks.hostile._results import keep
from tests.server.kills import postgresql

PEOPLE = 5
BETWEEN = 16  # things at most that are acknowledged between two kills


def attack(where: str, folder: str, kills: int, tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Kill so often, each time after some more things were done; what is stored against what was told.

    - `where`, `folder`: Where the project is.
    - `kills`: How often.
    - `tell`: Is told the figures after every kill.
    """
    server, ended = ForkedServer(where, folder, made_up=True), threading.Event()
    server.start()
    server.wait()
    people = [Person(server, f"person {k}", k, ended, n_pictures=N_PICTURES) for k in range(PEOPLE)]
    comparison, figures = Comparison(where, folder, people), {}
    for person in people:
        person.start()
    rng = np.random.default_rng(0)
    try:
        for k in range(kills):
            wait_for(people, n_done(people) + int(rng.integers(1, BETWEEN)))
            time.sleep(rng.random() * 0.05)
            server.kill()
            comparison.after_kill()
            server.start()
            figures = {"kills": k + 1, "people": PEOPLE, **comparison.figures()}
            tell(figures)
        ended.set()
        for person in people:
            person.join()
    finally:
        server.close()
    comparison.at_the_end()
    return {**figures, **comparison.figures(), "held": comparison.held()}


def wait_for(people: Sequence[Person], goal: int) -> None:
    """Until so many things are acknowledged."""
    while n_done(people) < goal:
        assert all(each.is_alive() for each in people), "somebody was told of an error of the server"
        time.sleep(0.005)


def main(quick: bool) -> dict[str, Any]:
    """200 kills on SQLite and 60 on PostgreSQL, or a few."""
    found: dict[str, Any] = {}
    for name, kills in (("sqlite", 3 if quick else 200), ("postgresql", 2 if quick else 60)):

        def tell(figures: dict[str, Any], name: str = name) -> None:
            if not quick:
                keep("edit_kills", {**found, name: figures, "held": False, "unfinished": True})
            if figures["kills"] % 10 == 0:
                print(name, json.dumps(figures), flush=True)

        with (
            tempfile.TemporaryDirectory() as home,
            postgresql() if name == "postgresql" else nullcontext(home) as where,
        ):
            found[name] = attack(where, home, kills, tell)
            print(name, json.dumps(found[name]), flush=True)
    return {**found, "held": all(each["held"] for each in found.values())}
