"""People answer, edit, tag, undo and redo while the server is killed again and again: nothing lost, nothing doubled.

Whatever was acknowledged must be stored, under the number that was told, once; whatever was refused must not be stored;
nothing that was stored may change; and the project must be as it was written (``likewise check``). Compared after every
kill, and kept, so that a run that is cut short has figures too. SQLite and PostgreSQL.
"""

from __future__ import annotations

from typing import Any

from benchmarks.hostile._killing import on_both
from benchmarks.hostile._people import ALL


def main(quick: bool) -> dict[str, Any]:
    """200 kills on SQLite and 60 on PostgreSQL, or a few."""
    kills = {"sqlite": 3, "postgresql": 2} if quick else {"sqlite": 200, "postgresql": 60}
    return on_both("edit_kills", kills, ALL, 16, quick)
