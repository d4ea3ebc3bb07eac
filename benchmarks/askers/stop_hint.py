"""How often a stop is suggested too early: ``LIKEWISE_DATA=… python -m benchmarks.askers.stop_hint --runs 100``.

Other items are drawn from a set in every run, the default asker asks, with rechecks as in the app, a quarter of the questions are checks at
random, and some answers are wrong, of checks too. Every ten answers the rule of the app is applied. A run counts as early when the rule
suggested a stop at any time at which pairwise F was below what it promised.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.askers.sets import load
from benchmarks.record import keep
from likewise import Session
from likewise.app.progress import FEWEST, GOOD
from likewise.metrics import pairwise_f
from likewise.simulate import SimulatedAnnotator

KEPT = Path(__file__).with_suffix(".json")
SETS = {"digits": 200, "flowers-17": 200, "iris": 120, "wine:z": 150}
RATE, EVERY, BUDGET = 0.25, 10, 300


def run(X, truth, seed: int, error_rate: float) -> list[tuple[int, float, float]]:
    """Answers, promised and true pairwise F, whenever a stop was suggested."""
    rng = np.random.default_rng([9, seed])
    session = Session(X, random_state=seed, recheck=True)
    person = SimulatedAnnotator(truth, error_rate=error_rate, random_state=seed)
    found = []
    for answers in range(1, BUDGET + 1):
        question = session.check() if answers > 10 and rng.random() < RATE else None
        question = question or session.ask()
        if question is None:
            break
        session.answer(question, person.answer(question))
        if answers % EVERY:
            continue
        quality = session.quality()
        if quality.n_checks >= FEWEST and quality.pairwise_f[0] >= GOOD:
            found.append((answers, quality.pairwise_f[0], float(pairwise_f(truth, session.labels_))))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--rates", type=float, nargs="+", default=[0.0, 0.02, 0.1])
    parser.add_argument("--kept", type=Path, help="folder in which embeddings are kept")
    given = parser.parse_args()
    loaded = {name: found for name in SETS if (found := load(name, given.kept)) is not None}
    results = json.loads(KEPT.read_text())["results"] if KEPT.exists() else {}
    config = {"items": SETS, "share_of_checks": RATE, "every": EVERY, "answers": BUDGET, "runs": given.runs}
    for rate in given.rates:
        runs = []
        for seed in range(given.runs):
            name = list(loaded)[seed % len(loaded)]
            X, truth = loaded[name]
            drawn = np.random.default_rng([8, seed]).permutation(len(X))[: SETS[name]]
            hints = run(X[drawn], truth[drawn], seed, rate)
            runs.append({"set": name, "hints": hints, "early": any(true < told for _, told, true in hints)})
        n_hinted = sum(bool(one["hints"]) for one in runs)
        n_early = sum(one["early"] for one in runs)
        results[str(rate)] = {"runs": len(runs), "hinted": n_hinted, "early": n_early, "each": runs}
        print(rate, {key: results[str(rate)][key] for key in ("runs", "hinted", "early")}, flush=True)
        keep(KEPT, config=config, results=results, adds=True)


if __name__ == "__main__":
    main()
