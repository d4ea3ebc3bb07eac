"""Where others are ahead of Active-HACC: whether by their questions, by P, or by who reads the answers.

``LIKEWISE_DATA=… python -m benchmarks.papers.biswas2014_active.causes [SET ...] [--draws 5]`` adds to ``causes.json``: Jaccard's coefficient
at every tenth of the questions of ``results/SET.json``, of Active-HACC, of it with P of the truth (it knows which answer it will get, so that what is
left is its criterion) and of askers of Table 3.1; the answers of each are read as they are there, by HACC and by PCKMeans. With wrong
answers, on the sets that have them, in so many draws of the mistakes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.papers.biswas2014_active.__main__ import ALGORITHMS, BUDGET, NOISE, session_of
from benchmarks.papers.biswas2014_active.halves import CONFIG as HALVES
from benchmarks.papers.biswas2014_active.sets import Set, load
from benchmarks.record import keep
from likewise import Session, simulate
from likewise.cluster import PCKMeans
from likewise.metrics import jaccard

PATH = Path(__file__).parent / "causes.json"
OURS, TOLD = "Active-HACC, calibrated (our default)", "Active-HACC, P of the truth"
RIVALS = ("CAC1", "Active-PCKMeans (Explore-Consolidate)", "MinMax", "kNN-graph purification")
SETS = ("iris", "faces-100", "leaf-250", "faces-250", "scene-300")
PARTS = 10
CONFIG = {"sets": SETS, "parts of the questions": PARTS, "wrong answers": NOISE}


def probability_of(truth: np.ndarray) -> np.ndarray:
    """P of the truth, as in ``halves.py``."""
    low, high = HALVES["P of the truth"]
    return np.where(truth[:, None] == truth, high, low)


def asker(data: Set, name: str) -> Session:
    """A session with one of the askers."""
    if name == TOLD:
        return session_of(data, "active-hacc", probability=probability_of(data.truth))
    strategy, options = ALGORITHMS[name]
    return session_of(data, strategy, **options)


def read_by(data: Set, history: list, clusterer: Any) -> float:
    """The coefficient of the clusters that somebody else makes of the same answers; None is HACC."""
    reader = session_of(data, "random", vectors=clusterer is not None, clusterer=clusterer)
    return round(float(jaccard(data.truth, reader.replay(history).labels_)), 4)


def run(data: Set, name: str, error_rate: float, draw: int) -> dict[str, list[float]]:
    """One asker at every tenth of the questions, by who reads the answers."""
    session, budget = asker(data, name), BUDGET[data.name]
    found: dict[str, list[float]] = {"own": [], "HACC": [], "PCKMeans": []}
    for part in range(1, PARTS + 1):
        more = budget * part // PARTS - len(session.history)
        if more > 0:
            simulate(session, data.truth, more, error_rate=error_rate, random_state=draw, every=more)
        found["own"].append(round(float(jaccard(data.truth, session.labels_)), 4))
        for reader, clusterer in (("HACC", None), ("PCKMeans", PCKMeans())):
            found[reader].append(read_by(data, session.history, clusterer))
    return found


def wanted(sets: list[str], draws: int) -> list[tuple[str, float, int]]:
    """Set, share of wrong answers and draw of everything that is to be run."""
    right = [(name, 0.0, 0) for name in sets]
    return right + [(name, NOISE[name], draw) for draw in range(draws) for name in sets if name in NOISE]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--draws", type=int, default=5)
    given = parser.parse_args()
    there = {name: data for name in given.sets if (data := load(name)) is not None}
    runs = json.loads(PATH.read_text())["results"] if PATH.exists() else {}
    for name, error_rate, draw in wanted(list(there), given.draws):
        by = runs.setdefault(f"{name}, {error_rate:g} wrong", {}).setdefault(str(draw), {})
        for method in (OURS, TOLD, *RIVALS):
            if method not in by:
                by[method] = run(there[name], method, error_rate, draw)
                print(name, error_rate, draw, method, by[method], flush=True)
                keep(PATH, config=CONFIG, results=runs, adds=True)


if __name__ == "__main__":
    main()
