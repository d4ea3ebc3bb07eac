"""Seconds of a person instead of questions: ``LIKEWISE_DATA=… python -m benchmarks.askers.forms [SET ...]``.

The default asker with pairs only and with ``forms="auto"``, until nothing is left to ask: a simulated person takes the times of
``likewise.query.form_times.PRIORS`` for each form. With ``--wrong``, 2 % of the pairs and picks are wrong, 5 % of the odd pictures on grids
are overlooked, and the session rechecks. With ``--slower 2`` (or 0.5) grids and picks take twice (or half) the time. In the middle of
each run (after 10, 20, … 90 % of its seconds) what ``Session.remaining`` said is compared with what was left. What ran is kept, by set.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.askers.sets import SETS, load
from benchmarks.record import keep
from likewise import Session
from likewise.metrics import ari
from likewise.query.form_times import PRIORS
from likewise.simulate import SimulatedAnnotator

KEPT = Path(__file__).with_suffix(".json")
GOALS = (0.90, 0.95, 0.99)
EVERY = 5  # answers between measurements, after the first 200 answers
FORMS = {"pairs": ("pair",), "auto": "auto"}
WRONG = {"error_rate": 0.02, "overlook_rate": 0.05}


def slower(factor: float) -> dict:
    """The times of somebody for whom grids and picks take longer."""
    return {form: PRIORS[form].times(factor, 0) for form in ("grid", "pick")}


def run(X, truth, forms, *, seed: int, limit: float, factor: float = 1.0, wrong: bool = False) -> dict:
    """Seconds and questions to the goals and to the end."""
    errors = WRONG if wrong else {}
    person = SimulatedAnnotator(truth, random_state=seed, times=slower(factor), **errors)
    session = Session(X, random_state=seed, forms=forms, recheck=wrong or None)
    began, taken, slow, reached, kinds, guessed = perf_counter(), 0.0, [], {}, Counter(), []
    while perf_counter() - began < limit:
        start = perf_counter()
        question = session.ask()
        slow.append(perf_counter() - start)
        if question is None:
            break
        given = person.answer(question)
        seconds = person.seconds(question, given)
        taken += seconds
        session.answer(question, given, seconds=seconds)
        kinds[question.kind] += 1
        answers = sum(kinds.values())
        if answers <= 200 or answers % EVERY == 0:
            score = ari(truth, session.labels_)
            for goal in GOALS:
                if score >= goal:
                    reached.setdefault(f"{goal:.2f}", round(taken, 1))
            left = session.remaining()
            guessed.append((taken, left.to_most, left.to_end))
    ended = session.finished or question is None
    return {
        "seconds_to": reached,
        "seconds": round(taken, 1),
        "ended": bool(ended),
        "ari": ari(truth, session.labels_),
        "questions": dict(kinds),
        "median_seconds_to_choose": float(np.median(slow)),
        "guessed": compare(guessed, reached.get("0.95"), taken if ended else None),
    }


def compare(guessed: list, at_most: float | None, at_end: float | None) -> dict:
    """What was said after 10, 20, … 90 % of the seconds to each end: (said, low, high, was)."""
    found: dict[str, list] = {"0.95": [], "end": []}
    for name, place, target in (("0.95", 1, at_most), ("end", 2, at_end)):
        for share in np.arange(0.1, 0.95, 0.1) if target else ():
            row = next((each for each in guessed if each[0] >= share * target), None)
            if row is not None and row[0] < target:
                said = row[place]
                found[name].append([round(x, 1) for x in (said.seconds, said.low, said.high, target - row[0])])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds after which a run is cut")
    parser.add_argument("--slower", type=float, default=1.0)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--only", choices=FORMS, help="run only these forms; what is kept of the others stays")
    parser.add_argument("--kept", type=Path, help="folder in which embeddings are kept")
    given = parser.parse_args()
    case = "wrong" if given.wrong else "right" if given.slower == 1 else f"slower by {given.slower:g}"
    for name in given.sets:
        found = load(name, given.kept)
        for forms, wanted in FORMS.items() if found is not None else ():
            if (forms == "pairs" and given.slower != 1) or (given.only or forms) != forms:
                continue  # pairs take as long as ever
            options = {"limit": given.limit, "factor": given.slower, "wrong": given.wrong}
            runs = [run(*found, wanted, seed=seed, **options) for seed in range(given.seeds)]
            print(case, name, forms, [(one["seconds_to"], one["seconds"], one["ari"]) for one in runs], flush=True)
            kept = json.loads(KEPT.read_text())["results"] if KEPT.exists() else {}
            kept.setdefault(case, {}).setdefault(name, {})[forms] = runs
            keep(KEPT, config={"goals": GOALS, "wrong": WRONG, "limit": given.limit}, results=kept, adds=True)


if __name__ == "__main__":
    main()
