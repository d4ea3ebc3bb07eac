"""That it ends: the default asker until nothing is left to ask, ``LIKEWISE_DATA=… python -m benchmarks.askers.ends [SET ...]``.

At the least there are as many answers as items less classes, and one for every two classes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.askers.sets import load
from benchmarks.record import keep
from likewise import Session
from likewise.metrics import ari
from likewise.simulate import SimulatedAnnotator

KEPT = Path(__file__).with_suffix(".json")
SETS = ("digits", "flowers-17", "leaf-99-features")
MOST = 20_000  # answers after which it is given up


def run(X, truth) -> dict[str, float | bool]:
    """How many answers there were in the end, and how good the clusters were."""
    session, person = Session(X, random_state=0), SimulatedAnnotator(truth)
    n_classes = len(np.unique(truth))
    began, answers = perf_counter(), 0
    while answers < MOST and (question := session.ask()) is not None:
        session.answer(question, person.answer(question))
        answers += 1
    return {
        "answers": answers,
        "least": len(X) - n_classes + n_classes * (n_classes - 1) // 2,
        "nothing_left": answers < MOST,
        "ari": ari(truth, session.labels_),
        "seconds": perf_counter() - began,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--kept", type=Path, help="folder in which embeddings are kept")
    given = parser.parse_args()
    results = json.loads(KEPT.read_text())["results"] if KEPT.exists() else {}
    for name in given.sets:
        found = load(name, given.kept)
        if found is not None:
            results[name] = run(*found)
            print(name, results[name], flush=True)
            keep(KEPT, config={"seed": 0, "most": MOST}, results=results, adds=True)


if __name__ == "__main__":
    main()
