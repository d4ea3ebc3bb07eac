"""All events of the project, undone ones too, as JSON Lines: one event on each line."""

from __future__ import annotations

import json
from pathlib import Path

from likewise.formats.rows import Snapshot
from likewise.formats.writing import Written

__all__ = ["write_jsonl"]


def write_jsonl(snapshot: Snapshot, path: Path) -> Written:
    """Write all events in order.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "answers.jsonl"
    >>> write_jsonl(Snapshot("leaves", events=[{"seq": 1, "kind": "answer"}]), path).what
    'events'
    """
    with open(path, "w", encoding="utf-8") as file:
        for event in snapshot.events:
            file.write(json.dumps(event) + "\n")
    return Written(path, len(snapshot.events), "events")
