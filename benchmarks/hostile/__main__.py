"""Run the attacks one after another and keep their figures: ``python -m benchmarks.hostile [--quick] [NAME …]``.

The figures go to ``benchmarks/hostile/results.json``, each with when and how it was run. The exit status is 1 where one
of them says ``"held": false``.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results.json")


def names() -> list[str]:
    """The attacks there are."""
    return sorted(each.name for each in pkgutil.iter_modules([str(Path(__file__).parent)]) if each.name[0] != "_")


def run(name: str, quick: bool) -> dict[str, Any]:
    """The figures of one attack."""
    start = time.monotonic()
    figures: dict[str, Any] = importlib.import_module(f"benchmarks.hostile.{name}").main(quick)
    about = {"minutes": round((time.monotonic() - start) / 60, 1), "quick": quick}
    return {
        **figures,
        **about,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
    }


def main() -> int:
    """Run those that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile")
    parser.add_argument("names", nargs="*", help="attacks to run; all by default")
    parser.add_argument("--quick", action="store_true", help="a small size of each")
    options = parser.parse_args()
    held = True
    for name in options.names or names():
        print(f"{name} …", flush=True)
        figures = run(name, options.quick)
        print(json.dumps(figures), flush=True)
        kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        RESULTS.write_text(json.dumps({**kept, name: figures}, indent=1, sort_keys=True) + "\n")
        held = held and figures.get("held", True)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
