"""Every field of every kind of event, bent: whatever is accepted opens again, exports, archives and restores."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from benchmarks.hostile._results import keep
from tests.server.kills import postgresql
from tests.store.fuzz import fuzz

ROUNDS, BATCHES = 20, {"sqlite": 75, "postgresql": 20}  # batches of up to twelve events in a round


def main(quick: bool) -> dict[str, Any]:
    """Batches of events on SQLite and on PostgreSQL; a failure stops it with the batch that fails."""
    found = {name: Counter[str]() for name in BATCHES}
    with postgresql() as url:
        for number in range(2, 3 if quick else 2 + ROUNDS):
            for name, where in (("sqlite", None), ("postgresql", url)):
                batches = 10 if quick else BATCHES[name]
                found[name].update(batches=batches, **fuzz(where, batches, number=number))
            if not quick:
                keep("fuzz", {**found, "held": False, "unfinished": True})
            print(json.dumps(found), flush=True)
    return {**found, "held": True}
