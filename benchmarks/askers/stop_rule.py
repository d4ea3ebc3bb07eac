"""How often the 95 % intervals of precision and recall cover: ``LIKEWISE_DATA=… python -m benchmarks.askers.stop_rule --runs 200``.

In every run other items are drawn from a set, the default asker asks, a quarter of the questions are checks at random, and after 100,
200 and 300 answers the intervals are compared with the truth. Of the answers none, 2 or 10 % are wrong; where some are, the session
rechecks. Runs are kept set by set; more are added to those there are.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.askers.sets import load
from benchmarks.record import keep
from likewise import Session
from likewise.metrics import pairwise_precision, pairwise_recall
from likewise.query.answers.quality import Check, draw_check, estimate_quality
from likewise.simulate import SimulatedAnnotator

KEPT = Path(__file__).with_suffix(".json")
SETS = {"digits": 300, "flowers-17": 300, "leaf-99": 300, "sonar:z": 200}
RATE = 0.25
MOMENTS = (100, 200, 300)
RATES = (0.0, 0.02, 0.1)


def run(X, truth, seed: int, rate: float) -> dict[str, list[float]]:
    """True precision and recall, and their intervals, at the moments."""
    rng = np.random.default_rng([7, seed])
    session = Session(X, random_state=seed, recheck=True if rate else None)
    person = SimulatedAnnotator(truth, error_rate=rate, random_state=seed)
    checks: list[Check] = []
    found = {}
    for answers in range(1, MOMENTS[-1] + 1):
        state = session.state
        check = None
        if answers > 10 and rng.random() < RATE:
            apart = session.strategy.expect_missed_pairs(state)
            check = draw_check(session.labels_, state.constraints, rng, missed=apart)
        question = check or session.ask()
        if question is None:
            break
        said = person.answer(question)
        if check is not None:
            checks.append(Check(answers - 1, said == "same", check.check, check.items))
        session.answer(question, said)
        if answers in MOMENTS:
            apart = session.strategy.expect_missed_pairs(session.state)
            told = estimate_quality(
                session.labels_, session.state.constraints, checks, apart, n_answers=answers, random_state=seed
            )
            true = pairwise_precision(truth, session.labels_), pairwise_recall(truth, session.labels_)
            found[str(answers)] = [*true, *told.precision, *told.recall, told.n_checks]
    return found


def coverage(runs: list[dict[str, list[float]]]) -> list[dict[str, float]]:
    """At each moment: how often the intervals held the truth."""
    rows = []
    for moment in map(str, MOMENTS):
        at = np.array([one[moment] for one in runs if moment in one])
        if not len(at):
            continue
        row = {"answers": int(moment), "runs": len(at), "checks": float(at[:, 8].mean())}
        for name, true, low in (("precision", 0, 2), ("recall", 1, 5)):
            covered = (at[:, low] <= at[:, true] + 1e-12) & (at[:, true] <= at[:, low + 2] + 1e-12)
            row |= {
                name: float(at[:, true].mean()),
                f"{name}_covered": float(covered.mean()),
                f"{name}_below": float((at[:, true] < at[:, low] - 1e-12).mean()),
                f"{name}_width": float((at[:, low + 2] - at[:, low]).mean()),
            }
        rows.append(row)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--rates", type=float, nargs="+", default=RATES, help="shares of wrong answers")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--kept", type=Path, help="folder in which embeddings are kept")
    parser.add_argument("--again", action="store_true", help="forget the runs there are")
    given = parser.parse_args()
    results = json.loads(KEPT.read_text())["results"] if KEPT.exists() else {}
    for name, rate in ((name, rate) for rate in given.rates for name in given.sets):
        found, key = load(name, given.kept), f"{name}, {rate:.0%} wrong"
        if found is None:
            continue
        X, truth = found
        runs = [] if given.again else results.get(key, {}).get("runs", [])
        for seed in range(len(runs), given.runs):
            drawn = np.random.default_rng([8, seed]).permutation(len(X))[: SETS[name]]
            runs.append(run(X[drawn], truth[drawn], seed, rate))
        results[key] = {"coverage": coverage(runs), "runs": runs}
        for row in results[key]["coverage"]:
            print(key, {each: round(value, 3) for each, value in row.items()}, flush=True)
        config = {
            "items": SETS,
            "share_of_checks": RATE,
            "moments": MOMENTS,
            "runs": given.runs,
            "seed": "the number of the run",
            "rates": RATES,
        }
        keep(KEPT, config=config, results=results, adds=True)


if __name__ == "__main__":
    main()
