"""What an asker would need that knows the truth: ``LIKEWISE_DATA=… python -m benchmarks.askers.forms_floor [--kept FOLDER] [SET ...]``.

A floor under the seconds of :mod:`benchmarks.askers.forms`. It begins with the clusters of the default asker before any answer, and does what
raises the adjusted Rand index most in a second: it shows clusters that are one class on one screen (or as a pair), shows the odd pictures of
a cluster and no other on a grid, or one odd class of a cluster by a pair; each odd picture then goes straight to where it belongs. Nothing is
spent on looking for them, and nothing on confirming what is right, so that no asker without the truth comes near.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.askers.forms import GOALS
from benchmarks.askers.sets import SETS, load
from benchmarks.record import keep
from likewise import Session
from likewise.query.dendrogram.grids import MOST_SHOWN
from likewise.query.form_times import PRIORS

PATH = Path(__file__).with_suffix(".json")
PAIR, GRID = PRIORS["pair"].seconds(), PRIORS["grid"]
SEEDS = 2
Counts = np.ndarray  # of each cluster (row) and class (column), the items


def index(counts: Counts) -> float:
    """Adjusted Rand index from the counts."""

    def pairs(x: np.ndarray) -> float:
        return float((x * (x - 1) / 2).sum())

    rows, columns, n = pairs(counts.sum(axis=1)), pairs(counts.sum(axis=0)), counts.sum()
    expected = rows * columns / (n * (n - 1) / 2)
    return (pairs(counts) - expected) / ((rows + columns) / 2 - expected)


def joined(counts: Counts) -> Iterator[tuple[Counts, float]]:
    """The largest clusters of one class made one, two of them or more."""
    class_of, size = counts.argmax(axis=1), counts.sum(axis=1)
    for each in np.unique(class_of):
        same = np.flatnonzero(class_of == each)
        same = same[np.argsort(-size[same], kind="stable")]
        for k in range(1, len(same)):
            after = counts.copy()
            after[same[0]] += counts[same[1 : k + 1]].sum(axis=0)
            yield np.delete(after, same[1 : k + 1], axis=0), min(PAIR if k == 1 else np.inf, GRID.base + GRID.shown * k)


def mended(counts: Counts) -> Iterator[tuple[Counts, float]]:
    """The odd ones of a cluster moved to where they belong: all, or the most frequent class of them."""
    class_of = counts.argmax(axis=1)
    for cluster in range(len(counts)):
        odd = counts[cluster] * (np.arange(counts.shape[1]) != class_of[cluster])
        if not odd.any():
            continue
        most = np.where(np.arange(len(odd)) == odd.argmax(), odd, 0)
        grid = GRID.base * np.ceil(odd.sum() / MOST_SHOWN) + (GRID.shown + GRID.tap) * odd.sum()
        yield moved(counts, cluster, odd, class_of), grid
        yield moved(counts, cluster, most, class_of), PAIR


def moved(counts: Counts, cluster: int, odd: np.ndarray, class_of: np.ndarray) -> Counts:
    """Odd items of a cluster in the largest clusters of their classes, or in clusters of their own."""
    after = counts.copy()
    after[cluster] -= odd
    for each in np.flatnonzero(odd):
        homes = np.flatnonzero(class_of == each)
        if len(homes):
            after[homes[counts[homes, each].argmax()], each] += odd[each]
        else:
            after = np.vstack([after, np.where(np.arange(len(odd)) == each, odd, 0)])
    return after


def floor(X: np.ndarray, truth: np.ndarray, seed: int) -> dict[str, float]:
    """Seconds to the goals."""
    labels = Session(X, random_state=seed).labels_
    counts = np.zeros((labels.max() + 1, truth.max() + 1))
    np.add.at(counts, (labels, truth), 1)
    seconds, reached = 0.0, {}
    while True:
        now = index(counts)
        for goal in GOALS:
            if now >= goal:
                reached.setdefault(f"{goal:.2f}", round(float(seconds), 1))
        if len(reached) == len(GOALS):
            return reached
        steps = [((index(after) - now) / cost, cost, after) for after, cost in (*joined(counts), *mended(counts))]
        _, cost, counts = max(steps, key=lambda step: step[0])
        seconds += cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--kept", type=Path)
    given = parser.parse_args()
    results = json.loads(PATH.read_text())["results"] if PATH.exists() else {}
    for name in given.sets:
        if (found := load(name, given.kept)) is not None:
            results[name] = [floor(*found, seed) for seed in range(SEEDS)]
            print(name, results[name], flush=True)
            keep(PATH, config={"goals": GOALS, "seeds": SEEDS}, results=results, adds=True)


if __name__ == "__main__":
    main()
