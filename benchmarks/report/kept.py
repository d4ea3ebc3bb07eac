"""Results as they were kept, and nothing when they were not."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.code import MIXED, state_of

BENCHMARKS = Path(__file__).parents[1]


# Named one by one: the environments of the peers are below the same folder.
FOLDERS = (
    "papers/*/*.json",
    "papers/*/results/*.json",
    "speed/*.json",
    "askers/*.json",
    "askers/results/*.json",
    "images/*.json",
    "crowd/*.json",
    "peers/*/results.json",
)


def machine_of(machine: dict[str, Any]) -> str:
    """What it was measured on, in words."""
    return f"{machine.get('cores', '?')} cores of {machine.get('cpu', 'an unnamed machine')}"


def _folder(path: str) -> str:
    return str(Path(path).parent).removesuffix("/results")


class Kept:
    """The result files below a folder."""

    def __init__(self, root: Path = BENCHMARKS):
        self.root = root
        self.read: set[str] = set()
        self.dates: set[str] = set()
        self.machines: set[str] = set()
        self.states: dict[str, str] = {}

    def file(self, path: str) -> dict[str, Any] | None:
        """A file with its config, or None when it is not there."""
        found = self.root / path
        if not found.exists():
            return None
        content: dict[str, Any] = json.loads(found.read_text())
        self.read.add(path)
        self.states[path] = state_of(content)
        self.dates.add(content.get("date", ""))
        self.machines.add(machine_of(content.get("machine", {})))
        return content

    def unread(self) -> list[str]:
        """Kept results that nothing asked for."""
        there = {p.relative_to(self.root).as_posix() for pattern in FOLDERS for p in self.root.glob(pattern)}
        return sorted(there - self.read)

    def old_code(self) -> str:
        """Which of the results that were read are of code that is not there any more, in words."""
        said = {"replaced": "Of replaced code", MIXED: "In part of replaced code", "unknown": "Hash unknown"}
        parts = []
        for state, words in said.items():
            paths = sorted(path for path, found in self.states.items() if found == state)
            named = list(dict.fromkeys(map(_folder, paths))) if state == "unknown" else paths
            if paths:
                parts.append(f"{words} ({len(paths)}): {', '.join(f'`{path}`' for path in named)}.")
        return " ".join(parts) or "All are of the code that is there."

    def results(self, path: str) -> Any:
        """What was measured, or None."""
        content = self.file(path)
        return None if content is None else content["results"]

    def sets(self, folder: str, names: Iterable[str]) -> dict[str, Any]:
        """What was measured on those of the named sets that are there."""
        found = {name: self.results(f"{folder}/{name}.json") for name in names}
        return {name: results for name, results in found.items() if results is not None}

    def all(self, folder: str) -> dict[str, dict[str, Any]]:
        """Every file of a folder with its config, by name."""
        names = sorted(p.stem for p in (self.root / folder).glob("*.json"))
        return {name: c for name in names if (c := self.file(f"{folder}/{name}.json")) is not None}
