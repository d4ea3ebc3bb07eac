"""Tables with a line of 300 MB: one sentence, an exit code, and no more memory than the line that is allowed takes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SIZE, QUICK = 300_000_000, 40_000_000
MOST_MEGABYTES = 100  # beyond what the command takes for a table of one row
BLOCK = 1_000_000
HEAD = "a,b,annotator,answer\n"
GOOD = f"{HEAD}x.png,y.png,ann,same\n"
TABLES: dict[str, tuple[str, str]] = {  # what comes first, and what is repeated
    "one cell.csv": (f"{HEAD}x.png,y.png,ann,", "x"),
    "one cell in quotes.csv": (f'{HEAD}x.png,y.png,ann,"', "x"),
    "a quote that never ends.csv": (f'{HEAD}x.png,y.png,ann,"', "x" * 99 + "\n"),
    "the first line.csv": ("", "a"),
    "columns.csv": ("", ","),
    "cells.csv": (f"{HEAD}x.png,y.png,ann", ","),
    "an object.jsonl": ('{"a": "', "x"),
}


def write(path: Path, first: str, repeated: str, size: int) -> None:
    """A file of so many characters."""
    block = repeated * (BLOCK // len(repeated))
    with open(path, "w") as file:
        file.write(first)
        for _ in range(size // len(block)):
            file.write(block)


def report(path: Path) -> tuple[int, str, float]:
    """The exit code of the command that reads such a table, what it says, and the megabytes it took at most."""
    command = [sys.executable, "-c", "from likewise.cli import main; main()", "crowd", "report", path.name]
    with tempfile.TemporaryFile() as said:
        # by its path alone a name may be too long for the message; it is run where the table is
        process = subprocess.Popen(command, cwd=path.parent, stdout=said, stderr=said, env=_environment())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    return process.returncode, text.strip(), used.ru_maxrss / 1024


def _environment() -> dict[str, str]:
    return os.environ | {"COLUMNS": "500", "OPENBLAS_NUM_THREADS": "1"}


def main(quick: bool) -> dict[str, Any]:
    """Read each of the tables, and a good one to compare with."""
    size, found, held = QUICK if quick else SIZE, {}, True
    with tempfile.TemporaryDirectory() as work:
        good = Path(work, "good.csv")
        good.write_text(GOOD)
        code, said, least = report(good)
        assert code == 0, said
        for name, (first, repeated) in TABLES.items():
            path = Path(work, name)
            write(path, first, repeated, size)
            code, said, most = report(path)
            path.unlink()
            found[name] = {"exit": code, "said": said[:300], "megabytes_more": round(most - least)}
            # a line that cannot be read is named, and then how many there are
            in_short = code not in (0, -9) and "Traceback" not in said and len(said.splitlines()) <= 2
            held = held and in_short and most - least < MOST_MEGABYTES
    return {"held": held, "megabytes": size // 1_000_000, "tables": found}
