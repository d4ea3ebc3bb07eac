"""Heuristic H1 on leaves: groups whose items stay together, and groups in the place of which centroids are clustered.

``python -m benchmarks.papers.biswas2014_active.groups [SET ...]`` keeps ``groups.json``. The thesis (§3.3.1, Fig. 5c) makes 700 groups of 1,042
leaves and runs with their centroids; it has a Jaccard coefficient of .815 after 3,782 questions. What no answer about groups
can reach is that of the groups merged by the truth.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.papers.biswas2014_active.__main__ import SEED, consensus
from benchmarks.papers.biswas2014_active.sets import Set, load
from benchmarks.record import keep
from likewise import Session
from likewise.metrics import jaccard
from likewise.query.active_hacc.active_hacc import SHARE
from likewise.query.active_hacc.centroids import group_items
from likewise.query.base import State
from likewise.simulate import simulate

SETS = {"leaf-250": 900, "leaf-990": 3782}  # questions
POINTS = 30
CONFIG = {"questions": SETS, "share": "700 of 1,042", "seed": SEED, "heuristics": "H1 and H2"}


def most_possible(data: Set, n_groups: int) -> float:
    """Jaccard coefficient where every group has the class that most of its items have."""
    groups = group_items(State(data.D, "precomputed", None, SEED), n_groups)
    classes = np.unique(data.truth, return_inverse=True)[1]
    return jaccard(data.truth, np.array([np.bincount(classes[groups == k]).argmax() for k in range(n_groups)])[groups])


def run(data: Set, groups: str, n_groups: int, probability: np.ndarray) -> dict[str, Any]:
    """The curve of one way of grouping."""
    budget = SETS[data.name]
    session = Session(
        data.D,
        metric="precomputed",
        strategy="active-hacc",
        n_clusters=len(np.unique(data.truth)),
        random_state=SEED,
        probability=probability,
        prune=True,
        local=True,
        n_groups=n_groups,
        groups=groups,
    )
    start = perf_counter()
    curve = simulate(session, data.truth, budget, every=budget // POINTS)
    seconds = perf_counter() - start
    return {
        "groups": groups,
        "n_groups": n_groups,
        "answers": curve.answers.tolist(),
        "jaccard": curve.jaccard.round(4).tolist(),
        "seconds_a_question": round(seconds / max(1, len(session.history)), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=list(SETS))
    path = Path(__file__).parent / "groups.json"
    results: dict[str, Any] = json.loads(path.read_text())["results"] if path.exists() else {}
    for name in parser.parse_args().sets:
        data = load(name)
        if data is None:
            continue
        n_groups, probability = round(SHARE * len(data.D)), consensus(data)
        rows = []
        for groups in ("links", "centroids"):
            rows.append(run(data, groups, n_groups, probability))
            print(name, groups, rows[-1]["jaccard"][-1], rows[-1]["seconds_a_question"], flush=True)
        results[name] = {"curves": rows, "most_possible": round(most_possible(data, n_groups), 4)}
        keep(path, config=CONFIG, results=results, adds=True)


if __name__ == "__main__":
    main()
