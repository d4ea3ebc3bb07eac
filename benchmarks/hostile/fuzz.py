"""Every field of every kind of event, bent: whatever is accepted opens again, exports, archives and restores."""

from __future__ import annotations

from typing import Any

from tests.server.kills import postgresql
from tests.store.fuzz import fuzz


def main(quick: bool) -> dict[str, Any]:
    """Batches of events on SQLite and on PostgreSQL; a failure stops it with the batch that fails."""
    with postgresql() as url:
        return {
            "sqlite": fuzz(None, 20 if quick else 1500, number=2),
            "postgresql": fuzz(url, 10 if quick else 400, number=3),
            "held": True,
        }
