"""Every field of every kind of event, bent: whatever is accepted opens again, exports, archives and restores."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Any

from benchmarks.hostile._results import keep
from tests.server.kills import postgresql
from tests.store.fuzz import fuzz

BATCHES = {"sqlite": 25, "postgresql": 8}  # of up to twelve events, in a round
MINUTES = 17.0  # after which no further round begins


def main(quick: bool) -> dict[str, Any]:
    """Rounds of batches on SQLite and on PostgreSQL; a failure stops it with the batch that fails."""
    start, number = time.monotonic(), 1
    found = {name: Counter[str]() for name in BATCHES}
    with postgresql() as url:
        while number == 1 or (not quick and time.monotonic() < start + 60 * MINUTES):
            number += 1  # the seed; 1 is that of the tests
            for name, where in (("sqlite", None), ("postgresql", url)):
                found[name].update(batches=BATCHES[name], **fuzz(where, BATCHES[name], number=number))
            if not quick:
                keep("fuzz", {**found, "held": False, "unfinished": True})
            print(json.dumps(found), flush=True)
    return {**found, "held": True}
