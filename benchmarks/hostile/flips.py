"""Single bits flipped in a project's database file: noticed, or without any effect; never another answer."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from likewise.app.verification import verify
from likewise.store import Entry, Store, StoreError


def made(folder: Path) -> list[Any]:
    """A project of some hundred answers; what they are."""
    with Store.open(folder) as store:
        project = store.create_project("leaves")
        project.add_items(f"{k}.jpg" for k in range(50))
        rng = random.Random(0)
        pairs = (rng.sample(range(50), 2) for _ in range(400))
        said = [{"kind": "pair", "items": pair, "value": rng.choice(["same", "different"])} for pair in pairs]
        project.append_many(Entry("answer", each, rng.choice(["ann", "bob"]), None, 1.5) for each in said)
        answers = project.events()
    with closing(sqlite3.connect(folder / "likewise.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return answers


def outcome(folder: Path, right: list[Any]) -> str:
    """What became of the project."""
    try:
        with Store.open(folder, create=False) as store:
            project = store.project()
            found = project.events()
            other = [a for a, b in zip(found, right, strict=False) if a != b and a.kind != "unreadable"]
            damaged = verify(store, project, folder)
    except (StoreError, LookupError):
        return "refused in a sentence"
    if len(found) < len(right) and not damaged:
        return "events lost without a word"
    if other:
        return "another name, noticed" if damaged else "another answer without a word"
    if any(event.kind == "unreadable" for event in found):
        return "set aside"
    return "noticed by the check" if damaged else "without effect"


def main(quick: bool) -> dict[str, Any]:
    """Flip one bit at a time, somewhere in the file."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        right = made(folder)
        content = (folder / "likewise.db").read_bytes()
        counts: Counter[str] = Counter()
        for _ in range(40 if quick else 1000):
            bit = rng.randrange(8 * len(content))
            damaged = bytearray(content)
            damaged[bit // 8] ^= 1 << bit % 8
            for name in ("likewise.db-wal", "likewise.db-shm"):
                (folder / name).unlink(missing_ok=True)
            (folder / "likewise.db").write_bytes(damaged)
            counts[outcome(folder, right)] += 1
    wrong = counts["another answer without a word"] + counts["events lost without a word"]
    return {"flipped": sum(counts.values()), **dict(counts), "held": wrong == 0}
