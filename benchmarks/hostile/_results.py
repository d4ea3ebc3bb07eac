"""Where the figures are kept: ``benchmarks/hostile/results.json``, also those of an attack that was cut short."""

from __future__ import annotations

import fcntl
import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results.json")


def keep(name: str, figures: dict[str, Any]) -> None:
    """Replace the figures of one attack; those of the others stay, also when two attacks end at once."""
    dated = {**figures, "when": datetime.now(UTC).isoformat(timespec="seconds"), "python": platform.python_version()}
    folder = os.open(RESULTS.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        beside = RESULTS.with_suffix(".unfinished")
        beside.write_text(json.dumps({**kept, name: dated}, indent=1, sort_keys=True) + "\n")
        beside.replace(RESULTS)
    finally:
        os.close(folder)
