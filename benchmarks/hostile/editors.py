"""Fifty people edit the same clusters at once: nothing lost, no picture in two groups, everybody sees the same.

PostgreSQL. Everything that was acknowledged is stored once; every picture is in one cluster, and belongs to one group at
most by the word of people; all people read the same wall at the end, and after a new start the same groups.
"""

from __future__ import annotations

import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.hostile.edit_kills import Person, compare, n_done
from tests.server.kills import N_IMAGES, Server, postgresql

PEOPLE = 50
Shown = dict[int, tuple[str, bool, bool, tuple[int, ...]]]  # by number: name, touched, confirmed, pictures


class Editor(Person):
    """Somebody who does nothing but edit."""

    def act(self, action: str) -> None:
        """Do one thing; answers and marks of pictures are left to others."""
        if action in ("grid", "undo", "redo") or action.startswith("clusters/"):
            super().act(action)


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


def groups(shown: Shown) -> Shown:
    """Those of the clusters that people touched."""
    return {number: each for number, each in shown.items() if each[1]}


def attack(where: str, folder: str, n_edits: int) -> dict[str, Any]:
    """Let them edit until so many edits are acknowledged; then compare."""
    server, ended = Server(where, folder), threading.Event()
    server.start()
    server.wait()
    people: list[Person] = [Editor(server, f"person {k}", k, ended) for k in range(PEOPLE)]
    for person in people:
        person.start()
    while n_done(people) < n_edits:
        assert all(each.is_alive() for each in people), "somebody was told of an error of the server"
        time.sleep(0.1)
    ended.set()
    for person in people:
        person.join()
    last = settled_wall(people[0])
    with ThreadPoolExecutor(PEOPLE) as pool:
        walls = list(pool.map(wall, people))
    pictures = [picture for _, _, _, some in last.values() for picture in some]
    server.kill()
    server.start()
    server.wait()
    again = settled_wall(people[0])
    server.kill()
    figures = compare(where, folder, people)
    return {
        **figures,
        "people": PEOPLE,
        "seeing_otherwise": sum(each != last for each in walls),
        "pictures_not_in_one_cluster": N_IMAGES - len(set(pictures)) + len(pictures) - len(set(pictures)),
        "groups": len(groups(last)),
        "groups_other_after_a_new_start": len(groups(last).items() ^ groups(again).items()),
    }


def main(quick: bool) -> dict[str, Any]:
    """2,000 edits of fifty people, or some."""
    with tempfile.TemporaryDirectory() as home, postgresql() as where:
        found = attack(where, home, 150 if quick else 2000)
    wrong = (
        "lost", "doubled", "not_told", "refused_but_stored", "damaged", "seeing_otherwise",
        "pictures_not_in_one_cluster", "groups_other_after_a_new_start",
    )  # fmt: skip
    return {**found, "held": not any(found[name] for name in wrong)}
