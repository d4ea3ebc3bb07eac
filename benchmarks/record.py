"""What every benchmark shares: where the data is, and how a result is kept."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.code import code_now

PACKAGES = ("likewise", "numpy", "scipy", "scikit-learn", "numba", "pandas", "onnxruntime", "faiss-cpu")


def data_folder(*parts: str) -> Path | None:
    """A path below LIKEWISE_DATA, or None (said once) when it is not there."""
    root = os.environ.get("LIKEWISE_DATA")
    path = Path(root, *parts) if root else None
    if path is None or not path.exists():
        print(f"skipped: {'/'.join(parts) or 'data'} is not there; LIKEWISE_DATA names the folder")
        return None
    return path


def versions() -> dict[str, str]:
    """Versions of what the figures depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    """What the figures were measured on, without naming it."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":")[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return {"cpu": model, "cores": os.cpu_count(), "system": platform.system()}


def keep(path: Path, *, config: dict[str, Any], results: Any, adds: bool = False) -> None:
    """Write a result with its config, versions, code, machine and date beside it.

    - `adds`: Whether some of the results are those that the file had.
    """
    earlier = json.loads(path.read_text()) if adds and path.exists() else None
    content = {
        "config": config,
        "results": results,
        "versions": versions(),
        "code": code_now(earlier),
        "machine": machine(),
        "date": datetime.now(UTC).date().isoformat(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n")
    print(f"kept in {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")
