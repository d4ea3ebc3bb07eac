"""People work while the server is killed again and again; what is stored is compared with what they were told."""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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
ROUND = 50  # kills of one project; then a new one is made


def attack(
    where: str, folder: str, kills: int, tell: Callable[[dict[str, Any]], None], actions: Sequence[str], between: int
) -> dict[str, Any]:
    """Kill so often, each time after some more things were done; what is stored against what was told.

    - `where`, `folder`: Where the project is.
    - `kills`: How often.
    - `tell`: Is told the figures after every kill.
    - `actions`: What people do.
    - `between`: Things at most that are acknowledged between two kills.
    """
    server, ended = ForkedServer(where, folder), threading.Event()
    server.start()
    server.wait()
    people = [Person(server, f"person {k}", k, ended, actions=actions, n_pictures=N_PICTURES) for k in range(PEOPLE)]
    comparison, figures = Comparison(where, folder, people), {}
    for person in people:
        person.start()
    rng = np.random.default_rng(0)
    try:
        for k in range(kills):
            wait_for(people, n_done(people) + int(rng.integers(1, between)))
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


def on_both(
    attack_name: str, kills: Mapping[str, int], actions: Sequence[str], between: int, quick: bool
) -> dict[str, Any]:
    """The attack on SQLite and on PostgreSQL; the figures so far are kept after every kill."""
    found: dict[str, Any] = {}
    for name, number in kills.items():
        rounds: list[dict[str, Any]] = []

        def tell(figures: dict[str, Any], name: str = name, rounds: list[dict[str, Any]] = rounds) -> None:
            so_far = {**found, name: added([*rounds, figures]), "held": False, "unfinished": True}
            if not quick:
                keep(attack_name, so_far)
            if figures["kills"] % 10 == 0:
                print(name, json.dumps(so_far[name]), flush=True)

        for first in range(0, number, ROUND):
            with (
                tempfile.TemporaryDirectory() as home,
                postgresql() if name == "postgresql" else nullcontext(home) as where,
            ):
                rounds.append(attack(where, home, min(ROUND, number - first), tell, actions, between))
        found[name] = added(rounds) | {"projects": len(rounds), "held": all(each["held"] for each in rounds)}
        print(name, json.dumps(found[name]), flush=True)
    return {**found, "held": all(each["held"] for each in found.values())}


def added(rounds: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of several projects as one."""
    totals: Counter[str] = Counter()
    by_action: Counter[str] = Counter()
    for each in rounds:
        totals.update({name: count for name, count in each.items() if type(count) is int})
        by_action.update(each["by_action"])
    return {**totals, "people": PEOPLE, "by_action": dict(sorted(by_action.items()))}
