"""Fifty people edit the same clusters at once: nothing lost, no picture in two groups, everybody sees the same.

PostgreSQL. Everything that was acknowledged is stored once; no two groups have the same number; every picture is in one
cluster; all people read the same wall at the end, and one of them the same once more after a kill. On the way the server is killed
some times, too.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.hostile._comparing import WRONG, Comparison, read
from benchmarks.hostile._forking import ForkedServer
from benchmarks.hostile._made_up import N_PICTURES
from benchmarks.hostile._people import GROUP_EDITS, STEPS, Person, n_done
from benchmarks.hostile._results import keep
from likewise.store import Event
from likewise.store.edit_events import Edited
from tests.server.kills import postgresql

PEOPLE, KILLS = 50, 5
ACTIONS = (*GROUP_EDITS * 2, *STEPS)
Shown = dict[int, tuple[str, bool, bool, tuple[int, ...]]]  # by number: name, touched, confirmed, pictures
ALSO_WRONG = ("seeing_otherwise", "pictures_not_in_one_cluster", "numbers_given_twice", "other_after_a_kill")


def wall(person: Person) -> Shown:
    """All clusters as this person reads them."""
    listed = (person.send("clusters?limit=1000") or {})["clusters"]
    found = {}
    for each in listed:
        shown = person.send(f"clusters/{each['id']}?limit=1000") or {}
        pictures = tuple(sorted(member["id"] for member in shown.get("members", ())))
        found[each["id"]] = (each["name"], each["touched"], each["confirmed"], pictures)
    return found


def settled_wall(person: Person) -> Shown:
    """The wall once it does not change any more."""
    before: Shown = {}
    while (now := wall(person)) != before or not now:
        before = now
        time.sleep(3.0)
    return now


def contents(shown: Shown) -> set[Any]:
    """What must be the same after a new start: groups with their numbers, of other clusters the pictures."""
    return {(number if each[1] else None, *each) for number, each in shown.items()}


def numbers_given_twice(events: Sequence[Event]) -> int:
    """How many new groups got a number that another group had."""
    used: set[int] = set()
    twice = 0
    for event in events:
        if isinstance(edit := event.payload, Edited):
            twice += edit.what == "group" and edit.group in used
            used |= set(edit.numbers())
    return twice


def attack(where: str, folder: str, quick: bool) -> dict[str, Any]:
    """Let them edit until so many edits are acknowledged; then compare."""
    n_edits = 150 if quick else 2000
    server, ended = ForkedServer(where, folder), threading.Event()
    server.start()
    server.wait()
    people = [Person(server, f"person {k}", k, ended, actions=ACTIONS, n_pictures=N_PICTURES) for k in range(PEOPLE)]
    comparison = Comparison(where, folder, people)
    try:
        for person in people:
            person.start()
        for kill in range(1, KILLS + 2):
            wait_for(people, n_edits * kill // (KILLS + 1))
            if kill <= KILLS:
                server.kill()
                comparison.after_kill()
                server.start()
                if not quick:
                    keep("editors", {**comparison.figures(), "kills": kill, "held": False, "unfinished": True})
        ended.set()
        for person in people:
            person.join()
        last = settled_wall(people[0])
        with ThreadPoolExecutor(PEOPLE) as pool:
            walls = list(pool.map(wall, people))
        server.kill()
        server.start()
        server.wait()
        again = settled_wall(people[0])
    finally:
        server.close()
    comparison.at_the_end()
    pictures = [picture for *_, some in last.values() for picture in some]
    return {
        **comparison.figures(),
        "people": PEOPLE,
        "kills": KILLS + 1,
        "walls_compared": len(walls),
        "groups": sum(each[1] for each in last.values()),
        "clusters": len(last),
        "seeing_otherwise": sum(each != last for each in walls),
        "pictures_not_in_one_cluster": N_PICTURES - len(set(pictures)) + len(pictures) - len(set(pictures)),
        "numbers_given_twice": numbers_given_twice(read(where, folder)[0]),
        "other_after_a_kill": len(contents(last) ^ contents(again)),
    }


def wait_for(people: Sequence[Person], goal: int) -> None:
    """Until so many things are acknowledged."""
    told = 0
    while (done := n_done(people)) < goal:
        assert all(each.is_alive() for each in people), "somebody was told of an error of the server"
        if done >= told + 100:
            told = done
            print(f"{done} acknowledged", flush=True)
        time.sleep(0.1)


def main(quick: bool) -> dict[str, Any]:
    """2,000 edits of fifty people, or some."""
    with tempfile.TemporaryDirectory() as home, postgresql() as where:
        found = attack(where, home, quick)
    print(json.dumps(found), flush=True)
    return {**found, "held": not any(found[name] for name in (*WRONG, *ALSO_WRONG))}
