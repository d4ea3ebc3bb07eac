"""Run the attacks one after another and keep their figures: ``python -m benchmarks.hostile [--quick] [NAME …]``.

The figures go to ``benchmarks/hostile/results.json``, each with when and how it was run; those of a quick run are only
printed. The exit status is 1 where one of them says ``"held": false``.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.hostile._results import keep


def names() -> list[str]:
    """The attacks there are."""
    return sorted(each.name for each in pkgutil.iter_modules([str(Path(__file__).parent)]) if each.name[0] != "_")


def run(name: str, quick: bool) -> dict[str, Any]:
    """The figures of one attack."""
    start = time.monotonic()
    figures: dict[str, Any] = importlib.import_module(f"benchmarks.hostile.{name}").main(quick)
    return {**figures, "minutes": round((time.monotonic() - start) / 60, 1)}


def main() -> int:
    """Run those that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile")
    parser.add_argument("names", nargs="*", help="attacks to run; all by default")
    parser.add_argument("--quick", action="store_true", help="a small size of each; the figures are not kept")
    options = parser.parse_args()
    held = True
    for name in options.names or names():
        print(f"{name} …", flush=True)
        figures = run(name, options.quick)
        print(json.dumps(figures), flush=True)
        if not options.quick:
            keep(name, figures)
        held = held and figures["held"]
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
