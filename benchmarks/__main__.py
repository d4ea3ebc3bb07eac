"""Run the benchmarks one after another and write their pages: ``python -m benchmarks [--full] [--list]``.

Without ``--full`` those that together take less than 20 minutes. Data comes from LIKEWISE_DATA; what cannot run without it is
skipped and said. ``--list`` only says what would run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from time import perf_counter

from benchmarks.plan import FULL, PAGES, SHORT, Run


def listing(runs: Sequence[Run]) -> str:
    """The runs with their minutes."""
    lines = [f"{run.minutes:6.4g} min  {run.name}" for run in runs]
    for run, i in zip(runs, range(len(lines)), strict=True):
        if missing := run.missing():
            lines[i] += f"  (would be skipped: {', '.join(missing)} is not below LIKEWISE_DATA)"
    return "\n".join([*lines, f"{sum(run.minutes for run in runs):6.4g} min  in all, about"])


def start(run: Run) -> tuple[int, list[str]]:
    """Its exit status, and what it says it skipped; everything it prints is passed on."""
    skipped = []
    command = [sys.executable, "-m", run.module, *run.arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            if line.startswith("skipped:"):
                skipped.append(line.removeprefix("skipped:").strip())
    return process.returncode, skipped


def run_all(runs: Sequence[Run]) -> int:
    """Run them, and say at the end what failed and what was skipped."""
    failed, skipped = [], []
    for run in runs:
        print(f"\n== {run.name}", flush=True)
        if missing := run.missing():
            print(f"skipped: {', '.join(missing)} is not below LIKEWISE_DATA")
            skipped.append(f"{run.name}: {', '.join(missing)} is not below LIKEWISE_DATA")
            continue
        began = perf_counter()
        status, without = start(run)
        print(f"{(perf_counter() - began) / 60:.1f} min")
        skipped += [f"{run.name}: {reason}" for reason in dict.fromkeys(without)]
        if status:
            failed.append(run.name)
    print("\nskipped:\n  " + "\n  ".join(skipped) if skipped else "\nnothing skipped")
    print("failed:\n  " + "\n  ".join(failed) if failed else "nothing failed")
    return int(bool(failed))


def main() -> int:
    """Run or list."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--full", action="store_true", help="all benchmarks, the papers' and the askers' too: many hours"
    )
    parser.add_argument("--list", action="store_true", help="only say what would run, and how long")
    given = parser.parse_args()
    runs = (*(FULL if given.full else SHORT), *PAGES)
    if given.list:
        print(listing(runs))
        return 0
    return run_all(runs)


if __name__ == "__main__":
    raise SystemExit(main())
