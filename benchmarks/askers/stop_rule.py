"""How often the 95 % intervals of precision and recall cover: ``LIKEWISE_DATA=… python -m benchmarks.askers.stop_rule --runs 200``.

In every run other items are drawn from a set, the default asker asks, a quarter of the questions are checks at random, and after 100,
200 and 300 answers the intervals are compared with the truth. Runs are kept set by set; more are added to those there are.
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


def run(X, truth, seed: int) -> dict[str, list[float]]:
    """True precision and recall, and their intervals, at the moments."""
    rng = np.random.default_rng([7, seed])
    session, person = Session(X, random_state=seed), SimulatedAnnotator(truth)
    checks: list[Check] = []
    found = {}
    for answers in range(1, MOMENTS[-1] + 1):
        state = session.state
        question = None
        if answers > 10 and rng.random() < RATE:
            apart = session.strategy.expect_missed_pairs(state)
            question = draw_check(session.labels_, state.constraints, rng, missed=apart)
        if question is not None:
            checks.append(Check(answers - 1, person.answer(question) == "same", question.check, question.items))
        question = question or session.ask()
        if question is None:
            break
        session.answer(question, person.answer(question))
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
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--kept", type=Path, help="folder in which embeddings are kept")
    parser.add_argument("--again", action="store_true", help="forget the runs there are")
    given = parser.parse_args()
    results = json.loads(KEPT.read_text())["results"] if KEPT.exists() else {}
    for name in given.sets:
        found = load(name, given.kept)
        if found is None:
            continue
        X, truth = found
        runs = [] if given.again else results.get(name, {}).get("runs", [])
        for seed in range(len(runs), given.runs):
            drawn = np.random.default_rng([8, seed]).permutation(len(X))[: SETS[name]]
            runs.append(run(X[drawn], truth[drawn], seed))
        results[name] = {"coverage": coverage(runs), "runs": runs}
        for row in results[name]["coverage"]:
            print(name, {key: round(value, 3) for key, value in row.items()}, flush=True)
        config = {
            "items": SETS,
            "share_of_checks": RATE,
            "moments": MOMENTS,
            "runs": given.runs,
            "seed": "the number of the run",
        }
        keep(KEPT, config=config, results=results, adds=True)


if __name__ == "__main__":
    main()
