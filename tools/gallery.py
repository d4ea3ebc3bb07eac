"""Runs the examples of the gallery and draws their pictures: ``python -m tools.gallery [NAME ...]``."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "gallery"
TARGET = ROOT / "docs" / "assets" / "gallery"
COLOURS = 64
Found = dict[str, Any]


def names() -> list[str]:
    """The examples, by the names of their pages."""
    return sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "index")


def run(name: str) -> Found:
    """What an example leaves behind."""
    block = re.search(r"^```python\n(.*?)^```", (PAGES / f"{name}.md").read_text(encoding="utf-8"), re.M | re.S)
    assert block is not None
    left: Found = {"__name__": "gallery"}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        try:
            exec(compile(block[1], name, "exec"), left)
        finally:
            os.chdir(before)
    return left


def draw_tree_of(items: str) -> Callable[[Found, Any], None]:
    """The tree with the answers, its leaves named by what some variable holds."""

    def draw(found: Found, figure: Any) -> None:
        from likewise import plot

        axes = plot.dendrogram(found["session"], axes=figure.subplots())
        labels = [found[items][int(label.get_text())] for label in axes.get_xticklabels()]
        axes.set_xticks(axes.get_xticks(), labels, rotation=25, ha="right")

    return draw


def draw_spectra(found: Found, figure: Any) -> None:
    """Mean spectra of the instruments, and the curve."""
    from likewise import plot

    left, right = figure.subplots(1, 2)
    for name in found["overtones"]:
        left.plot(found["X"][np.array(found["truth"]) == name].mean(axis=0), label=name)
    left.set(xlabel="band", ylabel="loudness")
    left.legend()
    plot.learning_curves(found["curve"], axes=right)


def draw_curves(found: Found, figure: Any) -> None:
    """The learning curves of two strategies."""
    from likewise import plot

    plot.learning_curves({"own": found["own"], "default": found["default"]}, axes=figure.subplots())


def draw_confusion(found: Found, figure: Any) -> None:
    """Clusters against groups."""
    from likewise import plot

    labels = found["session"].labels_
    plot.confusion(found["truth"][: len(labels)], labels, axes=figure.subplots())


def draw_tags(found: Found, figure: Any) -> None:
    """The tree of tags, a line from every tag to what is above it."""
    axes = figure.subplots()
    below: dict[int, list[int]] = {}
    for parent, child in found["model"].edges_:
        below.setdefault(int(parent), []).append(int(child))
    leaves = iter(range(len(found["tags"])))

    def place(node: int, depth: int) -> float:
        xs = [place(child, depth + 1) for child in below.get(node, [])]
        x = float(np.mean(xs)) if xs else float(next(leaves))
        for other in xs:
            axes.plot([x, other], [-depth, -depth - 1], color="0.6", zorder=0)
        text = "everything" if node < 0 else found["tags"][node]
        axes.text(x, -depth, text, ha="center", va="center", bbox={"boxstyle": "round", "fc": "white", "ec": "0.6"})
        return x

    place(-1, 0)
    axes.margins(0.15)
    axes.set_axis_off()


def draw_wall(found: Found, figure: Any) -> None:
    """The largest clusters, ten pictures of each."""
    labels, X = found["session"].labels_, found["X"]
    largest = np.argsort(-np.bincount(labels), kind="stable")[:5]
    for row, axes in zip(largest, figure.subplots(len(largest), 10), strict=True):
        members = np.flatnonzero(labels == row)[:10]
        for place, each in enumerate(axes):
            each.set_axis_off()
            if place < len(members):
                each.imshow(X[members[place]].reshape(8, 8), cmap="gray_r")


def draw_answers(found: Found, figure: Any) -> None:
    """Two columns of the vectors, coloured by cluster, and lines between the items that were asked about."""
    axes, X, session = figure.subplots(), found["X"], found["session"]
    axes.scatter(X[:, 2], X[:, 3], c=session.labels_, cmap="tab10", s=16)
    for pairs, style in ((session.must_link, "g-"), (session.cannot_link, "r--")):
        for i, j in pairs:
            axes.plot(X[[i, j], 2], X[[i, j], 3], style, linewidth=1)
    axes.set(xlabel="petal length", ylabel="petal width")


DRAWN: dict[str, Callable[[Found, Any], None]] = {
    "audio": draw_spectra,
    "crowd": draw_confusion,
    "distances": draw_tree_of("words"),
    "grids": draw_wall,
    "oracle": draw_tree_of("names"),
    "saving": draw_answers,
    "strategy": draw_curves,
    "tags": draw_tags,
    "text": draw_tree_of("texts"),
    "vectors": draw_confusion,
}


def main() -> None:
    """Draw all, or those that are named."""
    from matplotlib.figure import Figure
    from PIL import Image

    TARGET.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or names():
        figure = Figure(figsize=(6.4, 3.4), dpi=100, layout="constrained")
        DRAWN[name](run(name), figure)
        whole, small = BytesIO(), BytesIO()
        figure.savefig(whole)
        Image.open(whole).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
        (TARGET / f"{name}.png").write_bytes(small.getvalue())
        print(f"{name}.png: {small.tell() / 1000:.0f} kB")


if __name__ == "__main__":
    main()
