"""What P says of the pairs at which Active-HACC's clusters are wrong, after a tenth of the questions.

``LIKEWISE_DATA=… python -m benchmarks.papers.biswas2014_active.doubts [SET ...]`` adds to ``doubts.json``: how many pairs the clusters have wrong, the mean probability that
P gives to the right answer of these pairs, and how many of them it gives less than .1. A question is worth asking, to Active-HACC, as far as P
expects an answer that contradicts the clusters: what P is sure of is asked last.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.papers.biswas2014_active.__main__ import BUDGET
from benchmarks.papers.biswas2014_active.causes import OURS, PARTS, SETS, asker
from benchmarks.papers.biswas2014_active.sets import Set, load
from benchmarks.record import keep
from likewise import Session, simulate

PATH = Path(__file__).parent / "doubts.json"
UNLIKELY = 0.1
CONFIG = {"asker": OURS, "after": f"1/{PARTS} of the questions", "unlikely": UNLIKELY}


def probability(session: Session) -> np.ndarray:
    """P of every pair, as the asker has it after the answers so far."""
    strategy, state = session.strategy, session.state
    likely = strategy._likely_same(state, strategy._setup(state))
    return np.asarray(likely.probability(likely.values))


def wrong_pairs(P: np.ndarray, labels: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """The probability of the right answer at every pair that the clusters have wrong."""
    i, j = np.triu_indices(len(truth), 1)
    same = truth[i] == truth[j]
    wrong = same != (labels[i] == labels[j])
    return np.where(same, P[i, j], 1 - P[i, j])[wrong]


def run(data: Set) -> dict[str, float]:
    """Ask a tenth of the questions, and look."""
    session = asker(data, OURS)
    questions = BUDGET[data.name] // PARTS
    simulate(session, data.truth, questions, every=questions)
    right = wrong_pairs(probability(session), np.asarray(session.labels_), data.truth)
    mean = round(float(right.mean()), 4) if len(right) else 1.0
    return {"questions": questions, "pairs": len(right), "mean P": mean, "unlikely": int((right < UNLIKELY).sum())}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=[*SETS, "faces-400"])
    found = json.loads(PATH.read_text())["results"] if PATH.exists() else {}
    for name in parser.parse_args().sets:
        data = load(name)
        if data is not None:
            found[name] = run(data)
            print(name, found[name], flush=True)
            keep(PATH, config=CONFIG, results=found, adds=True)


if __name__ == "__main__":
    main()
