"""People answer and take answers back while the server is killed 500 times: nothing lost, nothing doubled.

Compared after every kill as in :mod:`benchmarks.hostile.edit_kills`. SQLite and PostgreSQL.
"""

from __future__ import annotations

from typing import Any

from benchmarks.hostile._killing import on_both

ACTIONS = (*("answers",) * 9, "undo")


def main(quick: bool) -> dict[str, Any]:
    """350 kills on SQLite and 150 on PostgreSQL, or a few."""
    kills = {"sqlite": 3, "postgresql": 2} if quick else {"sqlite": 350, "postgresql": 150}
    return on_both("answer_kills", kills, ACTIONS, 12, quick)
