"""Write docs/benchmarks.md from the kept results: ``python -m benchmarks.report``; ``--check`` only says whether it is up to date."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.report.kept import Kept
from benchmarks.report.page import ROOT, plot_of, render, sections, without_code
from benchmarks.report.plots import draw, is_fresh


def stale(docs: Path, kept: Kept) -> list[str]:
    """What in the documentation is not what the results give now."""
    parts = sections(kept)
    page = docs / "benchmarks.md"
    same = page.exists() and without_code(page.read_text()) == without_code(render(parts, kept))
    old = [] if same else ["benchmarks.md"]
    return old + [plot_of(part) for part in parts if part.panels and not is_fresh(docs / plot_of(part), part.panels)]


def write(docs: Path, kept: Kept) -> None:
    """The page and the plots that changed."""
    parts = sections(kept)
    (docs / "benchmarks.md").write_text(render(parts, kept))
    for part in parts:
        path = docs / plot_of(part)
        if part.panels and not is_fresh(path, part.panels):
            draw(path, part.panels)
    print(f"written: docs/benchmarks.md, from {len(kept.read)} kept results")
    print(kept.old_code())


def main() -> int:
    """Write, or check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit 1 when the page is older than the results")
    docs, kept = ROOT / "docs", Kept()
    if not parser.parse_args().check:
        write(docs, kept)
        return 0
    old = stale(docs, kept)
    if old:
        print(f"older than the results: {', '.join(old)}; run python -m benchmarks.report")
    return int(bool(old))


if __name__ == "__main__":
    raise SystemExit(main())
