"""What the benchmarks of the papers share beside their seeds: scaled vectors of some classes, and curves in panels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.askers.sets import load

Choice = Mapping[str, tuple[str, list[int]]]


def scaled_vectors(name: str, choices: Choice, kept: Path | None = None, n_columns: int | None = None):
    """Vectors scaled to variance 1 a column, and classes from 0; `choices` names a table and some of its classes."""
    table, classes = choices.get(name, (name, None))
    found = load(table, kept)
    if found is None:
        return None
    X, truth = found
    if classes is not None:
        chosen = np.isin(truth, classes)
        X, truth = X[chosen], np.unique(truth[chosen], return_inverse=True)[1]
    X = X[:, :n_columns]
    return (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0), truth


def draw_panels(
    path: Path,
    table: Sequence[dict],
    panels: Mapping[str, Sequence[str]],
    *,
    along: str,
    xlabel: str,
    width: float,
    is_ours: Callable[[str], bool],
    label: Callable[[dict], str],
) -> None:
    """Pairwise F of every method with its interval: a panel a title, its methods, and rows in the order of `along`."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, 4.5), layout="constrained")
    for axes, (title, methods) in zip(figure.subplots(1, len(panels), sharey=True), panels.items(), strict=True):
        for method in methods:
            rows = sorted((row for row in table if row["method"] == method), key=lambda row: row[along])
            if not rows:
                continue
            axes.errorbar(
                [row[along] for row in rows],
                [row["pairwise_f"] for row in rows],
                yerr=[row["interval_95"] or 0.0 for row in rows],
                label=label(rows[0]),
                lw=2.5 if is_ours(method) else 1,
                capsize=2,
            )
        axes.set(xlabel=xlabel, ylabel="pairwise F", title=f"{path.stem}: {title}")
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)
    figure.savefig(path, dpi=90)


def plot_sets(path: Path, scores: Mapping[str, Mapping[float, dict]], xlabel: str, ylabel: str) -> None:
    """A panel a set: its scores by method, along what they are given for."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6 * len(scores), 4.5))
    for axis, (name, found) in zip(
        figure.subplots(1, len(scores), squeeze=False)[0], sorted(scores.items()), strict=True
    ):
        pd.DataFrame(found).T.plot(ax=axis, marker="o", title=name, xlabel=xlabel, ylabel=ylabel)
    figure.tight_layout()
    figure.savefig(path, dpi=80)
