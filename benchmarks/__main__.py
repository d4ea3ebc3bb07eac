"""Run the short benchmarks one after another: every module of ``benchmarks.speed``."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

from benchmarks import speed


def main() -> int:
    failed = []
    for module in pkgutil.iter_modules(speed.__path__, "benchmarks.speed."):
        print(f"\n== {module.name}", flush=True)
        if subprocess.run([sys.executable, "-m", module.name], check=False).returncode:
            failed.append(module.name)
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nall ran")
    return bool(failed)


if __name__ == "__main__":
    raise SystemExit(main())
