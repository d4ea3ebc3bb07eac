"""What is stored against what people were told: nothing lost, doubled, changed, or stored though it was refused."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.hostile._people import Person, Told
from likewise.store import Event

WRONG = ("lost", "doubled", "changed", "not_told", "refused_but_stored", "damaged")


class Comparison:
    """Compares again and again, also while people wait for replies; what was wrong once stays counted.

    - `where`, `folder`: Where the project is.
    - `people`: Who was told what.
    """

    def __init__(self, where: str, folder: str, people: Sequence[Person]) -> None:
        self.where, self.folder, self.people = where, folder, people
        self.comparisons = 0
        self.unanswered = 0  # stored at the time of a kill, while whoever sent it had no reply
        self.wrong: Counter[str] = Counter()
        self._before: list[Event] = []

    def after_kill(self) -> None:
        """Compare while no server runs; what is stored and not yet told is told when it is sent again."""
        told = [each for person in self.people for each in list(person.done)]
        refused = [key for person in self.people for _, key in list(person.refused)]
        self._compare(told, refused)
        self.unanswered += len({step(event) for event in self._before} - {each.key for each in told})

    def at_the_end(self) -> None:
        """Compare once nobody waits for a reply: whatever is stored was told."""
        self.after_kill()
        told = {each.key for person in self.people for each in person.done}
        self.wrong["not_told"] += len({step(event) for event in self._before} - told)

    def figures(self) -> dict[str, Any]:
        """What was found so far."""
        told = [each for person in self.people for each in list(person.done)]
        return {
            "acknowledged": len(told),
            "by_action": dict(sorted(Counter(each.action for each in told).items())),
            "with_answers_taken_back": sum("withdraw" in each.form for each in told),
            "refused": sum(len(person.refused) for person in self.people),
            "resent": sum(person.resent for person in self.people),
            "events": len(self._before),
            "comparisons": self.comparisons,
            "stored_without_reply": self.unanswered,
            **{name: self.wrong[name] for name in WRONG},
        }

    def held(self) -> bool:
        """Whether nothing was wrong."""
        return not any(self.wrong.values())

    def _compare(self, told: list[Told], refused: list[str]) -> None:
        events, damaged = read(self.where, self.folder)
        by_seq = {event.seq: event for event in events}
        steps = {step(event) for event in events}
        before, self._before = self._before, events
        self.comparisons += 1
        self.wrong["lost"] += sum(not is_stored(each, by_seq.get(each.seq)) for each in told)
        self.wrong["doubled"] += sum(count > 1 for count in Counter(event.key for event in events).values())
        self.wrong["changed"] += sum(by_seq.get(event.seq) != event for event in before)
        self.wrong["refused_but_stored"] += sum(key in steps for key in refused)
        self.wrong["damaged"] += len(damaged)


def read(where: str, folder: str) -> tuple[list[Event], list[str]]:
    """The events, and what is damaged; of a copy with SQLite, so that the next server itself finds what a kill left."""
    from likewise.app.location import Location
    from likewise.app.verification import verify

    with ExitStack() as stack:
        if "://" not in where:
            copy = stack.enter_context(tempfile.TemporaryDirectory())
            shutil.copytree(folder, copy, dirs_exist_ok=True)
            where = folder = copy
        location = Location(where, folder, "leaves", "test")
        store = stack.enter_context(location.open_store(create=False))
        project = location.find(store)
        return project.events(), verify(store, project, Path(folder))


def step(event: Event) -> str:
    """The key under which somebody sent what the event is part of."""
    return event.key.partition("/")[0]


def is_stored(told: Told, event: Event | None) -> bool:
    """Whether this is the event that somebody was told of; of answers, with what was said."""
    if event is None or step(event) != told.key or event.annotator != told.annotator:
        return False
    if told.action not in ("answers", "adjudicate"):
        return True
    said = event.payload.data()
    return list(said["items"]) == told.form["items"] and said["value"] == told.form["value"]
