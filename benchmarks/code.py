"""Which code a result depends on: a hash of the modules of likewise that were loaded when it was kept."""

from __future__ import annotations

import ast
import hashlib
import sys
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[1] / "src"
MIXED = "mixed"  # of a file in which some results are of other code than the last


def loaded_modules() -> list[str]:
    """Modules of likewise that this process has loaded, those that were imported on use among them."""
    return sorted(name for name in sys.modules if name == "likewise" or name.startswith("likewise."))


def hash_modules(modules: list[str], source: Path = SOURCE) -> str:
    """A hash of what the modules do: comments, docstrings and empty lines do not count. A module that is gone does."""
    found = hashlib.sha256()
    for name in sorted(modules):
        found.update(f"{name}\n{_statements(_file_of(name, source))}\n".encode())
    return found.hexdigest()[:16]


def code_now(earlier: dict[str, Any] | None = None, source: Path = SOURCE) -> dict[str, str]:
    """What a result carries of the code it depends on.

    - `earlier`: The kept file when some of its results stay in it: the hash is "mixed" unless they are of this code.
    """
    modules = loaded_modules()
    now = {"hash": hash_modules(modules, source), "modules": " ".join(modules)}
    if earlier is not None and state_of(earlier, source) != "current":
        now["hash"] = MIXED
    return now


def state_of(content: dict[str, Any], source: Path = SOURCE) -> str:
    """Of a kept file: "current", "replaced" where the code has changed since, "mixed" or "unknown"."""
    code = content.get("code")
    if code is None:
        return "unknown"
    if code["hash"] == MIXED:
        return MIXED
    return "current" if hash_modules(code["modules"].split(), source) == code["hash"] else "replaced"


def _file_of(name: str, source: Path) -> Path:
    path = source.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _statements(path: Path) -> str:
    """The lines of a file that do something; they are the same whatever Python reads them."""
    if not path.exists():
        return "gone"
    text = path.read_text()
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = (line for number, line in enumerate(text.splitlines(), 1) if number not in skipped)
    return "\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#"))
