"""Every field of every kind of event, bent: whatever is accepted opens again, exports, archives and restores."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Any

from benchmarks.hostile._results import keep
from tests.server.kills import postgresql
from tests.store.fuzz import fuzz

PROJECTS = {"sqlite": 25, "postgresql": 8}  # of up to twelve events, in a round
MINUTES = 6.0  # after which no further round begins


def main(quick: bool) -> dict[str, Any]:
    """Rounds on SQLite and on PostgreSQL; of a project that fails the error is kept, and the next one is made."""
    start, number = time.monotonic(), 1
    found = {name: Counter[str](projects=0, sent=0, accepted=0, failed=0) for name in PROJECTS}
    errors: Counter[str] = Counter()
    with postgresql() as url:
        while number == 1 or (not quick and time.monotonic() < start + 60 * MINUTES):
            number += 1  # the seed; 1 is that of the tests
            for name, where in (("sqlite", None), ("postgresql", url)):
                failures: list[str] = []
                found[name].update(fuzz(where, PROJECTS[name], number=number, failures=failures))
                found[name].update(projects=PROJECTS[name], failed=len(failures))
                errors.update(failures)
            if not quick:
                keep("fuzz", {**found, "errors": errors, "held": False, "unfinished": True})
            print(json.dumps(found), dict(errors), flush=True)
    return {**found, "errors": errors, "held": not errors}
