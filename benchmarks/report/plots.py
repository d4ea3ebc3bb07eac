"""Small plots of the kept figures. Each says in itself which figures it was drawn from, so that an old one is noticed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from benchmarks.report.claim import Panel

DIGITS = 4


def digest(panels: list[Panel]) -> str:
    """A short name of the figures that are drawn."""
    rounded = [
        (p.title, p.x, p.y, {m: [(round(x, DIGITS), round(y, DIGITS)) for x, y in line] for m, line in p.lines.items()})
        for p in panels
    ]
    return hashlib.sha256(json.dumps(rounded).encode()).hexdigest()[:16]


def is_fresh(path: Path, panels: list[Panel]) -> bool:
    """Whether the plot is there and of these figures."""
    return path.exists() and f"figures {digest(panels)}" in path.read_text()


def draw(path: Path, panels: list[Panel]) -> None:
    """A row of panels, or several, with one legend."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot as plt

    columns = 3 if len(panels) in (3, 5, 6) else min(4, len(panels))
    n_rows = -(-len(panels) // columns)
    with plt.rc_context({"svg.hashsalt": "likewise", "svg.fonttype": "none", "font.size": 8}):
        size = (max(4.5, 2.6 * columns), 2.5 * n_rows + 0.5)
        figure, grid = plt.subplots(n_rows, columns, figsize=size, squeeze=False, layout="constrained")
        names = list(dict.fromkeys(name for panel in panels for name, line in panel.lines.items() if line))
        for axes in grid.flat[len(panels) :]:
            axes.set_visible(False)
        for axes, panel in zip(grid.flat, panels, strict=False):
            for name in (name for name in names if panel.lines.get(name)):
                line = sorted(panel.lines[name])
                axes.plot(
                    *zip(*line, strict=True), color=f"C{names.index(name) % 10}", lw=1.2, marker=".", ms=3, label=name
                )
            axes.set(title=panel.title, xlabel=panel.x, ylabel=panel.y)
        if len(names) > 1:
            handles = {h.get_label(): h for axes in grid.flat for h in axes.get_lines()}
            figure.legend(
                [handles[n] for n in names], names, loc="outside lower center", ncols=min(4, len(names)), fontsize=7
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None, "Creator": None, "Description": f"figures {digest(panels)}"})
        plt.close(figure)
